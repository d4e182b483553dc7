package live

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// conf writes a scheduler configuration.
func conf(t *testing.T, actions, plugins string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "volcano-scheduler.conf")
	text := fmt.Sprintf("actions: %q\ntiers:\n- plugins: [{name: priority}, {name: gang}, {name: conformance}]\n- plugins: [%s, {name: predicates}, {name: nodeorder}]\n", actions, plugins)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func make1(t *testing.T, path string, o object) {
	t.Helper()
	if err := create(path, o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cluster.API.Delete(t.Context(), path+"/"+o["metadata"].(object)["name"].(string), nil) })
}

func queue(t *testing.T, name string, spec object) {
	t.Helper()
	const path = "/apis/scheduling.volcano.sh/v1beta1/queues"
	make1(t, path, object{"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue", "metadata": object{"name": name}, "spec": spec})
}

func priority(t *testing.T, name string, value int) {
	t.Helper()
	make1(t, "/apis/scheduling.k8s.io/v1/priorityclasses", object{"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": object{"name": name}, "value": value})
}

// reasons counts the events of a namespace about objects of a kind by their reason.
func reasons(t *testing.T, ns, kind, reason string) int {
	t.Helper()
	n := 0
	for _, e := range items(t, "/api/v1/namespaces/"+ns+"/events") {
		if at(e, "reason") == reason && at(e, "involvedObject", "kind") == kind {
			n++
		}
	}
	return n
}

// An elastic job fills the cluster; a gang of higher priority takes the room of as many workers as it needs, and no more.
func TestAnImportantGangDisplacesElasticWorkers(t *testing.T) {
	for _, action := range []string{"preempt", "gangpreempt"} {
		t.Run(action, func(t *testing.T) {
			ns := space(t)
			high := "high-" + action
			priority(t, high, 1000)
			run(t, "--leader-elect=false", "--scheduler-conf", conf(t, "enqueue, allocate, backfill, "+action, "{name: drf}"))
			gang(t, ns, "elastic", nodes, 2, "30", nil) // one fills a node of 32 CPUs
			eventually(t, "the cluster is full", func() bool { return len(bound(t, ns, "elastic")) == nodes })
			gang(t, ns, "gang", 5, 5, "30", object{"priorityClassName": high})
			eventually(t, "the gang is bound", func() bool { return len(bound(t, ns, "gang")) == 5 })
			if n := len(bound(t, ns, "elastic")); n != nodes-5 {
				t.Errorf("%d elastic workers are left, of %d", n, nodes)
			}
			eventually(t, "the victims have their events", func() bool { return reasons(t, ns, "Pod", "Evict") == 5 })
			eventually(t, "their group has its own", func() bool { return reasons(t, ns, "PodGroup", "Evict") > 0 })
			time.Sleep(2 * time.Second) // several cycles: what is satisfied evicts nobody
			if n := len(bound(t, ns, "elastic")); n != nodes-5 {
				t.Errorf("later only %d elastic workers are left", n)
			}
		})
	}
}

func TestNobodyIsEvictedForAGangThatDoesNotFit(t *testing.T) {
	ns := space(t)
	priority(t, "high-nofit", 1000)
	run(t, "--leader-elect=false", "--scheduler-conf", conf(t, "enqueue, allocate, backfill, preempt", "{name: drf}"))
	gang(t, ns, "elastic", nodes, 2, "30", nil)
	eventually(t, "the cluster is full", func() bool { return len(bound(t, ns, "elastic")) == nodes })
	gang(t, ns, "gang", nodes, nodes, "30", object{"priorityClassName": "high-nofit"}) // two nodes of the elastic job are not to be had
	eventually(t, "the gang is told", func() bool {
		conditions, _ := at(get(t, podGroups(ns)+"/gang"), "status", "conditions").([]any)
		return len(conditions) > 0
	})
	time.Sleep(2 * time.Second)
	if n := len(bound(t, ns, "elastic")); n != nodes || len(bound(t, ns, "gang")) != 0 {
		t.Errorf("%d elastic workers are left, of %d", n, nodes)
	}
}

// A queue lends what it does not need, and gets it back.
func TestAQueueBorrowsAndTheOtherReclaims(t *testing.T) {
	for _, c := range []struct{ name, plugin string }{{"capacity", "{name: capacity}"}, {"tree", "{name: capacity, enableHierarchy: true}"}, {"proportion", "{name: proportion}"}} {
		t.Run(c.name, func(t *testing.T) {
			ns := space(t)
			a, b := c.name+"-a", c.name+"-b"
			specA, specB := object{"weight": 1, "reclaimable": true, "deserved": object{"cpu": "320", "memory": "10Ti"}}, object{"weight": 1, "reclaimable": true, "deserved": object{"cpu": "320", "memory": "10Ti"}}
			if c.name == "tree" {
				queue(t, c.name+"-parent", object{"deserved": object{"cpu": "640", "memory": "20Ti"}, "reclaimable": true})
				specA["parent"], specB["parent"] = c.name+"-parent", c.name+"-parent"
			}
			queue(t, a, specA)
			queue(t, b, specB)
			run(t, "--leader-elect=false", "--scheduler-conf", conf(t, "enqueue, allocate, backfill, reclaim", c.plugin))
			gang(t, ns, "borrows", nodes, 1, "30", object{"queue": a})
			eventually(t, "a borrows the whole cluster", func() bool { return len(bound(t, ns, "borrows")) == nodes })
			gang(t, ns, "owner", 4, 4, "30", object{"queue": b})
			eventually(t, "b has its own back", func() bool { return len(bound(t, ns, "owner")) == 4 })
			time.Sleep(2 * time.Second)
			if n := len(bound(t, ns, "borrows")); n != nodes-4 {
				t.Errorf("%d pods of the borrower are left, of %d", n, nodes)
			}
		})
	}
}

// Every write may fail, before or after it took effect.
func TestEvictionsUnderFaults(t *testing.T) {
	f := newFaults(11, 100)
	ns := space(t)
	priority(t, "high-faults", 1000)
	startWith(t, kubeconfigThrough(t, f), "--leader-elect=false", "--schedule-period=200ms", "--scheduler-conf", conf(t, "enqueue, allocate, backfill, preempt", "{name: drf}"))
	gang(t, ns, "elastic", nodes, 2, "30", nil)
	eventually(t, "the cluster is full", func() bool { return len(bound(t, ns, "elastic")) == nodes })
	gang(t, ns, "gang", 10, 10, "30", object{"priorityClassName": "high-faults"})
	eventually(t, "the gang is bound", func() bool { return len(bound(t, ns, "gang")) == 10 })
	if n := len(bound(t, ns, "elastic")); n != nodes-10 {
		t.Errorf("%d elastic workers are left, of %d", n, nodes)
	}
}
