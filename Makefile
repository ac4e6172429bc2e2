# The commands a developer or user needs. `make help` lists them.
SHELL := /bin/bash
JOBS ?= $(shell nproc)

.PHONY: help setup build install package deb dist demo test tsan fuzz ci ci-full hooks faults lint format bench bench-build bench-check bench-accept bench-peers bench-nginx bench-micro clean

help:            ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup:           ## install every package that building, testing and the demo need (apt; needs root or sudo)
	@tools/setup.sh

build: setup     ## build the release executable, build/release/caddis
	@cmake --preset release > build-release.log 2>&1 || { cat build-release.log; rm -f build-release.log; exit 1; }; rm -f build-release.log
	@cmake --build --preset release -j $(JOBS) --target caddis
	@echo "built build/release/caddis"

demo: build      ## crawl real web sites and browse the archive (URL=https://… CONTACT=… for a site of your choice; DEMO_SERVE=0: do not serve)
	@tools/demo.sh

test: setup      ## build under Address and UB sanitizer, run every test; ends with "N passed, N failed, N skipped"
	@tools/run_tests.sh

tsan: setup      ## crawls whose lanes are threads, under ThreadSanitizer
	@tools/tsan.sh

fuzz: setup      ## fuzz the parsers that meet the most hostile bytes, SECONDS=30 each
	@tools/fuzz.sh $(or $(SECONDS),30) $(TARGETS)

lint: setup      ## formatting, layers, sizes, forbidden calls, clang-tidy over what changed (LINT_ALL=1: over everything)
	@tools/lint.sh

ci:              ## what continuous integration runs: lint, test, a release build, tsan, fuzz; under 45 minutes on two cores
	@tools/ci.sh

ci-full:         ## and what takes longer: clang-tidy over everything, every fuzz target, the whole fault campaign, the benchmark
	@tools/ci.sh full

hooks:           ## have git check commits in this clone: formatting, house rules, subjects
	@git config core.hooksPath tools/hooks

format:          ## format every source file
	@git ls-files '*.h' '*.cc' | xargs clang-format-19 -i

faults: build    ## the fault campaign: power cuts, lying and full disks, kills (SHARE=0.1 for a part of it, SERIES="LyingDisk kill")
	@cmake --build --preset release -j $(JOBS) --target faults_test
	@tests/faults/report.py --share $(or $(SHARE),1) $(SERIES)

# What the benchmark needs beside caddis.
BENCH_PROGRAMS := simweb yardsticks preload_seen
SCALE ?= 1

bench-build: build
	@cmake --build --preset release -j $(JOBS) --target $(BENCH_PROGRAMS)

bench: bench-build  ## crawl a synthetic web in all profiles (PROFILES="small-20k polite" SCALE=0.1 BENCH_FLAGS=--verify): ratio to the possible
	@bench/run.py run $(PROFILES) --scale $(SCALE) $(BENCH_FLAGS)

bench-check:     ## say what the last `make bench` shows to be worse than bench/baseline.json
	@bench/run.py check

bench-accept:    ## make the last `make bench` the baseline
	@bench/run.py accept

bench-peers: bench-build  ## crawl the same web with wget, and with Heritrix where java and mvn are at hand
	@bench/run.py peers --scale $(SCALE)

bench-nginx: build  ## crawl pages served by nginx, a server that is not ours: a second opinion
	@tools/bench_crawl.sh

bench-micro: setup  ## run the micro-benchmarks of all modules, briefly
	@tools/bench_micro.sh

install: build   ## install executable, library and CMake package (PREFIX=/usr/local)
	@cmake --install build/release --prefix $(or $(PREFIX),/usr/local)

deb: build        ## make Debian packages below build/packages: caddis, the program and its services, and caddis-dev, to build modules with
	@cpack --config build/release/CPackConfig.cmake -B build/packages > build/packages.log 2>&1 || { cat build/packages.log; exit 1; }
	@ls build/packages/*.deb

package: deb

dist:            ## make a tarball of the committed sources below build, with the commit in it
	@tools/dist.sh

clean:           ## remove all build folders
	@rm -rf build
