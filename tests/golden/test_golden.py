#!/usr/bin/env python3
"""Every recorded decision of Volcano in this folder, on every backend; known differences stand in differences.txt."""
import os
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
families = "capacity hiercap reclaim reclaimcap preempt hdrf nodegroup tdm sla quota tasktopo scores gang accounting drf proportion mixed backfillprio".split()
status = 0
for backend in ("auto", "scalar"):
    status |= subprocess.run([sys.executable, here + "/compare_golden.py", os.environ["BASALT"], here, *families, "--differences", here + "/differences.txt",
                              "--", "--backend", backend, "--evictions", "compat"]).returncode
sys.exit(status)
