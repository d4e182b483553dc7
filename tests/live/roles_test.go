package live

import (
	"context"
	"os"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// paths of the kinds that deploy/rbac.yaml has.
var rolePaths = map[string]string{
	"ClusterRole": "/apis/rbac.authorization.k8s.io/v1/clusterroles", "ClusterRoleBinding": "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
	"Role": "/apis/rbac.authorization.k8s.io/v1/namespaces/volcano-system/roles", "RoleBinding": "/apis/rbac.authorization.k8s.io/v1/namespaces/volcano-system/rolebindings",
	"ServiceAccount": "/api/v1/namespaces/volcano-system/serviceaccounts",
}

// applyRoles makes the objects of a file of deploy/, with their text changed by edit.
func applyRoles(t *testing.T, file string, edit func(string) string) {
	t.Helper()
	text, err := os.ReadFile("../../deploy/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range strings.Split(edit(string(text)), "\n---\n") {
		var o object
		if err := yaml.Unmarshal([]byte(document), &o); err != nil {
			t.Fatal(err)
		}
		path, name := rolePaths[o["kind"].(string)], at(o, "metadata", "name").(string)
		if err := create(path, o); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cluster.API.Delete(context.Background(), path+"/"+name, nil) })
	}
}

func scheduleUnder(t *testing.T, user string) {
	ns := space(t)
	s := runAs(t, user)
	gang(t, ns, "g", 3, 3, "1", nil)
	gang(t, ns, "wide", 1, 1, "1000", nil)
	eventually(t, "bound", func() bool { return len(bound(t, ns, "g")) == 3 })
	eventually(t, "the status is written", func() bool { return at(get(t, podGroups(ns)+"/g"), "status", "phase") == "Running" })
	eventually(t, "the condition is written", func() bool {
		conditions, _ := at(get(t, "/api/v1/namespaces/"+ns+"/pods/wide-w-0"), "status", "conditions").([]any)
		return len(conditions) == 1
	})
	eventually(t, "the queue's status is written", func() bool {
		return at(get(t, "/apis/scheduling.volcano.sh/v1beta1/queues/default"), "status", "allocated", "cpu") == "3"
	})
	if s.said("forbidden") || s.said("Forbidden") {
		t.Error("something was forbidden")
	}
}

func TestUnderExactlyItsRole(t *testing.T) {
	applyRoles(t, "rbac.yaml", func(text string) string { return text })
	scheduleUnder(t, serviceAccount)
}

// Volcano's role may update statuses and groups, but patch none.
func TestUnderARoleThatMayNotPatch(t *testing.T) {
	applyRoles(t, "rbac.yaml", func(text string) string {
		text = strings.ReplaceAll(text, "resources: [pods/status], verbs: [patch]", "resources: [pods/status], verbs: [update]")
		text = strings.ReplaceAll(text, "resources: [podgroups], verbs: [list, watch, patch]", "resources: [podgroups], verbs: [get, list, watch, update]")
		text = strings.ReplaceAll(text, "resources: [queues], verbs: [list, watch, create]", "resources: [queues], verbs: [get, list, watch, create]")
		return strings.ReplaceAll(text, "resources: [queues/status], verbs: [patch]", "resources: [queues/status], verbs: [update]")
	})
	scheduleUnder(t, serviceAccount)
}
