package writes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"sync"
	"testing"
	"time"

	"basalt.dev/basalt/k8s-bridge/kernel"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

func TestOutcomeOf(t *testing.T) {
	pods := schema.GroupResource{Resource: "pods"}
	for _, c := range []struct {
		err  error
		want Outcome
	}{{nil, Done}, {apierrors.NewConflict(pods, "p", nil), Refused}, {apierrors.NewNotFound(pods, "p"), Refused}, {apierrors.NewTooManyRequests("later", 1), Refused},
		{apierrors.NewInternalError(errors.New("etcd")), Unknown}, {apierrors.NewTimeoutError("slow", 1), Unknown}, {context.DeadlineExceeded, Unknown},
		{errors.New("connection reset by peer"), Unknown}} {
		if got := outcomeOf(c.err); got != c.want {
			t.Errorf("%v: %s", c.err, got)
		}
	}
}

// server answers requests by method and path, and keeps what it was sent.
type server struct {
	mu     sync.Mutex
	sent   []string
	answer func(method, path string) (int, string)
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.sent = append(s.sent, r.Method+" "+r.URL.Path+" "+string(body))
	s.mu.Unlock()
	code, text := s.answer(r.Method, r.URL.Path)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	fmt.Fprint(w, text)
}

func start(t *testing.T, answer func(method, path string) (int, string)) (*server, rest.Interface) {
	s := &server{answer: answer}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	c, err := kubernetes.NewForConfig(&rest.Config{Host: h.URL})
	if err != nil {
		t.Fatal(err)
	}
	return s, c.RESTClient()
}

const forbidden = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403}`

// Volcano's own role may update, but not patch.
func TestAStatusIsPutWhereTheRoleMayNotPatch(t *testing.T) {
	s, client := start(t, func(method, _ string) (int, string) {
		switch method {
		case http.MethodPatch:
			return 403, forbidden
		case http.MethodGet:
			return 200, `{"metadata":{"name":"g","uid":"u","resourceVersion":"5"},"spec":{"minMember":2,"extra":true},"status":{"phase":"Pending","other":1}}`
		}
		return 200, `{}`
	})
	w := kernel.Write{Kind: kernel.PodGroupStatus, ObjectKind: "PodGroup", Namespace: "n", Name: "g", UID: "u", Body: []byte(`{"metadata":{"uid":"u"},"status":{"phase":"Inqueue"}}`)}
	if err := status(context.Background(), client, &w); err != nil {
		t.Fatal(err)
	}
	const path = "/apis/scheduling.volcano.sh/v1beta1/namespaces/n/podgroups/g"
	want := "PUT " + path + ` {"metadata":{"name":"g","resourceVersion":"5","uid":"u"},"spec":{"extra":true,"minMember":2},"status":{"other":1,"phase":"Inqueue"}}`
	if len(s.sent) != 3 || s.sent[2] != want {
		t.Errorf("%q", s.sent)
	}
	w.UID = "an earlier one"
	if err := status(context.Background(), client, &w); !apierrors.IsConflict(err) {
		t.Errorf("an object that was made anew is written: %v", err)
	}
}

func TestReplacingAPodsConditionKeepsTheOthers(t *testing.T) {
	w := kernel.Write{Kind: kernel.PodCondition, ObjectKind: "Pod", Name: "p", Body: []byte(`{"status":{"conditions":[{"type":"PodScheduled","status":"False"}]}}`)}
	merged, err := replaceStatus([]byte(`{"metadata":{},"status":{"conditions":[{"type":"Ready","status":"True"},{"type":"PodScheduled","status":"True"}]}}`), &w)
	if err != nil {
		t.Fatal(err)
	}
	var o struct {
		Status struct{ Conditions []map[string]string }
	}
	_ = json.Unmarshal(merged, &o)
	if !reflect.DeepEqual(o.Status.Conditions, []map[string]string{{"type": "Ready", "status": "True"}, {"type": "PodScheduled", "status": "False"}}) {
		t.Errorf("%s", merged)
	}
}

func TestOfSeveralStatusesOfAnObjectTheLastIsWritten(t *testing.T) {
	s, client := start(t, func(string, string) (int, string) { return 200, `{}` })
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan string, 10)
	statuses := NewStatuses(ctx, client, 200*time.Millisecond, func(w *kernel.Write, _ Outcome, _ error) { done <- w.Name })
	pod := func(name, body string) kernel.Write {
		return kernel.Write{Kind: kernel.PodCondition, ObjectKind: "Pod", Namespace: "n", Name: name, Body: []byte(body)}
	}
	for i := range 50 {
		statuses.Put(pod("a", fmt.Sprintf(`{"v":%d}`, i)))
	}
	b := pod("b", `{}`)
	statuses.Put(b)
	statuses.Drop(&b) // bound meanwhile
	if name := <-done; name != "a" {
		t.Error(name)
	}
	time.Sleep(300 * time.Millisecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.sent) != 1 || s.sent[0] != `PATCH /api/v1/namespaces/n/pods/a/status {"v":49}` {
		t.Errorf("%q", s.sent)
	}
}

// A bind whose answer is lost is looked up: what the API server holds decides.
func TestABindThatMayHaveHappenedIsLookedUp(t *testing.T) {
	for _, c := range []struct {
		pod  string
		want Outcome
	}{{`{"metadata":{"uid":"u"},"spec":{"nodeName":"n1"}}`, Done}, {`{"metadata":{"uid":"u"},"spec":{}}`, Refused}, {`{"metadata":{"uid":"another"},"spec":{"nodeName":"n1"}}`, Refused},
		{`{"metadata":{"uid":"u"},"spec":{"nodeName":"n2"}}`, Refused}} {
		_, client := start(t, func(method, _ string) (int, string) {
			if method == http.MethodPost {
				return 500, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"InternalError","code":500}`
			}
			return 200, c.pod
		})
		ctx, cancel := context.WithCancel(context.Background())
		got := make(chan Outcome, 1)
		NewBinder(ctx, client, func(_ *kernel.Write, o Outcome, _ error, _ time.Duration) { got <- o }).Send(
			[]kernel.Write{{Kind: kernel.Bind, ObjectKind: "Pod", Namespace: "n", Name: "p", UID: "u", Node: "n1", Body: []byte(`{}`)}})
		if o := <-got; o != c.want {
			t.Errorf("%s: %s", c.pod, o)
		}
		cancel()
	}
}

