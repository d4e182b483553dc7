# The commands for people. Each installs what it needs on a fresh Debian 12.
JOBS ?= 2

.PHONY: build run test asan tsan fuzz bench format lint clean
build:
	scripts/setup.sh
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target basalt_shared basalt_cli

run: build
	build/release/bin/basalt schedule -f examples/cluster.json

test:
	scripts/setup.sh
	cmake --preset release
	cmake --build --preset release -j $(JOBS)
	ctest --test-dir build/release --output-on-failure -j $(JOBS)

# The unit tests and every decision under AddressSanitizer and UBSan.
asan:
	scripts/setup.sh
	cmake --preset asan
	cmake --build --preset asan -j $(JOBS)
	ctest --test-dir build/asan --output-on-failure -j $(JOBS)

# The unit tests, and every decision with several threads, under ThreadSanitizer.
tsan:
	scripts/setup.sh
	cmake --preset tsan
	cmake --build --preset tsan -j $(JOBS)
	ctest --test-dir build/tsan --output-on-failure -j $(JOBS)

# Formats the lines that differ from the last commit; ALL=1: everything.
format:
	scripts/setup.sh lint
	$(if $(ALL),git ls-files '*.h' '*.cc' | grep -v '^bench/calibrate.cc' | xargs clang-format-19 -i,git-clang-format-19 --force --extensions h,cc || true)

# Mistakes that a compiler does not look for: C++, shell and Python.
lint:
	scripts/setup.sh lint
	cmake --preset release >/dev/null
	git ls-files 'snapshot/*.cc' 'scoring/*.cc' 'kernel/*.cc' 'report/*.cc' 'cli/*.cc' | xargs -P $(JOBS) -n 4 clang-tidy-19 -p build/release --quiet
	git ls-files '*.sh' .ci/run | xargs shellcheck
	git ls-files '*.py' | xargs pyflakes3

# Each fuzzer for FUZZ_SECONDS under the sanitizers; what it finds stays in build/fuzz/found.
FUZZ_SECONDS ?= 60
fuzz:
	scripts/setup.sh fuzz
	cmake --preset fuzz
	cmake --build --preset fuzz -j $(JOBS) --target fuzzers
	scripts/fuzz.sh $(FUZZ_SECONDS)

# The figures of the README: interleaved runs, answers checked first.
bench: build
	cmake --build --preset release -j $(JOBS) --target calibrate cycle_bench
	python3 bench/dump_bench.py build/release/bin
	build/release/bin/cycle_bench

clean:
	rm -rf build
