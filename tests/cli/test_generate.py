"""generate: the same bytes for the same flags, readable by the tool itself, sizes as asked."""
import collections
import csv
import io
import json
import unittest

from support import Case, EXAMPLES, basalt

SCENARIOS = ["uniform", "heterogeneous", "gang-burst"]
SMALL = ["--nodes", "30", "--pods", "100", "--running", "20"]


class Generate(Case):
    def test_seed_decides(self):
        for scenario in SCENARIOS:
            first = self.expect(basalt("generate", scenario, *SMALL, "--seed", "7"), 0).stdout
            self.assertEqual(first, basalt("generate", scenario, *SMALL, "--seed", "7").stdout)
            self.assertNotEqual(first, basalt("generate", scenario, *SMALL, "--seed", "8").stdout)

    def test_sizes(self):
        for scenario in SCENARIOS:
            with self.subTest(scenario):
                items = json.loads(basalt("generate", scenario, *SMALL, "--queues", "3").stdout)["items"]
                kinds = collections.Counter(item["kind"] for item in items)
                self.assertEqual((kinds["Node"], kinds["Pod"], kinds["Queue"]), (30, 120, 3))
                pods = [item for item in items if item["kind"] == "Pod"]
                self.assertEqual(sum("nodeName" in item["spec"] for item in pods), 20)
                groups = {(g["metadata"]["namespace"], g["metadata"]["name"]) for g in items if g["kind"] == "PodGroup"}
                self.assertTrue(all((p["metadata"]["namespace"], p["metadata"]["annotations"]["scheduling.k8s.io/group-name"]) in groups for p in pods))
                names = [(i["kind"], i["metadata"].get("namespace"), i["metadata"]["name"]) for i in items]
                self.assertEqual(len(set(names)), len(names))
                self.assertEqual(len({i["metadata"]["uid"] for i in items}), len(items))

    def test_gangs_and_templates(self):
        items = json.loads(basalt("generate", "gang-burst", "--nodes", "5", "--pods", "60", "--gang", "20", "--templates", "2").stdout)["items"]
        sizes = collections.Counter(i["metadata"]["annotations"]["volcano.sh/job-name"] for i in items if i["kind"] == "Pod")
        self.assertEqual(sorted(sizes.values()), [20, 20, 20])
        requests = {json.dumps(i["spec"]["containers"][0]["resources"]["requests"]) for i in items if i["kind"] == "Pod"}
        self.assertEqual(len(requests), 2)

    def test_indentation_is_kubectls(self):
        for scenario in SCENARIOS:
            with self.subTest(scenario):
                text = basalt("generate", scenario, *SMALL).stdout.decode()
                self.assertEqual(text, json.dumps(json.loads(text), indent=4) + "\n")
                compact = basalt("generate", scenario, *SMALL, "--indent", "0").stdout
                self.assertEqual(json.loads(compact), json.loads(text))
                self.assertLess(len(compact), len(text) * 0.8)

    def test_nothing_at_all_is_a_list_too(self):
        self.assertEqual(len(json.loads(basalt("generate", "uniform", "--nodes", "0", "--pods", "0").stdout)["items"]), 1)

    def test_what_is_generated_is_readable_without_a_word(self):
        for scenario in SCENARIOS:
            with self.subTest(scenario):
                done = self.expect(basalt("schedule", "-f", "-", "-o", "json", stdin=basalt("generate", scenario, *SMALL).stdout), 0)
                self.assertEqual(len(done.err.splitlines()), 1, done.err)
                document = json.loads(done.stdout)
                self.assertEqual(document["inputs"]["nodes"], 30)
                self.assertGreater(len(document["cycles"][0]["binds"]), 50)

    def test_openb_sample_has_the_columns_of_the_trace(self):
        nodes = list(csv.DictReader(io.StringIO(basalt("generate", "openb-sample").stdout.decode())))
        pods = list(csv.DictReader(io.StringIO(basalt("generate", "openb-sample", "--list", "pods").stdout.decode())))
        self.assertEqual(list(nodes[0]), ["sn", "cpu_milli", "memory_mib", "gpu", "model"])
        self.assertEqual(list(pods[0]), ["name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "gpu_spec", "qos", "pod_phase", "creation_time", "deletion_time", "scheduled_time"])
        self.assertEqual((len(nodes), len(pods)), (24, 240))

    def test_the_openb_example_is_what_generate_prints(self):
        for name, flags in [("sample_node_list.csv", []), ("sample_pod_list.csv", ["--list", "pods"])]:
            with open(EXAMPLES + "/openb/" + name, "rb") as example:
                self.assertEqual(example.read(), basalt("generate", "openb-sample", *flags).stdout, name)


if __name__ == "__main__":
    unittest.main()
