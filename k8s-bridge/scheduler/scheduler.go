// Package scheduler joins the parts: watches feed the kernel, the kernel decides, writes go out, and what became of them feeds the kernel again. One goroutine
// owns the kernel.
package scheduler

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"basalt.dev/basalt/k8s-bridge/kernel"
	"basalt.dev/basalt/k8s-bridge/metrics"
	"basalt.dev/basalt/k8s-bridge/recording"
	"basalt.dev/basalt/k8s-bridge/watch"
	"basalt.dev/basalt/k8s-bridge/writes"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

// A cycle starts quiet after the last event, at latest impatient after the first one that was not taken into account.
const (
	quiet     = 5 * time.Millisecond
	impatient = 50 * time.Millisecond
	drainTime = 5 * time.Second
)

// Resources that are watched. All have to be listed once before the first cycle.
var Resources = []watch.Resource{
	{Kind: "Node", Path: "/api/v1/nodes"},
	{Kind: "Pod", Path: "/api/v1/pods"},
	{Kind: "PriorityClass", Path: "/apis/scheduling.k8s.io/v1/priorityclasses"},
	{Kind: "PodGroup", Path: "/apis/scheduling.volcano.sh/v1beta1/podgroups", Custom: true},
	{Kind: "ResourceQuota", Path: "/api/v1/resourcequotas"},
	{Kind: "PodDisruptionBudget", Path: "/apis/policy/v1/poddisruptionbudgets"},
	{Kind: "Queue", Path: "/apis/scheduling.volcano.sh/v1beta1/queues", Custom: true},
}

// Config is what the scheduler needs to run.
type Config struct {
	SchedulerNames []string
	DefaultQueue   string
	Period         time.Duration
	Lenient        bool
	NodeSelector   []string       // "key:value", see kernel.Options
	Shard          string         // name of our NodeShard; empty: every node is ours
	Watches, Api   rest.Interface // raw clients: for lists and watches, and for writes
	Events         record.EventRecorder
	// Conf gives the configuration's text when it is new; called often.
	Conf func() (text string, changed bool, err error)
	// Record is the file for the recording, at most RecordMax bytes together with its predecessor; empty: none. Keep: objects are kept for Snapshot.
	Record    string
	RecordMax int64
	Keep      bool
}

// Scheduler is one instance.
type Scheduler struct {
	config Config
	kernel *kernel.Kernel

	mu       sync.Mutex
	incoming kernel.Records // guarded by mu
	first    time.Time      // of the events in incoming; zero: none
	last     time.Time
	wake     chan struct{}
	asked    chan func()     // see Ask
	tape     *recording.Tape // nil: nothing is recorded and no snapshot handed out

	leading bool     // guarded by mu
	missing []string // guarded by mu: resources whose first list is not in yet
	binder  *writes.Binder
	evictor *writes.Evictor
	status  *writes.Statuses
	shards  *shards // nil: the cluster is not divided
}

// New opens the kernel and takes the configuration.
func New(c Config) (*Scheduler, error) {
	options := kernel.Options{SchedulerNames: c.SchedulerNames, DefaultQueue: c.DefaultQueue, Threads: 1, Lenient: c.Lenient, NodeSelector: c.NodeSelector}
	k, err := kernel.Open(options)
	if err != nil {
		return nil, err
	}
	s := &Scheduler{config: c, kernel: k, wake: make(chan struct{}, 1), asked: make(chan func())}
	for _, r := range Resources {
		s.missing = append(s.missing, r.Path)
	}
	if c.Shard != "" {
		s.shards = newShards(c.Shard, c.Api, s.feed)
		s.missing = append(s.missing, shardsPath)
	}
	text, _, err := c.Conf()
	if err != nil {
		return nil, err
	}
	if err := k.Configure(text, "scheduler configuration"); err != nil {
		return nil, fmt.Errorf("scheduler configuration: %w", err)
	}
	if c.Record != "" || c.Keep {
		if s.tape, err = recording.Open(recording.Options{File: c.Record, MaxBytes: c.RecordMax, Kernel: options, Assumed: k.Assumed}); err != nil {
			return nil, fmt.Errorf("recording: %w", err)
		}
		s.tape.Config(text)
	}
	for _, line := range k.Diagnostics() {
		klog.Warning(line)
	}
	return s, nil
}

// feed takes records in from any goroutine.
func (s *Scheduler) feed(add func(*kernel.Records)) {
	now := time.Now()
	s.mu.Lock()
	add(&s.incoming)
	if s.first.IsZero() {
		s.first = now
	}
	s.last = now
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Lead says whether this process may decide and write.
func (s *Scheduler) Lead(leading bool) {
	s.mu.Lock()
	s.leading = leading
	s.mu.Unlock()
	if leading {
		metrics.Leader.Set(1)
	} else {
		metrics.Leader.Set(0)
	}
	s.feed(func(*kernel.Records) {})
}

// Leading says whether this process may decide and write now.
func (s *Scheduler) Leading() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.leading
}

