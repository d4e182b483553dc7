"""score: every form says the same numbers, and they are the ones that decide."""
import csv
import io
import json
import math
import os
import struct
import subprocess
import unittest

from support import BASALT, Case, EXAMPLES, basalt, group, listing, node, pod

EXAMPLE = EXAMPLES + "/cluster.json"
BINPACK = b"""actions: "allocate"
tiers:
- plugins: [{name: gang}, {name: predicates}, {name: nodeorder}, {name: binpack, arguments: {binpack.weight: 5}}]
"""


def npy(data):
    """The array of a .npy file as (shape, flat list)."""
    assert data[:8] == b"\x93NUMPY\x01\x00" and (10 + struct.unpack("<H", data[8:10])[0]) % 64 == 0
    end = 10 + struct.unpack("<H", data[8:10])[0]
    header = eval(data[10:end].decode())  # a Python literal, by the format's definition
    assert header["descr"] == "<f8" and header["fortran_order"] is False
    return header["shape"], list(struct.unpack("<%dd" % ((len(data) - end) // 8), data[end:]))


def added(parts):
    """Added one by one; sum() of newer Pythons makes up for rounding."""
    total = 0.0
    for part in parts:
        total += part
    return total


class Score(Case):
    def json(self, *args, path=EXAMPLE):
        return json.loads(self.expect(basalt("score", "-f", path, "-o", "json", *args), 0).stdout)

    def test_csv_has_a_line_per_pod_and_node(self):
        want = self.json()["pods"]
        rows = list(csv.DictReader(io.StringIO(self.expect(basalt("score", "-f", EXAMPLE, "-o", "csv"), 0).stdout.decode())))
        got = {}
        for row in rows:
            got.setdefault(row["pod"], {"nodes": {}})["nodes"][row["node"]] = float(row["score"]) if row["score"] else row["reason"]
        self.assertEqual(got, want)

    def test_npy_is_the_same_matrix(self):
        want = self.json()["pods"]
        shape, flat = npy(self.expect(basalt("score", "-f", EXAMPLE, "-o", "npy"), 0).stdout)
        self.assertEqual(shape, (len(want), len(next(iter(want.values()))["nodes"])))
        expected = [v if isinstance(v, float) or isinstance(v, int) else math.nan for p in sorted(want) for _, v in sorted(want[p]["nodes"].items())]
        for a, b in zip(flat, expected):
            self.assertTrue(a == b or (math.isnan(a) and math.isnan(b)))

    def test_parts_of_plugins_add_up_from_left_to_right_on_every_backend(self):
        config = self.file("c.conf", BINPACK)
        path = self.file("h.json", basalt("generate", "heterogeneous", "--nodes", "60", "--pods", "80", "--running", "60", "--seed", "3").stdout)
        backends = ["scalar"] + ["simd:" + t for t in json.loads(basalt("version", "-o", "json").stdout)["targets"]]
        for form in (["-o", "json"], ["-o", "csv"], ["-o", "npy"], ["-o", "table"], ["-o", "json", "--by", "rule"], ["-o", "csv", "--rows", "classes"]):
            by = [] if "--by" in form else ["--by", "plugin"]
            texts = {self.expect(basalt("score", "-f", path, *form, *by, "--config", config, "--backend", b), 0).stdout for b in backends}
            self.assertEqual(len(texts), 1, form)
        seen = 0
        for scores in self.json("--by", "plugin", "--config", config, path=path)["pods"].values():
            for entry in scores["nodes"].values():
                if isinstance(entry, dict):
                    self.assertEqual(list(entry["parts"]), ["nodeorder.imagelocality", "binpack", "nodeorder"])
                    self.assertEqual(added(entry["parts"].values()), entry["score"])
                    seen += entry["parts"]["binpack"] % 1 > 0
        self.assertGreater(seen, 0)

    def test_rules_are_the_parts_of_their_plugin(self):
        plugins, rules = self.json("--by", "plugin")["pods"], self.json("--by", "rule")["pods"]
        for pod_name, scores in plugins.items():
            for node_name, entry in scores["nodes"].items():
                if isinstance(entry, dict):
                    parts = rules[pod_name]["nodes"][node_name]["parts"]
                    self.assertIn("nodeorder.leastrequested", parts)
                    batch = sum(v for name, v in parts.items() if name.startswith("nodeorder.") and name != "nodeorder.imagelocality")
                    self.assertEqual(batch, entry["parts"]["nodeorder"])

    def test_npy_by_plugin_has_a_third_axis(self):
        want = self.json("--by", "plugin")["pods"]
        shape, flat = npy(self.expect(basalt("score", "-f", EXAMPLE, "-o", "npy", "--by", "plugin"), 0).stdout)
        first = next(e for e in want[sorted(want)[0]]["nodes"].values() if isinstance(e, dict))
        self.assertEqual(shape[2], 1 + len(first["parts"]))
        at = list(dict(sorted(want[sorted(want)[0]]["nodes"].items())).values()).index(first)
        self.assertEqual(flat[at * shape[2]:(at + 1) * shape[2]], [first["score"], *first["parts"].values()])

    def test_rows_by_class_join_pods_that_are_alike(self):
        path = self.file("c.json", listing(node("n1"), node("n2"), group("g", 3), pod("g-0", group="g"), pod("g-1", group="g"), pod("g-2", cpu="2", group="g")))
        classes = self.json("--rows", "classes", path=path)["classes"]
        pods = self.json(path=path)["pods"]
        self.assertEqual({name: c["pods"] for name, c in classes.items()}, {"default/g-0": 2, "default/g-2": 1})
        for name, c in classes.items():
            self.assertEqual(c["nodes"], pods[name]["nodes"])
        rows = list(csv.DictReader(io.StringIO(basalt("score", "-f", path, "-o", "csv", "--rows", "classes").stdout.decode())))
        self.assertEqual([(r["class"], r["pods"]) for r in rows], [("default/g-0", "2")] * 2 + [("default/g-2", "1")] * 2)

    def test_the_table_names_the_best_nodes_and_the_reasons(self):
        path = self.file("c.json", listing(node("big", cpu="32"), node("small", cpu="2"), node("tiny", cpu="500m"), group("g"), pod("g-0", group="g")))
        text = self.expect(basalt("score", "-f", path), 0).stdout.decode()
        self.assertEqual(text.splitlines()[0].split(), ["POD", "FIT", "BEST", "NODES", "REFUSED", "BY"])
        line = text.splitlines()[1]
        self.assertIn("default/g-0  2/3  big ", line)
        self.assertIn("1 Insufficient cpu", line)
        text = self.expect(basalt("score", "-f", path, "--by", "plugin"), 0).stdout.decode()
        self.assertEqual(text.splitlines()[0].split(), ["POD", "NODE", "SCORE", "NODEORDER.IMAGELOCALITY", "NODEORDER"])
        self.assertEqual([l.split()[1] for l in text.splitlines()[1:]], ["big", "small"])

    def test_names_that_need_quotes_in_csv(self):
        path = self.file("c.json", listing(node("n,1"), node("n1"), group("g"), pod("g-0", group="g")))
        done = basalt("score", "-f", path, "-o", "csv", "--lenient")
        names = {r["node"] for r in csv.DictReader(io.StringIO(done.stdout.decode()))}
        self.assertTrue(names <= {"n,1", "n1"} and "n1" in names, names)

    def test_variants_are_scored_one_by_one(self):
        plain = BINPACK.decode().replace(", {name: binpack, arguments: {binpack.weight: 5}}", "")
        variants = "spread:\n" + "".join("  " + l + "\n" for l in plain.splitlines()) + "pack:\n" + "".join("  " + l + "\n" for l in BINPACK.decode().splitlines())
        path = self.file("v.yaml", variants.encode())
        got = self.json("--variants", path)["variants"]
        self.assertEqual(list(got), ["spread", "pack"])
        self.assertEqual(got["pack"]["pods"], self.json("--config", self.file("b.conf", BINPACK))["pods"])
        self.assertNotEqual(got["pack"]["pods"], got["spread"]["pods"])
        rows = list(csv.DictReader(io.StringIO(basalt("score", "-f", EXAMPLE, "--variants", path, "-o", "csv").stdout.decode())))
        self.assertEqual(list(rows[0])[:3], ["variant", "pod", "node"])
        self.assertEqual({r["variant"] for r in rows}, {"spread", "pack"})
        table = basalt("score", "-f", EXAMPLE, "--variants", path).stdout.decode()
        self.assertEqual([l for l in table.splitlines() if l.startswith("VARIANT")], ["VARIANT spread", "VARIANT pack"])

    def test_variants_may_say_only_what_differs(self):
        config = self.file("b.conf", BINPACK)
        variants = {"now": {}, "heavy": {"arguments": {"binpack": {"binpack.weight": 50}}}, "none": None}
        got = self.json("--variants", self.file("v.json", json.dumps(variants).encode()), "--config", config, "--by", "plugin")["variants"]
        self.assertEqual(list(got), ["now", "heavy", "none"])
        self.assertEqual(got["now"], self.json("--config", config, "--by", "plugin"))
        self.assertEqual(got["none"], got["now"])
        heavy = BINPACK.replace(b"binpack.weight: 5", b"binpack.weight: 50")
        self.assertEqual(got["heavy"], self.json("--config", self.file("h.conf", heavy), "--by", "plugin"))
        self.assertNotEqual(got["heavy"], got["now"])

    def test_columns_fit_variants_with_different_plugins(self):
        def conf(*plugins):
            return {"actions": "allocate", "tiers": [{"plugins": [{"name": "gang"}, {"name": "predicates"}] + [{"name": p} for p in plugins]}]}
        variants = {"a": conf("binpack", "resource-strategy-fit", "nodeorder"), "b": conf("nodeorder"), "c": conf("resource-strategy-fit", "binpack")}
        path = self.file("v.json", json.dumps(variants).encode())
        text = self.expect(basalt("score", "-f", EXAMPLE, "--variants", path, "-o", "csv", "--by", "plugin"), 0).stdout.decode()
        rows = list(csv.DictReader(io.StringIO(text)))
        parts = ["binpack", "resource-strategy-fit", "binpack#2", "nodeorder.imagelocality", "nodeorder"]
        self.assertEqual(list(rows[0])[5:], parts)
        fits = [r for r in rows if r["score"]]
        for r in fits:
            self.assertEqual(added(float(r[p]) for p in parts), float(r["score"]))
        self.assertEqual({r["variant"] for r in fits}, {"a", "b", "c"})
        shape, flat = npy(self.expect(basalt("score", "-f", EXAMPLE, "--variants", path, "-o", "npy", "--by", "plugin"), 0).stdout)
        self.assertEqual((shape[0], shape[3], math.prod(shape)), (3, 6, len(flat)))
        self.assertEqual([v for v in flat[::6] if not math.isnan(v)], [float(r["score"]) for r in fits])

    def test_resource_strategy_fit_by_hand(self):
        config = self.file("s.conf", b"""actions: "allocate"
tiers:
- plugins:
  - name: predicates
  - name: resource-strategy-fit
    arguments:
      resourceStrategyFitWeight: 3
      resources:
        cpu: {type: MostAllocated, weight: 2}
        nvidia.com/*: {type: LeastAllocated, weight: 1}
""")
        nodes = [node("n1", "4"), node("n2", "8"), node("n3", "8")]
        for n, gpus in zip(nodes, ("8", "4", "2")):
            n["status"]["allocatable"]["nvidia.com/gpu"] = gpus
        runs = pod("runs", "2", group="g", nodeName="n2")
        runs["status"]["phase"] = "Running"
        asks = pod("asks", group="g", containers=[{"name": "c", "resources": {"requests": {"cpu": "1", "nvidia.com/gpu": "2"}}}])
        own = pod("own", group="g", containers=[{"name": "c", "resources": {"requests": {"cpu": "1", "nvidia.com/gpu": "2"}}}])
        own["metadata"]["annotations"].update({"volcano.sh/resource-strategy-scoring-type": "LeastAllocated", "volcano.sh/resource-strategy-weight": '{"cpu": 1}'})
        cluster = listing(*nodes, group("g"), runs, asks, own)
        for by in ([], ["--by", "plugin"]):
            pods = json.loads(self.expect(basalt("score", "-f", "-", "--config", config, "-o", "json", *by, stdin=cluster), 0).stdout)["pods"]
            got = {p.split("/")[1]: {n: v["score"] if by else v for n, v in pods[p]["nodes"].items()} for p in pods}
            # cpu: 1/4, (2+1)/8, 1/8 of the node in use at weight 2; GPUs: 6/8, 2/4, 0/2 left at weight 1; times 100 times 3.
            for n, want in (("n1", (2 / 4 + 6 / 8) / 3), ("n2", (2 * 3 / 8 + 2 / 4) / 3), ("n3", (2 / 8 + 0) / 3)):
                self.assertAlmostEqual(got["asks"][n], want * 300, places=9)
            # Its own strategy: cpu left, nothing else.
            for n, want in (("n1", 3 / 4), ("n2", 5 / 8), ("n3", 7 / 8)):
                self.assertAlmostEqual(got["own"][n], want * 300, places=9)

    def test_refused_variants_print_nothing(self):
        for text, told in ((b"good: {}\none:\n  actions: dance\n", "variant one"), (b"a: {arguments: {drums: {x: 1}}}", 'plugin "drums" is not in the configuration in force'),
                           (b"a: {argument: {}}", 'unknown key "argument"'), (b"a: {actions: allocate, arguments: {}}", "cannot stand beside"), (b"a: 7", "variant a: expected a map"),
                           (b"- a", "expected a map of a name"), (b"", "expected a map of a name"), (b"a: {}\na: {}", "a"), (b"a: {arguments: [1]}", "expected a map of plugins"),
                           (b"a: {arguments: {nodeorder: 1}}", "arguments of nodeorder"), (b"{", "v.yaml")):
            with self.subTest(text=text):
                done = self.expect(basalt("score", "-f", EXAMPLE, "--variants", self.file("v.yaml", text), "-o", "json"), 4)
                self.assertEqual(done.stdout, b"")
                self.assertIn(told, done.err)
        self.assertIn("cannot read", self.expect(basalt("score", "-f", EXAMPLE, "--variants", self.folder + "/none.yaml"), 4).err)

    def test_a_problem_of_a_variant_is_told_once_by_its_name(self):
        path = self.file("v.yaml", b"a: {arguments: {nodeorder: {leastrequested.weight: lots}}}\nb: {}\n")
        done = self.expect(basalt("score", "-f", EXAMPLE, "--variants", path, "-o", "csv"), 0)
        self.assertEqual(len([l for l in done.err.splitlines() if "variant a: plugin nodeorder: leastrequested.weight" in l]), 1, done.err)

    def test_classes_are_the_same_under_all_variants(self):
        labelled = [node(n, **{"volcano.sh/nodegroup-name": n}) for n in ("g1", "g2")]
        queues = [{"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue", "metadata": {"name": q},
                   "spec": {"weight": 1, "affinity": {"nodeGroupAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [g]}}}, "status": {"state": "Open"}}
                  for q, g in (("q1", "g1"), ("q2", "g2"))]
        items = [*labelled, *queues, group("a", queue="q1"), group("b", queue="q2"), pod("a-0", group="a"), pod("b-0", group="b"), pod("b-1", group="b")]
        conf = {"actions": "allocate", "tiers": [{"plugins": [{"name": "predicates"}, {"name": "nodeorder"}, {"name": "nodegroup"}]}]}
        plain = {"actions": "allocate", "tiers": [{"plugins": [{"name": "predicates"}, {"name": "nodeorder"}]}]}
        path, variants = self.file("c.json", listing(*items)), self.file("v.json", json.dumps({"plain": plain, "groups": conf}).encode())
        got = self.json("--rows", "classes", "--variants", variants, path=path)["variants"]
        for scores in got.values():
            self.assertEqual({name: c["pods"] for name, c in scores["classes"].items()}, {"default/a-0": 1, "default/b-0": 2})
        self.assertIsInstance(got["plain"]["classes"]["default/a-0"]["nodes"]["g2"], float)
        self.assertIsInstance(got["groups"]["classes"]["default/a-0"]["nodes"]["g2"], str)
        shape, _ = npy(basalt("score", "-f", path, "--rows", "classes", "--variants", variants, "-o", "npy").stdout)
        self.assertEqual(shape, (2, 2, 2))

    def test_names_tell_what_stands_along_the_axes(self):
        names, variants = self.folder + "/n.json", self.file("v.yaml", b"now: {}\nleast: {arguments: {nodeorder: {leastrequested.weight: 9}}}\n")
        for args, axes in (([], ["pod", "node"]), (["--rows", "classes", "--by", "plugin"], ["class", "node", "part"]),
                           (["--variants", variants, "--by", "rule"], ["variant", "pod", "node", "part"])):
            with self.subTest(args=args):
                shape, flat = npy(self.expect(basalt("score", "-f", EXAMPLE, "-o", "npy", "--names", names, *args), 0).stdout)
                with open(names) as written:
                    told = json.load(written)
                self.assertEqual(told["axes"], axes)
                self.assertEqual(tuple(len(told[a]) for a in axes), shape)
        one = flat[told["part"].index("score")::len(told["part"])]
        want = [v["nodes"][n] for name in told["variant"] for v in [self.json("--variants", variants)["variants"][name]["pods"][p] for p in told["pod"]] for n in told["node"]]
        self.assertTrue(all(a == b if isinstance(b, float) else math.isnan(a) for a, b in zip(one, want)))
        basalt("score", "-f", EXAMPLE, "-o", "npy", "--names", names, "--rows", "classes")
        with open(names) as written:
            told = json.load(written)
        self.assertEqual(dict(zip(told["class"], told["pods"])), {name: c["pods"] for name, c in self.json("--rows", "classes")["classes"].items()})
        self.expect(basalt("score", "-f", EXAMPLE, "-o", "npy", "--names", "-"), 2)
        self.expect(basalt("score", "-f", EXAMPLE, "-o", "npy", "--names", self.folder + "/no/such"), 1)

    def test_a_long_table_by_plugin_ends_and_says_so(self):
        path = self.file("c.json", listing(node("n1"), group("g", 50), *(pod("g-%02d" % i, group="g") for i in range(50))))
        text = self.expect(basalt("score", "-f", path, "--by", "plugin"), 0).stdout.decode()
        self.assertIn("\nand 10 more pods (--pod shows one, -o csv all)\n", text)
        self.assertEqual(len(text.splitlines()), 1 + 40 + 1)

    def test_scores_of_a_large_cluster_stream(self):
        small, large = (self.file(n + ".json", basalt("generate", "uniform", "--nodes", "400", "--pods", p, "--running", "0", "--indent", "0").stdout) for n, p in (("s", "10"), ("l", "2000")))
        for form in (["-o", "csv", "--by", "plugin"], ["-o", "json", "--by", "rule"], ["-o", "npy", "--by", "rule"]):
            with self.subTest(form=form):
                peaks, bytes_out = [], 0
                for path in (small, large):
                    run = subprocess.Popen([BASALT, "score", "-f", path, *form], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                    for piece in iter(lambda: run.stdout.read(1 << 20), b""):
                        bytes_out += len(piece)
                    run.stdout.close()
                    _, status, usage = os.wait4(run.pid, 0)
                    run.returncode = status
                    self.assertEqual(status, 0)
                    peaks.append(usage.ru_maxrss * 1024)
                self.assertGreater(bytes_out, 30e6)
                self.assertLess(peaks[1] - peaks[0], os.path.getsize(large) * 2 + bytes_out / 2)

    def test_a_pod_that_is_not_there_or_not_pending_is_told(self):
        path = self.file("c.json", listing(node("n1"), group("g"), pod("g-0", group="g"), pod("run-0", group="g", nodeName="n1")))
        done = self.expect(basalt("score", "-f", path, "--pod", "g-1"), 1)
        self.assertIn("pod default/g-1 is not in the input; did you mean default/g-0?", done.err)
        self.assertEqual(done.stdout, b"")
        self.assertIn("did you mean default/g-0?", self.expect(basalt("score", "-f", path, "--pod", "a-namespace-far-away/g-0"), 1).err)
        self.assertIn("default/run-0 is Bound", self.expect(basalt("score", "-f", path, "--pod", "run-0"), 1).err)
        self.assertEqual(list(self.json("--pod", "g-0", path=path)["pods"]), ["default/g-0"])


if __name__ == "__main__":
    unittest.main()
