"""score: every form says the same numbers, and they are the ones that decide."""
import csv
import io
import json
import math
import struct
import unittest

from support import Case, EXAMPLES, basalt, group, listing, node, pod

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

    def test_parts_add_up_to_the_score_on_every_backend(self):
        config = self.file("c.conf", BINPACK)
        backends = ["scalar"] + ["simd:" + t for t in json.loads(basalt("version", "-o", "json").stdout)["targets"]]
        texts = {basalt("score", "-f", EXAMPLE, "-o", "json", "--by", "plugin", "--config", config, "--backend", b).stdout for b in backends}
        self.assertEqual(len(texts), 1)
        seen = 0
        for scores in json.loads(texts.pop())["pods"].values():
            for entry in scores["nodes"].values():
                if not isinstance(entry, dict):
                    continue
                order = batch = 0.0
                for name, value in entry["parts"].items():
                    if name in ("binpack", "nodeorder.imagelocality"):
                        order += value
                    else:
                        batch += value
                self.assertEqual(order + batch, entry["score"])
                seen += entry["parts"]["binpack"] > 0
        self.assertGreater(seen, 0)

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
        self.assertIn("NODEORDER.LEASTREQUESTED", text.splitlines()[0])
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
        header = basalt("score", "-f", EXAMPLE, "--variants", path, "-o", "csv").stdout.decode().splitlines()[0]
        self.assertTrue(header.startswith("variant,pod,node"))
        shape, _ = npy(basalt("score", "-f", EXAMPLE, "--variants", path, "-o", "npy").stdout)
        self.assertEqual((len(shape), shape[0]), (3, 2))
        done = self.expect(basalt("score", "-f", EXAMPLE, "--variants", self.file("w.yaml", b"one:\n  actions: dance\n"), "-o", "json"), 4)
        self.assertIn("variant one", done.err)

    def test_a_pod_that_is_not_there_or_not_pending_is_told(self):
        path = self.file("c.json", listing(node("n1"), group("g"), pod("g-0", group="g"), pod("run-0", group="g", nodeName="n1")))
        self.assertIn("did you mean default/g-0?", self.expect(basalt("score", "-f", path, "--pod", "g-1"), 1).err)
        self.assertIn("default/run-0 is Bound", self.expect(basalt("score", "-f", path, "--pod", "run-0"), 1).err)
        self.assertEqual(list(self.json("--pod", "g-0", path=path)["pods"]), ["default/g-0"])


if __name__ == "__main__":
    unittest.main()
