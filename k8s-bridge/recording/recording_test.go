package recording

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"basalt.dev/basalt/k8s-bridge/kernel"
)

const podWithSecrets = `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"n","uid":"u","resourceVersion":"7","managedFields":[{"manager":"SECRET"}],
"annotations":{"scheduling.k8s.io/group-name":"g","kubectl.kubernetes.io/last-applied-configuration":"SECRET","who/knows":"SECRET"}},
"spec":{"schedulerName":"volcano","containers":[{"name":"c","image":"i","env":[{"name":"A","value":"SECRET"}],"command":["SECRET"],"args":["SECRET"],"envFrom":["SECRET"],
"livenessProbe":{"exec":{"command":["SECRET"]}},"resources":{"requests":{"cpu":"1","big":12345678901234567890}}}],"initContainers":[{"name":"i","command":["SECRET"]}]}}`

func TestSecretsAreTakenOutAndTheRestStays(t *testing.T) {
	items, err := itemsOf([]byte(podWithSecrets))
	if err != nil || len(items) != 1 {
		t.Fatal(items, err)
	}
	text := string(items[0].json)
	if strings.Contains(text, "SECRET") || strings.Contains(text, "last-applied") || strings.Contains(text, "managedFields") {
		t.Error(text)
	}
	for _, kept := range []string{`"scheduling.k8s.io/group-name":"g"`, `"cpu":"1"`, "12345678901234567890", `"image":"i"`, `"uid":"u"`, `"schedulerName":"volcano"`} {
		if !strings.Contains(text, kept) {
			t.Errorf("%s is gone: %s", kept, text)
		}
	}
	if i := items[0]; i.key != "n/p" || i.kind != "Pod" || i.version != 7 {
		t.Errorf("%+v", i)
	}
}

// Whoever adds an annotation to the kernel has to add it to the list, or replays go another way.
func TestEveryAnnotationThatTheKernelReadsIsKept(t *testing.T) {
	files, err := filepath.Glob("../../snapshot/*.cc")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"((?:[a-z.]*volcano\.sh|scheduling\.k8s\.io)/[a-z-]+|sla-waiting-time|kubernetes\.io/config\.mirror)"`).FindAllStringSubmatch(string(text), -1) {
			found++
			gate, label := m[1] == "scheduling.volcano.sh/queue-allocation-gate", m[1] == "volcano.sh/nodegroup-name"
			if !read[m[1]] && !gate && !label {
				t.Errorf("%s reads %s", file, m[1])
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d keys were found: has their form changed?", found)
	}
}

func pod(name, version string) []byte {
	return []byte(`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"` + name + `","namespace":"n","uid":"u-` + name + `","resourceVersion":"` + version + `"}}`)
}

func keys(o *objects) string {
	var all []string
	o.each(func(i item) { all = append(all, i.key) })
	return strings.Join(all, " ")
}

func TestObjectsFollowTheKernelsRules(t *testing.T) {
	o := newObjects()
	take := func(kind uint16, payload string) {
		t.Helper()
		if _, err := o.take(kind, []byte(payload)); err != nil {
			t.Fatal(err)
		}
	}
	take(kernel.ListBegin, "Pod")
	take(kernel.Upsert, `{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"a","namespace":"n","uid":"1","resourceVersion":"5"}},{"metadata":{"name":"b","namespace":"n","uid":"2","resourceVersion":"5"}}]}`)
	take(kernel.ListEnd, "Pod")
	if keys(o) != "n/a n/b" {
		t.Fatal(keys(o))
	}
	take(kernel.Remove, `{"kind":"Pod","metadata":{"name":"a","namespace":"n","uid":"another"}}`)
	take(kernel.Remove, `{"kind":"Pod","metadata":{"name":"b","namespace":"n","uid":"2"}}`)
	if keys(o) != "n/a" {
		t.Error(keys(o))
	}
	take(kernel.ListBegin, "Pod")
	take(kernel.ListEnd, "Pod")
	if keys(o) != "" {
		t.Error("what a list does not hold is gone: " + keys(o))
	}
	var list struct {
		Kind  string
		Items []any
	}
	if err := json.Unmarshal(o.list(`actions: "allocate"`), &list); err != nil || list.Kind != "List" || len(list.Items) != 1 {
		t.Error(list, err)
	}
}

func TestARecordingIsBoundedAndANewFileHasTheState(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.rec")
	const most = 1 << 20
	tape, err := Open(Options{File: file, MaxBytes: most, Kernel: kernel.Options{SchedulerNames: []string{"volcano"}, DefaultQueue: "default"},
		Assumed: func() ([]byte, error) { return []byte(`{"pods":{},"podgroups":{}}`), nil }})
	if err != nil {
		t.Fatal(err)
	}
	tape.Config("")
	for i := range 30000 {
		var r kernel.Records
		r.Add(kernel.Upsert, pod("same", "7"))
		tape.Records(&r)
		tape.Cycle(int64(i), 1)
	}
	tape.Close()
	total := int64(0)
	for _, name := range []string{file, file + ".1"} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	if total > most+most/10 {
		t.Errorf("%d bytes", total)
	}
	open, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	lines := bufio.NewScanner(open)
	for _, begin := range []string{`{"defaultQueue":"default","lenient":false,"nodeSelector":"","recording":1,`, `{"config":""}`, `{"put":{`, `{"assumed":{`} {
		if lines.Scan(); !strings.HasPrefix(lines.Text(), begin) {
			t.Errorf("%s does not begin with %s", lines.Text(), begin)
		}
	}
}
