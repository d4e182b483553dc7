package load

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// Two connections' worth of streams keep two cores of an API server busy; more only queue there.
const inFlight = 32

// inParallel calls do for 0 to count-1; the first error ends the calls that have not begun and is returned.
func inParallel(ctx context.Context, count int, do func(ctx context.Context, i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(inFlight)
	for i := range count {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error { return do(ctx, i) })
	}
	return group.Wait()
}
