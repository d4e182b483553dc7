#!/usr/bin/env python3
"""fetch_sdist.py NAME VERSION SHA256 DIR: fetches one source distribution of the Python package index that pip is configured for, checks its
hash and unpacks it into DIR. pip itself cannot fetch without building, and what is needed here are the C++ sources only."""
import hashlib
import io
import os
import re
import subprocess
import sys
import tarfile
import urllib.parse
import urllib.request


def index_url():
    if os.environ.get("PIP_INDEX_URL"):
        return os.environ["PIP_INDEX_URL"]
    for key in ("global.index-url", "install.index-url"):
        found = subprocess.run([sys.executable, "-m", "pip", "config", "get", key], capture_output=True, text=True)
        if found.returncode == 0 and found.stdout.strip():
            return found.stdout.strip()
    from pip._internal.models.index import PyPI
    return PyPI.simple_url


def main():
    name, version, sha256, folder = sys.argv[1:]
    page_url = index_url().rstrip("/") + "/" + name + "/"
    page = urllib.request.urlopen(page_url, timeout=120).read().decode()
    wanted = "%s-%s.tar.gz" % (name, version)
    links = [l for l in re.findall(r'href="([^"]+)"', page) if l.split("#")[0].rsplit("/", 1)[-1] == wanted]
    if not links:
        sys.exit("fetch_sdist: %s is not in the package index" % wanted)
    data = urllib.request.urlopen(urllib.parse.urljoin(page_url, links[0].split("#")[0]), timeout=600).read()
    got = hashlib.sha256(data).hexdigest()
    if got != sha256:
        sys.exit("fetch_sdist: %s has sha256 %s, expected %s" % (wanted, got, sha256))
    os.makedirs(folder, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        for member in tar.getmembers():
            if member.name.startswith("/") or ".." in member.name.split("/"):
                sys.exit("fetch_sdist: unsafe path %s" % member.name)
        tar.extractall(folder)


main()
