"""convert: what comes out holds the same objects, and half of it never comes out."""
import glob
import gzip
import json
import os
import pty
import subprocess
import unittest

from support import BASALT, Case, EXAMPLES, basalt, listing, node, pod

EXAMPLE = EXAMPLES + "/cluster.json"
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../golden")


class Convert(Case):
    def test_json_is_one_list_with_an_object_per_line(self):
        with open(EXAMPLE) as example:
            items = json.load(example)["items"]
        text = self.expect(basalt("convert", "-f", EXAMPLE), 0).stdout
        self.assertEqual(json.loads(text)["items"], items)
        self.assertEqual(len(text.splitlines()), len(items) + 2)

    def test_strings_keep_every_character(self):
        odd = pod("a")
        odd["metadata"]["annotations"]["note"] = 'quote " backslash \\ blank   tab \t line \n \u00e9 \u4e16 end\\'
        text = self.expect(basalt("convert", "-f", self.file("c.json", listing(odd))), 0).stdout
        self.assertEqual(json.loads(text)["items"], [odd])

    def test_several_inputs_become_one_list(self):
        first, second = self.file("1.json", listing(node("n1"))), self.file("2.json", listing(node("n2"), pod("a")))
        items = json.loads(self.expect(basalt("convert", "-f", first, "-f", second), 0).stdout)["items"]
        self.assertEqual([i["metadata"]["name"] for i in items], ["n1", "n2", "a"])

    def test_an_empty_list_stays_one(self):
        self.assertEqual(json.loads(self.expect(basalt("convert", "-f", "-", stdin=listing()), 0).stdout)["items"], [])

    def test_nothing_comes_out_where_one_input_is_unreadable(self):
        good, bad = self.file("1.json", listing(node("n1"))), self.file("2.json", listing(node("n2"))[:-5])
        done = self.expect(basalt("convert", "-f", good, "-f", bad), 4)
        self.assertEqual(done.stdout, b"")
        self.assertIn(bad, done.err)

    def test_items_of_a_typed_list_get_their_kind_and_lose_managed_fields(self):
        item = {"metadata": {"name": "q", "managedFields": [{"manager": "kubectl"}]}, "spec": {"weight": 2}}
        text = json.dumps({"kind": "QueueList", "apiVersion": "scheduling.volcano.sh/v1beta1", "items": [item]}).encode()
        got = json.loads(self.expect(basalt("convert", "-f", "-", stdin=text), 0).stdout)["items"]
        self.assertEqual(got, [{"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue", "metadata": {"name": "q"}, "spec": {"weight": 2}}])

    def test_a_bad_object_is_told_kept_and_ends_with_4(self):
        bad = node("n1", cpu="many")
        path = self.file("c.json", listing(bad, None, node("n2")))
        done = self.expect(basalt("convert", "-f", path), 4)
        self.assertEqual(json.loads(done.stdout)["items"], [bad, None, node("n2")])
        self.assertIn("Node n1", done.err)
        self.expect(basalt("convert", "-f", path, "--lenient"), 0)

    def test_yaml_reads_back_to_the_same(self):
        odd = pod("a")
        odd["metadata"]["annotations"].update({"t" + str(i): text for i, text in enumerate(
            ["", " ", "yes", "no", "on", "y", "null", "~", "true", "1", "1e3", "0x10", "1_000", ".5", ".inf", "-", "- a", "a: b", "a #b", "#", "*a", "&a", "!a", "%a",
             "@a", "`a", "[a", "{a", "|", ">", "'", '"', "\\", "a\nb", "a\nb\n", "a\n\n  b\n\n", " a\nb", "a \nb", "---\na", "\n", "\t", "\u0000", "\u0085", "\u2028", "\u00e9",
             "\U0001f600", "}\ufeff", "\n\ufeff", "2026-12-01", "12:30:45", "2001-12-14t21:59:43.10-05:00", "=", "<<", "---", "...", "? a", "a:", "a\u00a0b", "x" * 5000])})
        odd["metadata"]["annotations"].update({key: "v" for key in ["", "null", "1", "<<", "a b", "a: b", "\n", "\U0001f600", "k" * 2000]})
        odd["spec"]["nothing"], odd["spec"]["list"] = None, [[], {}, [[1, [2, {"a": [3]}]]], 1.5, -7, True, "\ufeff", 10 ** 30, 1e-7, 1e22]
        paths = [self.file("odd.json", listing(odd)), self.file("none.json", listing()), EXAMPLE] + sorted(glob.glob(GOLDEN + "/*-*[05]/cluster.json"))
        for path in paths:
            same = json.loads(self.expect(basalt("convert", "-f", path), 0).stdout)
            yaml = self.file("c.yaml", self.expect(basalt("convert", "-f", path, "-o", "yaml"), 0).stdout)
            self.assertEqual(json.loads(self.expect(basalt("convert", "-f", yaml), 0).stdout), same, path)

    def test_what_yaml_has_no_place_for_is_told_and_left_out(self):
        text = b'{"kind":"List","items":[{"kind":"Node","metadata":{"name":"a","x":{"b":1,"b":2}}},5,{"kind":"Node","metadata":{"name":"c"}}]}'
        done = self.expect(basalt("convert", "-f", "-", "-o", "yaml", stdin=text), 4)
        self.assertIn('Node a: /metadata/x/b: duplicate key "b"; left out', done.err)
        back = self.expect(basalt("convert", "-f", "-", stdin=done.stdout), 4)
        self.assertEqual(json.loads(back.stdout)["items"], [5, {"kind": "Node", "metadata": {"name": "c"}}])

    def test_a_row_that_makes_no_object_is_told_and_left_out(self):
        rows = basalt("generate", "openb-sample").stdout.splitlines()
        path = self.file("nodes.csv", b"\n".join(rows[:3] + [b"bad,many,1,0,"] + rows[3:5]) + b"\n")
        done = self.expect(basalt("convert", "-f", path), 4)
        self.assertEqual(len(json.loads(done.stdout)["items"]), 4)
        self.assertIn("left out", done.err)
        self.assertIn("line 4", done.err)

    def test_warnings_are_no_errors(self):
        without_phase = pod("a")
        del without_phase["status"]
        done = self.expect(basalt("convert", "-f", "-", "-o", "snapshot", stdin=listing(*[dict(without_phase, metadata={"name": "p%d" % i}) for i in range(80)])), 0)
        self.assertEqual(len(done.err.splitlines()), 51, done.err)

    def test_a_snapshot_gives_the_same_plan_and_is_verified(self):
        for path in [EXAMPLE] + sorted(glob.glob(GOLDEN + "/*-0[03]/cluster.json")):
            snapshot = self.file("c.snapshot", self.expect(basalt("convert", "-f", path, "-o", "snapshot"), 0).stdout)
            now = ("--now", "2026-01-01T00:00:00Z")
            want = json.loads(self.expect(basalt("schedule", "-f", path, "-o", "json", "--lenient", *now), 0).stdout)
            done = self.expect(basalt("schedule", "-f", snapshot, "-o", "json", "--lenient", *now), 0)
            got = json.loads(done.stdout)
            self.assertEqual((got["cycles"], got["inputs"], got["stats"]["plan_hash"]), (want["cycles"], want["inputs"], want["stats"]["plan_hash"]), path)
            self.expect(basalt("verify", "-f", snapshot, "--plan", self.file("plan.json", done.stdout)), 0)

    def test_a_snapshot_keeps_all_that_the_dump_had_to_say(self):
        twice = pod("twice")
        managed = json.dumps(node("n3"))[:-1] + ', "metadata": {"name": "n3"}}'
        typed = {"kind": "NodeList", "apiVersion": "v1", "items": [{"kind": None, "metadata": {"name": "t1"}}, {"kind": "", "metadata": {"name": "t2"}}, {"metadata": {"name": "t3"}}]}
        foreign = {"kind": "NodeList", "apiVersion": "longhorn.io/v1beta2", "items": [{"metadata": {"name": "l1"}}]}
        dump = listing(node("n1"), node("n2", cpu="many"), None, pod("dangling", group="none"), twice, twice, {"kind": "Deployment", "apiVersion": "apps/v1", "metadata": {"name": "d"}}, 7,
                       typed, foreign, dict(pod("late"), status={}))
        dump = dump[:-2] + b", " + managed.encode() + b', {"kind": "Node", "metadata": {"name": "m", "managedFields": [], "managedFields": []}}]}'
        path = self.file("c.json", dump)
        snapshot = self.file("c.snapshot", self.expect(basalt("convert", "-f", path, "-o", "snapshot"), 4).stdout)
        plans, told = [], []
        for source in (path, snapshot):
            done = self.expect(basalt("schedule", "-f", source, "-o", "json", "--now", "2026-01-01T00:00:00Z"), 4)
            plan = json.loads(done.stdout)
            plans.append((plan["cycles"], plan["inputs"], [(d["field"], d["message"]) for d in plan["diagnostics"]]))
            told.append(next(line for line in done.err.splitlines() if "objects =" in line))
        self.assertEqual(plans[0], plans[1])
        self.assertEqual(told[0], told[1])
        self.assertIn("15 objects = 7 used + 2 of other kinds + 5 set aside + 1 duplicates", told[0])

    def test_a_snapshot_is_read_from_standard_input_from_a_directory_and_compressed(self):
        snapshot = self.expect(basalt("convert", "-f", EXAMPLE, "-o", "snapshot"), 0).stdout
        same = self.expect(basalt("convert", "-f", EXAMPLE), 0).stdout
        self.assertEqual(self.expect(basalt("convert", "-f", "-", stdin=snapshot), 0).stdout, same)
        self.assertEqual(self.expect(basalt("convert", "-f", self.file("any-name", snapshot)), 0).stdout, same)
        self.assertEqual(self.expect(basalt("convert", "-f", "-", "-o", "snapshot", stdin=snapshot), 0).stdout, snapshot)
        self.file("dumps/c.snapshot", snapshot)
        self.assertEqual(self.expect(basalt("convert", "-f", self.folder + "/dumps"), 0).stdout, same)
        os.remove(self.folder + "/dumps/c.snapshot")
        self.file("dumps/c.snapshot.gz", gzip.compress(snapshot))
        self.assertEqual(self.expect(basalt("convert", "-f", self.folder + "/dumps"), 0).stdout, same)

    def test_explain_and_score_read_a_snapshot_too(self):
        snapshot = self.file("c.snapshot", self.expect(basalt("convert", "-f", EXAMPLE, "-o", "snapshot"), 0).stdout)
        now = ("--now", "2026-01-01T00:00:00Z")
        for command in (["explain", "pod", "team-a/train-vision-0"], ["explain", "node", "cpu-1"], ["score", "-o", "json"]):
            want = self.expect(basalt(command[0], "-f", EXAMPLE, *command[1:], *now), 0).stdout
            self.assertEqual(self.expect(basalt(command[0], "-f", snapshot, *command[1:], *now), 0).stdout, want)

    def test_generate_writes_a_snapshot_of_the_same_cluster(self):
        for scenario in ("uniform", "heterogeneous", "gang-burst"):
            sizes = ("--nodes", "20", "--pods", "60", "--running", "10")
            snapshot, same = basalt("generate", scenario, *sizes, "-o", "snapshot").stdout, basalt("generate", scenario, *sizes).stdout
            self.assertEqual(json.loads(self.expect(basalt("convert", "-f", "-", stdin=snapshot), 0).stdout)["items"], json.loads(same)["items"])

    def test_convert_and_generate_write_no_snapshot_to_a_terminal(self):
        for command in (["convert", "-f", EXAMPLE, "-o", "snapshot"], ["generate", "uniform", "-o", "snapshot"]):
            terminal, other = pty.openpty()
            try:
                self.assertEqual(subprocess.run([BASALT, *command], stdout=other, stderr=subprocess.DEVNULL, timeout=60).returncode, 2)
            finally:
                os.close(terminal), os.close(other)

    def test_a_damaged_cut_or_foreign_snapshot_is_named_and_ends_with_4(self):
        snapshot = self.expect(basalt("convert", "-f", EXAMPLE, "-o", "snapshot"), 0).stdout
        plan = self.file("plan.json", self.expect(basalt("schedule", "-f", EXAMPLE, "-o", "json"), 0).stdout)
        damaged = bytearray(snapshot)
        damaged[300] ^= 1
        for text, why in ((bytes(damaged), "damaged"), (snapshot[:-100], "cut"), (snapshot + b"\0", "behind its end"), (snapshot[:8] + b"\x09" + snapshot[9:], "version 9"),
                          (snapshot[:8] + snapshot[8:12][::-1] + snapshot[12:16][::-1] + snapshot[16:], "byte order"), (listing(node("n1")), "not a snapshot file")):
            path = self.file("c.snapshot", text)
            for command in (["schedule"], ["score"], ["convert"], ["verify", "--plan", plan]):
                done = self.expect(basalt(*command, "-f", path), 4)
                self.assertIn(path, done.err)
                self.assertIn(why, done.err)
                self.assertEqual(done.stdout, b"")


if __name__ == "__main__":
    unittest.main()
