// Package serving answers over HTTP: health, readiness, metrics, profiles. A standby answers, too.
package serving

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/pprof"
	"strings"
	"time"

	"basalt.dev/basalt/k8s-bridge/options"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"k8s.io/klog/v2"
)

// Sources are what the answers are made from.
type Sources struct {
	// Missing names the resources whose first list is not in yet.
	Missing func() []string
	// Snapshot gives the cluster's state; only asked with --enable-debug-snapshot, for those whom Review lets pass.
	Snapshot func(ctx context.Context) ([]byte, error)
	Review   Review
}

// Health answers /healthz and /readyz.
func Health(s Sources) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") })
	mux.HandleFunc("/readyz", func(w http.ResponseWriter, _ *http.Request) {
		if missing := s.Missing(); len(missing) > 0 {
			http.Error(w, "waiting for the first list of "+strings.Join(missing, ", "), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprint(w, "ok")
	})
	return mux
}

// Debug answers /metrics, /debug/pprof and /debug/snapshot, as far as they are asked for.
func Debug(o *options.Options, s Sources) *http.ServeMux {
	mux := http.NewServeMux()
	if o.EnableMetrics {
		mux.Handle("/metrics", promhttp.Handler())
	}
	if o.EnablePprof {
		mux.HandleFunc("/debug/pprof/", pprof.Index)
		mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	}
	if o.EnableDebugSnapshot {
		mux.HandleFunc("/debug/snapshot", guard(s.Review, func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), 30*time.Second)
			defer cancel()
			state, err := s.Snapshot(ctx)
			if err != nil {
				http.Error(w, "no snapshot now: "+err.Error(), http.StatusServiceUnavailable)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(state)
		}))
	}
	return mux
}

// Start serves what the options ask for until the context ends.
func Start(ctx context.Context, o *options.Options, s Sources) {
	if o.EnableHealthz {
		start(ctx, o, o.HealthzAddress, Health(s), o.CACert != "" && o.TLSCert != "" && o.TLSKey != "")
	}
	if o.EnableMetrics || o.EnablePprof || o.EnableDebugSnapshot {
		start(ctx, o, o.ListenAddress, Debug(o, s), false)
	}
}

func start(ctx context.Context, o *options.Options, address string, mux *http.ServeMux, tls bool) {
	server := &http.Server{Addr: address, Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	go func() {
		var err error
		if tls {
			err = server.ListenAndServeTLS(o.TLSCert, o.TLSKey)
		} else {
			err = server.ListenAndServe()
		}
		if err != nil && !errors.Is(err, http.ErrServerClosed) {
			klog.Errorf("cannot serve on %s: %v", address, err)
		}
	}()
}
