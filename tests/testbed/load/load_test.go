package load

import (
	"encoding/json"
	"testing"
)

func TestObjects(t *testing.T) {
	spec := GangSpec{Members: 4, Priority: "high", Annotations: map[string]string{"a": "1"}, Labels: map[string]string{"l": "2"}}
	gpus := NodeSpec{CPU: "8", Extended: map[string]string{"nvidia.com/gpu": "2"}, Labels: func(i int) map[string]string {
		return map[string]string{"rack": string(rune('a' + i))}
	}}
	for name, test := range map[string]struct {
		object []byte
		want   string
	}{
		"PodGroup": {PodGroup(spec, "g-0"), `{"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"PodGroup","metadata":{"name":"g-0","namespace":"default"},
			"spec":{"minMember":4,"priorityClassName":"high","queue":"default"}}`},
		"Pod": {Pod(spec, "g-0", 3), `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"g-0-3","namespace":"default","labels":{"l":"2"},
			"annotations":{"a":"1","scheduling.k8s.io/group-name":"g-0"}},"spec":{"schedulerName":"volcano","priorityClassName":"high",
			"terminationGracePeriodSeconds":0,"automountServiceAccountToken":false,
			"containers":[{"name":"main","image":"busybox","resources":{"requests":{"cpu":"1","memory":"1Gi"}}}]}}`},
		"Node": {Node(gpus, 1), `{"apiVersion":"v1","kind":"Node","metadata":{"name":"kwok-node-1","annotations":{"kwok.x-k8s.io/node":"fake",
			"node.alpha.kubernetes.io/ttl":"0"},"labels":{"kubernetes.io/arch":"amd64","kubernetes.io/hostname":"kwok-node-1","kubernetes.io/os":"linux",
			"kubernetes.io/role":"agent","rack":"b","type":"kwok"}},"status":{"addresses":[{"address":"10.0.0.1","type":"InternalIP"}],
			"allocatable":{"cpu":"8","memory":"256Gi","nvidia.com/gpu":"2","pods":"110"},"capacity":{"cpu":"8","memory":"256Gi","nvidia.com/gpu":"2","pods":"110"},
			"conditions":[{"message":"played by KWOK","reason":"KubeletReady","status":"True","type":"Ready"}],
			"nodeInfo":{"architecture":"amd64","kubeletVersion":"kwok","operatingSystem":"linux"}}}`},
	} {
		var got, want any
		if err := json.Unmarshal(test.object, &got); err != nil {
			t.Fatal(name, err)
		}
		if err := json.Unmarshal([]byte(test.want), &want); err != nil {
			t.Fatal(name, err)
		}
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(want)
		if string(a) != string(b) {
			t.Errorf("%s is\n%s\nin the place of\n%s", name, a, b)
		}
	}
}
