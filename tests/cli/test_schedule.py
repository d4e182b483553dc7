"""schedule, score, explain and config: what they print and how they end."""
import json
import os
import pty
import subprocess
import unicodedata
import unittest

from support import BASALT, Case, EXAMPLES, basalt, group, listing, node, pod

EXAMPLE = EXAMPLES + "/cluster.json"
CONF = b'actions: "enqueue, allocate, backfill"\ntiers:\n- plugins:\n  - name: gang\n  - name: predicates\n  - name: proportion\n  - name: nodeorder\n'


class Schedule(Case):
    def test_the_example_shows_a_gang_and_a_pod_that_wait(self):
        done = self.expect(basalt("schedule", "-f", EXAMPLE, "-o", "json"), 0)
        cycle = json.loads(done.stdout)["cycles"][0]
        waiting = {name.rsplit("-", 1)[0] for name in cycle["pods"]}
        self.assertEqual(waiting, {"team-a/train-vision", "team-b/archive"})
        self.assertEqual(len(cycle["binds"]), 12)
        for name in ("team-a/train-vision", "team-b/archive"):
            self.assertIn(name.encode(), basalt("schedule", "-f", EXAMPLE).stdout)

    def test_the_table_says_per_queue_and_job_who_waits_and_why(self):
        text = self.expect(basalt("schedule", "-f", EXAMPLE), 0).stdout.decode()
        queues, jobs, why, total = text.split("\n\n")
        self.assertRegex(queues, r"research +Open +4 +0 +8 +0\.67 +cpu 32, memory 256Gi, nvidia\.com/gpu 8 +cpu 64")
        self.assertRegex(jobs, r"team-b/archive +Inqueue +1 +0 +0 +1 +0/8 nodes are unavailable")
        self.assertRegex(jobs, r"research +team-a/train-vision +Inqueue +8 +0 +0 +8 +\w")
        self.assertIn("  4  queue research may not hold more\n", why)
        self.assertIn("12 pods placed in the last cycle, 9 waiting, 8 nodes", total)

    def test_the_table_ends_somewhere_and_says_so(self):
        items = [node("n1", cpu="1"), *(x for i in range(60) for x in (group("g%02d" % i), pod("g%02d-0" % i, group="g%02d" % i)))]
        path = self.file("c.json", listing(*items))
        text = self.expect(basalt("schedule", "-f", path), 0).stdout.decode()
        self.assertIn("and 20 more podgroups, 19 of them with waiting pods (-o wide shows all)", text)
        self.assertNotIn("default/g00 ", text)  # placed ones come last
        wide = self.expect(basalt("schedule", "-f", path, "-o", "wide"), 0).stdout.decode()
        self.assertIn("default/g00 ", wide)
        self.assertRegex(wide, r"POD +NODE +OUTCOME +PODGROUP +QUEUE\ndefault/g00-0 +n1 +placed +default/g00 +default\n")

    def test_queues_and_reasons_beyond_the_table_are_counted(self):
        queues = [{"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue", "metadata": {"name": "q%02d" % i}, "spec": {"weight": 1}, "status": {"state": "Open"}} for i in range(50)]
        jobs = [x for i in range(43, 50) for x in (group("g%d" % i, queue="q%02d" % i), pod("g%d-0" % i, cpu=str(100 + i), group="g%d" % i))]
        for queue in queues[43:]:
            queue["status"]["state"] = "Closed"
        path = self.file("c.json", listing(node("n1"), *queues, *jobs))
        text = self.expect(basalt("schedule", "-f", path), 0).stdout.decode()
        self.assertIn("and 10 more queues, none of them with waiting pods (-o wide shows all)\n", text)
        self.assertIn("  and 2 more reasons of 2 pods (-o wide shows all)\n", text)
        self.assertIn("q49 ", text)
        wide = self.expect(basalt("schedule", "-f", path, "-o", "wide"), 0).stdout.decode()
        self.assertTrue(all("\nq%02d " % i in wide for i in range(50)))
        self.assertNotIn(" more ", wide)

    def test_wide_has_more_columns(self):
        queues, jobs, _, total, placements = self.expect(basalt("schedule", "-f", EXAMPLE, "-o", "wide"), 0).stdout.decode().split("\n\n")
        self.assertEqual(queues.splitlines()[0].split()[-4:], ["LIMIT", "GUARANTEE", "WEIGHT", "PARENT"])
        self.assertRegex(queues, r"production .* cpu 40, memory 128Gi, nvidia.com/gpu 4 +nothing +2 +root\n")
        self.assertRegex(jobs, r"prod/nightly-report +Inqueue +2 +2 +0 +0 +2 +1000 +cpu 16, memory 32Gi\n")
        self.assertRegex(total, r"12 pods placed in the last cycle, 9 waiting, 8 nodes, decided in \d+\.\d+ ms")
        self.assertEqual(len(placements.splitlines()), 1 + 12)

    def test_pods_that_hold_a_node_without_a_bind_are_not_called_placed(self):
        path = os.path.join(os.path.dirname(EXAMPLES), "tests/golden/backfillprio-01/cluster.json")
        cycle = json.loads(self.expect(basalt("schedule", "-f", path, "-o", "json"), 0).stdout)["cycles"][0]
        held = {pod for pod, to in cycle["binds"].items() if to.endswith(" (allocated, not dispatched)")}
        self.assertEqual(len(held), 4)
        text = self.expect(basalt("schedule", "-f", path), 0).stdout.decode()
        self.assertIn("\n21 pods placed in the last cycle, 12 waiting (4 held), 5 nodes\n", text)
        self.assertIn("  4  has a node, but what runs there asks more than it has\n", text)
        wide = self.expect(basalt("schedule", "-f", path, "-o", "wide"), 0).stdout.decode()
        self.assertEqual({line.split()[0] for line in wide.splitlines() if " held " in line}, held)
        names = {line.split()[0] for line in basalt("schedule", "-f", path, "-o", "name").stdout.decode().splitlines()}
        self.assertEqual(names, set(cycle["binds"]) - held)

    def test_a_podgroup_or_queue_that_is_not_there_has_its_line(self):
        lost = group("g")
        lost["spec"]["queue"] = "nowhere"
        path = self.file("c.json", listing(node("n1"), pod("a-0", group="gone"), lost, pod("g-0", group="g")))
        text = self.expect(basalt("schedule", "-f", path), 0).stdout.decode()
        self.assertRegex(text, r"\n- +default/gone +not there +0 +0 +0 +1 +its PodGroup is not there\n")
        self.assertRegex(text, r"\nnowhere +not there +0 +0 +1 ")
        self.assertRegex(text, r"\nnowhere +default/g +Inqueue +1 +0 +0 +1 +queue not found: nowhere\n")

    def test_columns_stand_straight_under_names_of_any_alphabet(self):
        def shown(text):
            """Columns of a terminal."""
            return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
        named = group("g")
        named["spec"]["queue"] = "\u00fc\u00f6\u4e16\u754ce\u0301"
        for form in ("table", "wide"):
            text = basalt("schedule", "-f", self.file("c.json", listing(node("n1"), named, pod("g-0", group="g"))), "-o", form).stdout.decode()
            head, line = text.splitlines()[:2]
            self.assertEqual(head.index("STATE"), shown(line[:line.index("not there")]))
            head, line = text.split("\n\n")[1].splitlines()
            self.assertEqual(head.index("REASON"), shown(line[:line.index("queue not found")]))

    def test_names_of_the_input_do_not_steer_the_terminal(self):
        named = group("g")
        named["spec"]["queue"] = "a\u001b[31m\u009b2Jb\n"
        path = self.file("c.json", listing(node("n1"), named, pod("g-0", group="g")))
        for args in (["schedule", "-f", path], ["schedule", "-f", path, "-o", "wide"]):
            out = self.expect(basalt(*args), 0).stdout
            self.assertNotIn(b"\x1b", out)
            self.assertNotIn(b"\xc2\x9b", out)
            self.assertIn(b"a\\x1b[31m\\xc2\\x9b2Jb\\x0a", out)

    def test_a_rule_of_a_running_pod_that_is_not_kept_is_told(self):
        alone = pod("r", nodeName="n1", affinity={"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
            {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"a": "b"}}}]}})
        done = self.expect(basalt("schedule", "-f", self.file("c.json", listing(node("n1"), alone, group("g"), pod("g-0", group="g")))), 0)
        self.assertRegex(done.err, r"Pod default/r: /spec/affinity/podAntiAffinity.*not supported yet.*\(1 pod\)")

    def test_an_implied_group_has_its_queue(self):
        done = self.expect(basalt("schedule", "-f", self.file("c.json", listing(node("n1"), pod("a")))), 0)
        self.assertNotIn("queue not found", done.err)

    def test_explain_says_why_a_pod_waits(self):
        waiting = json.loads(self.expect(basalt("schedule", "-f", EXAMPLE, "-o", "json"), 0).stdout)["cycles"][0]["pods"]
        for name, condition in list(waiting.items())[:2]:
            self.assertIn(condition["message"], self.expect(basalt("explain", "-f", EXAMPLE, "pod", name), 0).stdout.decode())

    def test_the_summary_is_always_on_stderr(self):
        self.assertIn("basalt: read 8 nodes, 26 pods, 8 podgroups, 3 queues: 46 objects = 46 used + 0 of other kinds + 0 set aside + 0 duplicates\n",
                      basalt("schedule", "-f", EXAMPLE).err)

    def test_names_are_sorted_lines(self):
        done = self.expect(basalt("schedule", "-f", EXAMPLE, "-o", "name"), 0)
        binds = json.loads(basalt("schedule", "-f", EXAMPLE, "-o", "json").stdout)["cycles"][0]["binds"]
        self.assertEqual(done.stdout.decode().splitlines(), ["%s %s" % item for item in sorted(binds.items())])

    def test_exit_code_3_only_where_asked_and_pods_wait(self):
        fits = self.file("fits.json", listing(node("n1"), pod("a")))
        self.expect(basalt("schedule", "-f", EXAMPLE), 0)
        self.expect(basalt("schedule", "-f", EXAMPLE, "--exit-code"), 3)
        self.expect(basalt("schedule", "-f", fits, "--exit-code"), 0)
        bad = self.file("bad.json", listing(node("n1"), pod("a", cpu="9"), pod("b", cpu="x")))
        self.expect(basalt("schedule", "-f", bad, "--exit-code"), 4)
        self.expect(basalt("schedule", "-f", bad, "--exit-code", "--lenient"), 3)

    def test_plan_is_what_json_prints(self):
        plan = self.folder + "/plan.json"
        done = self.expect(basalt("schedule", "-f", EXAMPLE, "-o", "json", "--plan", plan), 0)
        with open(plan, "rb") as written:
            self.assertEqual(written.read(), done.stdout)
        table = self.expect(basalt("schedule", "-f", EXAMPLE, "--plan", plan), 0).stdout
        self.assertNotEqual(table[:1], b"{")
        with open(plan) as written:
            self.assertEqual(json.load(written)["kind"], "Schedule")

    def test_cycles_carry_on(self):
        document = json.loads(self.expect(basalt("schedule", "-f", EXAMPLE, "--cycles", "3", "-o", "json"), 0).stdout)
        self.assertEqual(len(document["cycles"]), 3)
        self.assertEqual(document["cycles"][1]["binds"], {})

    def test_trace_is_a_chrome_trace(self):
        path = self.folder + "/trace.json"
        self.expect(basalt("schedule", "-f", EXAMPLE, "--cycles", "2", "--trace-out", path), 0)
        with open(path) as trace:
            events = json.load(trace)["traceEvents"]
        names = [e["name"] for e in events]
        for name in ("read " + EXAMPLE, "configure", "cycle 0", "settle", "cycle 1", "print"):
            self.assertIn(name, names)
        self.assertTrue(all(e["ph"] == "X" and e["dur"] >= 0 for e in events))

    def test_scheduler_names(self):
        path = self.file("c.json", listing(node("n1"), pod("a", schedulerName="mine"), pod("b", schedulerName="volcano"), pod("c", schedulerName="other")))
        self.assertEqual(set(self.binds("-f", path)), {"default/b"})
        self.assertEqual(set(self.binds("-f", path, "--scheduler-name", "mine")), {"default/a"})
        self.assertEqual(set(self.binds("-f", path, "--scheduler-name", "mine,volcano")), {"default/a", "default/b"})
        self.assertEqual(set(self.binds("-f", path, "--scheduler-name", "mine", "--scheduler-name", "other")), {"default/a", "default/c"})
        self.assertEqual(set(self.binds("-f", path, "--scheduler-name", "*")), {"default/a", "default/b", "default/c"})

    def test_the_plan_does_not_depend_on_backend_threads_or_order(self):
        dump = json.loads(basalt("generate", "heterogeneous", "--nodes", "40", "--pods", "300", "--running", "50").stdout)
        forward = self.file("1.json", json.dumps(dump).encode())
        dump["items"].reverse()
        backward = self.file("2.json", json.dumps(dump).encode())
        hashes = {json.loads(self.expect(basalt("schedule", "-f", path, "-o", "json", *flags), 0).stdout)["stats"]["plan_hash"]
                  for path in (forward, backward) for flags in ([], ["--threads", "1"], ["--backend", "scalar"], ["--backend", "simd"])}
        self.assertEqual(len(hashes), 1)

    def test_progress_and_color_stay_off_the_data(self):
        plain = basalt("schedule", "-f", EXAMPLE)
        loud = self.expect(basalt("schedule", "-f", EXAMPLE, "--progress", "plain", "--color", "always", "-v", "2"), 0)
        self.assertEqual(loud.stdout, plain.stdout)
        self.assertIn("reading " + EXAMPLE, loud.err)
        self.assertIn("deciding", loud.err)
        self.assertIn("\x1b[", loud.err)
        self.assertNotIn("\x1b[", plain.err)
        self.assertNotIn("deciding", plain.err)

    def on_terminal(self, *flags, until=None, **environment):
        """What a terminal on stderr gets to see while standard input comes late; the input is sent once `until` was seen, else at once."""
        ours, theirs = pty.openpty()
        run = subprocess.Popen([BASALT, "schedule", "-f", "-", *flags], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=theirs,
                               env={**{k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}, "TERM": "xterm", **environment})
        os.close(theirs)
        seen = b""
        try:
            while True:
                if not until or until in seen:
                    if not run.stdin.closed:
                        run.stdin.write(listing(node("n1"), pod("a", cpu="x")))
                        run.stdin.close()
                piece = os.read(ours, 1 << 16)
                seen += piece
                if not piece:
                    break
        except OSError:  # how a terminal says that the other side is gone
            pass
        os.close(ours)
        self.assertEqual(run.wait(60), 4)
        return seen

    def test_a_terminal_shows_what_is_being_done_and_keeps_nothing_of_it(self):
        seen = self.on_terminal(until=b"reading - (1 of 1) (")
        self.assertRegex(seen, rb"\r\x1b\[Kreading - \(1 of 1\) \(\d+\.\d s\)")
        # Each refresh begins by erasing the line, and so does what is printed behind the last.
        self.assertIn(b"\r\x1b[K", seen[seen.rindex(b"reading - "):])
        for quiet in (self.on_terminal("--progress", "none"), self.on_terminal(TERM="dumb"), basalt("schedule", "-f", EXAMPLE).stderr):
            self.assertNotIn(b"\r\x1b[K", quiet)

    def test_colors_are_for_terminals_that_want_them(self):
        self.assertIn(b"\x1b[31mbasalt: ", self.on_terminal())
        self.assertIn(b"\x1b[31mbasalt: ", self.on_terminal(NO_COLOR=""))
        self.assertIn(b"\x1b[31mbasalt: ", self.on_terminal("--color", "always", NO_COLOR="1", TERM="dumb"))
        for seen in (self.on_terminal(NO_COLOR="1"), self.on_terminal(TERM="dumb"), self.on_terminal("--color", "never")):
            self.assertNotIn(b"\x1b[31m", seen)

    def test_now_is_rfc_3339(self):
        for now in ("2025-11-30T10:53:20Z", "2025-11-30T11:53:20.25+01:00", "2024-02-29t00:00:00z"):
            self.expect(basalt("schedule", "-f", EXAMPLE, "--now", now), 0)
        for now in ("2025-11-30", "2025-02-29T00:00:00Z", "2025-11-30T24:00:00Z", "2016-12-31T23:59:60Z", "2025-11-30T10:53:20", "2025-11-30T10:53:20.Z", "2025-11-30T10:53:20Zz", "9999-01-01T00:00:00Z"):
            self.expect(basalt("schedule", "-f", EXAMPLE, "--now", now), 2)


