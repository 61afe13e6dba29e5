# SPDX-License-Identifier: Apache-2.0

# Starlight: `make help` lists what can be done here.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help packages swift demo build packs test test-programs test-modules test-readme test-tutorial-and-games games games-in-real-time test-long test-packs test-examples test-kernel test-pulse test-pipewire lint format install uninstall clean bench bench-bounds methods

DESTDIR ?=
PREFIX ?= /usr/local
export DESTDIR PREFIX

BUILD_PACKAGES := libasound2-dev libsndfile1-dev libsoxr-dev libtag1-dev libevdev-dev libudev-dev libsystemd-dev pkg-config python3
PULSE_PACKAGES := pulseaudio pulseaudio-utils libasound2-plugins
PIPEWIRE_PACKAGES := pipewire pipewire-bin wireplumber
KERNEL_RIG_PACKAGES := qemu-system-x86 busybox-static cpio kmod
SWIFT_SOURCES := Package.swift Sources Synthesis Tests Benchmarks/Package.swift Benchmarks/Sources $(wildcard Examples/*/*.swift Examples/*/Sources Examples/*/Tests)

# Examples with tests of their own.
GAMES = $(patsubst %/Tests,%,$(wildcard Examples/*/Tests))
# One place for what both are built into: of the client library, which both stand on, one build serves.
# What is to be built is worked out each time: what was kept may be the other's.
GAMES_BUILD = --scratch-path Examples/.build --disable-build-manifest-caching
TEST_GAMES = for package in $(GAMES); do \
  scripts/swift-build --package-path $$package $(GAMES_BUILD) --product $${package\#\#*/}PackageTests && \
  swift test --package-path $$package $(GAMES_BUILD) --skip-build || exit 1; done

# $(call BUILD_PLAYERS,debug|release)
BUILD_PLAYERS = for package in $(GAMES); do \
  scripts/swift-build -c $(1) --package-path $$package $(GAMES_BUILD) --product $${package\#\#*/}-player || exit 1; done

# The programs look for packs in ../share/starlight/packs from where they are: in the build folder as when installed.
# SwiftPM's .build/release is a link; what it leads to is known only after a build.
BUILD := .build/release
BUILT_PACKS = $(dir $(realpath $(BUILD)))share/starlight/packs

# For the tests, beside the debug build.
BUILD_TEST_PACKS = built=$$(swift build --show-bin-path) && \
  scripts/build-packs "$$(dirname "$$built")/share/starlight/packs" "$$built/starlight-synthesis"

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do \
	  printf '%-21s %s\n' "$$name" "$$text"; done

packages: ## Install the system packages the build needs (asks first on a terminal)
	@scripts/install-packages $(BUILD_PACKAGES)

swift: ; @scripts/require-swift

demo: build packs ## Build, then play a rhythm chapter through the daemon for 20 s: no sound card or gamepad needed
	@$(BUILD)/starlight demo

build: packages swift ## Build starlightd and starlight in release
	@echo "Building in release (some minutes the first time)..."
	@swift build -c release --static-swift-stdlib --product starlightd
	@swift build -c release --static-swift-stdlib --product starlight

packs: build ## Copy the game packs beside the built programs, render their audio and write their schemas
	@scripts/build-packs $(BUILT_PACKS)
	@for folder in $(BUILT_PACKS)/../schemas schemas; do scripts/write-schemas $(BUILD)/starlight $$folder || exit 1; done

# One build after the other: side by side they push each other out of the processors' caches, which costs a tenth more.
test: packages swift ## Run every test
	@scripts/swift-build --product starlightPackageTests
	@for package in $(GAMES); do \
	  scripts/swift-build --quiet --package-path $$package $(GAMES_BUILD) --product $${package##*/}PackageTests || exit 1; done
	@$(BUILD_TEST_PACKS)
	@scripts/check-units
	@echo "Running every test; what they say comes as each part of them ends (some minutes)..."
	@$(MAKE) --no-print-directory -j 4 --output-sync=target test-programs test-modules test-readme test-tutorial-and-games

# Tests of whole programs mostly wait for them, and leave two processors idle half of the time: so the other tests, and those of
# the README and the games, are run beside them. SwiftPM would let each wait for the other, so the suite is run without it.
TEST_SUITE = "$$(swift build --show-bin-path)/starlightPackageTests.xctest" --testing-library swift-testing

test-programs:
	@scripts/run-suite $(TEST_SUITE) --filter '^EndToEndTests\.'

test-modules:
	@scripts/run-suite $(TEST_SUITE) --skip '^EndToEndTests\.'

test-readme:
	@scripts/check-readme "$$(swift build --show-bin-path)"

test-tutorial-and-games:
	@scripts/include-code check
	@scripts/write-methods "$$(swift build --show-bin-path)" check
	@scripts/test-examples "$$(swift build --show-bin-path)"
	@$(TEST_GAMES)

games: packages swift ## Play the games to their ends beside the daemon, killed, paused and switched, and compare all that is heard and felt
	@scripts/swift-build --product starlight-played
	@$(call BUILD_PLAYERS,debug)
	@scripts/play-games "$$(swift build --show-bin-path)"

games-in-real-time: packages swift ## Play a chapter and a world in real time: from decision to heard, processor time, a stalled drawing (PLAYS=10, for a 99th percentile: some five minutes)
	@swift build -c release --static-swift-stdlib --product starlight-played
	@$(call BUILD_PLAYERS,release)
	@scripts/games-in-real-time --plays $(or $(PLAYS),1) $(BUILD) Examples/.build/release

test-long: packages swift ## Simulate, fuzz, soak, and test under sanitizers, for some hours (STARLIGHT_SEEDS, STARLIGHT_FUZZ_SECONDS)
	@scripts/test-long

test-packs: packages swift ## Change what the packs say, a thing at a time, and ask the tables of moments about it (half an hour)
	@scripts/swift-build --build-tests
	@scripts/mutate-packs

test-examples: packages swift ## Do what docs/tutorial.md says, its daemon killed in the middle, and test both games
	@scripts/swift-build
	@$(BUILD_TEST_PACKS)
	@$(MAKE) --no-print-directory test-tutorial-and-games

test-kernel: packages swift ## Run the programs inside a stock Debian kernel under QEMU (downloads that kernel once)
	@scripts/install-packages $(KERNEL_RIG_PACKAGES)
	@swift build -c release --static-swift-stdlib
	@$(call BUILD_PLAYERS,release)
	@scripts/kernel-rig $(BUILD)

test-pulse: build ## Play through a PulseAudio of its own, and compare what comes out of it
	@scripts/install-packages $(PULSE_PACKAGES)
	@swift build -c release --static-swift-stdlib --product KernelRigGuest
	@scripts/test-server pulse $(BUILD)

test-pipewire: build ## Play through a PipeWire of its own, and compare what comes out of it
	@scripts/install-packages $(PIPEWIRE_PACKAGES)
	@swift build -c release --static-swift-stdlib --product KernelRigGuest
	@scripts/test-server pipewire $(BUILD)

bench: build ## Measure the mixer, reading patterns, the lateness of beats and taps beside their peers (about eleven minutes)
	@Benchmarks/mixing
	@Benchmarks/haptics
	@Benchmarks/beats
	@Benchmarks/taps

bench-bounds: build ## Measure what has a bound, and fail beyond it: who waits for whom, dense patterns, what is left behind (half an hour)
	@Benchmarks/attacks
	@Benchmarks/dense
	@Benchmarks/dense --packs
	@Benchmarks/leftovers

methods: packs ## Write docs/methods.md anew: what each method takes, answers and refuses
	@scripts/write-methods $(BUILD)

lint: swift ## Check the format of every Swift file, and the licence line of all
	@scripts/spdx check
	@scripts/seeds-of-mends --check
	@swift format lint --strict --parallel -r $(SWIFT_SOURCES)

format: swift ## Format every Swift file in place
	@swift format format --in-place --parallel -r $(SWIFT_SOURCES)

install: ## Install what was built (DESTDIR and PREFIX are honoured)
	@scripts/install-files install $(BUILD) $(BUILT_PACKS)

uninstall: ## Remove what install put in place
	@scripts/install-files uninstall $(BUILD) $(BUILT_PACKS)

clean: ## Remove everything built
	rm -rf .build Examples/.build Examples/*/.build Examples/first-steps/packs/first-steps/*.wav
