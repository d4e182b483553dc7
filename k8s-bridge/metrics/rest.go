package metrics

import (
	"context"
	"net/url"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/tools/metrics"
)

// Series of the client to the API server, under the names and with the buckets that every Kubernetes component has.
var (
	restRequests = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "rest_client_requests_total", Help: "Number of HTTP requests, partitioned by status code, method, and host."},
		[]string{"code", "method", "host"})
	restRetries = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "rest_client_request_retries_total", Help: "Number of request retries, partitioned by status code, verb, and host."},
		[]string{"code", "verb", "host"})
	restLatency = restHistogram("rest_client_request_duration_seconds", "Request latency in seconds. Broken down by verb, and host.", seconds)
	restLimiter = restHistogram("rest_client_rate_limiter_duration_seconds", "Client side rate limiter latency in seconds. Broken down by verb, and host.", seconds)
	restSent    = restHistogram("rest_client_request_size_bytes", "Request size in bytes. Broken down by verb and host.", sizes)
	restGot     = restHistogram("rest_client_response_size_bytes", "Response size in bytes. Broken down by verb and host.", sizes)
	seconds     = []float64{0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60}
	sizes       = []float64{64, 256, 512, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20}
)

func restHistogram(name, help string, buckets []float64) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, []string{"verb", "host"})
}

type latency struct{ to *prometheus.HistogramVec }

func (l latency) Observe(_ context.Context, verb string, u url.URL, took time.Duration) {
	l.to.WithLabelValues(verb, u.Host).Observe(took.Seconds())
}

type size struct{ to *prometheus.HistogramVec }

func (s size) Observe(_ context.Context, verb, host string, bytes float64) {
	s.to.WithLabelValues(verb, host).Observe(bytes)
}

type result struct{}

func (result) Increment(_ context.Context, code, method, host string) {
	restRequests.WithLabelValues(code, method, host).Inc()
}

type retry struct{}

func (retry) IncrementRetry(_ context.Context, code, verb, host string) {
	restRetries.WithLabelValues(code, verb, host).Inc()
}

func init() {
	prometheus.MustRegister(restRequests, restRetries, restLatency, restLimiter, restSent, restGot)
	metrics.Register(metrics.RegisterOpts{RequestLatency: latency{restLatency}, RateLimiterLatency: latency{restLimiter}, RequestSize: size{restSent}, ResponseSize: size{restGot},
		RequestResult: result{}, RequestRetry: retry{}})
}
