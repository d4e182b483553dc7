package testbed_test

import (
	"fmt"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"basalt.dev/basalt/tests/testbed/load"
	"basalt.dev/basalt/tests/testbed/rawapi"
)

// customResources shows that the CRDs of deploy/crds behave as Volcano's do.
func customResources(t *testing.T, api *rawapi.Client) {
	ctx := t.Context()
	t.Run("PodGroup has no status subresource", func(t *testing.T) {
		created := must(t)(api.Create(ctx, podGroups, load.PodGroup(load.GangSpec{Members: 4}, "gang")))
		if at(t, created, "spec", "queue") != "default" {
			t.Errorf("%s", created)
		}
		patch := []byte(`{"status":{"phase":"Inqueue","running":1,"conditions":[{"type":"Unschedulable","status":"True","transitionID":"1",
			"lastTransitionTime":"2026-01-01T00:00:00Z","reason":"NotEnoughResources","message":"m"}]}}`)
		if _, err := api.Merge(ctx, podGroups+"/gang/status", patch); !apierrors.IsNotFound(err) {
			t.Error(err)
		}
		patched := must(t)(api.Merge(ctx, podGroups+"/gang", patch))
		if at(t, patched, "status", "phase") != "Inqueue" || at(t, patched, "status", "conditions", 0, "reason") != "NotEnoughResources" {
			t.Errorf("%s", patched)
		}
		if _, err := api.Merge(ctx, podGroups+"/gang", []byte(`{"status":{"phase":"Odd"}}`)); !apierrors.IsInvalid(err) {
			t.Error(err)
		}
	})
	t.Run("PodGroup defaults and unknown fields", func(t *testing.T) {
		created := must(t)(api.Create(ctx, podGroups, []byte(`{"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"PodGroup","metadata":{"name":"sub"},
			"spec":{"minMember":1,"minResources":{"cpu":1,"memory":"1Gi"},"networkTopology":{"highestTierAllowed":1},"subGroupPolicy":[{"name":"a"}],
			"laterField":{"x":1}}}`)))
		for _, want := range []struct {
			value any
			path  []any
		}{{"default", []any{"spec", "queue"}}, {"hard", []any{"spec", "networkTopology", "mode"}}, {1.0, []any{"spec", "subGroupPolicy", 0, "subGroupSize"}},
			{0.0, []any{"spec", "subGroupPolicy", 0, "minSubGroups"}}, {1.0, []any{"spec", "laterField", "x"}}, {1.0, []any{"spec", "minResources", "cpu"}}} {
			if got := at(t, created, want.path...); got != want.value {
				t.Errorf("%v is %v", want.path, got)
			}
		}
	})
	t.Run("Queue has a status subresource", func(t *testing.T) {
		if err := load.Queue(ctx, api, "research", map[string]any{"parent": "root", "capability": map[string]any{"cpu": 4}}); err != nil {
			t.Fatal(err)
		}
		// The resource itself keeps the status, the subresource keeps the spec.
		must(t)(api.Merge(ctx, queues+"/research", []byte(`{"spec":{"weight":7},"status":{"state":"Closed"}}`)))
		queue := must(t)(api.Merge(ctx, queues+"/research/status", []byte(`{"spec":{"weight":9},"status":{"allocated":{"cpu":"2"}}}`)))
		if at(t, queue, "spec", "weight") != 7.0 || at(t, queue, "status", "state") != "Open" || at(t, queue, "status", "allocated", "cpu") != "2" ||
			at(t, queue, "spec", "dequeueStrategy") != "traverse" {
			t.Errorf("%s", queue)
		}
		for _, spec := range []string{`{"weight":0}`, `{"parent":"No Name"}`, `{"capability":{"cpu":"much"}}`} {
			if _, err := api.Merge(ctx, queues+"/research", fmt.Appendf(nil, `{"spec":%s}`, spec)); !apierrors.IsInvalid(err) {
				t.Error(spec, err)
			}
		}
	})
	t.Run("HyperNode selectors", func(t *testing.T) {
		node := func(name, kind, selector string) error {
			_, err := api.Create(ctx, hyperNode, fmt.Appendf(nil, `{"apiVersion":"topology.volcano.sh/v1alpha1","kind":"HyperNode","metadata":{"name":%q},
				"spec":{"tier":1,"members":[{"type":%q,"selector":%s}]}}`, name, kind, selector))
			return err
		}
		for kind, selectors := range map[string][]string{
			"Node":      {`{"exactMatch":{"name":"n1"}}`, `{"regexMatch":{"pattern":"n.*"}}`, `{"labelMatch":{"matchLabels":{"rack":"1"}}}`},
			"HyperNode": {`{"exactMatch":{"name":"h1"}}`}} {
			for i, selector := range selectors {
				if err := node(fmt.Sprintf("%c-%d", kind[0]|0x20, i), kind, selector); err != nil {
					t.Error(err)
				}
			}
		}
		for kind, selector := range map[string]string{"Node": `{"exactMatch":{"name":"n1"},"regexMatch":{"pattern":"n"}}`, "HyperNode": `{"labelMatch":{}}`,
			"Rack": `{"exactMatch":{"name":"n1"}}`} {
			if err := node("wrong", kind, selector); !apierrors.IsInvalid(err) {
				t.Error(kind, selector, err)
			}
		}
		if _, err := api.Merge(ctx, hyperNode+"/n-0/status", []byte(`{"status":{"nodeCount":3}}`)); err != nil {
			t.Error(err)
		}
	})
	t.Run("Numatopology has no status, NodeShard has one", func(t *testing.T) {
		numa := "/apis/nodeinfo.volcano.sh/v1alpha1/numatopologies"
		must(t)(api.Create(ctx, numa, []byte(`{"apiVersion":"nodeinfo.volcano.sh/v1alpha1","kind":"Numatopology","metadata":{"name":"kwok-node-0"},
			"spec":{"policies":{"TopologyManagerPolicy":"best-effort"},"numares":{"cpu":{"allocatable":"0-3","capacity":4}},
			"cpuDetail":{"0":{"numa":0,"socket":0,"core":0}},"resReserved":{"cpu":"1"}}}`)))
		if _, err := api.Merge(ctx, numa+"/kwok-node-0/status", []byte(`{"status":{}}`)); !apierrors.IsNotFound(err) {
			t.Error(err)
		}
		if err := api.Delete(ctx, numa+"/kwok-node-0", nil); err != nil {
			t.Error(err)
		}
		shards := "/apis/shard.volcano.sh/v1alpha1/nodeshards"
		must(t)(api.Create(ctx, shards, []byte(`{"apiVersion":"shard.volcano.sh/v1alpha1","kind":"NodeShard","metadata":{"name":"volcano"},
			"spec":{"nodesDesired":["kwok-node-0"]}}`)))
		shard := must(t)(api.Merge(ctx, shards+"/volcano/status", []byte(`{"status":{"nodesInUse":["kwok-node-0"]}}`)))
		if at(t, shard, "status", "nodesInUse", 0) != "kwok-node-0" {
			t.Errorf("%s", shard)
		}
	})
}
