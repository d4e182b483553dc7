// Package live tests basalt-scheduler on a real control plane.
package live

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
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

const (
	nodes          = 20
	serviceAccount = "system:serviceaccount:volcano-system:basalt-scheduler"
)

var (
	cluster *testbed.Cluster
	bin     = flag.String("bin", "../../build/release/bin", "folder of basalt and basalt-scheduler")
)

func TestMain(m *testing.M) {
	flag.Parse()
	var err error
	cluster, err = testbed.Start(context.Background(), testbed.Options{Nodes: nodes, Progress: os.Stderr, Users: []testbed.User{{Name: serviceAccount}}})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err = create("/api/v1/namespaces", object{"metadata": object{"name": "volcano-system"}}); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	code := m.Run()
	if err := cluster.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

type object = map[string]any

func create(path string, o object) error {
	body, err := json.Marshal(o)
	if err != nil {
		return err
	}
	_, err = cluster.API.Create(context.Background(), path, body)
	return err
}

func get(t *testing.T, path string) object {
	t.Helper()
	body, err := cluster.API.Get(context.Background(), path)
	if err != nil {
		t.Fatalf("get %s: %v", path, err)
	}
	var o object
	if err := json.Unmarshal(body, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// at walks into an object; nil where the way ends.
func at(o any, path ...string) any {
	for _, key := range path {
		m, ok := o.(object)
		if !ok {
			return nil
		}
		o = m[key]
	}
	return o
}

// space makes a namespace for a test and empties it at its end.
func space(t *testing.T) string {
	t.Helper()
	name := strings.ToLower(strings.NewReplacer("/", "-", "_", "-").Replace(t.Name()))
	if err := create("/api/v1/namespaces", object{"metadata": object{"name": name}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, path := range []string{"/api/v1/namespaces/" + name + "/pods", podGroups(name)} {
			if err := cluster.API.Delete(context.Background(), path, []byte(`{"gracePeriodSeconds":0}`)); err != nil {
				t.Error(err)
			}
		}
		eventually(t, "the namespace is empty", func() bool { return len(items(t, "/api/v1/namespaces/"+name+"/pods")) == 0 })
	})
	return name
}

func items(t *testing.T, path string) []any {
	t.Helper()
	list, _ := get(t, path)["items"].([]any)
	return list
}

func podGroups(namespace string) string {
	return "/apis/scheduling.volcano.sh/v1beta1/namespaces/" + namespace + "/podgroups"
}

// gang makes a PodGroup and its pods; more is merged into the PodGroup's spec.
func gang(t *testing.T, namespace, name string, pods, minMember int, cpu string, more object) {
	t.Helper()
	group(t, namespace, name, minMember, more)
	for i := range pods {
		err := create("/api/v1/namespaces/"+namespace+"/pods", object{"metadata": object{"name": fmt.Sprintf("%s-w-%d", name, i),
			"annotations": object{"scheduling.k8s.io/group-name": name}}, "spec": object{"schedulerName": "volcano", "containers": []object{{"name": "c", "image": "none",
			"resources": object{"requests": object{"cpu": cpu}}}}}})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func group(t *testing.T, namespace, name string, minMember int, more object) {
	t.Helper()
	spec := object{"minMember": minMember, "queue": "default"}
	for key, value := range more {
		spec[key] = value
	}
	if err := create(podGroups(namespace), object{"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "PodGroup", "metadata": object{"name": name}, "spec": spec}); err != nil {
		t.Fatal(err)
	}
}

// bound maps a gang's pods to their nodes, those that have one.
func bound(t *testing.T, namespace, gang string) map[string]string {
	t.Helper()
	nodes := map[string]string{}
	for _, pod := range items(t, "/api/v1/namespaces/"+namespace+"/pods") {
		name, _ := at(pod, "metadata", "name").(string)
		if node, ok := at(pod, "spec", "nodeName").(string); ok && strings.HasPrefix(name, gang+"-") {
			nodes[name] = node
		}
	}
	return nodes
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for until := time.Now().Add(90 * time.Second); time.Now().Before(until); time.Sleep(50 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("never: %s", what)
}

// scheduler is a running basalt-scheduler.
type scheduler struct {
	command *exec.Cmd
	log     *os.File
	once    sync.Once
	err     error
}

// run starts one; it ends with the test.
func run(t *testing.T, flags ...string) *scheduler {
	t.Helper()
	return start(t, testbed.Admin, flags...)
}

// runAs starts one that has only the rights of a user.
func runAs(t *testing.T, user string) *scheduler {
	t.Helper()
	return start(t, user)
}

func start(t *testing.T, user string, flags ...string) *scheduler {
	t.Helper()
	return startWith(t, cluster.Kubeconfig(user), flags...)
}

func startWith(t *testing.T, kubeconfig string, flags ...string) *scheduler {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), "scheduler.log"))
	if err != nil {
		t.Fatal(err)
	}
	s := &scheduler{log: log, command: exec.Command(filepath.Join(*bin, "basalt-scheduler"), append([]string{"--kubeconfig", kubeconfig, "--vmodule=scheduler=2"}, flags...)...)}
	s.command.Stdout, s.command.Stderr = log, log
	if err := s.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.end(syscall.SIGTERM)
		if t.Failed() {
			text, _ := os.ReadFile(log.Name())
			t.Logf("the scheduler's log:\n%s", text)
		}
	})
	return s
}

// end signals it and waits; the error is that of its exit status.
func (s *scheduler) end(signal syscall.Signal) error {
	s.once.Do(func() {
		_ = s.command.Process.Signal(signal)
		s.err = s.command.Wait()
	})
	return s.err
}

func (s *scheduler) said(part string) bool {
	text, _ := os.ReadFile(s.log.Name())
	return strings.Contains(string(text), part)
}