// Missing names the resources whose first list is not in yet; ready is who misses none.
func (s *Scheduler) Missing() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.missing
}

// Run works until the context ends, then lets the binds that are in flight finish.
func (s *Scheduler) Run(ctx context.Context) error {
	binder := writes.NewBinder(ctx, s.config.Api, s.bound)
	s.mu.Lock()
	s.binder = binder
	s.mu.Unlock()
	s.evictor = writes.NewEvictor(s.config.Api, s.evicted)
	s.status = writes.NewStatuses(ctx, s.config.Api, max(s.config.Period, 100*time.Millisecond), s.written)
	var reflectors []*watch.Reflect
	for _, r := range Resources {
		reflectors = append(reflectors, watch.Start(ctx, s.config.Watches, r, s.feed))
	}
	if s.shards != nil {
		s.shards.enter() // none are ours until our shard says so
		reflectors = append(reflectors, watch.Start(ctx, s.config.Watches, shardResource, s.shards.sink))
	}
	if err := s.waitForLists(ctx, reflectors); err != nil {
		return err
	}
	s.feed(func(*kernel.Records) {}) // the lists are events, too
	timer := time.NewTimer(0)
	defer timer.Stop()
	var next time.Time // when the kernel wants to be asked again; zero: only after an event
	for {
		select {
		case <-ctx.Done():
			s.binder.Drain(drainTime)
			s.tape.Close()
			return nil
		case do := <-s.asked:
			do()
			continue
		case <-s.wake:
		case <-timer.C:
		}
		wait := s.due(next)
		if wait > 0 {
			timer.Reset(wait)
			continue
		}
		if wait < 0 {
			timer.Reset(s.config.Period) // nothing to do: look at the configuration now and then
			s.reconfigure()
			continue
		}
		var err error
		if next, err = s.cycle(ctx); err != nil {
			return err
		}
		timer.Reset(max(time.Until(next), quiet))
		if next.IsZero() {
			timer.Reset(s.config.Period)
		}
	}
}

// due says how long until a cycle should start: 0 now, below 0 there is no need for one.
func (s *Scheduler) due(next time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	wait := time.Duration(-1)
	if !s.first.IsZero() {
		wait = max(min(s.last.Add(quiet).Sub(now), s.first.Add(impatient).Sub(now)), 0)
	}
	if !next.IsZero() {
		if until := max(next.Sub(now), 0); wait < 0 || until < wait {
			wait = until
		}
	}
	return wait
}

