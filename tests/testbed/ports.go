package testbed

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"time"
)

// Ports are taken below the range from which the system gives ports to outgoing connections, so that none of these sits on one.
const firstPort, lastPort = 20000, 32000

func address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// portTaken says why nothing can listen on the port; nil when something can.
func portTaken(port int) error {
	listener, err := net.Listen("tcp", address(port))
	if err != nil {
		return err
	}
	return listener.Close()
}

// freePort finds a port on loopback that nothing listens on and that is not in used.
func freePort(used map[int]bool) (int, error) {
	var err error
	for range 1000 {
		port := firstPort + rand.IntN(lastPort-firstPort)
		if used[port] {
			continue
		}
		if err = portTaken(port); err == nil {
			return port, nil
		}
	}
	return 0, fmt.Errorf("no free port between %d and %d: %w", firstPort, lastPort, err)
}

// waitPortFree waits until the port of a component that has just ended can be used again.
func waitPortFree(ctx context.Context, port int) error {
	for {
		err := portTaken(port)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("port %d: %w", port, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
