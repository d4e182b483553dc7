"""explain: what it tells of pods, groups, queues and nodes, and how it ends."""
import json
import unittest

from support import EXAMPLES, Case, basalt, group, listing, node, pod

EXAMPLE = EXAMPLES + "/cluster.json"
GPU = "nvidia.com/gpu"


def gpu_node(name, gpus):
    n = node(name, cpu="64", memory="256Gi")
    n["status"]["allocatable"][GPU] = str(gpus)
    return n


def gpu_pod(name, gpus, **more):
    p = pod(name, **more)
    p["spec"]["containers"][0]["resources"]["requests"][GPU] = str(gpus)
    return p


class Explain(Case):
    def text(self, path, *words):
        return self.expect(basalt("explain", "-f", path, *words), 0).stdout.decode()

    def test_a_waiting_pod_is_told_gate_by_gate_with_numbers(self):
        tainted = gpu_node("n3", 8)
        tainted["spec"]["taints"] = [{"key": "dedicated", "effect": "NoSchedule"}]
        path = self.file("c.json", listing(gpu_node("n1", 2), gpu_node("n2", 5), tainted, group("g"), gpu_pod("g-0", 8, group="g")))
        lines = self.text(path, "pod", "g-0").splitlines()
        self.assertEqual(lines[0], "default/g-0 waits: 0/3 nodes fit: 2 Insufficient nvidia.com/gpu (asks 8, best has 5 free: n2), 1 node(s) had untolerated taint(s); "
                                   "would fit with 3 more nvidia.com/gpu on n2")
        self.assertEqual([l.split()[0] for l in lines[1:]], ["asks", "queue", "gang", "nodes", "2", "1", "told", "change"])

    def test_names_of_the_input_do_not_steer_the_terminal(self):
        tainted = node("n1")
        tainted["spec"]["taints"] = [{"key": "a", "value": "\u001b[31m\u009b2J\u202ex", "effect": "NoSchedule"}]
        path = self.file("c.json", listing(tainted, group("g"), pod("g-0", group="g")))
        text = self.text(path, "pod", "g-0")
        for steering in "\u001b\u009b\u202e":
            self.assertNotIn(steering, text)
        self.assertIn("\\x1b[31m\\xc2\\x9b2J\\xe2\\x80\\xaex", text)
        self.assertIn("\u202e", json.dumps(json.loads(self.expect(basalt("explain", "-f", path, "pod", "g-0", "-o", "json"), 0).stdout), ensure_ascii=False))

    def test_what_a_gang_lacks_as_a_whole(self):
        path = self.file("c.json", listing(gpu_node("n1", 2), group("g", 3), *(gpu_pod("g-%d" % i, 1, group="g") for i in range(3))))
        self.assertIn("would fit with 1 more nvidia.com/gpu on n1", self.text(path, "pod", "g-0"))

    def test_gates_before_the_nodes(self):
        queue = {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue", "metadata": {"name": "shut"}, "spec": {}, "status": {"state": "Closed"}}
        gated = pod("gated-0", group="gated")
        gated["spec"]["schedulingGates"] = [{"name": "x"}]
        spread = pod("spread-0", group="spread")
        spread["spec"]["topologySpreadConstraints"] = [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}]
        path = self.file("c.json", listing(node("n1"), queue, group("closed", queue="shut"), pod("closed-0", group="closed"), group("few", 3), pod("few-0", group="few"),
                                           group("gated"), gated, group("lost", queue="away"), pod("lost-0", group="lost"), pod("none-0", group="none"),
                                           group("spread"), spread))
        for name, why, change in (("closed-0", "queue shut is Closed", "queue shut open"), ("few-0", "its PodGroup default/few has 1 of the 3 pods that it needs", "2 more pods in default/few"),
                                  ("gated-0", "it carries a scheduling gate", "no scheduling gates"), ("lost-0", "queue not found: away", "a Queue away"),
                                  ("none-0", "its PodGroup default/none is not there", "a PodGroup default/none"),
                                  ("spread-0", "not supported yet: ", "none offered: not supported yet: ")):
            with self.subTest(pod=name):
                text = self.text(path, "pod", name)
                self.assertIn("default/%s waits: %s" % (name, why), text)
                self.assertIn(change, text.splitlines()[-1])

    def test_placed_and_running_pods(self):
        self.assertIn("team-a/train-llm-1 is placed on gpu-", self.text(EXAMPLE, "pod", "team-a/train-llm-1"))
        self.assertIn("prod/inference-0 is Running on gpu-1", self.text(EXAMPLE, "pod", "prod/inference-0"))

    def test_podgroup_queue_and_node(self):
        text = self.text(EXAMPLE, "podgroup", "team-a/train-vision")
        self.assertIn("team-a/train-vision waits: needs 8, ready 0", text)
        self.assertIn("8 Pending", text)
        self.assertIn("first waiting pod: team-a/train-vision-0 waits:", text)
        text = self.text(EXAMPLE, "queue", "research")
        for word in ("weight 3", "deserved", "allocated", "share", "team-a/train-vision: Inqueue, needs 8, ready 0, pending 8"):
            self.assertIn(word, text)
        text = self.text(EXAMPLE, "node", "gpu-1")
        for word in ("gpu-1 takes pods: ", "0 free of 8", "8 do not fit: Insufficient nvidia.com/gpu (team-a/train-vision-0, ...)", "prod/inference-0 (Running)"):
            self.assertIn(word, text)

    def test_json_says_the_same_for_machines(self):
        for words, kind in ((["pod", "team-a/train-vision-0"], "PodExplanation"), (["podgroup", "team-a/train-vision"], "PodGroupExplanation"),
                            (["queue", "research"], "QueueExplanation"), (["node", "gpu-1"], "NodeExplanation")):
            got = json.loads(self.expect(basalt("explain", "-f", EXAMPLE, *words, "-o", "json"), 0).stdout)
            self.assertEqual((got["apiVersion"], got["kind"]), ("basalt.dev/v1alpha1", kind))

    def test_a_name_that_is_not_there_ends_with_1_and_names_near_ones(self):
        for words, near in ((["pod", "team-a/train-visoin-0"], "team-a/train-vision-0"), (["podgroup", "team-a/train-lm"], "team-a/train-llm"),
                            (["queue", "reserch"], "research"), (["node", "gpu1"], "gpu-1")):
            done = self.expect(basalt("explain", "-f", EXAMPLE, *words), 1)
            self.assertIn("did you mean " + near, done.err)
            self.assertEqual(done.stdout, b"")

    def test_explaining_changes_nothing_and_reads_standard_input(self):
        with open(EXAMPLE, "rb") as example:
            data = example.read()
        piped = self.expect(basalt("explain", "-f", "-", "pod", "team-a/train-vision-0", stdin=data), 0).stdout
        self.assertEqual(piped, basalt("explain", "-f", EXAMPLE, "pod", "team-a/train-vision-0").stdout)


if __name__ == "__main__":
    unittest.main()
