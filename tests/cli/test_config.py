"""Keys of the configuration that no reader knows: Volcano ignores them silently, here each is told and nothing else changes."""
import json
import unittest

from support import Case, basalt, group, listing, node, pod

RIGHT = """actions: "enqueue, allocate, backfill"
tiers:
- plugins:
  - name: gang
  - name: binpack
    arguments: {binpack.weight: 2}
  - name: predicates
configurations:
- name: enqueue
"""
MISSPELT = """acctions: "allocate"
actions: "enqueue, allocate, backfill"
tiers:
- plugin: []
  plugins:
  - name: gang
    enableJobOrdr: false
  - name: binpack
    argument: {}
    arguments: {binpak.weight: 3, binpack.weight: 2}
  - name: predicates
configurations:
- name: enqueu
- name: enqueue
  argumens: {}
"""
TOLD = ["/acctions: unknown key", "/tiers/0/plugin: unknown key", "/tiers/0/plugins/0/enableJobOrdr: gang: unknown key", "/tiers/0/plugins/1/argument: binpack: unknown key",
        '/configurations/0/name: "enqueu" is no action', "/configurations/1/argumens: unknown key", "plugin binpack: binpak.weight: unknown argument"]


class Config(Case):
    def test_a_misspelt_key_is_a_warning_that_names_it(self):
        done = self.expect(basalt("config", "check", "--config", self.file("c.conf", MISSPELT.encode())), 0)
        for told in TOLD:
            self.assertEqual(sum(told in line for line in done.err.splitlines()), 1, told + "\n" + done.err)
        self.assertNotIn("unknown", basalt("config", "check", "--config", self.file("r.conf", RIGHT.encode())).err)

    def test_a_misspelt_key_changes_no_plan_and_stands_among_the_diagnostics(self):
        cluster = self.file("c.json", listing(node("n1"), node("n2", "8"), group("g", 2), pod("a", group="g"), pod("b", group="g")))
        plans = [json.loads(self.expect(basalt("schedule", "-f", cluster, "-o", "json", "--config", self.file(name, text.encode())), 0).stdout)
                 for name, text in (("c.conf", MISSPELT), ("r.conf", RIGHT))]
        self.assertEqual(plans[0]["cycles"], plans[1]["cycles"])
        self.assertEqual(len(plans[0]["cycles"][0]["binds"]), 2)
        self.assertEqual((len(plans[0]["diagnostics"]), len(plans[1]["diagnostics"])), (len(TOLD), 0))

    def test_a_misspelt_key_in_a_configmap_is_told_too(self):
        config_map = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": "volcano-system"}, "data": {"volcano-scheduler.conf": MISSPELT}}
        done = self.expect(basalt("schedule", "-f", "-", stdin=listing(node("n1"), config_map)), 0)
        for told in TOLD:
            self.assertIn(told, done.err)


if __name__ == "__main__":
    unittest.main()
