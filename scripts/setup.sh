#!/usr/bin/env bash
# Installs what the build needs on Debian 12; does nothing, in well under a second, where everything is there.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(g++ cmake ninja-build ccache pkg-config python3 python3-pip libtbb-dev libhwy-dev libmimalloc-dev libsimdjson-dev libcli11-dev libspdlog-dev
  libfmt-dev libgtest-dev libgmock-dev libbenchmark-dev libxxhash-dev zlib1g-dev libzstd-dev)
[ "${1:-}" = fuzz ] && packages+=(clang-19 libclang-rt-19-dev lld-19)
[ "${1:-}" = lint ] && packages+=(clang-format-19 clang-tidy-19 shellcheck pyflakes3 git)

scripts/install.sh "${packages[@]}"
[ "${1:-}" = go ] && scripts/setup_go.sh

read -r version sha256 <scripts/rapidyaml.version
if [ ! -d "third_party/rapidyaml-$version" ]; then
  echo "setup: fetching rapidyaml $version" >&2
  fetched=$(mktemp -d third_party.XXXXXX)
  trap 'rm -rf "$fetched"' EXIT
  python3 scripts/fetch_sdist.py rapidyaml "$version" "$sha256" "$fetched"
  mkdir -p third_party
  mv "$fetched/rapidyaml-$version" third_party/
fi
