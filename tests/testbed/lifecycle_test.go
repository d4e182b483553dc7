package testbed_test

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"basalt.dev/basalt/tests/testbed"
	"basalt.dev/basalt/tests/testbed/rawapi"
)

// processesOf finds the processes with the folder in their command lines whose program's name begins with name.
func processesOf(folder, name string) []int {
	var found []int
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		line, err := os.ReadFile(file)
		program, _, _ := strings.Cut(string(line), "\x00")
		if err != nil || !strings.Contains(string(line), folder) || !strings.HasPrefix(filepath.Base(program), name) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			found = append(found, pid)
		}
	}
	return found
}

func leavesNothing(t *testing.T, folder string) {
	t.Helper()
	if found := processesOf(folder, ""); len(found) != 0 {
		t.Error("left behind:", found)
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Error("left behind:", folder)
	}
}

func TestStopLeavesNothing(t *testing.T) {
	cluster := start(t, testbed.Options{Nodes: 1})
	folder := cluster.Folder()
	if n := len(processesOf(folder, "")); n != 3 {
		t.Fatal("processes:", n)
	}
	if err := cluster.Stop(); err != nil {
		t.Fatal(err)
	}
	leavesNothing(t, folder)
	if err := cluster.StartComponent(t.Context(), testbed.KWOK); err == nil {
		t.Error("a component was started after Stop")
	}
}

// command starts the testbed as people do, with its stderr in said, and returns it with its kubeconfig and its folder.
func command(t *testing.T, said *strings.Builder, arguments ...string) (*exec.Cmd, string, string) {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "testbed")
	if output, err := exec.Command("go", "build", "-o", binary, "./cmd/testbed").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	process := exec.Command(binary, arguments...)
	process.Stderr = said
	output, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { process.Process.Kill() })
	kubeconfig, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig = strings.TrimSpace(kubeconfig)
	return process, kubeconfig, filepath.Dir(kubeconfig)
}

func TestInterruptedCommandLeavesNothing(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		process, kubeconfig, folder := command(t, &strings.Builder{}, "-nodes", "2")
		api, err := rawapi.New(kubeconfig)
		if err != nil {
			t.Fatal(err)
		}
		if nodes, err := api.List(t.Context(), "/api/v1/nodes"); err != nil || len(nodes) != 2 {
			t.Error(len(nodes), err)
		}
		process.Process.Signal(signal)
		if err := process.Wait(); err != nil {
			t.Error(signal, err)
		}
		leavesNothing(t, folder)
	}
}

func TestKilledCommandLeavesNoProcessAndTheNextRemovesItsFolder(t *testing.T) {
	process, _, folder := command(t, &strings.Builder{})
	process.Process.Kill()
	process.Wait()
	eventually(t, "its components end", func() bool { return len(processesOf(folder, "")) == 0 })
	other := start(t, testbed.Options{})
	leavesNothing(t, folder)
	third := start(t, testbed.Options{})
	if _, err := os.Stat(other.Folder()); err != nil || other.Folder() == third.Folder() {
		t.Error("the folder of a living testbed was removed:", err)
	}
}

func TestDeadComponentIsReported(t *testing.T) {
	said := &strings.Builder{}
	process, _, folder := command(t, said)
	pids := processesOf(folder, testbed.Etcd)
	if len(pids) != 1 {
		t.Fatal(pids)
	}
	syscall.Kill(pids[0], syscall.SIGKILL)
	if err := process.Wait(); err == nil {
		t.Error("the testbed ended well without etcd")
	}
	says(t, said.String(), "etcd ended by itself (signal: killed)", "the end of its log:\n{")
	leavesNothing(t, folder)
}

// refused starts a testbed that cannot come up and returns why, checking that it was said in time and that nothing is left.
func refused(t *testing.T, options testbed.Options) string {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	begun := time.Now()
	cluster, err := testbed.Start(t.Context(), options)
	if err == nil {
		cluster.Stop()
		t.Fatal("it came up")
	}
	if took := time.Since(begun); took > time.Minute {
		t.Errorf("said after %s", took)
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) != 0 {
		t.Error("left behind:", left)
	}
	if found := processesOf(os.Getenv("TMPDIR"), ""); len(found) != 0 {
		t.Error("left behind:", found)
	}
	return err.Error()
}

func says(t *testing.T, message string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(message, part) {
			t.Errorf("%q is missing in: %s", part, message)
		}
	}
}

func TestTakenPortIsReported(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	port := listener.Addr().(*net.TCPAddr).Port
	says(t, refused(t, testbed.Options{Ports: map[string]int{testbed.APIServer: port}}), strconv.Itoa(port), testbed.APIServer, "address already in use")
	// Taken between the choice and the start: the component itself finds out.
	args := map[string][]string{testbed.APIServer: {"--secure-port=" + strconv.Itoa(port)}}
	says(t, refused(t, testbed.Options{Args: args}), testbed.APIServer, "ended by itself", "address already in use", strconv.Itoa(port))
}

func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "component")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBrokenBinaryIsReported(t *testing.T) {
	binary := func(name, path string) testbed.Options {
		return testbed.Options{Binaries: map[string]string{name: path}, ReadyTimeout: 2 * time.Second}
	}
	says(t, refused(t, binary(testbed.APIServer, script(t, "echo no such flag; exit 3"))), testbed.APIServer, "exit status 3", "no such flag")
	// One that hangs, with a child that ignores being asked to end.
	hanging := script(t, "echo waiting for nothing; trap '' TERM; sleep 1000 & sleep 1000")
	says(t, refused(t, binary(testbed.Etcd, hanging)), testbed.Etcd, "not ready after 2s", "waiting for nothing", "connection refused")
	missing := map[string]string{testbed.KWOK: filepath.Join(t.TempDir(), "none")}
	says(t, refused(t, testbed.Options{Binaries: missing}), testbed.KWOK, "no such file")
	says(t, refused(t, binary("kubelet", "/bin/true")), "kubelet")
}
