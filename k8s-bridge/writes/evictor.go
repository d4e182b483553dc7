package writes

import (
	"context"
	"fmt"
	"time"

	"basalt.dev/basalt/k8s-bridge/kernel"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
)

// Evictor evicts pods: first the conditions that say why, then the DELETE of exactly this pod. A step that may have failed is done again until the API server
// says yes, or no for good: both can be repeated without harm, since both name the pod's uid.
type Evictor struct {
	client rest.Interface
	ended  func(w *kernel.Write, o Outcome, err error)
	flying chan struct{}
	first  time.Duration // wait before the second try
}

const (
	evictionsInFlight = 32
	mostWait          = 5 * time.Second
	// The conditions are for readers. A room that nobody frees is worse than an eviction that nobody explains.
	conditionTries = 4
)

// NewEvictor makes one; ended is called once for every eviction, from any goroutine, unless the context ends before.
func NewEvictor(client rest.Interface, ended func(*kernel.Write, Outcome, error)) *Evictor {
	return &Evictor{client: client, ended: ended, flying: make(chan struct{}, evictionsInFlight), first: 50 * time.Millisecond}
}

// Send starts evictions in the order in which they were decided; never blocks.
func (e *Evictor) Send(ctx context.Context, evictions []kernel.Write) {
	if len(evictions) == 0 {
		return
	}
	go func() {
		for _, w := range evictions {
			select {
			case e.flying <- struct{}{}:
			case <-ctx.Done():
				return
			}
			go func() {
				defer func() { <-e.flying }()
				e.send(ctx, &w)
			}()
		}
	}()
}

func (e *Evictor) send(ctx context.Context, w *kernel.Write) {
	if err := e.repeat(ctx, conditionTries, func(ctx context.Context) error {
		return whichPod(ctx, e.client, w, status(ctx, e.client, w))
	}); another(err) {
		e.ended(w, Done, nil) // this pod is gone already
		return
	}
	err := e.repeat(ctx, 0, func(ctx context.Context) error { return remove(ctx, e.client, w) })
	switch {
	case err == nil || another(err):
		e.ended(w, Done, nil)
	case ctx.Err() == nil:
		e.ended(w, outcomeOf(err), err)
	}
}

// repeat does a step until it is done or refused for good, at most so many times; 0: without end.
func (e *Evictor) repeat(ctx context.Context, most int, step func(context.Context) error) error {
	for try, wait := 1, e.first; ; try, wait = try+1, min(2*wait, mostWait) {
		request, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTimeout)
		err := step(request)
		cancel()
		if err == nil || another(err) || (outcomeOf(err) == Refused && !apierrors.IsTooManyRequests(err) && !apierrors.IsConflict(err)) || try == most {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}

// another says whether the pod that was meant is not there: none of the name, or one that was made anew.
func another(err error) bool { return apierrors.IsNotFound(err) || apierrors.IsGone(err) }

// remove deletes the pod with this uid. A conflict is told as "not found" where the pod of the name is another one.
func remove(ctx context.Context, client rest.Interface, w *kernel.Write) error {
	body := fmt.Appendf(nil, `{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":%q}}`, w.UID)
	err := client.Delete().AbsPath(path(w)).SetHeader("Content-Type", "application/json").Body(body).Do(ctx).Error()
	return whichPod(ctx, client, w, err)
}

// whichPod looks at the pod after a conflict: of the uid, or of a change in between.
func whichPod(ctx context.Context, client rest.Interface, w *kernel.Write, err error) error {
	if !apierrors.IsConflict(err) {
		return err
	}
	now, _, getting := pod(ctx, client, w)
	if getting != nil {
		if apierrors.IsNotFound(getting) {
			return getting
		}
		return err
	}
	if now != w.UID {
		return apierrors.NewNotFound(schemaOf(w), fmt.Sprintf("%s with uid %s", w.Name, w.UID))
	}
	return err
}
