package live

import (
	"context"
	"crypto/tls"
	"fmt"
	"math/rand"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"basalt.dev/basalt/tests/testbed"
	"k8s.io/client-go/tools/clientcmd"
)

// faults stands between the scheduler and the API server and breaks a part of all writes, some before and some after they took effect, and cuts watches.
type faults struct {
	mu      sync.Mutex
	random  *rand.Rand
	counts  map[string]int
	perMile int // of the writes
}

func newFaults(seed int64, perMile int) *faults {
	return &faults{random: rand.New(rand.NewSource(seed)), counts: map[string]int{}, perMile: perMile}
}

func (f *faults) draw(n int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.random.Intn(n)
}

func (f *faults) count(kind string) {
	f.mu.Lock()
	f.counts[kind]++
	f.mu.Unlock()
}

func status(w http.ResponseWriter, code int, reason string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":%q,"message":"injected","code":%d}`, reason, code)
}

func (f *faults) wrap(server http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			if r.URL.Query().Get("watch") != "" && f.draw(3) == 0 {
				f.count("watch cut")
				ctx, cancel := context.WithTimeout(r.Context(), time.Duration(f.draw(1000))*time.Millisecond)
				defer cancel()
				r = r.WithContext(ctx)
			}
			server.ServeHTTP(w, r)
			return
		}
		if f.draw(1000) >= f.perMile {
			server.ServeHTTP(w, r)
			return
		}
		switch f.draw(4) {
		case 0:
			f.count("500 before")
			status(w, http.StatusInternalServerError, "InternalError")
		case 1:
			f.count("409 before")
			status(w, http.StatusConflict, "Conflict")
		case 2:
			f.count("500 after")
			server.ServeHTTP(httptest.NewRecorder(), r)
			status(w, http.StatusInternalServerError, "InternalError")
		case 3:
			f.count("connection lost after")
			server.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		}
	})
}

// kubeconfigThrough writes a kubeconfig whose requests pass through the faults.
func kubeconfigThrough(t *testing.T, f *faults) string {
	t.Helper()
	return kubeconfigThroughHandler(t, f.wrap)
}

// kubeconfigThroughHandler writes a kubeconfig whose requests pass through a handler that stands before the API server.
func kubeconfigThroughHandler(t *testing.T, wrap func(http.Handler) http.Handler) string {
	t.Helper()
	target, err := url.Parse(cluster.URL(testbed.APIServer))
	if err != nil {
		t.Fatal(err)
	}
	admin, err := clientcmd.BuildConfigFromFlags("", cluster.Kubeconfig(testbed.Admin))
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Header.Set("Authorization", "Bearer "+admin.BearerToken) // clients send none without TLS
	}}
	proxy.Transport = &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, MaxIdleConnsPerHost: 100}
	proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }
	server := httptest.NewServer(wrap(proxy))
	t.Cleanup(server.Close)
	path := filepath.Join(t.TempDir(), "kubeconfig")
	text := fmt.Sprintf("apiVersion: v1\nkind: Config\ncurrent-context: x\nclusters: [{name: c, cluster: {server: %q}}]\nusers: [{name: u, user: {}}]\n"+
		"contexts: [{name: x, context: {cluster: c, user: u}}]\n", server.URL)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func wholeGangs(t *testing.T, ns string, gangs, pods int) bool {
	for i := range gangs {
		if len(bound(t, ns, fmt.Sprintf("g%d", i))) != pods {
			return false
		}
	}
	return true
}

func TestWritesThatFailBeforeAndAfterTheyTookEffect(t *testing.T) {
	f := newFaults(4, 50)
	ns := space(t)
	startWith(t, kubeconfigThrough(t, f), "--leader-elect=false", "--schedule-period=200ms")
	const gangs, pods = 20, 15
	for i := range gangs {
		gang(t, ns, fmt.Sprintf("g%d", i), pods, pods, "1", nil)
	}
	eventually(t, "every gang is bound whole", func() bool { return wholeGangs(t, ns, gangs, pods) })
	eventually(t, "every phase is Running", func() bool {
		for i := range gangs {
			if at(get(t, fmt.Sprintf("%s/g%d", podGroups(ns), i)), "status", "phase") != "Running" {
				return false
			}
		}
		return true
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	t.Logf("injected: %v", f.counts)
	for _, kind := range []string{"500 before", "409 before", "500 after", "connection lost after", "watch cut"} {
		if f.counts[kind] == 0 {
			t.Errorf("no fault of kind %q was injected", kind)
		}
	}
}

func TestTheAPIServerStartsAgain(t *testing.T) {
	ns := space(t)
	run(t, "--leader-elect=false", "--schedule-period=200ms")
	gang(t, ns, "g0", 10, 10, "1", nil)
	gang(t, ns, "g1", 10, 10, "1", nil)
	if err := cluster.StopComponent(testbed.APIServer, true); err != nil {
		t.Fatal(err)
	}
	if err := cluster.StartComponent(context.Background(), testbed.APIServer); err != nil {
		t.Fatal(err)
	}
	gang(t, ns, "g2", 10, 10, "1", nil)
	eventually(t, "all gangs are bound", func() bool { return wholeGangs(t, ns, 3, 10) })
}
