package metrics

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/klog/v2"
)

// Figures is the document of basalt_figures_json.
type Figures struct {
	Queues        []QueueFigures
	Jobs          []JobFigures
	Unschedulable map[string]float64
	MemoryBytes   float64
}

// QueueFigures is what a plugin that divides the cluster knows of a queue.
type QueueFigures struct {
	Name, Plugin                                                  string
	Weight, Share                                                 float64
	Overused                                                      bool
	Allocated, Request, Deserved, Capacity, RealCapacity, Inqueue map[string]float64
}

// JobFigures is what is known of a PodGroup.
type JobFigures struct {
	Namespace, Name, Queue string
	Created                int64
	Unready                *float64
	Ready                  *bool
	Share                  *float64
	Retries                float64
	LastPlacedNs           int64
}

// state collects what tells a state: asked for at every scrape, so that what is gone vanishes and an idle cluster costs nothing.
type state struct {
	ask      func(context.Context) ([]byte, error)
	inFlight func() int

	mu   sync.Mutex
	seen map[string]map[string]bool // by queue: scalars that it had once, which are told as 0 later
}

// RegisterState tells where the figures come from.
func RegisterState(ask func(context.Context) ([]byte, error), inFlight func() int) {
	prometheus.MustRegister(&state{ask: ask, inFlight: inFlight, seen: map[string]map[string]bool{}})
}

func desc(space, name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(prometheus.BuildFQName(space, "", name), help, labels, nil)
}

var (
	jobLabels        = []string{"job_name", "queue", "job_namespace"}
	jobDuration      = desc("volcano", "e2e_job_scheduling_duration", "Milliseconds from the creation of a PodGroup to the last placement of its pods.", jobLabels...)
	jobStart         = desc("volcano", "e2e_job_scheduling_start_time", "Creation of a PodGroup, seconds since 1970.", jobLabels...)
	jobLast          = desc("volcano", "e2e_job_scheduling_last_time", "Last placement of a PodGroup's pods, seconds since 1970.", jobLabels...)
	unscheduledTasks = desc("volcano", "unschedule_task_count", "Pods that a gang lacks to its minimum.", "job_id")
	unscheduledJobs  = desc("volcano", "unschedule_job_count", "Gangs that were not ready after the last cycle.")
	jobShare         = desc("volcano", "job_share", "Dominant share of a PodGroup.", "job_ns", "job_id")
	jobRetries       = desc("volcano", "job_retry_counts", "Cycles after which a gang was not ready.", "job_id")
	queueShare       = desc("volcano", "queue_share", "Largest part of what the queue deserves that it holds.", "queue_name")
	queueWeight      = desc("volcano", "queue_weight", "Weight of the queue.", "queue_name")
	queueOverused    = desc("volcano", "queue_overused", "1 where the queue holds all that it deserves.", "queue_name")
	ownShare         = desc("basalt", "queue_share_ratio", "Largest part of what the queue deserves that it holds.", "queue")
	unschedulable    = desc("basalt", "unschedulable_pods", "Pods that wait after the last cycle, by reason.", "reason")
	memory           = desc("basalt", "kernel_memory_bytes", "Memory that the kernel holds.")
	inFlight         = desc("basalt", "binds_in_flight", "Binds that were sent and are not answered.")
)

// amounts of a queue under one name: cpu in thousandths, memory in bytes, everything else by resource (in thousandths, pods whole).
type amounts struct {
	cpu, memory, scalars *prometheus.Desc
	of                   func(*QueueFigures) map[string]float64
	capacityOnly         bool
}

var queueAmounts = []amounts{
	amountsOf("allocated", "what the queue holds", func(q *QueueFigures) map[string]float64 { return q.Allocated }, false),
	amountsOf("request", "what the queue holds and asks for", func(q *QueueFigures) map[string]float64 { return q.Request }, false),
	amountsOf("deserved", "what the queue deserves", func(q *QueueFigures) map[string]float64 { return q.Deserved }, false),
	amountsOf("inqueue", "what is reserved for admitted PodGroups of the queue", func(q *QueueFigures) map[string]float64 { return q.Inqueue }, false),
	amountsOf("capacity", "what the queue's capability says", func(q *QueueFigures) map[string]float64 { return q.Capacity }, true),
	amountsOf("real_capacity", "what the queue may hold in this cluster", func(q *QueueFigures) map[string]float64 { return q.RealCapacity }, true),
}

