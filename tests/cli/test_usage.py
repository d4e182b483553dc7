"""Usage errors, help, version, completion: what a newcomer meets first."""
import json
import subprocess
import unittest

from support import BASALT, Case, EXAMPLES, basalt, listing, node

COMMANDS = ["schedule", "score", "explain", "verify", "convert", "generate", "config", "version", "completion", "topology", "bench"]


class Usage(Case):
    def test_every_usage_error_is_2_with_a_hint_and_no_data(self):
        for args, hint in [
            ([], "basalt --help"),
            (["nonsense"], "basalt --help"),
            (["--nonsense"], "basalt --help"),
            (["schedule"], "basalt schedule --help"),
            (["schedule", "-f"], "basalt schedule --help"),
            (["schedule", "-f", "x", "--nonsense"], "basalt schedule --help"),
            (["schedule", "-f", "x", "-o", "xml"], "basalt schedule --help"),
            (["schedule", "-f", "x", "--cycles", "0"], "basalt schedule --help"),
            (["schedule", "-f", "x", "--cycles", "3x"], "basalt schedule --help"),
            (["schedule", "-f", "x", "--threads", "-1"], "basalt schedule --help"),
            (["schedule", "-f", "x", "--now", "yesterday"], "basalt schedule --help"),
            (["schedule", "-f", "x", "--evictions", "all"], "basalt schedule --help"),
            (["schedule", "-f", "x", "--plan", "-"], "basalt schedule --help"),
            (["score", "-f", "x", "--by", "mood"], "basalt score --help"),
            (["explain", "-f", "x"], "basalt explain --help"),
            (["explain", "pod", "a"], "basalt explain --help"),
            (["explain", "-f", "x", "weather", "a"], "basalt explain --help"),
            (["verify", "-f", "x"], "basalt verify --help"),
            (["convert", "-f", "x", "-o", "toml"], "basalt convert --help"),
            (["generate"], "basalt generate --help"),
            (["generate", "chaos"], "basalt generate --help"),
            (["generate", "uniform", "--nodes", "-1"], "basalt generate --help"),
            (["generate", "openb-sample", "-o", "snapshot"], "basalt generate --help"),
            (["config"], "basalt config --help"),
            (["completion", "tcsh"], "basalt completion --help"),
        ]:
            with self.subTest(args=args):
                done = self.expect(basalt(*args), 2)
                self.assertEqual(done.stdout, b"")
                self.assertIn("`" + hint + "`", done.err)
                self.assertTrue(all(line.startswith("basalt: ") for line in done.err.splitlines()), done.err)

    def test_unknown_words_are_named(self):
        self.assertIn("nonsense", basalt("nonsense").err)
        self.assertIn("--nonsense", basalt("--nonsense").err)
        self.assertIn("'xml' is none of table|wide|json|name", basalt("schedule", "-f", "x", "-o", "xml").err)

    def test_what_is_not_built_yet_says_so(self):
        cluster = self.file("c.json", listing(node("n1")))
        for args in (["topology", "-f", cluster], ["bench", "smoke", "--tier", "1"], ["bench", "smoke", "--kubeconfig", "c"]):
            with self.subTest(args=args):
                done = self.expect(basalt(*args), 2)
                self.assertEqual(done.stdout, b"")
                self.assertIn("not supported yet", done.err)

    def test_a_backend_that_is_not_there_is_2(self):
        cluster = self.file("c.json", listing(node("n1")))
        targets = json.loads(basalt("version", "-o", "json").stdout)["targets"]
        foreign = "NEON" if "NEON" not in targets else "AVX2"
        for backend, told in (("simd:" + foreign, "targets of this machine: " + " ".join(targets)), ("simd:ABACUS", '"simd:ABACUS" is not available here'), ("simd:", "targets of this machine"),
                              ("cuda", "CUDA backend is not supported yet"), ("magic", 'unknown backend "magic"; known: auto, scalar, simd, simd:TARGET')):
            with self.subTest(backend=backend):
                done = self.expect(basalt("schedule", "-f", cluster, "--backend", backend), 2)
                self.assertEqual(done.stdout, b"")
                self.assertIn(told, done.err)

    def test_help_of_every_command(self):
        root = self.expect(basalt("--help"), 0).stdout.decode()
        for command in COMMANDS:
            with self.subTest(command=command):
                self.assertIn("\n  " + command, root)
                text = self.expect(basalt(command, "--help"), 0).stdout.decode()
                self.assertIn("basalt " + command, text)
                self.assertIn("--lenient", text)

    def test_common_flags_stand_before_or_behind_the_command(self):
        cluster = self.file("c.json", listing(node("n1")))
        self.expect(basalt("--threads", "1", "schedule", "-f", cluster), 0)
        self.expect(basalt("schedule", "--threads", "1", "-f", cluster), 0)

    def test_version(self):
        self.assertTrue(self.expect(basalt("version"), 0).stdout.startswith(b"basalt "))
        self.assertEqual(basalt("--version").stdout, basalt("version").stdout)
        self.assertIn("version", json.loads(self.expect(basalt("version", "-o", "json"), 0).stdout))

    def test_completion_knows_commands_flags_and_choices(self):
        for shell in ("bash", "zsh", "fish"):
            text = self.expect(basalt("completion", shell), 0).stdout.decode()
            for word in COMMANDS + ["termination-cycles", "minimal", "compat", "heterogeneous"]:
                self.assertIn(word, text, shell)

    def test_completion_works_in_bash(self):
        script = self.file("completion", basalt("completion", "bash").stdout)

        def complete(*words):
            line = "source %s; COMP_WORDS=(%s); COMP_CWORD=%d; _basalt; echo ${COMPREPLY[@]}" % (script, " ".join("'%s'" % w for w in words), len(words) - 1)
            return subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True, cwd=self.folder).stdout.split()

        self.assertEqual(complete("basalt", "sched"), ["schedule"])
        self.assertEqual(complete("basalt", "schedule", "--evictions", ""), ["minimal", "compat"])
        self.assertEqual(complete("basalt", "config", "v"), ["view"])
        self.assertIn("--trace-out", complete("basalt", "schedule", "--tr"))

    def test_a_closed_pipe_ends_quietly(self):
        generator = subprocess.Popen([BASALT, "generate", "uniform", "--pods", "5000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        generator.stdout.read(10)
        generator.stdout.close()
        self.assertEqual(generator.stderr.read(), b"")
        generator.stderr.close()
        self.assertEqual(generator.wait(60), 0)

    def test_a_full_disk_is_1_with_a_message(self):
        cluster = EXAMPLES + "/cluster.json"
        with open("/dev/full", "wb") as full:
            for args in (["schedule", "-f", cluster], ["generate", "uniform"], ["--help"], ["version"]):
                with self.subTest(args=args):
                    done = subprocess.run([BASALT, *args], stdout=full, stderr=subprocess.PIPE, text=True)
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertIn("No space left", done.stderr)
        done = self.expect(basalt("schedule", "-f", cluster, "--plan", "/dev/full"), 1)
        self.assertIn("cannot write /dev/full", done.err)
        self.assertIn("cannot write", self.expect(basalt("schedule", "-f", cluster, "--plan", self.folder + "/no/such/plan"), 1).err)


if __name__ == "__main__":
    unittest.main()
