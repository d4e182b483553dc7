"""C074 at a fifth of its size: a cluster whose dump is dominated by Succeeded pods. They hold nothing, and what they cost is reading them."""
import json
import unittest

from support import Case, basalt, group, listing, node, peak_bytes, pod

NODES, FINISHED, RUNNING = 2000, 42_000, 20_000


def on(p, name, phase):
    p["spec"]["nodeName"], p["status"]["phase"] = name, phase
    return p


def cluster(finished):
    items = [node("n%05d" % i, "32", "128Gi") for i in range(NODES)] + [group("done"), group("run"), group("g", 8)]
    items += [on(pod("done-%d" % i, "2", "done"), "n%05d" % (i % NODES), "Succeeded") for i in range(finished)]
    items += [on(pod("run-%d" % i, "2", "run"), "n%05d" % (i % NODES), "Running") for i in range(RUNNING)]
    return items + [pod("g-%d" % i, "12", "g") for i in range(8)]


class FinishedPods(Case):
    def test_c074_finished_pods_hold_nothing(self):
        dump = self.file("dump.json", listing(*cluster(FINISHED)))
        plan = json.loads(self.expect(basalt("schedule", "-f", dump, "-o", "json"), 0).stdout)
        binds = plan["cycles"][0]["binds"]
        self.assertEqual(sorted(binds), ["default/g-%d" % i for i in range(8)])
        self.assertEqual(len(set(binds.values())), 8, "each node has room for one of them")
        told = json.loads(self.expect(basalt("explain", "-f", dump, "node", "n01999", "-o", "json"), 0).stdout)
        self.assertEqual((told["pods"], told["maxPods"]), (10, 110))
        self.assertEqual(told["idle"]["cpu"], "12")
        self.assertEqual(binds, json.loads(basalt("schedule", "-f", self.file("live.json", listing(*cluster(0))), "-o", "json").stdout)["cycles"][0]["binds"])

    def test_c074_memory_is_that_of_any_dump(self):
        data = listing(*cluster(FINISHED))
        self.assertLess(peak_bytes(self, "schedule", "-f", self.file("dump.json", data), "-o", "json"), 2 * len(data) + (64 << 20))


if __name__ == "__main__":
    unittest.main()
