package testbed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"golang.org/x/mod/modfile"
)

// component is a program of the control plane and the Go module in components/ that pins it.
type component struct {
	folder, module, pkg string
}

func kubernetes(minor, command string) component {
	return component{"kubernetes-" + minor, "k8s.io/kubernetes", "k8s.io/kubernetes/cmd/" + command}
}

// components by the name that Options, logs and messages use.
func components(minor string) map[string]component {
	return map[string]component{
		Etcd:              {"etcd", "go.etcd.io/etcd/server/v3", "go.etcd.io/etcd/server/v3"},
		APIServer:         kubernetes(minor, APIServer),
		KWOK:              {"kwok", "sigs.k8s.io/kwok", "sigs.k8s.io/kwok/cmd/kwok"},
		ControllerManager: kubernetes(DefaultKubernetes, ControllerManager),
		Scheduler:         kubernetes(DefaultKubernetes, Scheduler),
		Kubectl:           kubernetes(DefaultKubernetes, Kubectl),
	}
}

// The names of the components. The testbed runs the first four; the others are built for tests and benchmarks that run them.
const (
	Etcd              = "etcd"
	APIServer         = "kube-apiserver"
	KWOK              = "kwok"
	ControllerManager = "kube-controller-manager"
	Scheduler         = "kube-scheduler"
	Kubectl           = "kubectl"
)

// Build returns the path of a component's binary, which it builds if the build folder has none of the pinned version: minutes for the first of a
// Kubernetes version on two cores, at the lowest priority. minor is a Kubernetes minor version or empty; progress may be nil.
func Build(ctx context.Context, name, minor string, progress io.Writer) (string, error) {
	o := Options{Kubernetes: minor, Progress: progress}.withDefaults()
	root, err := repository()
	if err != nil {
		return "", err
	}
	c, known := components(o.Kubernetes)[name]
	if !known {
		return "", fmt.Errorf("the testbed has no component %q", name)
	}
	source := filepath.Join(root, "tests/testbed/components", c.folder)
	version, key, err := pinned(source, c)
	if err != nil {
		return "", err
	}
	folder := filepath.Join(root, "build/testbed")
	binary := filepath.Join(folder, fmt.Sprintf("%s-%s-%s", name, version, key))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	// Test packages run side by side; one of them builds.
	lock, err := os.OpenFile(filepath.Join(folder, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return "", err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return "", err
	}
	if _, err := os.Stat(binary); err == nil {
		return binary, nil
	}
	fmt.Fprintf(o.Progress, "testbed: building %s %s, once\n", name, version)
	start := time.Now()
	if err := compile(ctx, source, c.pkg, version, binary); err != nil {
		return "", fmt.Errorf("building %s %s: %w", name, version, err)
	}
	fmt.Fprintf(o.Progress, "testbed: built %s in %.0f s\n", name, time.Since(start).Seconds())
	return binary, nil
}

// pinned reads the version of the component's module, and a key that changes with anything the binary depends on.
func pinned(source string, c component) (version, key string, err error) {
	path := filepath.Join(source, "go.mod")
	mod, err := os.ReadFile(path)
	if err != nil {
		return "", "", err
	}
	sum, err := os.ReadFile(filepath.Join(source, "go.sum"))
	if err != nil {
		return "", "", err
	}
	file, err := modfile.ParseLax(path, mod, nil)
	if err != nil {
		return "", "", err
	}
	for _, require := range file.Require {
		if require.Mod.Path == c.module {
			hash := sha256.Sum256(bytes.Join([][]byte{mod, sum, []byte(runtime.Version())}, nil))
			return require.Mod.Version, fmt.Sprintf("%x", hash[:4]), nil
		}
	}
	return "", "", fmt.Errorf("%s does not require %s", path, c.module)
}

func compile(ctx context.Context, source, pkg, version, binary string) error {
	numbers := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	const variable = "k8s.io/component-base/version."
	// Without these the API server says v0.0.0, and clients choose their feature gates by what it says.
	flags := fmt.Sprintf("-s -w -X %sgitVersion=%s -X %sgitMajor=%s -X %sgitMinor=%s", variable, version, variable, numbers[0], variable, numbers[1])
	unfinished := binary + ".unfinished"
	command := exec.CommandContext(ctx, "nice", "-n", "19", "go", "build", "-trimpath", "-ldflags", flags, "-o", unfinished, pkg)
	command.Dir = source
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=-mod=readonly -buildvcs=false")
	// go removes its temporary folder when it is asked to end, not when it is killed.
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, bytes.TrimSpace(output))
	}
	return os.Rename(unfinished, binary)
}

// repository finds the root of this repository above the working folder.
func repository() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for at := folder; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "tests/testbed/components")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", errors.New("the testbed builds its components from this repository, and " + folder + " is not in it")
		}
	}
}
