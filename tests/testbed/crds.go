package testbed

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"basalt.dev/basalt/deploy"
)

const crdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

// installCRDs creates the CRDs of deploy/crds and waits until the API server serves them.
func (c *Cluster) installCRDs(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, c.options.ReadyTimeout)
	defer cancel()
	start := time.Now()
	crds, err := deploy.ReadCRDs()
	if err != nil {
		return err
	}
	var collections []string
	for _, crd := range crds {
		if _, err := c.API.Create(ctx, crdPath, crd.JSON); err != nil {
			return fmt.Errorf("CRD %s: %w", crd.Name, err)
		}
		collections = append(collections, crd.Collections...)
	}
	// The first request for each is asked to come back in a second, so all are made at once.
	group, ctx := errgroup.WithContext(ctx)
	for _, collection := range collections {
		group.Go(func() error {
			for {
				_, err := c.API.Get(ctx, collection)
				if err == nil {
					return nil
				}
				if ctx.Err() != nil {
					return fmt.Errorf("%s is not served: %w", collection, err)
				}
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	fmt.Fprintf(c.options.Progress, "testbed: CRDs served after %.1f s\n", time.Since(start).Seconds())
	return nil
}
