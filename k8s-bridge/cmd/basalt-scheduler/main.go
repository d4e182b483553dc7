// basalt-scheduler takes the place of Volcano's vc-scheduler: same flags, same configuration, same Lease.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"basalt.dev/basalt/k8s-bridge/metrics"
	"basalt.dev/basalt/k8s-bridge/options"
	"basalt.dev/basalt/k8s-bridge/scheduler"
	"basalt.dev/basalt/k8s-bridge/serving"
	"basalt.dev/basalt/k8s-bridge/standalone"
	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

// Version is set by the build.
var Version = "unknown"

func main() {
	var o options.Options
	command := &cobra.Command{
		Use: "basalt-scheduler", Short: "Batch scheduler for Kubernetes, in the place of Volcano's", SilenceUsage: true, SilenceErrors: true, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.PrintVersion {
				fmt.Println(Version)
				return nil
			}
			for name, why := range o.WithoutEffect(c.Flags()) {
				klog.Warningf("--%s: %s", name, why)
			}
			return run(&o)
		},
	}
	o.AddFlags(command.Flags())
	logs := flag.NewFlagSet("log", flag.ContinueOnError)
	klog.InitFlags(logs)
	command.Flags().AddGoFlagSet(logs)
	if err := command.Execute(); err != nil {
		klog.Errorf("%v", err)
		klog.Flush()
		os.Exit(1)
	}
}

func clientConfig(o *options.Options) (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags(o.Master, o.Kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = o.QPS, o.Burst
	config.UserAgent = "basalt-scheduler/" + Version
	return config, nil
}

// clients: each has its own rate limit, as in Volcano: lists and watches, writes, events, the lease.
type clients struct{ watches, api, events, lease *kubernetes.Clientset }

func makeClients(config *rest.Config) (c clients, err error) {
	for _, to := range []**kubernetes.Clientset{&c.watches, &c.api, &c.events, &c.lease} {
		if *to, err = kubernetes.NewForConfig(config); err != nil {
			return c, err
		}
	}
	return c, nil
}

func run(o *options.Options) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	config, err := clientConfig(o)
	if err != nil {
		return err
	}
	c, err := makeClients(config)
	if err != nil {
		return err
	}
	name := "volcano"
	if len(o.SchedulerNames) == 1 {
		name = o.SchedulerNames[0]
	}
	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: c.events.CoreV1().Events("")})
	defer broadcaster.Shutdown()

	selector, malformed := o.Selector()
	for _, pair := range malformed {
		klog.Warningf("--node-selector: %q is not of the form key:value and is ignored", pair)
	}
	shard := ""
	switch o.ShardingMode {
	case "hard":
		shard = o.ShardingName
	case "", "none":
	default:
		klog.Warningf("--scheduler-sharding-mode=%s: only none and hard are built; every node is used", o.ShardingMode)
	}
	conf := &options.Conf{Path: o.SchedulerConf}
	first := true
	s, err := scheduler.New(scheduler.Config{
		SchedulerNames: o.SchedulerNames, DefaultQueue: o.DefaultQueue, Period: o.Period, Lenient: o.Lenient,
		Record: o.Record, RecordMax: o.RecordMaxBytes, Keep: o.EnableDebugSnapshot, NodeSelector: selector, Shard: shard,
		Watches: c.watches.RESTClient(), Api: c.api.RESTClient(), Events: broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: name}),
		Conf: func() (string, bool, error) {
			text, changed, err := conf.Text()
			if err != nil && first && !o.DisableDefaultConf {
				klog.Warningf("scheduler configuration: %v; the built-in default is used", err)
				err = nil
			}
			if err != nil && !first && errors.Is(err, os.ErrNotExist) {
				err = nil // told at the start, or on its way to be replaced
			}
			first = false
			return text, changed, err
		},
	})
	if err != nil {
		return err
	}
	metrics.RegisterState(s.Figures, s.InFlight)
	serving.Start(ctx, o, serving.Sources{Missing: s.Missing, Snapshot: s.Snapshot, Review: serving.ReviewBy(c.api)})
	if o.ApplyCRDs {
		if err := standalone.ApplyCRDs(ctx, c.api.RESTClient()); err != nil {
			return err
		}
	}
	if err := scheduler.CreateQueues(ctx, c.api.RESTClient(), o.DefaultQueue); err != nil {
		return err
	}
	if o.Standalone {
		objects, err := dynamic.NewForConfig(config)
		if err != nil {
			return err
		}
		controller := &standalone.Controller{Pods: c.api, Objects: objects, SchedulerNames: o.SchedulerNames, Leading: s.Leading}
		go controller.Run(ctx)
	}
	if !o.LeaderElect {
		s.Lead(true)
		return s.Run(ctx)
	}
	return elect(ctx, o, c.lease, s)
}

// elect runs the scheduler as a standby that keeps its lists warm, and lets it decide while it holds the lease. Losing the lease ends the process.
func elect(ctx context.Context, o *options.Options, client *kubernetes.Clientset, s *scheduler.Scheduler) error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	namespace := o.LeaseNamespace
	if o.LockNamespace != "" {
		namespace = o.LockNamespace
	}
	identity := host + "_" + string(uuid.NewUUID())
	lock, err := resourcelock.New(resourcelock.LeasesResourceLock, namespace, o.LeaseName, client.CoreV1(), client.CoordinationV1(), resourcelock.ResourceLockConfig{Identity: identity})
	if err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- s.Run(running) }()
	lost := make(chan struct{})
	// The lease is given back only after the last bind: its context ends later than the scheduler's.
	holding, release := context.WithCancel(context.WithoutCancel(ctx))
	elected := make(chan struct{})
	go func() {
		defer close(elected)
		leaderelection.RunOrDie(holding, leaderelection.LeaderElectionConfig{
			Lock: lock, LeaseDuration: o.LeaseDuration, RenewDeadline: o.RenewDeadline, RetryPeriod: o.RetryPeriod, ReleaseOnCancel: true, Name: o.LeaseName,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) {
					klog.Infof("leading as %s", identity)
					s.Lead(true)
				},
				OnStoppedLeading: func() {
					s.Lead(false)
					close(lost)
				},
			},
		})
	}()
	select {
	case err = <-ended:
	case <-lost:
		stop()
		<-ended
		err = errors.New("the lease is lost")
	}
	release()
	select {
	case <-elected:
	case <-time.After(3 * time.Second):
	}
	return err
}
