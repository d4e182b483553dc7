#!/usr/bin/env python3
"""dump_bench.py BIN [RUNS]: the whole command and the decision on a dump of 10,000 nodes and 100,000 pods in gangs of 100, as kubectl indents it.

Answers first: the plan binds every pod, is the same on the scalar and the vector backend, and `basalt verify` accepts it. Then RUNS (default 5) rounds
of basalt (two threads), Python's json.load of the same file, and the calibrator (bench/calibrate.cc), interleaved. Prints one JSON object of medians,
with ratios, and the same command on a smaller dump as YAML (one thread) and on a snapshot file; BIN holds basalt and calibrate.
"""
import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

folder, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
basalt = os.path.join(folder, "basalt")


def schedule(path, *more):
    before = time.perf_counter()
    process = subprocess.Popen([basalt, "schedule", "-f", path, "-o", "json", *(more if "--threads" in more else ("--threads", "2", *more))], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - before
    if status:
        sys.exit("basalt failed")
    return out, seconds, usage.ru_maxrss * 1024


with tempfile.TemporaryDirectory() as scratch:
    dump, plan, smaller, yaml, snapshot = (scratch + "/" + name for name in ("dump.json", "plan.json", "smaller.json", "smaller.yaml", "dump.snapshot"))
    with open(dump, "wb") as out:
        subprocess.run([basalt, "generate", "gang-burst"], stdout=out, check=True)
    vector, scalar = schedule(dump)[0], schedule(dump, "--backend", "scalar")[0]
    document = json.loads(vector)
    assert json.loads(scalar)["stats"]["plan_hash"] == document["stats"]["plan_hash"], "backends differ"
    assert len(document["cycles"][0]["binds"]) == 100000, "not every pod is bound"
    with open(plan, "wb") as out:
        out.write(vector)
    subprocess.run([basalt, "verify", "-f", dump, "--plan", plan], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    with open(smaller, "wb") as out:
        subprocess.run([basalt, "generate", "gang-burst", "--nodes", "1000", "--pods", "20000"], stdout=out, check=True)
    with open(yaml, "wb") as out:
        subprocess.run([basalt, "convert", "-f", smaller, "-o", "yaml"], stdout=out, check=True)
    with open(snapshot, "wb") as out:
        subprocess.run([basalt, "convert", "-f", dump, "-o", "snapshot"], stdout=out, check=True)
    assert json.loads(schedule(yaml)[0])["stats"]["plan_hash"] == json.loads(schedule(smaller)[0])["stats"]["plan_hash"], "YAML reads otherwise"
    assert json.loads(schedule(snapshot)[0])["stats"]["plan_hash"] == document["stats"]["plan_hash"], "a snapshot reads otherwise"

    whole, decide, peak, python, tree, from_yaml, from_snapshot = [], [], [], [], [], [], []
    for _ in range(runs):
        out, seconds, memory = schedule(dump)
        whole.append(seconds)
        peak.append(memory)
        decide.append(json.loads(out)["stats"]["decide_ms"] / 1000)
        from_yaml.append(schedule(yaml, "--threads", "1")[1])
        from_snapshot.append(schedule(snapshot)[1])
        before = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import json, sys; json.load(open(sys.argv[1]))", dump], check=True)
        python.append(time.perf_counter() - before)
        tree.append(json.loads(subprocess.run([os.path.join(folder, "calibrate")], capture_output=True, check=True).stdout)["winner_tree_pods_per_s"])
    median = statistics.median
    print(json.dumps({
        "dump_bytes": os.path.getsize(dump), "runs": runs, "whole_s": round(median(whole), 3), "json_load_s": round(median(python), 3),
        "json_load_over_whole": round(median(python) / median(whole), 2), "peak_bytes": max(peak), "decide_s": round(median(decide), 4),
        "pods_per_s": round(100000 / median(decide)), "winner_tree_pods_per_s": round(median(tree)),
        "pods_over_winner_tree": round(100000 / median(decide) / median(tree), 3),
        "yaml_bytes": os.path.getsize(yaml), "yaml_mb_per_s": round(os.path.getsize(yaml) / 1e6 / median(from_yaml), 1), "whole_from_snapshot_s": round(median(from_snapshot), 3),
        "calibrate_sha256": hashlib.sha256(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "calibrate.cc"), "rb").read()).hexdigest(),
    }, indent=1))