func amountsOf(name, what string, of func(*QueueFigures) map[string]float64, capacityOnly bool) amounts {
	return amounts{
		cpu:     desc("volcano", "queue_"+name+"_milli_cpu", "CPU, in thousandths: "+what+".", "queue_name"),
		memory:  desc("volcano", "queue_"+name+"_memory_bytes", "Memory: "+what+".", "queue_name"),
		scalars: desc("volcano", "queue_"+name+"_scalar_resources", "Other resources, in thousandths: "+what+".", "queue_name", "resource"),
		of:      of, capacityOnly: capacityOnly,
	}
}

// Describe is part of prometheus.Collector.
func (*state) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{jobDuration, jobStart, jobLast, unscheduledTasks, unscheduledJobs, jobShare, jobRetries, queueShare, queueWeight, queueOverused, ownShare, unschedulable, memory,
		inFlight} {
		ch <- d
	}
	for _, a := range queueAmounts {
		ch <- a.cpu
		ch <- a.memory
		ch <- a.scalars
	}
}

// Collect is part of prometheus.Collector. Where the kernel does not answer in time (it decides, or the lists are not in), nothing is told.
func (s *state) Collect(ch chan<- prometheus.Metric) {
	ch <- prometheus.MustNewConstMetric(inFlight, prometheus.GaugeValue, float64(s.inFlight()))
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	document, err := s.ask(ctx)
	if err != nil {
		klog.V(2).Infof("metrics without the kernel's figures: %v", err)
		return
	}
	var f Figures
	if err := json.Unmarshal(document, &f); err != nil {
		klog.Errorf("metrics: figures of the kernel: %v", err)
		return
	}
	s.collect(&f, ch)
}

func (s *state) collect(f *Figures, ch chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	gauge(memory, f.MemoryBytes)
	for reason, pods := range f.Unschedulable {
		gauge(unschedulable, pods, reason)
	}
	s.queues(f, gauge)
	// Volcano's label job_id has no namespace: series of PodGroups of one name fall together, the last one counts, retries are added.
	unready, retries := map[string]float64{}, map[string]float64{}
	waiting := 0.0
	for i := range f.Jobs {
		j := &f.Jobs[i]
		labels := []string{j.Name, j.Queue, j.Namespace}
		gauge(jobStart, float64(j.Created), labels...)
		if j.LastPlacedNs > 0 {
			placed := time.Unix(0, j.LastPlacedNs)
			gauge(jobDuration, Since(j.Created, placed), labels...)
			gauge(jobLast, float64(j.LastPlacedNs/1e9), labels...)
		}
		if j.Share != nil {
			gauge(jobShare, *j.Share, j.Namespace, j.Name)
		}
		if j.Unready != nil {
			unready[j.Name] = *j.Unready
		}
		if j.Ready != nil && !*j.Ready {
			waiting++
		}
		if j.Retries > 0 {
			retries[j.Name] += j.Retries
		}
	}
	gauge(unscheduledJobs, waiting)
	for name, tasks := range unready {
		gauge(unscheduledTasks, tasks, name)
	}
	for name, count := range retries {
		ch <- prometheus.MustNewConstMetric(jobRetries, prometheus.CounterValue, count, name)
	}
}

func (s *state) queues(f *Figures, gauge func(*prometheus.Desc, float64, ...string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	there := map[string]map[string]bool{}
	for i := range f.Queues {
		q := &f.Queues[i]
		seen := s.seen[q.Name]
		if seen == nil {
			seen = map[string]bool{}
		}
		there[q.Name] = seen
		gauge(queueShare, q.Share, q.Name)
		gauge(ownShare, q.Share, q.Name)
		overused := 0.0
		if q.Overused {
			overused = 1
		}
		gauge(queueOverused, overused, q.Name)
		if q.Plugin != "capacity" {
			gauge(queueWeight, q.Weight, q.Name)
		}
		for _, a := range queueAmounts {
			if a.capacityOnly && q.Plugin != "capacity" {
				continue
			}
			amounts := a.of(q)
			gauge(a.cpu, amounts["cpu"], q.Name)
			gauge(a.memory, amounts["memory"], q.Name)
			for resource := range amounts {
				seen[resource] = true
			}
			for resource := range seen {
				if resource != "cpu" && resource != "memory" {
					gauge(a.scalars, amounts[resource], q.Name, resource)
				}
			}
		}
	}
	s.seen = there
}
