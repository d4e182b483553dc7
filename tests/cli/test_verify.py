"""verify: accepts what schedule made, refuses what was changed, keeps refused apart from unreadable."""
import json
import unittest

from support import Case, EXAMPLES, basalt, group, listing, node, pod

EXAMPLE = EXAMPLES + "/cluster.json"


class Verify(Case):
    def plan(self, *args):
        return self.expect(basalt("schedule", *args, "-o", "json"), 0).stdout

    def test_what_schedule_made_is_accepted(self):
        for flags in ([], ["--scheduler-name", "*"], ["--threads", "1"]):
            plan = self.plan("-f", EXAMPLE, *flags)
            done = self.expect(basalt("verify", "-f", EXAMPLE, "--plan", "-", *flags, stdin=plan), 0)
            self.assertIn(b"accepted", done.stdout)
        self.expect(basalt("verify", "-f", EXAMPLE, "--plan", self.file("plan.json", plan)), 0)

    def test_several_cycles_and_generated_clusters(self):
        self.expect(basalt("verify", "-f", EXAMPLE, "--plan", "-", stdin=self.plan("-f", EXAMPLE, "--cycles", "3")), 0)
        for scenario in ("uniform", "heterogeneous"):
            path = self.file(scenario + ".json", basalt("generate", scenario, "--nodes", "30", "--pods", "200", "--running", "20").stdout)
            self.expect(basalt("verify", "-f", path, "--plan", "-", stdin=self.plan("-f", path)), 0)

    def test_a_changed_plan_is_refused_with_findings(self):
        plan = json.loads(self.plan("-f", EXAMPLE))
        plan["cycles"][0]["binds"]["team-a/train-llm-0"] = "cpu-1"
        done = self.expect(basalt("verify", "-f", EXAMPLE, "--plan", "-", stdin=json.dumps(plan).encode()), 1)
        self.assertIn(b"team-a/train-llm-0", done.stdout)

    def test_unreadable_is_4_and_not_refused(self):
        plan = self.file("plan.json", self.plan("-f", EXAMPLE))
        cut = self.file("cut.json", b"{")
        for args in (["-f", EXAMPLE, "--plan", cut], ["-f", cut, "--plan", plan], ["-f", EXAMPLE, "--plan", self.folder + "/none"], ["-f", self.folder + "/none", "--plan", plan]):
            with self.subTest(args=args):
                done = self.expect(basalt("verify", *args), 4)
                self.assertEqual(done.stdout, b"")
                self.assertNotEqual(done.err, "")

    def test_a_guarantee_above_the_capability_is_what_proportion_gives(self):
        queue = {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue", "metadata": {"name": "q"},
                 "spec": {"weight": 1, "capability": {"cpu": "1"}, "guarantee": {"resource": {"cpu": "3"}}}}
        path = self.file("in.json", listing(node("n1"), queue, *[o for i in range(3) for o in (group("g%d" % i, queue="q"), pod("p%d" % i, group="g%d" % i))]))
        plan = self.folder + "/plan.json"
        self.expect(basalt("schedule", "-f", path, "--plan", plan), 0)
        self.expect(basalt("verify", "-f", path, "--plan", plan), 0)

if __name__ == "__main__":
    unittest.main()
