# The commands for people. Each installs what it needs on a fresh Debian 12.
JOBS ?= 2

.PHONY: build run test bench clean
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

clean:
	rm -rf build
