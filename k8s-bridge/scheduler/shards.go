package scheduler

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"basalt.dev/basalt/k8s-bridge/kernel"
	"basalt.dev/basalt/k8s-bridge/watch"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
)

const shardsPath = "/apis/shard.volcano.sh/v1alpha1/nodeshards"

var shardResource = watch.Resource{Kind: "NodeShard", Path: shardsPath, Custom: true}

// shards follows the NodeShards that divide the cluster among schedulers. Ours are the nodes that our shard desires and that nobody else still uses. A change
// enters the kernel between two cycles, and only then is it told to the others: a node that we give away is told after the last cycle that could use it.
type shards struct {
	name   string
	client rest.Interface
	feed   func(func(*kernel.Records))

	mu        sync.Mutex
	known     map[string]shard
	listing   map[string]bool // null: no list is coming in
	available []string        // sorted; what the kernel is told
	told      bool            // that our shard is not there
	dirty     bool            // what is available differs from what the others know
	inForce   []string        // available when the kernel was last given what was fed; nil: nothing is to be told
	busy      bool            // a publication is on its way
}

type shard struct{ desired, inUse []string }

func newShards(name string, client rest.Interface, feed func(func(*kernel.Records))) *shards {
	return &shards{name: name, client: client, feed: feed, known: map[string]shard{}}
}

// sink takes what the watch brings; the kernel does not know this kind.
func (s *shards) sink(add func(*kernel.Records)) {
	var records kernel.Records
	add(&records)
	s.mu.Lock()
	defer s.mu.Unlock()
	records.Each(func(kind uint16, payload []byte) {
		if err := s.take(kind, payload); err != nil {
			klog.Errorf("NodeShard: %v", err)
		}
	})
	if s.listing == nil {
		s.recompute()
	}
}

type shardObject struct {
	Metadata struct{ Name string }
	Spec     struct{ NodesDesired []string }
	Status   struct{ NodesInUse []string }
	Items    *[]shardObject
}

func (s *shards) take(kind uint16, payload []byte) error {
	switch kind {
	case kernel.ListBegin:
		s.listing = map[string]bool{}
		return nil
	case kernel.ListEnd:
		for name := range s.known {
			if !s.listing[name] {
				delete(s.known, name)
			}
		}
		s.listing = nil
		return nil
	}
	var o shardObject
	if err := json.Unmarshal(payload, &o); err != nil {
		return err
	}
	objects := []shardObject{o}
	if o.Items != nil {
		objects = *o.Items
	}
	for _, o := range objects {
		if kind == kernel.Remove {
			delete(s.known, o.Metadata.Name)
			continue
		}
		s.known[o.Metadata.Name] = shard{desired: o.Spec.NodesDesired, inUse: o.Status.NodesInUse}
		if s.listing != nil {
			s.listing[o.Metadata.Name] = true
		}
	}
	return nil
}

// recompute finds what is ours. Where our shard is not there, what was ours stays ours, as in Volcano: at the start that is nothing.
func (s *shards) recompute() {
	own, there := s.known[s.name]
	if !there {
		if !s.told {
			s.told = true
			klog.Errorf("NodeShard %s (--scheduler-sharding-name) is not there: no other nodes are used than up to now", s.name)
		}
		return
	}
	s.told = false
	taken := map[string]bool{}
	for name, other := range s.known {
		if name != s.name {
			for _, node := range other.inUse {
				taken[node] = true
			}
		}
	}
	available := []string{}
	for _, node := range own.desired {
		if !taken[node] {
			available = append(available, node)
		}
	}
	slices.Sort(available)
	available = slices.Compact(available)
	if !slices.Equal(available, s.available) {
		s.available = available
		s.enter()
	}
	if !slices.Equal(available, sorted(own.inUse)) {
		s.dirty = true
		s.feed(func(*kernel.Records) {}) // a cycle publishes it
	}
}

// enter gives the kernel what is ours.
func (s *shards) enter() {
	names, _ := json.Marshal(append([]string{}, s.available...))
	s.feed(func(r *kernel.Records) { r.Add(kernel.Shard, names) })
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

// begin notes, before the kernel is given what was fed, what will then be in force. What is fed later waits for the next cycle.
func (s *shards) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inForce = nil
	if s.dirty && !s.busy {
		s.inForce = append([]string{}, s.available...)
	}
}

// publish tells the others, after a cycle, what was in force in it.
func (s *shards) publish(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inForce == nil {
		return
	}
	inUse, own := s.inForce, s.known[s.name]
	s.inForce, s.busy, s.dirty = nil, true, !slices.Equal(s.available, inUse)
	go func() {
		err := s.write(ctx, inUse, own.desired)
		if err != nil && ctx.Err() == nil {
			klog.Errorf("NodeShard %s: status not written: %v", s.name, err)
			time.Sleep(time.Second)
		}
		s.mu.Lock()
		s.busy = false
		again := err != nil || s.dirty
		s.dirty = again
		s.mu.Unlock()
		if again && ctx.Err() == nil {
			s.feed(func(*kernel.Records) {})
		}
	}()
}

// write puts the status, which is all that Volcano's role allows; another's change in between makes it read again.
func (s *shards) write(ctx context.Context, inUse, desired []string) error {
	var last error
	for range 3 {
		raw, err := s.client.Get().AbsPath(shardsPath+"/"+s.name).SetHeader("Accept", "application/json").DoRaw(ctx)
		if err != nil {
			return err
		}
		var object map[string]any
		if err := json.Unmarshal(raw, &object); err != nil {
			return err
		}
		status, _ := object["status"].(map[string]any)
		if status == nil {
			status = map[string]any{}
		}
		status["nodesInUse"], status["nodesToAdd"], status["nodesToRemove"] = inUse, without(desired, inUse), without(inUse, desired)
		object["status"] = status
		body, err := json.Marshal(object)
		if err != nil {
			return err
		}
		last = s.client.Put().AbsPath(shardsPath+"/"+s.name+"/status").SetHeader("Content-Type", "application/json").Body(body).Do(ctx).Error()
		if !apierrors.IsConflict(last) {
			return last
		}
	}
	return fmt.Errorf("changed by others again and again: %w", last)
}

// without gives what is in one list and not in the other, sorted.
func without(list, other []string) []string {
	out := []string{}
	for _, name := range sorted(list) {
		if !slices.Contains(other, name) {
			out = append(out, name)
		}
	}
	return out
}
