package writes

import (
	"context"
	"sync"
	"time"

	"basalt.dev/basalt/k8s-bridge/kernel"
	"k8s.io/client-go/rest"
)

// Statuses writes conditions and statuses, at most one per object and period; of several values the last one is written, and none where it has become needless
// (the pod was bound meanwhile).
type Statuses struct {
	client rest.Interface
	period time.Duration
	ended  func(w *kernel.Write, o Outcome, err error)

	mu      sync.Mutex
	pending map[string]*waiting
	flying  chan struct{}
}

type waiting struct {
	write kernel.Write
	due   time.Time
	busy  bool // one is on its way; the next waits for it
	dirty bool
}

const statusesInFlight = 16

// NewStatuses starts a writer.
func NewStatuses(ctx context.Context, client rest.Interface, period time.Duration, ended func(*kernel.Write, Outcome, error)) *Statuses {
	s := &Statuses{client: client, period: period, ended: ended, pending: map[string]*waiting{}, flying: make(chan struct{}, statusesInFlight)}
	go s.run(ctx)
	return s
}

func keyOf(w *kernel.Write) string { return w.ObjectKind + "/" + w.Namespace + "/" + w.Name }

// Put takes a value; a later one of the same object takes its place.
func (s *Statuses) Put(w kernel.Write) {
	s.mu.Lock()
	defer s.mu.Unlock()
	entry := s.pending[keyOf(&w)]
	if entry == nil {
		entry = &waiting{due: time.Now().Add(s.period)}
		s.pending[keyOf(&w)] = entry
	}
	entry.write, entry.dirty = w, true
	if w.Urgent {
		entry.due = time.Now()
	}
}

// Drop forgets what waits for a pod.
func (s *Statuses) Drop(w *kernel.Write) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if entry := s.pending[keyOf(w)]; entry != nil {
		entry.dirty = false
		if !entry.busy {
			delete(s.pending, keyOf(w))
		}
	}
}

func (s *Statuses) run(ctx context.Context) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := time.Now()
		var ready []kernel.Write
		s.mu.Lock()
		for _, entry := range s.pending {
			if entry.dirty && !entry.busy && !now.Before(entry.due) {
				entry.busy, entry.dirty = true, false
				ready = append(ready, entry.write)
			}
		}
		s.mu.Unlock()
		for _, w := range ready {
			s.flying <- struct{}{}
			go s.send(ctx, w)
		}
	}
}

func (s *Statuses) send(ctx context.Context, w kernel.Write) {
	request, cancel := context.WithTimeout(ctx, requestTimeout)
	err := status(request, s.client, &w)
	cancel()
	<-s.flying
	s.mu.Lock()
	if entry := s.pending[keyOf(&w)]; entry != nil {
		entry.busy = false
		if entry.dirty {
			entry.due = time.Now().Add(s.period)
		} else {
			delete(s.pending, keyOf(&w))
		}
	}
	s.mu.Unlock()
	s.ended(&w, outcomeOf(err), err)
}
