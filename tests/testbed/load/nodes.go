// Package load creates the nodes, gangs and queues of tests and benchmarks quickly: raw bytes, many requests in flight.
package load

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"basalt.dev/basalt/tests/testbed/rawapi"
)

// NodeAnnotation with the value "fake" makes KWOK play the node and its pods.
const NodeAnnotation = "kwok.x-k8s.io/node"

// NodeSpec says what each fake node offers; an empty field means Volcano's benchmark node: 32 CPU, 256Gi, 110 pods.
type NodeSpec struct {
	CPU, Memory, Pods string
	Extended          map[string]string                 // further resources, e.g. "nvidia.com/gpu": "8"
	Labels            func(index int) map[string]string // beside hostname, os, arch and type=kwok; nil: none
}

// NodeName of the fake node with an index.
func NodeName(index int) string { return fmt.Sprintf("kwok-node-%d", index) }

func (s NodeSpec) withDefaults() NodeSpec {
	for _, field := range []struct {
		value    *string
		fallback string
	}{{&s.CPU, "32"}, {&s.Memory, "256Gi"}, {&s.Pods, "110"}} {
		if *field.value == "" {
			*field.value = field.fallback
		}
	}
	return s
}

// Node is the API object of the fake node with an index: Ready from its creation, without taints.
func Node(spec NodeSpec, index int) []byte {
	spec = spec.withDefaults()
	name := NodeName(index)
	labels := map[string]string{"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64",
		"kubernetes.io/role": "agent", "type": "kwok"}
	if spec.Labels != nil {
		maps.Copy(labels, spec.Labels(index))
	}
	offers := map[string]string{"cpu": spec.CPU, "memory": spec.Memory, "pods": spec.Pods}
	maps.Copy(offers, spec.Extended)
	return encode(object{
		"apiVersion": "v1", "kind": "Node",
		"metadata": object{"name": name, "labels": labels, "annotations": object{NodeAnnotation: "fake", "node.alpha.kubernetes.io/ttl": "0"}},
		"status": object{"capacity": offers, "allocatable": offers, "addresses": []object{{"type": "InternalIP", "address": "10.0.0.1"}},
			"conditions": []object{{"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "played by KWOK"}},
			"nodeInfo":   object{"architecture": "amd64", "operatingSystem": "linux", "kubeletVersion": "kwok"}},
	})
}

// Nodes creates the fake nodes with indices from first to first+count-1.
func Nodes(ctx context.Context, api *rawapi.Client, spec NodeSpec, first, count int) error {
	return inParallel(ctx, count, func(ctx context.Context, i int) error {
		_, err := api.Create(ctx, "/api/v1/nodes", Node(spec, first+i))
		return err
	})
}

type object map[string]any

// encode cannot fail on what this package builds.
func encode(value any) []byte {
	bytes, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return bytes
}