func (s *Scheduler) waitForLists(ctx context.Context, reflectors []*watch.Reflect) error {
	told := time.Now()
	for {
		var missing []string
		for _, r := range reflectors {
			if !r.Synced() {
				missing = append(missing, r.Resource.Path)
			}
		}
		s.apply()
		s.mu.Lock()
		s.missing = missing
		s.mu.Unlock()
		if len(missing) == 0 {
			return nil
		}
		if time.Since(told) > 10*time.Second {
			told = time.Now()
			klog.Warningf("waiting for the first list of %s: is the CRD installed, and may this account list it?", strings.Join(missing, ", "))
		}
		select {
		case <-ctx.Done():
			return nil
		case do := <-s.asked:
			do()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// apply hands what has come in to the kernel.
func (s *Scheduler) apply() {
	s.mu.Lock()
	records := s.incoming
	s.incoming = kernel.Records{}
	s.first = time.Time{}
	s.mu.Unlock()
	s.tape.Records(&records)
	if err := s.kernel.Apply(&records); err != nil {
		klog.Errorf("records that cannot be read: %v", err)
	}
	s.tell()
}

func (s *Scheduler) tell() {
	for _, line := range s.kernel.Diagnostics() {
		metrics.Diagnostics.Inc()
		klog.Warning(line)
	}
}

func (s *Scheduler) reconfigure() {
	text, changed, err := s.config.Conf()
	if err != nil {
		metrics.ConfigReloads.WithLabelValues("unreadable").Inc()
		klog.Errorf("scheduler configuration: %v; the one in force stays", err)
		return
	}
	if !changed {
		return
	}
	if err := s.kernel.Configure(text, "scheduler configuration"); err != nil {
		metrics.ConfigReloads.WithLabelValues("refused").Inc()
		klog.Errorf("scheduler configuration refused, the one in force stays: %v", err)
		return
	}
	metrics.ConfigReloads.WithLabelValues("taken").Inc()
	s.tape.Config(text)
	klog.Info("scheduler configuration taken")
	s.feed(func(*kernel.Records) {})
}

// cycle takes events in, decides, and hands the writes out. It gives the time of the next one, zero where only an event can change anything.
func (s *Scheduler) cycle(ctx context.Context) (time.Time, error) {
	start := time.Now()
	s.reconfigure()
	if s.shards != nil {
		s.shards.begin()
	}
	s.apply()
	if !s.Leading() {
		return time.Time{}, nil
	}
	applied := time.Now()
	plan, err := s.kernel.Cycle(start.UnixNano())
	if err != nil {
		return time.Time{}, err
	}
	decided := time.Now()
	if s.tape.Recording() {
		hash, err := s.kernel.CycleHash()
		if err != nil {
			return time.Time{}, err
		}
		s.tape.Cycle(start.UnixNano(), hash)
	}
	wanted, err := s.kernel.TakeWrites()
	if err != nil {
		return time.Time{}, err
	}
	var binds, evictions []kernel.Write
	for _, w := range wanted {
		switch w.Kind {
		case kernel.Bind:
			s.status.Drop(&w)
			binds = append(binds, w)
		case kernel.Evict:
			s.status.Drop(&w)
			evictions = append(evictions, w)
		case kernel.Event:
			s.config.Events.Event(reference(&w), w.EventType, w.EventReason, w.EventMessage)
		case kernel.PodCondition, kernel.PodGroupStatus, kernel.QueueStatus:
			s.status.Put(w)
		}
	}
	s.evictor.Send(ctx, evictions)
	s.binder.Send(binds)
	if s.shards != nil {
		s.shards.publish(ctx)
	}
	s.observe(start, applied, decided, binds)
	took := time.Since(start)
	if plan.Binds > 0 || plan.Evicted > 0 {
		klog.V(2).Infof("%d pods placed, %d evicted, %d wait; decided in %v, cycle %v", plan.Binds, plan.Evicted, plan.Waiting, time.Duration(plan.DecideNs), took)
	}
	s.tell()
	switch {
	case plan.NextWakeupNs > 0:
		return time.Unix(0, plan.NextWakeupNs), nil
	case plan.Waiting > 0:
		return start.Add(s.config.Period), nil
	}
	return time.Time{}, nil
}

func reference(w *kernel.Write) *corev1.ObjectReference {
	ref := &corev1.ObjectReference{Kind: w.ObjectKind, APIVersion: "v1", Namespace: w.Namespace, Name: w.Name, UID: types.UID(w.UID)}
	if w.ObjectKind != "Pod" {
		ref.APIVersion = "scheduling.volcano.sh/v1beta1"
	}
	return ref
}

func (s *Scheduler) bound(w *kernel.Write, o writes.Outcome, err error, took time.Duration) {
	metrics.Writes.WithLabelValues(writes.KindName(w), string(o)).Inc()
	metrics.Stages.WithLabelValues("Bind").Observe(metrics.Milliseconds(took))
	if o == writes.Done {
		metrics.PodsBound.Inc()
		metrics.Tasks.WithLabelValues("Bound").Observe(metrics.Since(w.Created, time.Now()))
		s.config.Events.Eventf(reference(w), corev1.EventTypeNormal, "Scheduled", "Successfully assigned %s/%s to %s", w.Namespace, w.Name, w.Node)
		return // the watch tells the kernel
	}
	klog.Warningf("bind of %s/%s to %s: %s: %v", w.Namespace, w.Name, w.Node, o, err)
	s.feed(func(r *kernel.Records) { r.Add(kernel.Result, writes.ResultRecord(w, o, err)) })
}

func (s *Scheduler) evicted(w *kernel.Write, o writes.Outcome, err error) {
	metrics.Writes.WithLabelValues(writes.KindName(w), string(o)).Inc()
	if o == writes.Done {
		s.config.Events.Event(reference(w), w.EventType, w.EventReason, w.EventMessage)
		klog.V(2).Infof("%s/%s on %s: %s", w.Namespace, w.Name, w.Node, w.EventMessage)
		return // the watch tells the kernel
	}
	klog.Warningf("eviction of %s/%s from %s: %s: %v", w.Namespace, w.Name, w.Node, o, err)
	s.feed(func(r *kernel.Records) { r.Add(kernel.Result, writes.ResultRecord(w, o, err)) })
}

func (s *Scheduler) written(w *kernel.Write, o writes.Outcome, err error) {
	metrics.Writes.WithLabelValues(writes.KindName(w), string(o)).Inc()
	if o == writes.Done {
		if w.EventType != "" {
			s.config.Events.Event(reference(w), w.EventType, w.EventReason, w.EventMessage)
		}
		return
	}
	klog.V(2).Infof("%s %s/%s: status not written: %v", w.ObjectKind, w.Namespace, w.Name, err)
	s.feed(func(r *kernel.Records) { r.Add(kernel.Result, writes.ResultRecord(w, o, err)) })
}
