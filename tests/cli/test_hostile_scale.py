"""Four times the input costs about four times the time, whatever it is made of, memory is bounded by the input, and nothing crashes. Compared is the CPU time of the process for two sizes,
the best of the runs of each: quadratic work would make it sixteen times, caches that no longer hold the data up to twice."""
import json
import os
import subprocess
import unittest

from support import BASALT, Case, group, node, peak_bytes, pod

SIZE = 20_000
QUADRATIC = 10
RUNS = 4  # as often a doubtful pair is measured again: a busy machine slows one run, not all


def listing(items):
    return b'{"apiVersion":"v1","kind":"List","items":[' + b",".join(items) + b"]}"


def dump(item):
    return json.dumps(item).encode()


def queue(name, parent=None):
    return {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue", "metadata": {"name": name}, "spec": {"weight": 1, **({"parent": parent} if parent else {})}}


def labels(n):
    p = pod("a", group="g")
    p["metadata"]["labels"] = {"key-%d" % i: "v" for i in range(n)}
    return p


def tolerations(n):
    return pod("a", group="g", tolerations=[{"key": "t-%d" % i, "operator": "Exists"} for i in range(n)])


def tainted(n):
    t = node("n1")
    t["spec"]["taints"] = [{"key": "t-%d" % (i % 500), "value": str(i), "effect": "NoSchedule"} for i in range(n)]
    return t


def containers(n):
    return pod("a", group="g", containers=[{"name": "c%d" % i, "resources": {"requests": {"cpu": "1m"}}} for i in range(n)])


def offers(i, names):
    n = node("n%d" % i)
    n["status"]["allocatable"]["x.com/r%d" % (i * 7919 % names)] = "3"
    return n


def asks(n):
    return pod("a", group="g", containers=[{"name": "c", "resources": {"requests": {"x.com/q%d" % i: "1" for i in range(n)}}}])


HIERARCHY = b"actions: \"enqueue, allocate\"\ntiers:\n- plugins: [{name: gang}, {name: capacity, enableHierarchy: true}, {name: predicates}]\n"
SHAPES = {
    "null items": lambda n: listing([b"null"] * (4 * n)),
    "bad objects": lambda n: listing([b'{"kind":"Node","apiVersion":"v1","metadata":{"name":"n%d"},"status":{"allocatable":{"cpu":"many"}}}' % i for i in range(n)]),
    "one name again and again": lambda n: listing([dump(node("n1"))] * n),
    "labels of one pod": lambda n: listing([dump(node("n1")), dump(group("g")), dump(labels(4 * n))]),
    "one key again and again": lambda n: b'{"kind":"Node","apiVersion":"v1","metadata":{"name":"n1","labels":{' + b",".join([b'"a":"b"'] * (8 * n)) + b'}}}',
    "distinct keys, the last one twice": lambda n: b'{"kind":"Node","apiVersion":"v1","metadata":{"name":"n1","labels":{' + b",".join(b'"k%d":"b"' % i for i in range(4 * n)) + b',"k7":"b"}}}',
    "tolerations of one pod, taints of one node": lambda n: listing([dump(tainted(500)), dump(group("g")), dump(tolerations(n))]),
    "containers of one pod": lambda n: listing([dump(node("n1")), dump(group("g")), dump(containers(n))]),
    "resource names of one pod": lambda n: listing([dump(node("n1")), dump(group("g")), dump(pod("a", group="g", containers=[
        {"name": "c", "resources": {"requests": {"x.com/r%d" % i: "1" for i in range(n)}}}]))]),
    "resource names of nodes": lambda n: listing([dump(offers(i, 1000)) for i in range(n)]),
    "pods of one PodGroup that is not there": lambda n: listing([dump(node("n1"))] + [dump(pod("p-%d" % i, group="away")) for i in range(n)]),
    "pods of one owner": lambda n: listing([dump(node("n1"))] + [dump({**pod("p-%d" % i), "metadata": {**pod("p-%d" % i)["metadata"], "ownerReferences": [
        {"apiVersion": "v1", "kind": "Job", "name": "o", "uid": "o", "controller": True}]}}) for i in range(n)]),
    "nesting": lambda n: b'{"kind":"Node","apiVersion":"v1","metadata":{"name":"n1"},"x":' + b"[" * (20 * n) + b"]" * (20 * n) + b"}",
    "one long string": lambda n: b'{"kind":"Node","apiVersion":"v1","metadata":{"name":"' + b"n\\u00e9" * (40 * n) + b'"}}',
    "queues in a circle": lambda n: listing([dump(node("n1"))] + [dump(queue("q%d" % i, "q%d" % ((i + 1) % n))) for i in range(n)]),
    "queues in a chain": lambda n: listing([dump(node("n1"))] + [dump(queue("q%d" % i, "q%d" % (i + 1) if i + 1 < n else None)) for i in range(n)]),
}


# Peak memory: this much and so many bytes per byte of input. Dense columns and one message per item had needed gigabytes.
BASE_BYTES, BYTES_PER_BYTE = 64 << 20, 8
FAT = {
    "null items": lambda: listing([b"null"] * 2_000_000),
    "items that are no objects": lambda: listing([b"1"] * 2_000_000),
    "nodes with a thousand resource names among them": lambda: listing([dump(offers(i, 1000)) for i in range(20_000)]),
    "a pod that asks for thousands of resources": lambda: listing([dump(node("n%d" % i)) for i in range(10_000)] + [dump(group("g")), dump(asks(10_000))]),
}


class HostileScale(Case):
    def test_memory_is_bounded_by_the_input(self):
        for name, shape in FAT.items():
            with self.subTest(shape=name):
                path = self.file("fat.json", shape())
                self.assertLess(peak_bytes(self, "schedule", "-f", path, "-o", "json"), BASE_BYTES + BYTES_PER_BYTE * os.path.getsize(path))

    def cpu_seconds(self, path, config):
        process = subprocess.Popen([BASALT, "schedule", "-f", path, "-o", "name", "--threads", "1", "--config", config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertIn(process.returncode, (0, 4), path)
        return usage.ru_utime

    def test_four_times_the_input_costs_about_four_times_the_time(self):
        config = self.file("c.conf", HIERARCHY)
        for name, shape in SHAPES.items():
            with self.subTest(shape=name):
                paths = [self.file("%d.json" % n, shape(n)) for n in (SIZE, 4 * SIZE)]
                small = large = float("inf")
                for _ in range(RUNS):
                    small, large = min(small, self.cpu_seconds(paths[0], config)), min(large, self.cpu_seconds(paths[1], config))
                    # Below a fifth of a second there is nothing to compare: quadratic work of this size would take minutes.
                    if large < 0.2 or large < QUADRATIC * small:
                        break
                else:
                    self.fail("%s: %.3f s and %.3f s" % (name, small, large))


if __name__ == "__main__":
    unittest.main()
