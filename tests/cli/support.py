"""What the command line tests share: the binary under test, and small clusters."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

BASALT = os.environ.get("BASALT", os.path.join(os.path.dirname(__file__), "../../build/release/bin/basalt"))
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples")


def basalt(*args, stdin=b"", timeout=120):
    """Runs the binary; returns the completed process with bytes in stdout and text in .err."""
    done = subprocess.run([BASALT, *args], input=stdin, capture_output=True, timeout=timeout)
    done.err = done.stderr.decode(errors="replace")
    return done


def peak_bytes(case, *args):
    """Peak memory of a command that ends with 0 or 4. Sanitizers keep freed memory, so under them the test is skipped."""
    if os.environ.get("BASALT_SANITIZE"):
        case.skipTest("sanitizers keep freed memory")
    # By a small process: a child's peak begins with that of the process it was forked from.
    script = """import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)"""
    code, peak = map(int, subprocess.run([sys.executable, "-c", script, BASALT, *args], capture_output=True, check=True).stdout.split())
    case.assertIn(code, (0, 4))
    return peak


def node(name, cpu="4", memory="8Gi", **labels):
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, **labels}},
            "spec": {}, "status": {"allocatable": {"cpu": cpu, "memory": memory, "pods": "110"}}}


def pod(name, cpu="1", group=None, **spec):
    annotations = {"scheduling.k8s.io/group-name": group} if group else {}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": "default", "uid": "uid-" + name, "annotations": annotations},
            "spec": {"schedulerName": "volcano", "containers": [{"name": "main", "resources": {"requests": {"cpu": cpu}}}], **spec},
            "status": {"phase": "Pending"}}


def group(name, min_member=1, queue="default"):
    return {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "PodGroup", "metadata": {"name": name, "namespace": "default"},
            "spec": {"minMember": min_member, "queue": queue}, "status": {"phase": "Inqueue"}}


def listing(*objects):
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects)}).encode()


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, name, data):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as out:
            out.write(data)
        return path

    def expect(self, done, code):
        self.assertEqual(done.returncode, code, done.err[-2000:])
        return done

    def binds(self, *args, code=0, stdin=b""):
        """Runs schedule -o json and returns the binds of its first cycle."""
        done = self.expect(basalt("schedule", *args, "-o", "json", stdin=stdin), code)
        return json.loads(done.stdout)["cycles"][0]["binds"]
