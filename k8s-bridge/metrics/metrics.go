// Package metrics has the metrics of Volcano's scheduler that this one can tell, under their names.
package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

var (
	// E2E is the time of a cycle.
	E2E = histogram("e2e_scheduling_latency_milliseconds", "Time of one scheduling cycle, from events taken in to decisions handed out.", 1, 5000, 20)
	// Tasks is the time since a pod's bind was decided, by stage.
	Tasks = prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "volcano", Name: "scheduling_stage_duration_milliseconds", Help: "Time of a stage of one pod.",
		Buckets: prometheus.ExponentialBucketsRange(0.1, 500, 20)}, []string{"stage"})
	// Unschedulable is the number of pods that wait.
	Unschedulable = prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "volcano", Name: "unschedule_task_total", Help: "Pods that wait after the last cycle."})
	// Binds counts binds by outcome.
	Binds = prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "basalt", Name: "binds_total", Help: "Binds by outcome: done, refused, unknown."}, []string{"outcome"})
	// Evictions counts evictions by outcome.
	Evictions = prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "basalt", Name: "evictions_total", Help: "Evictions by outcome: done, refused."}, []string{"outcome"})
	// StatusWrites counts writes of statuses and conditions by outcome.
	StatusWrites = prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "basalt", Name: "status_writes_total", Help: "Writes of statuses and conditions by outcome."}, []string{"outcome"})
	// Leader is 1 while this process leads.
	Leader = prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "basalt", Name: "leader", Help: "1 while this process holds the lease, or needs none."})
	// BadObjects counts objects and configurations that could not be used.
	BadObjects = prometheus.NewCounter(prometheus.CounterOpts{Namespace: "basalt", Name: "diagnostics_total", Help: "Findings about objects and configurations that were logged."})
)

func histogram(name, help string, low, high float64, count int) prometheus.Histogram {
	return prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: "volcano", Name: name, Help: help, Buckets: prometheus.ExponentialBucketsRange(low, high, count)})
}

func init() {
	prometheus.MustRegister(E2E, Tasks, Unschedulable, Binds, Evictions, StatusWrites, Leader, BadObjects)
}

// Milliseconds of a duration.
func Milliseconds(d time.Duration) float64 { return float64(d) / 1e6 }
