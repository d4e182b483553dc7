package serving

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"basalt.dev/basalt/k8s-bridge/options"
)

func TestReadyOnceEveryListIsIn(t *testing.T) {
	missing := []string{"pods", "queues"}
	mux := Health(Sources{Missing: func() []string { return missing }})
	ask := func(path string) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		mux.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
		return answer
	}
	if a := ask("/readyz"); a.Code != http.StatusServiceUnavailable || !strings.Contains(a.Body.String(), "pods, queues") {
		t.Errorf("two lists are missing: %d %s", a.Code, a.Body)
	}
	if a := ask("/healthz"); a.Code != http.StatusOK {
		t.Errorf("alive: %d", a.Code)
	}
	missing = nil
	if a := ask("/readyz"); a.Code != http.StatusOK || a.Body.String() != "ok" {
		t.Errorf("all are in: %d %s", a.Code, a.Body)
	}
}

func TestASnapshotIsForThoseWhomTheAPIServerAllowsIt(t *testing.T) {
	sources := Sources{
		Snapshot: func(context.Context) ([]byte, error) { return []byte(`{"kind":"List"}`), nil },
		Review: func(_ context.Context, token, verb, path string) (int, error) {
			if verb != "get" || path != "/debug/snapshot" {
				t.Errorf("asked for %s %s", verb, path)
			}
			switch token {
			case "good":
				return http.StatusOK, nil
			case "known":
				return http.StatusForbidden, nil
			case "trouble":
				return 0, errors.New("connection refused")
			}
			return http.StatusUnauthorized, nil
		},
	}
	ask := func(o *options.Options, method, authorization string) *httptest.ResponseRecorder {
		request := httptest.NewRequest(method, "/debug/snapshot", nil)
		if authorization != "" {
			request.Header.Set("Authorization", authorization)
		}
		answer := httptest.NewRecorder()
		Debug(o, sources).ServeHTTP(answer, request)
		return answer
	}
	on := &options.Options{EnableDebugSnapshot: true}
	for authorization, code := range map[string]int{"": 401, "Basic good": 401, "Bearer ": 401, "Bearer other": 401, "Bearer known": 403, "Bearer trouble": 503, "Bearer good": 200} {
		answer := ask(on, http.MethodGet, authorization)
		if answer.Code != code || strings.Contains(answer.Body.String(), "List") != (code == 200) {
			t.Errorf("%q: %d %s", authorization, answer.Code, answer.Body)
		}
	}
	if answer := ask(on, http.MethodPost, "Bearer good"); answer.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", answer.Code)
	}
	if answer := ask(&options.Options{EnableMetrics: true}, http.MethodGet, "Bearer good"); answer.Code != http.StatusNotFound {
		t.Errorf("without the flag: %d", answer.Code)
	}
}
