#!/usr/bin/env bash
# Finds a Go of 1.26 or later, or fetches the pinned toolchain: it is published as a module, which Debian's old Go can download and check.
set -euo pipefail
cd "$(dirname "$0")/.."
read -r version sum <scripts/go.version
toolchain=third_party/go-$version

new_enough() {
  local have
  have=$(GOTOOLCHAIN=local "$1" env GOVERSION 2>/dev/null) || return 1
  [ "$(printf '%s\n' 1.26 "${have#go}" | sort -V | head -1)" = 1.26 ]
}

if new_enough go || [ -x "$toolchain/bin/go" ]; then exit 0; fi
if [ "$(uname -sm)" != "Linux x86_64" ]; then
  echo "setup: Go 1.26 or later is needed; the pinned toolchain is for Linux on x86_64 only" >&2
  exit 1
fi
bootstrap=$(command -v go || true)
if [ -z "$bootstrap" ]; then
  scripts/install.sh golang-go
  bootstrap=go
fi
echo "setup: fetching Go $version" >&2
modules=$(mktemp -d third_party.XXXXXX)
trap 'chmod -R u+w "$modules"; rm -rf "$modules"' EXIT
found=$(cd / && GOTOOLCHAIN=local GOFLAGS='' GOMODCACHE="$OLDPWD/$modules" "$bootstrap" mod download -json "golang.org/toolchain@v0.0.1-go$version.linux-amd64")
if ! grep -qF "\"Sum\": \"$sum\"" <<<"$found"; then
  printf 'setup: the Go toolchain has not the pinned sum %s:\n%s\n' "$sum" "$found" >&2
  exit 1
fi
unpacked=$modules/golang.org/toolchain@v0.0.1-go$version.linux-amd64
# What the go command does when it fetches a toolchain by itself: a module holds neither executable bits nor the go.mod files of its parts.
chmod -R u+w "$unpacked"
chmod +x "$unpacked"/bin/* "$unpacked"/pkg/tool/*/*
find "$unpacked/src" -name _go.mod -execdir mv _go.mod go.mod \;
mkdir -p third_party
mv "$unpacked" "$toolchain"
