package recording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// read are the annotations that the kernel reads; no other one is kept. A test holds them against the kernel's sources.
var read = map[string]bool{
	"kubernetes.io/config.mirror":               true,
	"scheduling.k8s.io/group-name":              true,
	"scheduling.volcano.sh/group-min-member":    true,
	"scheduling.volcano.sh/queue-name":          true,
	"sla-waiting-time":                          true,
	"volcano.sh/cooldown-time":                  true,
	"volcano.sh/hierarchy":                      true,
	"volcano.sh/hierarchy-weights":              true,
	"volcano.sh/jdb-max-unavailable":            true,
	"volcano.sh/jdb-min-available":              true,
	"volcano.sh/nodegroup-resource-limits":      true,
	"volcano.sh/oversubscription-cpu":           true,
	"volcano.sh/oversubscription-memory":        true,
	"volcano.sh/preemptable":                    true,
	"volcano.sh/resource-strategy-scoring-type": true,
	"volcano.sh/resource-strategy-weight":       true,
	"volcano.sh/revocable-zone":                 true,
	"volcano.sh/sla-waiting-time":               true,
	"volcano.sh/task-priority":                  true,
	"volcano.sh/task-spec":                      true,
	"volcano.sh/task-topology-affinity":         true,
	"volcano.sh/task-topology-anti-affinity":    true,
	"volcano.sh/task-topology-task-order":       true,
}

// Members of a container in which secrets stand, commands of probes and hooks among them. None is read by the kernel.
var secrets = []string{"env", "envFrom", "command", "args", "lifecycle", "livenessProbe", "readinessProbe", "startupProbe"}

// item is an object as it is kept: blanked, with its kind.
type item struct {
	kind, key, uid string
	version        uint64
	json           []byte
}

// itemsOf takes the objects of a record apart: one object, a List or a typed list.
func itemsOf(payload []byte) ([]item, error) {
	decoder := json.NewDecoder(bytes.NewReader(payload))
	decoder.UseNumber() // numbers stay as they are written
	var o map[string]any
	if err := decoder.Decode(&o); err != nil {
		return nil, err
	}
	kind, _ := o["kind"].(string)
	version, _ := o["apiVersion"].(string)
	list, isList := o["items"].([]any)
	if !isList && !strings.HasSuffix(kind, "List") {
		one, err := itemOf(o)
		return []item{one}, err
	}
	items := make([]item, 0, len(list))
	for _, member := range list {
		object, ok := member.(map[string]any)
		if !ok {
			continue // the kernel says that it is none
		}
		if said, _ := object["kind"].(string); said == "" {
			object["kind"], object["apiVersion"] = strings.TrimSuffix(kind, "List"), version
		}
		one, err := itemOf(object)
		if err != nil {
			return nil, err
		}
		items = append(items, one)
	}
	return items, nil
}

func itemOf(o map[string]any) (item, error) {
	blank(o)
	i := item{}
	i.kind, _ = o["kind"].(string)
	metadata, _ := o["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	namespace, _ := metadata["namespace"].(string)
	i.uid, _ = metadata["uid"].(string)
	text, _ := metadata["resourceVersion"].(string)
	i.version, _ = strconv.ParseUint(text, 10, 64)
	i.key = name
	if namespace != "" {
		i.key = namespace + "/" + name
	}
	var err error
	if i.json, err = json.Marshal(o); err != nil {
		return i, fmt.Errorf("%s %s: %w", i.kind, i.key, err)
	}
	return i, nil
}

// blank takes out what is nobody's business and what the kernel does not read.
func blank(o map[string]any) {
	if metadata, ok := o["metadata"].(map[string]any); ok {
		delete(metadata, "managedFields")
		if annotations, ok := metadata["annotations"].(map[string]any); ok {
			for key := range annotations {
				if !read[key] {
					delete(annotations, key)
				}
			}
		}
	}
	spec, _ := o["spec"].(map[string]any)
	for _, list := range []string{"containers", "initContainers", "ephemeralContainers"} {
		containers, _ := spec[list].([]any)
		for _, c := range containers {
			if container, ok := c.(map[string]any); ok {
				for _, member := range secrets {
					delete(container, member)
				}
			}
		}
	}
}
