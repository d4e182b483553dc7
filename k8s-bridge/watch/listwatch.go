package watch

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// Resource is what is listed and watched.
type Resource struct {
	Kind   string // "Pod"
	Path   string // "/api/v1/pods"
	Custom bool   // a custom resource
}

// pages lists by pages and not by a stream of single objects: a page enters the kernel whole, and nothing is kept by name here.
type pages struct{ *cache.ListWatch }

// IsWatchListSemanticsUnSupported is how client-go is told.
func (pages) IsWatchListSemanticsUnSupported() bool { return true }

// listWatch serves a reflector with raw bytes.
func listWatch(client rest.Interface, r Resource) cache.ListerWatcher {
	list := func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		page, err := client.Get().AbsPath(r.Path).SpecificallyVersionedParams(&options, metav1.ParameterCodec, schema.GroupVersion{Version: "v1"}).SetHeader("Accept", "application/json").DoRaw(ctx)
		if err != nil {
			return nil, err
		}
		var head struct {
			Metadata metav1.ListMeta `json:"metadata"`
		}
		if err := json.Unmarshal(page, &head); err != nil {
			return nil, fmt.Errorf("list of %s: %w", r.Kind, err)
		}
		return &RawList{ListMeta: head.Metadata, Items: []runtime.Object{&Raw{JSON: page}}}, nil
	}
	stream := func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
		options.Watch = true
		ctx, cancel := context.WithCancel(ctx)
		body, err := client.Get().AbsPath(r.Path).SpecificallyVersionedParams(&options, metav1.ParameterCodec, schema.GroupVersion{Version: "v1"}).SetHeader("Accept", "application/json").Stream(ctx)
		if err != nil {
			cancel()
			return nil, err
		}
		w := &frames{resource: r, body: body, cancel: cancel, results: make(chan watch.Event, 256), stopped: make(chan struct{})}
		go w.run()
		return w, nil
	}
	return pages{&cache.ListWatch{ListWithContextFunc: list, WatchFuncWithContext: stream}}
}

// frames turns a watch's lines into events.
type frames struct {
	resource Resource
	body     io.ReadCloser
	cancel   context.CancelFunc
	results  chan watch.Event
	stopped  chan struct{}
	once     sync.Once
}

func (f *frames) ResultChan() <-chan watch.Event { return f.results }

func (f *frames) Stop() {
	f.once.Do(func() {
		close(f.stopped)
		f.cancel()
	})
}

func (f *frames) run() {
	defer close(f.results)
	defer f.body.Close()
	lines := bufio.NewReaderSize(f.body, 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 && err == nil {
			event, bad := eventOf(line, f.resource)
			if bad != nil {
				return // a line that is cut or garbled: the reflector watches again
			}
			select {
			case f.results <- event:
			case <-f.stopped:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

var (
	typeKey   = []byte(`{"type":"`)
	objectKey = []byte(`","object":`)
)

// eventOf splits a frame by hand, in the form in which the API server writes it, so that the object is not parsed here.
func eventOf(line []byte, r Resource) (watch.Event, error) {
	line = bytes.TrimSpace(line)
	if !bytes.HasPrefix(line, typeKey) || !bytes.HasSuffix(line, []byte("}")) {
		return watch.Event{}, fmt.Errorf("not a watch frame")
	}
	at := bytes.Index(line, objectKey)
	if at < 0 {
		return watch.Event{}, fmt.Errorf("a watch frame without an object")
	}
	kind, object := watch.EventType(line[len(typeKey):at]), line[at+len(objectKey):len(line)-1]
	switch kind {
	case watch.Error:
		status := &metav1.Status{}
		err := json.Unmarshal(object, status)
		return watch.Event{Type: kind, Object: status}, err
	case watch.Bookmark:
		raw := &Raw{}
		var head struct {
			Metadata metav1.ObjectMeta `json:"metadata"`
		}
		err := json.Unmarshal(object, &head)
		raw.ResourceVersion, raw.Annotations = head.Metadata.ResourceVersion, head.Metadata.Annotations
		return watch.Event{Type: kind, Object: raw}, err
	}
	version, err := versionOf(object, r.Custom)
	raw := &Raw{JSON: object}
	raw.ResourceVersion = version
	return watch.Event{Type: kind, Object: raw}, err
}
