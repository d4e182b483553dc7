// Package golden creates recorded clusters in an API server and lets basalt-scheduler loose on them: live binds what `basalt schedule` says of a dump taken
// before, and, where the outcome does not hang on what the API server gave (uids, times), what Volcano was recorded to bind.
package golden

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"basalt.dev/basalt/tests/testbed"
)

var (
	bin = flag.String("bin", "../../../build/release/bin", "folder of basalt and basalt-scheduler")
	// The other live tests run against the newest: here an API server one minor version older is covered.
	kubernetes = flag.String("kubernetes", "1.35", "minor version of the API server")
	every      = flag.Bool("every", false, "all cases of the families, not the first forty")
)

// families of recorded clusters whose decisions are binds alone; the number is how many of each make the forty.
var families = []struct {
	name string
	take int
}{{"scores", 6}, {"gang", 8}, {"mixed", 8}, {"proportion", 6}, {"drf", 6}, {"backfillprio", 6}}

type object = map[string]any

// paths of kinds; %s is the namespace.
var paths = []struct{ kind, version, all, one string }{
	{"PriorityClass", "scheduling.k8s.io/v1", "/apis/scheduling.k8s.io/v1/priorityclasses", ""},
	{"Queue", "scheduling.volcano.sh/v1beta1", "/apis/scheduling.volcano.sh/v1beta1/queues", ""},
	{"Node", "v1", "/api/v1/nodes", ""},
	{"PodGroup", "scheduling.volcano.sh/v1beta1", "/apis/scheduling.volcano.sh/v1beta1/podgroups", "/apis/scheduling.volcano.sh/v1beta1/namespaces/%s/podgroups"},
	{"Pod", "v1", "/api/v1/pods", "/api/v1/namespaces/%s/pods"},
}

func at(o any, path ...string) any {
	for _, key := range path {
		m, _ := o.(object)
		o = m[key]
	}
	return o
}

func name(o object) string      { s, _ := at(o, "metadata", "name").(string); return s }
func namespace(o object) string { s, _ := at(o, "metadata", "namespace").(string); return s }

func read(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// parallel calls f for every object, eight at a time; order within a kind does not matter to a scheduler.
func parallel(objects []object, f func(object) error) error {
	work, errs := make(chan object), make(chan error, len(objects))
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for o := range work {
				if err := f(o); err != nil {
					errs <- err
				}
			}
		})
	}
	for _, o := range objects {
		work <- o
	}
	close(work)
	wait.Wait()
	close(errs)
	return <-errs
}

// A stage is an API server that clusters come and go in.
type stage struct {
	cluster    *testbed.Cluster
	namespaces map[string]bool
}

func (s *stage) create(collection string, o object) error {
	body, err := json.Marshal(o)
	if err != nil {
		return err
	}
	ctx := context.Background()
	if _, err := s.cluster.API.Create(ctx, collection, body); err != nil {
		return fmt.Errorf("create %v %s: %w", o["kind"], name(o), err)
	}
	if o["status"] == nil || o["kind"] == "PodGroup" { // a PodGroup has no status of its own: it came with it
		return nil
	}
	patch, err := json.Marshal(object{"status": o["status"]})
	if err == nil {
		_, err = s.cluster.API.Merge(ctx, collection+"/"+name(o)+"/status", patch)
	}
	return err
}

