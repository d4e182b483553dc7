// Package writes sends what the kernel decided to the API server and says what became of it.
package writes

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"basalt.dev/basalt/k8s-bridge/kernel"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

// Outcome of a write: done, refused (the API server said no, nothing happened), unknown (it may have happened).
type Outcome string

const (
	Done    Outcome = "done"
	Refused Outcome = "refused"
	Unknown Outcome = "unknown"
)

// outcomeOf sorts an error by whether the write may have taken effect.
func outcomeOf(err error) Outcome {
	switch {
	case err == nil:
		return Done
	case apierrors.IsConflict(err), apierrors.IsNotFound(err), apierrors.IsInvalid(err), apierrors.IsForbidden(err), apierrors.IsBadRequest(err),
		apierrors.IsUnauthorized(err), apierrors.IsMethodNotSupported(err), apierrors.IsTooManyRequests(err), apierrors.IsGone(err):
		return Refused
	}
	return Unknown
}

// path of an object.
func path(w *kernel.Write) string {
	switch w.ObjectKind {
	case "Pod":
		return fmt.Sprintf("/api/v1/namespaces/%s/pods/%s", w.Namespace, w.Name)
	case "PodGroup":
		return fmt.Sprintf("/apis/scheduling.volcano.sh/v1beta1/namespaces/%s/podgroups/%s", w.Namespace, w.Name)
	default:
		return "/apis/scheduling.volcano.sh/v1beta1/queues/" + w.Name
	}
}

func bind(ctx context.Context, client rest.Interface, w *kernel.Write) error {
	return client.Post().AbsPath(path(w)+"/binding").SetHeader("Content-Type", "application/json").Body(w.Body).Do(ctx).Error()
}

// pod asks what the API server holds of a pod: its uid and node.
func pod(ctx context.Context, client rest.Interface, w *kernel.Write) (uid, node string, err error) {
	raw, err := client.Get().AbsPath(path(w)).SetHeader("Accept", "application/json").DoRaw(ctx)
	if err != nil {
		return "", "", err
	}
	var o struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
		Spec     struct {
			NodeName string `json:"nodeName"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return "", "", err
	}
	return string(o.Metadata.UID), o.Spec.NodeName, nil
}

// status writes a status by patch; where the role has only `update`, it reads the object, replaces the parts, and puts it back.
func status(ctx context.Context, client rest.Interface, w *kernel.Write) error {
	p, kind := path(w), types.MergePatchType
	switch w.Kind {
	case kernel.PodCondition, kernel.Evict:
		p, kind = p+"/status", types.StrategicMergePatchType
	case kernel.QueueStatus:
		p += "/status"
	}
	err := client.Patch(kind).AbsPath(p).Body(w.Body).Do(ctx).Error()
	if !apierrors.IsForbidden(err) {
		return err
	}
	raw, err := client.Get().AbsPath(path(w)).SetHeader("Accept", "application/json").DoRaw(ctx)
	if err != nil {
		return err
	}
	merged, err := replaceStatus(raw, w)
	if err != nil {
		return err
	}
	return client.Put().AbsPath(p).SetHeader("Content-Type", "application/json").Body(merged).Do(ctx).Error()
}

// replaceStatus puts the members of the write's status into an object; of a pod's conditions only the one of the same type is replaced.
func replaceStatus(raw []byte, w *kernel.Write) ([]byte, error) {
	var object, patch map[string]any
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(w.Body, &patch); err != nil {
		return nil, err
	}
	if uid, _ := object["metadata"].(map[string]any)["uid"].(string); w.UID != "" && uid != w.UID {
		return nil, apierrors.NewConflict(schemaOf(w), w.Name, fmt.Errorf("the object was made anew"))
	}
	now, _ := object["status"].(map[string]any)
	if now == nil {
		now = map[string]any{}
	}
	for key, value := range patch["status"].(map[string]any) {
		if w.Kind != kernel.PodGroupStatus && key == "conditions" {
			value = mergeConditions(now[key], value)
		}
		if amounts, ok := value.(map[string]any); ok { // null in a merge patch: the member goes
			for name, amount := range amounts {
				if amount == nil {
					delete(amounts, name)
				}
			}
		}
		now[key] = value
	}
	object["status"] = now
	return json.Marshal(object)
}

func mergeConditions(old, add any) any {
	list, _ := old.([]any)
	for _, c := range add.([]any) {
		kind := c.(map[string]any)["type"]
		found := false
		for i := range list {
			if o, ok := list[i].(map[string]any); ok && o["type"] == kind {
				list[i], found = c, true
			}
		}
		if !found {
			list = append(list, c)
		}
	}
	return list
}

// KindName is what results and metrics call a kind of write.
func KindName(w *kernel.Write) string {
	names := map[uint32]string{kernel.Bind: "bind", kernel.PodCondition: "condition", kernel.PodGroupStatus: "podgroup", kernel.QueueStatus: "queue", kernel.Evict: "evict"}
	return names[w.Kind]
}

// ResultRecord is the RESULT record of a write.
func ResultRecord(w *kernel.Write, outcome Outcome, err error) []byte {
	message := ""
	if err != nil {
		message = err.Error()
	}
	record, _ := json.Marshal(map[string]string{"write": KindName(w), "namespace": w.Namespace, "name": w.Name, "uid": w.UID, "outcome": string(outcome), "message": message})
	return record
}

// deadline of one request.
const requestTimeout = 30 * time.Second
