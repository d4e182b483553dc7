package recording

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"basalt.dev/basalt/k8s-bridge/kernel"
)

// objects keeps, blanked, what the kernel was told: for the begin of a file and for /debug/snapshot. It follows the kernel's rules: an older resourceVersion
// and the removal of another uid change nothing, what a list does not hold is gone.
type objects struct {
	kinds   map[string]map[string]item
	listing map[string]map[string]bool
	shard   []byte // nil: there are none
}

func newObjects() *objects {
	return &objects{kinds: map[string]map[string]item{}, listing: map[string]map[string]bool{}}
}

func (o *objects) put(i item) {
	if seen := o.listing[i.kind]; seen != nil {
		seen[i.key] = true
	}
	of := o.kinds[i.kind]
	if of == nil {
		of = map[string]item{}
		o.kinds[i.kind] = of
	}
	if old, there := of[i.key]; there && old.uid == i.uid && old.version > i.version {
		return
	}
	of[i.key] = i
}

func (o *objects) remove(i item) {
	if old, there := o.kinds[i.kind][i.key]; there && (i.uid == "" || old.uid == "" || old.uid == i.uid) {
		delete(o.kinds[i.kind], i.key)
	}
}

func (o *objects) begin(kind string) { o.listing[kind] = map[string]bool{} }

func (o *objects) end(kind string) {
	for key := range o.kinds[kind] {
		if !o.listing[kind][key] {
			delete(o.kinds[kind], key)
		}
	}
	delete(o.listing, kind)
}

func (o *objects) each(do func(item)) {
	for _, kind := range slices.Sorted(maps.Keys(o.kinds)) {
		for _, key := range slices.Sorted(maps.Keys(o.kinds[kind])) {
			do(o.kinds[kind][key])
		}
	}
}

// list is a `kind: List` of everything, with the configuration in force as a ConfigMap where there is one.
func (o *objects) list(conf string) []byte {
	var out bytes.Buffer
	out.WriteString(`{"apiVersion":"v1","kind":"List","items":[`)
	between := ""
	if conf != "" {
		text, _ := json.Marshal(conf)
		out.WriteString(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"scheduler-configuration","namespace":"volcano-system"},"data":{"volcano-scheduler.conf":`)
		out.Write(text)
		out.WriteString("}}")
		between = ",\n"
	}
	o.each(func(i item) {
		out.WriteString(between)
		out.Write(i.json)
		between = ",\n"
	})
	out.WriteString("]}\n")
	return out.Bytes()
}

// take follows a record and gives the lines of it for a recording.
func (o *objects) take(kind uint16, payload []byte) ([][]byte, error) {
	switch kind {
	case kernel.ListBegin:
		o.begin(string(payload))
		return [][]byte{named("begin", payload)}, nil
	case kernel.ListEnd:
		o.end(string(payload))
		return [][]byte{named("end", payload)}, nil
	case kernel.Shard:
		o.shard = append([]byte(nil), payload...)
		return [][]byte{member("shard", payload)}, nil
	case kernel.Result:
		return [][]byte{member("result", payload)}, nil
	case kernel.Remove:
		items, err := itemsOf(payload)
		lines := make([][]byte, 0, len(items))
		for _, i := range items {
			o.remove(i)
			lines = append(lines, member("del", i.json))
		}
		return lines, err
	case kernel.Upsert:
		items, err := itemsOf(payload)
		lines := make([][]byte, 0, len(items))
		for _, i := range items {
			o.put(i)
			lines = append(lines, member("put", i.json))
		}
		return lines, err
	}
	return nil, nil
}

// member is the line {"NAME":VALUE}.
func member(name string, value []byte) []byte {
	line := make([]byte, 0, len(name)+len(value)+5)
	line = append(line, `{"`...)
	line = append(line, name...)
	line = append(line, `":`...)
	line = append(line, value...)
	return append(line, '}')
}

func named(name string, value []byte) []byte {
	text, _ := json.Marshal(string(value))
	return member(name, text)
}
