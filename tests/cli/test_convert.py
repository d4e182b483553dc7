"""convert: what comes out holds the same objects, and half of it never comes out."""
import glob
import json
import os
import unittest

from support import Case, EXAMPLES, basalt, listing, node, pod

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
             "@a", "`a", "[a", "{a", "|", ">", "'", '"', "\\", "a\nb", "\n", "\t", "\u0000", "\u0085", "\u2028", "\u00e9", "\U0001f600", "2026-12-01", "12:30:45",
             "2001-12-14t21:59:43.10-05:00", "=", "<<", "---", "...", "? a", "a:", "a\u00a0b", "x" * 5000])})
        odd["spec"]["nothing"], odd["spec"]["list"] = None, [[], {}, [[1, [2, {"a": [3]}]]], 1.5, -7, True, "\ufeff"]
        paths = [self.file("odd.json", listing(odd)), EXAMPLE] + sorted(glob.glob(GOLDEN + "/mixed-*/cluster.json"))
        for path in paths:
            same = json.loads(self.expect(basalt("convert", "-f", path), 0).stdout)
            yaml = self.file("c.yaml", self.expect(basalt("convert", "-f", path, "-o", "yaml"), 0).stdout)
            self.assertEqual(json.loads(self.expect(basalt("convert", "-f", yaml), 0).stdout), same, path)

    def test_a_snapshot_gives_the_same_plan_and_is_verified(self):
        for path in [EXAMPLE] + sorted(glob.glob(GOLDEN + "/*-0[03]/cluster.json")):
            snapshot = self.file("c.snapshot", self.expect(basalt("convert", "-f", path, "-o", "snapshot"), 0).stdout)
            now = ("--now", "2026-01-01T00:00:00Z")
            want = json.loads(self.expect(basalt("schedule", "-f", path, "-o", "json", "--lenient", *now), 0).stdout)
            done = self.expect(basalt("schedule", "-f", snapshot, "-o", "json", "--lenient", *now), 0)
            got = json.loads(done.stdout)
            self.assertEqual((got["cycles"], got["inputs"], got["stats"]["plan_hash"]), (want["cycles"], want["inputs"], want["stats"]["plan_hash"]), path)
            self.expect(basalt("verify", "-f", snapshot, "--plan", self.file("plan.json", done.stdout)), 0)

    def test_a_snapshot_is_read_from_standard_input_and_from_a_directory(self):
        snapshot = self.expect(basalt("convert", "-f", EXAMPLE, "-o", "snapshot"), 0).stdout
        same = self.expect(basalt("convert", "-f", EXAMPLE), 0).stdout
        self.assertEqual(self.expect(basalt("convert", "-f", "-", stdin=snapshot), 0).stdout, same)
        self.file("dumps/c.snapshot", snapshot)
        self.assertEqual(self.expect(basalt("convert", "-f", self.folder + "/dumps"), 0).stdout, same)

    def test_a_damaged_or_cut_snapshot_is_named_and_ends_with_4(self):
        snapshot = self.expect(basalt("convert", "-f", EXAMPLE, "-o", "snapshot"), 0).stdout
        damaged = bytearray(snapshot)
        damaged[300] ^= 1
        for text, why in ((bytes(damaged), "damaged"), (snapshot[:-100], "cut"), (snapshot[:8] + b"\x09" + snapshot[9:], "version 9")):
            path = self.file("c.snapshot", text)
            for command in (["schedule"], ["score"], ["convert"]):
                done = self.expect(basalt(*command, "-f", path), 4)
                self.assertIn(path, done.err)
                self.assertIn(why, done.err)
                self.assertEqual(done.stdout, b"")


if __name__ == "__main__":
    unittest.main()
