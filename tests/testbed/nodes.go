package testbed

import (
	"context"
	"fmt"
	"time"

	"basalt.dev/basalt/tests/testbed/load"
)

// createNodes creates the fake nodes; they are Ready from the beginning.
func (c *Cluster) createNodes(ctx context.Context) error {
	if c.options.Nodes == 0 {
		return nil
	}
	start := time.Now()
	if err := load.Nodes(ctx, c.API, c.options.NodeSpec, 0, c.options.Nodes); err != nil {
		return fmt.Errorf("creating nodes: %w", err)
	}
	fmt.Fprintf(c.options.Progress, "testbed: %d nodes after %.1f s\n", c.options.Nodes, time.Since(start).Seconds())
	return nil
}
