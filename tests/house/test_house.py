#!/usr/bin/env python3
"""Keeps the house: includes point one way, no file that nothing compiles, includes, imports, reads or names, no name of a rule outside its file and the
catalogues, no path of one machine. Each check is first seen to fail on a seeded violation."""
import fnmatch
import json
import os
import re
import subprocess
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
SEES = {"snapshot": {"snapshot"}, "scoring": {"snapshot", "scoring"}, "kernel": {"snapshot", "scoring", "kernel"},
        "report": {"snapshot", "scoring", "kernel", "report"}, "cli": {"cli"}}


def tracked():
    return subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=True).stdout.split()


def read(path):
    with open(os.path.join(ROOT, path), errors="replace") as text:
        return text.read()


def includes(text):
    return re.findall(r'#\s*include\s+"([^"]+)"', text)


def wrong_arrow(path, text):
    room = path.split("/")[0]
    if room not in SEES:
        return []
    return [i for i in includes(text) if i.split("/")[0] in list(SEES) + ["bench", "tests"] and i.split("/")[0] not in SEES[room]
            and not (room == "cli" and i == "kernel/include/basalt.h")]


GO_SEES = {"deploy": {"deploy"}, "k8s-bridge": {"k8s-bridge", "deploy"}}


def wrong_go_arrow(path, text):
    allowed = GO_SEES.get(path.split("/")[0])
    imported = re.findall(r'"basalt\.dev/basalt/([^/"]+)', text)
    return [] if allowed is None else [i for i in imported if i not in allowed]


def never_included(headers, texts):
    seen = {i for text in texts for i in includes(text)}
    return [h for h in headers if h not in seen]


def not_compiled(sources, compiled):
    """bench/ counts only where benchmarks are built; the calibrator always is."""
    bench = any(f.startswith("bench/") and f != "bench/calibrate.cc" for f in compiled)
    return [f for f in sources if f not in compiled and not (f.startswith("bench/") and not bench)]


def never_imported(packages):
    """packages: by folder, the text of all files that are no tests."""
    imported = {i for text in packages.values() for i in re.findall(r'"basalt\.dev/basalt/([^"]+)"', text)}
    return [p for p, text in packages.items() if p not in imported and not re.search(r"^package main$", text, re.M) and not p.endswith("_test")]


# Files that tests find by listing folders. Of a case, each file has to be named by its test or its run.json; a corpus has to have its fuzzer.
DATA = re.compile(r"tests/(golden|reports|defects)/[^/]+/[^/]+$|tests/fuzz/corpus/")
LISTED = {"tests/*/test_*.py": "tests/CMakeLists.txt", "bench/scenarios/*": "CMakeLists.txt", "deploy/crds/*.yaml": "deploy/embed.go"}
KNOWN_TO_TOOLS = {"CMakeLists.txt", "CMakePresets.json", "Makefile", "README.md", ".gitignore", ".editorconfig", ".clang-format", ".clang-tidy", "go.mod", "go.sum"}


def read_by_nobody(files, texts):
    """texts: of the files that may name others."""
    dead = []
    for f in files:
        name = os.path.basename(f)
        if name in KNOWN_TO_TOOLS or f == ".ci/run" or any(fnmatch.fnmatch(f, pattern) for pattern in LISTED):
            continue
        data = DATA.match(f)
        if data and data.group(1):
            readers = [t for t in texts if t == os.path.dirname(f) + "/run.json" or os.path.dirname(t) == "tests/" + data.group(1)]
        elif data:
            if "tests/fuzz/fuzz_%s.cc" % f.split("/")[3] not in texts:
                dead.append(f)
            continue
        else:
            readers = [t for t in texts if t != f]
        module = "from %s import" % name[:-3] if name.endswith(".py") else name
        if not any(name in texts[t] or module in texts[t] for t in readers):
            dead.append(f)
    return dead


POLICIES, ACTIONS = "kernel/policies/catalogue.cc", "kernel/actions/catalogue.cc"


def foreign_names(path, text, names):
    code = re.sub(r"^\s*//.*|\s//.*$", "", text, flags=re.M)
    return [n for n in names if path not in names[n] and '"%s"' % n in code]


MACHINE = re.compile(r"/(?:work|root|home)/[a-z]|https?://(?!www\.apache\.org)[a-z0-9.-]*(?:pypi|crates|goproxy|deb\.debian)")


