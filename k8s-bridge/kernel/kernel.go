// Package kernel is the Go side of the C door (kernel/include/basalt.h). A Kernel is owned by one goroutine at a time.
package kernel

/*
#cgo CFLAGS: -I${SRCDIR}/../../kernel/include
#cgo LDFLAGS: -L${SRCDIR}/../../build/release/lib -lbasalt -Wl,-rpath,$ORIGIN/../lib
#include <stdlib.h>
#include "basalt.h"
*/
import "C"

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unsafe"
)

// Record types, as in basalt.h.
const (
	Upsert    = uint16(C.BASALT_RECORD_UPSERT)
	Remove    = uint16(C.BASALT_RECORD_REMOVE)
	Config    = uint16(C.BASALT_RECORD_CONFIG)
	ListBegin = uint16(C.BASALT_RECORD_LIST_BEGIN)
	ListEnd   = uint16(C.BASALT_RECORD_LIST_END)
	Result    = uint16(C.BASALT_RECORD_RESULT)
	Shard     = uint16(C.BASALT_RECORD_SHARD)
)

// Kinds of writes, as in basalt.h.
const (
	Bind           = uint32(C.BASALT_WRITE_BIND)
	PodCondition   = uint32(C.BASALT_WRITE_POD_CONDITION)
	PodGroupStatus = uint32(C.BASALT_WRITE_PODGROUP_STATUS)
	QueueStatus    = uint32(C.BASALT_WRITE_QUEUE_STATUS)
	Evict          = uint32(C.BASALT_WRITE_EVICT)
	Event          = uint32(C.BASALT_WRITE_EVENT)
)

// Records collects records in the form that Apply takes: no pointers, padded.
type Records struct{ bytes []byte }

// Add appends one record; payloads are put together.
func (r *Records) Add(kind uint16, payload ...[]byte) {
	size := 0
	for _, p := range payload {
		size += len(p)
	}
	r.bytes = binary.NativeEndian.AppendUint32(r.bytes, uint32(size))
	r.bytes = binary.NativeEndian.AppendUint16(r.bytes, kind)
	r.bytes = binary.NativeEndian.AppendUint16(r.bytes, 0)
	for _, p := range payload {
		r.bytes = append(r.bytes, p...)
	}
	for len(r.bytes)%8 != 0 {
		r.bytes = append(r.bytes, 0)
	}
}

// Each goes through the records; payloads are only valid during the call.
func (r *Records) Each(do func(kind uint16, payload []byte)) {
	for rest := r.bytes; len(rest) >= 8; {
		size := int(binary.NativeEndian.Uint32(rest))
		do(binary.NativeEndian.Uint16(rest[4:]), rest[8:8+size])
		rest = rest[8+(size+7)/8*8:]
	}
}

// Empty says whether nothing was added since Reset.
func (r *Records) Empty() bool { return len(r.bytes) == 0 }

// Reset forgets the records and keeps the room.
func (r *Records) Reset() { r.bytes = r.bytes[:0] }

// Options of a kernel.
type Options struct {
	SchedulerNames []string
	DefaultQueue   string
	Threads        int
	Lenient        bool
	NodeSelector   []string // "key:value"; nodes with one of these labels are taken in, none: all
}

// Kernel is one engine.
type Kernel struct {
	engine *C.basalt_engine
	told   int
}

func text(t C.basalt_text) string { return C.GoStringN(t.data, C.int(t.size)) }

// Open makes an engine for a running cluster.
func Open(o Options) (*Kernel, error) {
	names, queue := C.CString(strings.Join(o.SchedulerNames, ",")), C.CString(o.DefaultQueue)
	defer C.free(unsafe.Pointer(names))
	defer C.free(unsafe.Pointer(queue))
	options := C.basalt_options{scheduler_names: names, default_queue: queue, threads: C.uint32_t(o.Threads)}
	options.size = C.size_t(unsafe.Sizeof(options))
	if len(o.NodeSelector) > 0 {
		selector := C.CString(strings.Join(o.NodeSelector, ","))
		defer C.free(unsafe.Pointer(selector))
		options.node_selector = selector
	}
	if o.Lenient {
		options.lenient = 1
	}
	k := &Kernel{}
	var why C.basalt_buffer
	defer C.basalt_buffer_free(&why)
	if status := C.basalt_open(&options, &k.engine, &why); status != C.BASALT_OK {
		return nil, fmt.Errorf("cannot open the kernel (status %d): %s", int(status), C.GoStringN(why.data, C.int(why.size)))
	}
	return k, nil
}