class Configuration(Case):
    def setUp(self):
        super().setUp()
        self.cluster = self.file("c.json", listing(node("n1"), group("job"), pod("a", group="job")))

    def test_refused_configuration_is_4_without_a_plan(self):
        for text in (b"actions: [", b'actions: "allocate"\nactions: "backfill"\n', b'actions: "conquer"\n', b'actions: "allocate"\ntiers:\n- plugins:\n  - name: luck\n', b""):
            with self.subTest(text=text):
                conf = self.file("volcano-scheduler.conf", text)
                for args in (["schedule", "-f", self.cluster, "-o", "json"], ["score", "-f", self.cluster, "-o", "json"], ["config", "check"], ["config", "view"]):
                    done = self.expect(basalt(*args, "--config", conf), 4)
                    self.assertEqual(done.stdout, b"")
                    self.assertIn("volcano-scheduler.conf", done.err)

    def test_missing_configuration_is_4(self):
        self.assertIn("none.conf: cannot read", self.expect(basalt("schedule", "-f", self.cluster, "--config", self.folder + "/none.conf"), 4).err)

    def test_not_built_yet_is_an_error_that_lenient_makes_a_warning(self):
        conf = self.file("volcano-scheduler.conf", CONF + b"  - name: extender\n")
        done = self.expect(basalt("schedule", "-f", self.cluster, "--config", conf), 4)
        self.assertIn("extender", done.err)
        lenient = self.expect(basalt("schedule", "-f", self.cluster, "--config", conf, "--lenient"), 0)
        self.assertIn("extender", lenient.err)

    def test_view_and_check(self):
        self.assertIn(b"actions", self.expect(basalt("config", "view"), 0).stdout)
        conf = self.file("volcano-scheduler.conf", CONF)
        self.assertEqual(self.expect(basalt("config", "check", "--config", conf), 0).stdout, b"")
        self.assertIn(b"gang", self.expect(basalt("config", "view", "--config", conf), 0).stdout)

    def test_view_from_the_input(self):
        config_map = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": "volcano-system"}, "data": {"volcano-scheduler.conf": CONF.decode()}}
        path = self.file("cm.json", listing(config_map))
        view = self.expect(basalt("config", "view", "-f", path), 0).stdout
        self.assertIn(b"nodeorder", view)
        self.assertNotIn(b"overcommit", view)