class House(unittest.TestCase):
    maxDiff = None
    sources = [f for f in tracked() if f.endswith((".h", ".cc"))]

    def test_includes_point_one_way(self):
        self.assertTrue(wrong_arrow("snapshot/x.h", '#include "kernel/plan.h"'))
        self.assertTrue(wrong_arrow("cli/x.cc", '#include "snapshot/ids.h"'))
        self.assertTrue(wrong_arrow("report/x.cc", '#include "tests/support/a.h"'))
        self.assertEqual([(f, w) for f in self.sources for w in wrong_arrow(f, read(f))], [])

    def test_go_imports_point_one_way(self):
        self.assertTrue(wrong_go_arrow("k8s-bridge/x.go", 'import "basalt.dev/basalt/tests/testbed"'))
        self.assertEqual([(f, w) for f in tracked() if f.endswith(".go") for w in wrong_go_arrow(f, read(f))], [])

    def test_no_dead_headers(self):
        self.assertEqual(never_included(["a/b.h"], ['#include "a/c.h"']), ["a/b.h"])
        texts = [read(f) for f in self.sources]
        self.assertEqual(never_included([f for f in self.sources if f.endswith(".h")], texts), [])

    def test_no_unlinked_documents(self):
        documents = [f for f in tracked() if f.startswith("docs/") and f.endswith(".md")]
        linking = "".join(read(f) for f in tracked() if f.endswith(".md"))
        self.assertTrue(documents)
        self.assertEqual([d for d in documents if d not in linking], [])

    def test_no_machine_paths(self):
        self.assertTrue(MACHINE.search("see /wo" + "rk/main/x"))
        kinds = (".h", ".cc", ".go", ".mod", ".yaml", ".py", ".sh", ".md", ".cmake", ".txt")
        texts = [f for f in tracked() if f.endswith(kinds) or f in ("Makefile", "scripts/go", ".ci/run")]
        self.assertEqual([f for f in texts if f != "tests/house/test_house.py" and MACHINE.search(read(f))], [])

    def test_every_source_is_compiled(self):
        self.assertEqual(not_compiled(["kernel/x.cc", "cli/y.cc", "bench/z.cc"], {"cli/y.cc"}), ["kernel/x.cc"])
        self.assertEqual(not_compiled(["bench/y.cc", "bench/z.cc"], {"bench/y.cc", "bench/calibrate.cc"}), ["bench/z.cc"])
        build = os.path.join(os.path.dirname(os.path.realpath(os.environ["BASALT"])), "..")
        with open(os.path.join(build, "compile_commands.json")) as commands:
            compiled = {os.path.relpath(os.path.realpath(os.path.join(c["directory"], c["file"])), os.path.realpath(ROOT)) for c in json.load(commands)}
        self.assertEqual(not_compiled([f for f in self.sources if f.endswith(".cc")], compiled), [])

    def test_every_go_package_is_a_program_a_test_or_imported(self):
        self.assertEqual(never_imported({"a/b": "package b", "a/c": "package main", "a/d_test": "package d"}), ["a/b"])
        self.assertEqual(never_imported({"a/b": "package b", "c/d": 'package main\nimport "basalt.dev/basalt/a/b"'}), [])
        packages = {}
        for f in tracked():
            if f.endswith(".go") and not f.endswith("_test.go"):
                packages[os.path.dirname(f)] = packages.get(os.path.dirname(f), "") + read(f)
        tests = "".join(read(f) for f in tracked() if f.endswith("_test.go"))
        self.assertEqual(never_imported({**packages, "tests of Go": "package main\n" + tests}), [])

    def test_no_file_that_nothing_reads(self):
        self.assertEqual(read_by_nobody(["scripts/a.sh", "scripts/b.sh", "tests/cli/test_x.py"], {"Makefile": "scripts/a.sh"}), ["scripts/b.sh"])
        self.assertEqual(read_by_nobody(["tests/golden/gang-00/cluster.json", "tests/golden/gang-00/left.txt"], {"tests/golden/test_golden.py": "cluster.json"}),
                         ["tests/golden/gang-00/left.txt"])
        self.assertEqual(read_by_nobody(["tests/fuzz/corpus/old/a"], {"tests/fuzz/fuzz_new.cc": ""}), ["tests/fuzz/corpus/old/a"])
        self.assertEqual(read_by_nobody(["scripts/a.py"], {"scripts/a.py": "usage: a.py"}), ["scripts/a.py"], "naming itself is not enough")
        files = [f for f in tracked() if not f.endswith((".h", ".cc", ".go"))]
        texts = {f: read(f) for f in tracked() if (not DATA.match(f) or f.endswith("/run.json")) and not f.startswith("third_party/")}
        self.assertEqual(read_by_nobody(files, texts), [])

    def test_rule_names_stand_only_in_their_files_and_the_catalogues(self):
        self.assertEqual(foreign_names("kernel/x.cc", 'a == "drf" || b == "gang"', {"drf": {"kernel/x.cc"}, "gang": {"kernel/y.cc"}}), ["gang"])
        names = {}  # name: the files that may say it
        for f, entry in ((POLICIES, r'^      \{"([a-z-]+)"'), (ACTIONS, r'\{"([a-z]+)", (?:Run|nullptr)'), ("kernel/actions/catalogue.h", r'k\w+Action = "([a-z]+)"'),
                         ("scoring/catalogue.h", r'k\w+Plugin = "([a-z]+)"')):
            for name in re.findall(entry, read(f), re.M):
                names.setdefault(name, set()).add(f)
        for f in self.sources:
            if f.startswith(("scoring/scores/", "scoring/filters/")):
                for name in re.findall(r'(?:kPlugin|kName) = "([a-z-]+)"', read(f)):
                    names.setdefault(name, set()).add(f)
        self.assertGreater(len(names), 35)
        # In snapshot/, in documents of report/ and where the C header describes them, "priority" and "capacity" are fields. The verifier knows Volcano by itself, by design.
        looked_at = [f for f in self.sources if f.startswith(("kernel/", "scoring/", "report/", "cli/")) and not f.startswith("report/verif")]
        fields = {"priority", "capacity", "usage", "gang"}
        found = [(f, [n for n in foreign_names(f, read(f), names) if not (f.startswith(("report/", "cli/", "kernel/include/")) and n in fields)]) for f in looked_at]
        self.assertEqual([(f, n) for f, n in found if n], [])

    def test_a_rule_is_a_file(self):
        for folder, lists in (("scores", ("BATCH_SCORES", "PLUGIN_SCORES", "POLICY_SCORES")), ("filters", ("STATIC_FILTERS", "COLUMN_FILTERS", "LIST_FILTERS"))):
            rules = {r for name in lists for r in re.findall(r"X\((\w+)\)", re.search(r"#define BASALT_%s\(X\)(.*)" % name, read("scoring/catalogue.h")).group(1))}
            for f in self.sources:
                if f.startswith("scoring/%s/" % folder):
                    self.assertLessEqual(len(rules & set(re.findall(r"^struct (\w+)", read(f), re.M))), 1, f)


if __name__ == "__main__":
    unittest.main()
