package testbed

import (
	"context"
	"fmt"
	"io/fs"
	"time"

	"golang.org/x/sync/errgroup"
	"sigs.k8s.io/yaml"

	"basalt.dev/basalt/deploy"
)

const crdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

// installCRDs creates the CRDs of deploy/crds and waits until the API server serves them.
func (c *Cluster) installCRDs(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, c.options.ReadyTimeout)
	defer cancel()
	start := time.Now()
	files, err := fs.Glob(deploy.CRDs, "crds/*.yaml")
	if err != nil {
		return err
	}
	var collections []string
	for _, file := range files {
		manifest, err := deploy.CRDs.ReadFile(file)
		if err != nil {
			return err
		}
		var crd struct {
			Spec struct {
				Group    string
				Names    struct{ Plural string }
				Versions []struct{ Name string }
			}
		}
		if err := yaml.Unmarshal(manifest, &crd); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		object, err := yaml.YAMLToJSON(manifest)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if _, err := c.API.Create(ctx, crdPath, object); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for _, version := range crd.Spec.Versions {
			collections = append(collections, fmt.Sprintf("/apis/%s/%s/%s", crd.Spec.Group, version.Name, crd.Spec.Names.Plural))
		}
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
