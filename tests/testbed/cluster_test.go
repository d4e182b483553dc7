package testbed_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"basalt.dev/basalt/tests/testbed"
	"basalt.dev/basalt/tests/testbed/load"
	"basalt.dev/basalt/tests/testbed/rawapi"
)

const (
	schedulerUser = "system:serviceaccount:volcano-system:weak"
	auditPolicy   = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
  resources: [{group: "", resources: [pods/binding]}]
- level: None
`
	queues    = "/apis/scheduling.volcano.sh/v1beta1/queues"
	podGroups = "/apis/scheduling.volcano.sh/v1beta1/namespaces/default/podgroups"
	hyperNode = "/apis/topology.volcano.sh/v1alpha1/hypernodes"
	pods      = "/api/v1/namespaces/default/pods"
)

func start(t *testing.T, options testbed.Options) *testbed.Cluster {
	t.Helper()
	options.Progress = t.Output()
	cluster, err := testbed.Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Stop(); err != nil {
			t.Error(err)
		}
	})
	return cluster
}

// at reads a field of a JSON object by keys and list indices; nil where there is none.
func at(t *testing.T, body []byte, path ...any) any {
	t.Helper()
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		t.Fatal(err)
	}
	for _, step := range path {
		switch container := value.(type) {
		case map[string]any:
			value = container[step.(string)]
		case []any:
			value = container[step.(int)]
		default:
			return nil
		}
	}
	return value
}

func must(t *testing.T) func([]byte, error) []byte {
	return func(body []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
}

func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !condition(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

func bind(ctx context.Context, api *rawapi.Client, pod, node string) error {
	_, err := api.Create(ctx, pods+"/"+pod+"/binding", fmt.Appendf(nil,
		`{"apiVersion":"v1","kind":"Binding","metadata":{"name":%q},"target":{"apiVersion":"v1","kind":"Node","name":%q}}`, pod, node))
	return err
}

func TestOlderAPIServer(t *testing.T) {
	cluster := start(t, testbed.Options{Kubernetes: "1.35", Nodes: 1, NodeLeases: true, ControllerManager: true})
	if version := at(t, must(t)(cluster.API.Get(t.Context(), "/version")), "minor"); version != "35" {
		t.Error(version)
	}
	customResources(t, cluster.API)
	eventually(t, "KWOK renews the node's Lease", func() bool {
		_, err := cluster.API.Get(t.Context(), "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/"+load.NodeName(0))
		return err == nil
	})
}

func TestControlPlane(t *testing.T) {
	cluster := start(t, testbed.Options{Nodes: 25, ControllerManager: true, Audit: auditPolicy, Users: []testbed.User{{Name: schedulerUser}}})
	api, ctx := cluster.API, t.Context()

	t.Run("says the version that is pinned", func(t *testing.T) {
		version := at(t, must(t)(api.Get(ctx, "/version")), "gitVersion").(string)
		if !strings.HasPrefix(version, "v"+testbed.DefaultKubernetes+".") {
			t.Error(version)
		}
	})
	t.Run("nodes are ready", func(t *testing.T) {
		nodes, err := api.List(ctx, "/api/v1/nodes")
		if err != nil || len(nodes) != 25 {
			t.Fatal(len(nodes), err)
		}
		for _, node := range nodes {
			if at(t, node, "status", "conditions", 0, "status") != "True" || at(t, node, "status", "allocatable", "pods") != "110" ||
				at(t, node, "spec", "taints") != nil {
				t.Errorf("%s", node)
			}
		}
	})
	t.Run("bound pods run and others wait", func(t *testing.T) {
		spec := load.GangSpec{Members: 3, Annotations: map[string]string{testbed.CompleteAfter: "1s"}}
		if err := load.Gangs(ctx, api, spec, "run", 2); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			if err := bind(ctx, api, load.PodName("run-0", i), load.NodeName(i)); err != nil {
				t.Fatal(err)
			}
		}
		phase := func(pod string) any { return at(t, must(t)(api.Get(ctx, pods+"/"+pod)), "status", "phase") }
		for i := range 3 {
			eventually(t, "a bound pod is played", func() bool { return phase(load.PodName("run-0", i)) == "Succeeded" })
			if p := phase(load.PodName("run-1", i)); p != "Pending" {
				t.Error(p)
			}
		}
		if err := bind(ctx, api, load.PodName("run-0", 0), load.NodeName(7)); !apierrors.IsConflict(err) {
			t.Error("bound twice:", err)
		}
		if err := api.Delete(ctx, pods+"/"+load.PodName("run-0", 0), nil); err != nil {
			t.Fatal(err)
		}
		eventually(t, "a deleted pod vanishes", func() bool {
			_, err := api.Get(ctx, pods+"/"+load.PodName("run-0", 0))
			return apierrors.IsNotFound(err)
		})
		log, err := os.ReadFile(cluster.AuditLog())
		if n := strings.Count(string(log), `"subresource":"binding"`); err != nil || n != 4 {
			t.Error("bindings in the audit log:", n, err)
		}
	})
	t.Run("a weak token is denied", func(t *testing.T) {
		weak, err := rawapi.New(cluster.Kubeconfig(schedulerUser))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := weak.Get(ctx, pods); !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), schedulerUser) {
			t.Error(err)
		}
		role := `{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"reader"},
			"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["list","get"]}]}`
		must(t)(api.Create(ctx, "/apis/rbac.authorization.k8s.io/v1/clusterroles", []byte(role)))
		binding := `{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"reader"},
			"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"reader"},
			"subjects":[{"kind":"ServiceAccount","name":"weak","namespace":"volcano-system"}]}`
		must(t)(api.Create(ctx, "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", []byte(binding)))
		eventually(t, "the role is in force", func() bool { _, err := weak.Get(ctx, pods); return err == nil })
		if _, err := weak.Create(ctx, pods, load.Pod(load.GangSpec{}, "weak", 0)); !apierrors.IsForbidden(err) {
			t.Error(err)
		}
	})
	t.Run("the controller manager acts", func(t *testing.T) {
		set := `{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"set"},"spec":{"replicas":2,"selector":{"matchLabels":{"app":"set"}},
			"template":{"metadata":{"labels":{"app":"set"}},"spec":{"schedulerName":"volcano","containers":[{"name":"c","image":"i"}]}}}}`
		must(t)(api.Create(ctx, "/apis/apps/v1/namespaces/default/replicasets", []byte(set)))
		eventually(t, "pods of the ReplicaSet", func() bool {
			list, err := api.List(ctx, pods)
			return err == nil && len(slices.DeleteFunc(list, func(p json.RawMessage) bool { return !strings.Contains(string(p), `"app":"set"`) })) == 2
		})
	})
	t.Run("it survives a crash of the API server", func(t *testing.T) {
		if err := cluster.StopComponent(testbed.APIServer, true); err != nil {
			t.Fatal(err)
		}
		if _, err := api.Get(ctx, "/version"); err == nil {
			t.Error("a killed API server answers")
		}
		if err := cluster.StartComponent(ctx, testbed.APIServer); err != nil {
			t.Fatal(err)
		}
		must(t)(api.Get(ctx, podGroups+"/run-0"))
		select {
		case err := <-cluster.Failed():
			t.Error("a component that the test stopped counts as failed:", err)
		default:
		}
	})
	t.Run("the custom resources", func(t *testing.T) { customResources(t, api) })
}
