package metrics

import (
	"context"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

// gather gives the series of a state as "name{label=value,...}": value.
func gather(t *testing.T, r *prometheus.Registry) map[string]float64 {
	t.Helper()
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	series := map[string]float64{}
	for _, f := range families {
		for _, m := range f.Metric {
			var labels []string
			for _, l := range m.Label {
				labels = append(labels, l.GetName()+"="+l.GetValue())
			}
			value := m.GetGauge().GetValue()
			if f.GetType() == dto.MetricType_COUNTER {
				value = m.GetCounter().GetValue()
			}
			series[f.GetName()+"{"+strings.Join(labels, ",")+"}"] = value
		}
	}
	return series
}

func TestStateSeriesVanishWithTheirObjectsAndScalarsStay(t *testing.T) {
	document := `{"queues":[{"name":"q","plugin":"capacity","weight":1,"share":0.5,"overused":true,"allocated":{"cpu":1500,"memory":8,"pods":2},"request":{},"deserved":{},"capacity":{"cpu":9000},
		"realCapacity":{},"inqueue":{}}],
		"jobs":[{"namespace":"a","name":"g","queue":"q","created":100,"unready":3,"ready":false,"share":0.25,"retries":2,"lastPlacedNs":101500000000},
		        {"namespace":"b","name":"g","queue":"q","created":7,"retries":5,"unready":1,"ready":false}],
		"unschedulable":{"Insufficient cpu":4},"memoryBytes":77}`
	r := prometheus.NewRegistry()
	r.MustRegister(&state{ask: func(context.Context) ([]byte, error) { return []byte(document), nil }, inFlight: func() int { return 6 }, seen: map[string]map[string]bool{}})
	got := gather(t, r)
	for name, want := range map[string]float64{
		"volcano_queue_allocated_milli_cpu{queue_name=q}": 1500, "volcano_queue_allocated_memory_bytes{queue_name=q}": 8,
		"volcano_queue_allocated_scalar_resources{queue_name=q,resource=pods}": 2, "volcano_queue_capacity_milli_cpu{queue_name=q}": 9000, "volcano_queue_share{queue_name=q}": 0.5,
		"volcano_queue_overused{queue_name=q}": 1, "volcano_unschedule_job_count{}": 2, "volcano_job_share{job_id=g,job_ns=a}": 0.25, "volcano_job_retry_counts{job_id=g}": 7,
		"volcano_e2e_job_scheduling_duration{job_name=g,job_namespace=a,queue=q}": 1500, "volcano_e2e_job_scheduling_start_time{job_name=g,job_namespace=b,queue=q}": 7,
		"volcano_e2e_job_scheduling_last_time{job_name=g,job_namespace=a,queue=q}": 101, "basalt_unschedulable_pods{reason=Insufficient cpu}": 4, "basalt_kernel_memory_bytes{}": 77,
		"basalt_binds_in_flight{}": 6,
	} {
		if value, there := got[name]; !there || value != want {
			t.Errorf("%s is %v (%t), not %v", name, value, there, want)
		}
	}
	if _, there := got["volcano_queue_weight{queue_name=q}"]; there {
		t.Error("only proportion tells weights")
	}
	document = strings.Replace(document, `,"pods":2`, "", 1)
	document = document[:strings.Index(document, `"jobs"`)] + `"jobs":[]}`
	got = gather(t, r)
	if value, there := got["volcano_queue_allocated_scalar_resources{queue_name=q,resource=pods}"]; !there || value != 0 {
		t.Errorf("a scalar that the queue had once: %v %t", value, there)
	}
	document = `{}`
	for name := range gather(t, r) {
		if strings.Contains(name, "job_name=") || strings.Contains(name, "queue_name=") || strings.Contains(name, "job_id=") {
			t.Errorf("%s is still there", name)
		}
	}
}
