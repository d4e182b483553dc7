package live

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestAGangIsBoundWholeAndItsStatusFollows(t *testing.T) {
	ns := space(t)
	run(t, "--leader-elect=false")
	gang(t, ns, "g", 8, 8, "1", nil)
	eventually(t, "all are bound", func() bool { return len(bound(t, ns, "g")) == 8 })
	eventually(t, "the phase is Running and Scheduled is told", func() bool {
		status := at(get(t, podGroups(ns)+"/g"), "status")
		conditions, _ := at(status, "conditions").([]any)
		return at(status, "phase") == "Running" && len(conditions) == 1 && at(conditions[0], "type") == "Scheduled" && at(conditions[0], "status") == "True"
	})
	eventually(t, "every pod has its event", func() bool {
		n := 0
		for _, e := range items(t, "/api/v1/namespaces/"+ns+"/events") {
			if at(e, "reason") == "Scheduled" && at(e, "source", "component") == "volcano" {
				n++
			}
		}
		return n == 8
	})
	eventually(t, "the queue says what it holds", func() bool {
		return at(get(t, "/apis/scheduling.volcano.sh/v1beta1/queues/default"), "status", "allocated", "cpu") == "8"
	})
}

func TestAGangThatDoesNotFitWaitsWholeIsToldAndGoesWhenThereIsRoom(t *testing.T) {
	ns := space(t)
	run(t, "--leader-elect=false")
	// 20 nodes of 32 CPUs: of pods that need 20, one fits each.
	gang(t, ns, "g", nodes+1, nodes+1, "20", nil)
	eventually(t, "a pod is told", func() bool {
		conditions, _ := at(get(t, "/api/v1/namespaces/"+ns+"/pods/g-w-0"), "status", "conditions").([]any)
		return len(conditions) > 0 && at(conditions[0], "type") == "PodScheduled" && at(conditions[0], "status") == "False"
	})
	eventually(t, "the group is told", func() bool {
		conditions, _ := at(get(t, podGroups(ns)+"/g"), "status", "conditions").([]any)
		return len(conditions) == 1 && at(conditions[0], "reason") == "NotEnoughResources"
	})
	if n := len(bound(t, ns, "g")); n != 0 {
		t.Fatalf("%d pods of a gang that does not fit are bound", n)
	}
	if err := cluster.API.Delete(context.Background(), "/api/v1/namespaces/"+ns+"/pods/g-w-0", []byte(`{"gracePeriodSeconds":0}`)); err != nil {
		t.Fatal(err)
	}
	if _, err := cluster.API.Merge(context.Background(), podGroups(ns)+"/g", fmt.Appendf(nil, `{"spec":{"minMember":%d}}`, nodes)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the smaller gang is bound", func() bool { return len(bound(t, ns, "g")) == nodes })
}

// Volcano's job controller makes the pods of a job only once its PodGroup is admitted.
func TestAPodGroupWithoutPodsIsAdmitted(t *testing.T) {
	ns := space(t)
	run(t, "--leader-elect=false", "--schedule-period=10m") // it does not wait for the period
	group(t, ns, "g", 4, object{"minResources": object{"cpu": "4"}})
	eventually(t, "it is Inqueue", func() bool { return at(get(t, podGroups(ns)+"/g"), "status", "phase") == "Inqueue" })
}

func TestKilledUnderLoadAndStartedAgainItBindsEveryPodOnce(t *testing.T) {
	ns := space(t)
	s := run(t, "--leader-elect=false")
	for i := range 10 {
		gang(t, ns, fmt.Sprintf("g%d", i), 10, 10, "1", nil)
		if i%3 == 2 {
			s.end(syscall.SIGKILL)
			s = run(t, "--leader-elect=false")
		}
	}
	eventually(t, "all are bound", func() bool {
		n := 0
		for i := range 10 {
			n += len(bound(t, ns, fmt.Sprintf("g%d", i)))
		}
		return n == 100
	})
	// A bind of a pod that has a node is refused by the API server: nobody can be bound twice. What can go wrong is a gang that stays in parts.
	for i := range 10 {
		if n := len(bound(t, ns, fmt.Sprintf("g%d", i))); n != 10 {
			t.Errorf("gang %d has %d of 10 pods", i, n)
		}
	}
}

func TestAPodThatGoesWhileItsBindIsInFlightIsForgotten(t *testing.T) {
	ns := space(t)
	run(t, "--leader-elect=false")
	for i := range 30 {
		gang(t, ns, fmt.Sprintf("g%d", i), 1, 1, "1", nil)
		_ = cluster.API.Delete(context.Background(), fmt.Sprintf("/api/v1/namespaces/%s/pods/g%d-w-0", ns, i), []byte(`{"gracePeriodSeconds":0}`))
	}
	gang(t, ns, "after", nodes, nodes, "20", nil) // needs nearly all there is: nothing may be held for the pods that are gone
	eventually(t, "the next gang is bound", func() bool { return len(bound(t, ns, "after")) == nodes })
}

func TestOnlyTheLeaderActsAndTheOtherTakesOver(t *testing.T) {
	ns := space(t)
	flags := []string{"--leader-elect-lease-duration=8s", "--leader-elect-renew-deadline=6s", "--leader-elect-retry-period=500ms"}
	first := run(t, flags...)
	eventually(t, "the first leads", func() bool { return first.said("leading as") })
	second := run(t, flags...)
	gang(t, ns, "a", 4, 4, "1", nil)
	eventually(t, "bound by the first", func() bool { return len(bound(t, ns, "a")) == 4 })
	if second.said("pods placed") {
		t.Error("the standby has placed pods")
	}
	first.end(syscall.SIGKILL)
	gang(t, ns, "b", 4, 4, "1", nil)
	eventually(t, "bound by the second", func() bool { return len(bound(t, ns, "b")) == 4 })
	if err := second.end(syscall.SIGTERM); err != nil {
		t.Errorf("ended by SIGTERM: %v", err)
	}
	lease := get(t, "/apis/coordination.k8s.io/v1/namespaces/volcano-system/leases/volcano")
	if holder := at(lease, "spec", "holderIdentity"); holder != "" && holder != nil {
		t.Errorf("the lease is still held by %v", holder)
	}
}

func TestTheConfigurationIsTakenAgainAndABadOneIsNot(t *testing.T) {
	conf := filepath.Join(t.TempDir(), "volcano-scheduler.conf")
	write := func(text string) {
		if err := os.WriteFile(conf, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const good = "actions: \"enqueue, allocate, backfill\"\ntiers:\n- plugins: [{name: gang}, {name: predicates}]\n"
	write(good)
	ns := space(t)
	s := run(t, "--leader-elect=false", "--scheduler-conf", conf)
	time.Sleep(time.Second)
	write("actions: \"dance\"\n")
	eventually(t, "the bad one is refused", func() bool { return s.said("refused, the one in force stays") })
	gang(t, ns, "g", 2, 2, "1", nil)
	eventually(t, "scheduling goes on", func() bool { return len(bound(t, ns, "g")) == 2 })
	write(good + "  \n")
	eventually(t, "the next good one is taken", func() bool { return s.said("scheduler configuration taken") })
}

func TestFlagsOfVolcanoHealthAndMetrics(t *testing.T) {
	ns := space(t)
	s := run(t, "--leader-elect=false", "--percentage-nodes-to-find=10", "--node-worker-threads=20", "--cache-dumper", "--logtostderr", "--scheduler-name=volcano", "--enable-healthz=true",
		"--healthz-address=127.0.0.1:21251", "--enable-metrics=true", "--listen-address=127.0.0.1:28080", "--kube-api-qps=1000", "--kube-api-burst=1000", "--priority-class=true")
	gang(t, ns, "g", 1, 1, "1", nil)
	eventually(t, "bound", func() bool { return len(bound(t, ns, "g")) == 1 })
	for _, url := range []string{"http://127.0.0.1:21251/healthz", "http://127.0.0.1:21251/readyz", "http://127.0.0.1:28080/metrics"} {
		answer, err := http.Get(url)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %v %v", url, answer, err)
		}
	}
	if !s.said("--percentage-nodes-to-find") {
		t.Error("a flag without effect is not told")
	}
}

// Live decides as offline does on a dump of the same objects.
func TestLiveEqualsOffline(t *testing.T) {
	ns := space(t)
	gang(t, ns, "a", 30, 30, "3", nil)
	gang(t, ns, "b", 25, 20, "7", nil)
	gang(t, ns, "c", 10, 10, "30", nil)
	var all []any
	for _, list := range []struct{ path, kind, version string }{{"/api/v1/nodes", "Node", "v1"}, {"/api/v1/pods", "Pod", "v1"},
		{"/apis/scheduling.volcano.sh/v1beta1/podgroups", "PodGroup", "scheduling.volcano.sh/v1beta1"}, {"/apis/scheduling.volcano.sh/v1beta1/queues", "Queue", "scheduling.volcano.sh/v1beta1"}} {
		for _, item := range items(t, list.path) {
			item.(object)["kind"], item.(object)["apiVersion"] = list.kind, list.version
			all = append(all, item)
		}
	}
	dump, err := json.Marshal(object{"apiVersion": "v1", "kind": "List", "items": all})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "dump.json")
	if err := os.WriteFile(file, dump, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(filepath.Join(*bin, "basalt"), "schedule", "-f", file, "-o", "json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var plan struct {
		Cycles []struct{ Binds map[string]string }
	}
	if err := json.Unmarshal(out, &plan); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for pod, node := range plan.Cycles[0].Binds {
		if len(node) > 0 && node[len(node)-1] != ')' {
			want[pod] = node
		}
	}
	if len(want) < 30 {
		t.Fatalf("offline places only %d pods", len(want))
	}
	run(t, "--leader-elect=false")
	eventually(t, "as many are bound", func() bool {
		return len(bound(t, ns, "a"))+len(bound(t, ns, "b"))+len(bound(t, ns, "c")) >= len(want)
	})
	got := map[string]string{}
	for _, g := range []string{"a", "b", "c"} {
		for pod, node := range bound(t, ns, g) {
			got[ns+"/"+pod] = node
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("live %v\noffline %v", got, want)
	}
}
