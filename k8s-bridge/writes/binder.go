package writes

import (
	"context"
	"sync"
	"time"

	"basalt.dev/basalt/k8s-bridge/kernel"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
)

// Binder sends binds, many at a time, in the order in which they were decided, so that a gang goes together. How many are in flight follows the API server:
// one more for every bind that went well, half after a 429 or a request that took far longer than usual.
type Binder struct {
	client rest.Interface
	ended  func(w *kernel.Write, o Outcome, err error, took time.Duration)

	mu      sync.Mutex
	wake    *sync.Cond
	queue   []kernel.Write
	flying  int
	limit   int
	usual   time.Duration // moving average of a bind's time
	closing bool
}

const (
	leastInFlight, firstInFlight, mostInFlight = 4, 64, 512
	slowFactor                                 = 8
)

// NewBinder starts a binder; ended is called once for every bind, from any goroutine.
func NewBinder(ctx context.Context, client rest.Interface, ended func(*kernel.Write, Outcome, error, time.Duration)) *Binder {
	b := &Binder{client: client, ended: ended, limit: firstInFlight}
	b.wake = sync.NewCond(&b.mu)
	go b.run(ctx)
	go func() {
		<-ctx.Done()
		b.mu.Lock()
		b.closing = true
		b.wake.Broadcast()
		b.mu.Unlock()
	}()
	return b
}

// Send queues binds; never blocks.
func (b *Binder) Send(binds []kernel.Write) {
	b.mu.Lock()
	b.queue = append(b.queue, binds...)
	b.wake.Signal()
	b.mu.Unlock()
}

// Drain waits until nothing is in flight, at most this long. What was queued and not sent is dropped: it was promised to nobody.
func (b *Binder) Drain(most time.Duration) {
	until := time.Now().Add(most)
	for time.Now().Before(until) {
		b.mu.Lock()
		flying := b.flying
		b.mu.Unlock()
		if flying == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// InFlight is how many binds were sent and are not answered.
func (b *Binder) InFlight() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.flying
}

func (b *Binder) run(ctx context.Context) {
	for {
		b.mu.Lock()
		for !b.closing && (len(b.queue) == 0 || b.flying >= b.limit) {
			b.wake.Wait()
		}
		if b.closing {
			b.mu.Unlock()
			return
		}
		w := b.queue[0]
		b.queue = b.queue[1:]
		b.flying++
		b.mu.Unlock()
		go b.send(ctx, w)
	}
}

func (b *Binder) send(ctx context.Context, w kernel.Write) {
	// A request that is on its way is not torn off when the process is asked to end: it has its own deadline.
	request, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTimeout)
	defer cancel()
	start := time.Now()
	err := bind(request, b.client, &w)
	took := time.Since(start)
	outcome := outcomeOf(err)
	if outcome == Unknown {
		outcome, err = b.find(ctx, &w, err)
	}
	b.mu.Lock()
	b.flying--
	switch {
	case apierrors.IsTooManyRequests(err) || (b.usual > 0 && took > slowFactor*b.usual && took > 100*time.Millisecond):
		b.limit = max(b.limit/2, leastInFlight)
	case err == nil:
		b.limit = min(b.limit+1, mostInFlight)
	}
	if b.usual == 0 {
		b.usual = took
	}
	b.usual += (took - b.usual) / 16
	b.wake.Signal()
	b.mu.Unlock()
	b.ended(&w, outcome, err, took)
}

// find asks until the API server says whether a bind whose answer was lost took effect. The pod stays where it was placed meanwhile.
func (b *Binder) find(ctx context.Context, w *kernel.Write, cause error) (Outcome, error) {
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		request, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTimeout)
		uid, node, err := pod(request, b.client, w)
		cancel()
		switch {
		case apierrors.IsNotFound(err), err == nil && uid != w.UID, err == nil && node == "", err == nil && node != w.Node:
			return Refused, cause
		case err == nil:
			return Done, nil
		}
		select {
		case <-ctx.Done():
			return Unknown, cause
		case <-time.After(wait):
		}
	}
}
