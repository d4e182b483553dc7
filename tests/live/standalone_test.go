package live

import (
	"fmt"
	"testing"
)

// one makes a pod that names no PodGroup; more is merged into its metadata.
func lonePod(t *testing.T, namespace, name string, more object) {
	t.Helper()
	meta := object{"name": name}
	for key, value := range more {
		meta[key] = value
	}
	err := create("/api/v1/namespaces/"+namespace+"/pods", object{"metadata": meta, "spec": object{"schedulerName": "volcano", "containers": []object{{"name": "c", "image": "none",
		"resources": object{"requests": object{"cpu": "1500m"}}}}}})
	if err != nil {
		t.Fatal(err)
	}
}

func TestStandaloneGivesPodsTheirGroupsAndQueuesTheirState(t *testing.T) {
	applyRoles(t, "rbac.yaml", func(text string) string { return text })
	applyRoles(t, "rbac-standalone.yaml", func(text string) string { return text })
	ns := space(t)
	queue := "standalone"
	if err := create("/apis/scheduling.volcano.sh/v1beta1/queues", object{"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue", "metadata": object{"name": queue}, "spec": object{"weight": 1}}); err != nil {
		t.Fatal(err)
	}
	selector := object{"matchLabels": object{"app": "a"}}
	owner := object{"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": object{"name": "owner", "annotations": object{"scheduling.volcano.sh/group-min-member": "2", "volcano.sh/sla-waiting-time": "1h"}},
		"spec": object{"replicas": 0, "selector": selector, "template": object{"metadata": object{"labels": object{"app": "a"}}, "spec": object{"containers": []object{{"name": "c", "image": "none"}}}}}}
	if err := create("/apis/apps/v1/namespaces/"+ns+"/replicasets", owner); err != nil {
		t.Fatal(err)
	}
	uid := at(get(t, "/apis/apps/v1/namespaces/"+ns+"/replicasets/owner"), "metadata", "uid")
	of := object{"ownerReferences": []object{{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "owner", "uid": uid, "controller": true}}}
	lonePod(t, ns, "bare-0", object{"annotations": object{"scheduling.volcano.sh/queue-name": queue}})

	s := startWith(t, cluster.Kubeconfig(serviceAccount), "--leader-elect=false", "--standalone", "--apply-crds")
	eventually(t, "a pod of its own group is bound", func() bool { return len(bound(t, ns, "bare")) == 1 })
	lonePod(t, ns, "owned-0", of)
	group := fmt.Sprintf("podgroup-%v", uid)
	eventually(t, "the first of an owner has its group", func() bool {
		return at(get(t, "/api/v1/namespaces/"+ns+"/pods/owned-0"), "metadata", "annotations", "scheduling.k8s.io/group-name") == group
	})
	if len(bound(t, ns, "owned")) != 0 {
		t.Error("one pod of a gang of two is bound")
	}
	lonePod(t, ns, "owned-1", of)
	eventually(t, "both of the owner are bound", func() bool { return len(bound(t, ns, "owned")) == 2 })

	made := get(t, podGroups(ns)+"/"+group)
	if at(made, "spec", "minMember") != float64(2) || at(made, "spec", "minResources", "cpu") != "3" || at(made, "metadata", "annotations", "volcano.sh/sla-waiting-time") != "1h" {
		t.Errorf("the owner's group: %v", made)
	}
	references, _ := at(made, "metadata", "ownerReferences").([]any)
	if len(references) != 1 || at(references[0], "uid") != uid {
		t.Errorf("its owners: %v", references)
	}
	bare := get(t, "/api/v1/namespaces/"+ns+"/pods/bare-0")
	own := get(t, fmt.Sprintf("%s/podgroup-%v", podGroups(ns), at(bare, "metadata", "uid")))
	if at(own, "spec", "queue") != queue || at(own, "spec", "minMember") != float64(1) {
		t.Errorf("the bare pod's group: %v", own)
	}
	eventually(t, "the queue is Open", func() bool {
		return at(get(t, "/apis/scheduling.volcano.sh/v1beta1/queues/"+queue), "status", "state") == "Open"
	})
	if s.said("forbidden") {
		t.Error("something was forbidden")
	}
}

// Without --standalone nobody makes groups: that is the business of Volcano's controllers, which would find them in their way.
func TestWithoutStandaloneNoGroupIsMade(t *testing.T) {
	ns := space(t)
	run(t, "--leader-elect=false")
	lonePod(t, ns, "bare-0", nil)
	gang(t, ns, "g", 2, 2, "1", nil)
	eventually(t, "others are bound", func() bool { return len(bound(t, ns, "g")) == 2 })
	if n := len(items(t, podGroups(ns))); n != 1 || len(bound(t, ns, "bare")) != 0 {
		t.Errorf("%d groups, %v", n, bound(t, ns, "bare"))
	}
}
