package testbed

import (
	"fmt"

	"basalt.dev/basalt/tests/testbed/load"
)

// The ports: one per component that listens, and a second one that etcd insists on.
const etcdPeer = "etcd-peer"

func (c *Cluster) etcdArguments() []string {
	client, peer := "http://"+address(c.ports[Etcd]), "http://"+address(c.ports[etcdPeer])
	return []string{"--name=testbed", "--data-dir=" + c.folder.file("etcd"), "--log-level=warn",
		"--listen-client-urls=" + client, "--advertise-client-urls=" + client,
		"--listen-peer-urls=" + peer, "--initial-advertise-peer-urls=" + peer, "--initial-cluster=testbed=" + peer,
		// The data dies with the testbed, and the disk is not what is tested.
		"--unsafe-no-fsync", "--quota-backend-bytes=8589934592"}
}

func (c *Cluster) apiServerArguments() []string {
	arguments := []string{"--etcd-servers=http://" + address(c.ports[Etcd]),
		"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", c.ports[APIServer]),
		// Nobody reaches Services here, and an endpoint on loopback is refused.
		"--endpoint-reconciler-type=none", "--service-cluster-ip-range=10.0.0.0/24",
		"--tls-cert-file=" + c.ids.certificate, "--tls-private-key-file=" + c.ids.key, "--cert-dir=" + c.folder.file("certificates"),
		"--authorization-mode=RBAC", "--token-auth-file=" + c.ids.tokens,
		"--service-account-issuer=https://testbed", "--service-account-signing-key-file=" + c.ids.serviceAccounts,
		"--service-account-key-file=" + c.ids.serviceAccounts,
		// Without kubelets no node would ever lose its not-ready taint; without the service account controller no pod would be admitted.
		"--disable-admission-plugins=ServiceAccount,TaintNodesByCondition"}
	if c.options.Audit != "" {
		arguments = append(arguments, "--audit-policy-file="+c.folder.file("audit-policy.yaml"), "--audit-log-path="+c.AuditLog())
	}
	return arguments
}

func (c *Cluster) kwokArguments() []string {
	lease := 0
	if c.options.NodeLeases {
		lease = 40
	}
	return []string{"--kubeconfig=" + c.Kubeconfig(Admin), "--config=" + c.folder.file("stages.yaml"), "--server-address=" + address(c.ports[KWOK]),
		"--manage-nodes-with-annotation-selector=" + load.NodeAnnotation + "=fake", "--cidr=10.0.0.0/8", "--node-ip=10.0.0.1",
		fmt.Sprintf("--node-lease-duration-seconds=%d", lease)}
}

func (c *Cluster) controllerManagerArguments() []string {
	controllers := "*"
	if !c.options.NodeLeases {
		controllers = "*,-node-lifecycle-controller"
	}
	config := c.Kubeconfig(Admin)
	return []string{"--kubeconfig=" + config, "--authentication-kubeconfig=" + config, "--authorization-kubeconfig=" + config,
		"--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", c.ports[ControllerManager]), "--cert-dir=" + c.folder.file("certificates"),
		"--service-account-private-key-file=" + c.ids.serviceAccounts, "--root-ca-file=" + c.ids.certificate,
		"--leader-elect=false", "--controllers=" + controllers}
}
