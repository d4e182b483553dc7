package live

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
)

// Volcano's names break rules of good names; they are what dashboards know. Every series of our own keeps the rules.
var allowed = regexp.MustCompile(`^(volcano_.*)$`)

func TestEverySeriesOfVolcanoIsThereAndGoesWithItsObject(t *testing.T) {
	ns := space(t)
	run(t, "--leader-elect=false", "--enable-metrics", "--listen-address=127.0.0.1:28081")
	gang(t, ns, "fits", 2, 2, "1", nil)
	gang(t, ns, "waits", nodes+1, nodes+1, "20", nil)
	eventually(t, "bound", func() bool { return len(bound(t, ns, "fits")) == 2 })
	scrape := func() string {
		_, text := ask("http://127.0.0.1:28081/metrics")
		return text
	}
	has := func(text, series string) bool { return strings.Contains(text, "\n"+series) }
	for _, series := range []string{
		"volcano_e2e_scheduling_latency_milliseconds_bucket{le=\"1\"}", "volcano_open_session_duration_milliseconds_count", "volcano_e2e_job_scheduling_latency_milliseconds_count 1",
		`volcano_e2e_job_scheduling_duration{job_name="fits",job_namespace="` + ns + `",queue="default"}`, `volcano_e2e_job_scheduling_start_time{job_name="waits"`,
		`volcano_e2e_job_scheduling_last_time{job_name="fits"`, `volcano_plugin_scheduling_latency_milliseconds_count{OnSession="OnSessionOpen",plugin="proportion"}`,
		`volcano_action_scheduling_latency_milliseconds_count{action="allocate"}`, `volcano_task_scheduling_latency_milliseconds_count{stage="Bound"} 2`,
		`volcano_scheduling_stage_duration_milliseconds_count{stage="Bind"} 2`, "volcano_pod_preemption_victims 0", "volcano_total_preemption_attempts 0",
		`volcano_unschedule_task_count{job_id="waits"}`, "volcano_unschedule_job_count 1", `volcano_job_share{job_id="fits",job_ns="` + ns + `"}`, `volcano_job_retry_counts{job_id="waits"}`,
		`volcano_queue_allocated_milli_cpu{queue_name="default"} 2000`, `volcano_queue_allocated_memory_bytes{queue_name="default"}`,
		`volcano_queue_allocated_scalar_resources{queue_name="default",resource="pods"} 2`, `volcano_queue_request_milli_cpu{queue_name="default"} 422000`,
		`volcano_queue_deserved_milli_cpu{queue_name="default"}`, `volcano_queue_inqueue_milli_cpu{queue_name="default"}`, `volcano_queue_share{queue_name="default"}`,
		`volcano_queue_weight{queue_name="default"} 1`, `volcano_queue_overused{queue_name="default"} 0`,
		"rest_client_requests_total{", "rest_client_request_duration_seconds_bucket{", "go_goroutines", "process_cpu_seconds_total", "promhttp_metric_handler_requests_total",
		"basalt_pods_bound_total 2", "basalt_cycle_duration_seconds_count", `basalt_stage_duration_seconds_count{stage="decide"}`, "basalt_binds_in_flight 0",
		`basalt_api_writes_total{kind="bind",outcome="done"} 2`, `basalt_api_writes_total{kind="podgroup",outcome="done"}`, `basalt_queue_share_ratio{queue="default"}`,
		`basalt_unschedulable_pods{reason=`, "basalt_kernel_memory_bytes", `basalt_config_reloads_total{outcome="refused"} 0`, "basalt_leader 1",
	} {
		eventually(t, series, func() bool { return has(scrape(), series) })
	}

	answer, err := http.Get("http://127.0.0.1:28081/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	problems, err := promlint.New(answer.Body).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if !allowed.MatchString(p.Metric) {
			t.Errorf("%s: %s", p.Metric, p.Text)
		}
	}

	if err := cluster.API.Delete(context.Background(), podGroups(ns)+"/waits", []byte(`{}`)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "series of the PodGroup vanish", func() bool {
		return !slices.ContainsFunc(strings.Split(scrape(), "\n"), func(line string) bool { return strings.Contains(line, `"waits"`) })
	})
}
