# The front door: every target installs what it needs, builds, and does one thing. CMake does the
# work; its presets (CMakePresets.json) name the build folders, build/<preset>.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Compilers at work at a time; empty leaves it to ninja, which uses every core.
JOBS ?=
# Given to ctest by test, asan and tsan, for example TESTS='-L unit' or TESTS='-R Backoff'.
TESTS ?=
# How long each fuzz target runs.
FUZZ_SECONDS ?= 60
# How many rounds each test of chaos runs; make test runs a few.
CHAOS_ROUNDS ?= 200

compile = cmake --build build/$(1) $(if $(JOBS),-j$(JOBS))

.PHONY: help
help:
	@echo 'Outrider: a transactional outbox for PostgreSQL and SQLite'
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

.PHONY: build
build: build/release/.configured  ## the programs, in build/
	@$(call compile,release)
	@scripts/link-programs build/release/bin build

.PHONY: run
run: build  ## a demonstration on an embedded SQLite file
	@scripts/install-packages run
	@scripts/demonstration

.PHONY: test
test: packages-test tests/e2e/node_modules/.installed build/dev/.configured  ## all tests; the last line says how many passed
	@$(call compile,dev)
	@scripts/run-tests dev $(TESTS)

.PHONY: asan
asan: packages-test tests/e2e/node_modules/.installed build/asan/.configured  ## the tests under the address and undefined behaviour sanitizers
	@$(call compile,asan)
	@scripts/run-tests asan $(TESTS)

.PHONY: tsan
tsan: packages-test tests/e2e/node_modules/.installed build/tsan/.configured  ## the tests under the thread sanitizer
	@$(call compile,tsan)
	@scripts/run-tests tsan $(TESTS)

.PHONY: fuzz
fuzz: packages-fuzz build/fuzz/.configured  ## every fuzz target for FUZZ_SECONDS (60) each
	@$(call compile,fuzz)
	@FUZZ_SECONDS=$(FUZZ_SECONDS) scripts/run-fuzz build/fuzz/bin

.PHONY: chaos
chaos: packages-test build/dev/.configured  ## the crash tests for CHAOS_ROUNDS (200) rounds each
	@$(call compile,dev)
	@OUTRIDER_CHAOS_ROUNDS=$(CHAOS_ROUNDS) build/dev/bin/outrider_chaos_tests

.PHONY: bench
bench: packages-bench build/bench/.configured  ## the benchmarks; writes docs/benchmarks.md
	@$(call compile,bench)
	@build/bench/bin/outrider_bench 15 100 docs/benchmarks.md

.PHONY: lint
lint: packages-test packages-lint build/dev/.configured  ## formatting, clang-tidy and the house rules
	@$(call compile,dev)
	@scripts/lint build/dev

.PHONY: schema
schema: packages-test build/dev/.configured  ## writes docs/reference/schema.*.sql anew from the migrations
	@$(call compile,dev)
	@OUTRIDER_UPDATE=1 build/dev/bin/outrider_store_tests --gtest_brief=1 --gtest_filter='SchemaDump.*'

.PHONY: format
format: packages-lint  ## reformats the C++ files
	@git ls-files -z --cached --others --exclude-standard '*.cpp' '*.hpp' | xargs -0r clang-format-14 -i

.PHONY: clean
clean:  ## removes build/
	@rm -rf build

# A preset is configured once, and again when the presets change; after that ninja notices changes to
# the CMake files by itself.
build/%/.configured: CMakePresets.json | packages-build
	@cmake --preset $*
	@touch $@

# For the presets that build the tests, the test packages have to be there before CMake looks.
build/dev/.configured build/asan/.configured build/tsan/.configured: | packages-test
build/fuzz/.configured: | packages-fuzz
build/bench/.configured: | packages-bench

packages-%:
	@scripts/install-packages $*

tests/e2e/node_modules/.installed: tests/e2e/package-lock.json | packages-test
	@cd tests/e2e && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@