func answerOf(code int, reason string) string {
	return fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":%q,"code":%d}`, reason, code)
}

// evict runs one eviction of pod p with uid u against a server, and gives what it was sent and what became of it.
func evict(t *testing.T, answer func(method, path string) (int, string)) ([]string, Outcome) {
	s, client := start(t, answer)
	got := make(chan Outcome, 1)
	e := NewEvictor(client, func(_ *kernel.Write, o Outcome, _ error) { got <- o })
	e.first = time.Millisecond
	e.Send(context.Background(), []kernel.Write{{Kind: kernel.Evict, ObjectKind: "Pod", Namespace: "n", Name: "p", UID: "u", Body: []byte(`{"status":{"conditions":[]}}`)}})
	o := <-got
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent, o
}

func TestAnEvictionIsAConditionAndThenTheDeleteOfExactlyThisPod(t *testing.T) {
	sent, o := evict(t, func(string, string) (int, string) { return 200, `{}` })
	const path = "/api/v1/namespaces/n/pods/p"
	want := []string{"PATCH " + path + `/status {"status":{"conditions":[]}}`, "DELETE " + path + ` {"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":"u"}}`}
	if o != Done || !reflect.DeepEqual(sent, want) {
		t.Errorf("%s %q", o, sent)
	}
}

func TestAnEvictionThatFailsIsTriedAgain(t *testing.T) {
	deletes := 0
	_, o := evict(t, func(method, _ string) (int, string) {
		if method == http.MethodPatch {
			return 500, answerOf(500, "InternalError") // for ever: the pod goes without
		}
		if deletes++; deletes < 6 {
			return []int{500, 429, 503}[deletes%3], answerOf(500, "InternalError")
		}
		return 200, `{}`
	})
	if o != Done || deletes != 6 {
		t.Errorf("%s after %d", o, deletes)
	}
}

func TestAPodThatIsGoneOrMadeAnewIsNotDeleted(t *testing.T) {
	for _, c := range []struct {
		patch, remove int
		pod           string
	}{{404, 200, ``}, {200, 404, ``}, {409, 200, `{"metadata":{"uid":"another"}}`}, {200, 409, `{"metadata":{"uid":"another"}}`}} {
		deleted := false
		_, o := evict(t, func(method, _ string) (int, string) {
			code := map[string]int{http.MethodPatch: c.patch, http.MethodDelete: c.remove, http.MethodGet: 200}[method]
			deleted = deleted || (method == http.MethodDelete && code == 200)
			if code == 200 {
				return 200, c.pod
			}
			return code, answerOf(code, map[int]string{404: "NotFound", 409: "Conflict"}[code])
		})
		if o != Done || deleted {
			t.Errorf("%+v: %s, deleted %v", c, o, deleted)
		}
	}
}

func TestAnEvictionThatIsForbiddenIsRefused(t *testing.T) {
	if _, o := evict(t, func(string, string) (int, string) { return 403, forbidden }); o != Refused {
		t.Error(o)
	}
}
