#!/usr/bin/env python3
"""The same plan whatever the order of the input, the backend, the number of threads: every golden case, shuffled with a fixed seed."""
import concurrent.futures as cf
import json
import os
import random
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
basalt = os.environ["BASALT"]
targets = json.loads(subprocess.run([basalt, "version", "-o", "json"], capture_output=True, check=True).stdout)["targets"]
backends = ["scalar", "simd"] + ["simd:" + t for t in targets]


def plan(path, cycles, *more):
    done = subprocess.run([basalt, "schedule", "-f", path, "--cycles", str(cycles), "-o", "json", *more], capture_output=True, timeout=120)
    if done.returncode:
        raise RuntimeError("exit %d: %s" % (done.returncode, done.stderr[-200:]))
    document = json.loads(done.stdout)
    return document["stats"]["plan_hash"], document["cycles"]


def differences(case):
    folder = os.path.join(here, case)
    path = folder + "/cluster.json"
    cycles = json.load(open(folder + "/run.json"))["cycles"]
    want = plan(path, cycles, "--backend", "scalar", "--threads", "1")
    draw = random.Random(case)
    cluster = json.load(open(path))
    bad = []
    with tempfile.TemporaryDirectory() as scratch:
        for turn in range(3):
            draw.shuffle(cluster["items"])
            shuffled = "%s/%d.json" % (scratch, turn)
            with open(shuffled, "w") as out:
                json.dump(cluster, out)
            backend, threads = draw.choice(backends), draw.choice("124")
            if plan(shuffled, cycles, "--backend", backend, "--threads", threads) != want:
                bad.append("%s shuffled, %s, %s threads" % (case, backend, threads))
    return bad


cases = sorted(c for c in os.listdir(here) if os.path.exists(os.path.join(here, c, "run.json")))
with cf.ThreadPoolExecutor(os.cpu_count()) as pool:
    found = [line for lines in pool.map(differences, cases) for line in lines]
print("\n".join(found))
print("%d cases, %d differences, backends %s" % (len(cases), len(found), " ".join(backends)))
sys.exit(1 if found or len(cases) < 164 else 0)
