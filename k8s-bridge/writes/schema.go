package writes

import (
	"strings"

	"basalt.dev/basalt/k8s-bridge/kernel"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// schemaOf names the resource of a write in errors.
func schemaOf(w *kernel.Write) schema.GroupResource {
	group := "scheduling.volcano.sh"
	if w.ObjectKind == "Pod" {
		group = ""
	}
	return schema.GroupResource{Group: group, Resource: strings.ToLower(w.ObjectKind) + "s"}
}
