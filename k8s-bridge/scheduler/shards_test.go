package scheduler

import (
	"fmt"
	"strings"
	"testing"

	"basalt.dev/basalt/k8s-bridge/kernel"
)

func nodeShard(name string, desired, inUse []string) string {
	quoted := func(list []string) string {
		if len(list) == 0 {
			return "[]"
		}
		return `["` + strings.Join(list, `","`) + `"]`
	}
	return fmt.Sprintf(`{"kind":"NodeShard","metadata":{"name":%q},"spec":{"nodesDesired":%s},"status":{"nodesInUse":%s}}`, name, quoted(desired), quoted(inUse))
}

func TestANodeIsOursOnceNobodyElseUsesIt(t *testing.T) {
	var entered []string
	s := newShards("volcano", nil, func(add func(*kernel.Records)) {
		var r kernel.Records
		add(&r)
		r.Each(func(kind uint16, payload []byte) {
			if kind == kernel.Shard {
				entered = append(entered, string(payload))
			}
		})
	})
	last := func() string {
		if len(entered) == 0 {
			return ""
		}
		return entered[len(entered)-1]
	}
	s.sink(func(r *kernel.Records) {
		r.Add(kernel.ListBegin, []byte("NodeShard"))
		r.Add(kernel.Upsert, []byte(`{"kind":"NodeShardList","items":[`+nodeShard("other", nil, []string{"c"})+"]}"))
		r.Add(kernel.ListEnd, []byte("NodeShard"))
	})
	if last() != "" || s.dirty {
		t.Errorf("our shard is not there: %s", last())
	}
	one := func(kind uint16, object string) {
		s.sink(func(r *kernel.Records) { r.Add(kind, []byte(object)) })
	}
	one(kernel.Upsert, nodeShard("volcano", []string{"c", "b", "a"}, nil))
	if last() != `["a","b"]` || !s.dirty {
		t.Errorf("c is still used by the other: %s", last())
	}
	one(kernel.Upsert, nodeShard("other", nil, nil))
	if last() != `["a","b","c"]` {
		t.Errorf("c is free: %s", last())
	}
	one(kernel.Remove, nodeShard("volcano", nil, nil))
	if last() != `["a","b","c"]` {
		t.Errorf("without our shard all stays: %s", last())
	}
	one(kernel.Upsert, nodeShard("volcano", []string{"a"}, []string{"a", "b", "c"}))
	if last() != `["a"]` || !s.dirty {
		t.Errorf("b and c go: %s", last())
	}
	if got := fmt.Sprint(without([]string{"c", "a"}, []string{"a"})); got != "[c]" {
		t.Error(got)
	}
}
