"""convert: what comes out holds the same objects, and half of it never comes out."""
import json
import unittest

from support import Case, EXAMPLES, basalt, listing, node, pod

EXAMPLE = EXAMPLES + "/cluster.json"


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


if __name__ == "__main__":
    unittest.main()
