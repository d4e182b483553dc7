# The commands for people. Each installs what it needs on a fresh Debian 12.
JOBS ?= 2

.PHONY: build run test asan fuzz bench clean
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

# Each fuzzer for FUZZ_SECONDS under the sanitizers; what it finds stays in build/fuzz/found.
FUZZ_SECONDS ?= 60
fuzz:
	scripts/setup.sh fuzz
	cmake --preset fuzz
	cmake --build --preset fuzz -j $(JOBS) --target fuzzers
	scripts/fuzz.sh $(FUZZ_SECONDS)

# The figures of the README: interleaved runs, answers checked first.
bench: build
	cmake --build --preset release -j $(JOBS) --target calibrate
	python3 bench/dump_bench.py build/release/bin

clean:
	rm -rf build