// fill creates the objects of a recorded cluster; what the API server gives itself is left out.
func (s *stage) fill(items []object) error {
	byKind := map[string][]object{}
	priorities := map[float64]string{}
	for _, o := range items {
		if o["kind"] == "PriorityClass" {
			if v, ok := o["value"].(float64); ok {
				priorities[v] = name(o)
			}
		}
	}
	for _, o := range items {
		meta, _ := o["metadata"].(object)
		for _, key := range []string{"uid", "creationTimestamp", "resourceVersion"} {
			delete(meta, key)
		}
		if spec, ok := o["spec"].(object); ok && o["kind"] == "Pod" {
			// Admission works priorities out from classes and refuses any other number.
			if v, ok := spec["priority"].(float64); ok && spec["priorityClassName"] == nil && v != 0 {
				if priorities[v] == "" {
					priorities[v] = fmt.Sprintf("value-%d", int(v))
					byKind["PriorityClass"] = append(byKind["PriorityClass"], object{"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": object{"name": priorities[v]}, "value": v})
				}
				spec["priorityClassName"] = priorities[v]
			}
			delete(spec, "priority")
		}
		kind, _ := o["kind"].(string)
		byKind[kind] = append(byKind[kind], o)
		if ns := namespace(o); ns != "" && !s.namespaces[ns] && kind != "ConfigMap" {
			if err := s.create("/api/v1/namespaces", object{"kind": "Namespace", "metadata": object{"name": ns}}); err != nil {
				return err
			}
			s.namespaces[ns] = true
		}
	}
	for _, p := range paths {
		err := parallel(byKind[p.kind], func(o object) error {
			if p.one != "" {
				return s.create(fmt.Sprintf(p.one, namespace(o)), o)
			}
			return s.create(p.all, o)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *stage) list(kind string) (items []object, err error) {
	for _, p := range paths {
		if p.kind != kind {
			continue
		}
		raw, err := s.cluster.API.List(context.Background(), p.all)
		if err != nil {
			return nil, err
		}
		for _, r := range raw {
			var o object
			if err := json.Unmarshal(r, &o); err != nil {
				return nil, err
			}
			o["kind"], o["apiVersion"] = p.kind, p.version
			items = append(items, o)
		}
	}
	return items, nil
}

// empty removes what a case has left.
func (s *stage) empty() error {
	for i := len(paths) - 1; i >= 0; i-- {
		p := paths[i]
		left, err := s.list(p.kind)
		if err != nil {
			return err
		}
		err = parallel(left, func(o object) error {
			if strings.HasPrefix(name(o), "system-") {
				return nil
			}
			path := p.all
			if p.one != "" {
				path = fmt.Sprintf(p.one, namespace(o))
			}
			return s.cluster.API.Delete(context.Background(), path+"/"+name(o), []byte(`{"gracePeriodSeconds":0}`))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *stage) dump(path string) error {
	var all []object
	for _, p := range paths {
		items, err := s.list(p.kind)
		if err != nil {
			return err
		}
		all = append(all, items...)
	}
	body, err := json.Marshal(object{"apiVersion": "v1", "kind": "List", "items": all})
	if err != nil {
		return err
	}
	return os.WriteFile(path, body, 0o644)
}

// placed maps the pods that got a node since the case began.
func (s *stage) placed(before map[string]bool) (map[string]string, error) {
	pods, err := s.list("Pod")
	nodes := map[string]string{}
	for _, p := range pods {
		key := namespace(p) + "/" + name(p)
		if node, ok := at(p, "spec", "nodeName").(string); ok && !before[key] {
			nodes[key] = node
		}
	}
	return nodes, err
}

// offline is the union of what `basalt schedule` binds in some cycles, and what it binds in the first.
func offline(t *testing.T, dump, conf string, cycles int) (all, first map[string]string) {
	t.Helper()
	arguments := []string{"schedule", "-f", dump, "--cycles", fmt.Sprint(cycles), "-o", "json"}
	if conf != "" {
		arguments = append(arguments, "--config", conf)
	}
	command := exec.Command(filepath.Join(*bin, "basalt"), arguments...)
	var told bytes.Buffer
	command.Stderr = &told
	out, err := command.Output()
	if err != nil {
		t.Fatalf("offline: %v\n%s", err, told.Bytes())
	}
	var plan struct {
		Cycles []struct{ Binds map[string]string }
	}
	if err := json.Unmarshal(out, &plan); err != nil {
		t.Fatal(err)
	}
	all = map[string]string{}
	for i, cycle := range plan.Cycles {
		maps.DeleteFunc(cycle.Binds, func(_, node string) bool { return strings.HasSuffix(node, ")") }) // held: no bind is sent
		if i == 0 {
			first = cycle.Binds
		}
		maps.Copy(all, cycle.Binds)
	}
	return all, first
}

func TestLiveEqualsOfflineAndTheRecord(t *testing.T) {
	cluster, err := testbed.Start(context.Background(), testbed.Options{Progress: os.Stderr, Kubernetes: *kubernetes})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Stop(); err != nil {
			t.Error(err)
		}
	})
	s := &stage{cluster: cluster, namespaces: map[string]bool{"default": true, "kube-system": true}}
	cases, recorded := 0, 0
	for _, family := range families {
		folders, err := filepath.Glob("../../golden/" + family.name + "-*")
		if err != nil || len(folders) == 0 {
			t.Fatalf("no cases of %s: %v", family.name, err)
		}
		taken := 0
		for _, folder := range folders {
			if taken == family.take && !*every {
				break
			}
			var input struct{ Items []object }
			read(t, folder+"/cluster.json", &input)
			if equal, ran := s.run(t, folder, input.Items); ran {
				taken++
				cases++
				if equal {
					recorded++
				}
			}
		}
	}
	t.Logf("%d clusters live as offline, %d of them as recorded", cases, recorded)
	if cases < 40 || recorded < 3 { // most records hang on who was created first, by seconds
		t.Errorf("only %d clusters, %d as recorded: too few to say anything", cases, recorded)
	}
}

// run plays one case; ran: it binds something, so that there is something to compare; equal: the record was reached, too.
func (s *stage) run(t *testing.T, folder string, items []object) (equal, ran bool) {
	if err := s.empty(); err != nil {
		t.Fatal(err)
	}
	conf := "" // the built-in configuration
	before := map[string]bool{}
	for _, o := range items {
		if text, ok := at(o, "data", "volcano-scheduler.conf").(string); ok {
			conf = filepath.Join(t.TempDir(), "volcano-scheduler.conf")
			if err := os.WriteFile(conf, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if o["kind"] == "Pod" && at(o, "spec", "nodeName") != nil {
			before[namespace(o)+"/"+name(o)] = true
		}
	}
	if err := s.fill(items); err != nil {
		t.Fatalf("%s: %v", folder, err)
	}
	dump := filepath.Join(t.TempDir(), "dump.json")
	if err := s.dump(dump); err != nil {
		t.Fatal(err)
	}
	want, first := offline(t, dump, conf, 6)
	if len(want) == 0 {
		return false, false
	}
	got := s.live(t, conf, before, len(want))
	if !maps.Equal(got, want) {
		t.Errorf("%s: live and offline differ\nlive    %v\noffline %v", filepath.Base(folder), got, want)
	}
	var record struct {
		Cycles []struct{ Binds map[string]string }
	}
	read(t, folder+"/expected.json", &record)
	recorded := record.Cycles[0].Binds
	maps.DeleteFunc(recorded, func(_, node string) bool { return strings.HasSuffix(node, ")") })
	if !maps.Equal(first, recorded) {
		return false, true // hangs on uids or times
	}
	for pod, node := range recorded {
		if got[pod] != node {
			t.Errorf("%s: recorded %s on %s, live on %q", filepath.Base(folder), pod, node, got[pod])
		}
	}
	return true, true
}

// live runs basalt-scheduler until `enough` pods are bound and a moment longer, in which nothing more may come.
func (s *stage) live(t *testing.T, conf string, before map[string]bool, enough int) map[string]string {
	t.Helper()
	var log bytes.Buffer
	arguments := []string{"--kubeconfig", s.cluster.Kubeconfig(testbed.Admin), "--leader-elect=false"}
	if conf != "" {
		arguments = append(arguments, "--scheduler-conf", conf)
	}
	command := exec.Command(filepath.Join(*bin, "basalt-scheduler"), arguments...)
	command.Stdout, command.Stderr = &log, &log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		_ = command.Wait()
		if t.Failed() {
			t.Logf("the scheduler's log:\n%s", log.Bytes())
		}
	}()
	var got map[string]string
	var quiet time.Time
	for until := time.Now().Add(30 * time.Second); time.Now().Before(until); time.Sleep(30 * time.Millisecond) {
		now, err := s.placed(before)
		if err != nil {
			t.Fatal(err)
		}
		if len(now) != len(got) || quiet.IsZero() {
			quiet = time.Now()
		}
		if got = now; len(got) >= enough && time.Since(quiet) > 400*time.Millisecond {
			break
		}
	}
	return got
}