class ScoreAndExplain(Case):
    def test_scores_of_one_pod(self):
        done = self.expect(basalt("score", "-f", EXAMPLE, "--pod", "team-b/archive-0", "-o", "json"), 0)
        nodes = json.loads(done.stdout)["pods"]["team-b/archive-0"]["nodes"]
        self.assertEqual(len(nodes), 8)
        self.assertTrue(all(isinstance(value, str) for value in nodes.values()))

    def test_a_pod_that_is_not_there_is_1(self):
        self.assertIn("default/none", self.expect(basalt("score", "-f", EXAMPLE, "--pod", "none", "-o", "json"), 1).err)
        self.assertIn("pod default/none", self.expect(basalt("explain", "-f", EXAMPLE, "pod", "none"), 1).err)

    def test_explain_takes_its_words_anywhere(self):
        path = self.file("c.json", listing(node("n1"), pod("a", cpu="9")))
        told = self.expect(basalt("explain", "-f", path, "pod", "default/a"), 0).stdout
        self.assertIn(b"default/a", told)
        for args in (["pod", "default/a", "-f", path], ["-f", path, "pod", "a"], [path, "pod", "a"], ["-f", path, "pod/a"], ["pod/default/a", "-f", path]):
            with self.subTest(args=args):
                self.assertEqual(self.expect(basalt("explain", *args), 0).stdout, told)


if __name__ == "__main__":
    unittest.main()
