"""Good dumps with fields changed at random, by seed: nothing crashes, whatever is still readable is planned, and the verifier accepts the plan."""
import concurrent.futures as cf
import copy
import glob
import json
import os
import random
import unittest

from support import EXAMPLES, Case, basalt

# By hand, more and others: MUTANTS=20000 FIRST_SEED=1000000 BASALT=... python3 tests/cli/test_mutated_dumps.py
MUTANTS, FIRST_SEED = int(os.environ.get("MUTANTS", "300")), int(os.environ.get("FIRST_SEED", "0"))
GOLDEN = os.path.join(EXAMPLES, "../tests/golden")
LEAVES = (None, True, 0, 1, -1, 7, 2**31, 2**63, -2**63, 10**30, 0.5, 1e300, "", "0", "-1", "1", "many", "1e99", "9223372036854775807", "100000000000Ei", "1n", "0.1m", "n1", "default", "root",
          "*", "Pending", "Running", "Succeeded", "2025-11-30T10:53:21Z", "\u00e9\U0001F600", "a" * 300, [], {}, [None], {"": None}, ["a"], {"a": "b"})
KEYS = ("nodeName", "spec", "status", "metadata", "annotations", "cpu", "nvidia.com/gpu", "x.com/y", "weight", "parent", "minMember", "priority", "", "a" * 300)


def spots(value, out):
    """Every container of a document."""
    if isinstance(value, (dict, list)):
        out.append(value)
        for v in value.values() if isinstance(value, dict) else value:
            spots(v, out)
    return out


def mutate(document, draw):
    every = spots(document["items"], [])
    for _ in range(draw.choice((1, 1, 2, 5, 20))):
        spot = draw.choice(every)
        keys = list(spot) if isinstance(spot, dict) else list(range(len(spot)))
        what = draw.randrange(6)
        if what == 0 or not keys:  # something new
            new = draw.choice(LEAVES) if draw.random() < 0.6 else copy.deepcopy(draw.choice(every))
            if isinstance(spot, dict):
                spot[draw.choice(KEYS)] = new
            else:
                spot.insert(draw.randrange(len(spot) + 1), new)
            continue
        key = draw.choice(keys)
        if what == 1:
            del spot[key]
        elif what == 2:  # a piece of another place
            spot[key] = copy.deepcopy(draw.choice(every))
        elif isinstance(spot[key], str) and what == 3:
            text = spot[key]
            at = draw.randrange(len(text) + 1)
            spot[key] = text[:at] + draw.choice(("", "-", "9", "/", ".", "\u0000", "i", " ")) + text[at + draw.randrange(2):]
        else:
            spot[key] = draw.choice(LEAVES)


class MutatedDumps(Case):
    def verdict(self, seed):
        draw = random.Random(seed)
        document = json.loads(self.sources[seed % len(self.sources)])
        mutate(document, draw)
        path = self.file("%d.json" % seed, json.dumps(document).encode())
        cycles, backend = draw.choice("123"), draw.choice(("scalar", "simd"))
        # The clock stands, so that a plan can be checked as of the time at which it was made.
        now = ("--now", "2026-01-01T00:00:00Z")
        done = basalt("schedule", "-f", path, "-o", "json", "--cycles", cycles, "--backend", backend, *now)
        if done.returncode not in (0, 4):
            return "seed %d: schedule ends with %d: %s" % (seed, done.returncode, done.err[-300:])
        if not done.stdout:  # a refused configuration
            return None if "configuration" in done.err else "seed %d: no plan: %s" % (seed, done.err[-300:])
        plan = self.file("%d-plan.json" % seed, done.stdout)
        if (done.returncode == 4) != any("set aside" in line and " 0 set aside" not in line for line in done.err.splitlines()):
            return "seed %d: %d, but %s" % (seed, done.returncode, done.err[-300:])
        checked = basalt("verify", "-f", path, "--plan", plan, "--lenient", *now)
        if checked.returncode:
            return "seed %d: verify ends with %d: %s" % (seed, checked.returncode, checked.err[-500:] + checked.stdout.decode()[-500:])
        return None

    def test_whatever_is_left_is_planned_and_verified(self):
        self.sources = []
        for path in sorted(glob.glob(GOLDEN + "/*-0[07]/cluster.json")) + [EXAMPLES + "/cluster.json"]:
            with open(path, "rb") as source:
                self.sources.append(source.read())
        for shape in (["heterogeneous", "--nodes", "6", "--pods", "30", "--gang", "4", "--running", "8"], ["gang-burst", "--nodes", "5", "--pods", "20", "--gang", "4", "--tainted", "40"]):
            self.sources.append(basalt("generate", *shape).stdout)
        with cf.ThreadPoolExecutor(os.cpu_count()) as pool:
            self.assertEqual([v for v in pool.map(self.verdict, range(FIRST_SEED, FIRST_SEED + MUTANTS)) if v], [])


if __name__ == "__main__":
    unittest.main()
