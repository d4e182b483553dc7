package scheduler

import (
	"context"
	"time"

	"basalt.dev/basalt/k8s-bridge/kernel"
	"basalt.dev/basalt/k8s-bridge/metrics"
)

// Ask lets the goroutine that owns the kernel do something with it, and waits for that. It is not asked while it decides, and not before Run.
func (s *Scheduler) Ask(ctx context.Context, do func(*kernel.Kernel)) error {
	done := make(chan struct{})
	work := func() {
		defer close(done)
		do(s.kernel)
	}
	select {
	case s.asked <- work:
	case <-ctx.Done():
		return ctx.Err()
	}
	<-done
	return nil
}

// Figures gives the document from which metrics are made.
func (s *Scheduler) Figures(ctx context.Context) (document []byte, err error) {
	if asked := s.Ask(ctx, func(k *kernel.Kernel) { document, err = k.FiguresJSON() }); asked != nil {
		return nil, asked
	}
	return document, err
}

// Snapshot gives what the kernel was told as a `kind: List`, without secrets. Only where Config.Keep was set.
func (s *Scheduler) Snapshot(ctx context.Context) (list []byte, err error) {
	err = s.Ask(ctx, func(*kernel.Kernel) { list = s.tape.Snapshot() })
	return list, err
}

// InFlight is how many binds were sent and are not answered.
func (s *Scheduler) InFlight() int {
	s.mu.Lock()
	binder := s.binder
	s.mu.Unlock()
	if binder == nil {
		return 0
	}
	return binder.InFlight()
}

// observe tells metrics of a cycle: where its time went, and how long pods and PodGroups waited for it.
func (s *Scheduler) observe(start, applied, decided time.Time, binds []kernel.Write) {
	now := time.Now()
	metrics.E2E.Observe(metrics.Milliseconds(now.Sub(start)))
	metrics.Cycle.Observe(now.Sub(start).Seconds())
	metrics.Stage.WithLabelValues("apply").Observe(applied.Sub(start).Seconds())
	metrics.Stage.WithLabelValues("decide").Observe(decided.Sub(applied).Seconds())
	metrics.Stage.WithLabelValues("writes").Observe(now.Sub(decided).Seconds())
	var open time.Duration
	times := s.kernel.StageTimes()
	for _, t := range times {
		switch t.Stage {
		case kernel.OpenPlugin:
			open += t.Took
			metrics.Plugin.WithLabelValues(t.Name, "OnSessionOpen").Observe(metrics.Milliseconds(t.Took))
		case kernel.Action:
			metrics.Action.WithLabelValues(t.Name).Observe(metrics.Milliseconds(t.Took))
		}
	}
	if len(times) > 0 {
		metrics.OpenSession.Observe(metrics.Milliseconds(open))
	}
	groups := map[string]bool{}
	for i := range binds {
		w := &binds[i]
		metrics.Tasks.WithLabelValues("Assumed").Observe(metrics.Since(w.Created, decided))
		if w.Group != "" && !groups[w.Group] {
			groups[w.Group] = true
			metrics.Job.Observe(metrics.Since(w.GroupCreated, decided))
		}
	}
}
