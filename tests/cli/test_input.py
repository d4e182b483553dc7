"""Everything that may stand behind -f, and what happens when it is damaged."""
import ctypes
import ctypes.util
import gzip
import io
import json
import os
import resource
import subprocess
import unittest

from support import BASALT, Case, basalt, group, listing, node, pod

CLUSTER = listing(node("n1"), group("job"), pod("a", group="job"))
BOUND = {"default/a": "n1"}


def zstd(data):
    """One Zstandard frame, by the library that the binary uses too."""
    library = ctypes.CDLL("libzstd.so.1")
    library.ZSTD_compressBound.restype = library.ZSTD_compress.restype = ctypes.c_size_t
    library.ZSTD_compressBound.argtypes = [ctypes.c_size_t]
    library.ZSTD_compress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int]
    room = library.ZSTD_compressBound(len(data))
    out = ctypes.create_string_buffer(room)
    size = library.ZSTD_compress(out, room, data, len(data), 3)
    return out.raw[:size]


class Forms(Case):
    def test_file_standard_input_pipe_and_compressed(self):
        self.assertEqual(self.binds("-f", self.file("c.json", CLUSTER)), BOUND)
        self.assertEqual(self.binds("-f", "-", stdin=CLUSTER), BOUND)
        self.assertEqual(self.binds("-f", "/dev/stdin", stdin=CLUSTER), BOUND)
        for name, data in [("c.json.gz", gzip.compress(CLUSTER)), ("c.json.zst", zstd(CLUSTER))]:
            with self.subTest(name):
                self.assertEqual(self.binds("-f", self.file(name, data)), BOUND)
                self.assertEqual(self.binds("-f", "-", stdin=data), BOUND)

    def test_a_redirected_file_is_read_from_where_it_stands(self):
        path = self.file("c.json", b"#" * 100 + CLUSTER)
        with open(path, "rb", buffering=0) as opened:
            opened.seek(100)
            done = subprocess.run([BASALT, "schedule", "-f", "-", "-o", "json"], stdin=opened, capture_output=True)
        self.assertEqual(json.loads(done.stdout)["cycles"][0]["binds"], BOUND)

    def test_sizes_around_the_page(self):
        page = resource.getpagesize()
        for size in (page - 65, page - 64, page - 63, page - 1, page, page + 1, 2 * page):
            with self.subTest(size=size):
                data = CLUSTER + b" " * (size - len(CLUSTER))
                self.assertEqual(self.binds("-f", self.file("c.json", data)), BOUND)
                self.assertEqual(self.binds("-f", "-", stdin=data), BOUND)

    def test_several_members_are_one_text(self):
        half = len(CLUSTER) // 2
        for name, pack, padding in [("c.json.gz", gzip.compress, b"\0" * 512), ("c.json.zst", zstd, b"")]:
            with self.subTest(name):
                data = pack(CLUSTER[:half]) + pack(b"") + pack(CLUSTER[half:])
                self.assertEqual(self.binds("-f", self.file(name, data)), BOUND)
                self.assertEqual(self.binds("-f", self.file(name, data + padding)), BOUND)

    def test_several_inputs_in_the_order_given(self):
        old = self.file("1.json", listing(node("n1"), group("job"), pod("a", cpu="100", group="job")))
        new = self.file("2.json", listing(pod("a", cpu="1", group="job")))
        self.assertEqual(self.binds("-f", old, "-f", new), BOUND)
        self.assertEqual(self.binds("-f", old, new), BOUND)
        self.assertEqual(self.binds("-f", new, "-f", old), {})
        self.assertEqual(self.binds(new, "-f", old), {})
        self.assertEqual(self.binds("-f", new, old, "--threads", "1"), {})

    def test_a_directory_is_its_files_by_name_and_not_its_folders(self):
        self.file("d/1.json", listing(node("n1")))
        self.file("d/2.json.gz", gzip.compress(listing(group("job"))))
        self.file("d/3.ndjson", json.dumps(pod("a", group="job")).encode() + b"\n")
        self.file("d/README.md", b"# not an input")
        self.file("d/sub/4.json", listing(pod("b", group="job")))
        done = self.expect(basalt("schedule", "-f", self.folder + "/d", "-o", "json"), 0)
        self.assertEqual(json.loads(done.stdout)["cycles"][0]["binds"], BOUND)
        self.assertIn("skipped", done.err)
        self.assertIn("README.md, sub", done.err)

    def test_a_directory_without_inputs_is_invalid(self):
        self.file("d/README.md", b"")
        done = self.expect(basalt("schedule", "-f", self.folder + "/d"), 4)
        self.assertIn("holds no file", done.err)

    def test_openb_lists(self):
        self.file("openb/nodes.csv", basalt("generate", "openb-sample", "--nodes", "3").stdout)
        self.file("openb/pods.csv", basalt("generate", "openb-sample", "--list", "pods", "--pods", "5").stdout)
        done = self.expect(basalt("schedule", "-f", self.folder + "/openb", "-o", "json"), 0)
        inputs = json.loads(done.stdout)["inputs"]
        self.assertEqual((inputs["nodes"], inputs["pods"]), (3, 5))

    def test_compressed_csv_is_told_by_the_inner_name(self):
        nodes = self.file("nodes.csv.gz", gzip.compress(basalt("generate", "openb-sample", "--nodes", "3").stdout))
        self.assertIn("read 3 nodes", self.expect(basalt("schedule", "-f", nodes), 0).err)


