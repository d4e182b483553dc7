// Package recording writes the stream that enters the kernel to a file from which `basalt schedule --replay` repeats every cycle, and keeps the objects that
// the kernel was told, for a new file's begin and for /debug/snapshot. What is secret or not read by the kernel is taken out first. Format: docs/recording.md.
package recording

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"basalt.dev/basalt/k8s-bridge/kernel"
	"k8s.io/klog/v2"
)

// Version of the format.
const Version = 1

// Options of a tape. File empty: nothing is written, objects are kept for snapshots.
type Options struct {
	File     string
	MaxBytes int64 // of FILE and FILE.1 together
	Kernel   kernel.Options
	// Assumed gives what the kernel knows beside the objects, for the begin of a file.
	Assumed func() ([]byte, error)
}

// Tape is owned by the goroutine that owns the kernel. A nil tape does nothing.
type Tape struct {
	options Options
	objects *objects
	conf    string
	file    *os.File
	out     *bufio.Writer
	written int64
}

// Open begins a recording. A file that is there already becomes FILE.1.
func Open(o Options) (*Tape, error) {
	t := &Tape{options: o, objects: newObjects()}
	if o.File == "" {
		return t, nil
	}
	if o.MaxBytes < 1<<20 {
		return nil, fmt.Errorf("a recording of %d bytes: at least 1 MiB is needed", o.MaxBytes)
	}
	if err := t.next(); err != nil {
		return nil, err
	}
	return t, nil
}

// next begins a file. The caller writes the state into it, where there is any.
func (t *Tape) next() error {
	if t.file != nil {
		t.flush()
		_ = t.file.Close()
		t.file = nil
	}
	if err := os.Rename(t.options.File, t.options.File+".1"); err != nil && !os.IsNotExist(err) {
		return err
	}
	file, err := os.OpenFile(t.options.File, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	t.file, t.out, t.written = file, bufio.NewWriterSize(file, 1<<16), 0
	names := t.options.Kernel.SchedulerNames
	if names == nil {
		names = []string{}
	}
	head, err := json.Marshal(map[string]any{"recording": Version, "schedulerNames": names, "defaultQueue": t.options.Kernel.DefaultQueue, "lenient": t.options.Kernel.Lenient,
		"nodeSelector": strings.Join(t.options.Kernel.NodeSelector, ",")})
	if err != nil {
		return err
	}
	t.line(head)
	return nil
}

func (t *Tape) stop(why error) {
	klog.Errorf("recording %s ends: %v", t.options.File, why)
	if t.file != nil {
		_ = t.file.Close()
	}
	t.file = nil
}

func (t *Tape) line(text []byte) {
	if t.file == nil {
		return
	}
	_, err := t.out.Write(text)
	if err == nil {
		err = t.out.WriteByte('\n')
	}
	t.written += int64(len(text)) + 1
	if err != nil {
		t.stop(err)
	}
}

func (t *Tape) flush() {
	if t.file == nil {
		return
	}
	if err := t.out.Flush(); err != nil {
		t.stop(err)
	}
}

// Config notes a configuration that the kernel has taken.
func (t *Tape) Config(text string) {
	if t == nil {
		return
	}
	t.conf = text
	t.line(named("config", []byte(text)))
}

// Records notes what the kernel is given.
func (t *Tape) Records(r *kernel.Records) {
	if t == nil {
		return
	}
	r.Each(func(kind uint16, payload []byte) {
		lines, err := t.objects.take(kind, payload)
		if err != nil {
			klog.Errorf("recording: %v", err)
		}
		for _, line := range lines {
			t.line(line)
		}
	})
}

// Recording says whether cycles have to be told.
func (t *Tape) Recording() bool { return t != nil && t.file != nil }

// Cycle notes a cycle with the hash of what it decided. A file that is half of all that is allowed is followed by a new one.
func (t *Tape) Cycle(nowNs int64, hash uint64) {
	if !t.Recording() {
		return
	}
	t.line(fmt.Appendf(nil, `{"cycle":%d,"hash":"%016x"}`, nowNs, hash))
	t.flush()
	if t.written > t.options.MaxBytes/2 {
		t.rotate()
	}
}

// rotate begins a file with all that is known, so that it can be replayed by itself.
func (t *Tape) rotate() {
	assumed, err := t.options.Assumed()
	if err == nil {
		err = t.next()
	}
	if err != nil {
		t.stop(err)
		return
	}
	t.line(named("config", []byte(t.conf)))
	t.objects.each(func(i item) { t.line(member("put", i.json)) })
	if t.objects.shard != nil {
		t.line(member("shard", t.objects.shard))
	}
	t.line(member("assumed", assumed))
	t.flush()
	if t.written > t.options.MaxBytes/2 {
		t.stop(fmt.Errorf("the cluster's state alone takes %d bytes, more than half of what is allowed", t.written))
	}
}

// Snapshot is a `kind: List` of what the kernel was told.
func (t *Tape) Snapshot() []byte { return t.objects.list(t.conf) }

// Close ends the file.
func (t *Tape) Close() {
	if t == nil || t.file == nil {
		return
	}
	t.flush()
	_ = t.file.Close()
	t.file = nil
}
