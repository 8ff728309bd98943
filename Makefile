# SPDX-License-Identifier: Apache-2.0
# Thin: each target names the one command behind it. All set-up happens by itself (tools/setup).
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup build demo test explore fuzz conformance bench-burst experiment lint format nightly clean

export NINJA_STATUS = [%f/%t  %es] 
# How long `make explore`, each target of `make fuzz` and the explorer of `make nightly` look for trouble.
SECONDS ?= 60

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

setup: ## install what is needed (Debian 12); every other target does it by itself
	@tools/setup

# CMake is configured anew by itself when a CMakeLists.txt changes, but not when the presets do.
build/release/build.ninja: CMakePresets.json | setup
	cmake --preset release
	@touch $@

build: setup build/release/build.ninja ## build everything into build/release; the binary is build/release/ferryman
	cmake --build --preset release

# Only the program, not the tests: the first demo comes sooner.
demo: setup build/release/build.ninja ## 5 of 12 nodes end on a sandbox of AWS and Kubernetes while you watch
	cmake --build --preset release --target ferryman
	build/release/ferryman demo --nodes 12 --terminate 5 --target-groups 20 --classic-elbs 2

test: build ## build, then run every test
	tools/run_tests release

explore: build ## try random schedules and failures for SECONDS (60) in simulated time
	@find build/release/tests/sim -name sim_explore -type f | grep -q . || { echo 'there is no program sim_explore in tests/sim'; exit 1; }
	build/release/tests/sim/sim_explore --seconds $(SECONDS)

fuzz: setup ## feed each parser strange input for SECONDS (60)
	tools/fuzz $(SECONDS)

# PARTNERS names some; nothing said: all (tests/conformance/README.md).
conformance: setup build/release/build.ninja ## judge the program and its sandbox by a real API server and others' clients
	cmake --build --preset release --target ferryman
	tests/conformance/run $(PARTNERS)

bench-burst: setup build/release/build.ninja ## many nodes end at once: calls, times, memory; ARGS (tests/bench/README.md)
	cmake --build --preset release --target ferryman
	tests/bench/burst $(ARGS)

experiment: build/release/build.ninja ## nodes end under steady traffic, which requests fail? ARGS (tests/experiment/README.md)
	@tools/setup python3-matplotlib
	cmake --build --preset release --target ferryman experiment_traffic
	tests/experiment/experiment $(ARGS)

lint: setup build/release/build.ninja ## format, clang-tidy of what changed, layers, headers that compile alone
	tools/lint

format: setup ## write the format that lint asks for
	git ls-files -z '*.h' '*.cpp' | xargs -0 clang-format-19 -i

nightly: setup ## what takes too long for every change: TSan, g++, coverage, all of clang-tidy, deflake, burst, explore
	EXPLORE_SECONDS=$(SECONDS) tools/nightly

clean: ## remove everything that was built
	rm -rf build
