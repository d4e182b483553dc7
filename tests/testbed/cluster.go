// Package testbed runs a real control plane on loopback for tests and benchmarks: etcd, kube-apiserver with RBAC and tokens, KWOK with fake nodes
// and, where wanted, kube-controller-manager, built from Go modules with pinned versions. It ends as whole process groups and leaves nothing
// behind; what goes wrong is said within a minute, with the end of the log of the component concerned.
package testbed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"basalt.dev/basalt/tests/testbed/rawapi"
)

// Cluster is a running control plane. Its methods may be called from any goroutine.
type Cluster struct {
	// API acts as Admin.
	API *rawapi.Client

	options  Options
	folder   *folder
	ids      *identities
	ports    map[string]int
	binaries map[string]string

	mu        sync.Mutex
	processes []*process // in order of their start
	stopping  bool
	stopped   sync.Once
	stopError error
	failed    chan error
}

// Start brings up a control plane: components ready, CRDs served, nodes Ready. It first builds what is not built yet, which takes as long as it
// takes; from then on an error comes within a minute. Nothing is left after an error; else Stop has to be called.
func Start(ctx context.Context, options Options) (*Cluster, error) {
	c := &Cluster{options: options.withDefaults(), ports: map[string]int{}, binaries: map[string]string{}, failed: make(chan error, 1)}
	if err := c.build(ctx); err != nil {
		return nil, err
	}
	if err := c.start(ctx); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

// names of the components that this testbed runs, in order of their start.
func (c *Cluster) names() []string {
	names := []string{Etcd, APIServer, KWOK}
	if c.options.ControllerManager {
		names = append(names, ControllerManager)
	}
	return names
}

func (c *Cluster) build(ctx context.Context) error {
	for name := range c.options.Binaries {
		if !slices.Contains(c.names(), name) {
			return fmt.Errorf("a binary is given for %q, which this testbed does not run", name)
		}
	}
	for _, name := range c.names() {
		if binary := c.options.Binaries[name]; binary != "" {
			c.binaries[name] = binary
			continue
		}
		binary, err := Build(ctx, name, c.options.Kubernetes, c.options.Progress)
		if err != nil {
			return err
		}
		c.binaries[name] = binary
	}
	return nil
}

func (c *Cluster) start(ctx context.Context) error {
	var err error
	if c.folder, err = newFolder(); err != nil {
		return err
	}
	if err := c.choosePorts(); err != nil {
		return err
	}
	users := append([]User{{Name: Admin, Groups: []string{"system:masters"}}}, c.options.Users...)
	if c.ids, err = newIdentities(c.folder, c.ports[APIServer], users); err != nil {
		return err
	}
	for name, content := range map[string]string{"stages.yaml": c.options.Stages, "audit-policy.yaml": c.options.Audit} {
		if _, err := c.folder.write(name, []byte(content)); err != nil {
			return err
		}
	}
	if c.API, err = rawapi.New(c.Kubeconfig(Admin)); err != nil {
		return err
	}
	for _, name := range []string{Etcd, APIServer} {
		if err := c.run(ctx, name); err != nil {
			return err
		}
	}
	if err := c.installCRDs(ctx); err != nil {
		return err
	}
	for _, name := range c.names()[2:] {
		if err := c.run(ctx, name); err != nil {
			return err
		}
	}
	return c.createNodes(ctx)
}

func (c *Cluster) choosePorts() error {
	used := map[int]bool{}
	for name, port := range c.options.Ports {
		if err := portTaken(port); err != nil {
			return fmt.Errorf("port %d, wanted for %s: %w", port, name, err)
		}
		c.ports[name], used[port] = port, true
	}
	for _, name := range append(c.names(), etcdPeer) {
		if c.ports[name] != 0 {
			continue
		}
		port, err := freePort(used)
		if err != nil {
			return err
		}
		c.ports[name], used[port] = port, true
	}
	return nil
}

// Kubeconfig is the path of the file with which a user of this testbed reaches the API server; empty for a user it does not have.
func (c *Cluster) Kubeconfig(user string) string { return c.ids.kubeconfigs[user] }

// AuditLog is the path of the API server's audit log, one event a line, where Options asked for one.
func (c *Cluster) AuditLog() string { return c.folder.file("audit.log") }

// Folder holds everything of this testbed, logs (NAME.log) included, until Stop.
func (c *Cluster) Folder() string { return c.folder.path }

// URL of a component's own endpoints, e.g. etcd's client port.
func (c *Cluster) URL(name string) string { return scheme(name) + "://" + address(c.ports[name]) }

// Failed delivers the reason if a component ends that nobody stopped.
func (c *Cluster) Failed() <-chan error { return c.failed }

// Stop ends every component, newest first, and removes the folder. Later calls return what the first returned.
func (c *Cluster) Stop() error {
	c.stopped.Do(func() {
		c.mu.Lock()
		c.stopping = true
		processes := slices.Clone(c.processes)
		c.mu.Unlock()
		slices.Reverse(processes)
		var all []error
		for _, p := range processes {
			all = append(all, p.stop(stopGrace))
		}
		if c.folder != nil {
			all = append(all, c.folder.remove())
		}
		c.stopError = errors.Join(all...)
	})
	return c.stopError
}

// What a component writes at its end dies with the folder, so it gets little time for it.
const stopGrace = 3 * time.Second
