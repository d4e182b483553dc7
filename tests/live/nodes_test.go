package live

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const shardsPath = "/apis/shard.volcano.sh/v1alpha1/nodeshards"

func nodeNames(t *testing.T) []string {
	var names []string
	for _, node := range items(t, "/api/v1/nodes") {
		names = append(names, at(node, "metadata", "name").(string))
	}
	return names
}

func TestOnlyNodesOfTheSelectorAreUsed(t *testing.T) {
	ns := space(t)
	names := nodeNames(t)
	for i, value := range []string{"a", "b"} {
		if _, err := cluster.API.Merge(context.Background(), "/api/v1/nodes/"+names[i], fmt.Appendf(nil, `{"metadata":{"labels":{"basalt-test":%q}}}`, value)); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_, _ = cluster.API.Merge(context.Background(), "/api/v1/nodes/"+names[i], []byte(`{"metadata":{"labels":{"basalt-test":null}}}`))
		})
	}
	s := run(t, "--leader-elect=false", "--node-selector=basalt-test:a,nonsense", "--node-selector=basalt-test:b")
	gang(t, ns, "g", 2, 2, "20", nil)
	gang(t, ns, "more", 1, 1, "20", nil)
	eventually(t, "bound", func() bool { return len(bound(t, ns, "g"))+len(bound(t, ns, "more")) >= 2 })
	for pod, node := range bound(t, ns, "g") {
		if node != names[0] && node != names[1] {
			t.Errorf("%s is on %s", pod, node)
		}
	}
	eventually(t, "the third has no place", func() bool {
		conditions, _ := at(get(t, "/api/v1/namespaces/"+ns+"/pods/more-w-0"), "status", "conditions").([]any)
		return len(conditions) > 0 && strings.Contains(at(conditions[0], "message").(string), "0/2 nodes")
	})
	if !s.said("nonsense") {
		t.Error("a malformed pair is not told")
	}
}

func TestAHardShardIsKeptAndHandedOver(t *testing.T) {
	ns := space(t)
	applyRoles(t, "rbac.yaml", func(text string) string { return text })
	applyRoles(t, "rbac-sharding.yaml", func(text string) string { return text })
	names := nodeNames(t)
	file := filepath.Join(t.TempDir(), "run.rec")
	s := start(t, serviceAccount, "--leader-elect=false", "--scheduler-sharding-mode=hard", "--record", file)
	gang(t, ns, "g", 1, 1, "20", nil)
	eventually(t, "without a shard nothing is placed", func() bool {
		conditions, _ := at(get(t, "/api/v1/namespaces/"+ns+"/pods/g-w-0"), "status", "conditions").([]any)
		return len(conditions) > 0 && strings.Contains(at(conditions[0], "message").(string), "node isn't in scheduler node shard") && s.said("NodeShard volcano")
	})
	shard := func(name, desired, inUse string) {
		if err := create(shardsPath, object{"apiVersion": "shard.volcano.sh/v1alpha1", "kind": "NodeShard", "metadata": object{"name": name}, "spec": object{"nodesDesired": strings.Fields(desired)}}); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cluster.API.Delete(context.Background(), shardsPath+"/"+name, nil) })
		if _, err := cluster.API.Merge(context.Background(), shardsPath+"/"+name+"/status", fmt.Appendf(nil, `{"status":{"nodesInUse":["%s"]}}`, strings.Join(strings.Fields(inUse), `","`))); err != nil {
			t.Fatal(err)
		}
	}
	inUse := func() string { return fmt.Sprint(at(get(t, shardsPath+"/volcano"), "status", "nodesInUse")) }
	shard("other", names[1], names[1])
	shard("volcano", names[0]+" "+names[1], "x")
	eventually(t, "the pod goes to the shard's only free node", func() bool { return bound(t, ns, "g")["g-w-0"] == names[0] })
	eventually(t, "what is in use is told", func() bool { return inUse() == "["+names[0]+"]" })
	gang(t, ns, "next", 1, 1, "20", nil)
	eventually(t, "the next has no place", func() bool {
		conditions, _ := at(get(t, "/api/v1/namespaces/"+ns+"/pods/next-w-0"), "status", "conditions").([]any)
		return len(conditions) > 0
	})
	if _, err := cluster.API.Merge(context.Background(), shardsPath+"/other/status", []byte(`{"status":{"nodesInUse":[]}}`)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "once the other gives its node up, it is used", func() bool { return bound(t, ns, "next")["next-w-0"] == names[1] })
	eventually(t, "and told", func() bool { return len(strings.Fields(inUse())) == 2 })
	if err := s.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if s.said("forbidden") {
		t.Error("something was forbidden")
	}
	if out, code := replay(t, file); code != 0 {
		t.Errorf("replay: %d %s", code, out)
	}
}
