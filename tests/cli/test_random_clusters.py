"""Over many random clusters: the same plan whatever the order of the input, the backend (every target of this machine) and the number of threads."""
import concurrent.futures as cf
import json
import os
import random
import unittest

from support import Case, basalt

CLUSTERS = 36
SHAPES = (["heterogeneous", "--nodes", "12", "--pods", "70", "--gang", "6", "--queues", "3", "--running", "20"],
          ["uniform", "--nodes", "8", "--pods", "50", "--gang", "3", "--queues", "2"],
          ["gang-burst", "--nodes", "14", "--pods", "60", "--gang", "5", "--templates", "6", "--tainted", "40", "--preferring", "50", "--unplaceable", "6", "--running", "15"],
          ["heterogeneous", "--nodes", "40", "--pods", "60", "--gang", "1", "--queues", "4"])
CONFIGS = (None, "- {name: gang}\n  - {name: predicates}\n  - {name: nodeorder}\n  - {name: binpack, arguments: {binpack.weight: 7, binpack.cpu: 3}}",
           "- {name: priority}\n  - {name: gang}\n  - {name: drf}\n  - {name: predicates}\n  - {name: capacity}\n  - {name: nodeorder, arguments: {mostrequested.weight: 3, leastrequested.weight: 0}}",
           "- {name: gang}\n  - {name: proportion}\n  - {name: predicates}\n  - {name: resource-strategy-fit}")


class RandomClusters(Case):
    def plan(self, path, config, *more):
        done = basalt("schedule", "-f", path, "--cycles", "2", "-o", "json", "--now", "2026-01-01T00:00:00Z", *(["--config", config] if config else []), *more)
        self.expect(done, 0)
        document = json.loads(done.stdout)
        return document["stats"]["plan_hash"], document["cycles"]

    def differences(self, number, backends):
        shape, plugins = SHAPES[number % len(SHAPES)], CONFIGS[number // len(SHAPES) % len(CONFIGS)]
        config = plugins and self.file("%d.conf" % number, ('actions: "enqueue, allocate, backfill"\ntiers:\n- plugins:\n  %s\n' % plugins).encode())
        cluster = json.loads(self.expect(basalt("generate", *shape, "--seed", str(number)), 0).stdout)
        want = self.plan(self.file("%d.json" % number, json.dumps(cluster).encode()), config, "--backend", "scalar", "--threads", "1")
        draw, bad = random.Random(number), []
        for backend in backends:
            draw.shuffle(cluster["items"])
            path = self.file("%d-shuffled.json" % number, json.dumps(cluster).encode())
            for threads in ("1", "2", "5"):
                if self.plan(path, config, "--backend", backend, "--threads", threads) != want:
                    bad.append("seed %d of %s, config %s, %s, %s threads" % (number, " ".join(shape), config, backend, threads))
        return bad, len(want[1][0]["binds"])

    def test_one_plan(self):
        targets = json.loads(self.expect(basalt("version", "-o", "json"), 0).stdout)["targets"]
        with cf.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(lambda n: self.differences(n, ["scalar"] + ["simd:" + t for t in targets]), range(CLUSTERS)))
        self.assertEqual([line for bad, _ in found for line in bad], [])
        self.assertGreater(sum(binds for _, binds in found), 10 * CLUSTERS, "clusters in which something is placed")


if __name__ == "__main__":
    unittest.main()
