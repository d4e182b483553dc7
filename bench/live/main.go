// live measures basalt-scheduler on a real control plane against a bare binder, in the same run: a backlog of gangs is there, the contestant starts, and the
// binds are counted as a watch sees them. Answers first: every pod is bound once, no node holds more than it has. Prints one JSON object.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"syscall"
	"time"

	"basalt.dev/basalt/tests/testbed"
	"basalt.dev/basalt/tests/testbed/load"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

type outcome struct {
	PodsPerSecond float64 `json:"pods_per_s"`
	CPUSeconds    float64 `json:"cpu_s_per_1000_pods"`
	PeakBytes     int64   `json:"peak_bytes"`
}

func main() {
	nodes, pods, gang, runs := flag.Int("nodes", 1000, "nodes"), flag.Int("pods", 2000, "pods"), flag.Int("gang", 100, "pods of a gang"), flag.Int("runs", 7, "runs of each")
	scheduler := flag.String("scheduler", "build/release/bin/basalt-scheduler", "the program")
	binder := flag.String("binder", "", "be the bare binder, with this kubeconfig")
	flag.Parse()
	var err error
	if *binder != "" {
		err = runBinder(*binder, *nodes)
	} else {
		err = measure(*scheduler, *nodes, *pods, *gang, *runs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measure(scheduler string, nodes, pods, gang, runs int) error {
	ctx := context.Background()
	cluster, err := testbed.Start(ctx, testbed.Options{Nodes: nodes, Progress: os.Stderr})
	if err != nil {
		return err
	}
	defer cluster.Stop()
	kubeconfig := cluster.Kubeconfig(testbed.Admin)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	contestants := map[string]func() *exec.Cmd{
		"basalt": func() *exec.Cmd { return exec.Command(scheduler, "--kubeconfig", kubeconfig, "--leader-elect=false") },
		"binder": func() *exec.Cmd { return exec.Command(self, "-binder", kubeconfig, "-nodes", strconv.Itoa(nodes)) },
	}
	results := map[string][]outcome{}
	for run := range runs {
		for _, name := range []string{"basalt", "binder"} {
			o, err := once(ctx, cluster, contestants[name](), fmt.Sprintf("%s-%d", name, run), nodes, pods, gang)
			if err != nil {
				return fmt.Errorf("%s, run %d: %w", name, run, err)
			}
			fmt.Fprintf(os.Stderr, "%s: %+v\n", name, o)
			results[name] = append(results[name], o)
		}
	}
	var ratios []float64
	for i := range runs {
		ratios = append(ratios, results["basalt"][i].PodsPerSecond/results["binder"][i].PodsPerSecond)
	}
	slices.Sort(ratios)
	report, err := json.MarshalIndent(map[string]any{"nodes": nodes, "pods": pods, "gang": gang, "runs": results, "ratio_median": ratios[len(ratios)/2], "ratios": ratios}, "", " ")
	fmt.Println(string(report))
	return err
}

// between gives what stands behind a key, up to the next quote; empty where the key is not there.
func between(line []byte, key string) string {
	at := bytes.Index(line, []byte(key))
	if at < 0 {
		return ""
	}
	rest := line[at+len(key):]
	return string(rest[:max(bytes.IndexByte(rest, '"'), 0)])
}

// once runs one contestant over a backlog in a namespace of its own.
func once(ctx context.Context, cluster *testbed.Cluster, command *exec.Cmd, namespace string, nodes, pods, gang int) (o outcome, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	config, err := clientcmd.BuildConfigFromFlags("", cluster.Kubeconfig(testbed.Admin))
	if err != nil {
		return o, err
	}
	config.QPS = -1
	api, err := kubernetes.NewForConfig(config)
	if err != nil {
		return o, err
	}
	if _, err := api.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{}); err != nil {
		return o, err
	}
	if err := load.Gangs(ctx, cluster.API, load.GangSpec{Namespace: namespace, Members: gang}, "g", pods/gang); err != nil {
		return o, err
	}
	list, err := api.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{Limit: 1})
	if err != nil {
		return o, err
	}
	var errors bytes.Buffer
	command.Stderr = &errors
	if err := command.Start(); err != nil {
		return o, err
	}
	var first, last time.Time
	seen, on := map[string]string{}, map[string]int{}
	type arrival struct {
		line []byte
		at   time.Time
	}
	arrivals := make(chan arrival, 100_000)
	ended := make(chan error, 1)
	go func() {
		version := list.ResourceVersion
		for {
			stream, err := api.CoreV1().RESTClient().Get().AbsPath("/api/v1/namespaces/"+namespace+"/pods").Param("watch", "true").
				Param("fieldSelector", "spec.nodeName!=").Param("resourceVersion", version).Stream(ctx)
			if err != nil {
				ended <- err
				return
			}
			lines := bufio.NewReaderSize(stream, 1<<20)
			for {
				line, err := lines.ReadBytes('\n')
				if err != nil {
					break // the API server ends watches whose reader is slow; the next one goes on where this one ended
				}
				if v := between(line, `"resourceVersion":"`); v != "" {
					version = v
				}
				arrivals <- arrival{line, time.Now()}
			}
			stream.Close()
		}
	}()
	for len(seen) < pods {
		select {
		case a := <-arrivals:
			name, node := between(a.line, `"name":"`), between(a.line, `"nodeName":"`) // metadata stands first
			if node == "" || seen[name] != "" {
				continue
			}
			seen[name] = node
			on[node]++
			last = a.at
			if first.IsZero() {
				first = last
			}
		case err := <-ended:
			_ = command.Process.Kill()
			return o, fmt.Errorf("%d of %d pods were bound: %w: %s", len(seen), pods, err, errors.String())
		}
	}
	time.Sleep(2 * time.Second) // the events are still being sent: they count
	_ = command.Process.Signal(syscall.SIGTERM)
	_ = command.Wait()
	usage := command.ProcessState.SysUsage().(*syscall.Rusage)
	for node, n := range on {
		if n > 32 {
			return o, fmt.Errorf("node %s holds %d pods of 1 CPU", node, n)
		}
	}
	o = outcome{PodsPerSecond: float64(pods-1) / last.Sub(first).Seconds(), PeakBytes: usage.Maxrss * 1024,
		CPUSeconds: (command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds() * 1000 / float64(pods)}
	zero := int64(0)
	if err := api.CoreV1().Pods(namespace).DeleteCollection(ctx, metav1.DeleteOptions{GracePeriodSeconds: &zero}, metav1.ListOptions{}); err != nil {
		return o, err
	}
	return o, cluster.API.Delete(ctx, "/apis/scheduling.volcano.sh/v1beta1/namespaces/"+namespace+"/podgroups", nil)
}
