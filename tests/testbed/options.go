package testbed

import (
	"io"
	"time"

	"basalt.dev/basalt/tests/testbed/load"
)

// User is an identity that the API server knows by a token of its own.
type User struct {
	Name   string   // as RBAC sees it, e.g. "system:serviceaccount:volcano-system:volcano-scheduler"
	Groups []string // "system:authenticated" is added by the API server
}

// Admin may do everything; every testbed has it.
const Admin = "admin"

// Options of a testbed; the zero value is an API server with etcd, KWOK and no nodes.
type Options struct {
	Nodes    int           // fake nodes that are there and Ready when Start returns
	NodeSpec load.NodeSpec // what each of them offers
	Users    []User        // beside Admin; without RBAC bindings they may do almost nothing
	Audit    string        // an audit policy (YAML); empty: no audit log
	Stages   string        // KWOK stages (YAML); empty: stages.yaml of this package

	ControllerManager bool // also runs kube-controller-manager, all controllers but those that need node leases or a cloud
	NodeLeases        bool // KWOK renews a Lease per node (a write per node each 10 s) and node-lifecycle-controller watches them

	Kubernetes string              // minor version of the API server, a folder of components/; empty: DefaultKubernetes
	Ports      map[string]int      // fixed ports by component; absent: a free one
	Args       map[string][]string // further arguments by component
	Binaries   map[string]string   // a binary to run in the place of a component's own

	ReadyTimeout time.Duration // for one component to get ready; 0: 50 s, so that the answer comes within a minute
	Progress     io.Writer     // one line per step; nil: silent
}

// DefaultKubernetes is the minor version that runs where Options names none.
const DefaultKubernetes = "1.36"

func (o Options) withDefaults() Options {
	if o.Kubernetes == "" {
		o.Kubernetes = DefaultKubernetes
	}
	if o.ReadyTimeout == 0 {
		o.ReadyTimeout = 50 * time.Second
	}
	if o.Progress == nil {
		o.Progress = io.Discard
	}
	if o.Stages == "" {
		o.Stages = defaultStages
	}
	return o
}
