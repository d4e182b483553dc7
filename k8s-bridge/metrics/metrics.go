// Package metrics has the live series of Volcano's scheduler under their names, labels and buckets, those of the client to the API server, and basalt_*.
package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Series of our own.
var (
	// PodsBound counts pods whose bind went well: its rate is pods per second.
	PodsBound = prometheus.NewCounter(prometheus.CounterOpts{Namespace: "basalt", Name: "pods_bound_total", Help: "Pods that were bound."})
	// Cycle is the time of a cycle.
	Cycle = prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: "basalt", Name: "cycle_duration_seconds", Help: "Time of one scheduling cycle, from events taken in to decisions handed out.",
		Buckets: prometheus.ExponentialBucketsRange(0.0001, 10, 16)})
	// Stage is the time of a part of a cycle.
	Stage = prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "basalt", Name: "stage_duration_seconds", Help: "Time of a part of a cycle: apply (events taken in), decide, writes (handed out).",
		Buckets: prometheus.ExponentialBucketsRange(0.0001, 10, 16)}, []string{"stage"})
	// Writes counts writes to the API server.
	Writes = prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "basalt", Name: "api_writes_total", Help: "Writes to the API server by kind (bind, condition, podgroup, queue, evict) and outcome (done, refused, unknown)."},
		[]string{"kind", "outcome"})
	// ConfigReloads counts what became of changes of the configuration file.
	ConfigReloads = prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "basalt", Name: "config_reloads_total", Help: "Changes of the configuration by outcome: taken, refused (the one in force stays), unreadable."},
		[]string{"outcome"})
	// Leader is 1 while this process leads.
	Leader = prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "basalt", Name: "leader", Help: "1 while this process holds the lease, or needs none."})
	// Diagnostics counts findings about objects and configurations.
	Diagnostics = prometheus.NewCounter(prometheus.CounterOpts{Namespace: "basalt", Name: "diagnostics_total", Help: "Findings about objects and configurations that were logged."})
)

func init() {
	prometheus.MustRegister(PodsBound, Cycle, Stage, Writes, ConfigReloads, Leader, Diagnostics)
	for _, outcome := range []string{"taken", "refused", "unreadable"} {
		ConfigReloads.WithLabelValues(outcome)
	}
}

// Milliseconds of a duration.
func Milliseconds(d time.Duration) float64 { return float64(d) / 1e6 }
