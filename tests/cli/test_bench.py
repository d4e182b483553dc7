"""bench: figures stand on checked answers, scenarios are what their files say, comparisons name no winner inside the noise."""
import json
import os
import subprocess
import unittest

from support import EXAMPLES, Case, basalt
ROOT = os.path.join(EXAMPLES, "..")
SCENARIOS = os.path.join(ROOT, "bench/scenarios")
SMALL = 'name = "small"\nabout = "a test"\ngenerator = "gang-burst"\nnodes = 40\npods = 120\ngang = 4\ntemplates = 3\n'


class Bench(Case):
    def result(self, *args, text=SMALL):
        return json.loads(self.expect(basalt("bench", self.file("small.toml", text.encode()), "-o", "json", "--runs", "3", *args), 0).stdout)

    def test_the_result_is_that_of_schedule_on_the_same_cluster(self):
        result = self.result()
        dump = self.file("d.json", self.expect(basalt("generate", "gang-burst", "--nodes", "40", "--pods", "120", "--gang", "4", "--templates", "3"), 0).stdout)
        plan = json.loads(self.expect(basalt("schedule", "-f", dump, "-o", "json"), 0).stdout)
        self.assertEqual(result["plan_hash"], plan["stats"]["plan_hash"])
        self.assertEqual((result["nodes"], result["pods"], result["placed"], result["waiting"]), (40, 120, len(plan["cycles"][0]["binds"]), 0))
        self.assertEqual(result["nodes_used"], len(set(plan["cycles"][0]["binds"].values())))
        self.assertTrue(result["verified"])

    def test_figures_are_medians_of_samples_with_intervals(self):
        result = self.result()
        samples = result["samples"]["pods_per_s"]
        self.assertEqual(len(samples), 3)
        self.assertEqual(result["pods_per_s"], sorted(samples)[1])
        low, high = result["pods_per_s_interval"]
        self.assertTrue(min(samples) <= low <= result["pods_per_s"] <= high <= max(samples))
        self.assertAlmostEqual(result["pods_over_winner_tree"], result["pods_per_s"] / result["calibrator_pods_per_s"], places=12)
        for key in ("decide_s", "cycle_s", "read_s", "idle_cycle_s", "peak_bytes", "calibrator_full_scan_s_per_pod"):
            self.assertGreater(result[key], 0, key)
        for key in ("cpu", "cores", "memory_bytes", "kernel"):
            self.assertTrue(result["machine"][key], key)

    def test_the_calibrator_is_the_one_in_the_repository(self):
        want = subprocess.run(["sha256sum", os.path.join(ROOT, "bench/calibrate.cc")], capture_output=True, check=True).stdout.split()[0].decode()
        self.assertEqual(self.result()["calibrate_sha256"], want)

    def test_the_plan_depends_on_neither_backend_nor_threads(self):
        self.assertEqual(len({self.result(*args)["plan_hash"] for args in ((), ("--backend", "scalar"), ("--threads", "1"), ("--threads", "3"))}), 1)

    def test_a_file_and_a_table_come_out_together(self):
        path = os.path.join(self.folder, "r.json")
        table = self.expect(basalt("bench", self.file("small.toml", SMALL.encode()), "--runs", "1", "--json", path), 0).stdout.decode()
        with open(path) as f:
            result = json.load(f)
        for part in ("120 placed, 0 wait", result["plan_hash"] + ", accepted by the verifier", "winner tree", "full scan", "idle cycle"):
            self.assertIn(part, table)

    def test_help_lists_every_scenario_of_the_folder(self):
        text = basalt("bench", "--help").stdout.decode()
        names = [n[:-5] for n in os.listdir(SCENARIOS) if n.endswith(".toml")]
        self.assertGreater(len(names), 10)
        for name in names:
            self.assertIn("\n  %s " % name, text)

    def test_every_scenario_names_itself(self):
        for name in os.listdir(SCENARIOS):
            if name.endswith(".toml"):
                with open(os.path.join(SCENARIOS, name)) as f:
                    self.assertIn('name = "%s"\n' % name[:-5], f.read())

    def test_the_configuration_of_a_scenario_decides(self):
        binpack = self.file("pack.conf", b"actions: allocate\ntiers:\n- plugins: [{name: gang}, {name: predicates}, {name: binpack}]\n")
        spread, packed = self.result(), self.result(text=SMALL + 'config = "%s"\n' % binpack)
        self.assertNotEqual(spread["plan_hash"], packed["plan_hash"])
        self.assertEqual(self.result(text=SMALL + 'config = "chart"\n')["config"], "chart")

    def test_wrong_scenarios_are_told(self):
        for text, want in ((SMALL + "nodez = 3\n", "unknown key 'nodez'"), (SMALL.replace("40", '"many"'), "'many' is no whole number"), (SMALL.replace("40", "-1"), "nodes"),
                           (SMALL.replace("40", "0"), "nodes: has to lie in"), (SMALL.replace("gang-burst", "gang-bursts"), "there is no 'gang-bursts'"),
                           (SMALL.replace('generator = "gang-burst"\n', ""), "generator: missing"), (SMALL + 'distinct = "all"\n', "distinct"), (SMALL + "verify = 1\n", "verify"),
                           (SMALL + 'config = "/nowhere.conf"\n', "cannot read /nowhere.conf")):
            self.assertIn(want, self.expect(basalt("bench", self.file("bad.toml", text.encode())), 2).stderr.decode())
        self.assertIn("there is no scenario 'gang'", self.expect(basalt("bench", "gang"), 2).stderr.decode())
        self.assertIn("cannot read", self.expect(basalt("bench", "nowhere.toml"), 2).stderr.decode())

    def made(self, name, pods_per_s, **more):
        document = {"schema": "basalt.dev/bench/v1", "scenario": "s", "plan_hash": "00", "calibrate_sha256": "c", "tier": 0, "nodes": 1, "pods": 2, "placed": 2, "threads": 1,
                    "samples": {"pods_per_s": pods_per_s, "calibrator_pods_per_s": [100.0] * len(pods_per_s)}}
        document.update(more)
        return self.file(name, json.dumps(document).encode())

    def test_a_comparison_names_a_winner_only_outside_of_the_noise(self):
        a = self.made("a.json", [100, 101, 99, 100, 102])
        for samples, want in (([150, 151, 149, 152, 150], "B is faster: +50.0 %"), ([80, 81, 79, 80, 80], "B is slower: -20.0 %"), ([95, 108, 99, 101, 90], "No difference outside of the noise")):
            self.assertIn(want, self.expect(basalt("bench", "compare", a, self.made("b.json", samples)), 0).stdout.decode())

    def test_a_faster_machine_is_no_faster_program(self):
        a = self.made("a.json", [100, 101, 99])
        b = self.made("b.json", [200, 202, 198], samples={"pods_per_s": [200, 202, 198], "calibrator_pods_per_s": [200.0, 200.0, 200.0]})
        self.assertIn("No difference outside of the noise", self.expect(basalt("bench", "compare", a, b), 0).stdout.decode())

    def test_other_scenarios_and_damaged_results_are_refused(self):
        a = self.made("a.json", [1.0])
        self.assertIn("not comparable", self.expect(basalt("bench", "compare", a, self.made("b.json", [1.0], nodes=7)), 1).stderr.decode())
        self.assertIn("calibrators differ", self.expect(basalt("bench", "compare", a, self.made("b.json", [1.0], calibrate_sha256="d")), 1).stderr.decode())
        self.assertIn("plans differ", self.expect(basalt("bench", "compare", a, self.made("b.json", [1.0], plan_hash="01")), 0).stdout.decode())
        for text, want in (("{", "b.json"), ("{}", "schema"), ('{"schema": "x"}', "'x' is not"), ('{"schema": "basalt.dev/bench/v1", "scenario": 3}', "scenario")):
            self.assertIn(want, self.expect(basalt("bench", "compare", a, self.file("b.json", text.encode())), 4).stderr.decode())
        self.expect(basalt("bench", "compare", a), 2)

    def test_gang_burst_takes_taints_preferences_and_distinct_pods(self):
        def items(*args):
            return json.loads(self.expect(basalt("generate", "gang-burst", "--nodes", "400", "--pods", "400", "--gang", "10", "--templates", "10", *args), 0).stdout)["items"]
        plain = items()
        taints = [i["spec"]["taints"][0]["effect"] for i in items("--tainted", "20") if i["kind"] == "Node" and i["spec"].get("taints")]
        self.assertTrue(40 < len(taints) < 120 and set(taints) == {"NoSchedule", "PreferNoSchedule"}, taints)
        prefer = [i for i in items("--preferring", "30") if i["kind"] == "Pod" and "affinity" in i["spec"]]
        self.assertEqual(len(prefer), 120)
        asked = [json.dumps(i["spec"]["containers"][0]["resources"]) for i in items("--distinct", "requests") if i["kind"] == "Pod"]
        self.assertEqual(len(set(asked)), 400)
        named = [i for i in items("--distinct", "names") if i["kind"] == "Pod"]
        self.assertEqual(len({json.dumps(i["metadata"]["labels"]) for i in named}), 400)
        self.assertEqual(len([i for i in items("--unplaceable", "50") if i["kind"] == "Pod"]) - 50, len([i for i in plain if i["kind"] == "Pod"]))
        self.expect(basalt("generate", "uniform", "--tainted", "10"), 2)


if __name__ == "__main__":
    unittest.main()