class Unreadable(Case):
    def expect_unreadable(self, *args, stdin=b"", says=""):
        done = self.expect(basalt("schedule", *args, "-o", "json", stdin=stdin), 4)
        self.assertEqual(done.stdout, b"")
        self.assertIn(says, done.err)
        return done

    def test_missing_or_forbidden_file(self):
        self.expect_unreadable("-f", self.folder + "/none.json", says=self.folder + "/none.json: cannot read: No such file")
        self.expect_unreadable("-f", "", says="No such file")

    def test_empty_and_binary_and_not_objects(self):
        for name, data in [("empty.json", b""), ("empty.yaml", b""), ("binary.json", bytes(range(256)) * 20), ("text.json", b"hello"), ("zeros.json", b"\0" * 4096)]:
            with self.subTest(name):
                path = self.file(name, data)
                self.expect_unreadable("-f", path, says=path)
                self.expect_unreadable("-f", "-", stdin=data)

    def test_cut_json_names_file_and_offset(self):
        path = self.file("cut.json", CLUSTER[:-20])
        self.assertRegex(self.expect_unreadable("-f", path, says=path).err, r"byte \d+")

    def test_cut_or_damaged_compression_names_file_and_offset(self):
        data = os.urandom(20000)
        # A gzip member ends with a checksum; the simplest zstd frame has none, so there the frame's own structure is damaged.
        for name, packed, at in [("c.json.gz", gzip.compress(data), 100), ("c.json.zst", zstd(data), 4)]:
            for what, bad in [("cut", packed[:len(packed) // 2]), ("no end", packed[:-3]), ("damaged", packed[:at] + b"\xff" * 50 + packed[at + 50:]),
                              ("joined with text", packed + b"junk")]:
                with self.subTest(name=name, what=what):
                    path = self.file(name, bad)
                    self.assertRegex(self.expect_unreadable("-f", path, says=path).err, r"offset \d+")

    def test_one_bad_file_among_good_ones_prints_no_plan(self):
        good, bad = self.file("1.json", CLUSTER), self.file("2.json", CLUSTER[:50])
        done = self.expect_unreadable("-f", bad, "-f", good, says=bad)
        self.assertIn("read 1 nodes", done.err)  # the good one was looked at too, for its messages

    def test_standard_input_only_once(self):
        self.expect_unreadable("-f", "-", "-f", "-", stdin=CLUSTER, says="already read")

    def test_a_bomb_costs_its_size_once(self):
        member = io.BytesIO()
        with gzip.GzipFile(fileobj=member, mode="wb", compresslevel=1) as out:
            for _ in range(64):
                out.write(b" " * (1 << 20))
        bomb = member.getvalue() + b"".join([gzip.compress(b"")] * 20000)
        self.expect_unreadable("-f", self.file("bomb.json.gz", bomb))


class BadObjects(Case):
    def test_a_bad_object_is_named_and_the_others_are_planned(self):
        path = self.file("c.json", listing(node("n1"), group("job"), pod("a", group="job"), pod("b", cpu="1 core", group="job"), None))
        done = self.expect(basalt("schedule", "-f", path, "-o", "json"), 4)
        document = json.loads(done.stdout)
        self.assertEqual(document["cycles"][0]["binds"], BOUND)
        self.assertIn("basalt: %s: Pod default/b: /spec/containers/0/resources/requests/cpu: " % path, done.err)
        self.assertIn("1 core", done.err)
        self.assertIn("Pod default/b", [d["object"] for d in document["diagnostics"]])
        self.assertIn("5 objects = 3 used + 0 of other kinds + 2 set aside + 0 duplicates", done.err)
        self.expect(basalt("schedule", "-f", path, "--lenient"), 0)
        self.expect(basalt("score", "-f", path, "-o", "json"), 4)

    def test_other_kinds_are_noted_once(self):
        services = [{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s%d" % i, "namespace": "default"}} for i in range(3)]
        done = self.expect(basalt("schedule", "-f", self.file("c.json", listing(node("n1"), *services))), 0)
        self.assertEqual(done.err.count("Service"), 1)
        self.assertIn("4 objects = 1 used + 3 of other kinds + 0 set aside + 0 duplicates", done.err)

    def test_a_pod_of_another_scheduler_seen_twice_is_a_duplicate(self):
        foreign = pod("other", schedulerName="else")
        done = self.expect(basalt("schedule", "-f", "-", "-o", "json", stdin=listing(node("n1"), foreign, foreign)), 0)
        self.assertIn("3 objects = 2 used + 0 of other kinds + 0 set aside + 1 duplicates", done.err)
        self.assertEqual(json.loads(done.stdout)["inputs"]["pods"], 1)

    def test_the_higher_resource_version_wins_in_any_order(self):
        old, new = pod("p", cpu="100"), pod("p", cpu="1")
        old["metadata"]["resourceVersion"], new["metadata"]["resourceVersion"] = "5", "6"
        for items in ([old, new], [new, old]):
            done = self.expect(basalt("schedule", "-f", "-", "-o", "json", stdin=listing(node("n1"), *items)), 0)
            self.assertEqual(json.loads(done.stdout)["cycles"][0]["binds"], {"default/p": "n1"})

    def test_names_cannot_steer_the_terminal(self):
        bad = pod("a\u001b[2J", cpu="x")
        done = basalt("schedule", "-f", self.file("c.json", listing(bad)), "--color", "never")
        self.assertNotIn("\x1b", done.err)

    def test_many_warnings_are_counted_and_not_all_printed(self):
        pods = [pod("p%d" % i, group="gone-%d" % i) for i in range(200)]
        path = self.file("c.json", listing(node("n1"), *pods))
        short, whole = self.expect(basalt("schedule", "-f", path), 0), self.expect(basalt("schedule", "-f", path, "-v", "1"), 0)
        self.assertRegex(short.err, r"and \d+ more warnings")
        self.assertNotIn("more warnings", whole.err)
        self.assertGreater(whole.err.count("gone-"), short.err.count("gone-"))


if __name__ == "__main__":
    unittest.main()
