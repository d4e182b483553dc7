#!/usr/bin/env bash
# fuzz.sh SECONDS: runs every fuzzer of the fuzz build for that long, one after another; ends with 1 where one found something.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
seconds=$1 status=0
mkdir -p build/fuzz/found build/fuzz/corpus
for fuzzer in build/fuzz/bin/fuzz_*; do
  name=$(basename "$fuzzer")
  mkdir -p "build/fuzz/corpus/$name"
  if "$fuzzer" -max_total_time="$seconds" -max_len=20000 -rss_limit_mb=6000 -timeout=20 -print_final_stats=1 -artifact_prefix="build/fuzz/found/$name-" \
    "build/fuzz/corpus/$name" "tests/fuzz/corpus/${name#fuzz_}" >"build/fuzz/$name.log" 2>&1; then
    echo "$name: $(grep -o 'number_of_executed_units: *[0-9]*' "build/fuzz/$name.log" | grep -o '[0-9]*$') runs, nothing found"
  else
    echo "$name: FOUND something, see build/fuzz/$name.log" && status=1
  fi
done
exit $status
