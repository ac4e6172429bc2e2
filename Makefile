# The commands a developer or user needs. `make help` lists them.
SHELL := /bin/bash
JOBS ?= $(shell nproc)

.PHONY: help setup build demo test lint format bench clean

help:            ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

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

lint: setup      ## formatting, layers, sizes, forbidden calls, clang-tidy
	@tools/lint.sh

format:          ## format every source file
	@git ls-files '*.h' '*.cc' | xargs clang-format-19 -i

bench: build     ## crawl 100,000 synthetic pages from nginx on loopback: pages a second, processor time a page, wget beside it
	@tools/bench_crawl.sh

clean:           ## remove all build folders
	@rm -rf build
