package scheduler

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
)

// CreateQueues makes the queues `root` and the default one where they are not there, as Volcano's scheduler does at its start.
func CreateQueues(ctx context.Context, client rest.Interface, defaultQueue string) error {
	for _, q := range []struct {
		name        string
		reclaimable bool
	}{{"root", false}, {defaultQueue, true}} {
		body := fmt.Sprintf(`{"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"Queue","metadata":{"name":%q},"spec":{"weight":1,"reclaimable":%t}}`, q.name, q.reclaimable)
		var last error
		err := wait.ExponentialBackoffWithContext(ctx, wait.Backoff{Duration: time.Second, Factor: 1, Jitter: 0.1, Steps: 60}, func(ctx context.Context) (bool, error) {
			last = client.Post().AbsPath("/apis/scheduling.volcano.sh/v1beta1/queues").SetHeader("Content-Type", "application/json").Body([]byte(body)).Do(ctx).Error()
			return last == nil || apierrors.IsAlreadyExists(last), nil
		})
		if err != nil {
			return fmt.Errorf("queue %s cannot be made: %w", q.name, last)
		}
	}
	return nil
}
