package live

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// ask gives an answer's status and text; 0 where there is none.
func ask(url string) (int, string) {
	answer, err := http.Get(url)
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text)
}

// holdBack refuses the lists of a path until it is opened.
type holdBack struct {
	mu   sync.Mutex
	path string
	next http.Handler
}

func (h *holdBack) open() {
	h.mu.Lock()
	h.path = ""
	h.mu.Unlock()
}

func (h *holdBack) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	closed := h.path != "" && r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, h.path)
	h.mu.Unlock()
	if closed {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	h.next.ServeHTTP(w, r)
}

func TestAStandbyIsReadyOnceEveryListIsIn(t *testing.T) {
	space(t)
	first := run(t)
	eventually(t, "the first leads", func() bool { return first.said("leading as") })
	held := &holdBack{path: "/apis/scheduling.volcano.sh/v1beta1/podgroups"}
	startWith(t, kubeconfigThroughHandler(t, func(next http.Handler) http.Handler {
		held.next = next
		return held
	}), "--enable-healthz", "--healthz-address=127.0.0.1:21252")
	eventually(t, "only the PodGroups are missing", func() bool {
		code, text := ask("http://127.0.0.1:21252/readyz")
		return code == http.StatusServiceUnavailable && strings.TrimSpace(text) == "waiting for the first list of /apis/scheduling.volcano.sh/v1beta1/podgroups"
	})
	if code, _ := ask("http://127.0.0.1:21252/healthz"); code != http.StatusOK {
		t.Errorf("healthz: %d", code)
	}
	held.open()
	eventually(t, "the standby is ready", func() bool {
		code, _ := ask("http://127.0.0.1:21252/readyz")
		return code == http.StatusOK
	})
}
