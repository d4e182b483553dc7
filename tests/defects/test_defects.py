#!/usr/bin/env python3
"""Inputs on which Volcano crashes or halts: this program goes on. What is not built yet is left out with --lenient, and a plan is printed."""
import json
import os
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
bad, cases = [], sorted(d for d in os.listdir(here) if os.path.isdir(os.path.join(here, d)))
for case in cases:
    path = os.path.join(here, case, "cluster.json")
    strict = subprocess.run([os.environ["BASALT"], "schedule", "-f", path, "-o", "json"], capture_output=True, timeout=60)
    if strict.returncode not in (0, 4) or (strict.returncode == 4 and not strict.stderr.strip()):
        bad.append("%s: exit %d" % (case, strict.returncode))
    lenient = subprocess.run([os.environ["BASALT"], "schedule", "-f", path, "--lenient", "-o", "json"], capture_output=True, timeout=60)
    try:
        cycles = json.loads(lenient.stdout)["cycles"]
        if lenient.returncode != 0 or len(cycles) != 1:
            bad.append("%s: exit %d with --lenient" % (case, lenient.returncode))
        # A queue that is set wrong must not keep pods of the others from their room.
        if case in ("capacity-inner-job", "capacity-loop-idle", "capacity-loop-backfill", "tdm-period-number", "hdrf-short-weights", "strategy-fit-text-weight", "strategy-fit-list") and not cycles[0]["binds"]:
            bad.append("%s: nothing is placed" % case)
    except ValueError:
        bad.append("%s: no plan with --lenient: %s" % (case, lenient.stderr[-200:]))
print("\n".join(bad))
print("%d cases, %d bad" % (len(cases), len(bad)))
sys.exit(1 if bad or not cases else 0)
