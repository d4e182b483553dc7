package load

import (
	"context"
	"fmt"
	"maps"

	"basalt.dev/basalt/tests/testbed/rawapi"
)

// GangSpec describes gangs that are alike; an empty field means the value in brackets.
type GangSpec struct {
	Namespace   string            // "default"
	Queue       string            // "default"
	Scheduler   string            // "volcano"
	Members     int               // pods of each gang
	MinMember   int               // Members
	CPU, Memory string            // request of a pod: "1", "1Gi"
	Annotations map[string]string // of the pods, beside the one that names the group
	Labels      map[string]string // of the pods
	Priority    string            // priority class of PodGroup and pods: none
}

func (s GangSpec) withDefaults() GangSpec {
	for _, field := range []struct {
		value    *string
		fallback string
	}{{&s.Namespace, "default"}, {&s.Queue, "default"}, {&s.Scheduler, "volcano"}, {&s.CPU, "1"}, {&s.Memory, "1Gi"}} {
		if *field.value == "" {
			*field.value = field.fallback
		}
	}
	if s.MinMember == 0 {
		s.MinMember = s.Members
	}
	return s
}

// PodGroup is the API object of a gang.
func PodGroup(spec GangSpec, name string) []byte {
	spec = spec.withDefaults()
	group := object{"minMember": spec.MinMember, "queue": spec.Queue}
	if spec.Priority != "" {
		group["priorityClassName"] = spec.Priority
	}
	return encode(object{"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "PodGroup",
		"metadata": object{"name": name, "namespace": spec.Namespace}, "spec": group})
}

// PodName of a member of a gang.
func PodName(gang string, member int) string { return fmt.Sprintf("%s-%d", gang, member) }

// Pod is the API object of one member of the gang with a name.
func Pod(spec GangSpec, gang string, member int) []byte {
	spec = spec.withDefaults()
	annotations := map[string]string{"scheduling.k8s.io/group-name": gang}
	maps.Copy(annotations, spec.Annotations)
	resources := object{"cpu": spec.CPU, "memory": spec.Memory}
	pod := object{"schedulerName": spec.Scheduler, "terminationGracePeriodSeconds": 0, "automountServiceAccountToken": false,
		"containers": []object{{"name": "main", "image": "busybox", "resources": object{"requests": resources}}}}
	if spec.Priority != "" {
		pod["priorityClassName"] = spec.Priority
	}
	return encode(object{"apiVersion": "v1", "kind": "Pod", "spec": pod, "metadata": object{
		"name": PodName(gang, member), "namespace": spec.Namespace, "annotations": annotations, "labels": spec.Labels}})
}

// Gangs creates the gangs prefix-0 to prefix-(count-1), each PodGroup before its pods, as a job controller would.
func Gangs(ctx context.Context, api *rawapi.Client, spec GangSpec, prefix string, count int) error {
	spec = spec.withDefaults()
	name := func(gang int) string { return fmt.Sprintf("%s-%d", prefix, gang) }
	groups := "/apis/scheduling.volcano.sh/v1beta1/namespaces/" + spec.Namespace + "/podgroups"
	if err := inParallel(ctx, count, func(ctx context.Context, i int) error {
		_, err := api.Create(ctx, groups, PodGroup(spec, name(i)))
		return err
	}); err != nil {
		return err
	}
	return inParallel(ctx, count*spec.Members, func(ctx context.Context, i int) error {
		_, err := api.Create(ctx, "/api/v1/namespaces/"+spec.Namespace+"/pods", Pod(spec, name(i/spec.Members), i%spec.Members))
		return err
	})
}

// Queue creates a queue with a spec and sets its state to Open, as the queue controller would.
func Queue(ctx context.Context, api *rawapi.Client, name string, spec map[string]any) error {
	path := "/apis/scheduling.volcano.sh/v1beta1/queues"
	if _, err := api.Create(ctx, path, encode(object{"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue",
		"metadata": object{"name": name}, "spec": spec})); err != nil {
		return err
	}
	_, err := api.Merge(ctx, path+"/"+name+"/status", encode(object{"status": object{"state": "Open", "allocated": object{}}}))
	return err
}
