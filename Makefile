# The commands for people. Each installs what it needs on a fresh Debian 12.
JOBS ?= 2

.PHONY: build basalt bridge run testbed test test-offline test-live asan tsan fuzz bench bench-live format lint clean
build: basalt bridge

# The command line and the library, without the live scheduler: no Go is needed.
basalt:
	scripts/setup.sh
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target basalt_shared basalt_cli

# basalt-scheduler, over the library.
bridge:
	scripts/setup.sh go
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target basalt_shared
	scripts/go build -p $(JOBS) -o build/release/bin/basalt-scheduler ./k8s-bridge/cmd/basalt-scheduler

run: basalt
	build/release/bin/basalt schedule -f examples/cluster.json

test: test-offline test-live

test-offline:
	scripts/setup.sh
	cmake --preset release
	cmake --build --preset release -j $(JOBS)
	ctest --test-dir build/release --output-on-failure -j $(JOBS)

# On a real control plane, which is built from Go modules once (fifteen minutes on two cores).
test-live: basalt bridge
	scripts/setup.sh go
	scripts/go run ./tests/testbed/cmd/testbed -build etcd,kwok,kube-apiserver,kube-controller-manager
	scripts/go run ./tests/testbed/cmd/testbed -kubernetes 1.35 -build kube-apiserver
	scripts/go vet ./...
	LD_LIBRARY_PATH=$(CURDIR)/build/release/lib scripts/go test -count=1 -p 1 -timeout 40m ./...

# A control plane to play with: etcd, kube-apiserver, KWOK and fake nodes; ends with Ctrl-C.
NODES ?= 10
testbed:
	scripts/setup.sh go
	scripts/go build -o build/testbed/testbed ./tests/testbed/cmd/testbed
	build/testbed/testbed -nodes $(NODES)

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

# Mistakes that a compiler does not look for: C++, shell and Python; the form of Go.
lint:
	scripts/setup.sh lint
	scripts/setup_go.sh
	test -z "$$(git ls-files '*.go' | xargs "$$(scripts/go env GOROOT)/bin/gofmt" -l | tee /dev/stderr)"
	cmake --preset release >/dev/null
	git ls-files 'snapshot/*.cc' 'scoring/*.cc' 'kernel/*.cc' 'report/*.cc' 'cli/*.cc' | xargs -P $(JOBS) -n 4 clang-tidy-19 -p build/release --quiet
	git ls-files '*.sh' scripts/go .ci/run | xargs shellcheck
	git ls-files '*.py' | xargs pyflakes3

# Each fuzzer for FUZZ_SECONDS under the sanitizers; what it finds stays in build/fuzz/found.
FUZZ_SECONDS ?= 60
fuzz:
	scripts/setup.sh fuzz
	cmake --preset fuzz
	cmake --build --preset fuzz -j $(JOBS) --target fuzzers
	scripts/fuzz.sh $(FUZZ_SECONDS)

# The figures of the README: interleaved runs, answers checked first.
bench: basalt
	cmake --build --preset release -j $(JOBS) --target calibrate cycle_bench decode_bench rules_bench
	python3 bench/dump_bench.py build/release/bin
	build/release/bin/cycle_bench
	build/release/bin/decode_bench
	build/release/bin/rules_bench

# The program behind `basalt bench SCENARIO --tier 2`: the live scheduler on a real control plane beside a bare binder.
bench-live: bridge
	scripts/go build -p $(JOBS) -o build/release/bin/live_bench ./bench/live

clean:
	rm -rf build
