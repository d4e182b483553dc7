package testbed

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"syscall"
	"time"
)

func scheme(name string) string {
	if name == APIServer || name == ControllerManager {
		return "https"
	}
	return "http"
}

func (c *Cluster) arguments(name string) []string {
	arguments := map[string]func() []string{Etcd: c.etcdArguments, APIServer: c.apiServerArguments, KWOK: c.kwokArguments,
		ControllerManager: c.controllerManagerArguments}[name]()
	return append(arguments, c.options.Args[name]...)
}

// run starts a component and waits until it is ready.
func (c *Cluster) run(ctx context.Context, name string) error {
	p, err := c.startComponent(name)
	if err != nil {
		return err
	}
	if err := c.waitReady(ctx, p); err != nil {
		return err
	}
	fmt.Fprintf(c.options.Progress, "testbed: %s ready after %.1f s\n", name, time.Since(p.started).Seconds())
	go c.watch(p)
	return nil
}

// startComponent starts under the lock: Stop either finds the process or keeps it from starting.
func (c *Cluster) startComponent(name string) (*process, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopping {
		return nil, errors.New("the testbed is being stopped")
	}
	p, err := startProcess(name, c.folder.file(name+".log"), c.binaries[name], c.arguments(name)...)
	if err != nil {
		return nil, err
	}
	c.processes = append(c.processes, p)
	return p, nil
}

// watch reports a component that ends without having been stopped.
func (c *Cluster) watch(p *process) {
	<-p.ended
	c.mu.Lock()
	wanted := !c.stopping && slices.Contains(c.processes, p)
	c.mu.Unlock()
	if wanted {
		select {
		case c.failed <- p.death():
		default: // the first failure is the one to tell
		}
	}
}

// The certificate is checked by every client but this probe, which has to work before there is one.
var probe = &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}}

var readyPath = map[string]string{Etcd: "/health", APIServer: "/readyz", KWOK: "/readyz", ControllerManager: "/healthz"}

func (c *Cluster) waitReady(ctx context.Context, p *process) error {
	ctx, cancel := context.WithTimeout(ctx, c.options.ReadyTimeout)
	defer cancel()
	for {
		answer := askReady(ctx, c.URL(p.name)+readyPath[p.name])
		if answer == nil {
			return nil
		}
		select {
		case <-p.ended:
			return p.death()
		case <-ctx.Done():
			if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return ctx.Err()
			}
			return fmt.Errorf("%s is not ready after %s: %w; the end of its log:\n%s", p.name, c.options.ReadyTimeout, answer, p.logTail())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func askReady(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := probe.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusOK {
		return nil
	}
	body, _ := io.ReadAll(io.LimitReader(response.Body, 4096))
	return fmt.Errorf("%s: %s\n%s", url, response.Status, body)
}

// StopComponent ends one component and leaves the rest alone; with kill at once, as a crash would.
func (c *Cluster) StopComponent(name string, kill bool) error {
	c.mu.Lock()
	at := slices.IndexFunc(c.processes, func(p *process) bool { return p.name == name })
	if at < 0 || c.stopping {
		c.mu.Unlock()
		return fmt.Errorf("%s does not run in this testbed", name)
	}
	p := c.processes[at]
	c.processes = slices.Delete(slices.Clone(c.processes), at, at+1)
	c.mu.Unlock()
	if kill {
		if err := p.signal(syscall.SIGKILL); err != nil {
			return err
		}
	}
	return p.stop(stopGrace)
}

// StartComponent starts a stopped component again, on its port, and waits until it is ready.
func (c *Cluster) StartComponent(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, c.options.ReadyTimeout)
	defer cancel()
	if !slices.Contains(c.names(), name) {
		return fmt.Errorf("%s does not run in this testbed", name)
	}
	if err := waitPortFree(ctx, c.ports[name]); err != nil {
		return err
	}
	return c.run(ctx, name)
}
