package watch

import (
	"context"
	"sync/atomic"

	"basalt.dev/basalt/k8s-bridge/kernel"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// Sink takes records; it must not keep the payloads and never blocks for long.
type Sink func(add func(*kernel.Records))

// Reflect keeps the kernel's view of a resource up to date until the context ends: lists, watches, resumes, lists again after 410.
type Reflect struct {
	Resource Resource
	synced   atomic.Bool
	sink     Sink
}

// Start begins; Synced tells when the first list has been handed over.
func Start(ctx context.Context, client rest.Interface, r Resource, sink Sink) *Reflect {
	reflect := &Reflect{Resource: r, sink: sink}
	reflector := cache.NewReflectorWithOptions(listWatch(client, r), &Raw{}, reflect, cache.ReflectorOptions{Name: "basalt", TypeDescription: r.Kind})
	go reflector.RunWithContext(ctx)
	return reflect
}

// Synced says whether the first list has been handed over.
func (r *Reflect) Synced() bool { return r.synced.Load() }

func (r *Reflect) one(kind uint16, object any) {
	if raw, ok := object.(*Raw); ok {
		r.sink(func(records *kernel.Records) { records.Add(kind, raw.JSON) })
	}
}

// Add is part of cache.ReflectorStore.
func (r *Reflect) Add(object any) error { r.one(kernel.Upsert, object); return nil }

// Update is part of cache.ReflectorStore.
func (r *Reflect) Update(object any) error { r.one(kernel.Upsert, object); return nil }

// Delete is part of cache.ReflectorStore.
func (r *Reflect) Delete(object any) error { r.one(kernel.Remove, object); return nil }

// Resync is part of cache.ReflectorStore.
func (r *Reflect) Resync() error { return nil }

// Replace takes a whole list: what it does not hold is gone.
func (r *Reflect) Replace(pages []any, _ string) error {
	r.sink(func(records *kernel.Records) {
		records.Add(kernel.ListBegin, []byte(r.Resource.Kind))
		for _, page := range pages {
			if raw, ok := page.(*Raw); ok {
				records.Add(kernel.Upsert, raw.JSON)
			}
		}
		records.Add(kernel.ListEnd, []byte(r.Resource.Kind))
	})
	r.synced.Store(true)
	return nil
}