// Close frees the engine.
func (k *Kernel) Close() { C.basalt_close(k.engine) }

// Configure takes the text of volcano-scheduler.conf; an empty one means Volcano's built-in default. An error leaves the earlier configuration in force.
func (k *Kernel) Configure(conf, source string) error {
	name := C.CString(source)
	defer C.free(unsafe.Pointer(name))
	var t C.basalt_text
	if conf != "" {
		padded := append([]byte(conf), make([]byte, C.BASALT_PADDING_BYTES)...)
		data := C.CBytes(padded)
		defer C.free(data)
		t = C.basalt_text{data: (*C.char)(data), size: C.size_t(len(conf))}
	}
	if status := C.basalt_configure(k.engine, t, name); status != C.BASALT_OK {
		return errors.New(strings.Join(k.Diagnostics(), "; "))
	}
	return nil
}

// Apply hands records over. What cannot be read is told by Diagnostics.
func (k *Kernel) Apply(r *Records) error {
	if r.Empty() {
		return nil
	}
	size := len(r.bytes)
	padded := append(r.bytes, make([]byte, C.BASALT_PADDING_BYTES)...)
	r.bytes = padded[:size]
	if status := C.basalt_apply(k.engine, unsafe.Pointer(&padded[0]), C.size_t(size)); status != C.BASALT_OK {
		return fmt.Errorf("status %d", int(status))
	}
	return nil
}

// Diagnostics gives what has been found since the last call, as lines.
func (k *Kernel) Diagnostics() []string {
	var lines []string
	for i, n := 0, int(C.basalt_diagnostic_count(k.engine)); i < n; i++ {
		var d C.basalt_diagnostic
		if C.basalt_diagnostic_at(k.engine, C.size_t(i), &d) != C.BASALT_OK || d.severity == C.BASALT_NOTE {
			continue
		}
		line := ""
		for _, part := range []string{text(d.source), text(d.object), text(d.field)} {
			if part != "" {
				line += part + ": "
			}
		}
		lines = append(lines, line+text(d.message))
	}
	C.basalt_drop_diagnostics(k.engine)
	return lines
}

// Plan is what the caller needs to know of a cycle.
type Plan struct {
	Binds, Evicted int
	Waiting        int
	NextWakeupNs   int64
	DecideNs       int64
}

// Cycle decides once.
func (k *Kernel) Cycle(nowNs int64) (Plan, error) {
	var p C.basalt_plan
	p.size = C.size_t(unsafe.Sizeof(p))
	if status := C.basalt_cycle(k.engine, C.int64_t(nowNs), 0, &p); status != C.BASALT_OK {
		return Plan{}, fmt.Errorf("the cycle ended with status %d", int(status))
	}
	return Plan{Binds: int(p.bind_count), Evicted: int(p.evicted_count), Waiting: int(p.waiting_count), NextWakeupNs: int64(p.next_wakeup_ns), DecideNs: int64(p.decide_ns)}, nil
}

// Write is one thing the API server should hold.
type Write struct {
	Kind                                 uint32
	Urgent                               bool
	ObjectKind, Namespace, Name, UID     string
	Group, Node                          string
	Body                                 []byte
	EventType, EventReason, EventMessage string
	Created, GroupCreated                int64 // binds: seconds since 1970, 0: not known
}

// TakeWrites gives what the cycles since the last call want written.
func (k *Kernel) TakeWrites() ([]Write, error) {
	var first *C.basalt_write
	var count C.size_t
	if status := C.basalt_take_writes(k.engine, &first, &count); status != C.BASALT_OK {
		return nil, fmt.Errorf("taking writes ended with status %d", int(status))
	}
	writes := make([]Write, 0, int(count))
	for _, w := range unsafe.Slice(first, int(count)) {
		writes = append(writes, Write{
			Kind: uint32(w.kind), Urgent: w.urgent != 0, ObjectKind: text(w.object_kind), Namespace: text(w.namespace_), Name: text(w.name), UID: text(w.uid),
			Group: text(w.group), Node: text(w.node), Body: C.GoBytes(unsafe.Pointer(w.body.data), C.int(w.body.size)),
			EventType: text(w.event_type), EventReason: text(w.event_reason), EventMessage: text(w.event_message),
			Created: int64(w.created_seconds), GroupCreated: int64(w.group_created_seconds),
		})
	}
	return writes, nil
}
