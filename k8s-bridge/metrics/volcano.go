package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Series of Volcano that are observed when something happens; those that tell a state are in figures.go.
var (
	// E2E is the time of a cycle.
	E2E = histogram("e2e_scheduling_latency_milliseconds", "Time of one scheduling cycle, from events taken in to decisions handed out.", 1, 5000, 20)
	// OpenSession is the time in which the plugins look at the cluster before a cycle.
	OpenSession = histogram("open_session_duration_milliseconds", "Time in which all plugins are opened for a cycle.", 1, 5000, 20)
	// Job is the time from a PodGroup's creation to the placement of its pods.
	Job = histogram("e2e_job_scheduling_latency_milliseconds", "Time from the creation of a PodGroup to each cycle that places pods of it.", 100, 120000, 30)
	// Plugin is the time of opening one plugin.
	Plugin = histograms("plugin_scheduling_latency_milliseconds", "Time of one plugin at the begin of a cycle.", 0.1, 100, 15, "plugin", "OnSession")
	// Action is the time of one action.
	Action = histograms("action_scheduling_latency_milliseconds", "Time of one action of a cycle.", 1, 2000, 20, "action")
	// Tasks is the time from a pod's creation to a stage: Assumed (decided), Bound (the API server has taken the bind).
	Tasks = histograms("task_scheduling_latency_milliseconds", "Time from a pod's creation to a stage of it.", 50, 60000, 30, "stage")
	// Stages is the time of one step of one pod.
	Stages = histograms("scheduling_stage_duration_milliseconds", "Time of a step of one pod.", 0.1, 500, 20, "stage")
	// Victims is how many pods the last preemption evicted.
	Victims = prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "volcano", Name: "pod_preemption_victims", Help: "Pods that the last cycle with evictions evicts."})
	// Preemptions counts cycles that evict.
	Preemptions = prometheus.NewCounter(prometheus.CounterOpts{Namespace: "volcano", Name: "total_preemption_attempts", Help: "Cycles that evict pods."})
	// Evictions counts cycles that evict, by action.
	Evictions = prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "volcano", Name: "eviction_transactions_total", Help: "Cycles in which an action evicts pods."}, []string{"action"})
)

// Registered by Volcano, never set by it: a dashboard finds them empty there, too.
var unset = []prometheus.Collector{
	prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "volcano", Name: "schedule_attempts_total", Help: "Not set, as in Volcano."}, []string{"result"}),
	prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "volcano", Name: "namespace_share", Help: "Not set, as in Volcano."}, []string{"namespace_name"}),
	prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "volcano", Name: "namespace_weight", Help: "Not set, as in Volcano."}, []string{"namespace_name"}),
	prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "volcano", Name: "namespace_weighted_share", Help: "Not set, as in Volcano."}, []string{"namespace_name"}),
}

func histogram(name, help string, low, high float64, count int) prometheus.Histogram {
	return prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: "volcano", Name: name, Help: help, Buckets: prometheus.ExponentialBucketsRange(low, high, count)})
}

func histograms(name, help string, low, high float64, count int, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "volcano", Name: name, Help: help, Buckets: prometheus.ExponentialBucketsRange(low, high, count)}, labels)
}

func init() {
	prometheus.MustRegister(E2E, OpenSession, Job, Plugin, Action, Tasks, Stages, Victims, Preemptions, Evictions)
	prometheus.MustRegister(unset...)
}

// Since is the time in milliseconds since a creationTimestamp, which has whole seconds and another clock; never below 0.
func Since(createdSeconds int64, now time.Time) float64 {
	return max(Milliseconds(now.Sub(time.Unix(createdSeconds, 0))), 0)
}
