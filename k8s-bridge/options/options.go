// Package options has the flags of Volcano's scheduler. Those that mean nothing here are accepted and say so once.
package options

import (
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// Options are the flags that mean something.
type Options struct {
	Master, Kubeconfig           string
	QPS                          float32
	Burst                        int
	SchedulerNames               []string
	SchedulerConf                string
	Period                       time.Duration
	DefaultQueue                 string
	EnableHealthz                bool
	HealthzAddress               string
	CACert, TLSCert, TLSKey      string
	EnableMetrics, EnablePprof   bool
	ListenAddress                string
	DisableDefaultConf           bool
	LeaderElect                  bool
	LeaseDuration, RenewDeadline time.Duration
	RetryPeriod                  time.Duration
	LeaseName, LeaseNamespace    string
	LockNamespace                string
	PrintVersion                 bool
	Lenient                      bool
	Standalone, ApplyCRDs        bool
	Record                       string
	RecordMaxBytes               int64
	EnableDebugSnapshot          bool
	NodeSelector                 []string
	ShardingMode, ShardingName   string
	without                      []string
}

// AddFlags defines them with Volcano's defaults.
func (o *Options) AddFlags(f *pflag.FlagSet) {
	f.StringVar(&o.Master, "master", "", "address of the API server (overrides kubeconfig)")
	f.StringVar(&o.Kubeconfig, "kubeconfig", "", "file with access to the API server; empty: from within the cluster")
	f.Float32Var(&o.QPS, "kube-api-qps", 2000, "requests per second to the API server, per client")
	f.IntVar(&o.Burst, "kube-api-burst", 2000, "requests to the API server at once, per client")
	f.StringArrayVar(&o.SchedulerNames, "scheduler-name", []string{"volcano"}, "pods of this scheduler name are scheduled; may be repeated, commas do not split")
	f.StringVar(&o.SchedulerConf, "scheduler-conf", "", "file with the scheduler configuration; it is taken again when it changes")
	f.DurationVar(&o.Period, "schedule-period", time.Second, "longest wait between two cycles while pods wait, and shortest time between two writes of one status")
	f.StringVar(&o.DefaultQueue, "default-queue", "default", "queue of PodGroups that name none")
	f.BoolVar(&o.EnableHealthz, "enable-healthz", false, "serve /healthz and /readyz")
	f.StringVar(&o.HealthzAddress, "healthz-address", ":11251", "address of /healthz and /readyz")
	f.StringVar(&o.CACert, "ca-cert-file", "", "CA certificate for /healthz")
	f.StringVar(&o.TLSCert, "tls-cert-file", "", "certificate for /healthz; TLS is used when this, the key and the CA are given")
	f.StringVar(&o.TLSKey, "tls-private-key-file", "", "key for /healthz")
	f.BoolVar(&o.EnableMetrics, "enable-metrics", false, "serve /metrics")
	f.BoolVar(&o.EnablePprof, "enable-pprof", false, "serve /debug/pprof")
	f.StringVar(&o.ListenAddress, "listen-address", ":8080", "address of /metrics and /debug/pprof")
	f.BoolVar(&o.DisableDefaultConf, "disable-default-scheduler-config", false, "a missing or bad configuration at the start ends the process")
	f.BoolVar(&o.LeaderElect, "leader-elect", true, "decide only while holding the lease")
	f.DurationVar(&o.LeaseDuration, "leader-elect-lease-duration", 15*time.Second, "time after which others may take the lease")
	f.DurationVar(&o.RenewDeadline, "leader-elect-renew-deadline", 10*time.Second, "time within which the leader renews the lease or stops")
	f.DurationVar(&o.RetryPeriod, "leader-elect-retry-period", 2*time.Second, "time between two tries")
	f.StringVar(&o.LeaseName, "leader-elect-resource-name", "volcano", "name of the lease")
	f.StringVar(&o.LeaseNamespace, "leader-elect-resource-namespace", "volcano-system", "namespace of the lease")
	f.StringVar(&o.LockNamespace, "lock-object-namespace", "", "the same under an older name; wins where both are given")
	f.BoolVar(&o.PrintVersion, "version", false, "print the version and end")
	f.BoolVar(&o.Lenient, "lenient", false, "warn of known actions and plugins that are not built yet instead of refusing the configuration (not a flag of Volcano)")
	f.BoolVar(&o.Standalone, "standalone", false, "do what Volcano's controllers do for the scheduler: PodGroups for pods that name none, states of queues (not a flag of Volcano)")
	f.BoolVar(&o.ApplyCRDs, "apply-crds", false, "create the CRDs that are not there before starting (not a flag of Volcano)")

	f.StringSliceVar(&o.NodeSelector, "node-selector", nil, "take only nodes in that have one of these labels, key:value; a node that is known stays")
	f.StringVar(&o.ShardingMode, "scheduler-sharding-mode", "none", "hard: place pods only on the nodes of this scheduler's NodeShard; none; soft is not built yet and counts as none")
	f.StringVar(&o.ShardingName, "scheduler-sharding-name", "volcano", "name of this scheduler's NodeShard")
	f.StringVar(&o.Record, "record", "", "write everything that enters the kernel to this file, for basalt schedule --replay; secrets are taken out (not a flag of Volcano)")
	f.Int64Var(&o.RecordMaxBytes, "record-max-bytes", 1<<30, "size of the recording, of FILE and FILE.1 together (not a flag of Volcano)")
	f.BoolVar(&o.EnableDebugSnapshot, "enable-debug-snapshot", false, "serve the cluster's state at /debug/snapshot to whom the API server allows it (not a flag of Volcano)")

	// Accepted, so that a Deployment written for Volcano starts unchanged.
	for name, what := range map[string]string{
		"resync-period":                    "everything is watched",
		"minimum-feasible-nodes":           "every node is considered",
		"minimum-percentage-nodes-to-find": "every node is considered",
		"percentage-nodes-to-find":         "every node is considered",
		"plugins-dir":                      "Go plugins cannot be loaded",
		"cache-dump-dir":                   "there is no cache to dump",
		"node-worker-threads":              "one thread takes nodes in",
		"gate-removal-worker-num":          "scheduling gates are not removed",
		"resource-sync-timeout":            "the first cycle waits for every list",
		"leader-elect-resource-lock":       "it is always a Lease",
		"feature-gates":                    "there are none",
		"ignored-provisioners":             "volumes are not built yet",
		"log-flush-frequency":              "the log is not buffered",
	} {
		o.accept(f, name, what, "")
	}
	for name, what := range map[string]string{
		"priority-class": "priority classes are always used",
		"csi-storage":    "volumes are not built yet",
		"cache-dumper":   "there is no cache to dump",
	} {
		o.accept(f, name, what, "true")
	}
}

func (o *Options) accept(f *pflag.FlagSet, name, what, bare string) {
	f.String(name, "", "accepted for Volcano's sake, without effect: "+what)
	f.Lookup(name).NoOptDefVal = bare
	o.without = append(o.without, name)
}

// Selector gives the pairs of --node-selector that can be used, and those that cannot: they count as not given, and where none is left, every node is taken, as
// in Volcano.
func (o *Options) Selector() (pairs, malformed []string) {
	for _, pair := range o.NodeSelector {
		key, value, ok := strings.Cut(pair, ":")
		if key, value = strings.TrimSpace(key), strings.TrimSpace(value); !ok || key == "" || strings.Contains(value, ":") {
			malformed = append(malformed, pair)
			continue
		}
		pairs = append(pairs, key+":"+value)
	}
	return pairs, malformed
}

// WithoutEffect names the flags that were given and mean nothing, with the reason.
func (o *Options) WithoutEffect(f *pflag.FlagSet) map[string]string {
	given := map[string]string{}
	for _, name := range o.without {
		if f.Changed(name) {
			given[name] = f.Lookup(name).Usage
		}
	}
	return given
}

// Conf reads the configuration file; see scheduler.Config.Conf. A file that was not there at the start counts as new when it appears.
type Conf struct {
	Path string
	last string
	read bool
}

// Text gives the file's text, and whether it differs from the last one given.
func (c *Conf) Text() (string, bool, error) {
	if c.Path == "" {
		return "", false, nil
	}
	bytes, err := os.ReadFile(c.Path)
	if err != nil {
		return c.last, false, err
	}
	changed := !c.read || string(bytes) != c.last
	c.last, c.read = string(bytes), true
	return c.last, changed, nil
}
