#!/usr/bin/env bash
# Installs what the build needs on Debian 12; does nothing, in well under a second, where everything is there.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(g++ cmake ninja-build ccache pkg-config python3 python3-pip libtbb-dev libhwy-dev libmimalloc-dev libsimdjson-dev libcli11-dev libspdlog-dev
  libfmt-dev libgtest-dev libgmock-dev libbenchmark-dev libxxhash-dev zlib1g-dev libzstd-dev)
[ "${1:-}" = fuzz ] && packages+=(clang-19 libclang-rt-19-dev lld-19)
[ "${1:-}" = lint ] && packages+=(clang-format-19 clang-tidy-19 shellcheck pyflakes3 git)

installed=$(dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' "${packages[@]}" 2>/dev/null | awk '$1 == "ii" {print $2}' || true)  # fails where one is unknown to dpkg
missing=()
for p in "${packages[@]}"; do
  grep -qx "$p" <<<"$installed" || missing+=("$p")
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "setup: installing ${missing[*]}" >&2
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

read -r version sha256 <scripts/rapidyaml.version
if [ ! -d "third_party/rapidyaml-$version" ]; then
  echo "setup: fetching rapidyaml $version" >&2
  fetched=$(mktemp -d third_party.XXXXXX)
  trap 'rm -rf "$fetched"' EXIT
  python3 scripts/fetch_sdist.py rapidyaml "$version" "$sha256" "$fetched"
  mkdir -p third_party
  mv "$fetched/rapidyaml-$version" third_party/
fi
