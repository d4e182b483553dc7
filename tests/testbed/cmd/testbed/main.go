// Command testbed runs a real control plane on loopback until it is interrupted, and prints the path of its kubeconfig.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"basalt.dev/basalt/tests/testbed"
)

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer cancel()
	if err := run(ctx); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "testbed:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	options := testbed.Options{Progress: os.Stderr, Ports: map[string]int{}}
	flag.IntVar(&options.Nodes, "nodes", 10, "number of fake nodes")
	flag.BoolVar(&options.ControllerManager, "controller-manager", false, "also run kube-controller-manager")
	flag.BoolVar(&options.NodeLeases, "node-leases", false, "renew a Lease for each node")
	flag.StringVar(&options.Kubernetes, "kubernetes", testbed.DefaultKubernetes, "minor version of the API server")
	port := flag.Int("port", 0, "port of the API server; 0: a free one")
	build := flag.String("build", "", "only build these components (separated by commas) and print their paths")
	flag.Parse()
	if *build != "" {
		for _, name := range strings.Split(*build, ",") {
			path, err := testbed.Build(ctx, name, options.Kubernetes, os.Stderr)
			if err != nil {
				return err
			}
			fmt.Println(path)
		}
		return nil
	}
	if *port != 0 {
		options.Ports[testbed.APIServer] = *port
	}
	cluster, err := testbed.Start(ctx, options)
	if err != nil {
		return err
	}
	fmt.Println(cluster.Kubeconfig(testbed.Admin))
	select {
	case <-ctx.Done():
		fmt.Fprintln(os.Stderr, "testbed: stopping")
		return cluster.Stop()
	case err := <-cluster.Failed():
		return errors.Join(err, cluster.Stop())
	}
}
