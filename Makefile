# `make` alone lists the commands. Everything is installed into .venv, everything built into build/.
PYTHON ?= python3
# CPU levels of the core: auto, all, or a list such as baseline,v3.
LEVELS ?= auto
# The C++ compiler of `make native-test`, where it is not the usual one: clang++-14.
COMPILER ?=

VENV := .venv
BIN := $(VENV)/bin
DONE := $(VENV)/done
# The build tools are installed first and are there for dependencies that come as sources, too.
PIP := PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/pip install -qq --no-build-isolation
# Only files whose hashes are in a lock; tools/lock.py writes them. A lock names everything that the locks
# installed before it do not have, so pip need not look for dependencies.
LOCKED := $(PIP) --no-deps --require-hashes -r
# In no lock: a machine's own build of the pinned version has another hash. PyPI's build for Linux brings gigabytes of
# CUDA, so there the CPU's build is asked for by its name, of the index that pip is configured with or of TORCH_INDEX=URL
# (PyTorch's own index of CPU builds, which pytorch.org names). Tests of training are skipped where neither has it.
TORCH_INDEX ?=
TORCH_VERSION := $(shell sed -n 's/^torch==//p' constraints.txt)
TORCH_BUILD := torch==$(TORCH_VERSION)$(if $(filter Linux,$(shell uname)),+cpu)
TORCH := $(BIN)/python -c 'from importlib.metadata import version as v; exit(v("torch").split("+")[0] != "$(TORCH_VERSION)")' \
	2>/dev/null || $(PIP) $(addprefix --index-url ,$(TORCH_INDEX)) $(TORCH_BUILD) || echo "No $(TORCH_BUILD) in pip's index: \
	the tests of training are skipped. make TORCH_INDEX=URL asks another index (CONTRIBUTING.md)" >&2
# Settings go through the environment: pip 22 has no option for them.
KIBITZ := SKBUILD_CMAKE_DEFINE="KIBITZ_LEVELS=$(LEVELS)" $(PIP) --no-deps -e

# Folders are listed too: they are newer than the last build once a file in them is deleted.
NATIVE := CMakeLists.txt tools/stubs.py $(shell find cmake native -path native/tests -prune -o \
	\( -type d -o -name '*.cmake' -o -name '*.h' -o -name '*.cpp' \) -print)
NATIVE_FILES = $$(find cmake native -name '*.h' -o -name '*.cpp')
CHECKED := src tests tools $(wildcard benchmarks examples)
CONFIGURE = $(BIN)/cmake -S . -G Ninja -DCMAKE_MAKE_PROGRAM="$(CURDIR)/$(BIN)/ninja" \
	-DKIBITZ_TESTS=ON
NATIVE_TESTS := build/native-tests$(addprefix -,$(COMPILER))

# Type stubs of the core: every build writes them; no build is needed to write them again.
STUBS := src/kibitz/_native/__init__.pyi

# A process for each core, up to eight.
PARALLEL := -n auto --maxprocesses 8 --dist worksteal

# Compiled modules are kept, whatever the shell says: thousands of tests, and the programs that they start, would
# compile them all again.
export PYTHONDONTWRITEBYTECODE :=

# A job server handed on by `make -j` is not open to ninja, which finds its own number of jobs.
unexport MAKEFLAGS

.DEFAULT_GOAL := help
.PHONY: help run demo test explore browser quick slow lint lint-python lint-others format pytest native-test sanitize sanitize-extension fuzz fuzz-sanitized fuzz-core tsan chaos supply style-off signatures docs docs-site bench cross wheel sdist man clean distclean always

help:  ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1@\2/p' Makefile | awk -F@ '{printf "%-20s %s\n", $$1, $$2}'

run: $(DONE)/package  ## set up, show one steered analysis, then serve the page; Ctrl-C ends it
	@$(BIN)/kibitz demo othello
	@exec $(BIN)/kibitz serve --open

demo: $(DONE)/package  ## a steered analysis of every game as text
	@$(BIN)/kibitz demo

test: lint native-test pytest  ## set up, then run every check and every test

# For the inner loop: style and types (as lint), the order of layers, and the tests that take less than a
# tenth of a second each; tests/slow.txt lists the others, `make slow` measures them again.
quick: lint  ## style, types and the fast tests, in about two minutes on two cores
	@$(BIN)/python -m pytest -q -x $(PARALLEL) -m "not slow and not browser"

slow: $(DONE)/dev  ## measure which tests are too slow for `make quick`
	@$(BIN)/python -m tools.slow_tests $(PARALLEL)

pytest: $(DONE)/dev
	@$(BIN)/python -m pytest -q $(PARALLEL) -m "not alone and not browser"
	@$(BIN)/python -m pytest -q -m alone $$(grep -rl --include='test_*.py' 'mark\.alone' tests)

EXPLORE_SEED ?= $(shell echo $$$$)
explore: $(DONE)/dev  ## the property tests with new examples; EXPLORE_SEED=N repeats a run
	@echo "Hypothesis seed: $(EXPLORE_SEED)"
	@HYPOTHESIS_PROFILE=explore timeout 600 $(BIN)/python -m pytest -q $(PARALLEL) -m "hypothesis and not alone and not browser" \
		--hypothesis-seed=$(EXPLORE_SEED)
	@HYPOTHESIS_PROFILE=explore timeout 300 $(BIN)/python -m pytest -q tests/server/test_room_model.py --hypothesis-seed=$(EXPLORE_SEED)

browser: $(DONE)/page  ## all tests of the page in Chromium, of its API and of the notebook's board
	@$(BIN)/python -m pytest -q -m browser tests/server
	@$(BIN)/python -m pytest -q tests/server/test_schema.py tests/test_notebook.py

lint: $(DONE)/dev $(STUBS)  ## style and types
	@$(MAKE) --no-print-directory -j2 -O lint-python lint-others

lint-python:
	@$(BIN)/ruff check -q $(CHECKED)
	@$(BIN)/ruff format --check -q $(CHECKED)
	@$(BIN)/mypy

lint-others:
	@$(BIN)/clang-format --dry-run -Werror $(NATIVE_FILES)
	@$(BIN)/python -m tools.page_checks types

format: $(DONE)/dev  ## rewrite the sources in the project's style
	@$(BIN)/ruff check --fix-only $(CHECKED)
	@$(BIN)/ruff format $(CHECKED)
	@$(BIN)/clang-format -i $(NATIVE_FILES)

# All of it as portable code; what is written for a CPU level as the code of this CPU too (cmake/tests.cmake).
native-test: $(DONE)/tools  ## the C++ tests
	@$(CONFIGURE) -B $(NATIVE_TESTS) -DKIBITZ_LEVELS=baseline,auto $(addprefix -DCMAKE_CXX_COMPILER=,$(COMPILER)) >/dev/null
	@$(BIN)/cmake --build $(NATIVE_TESTS) -- --quiet
	@$(BIN)/python tools/native_tests.py $(NATIVE_TESTS)

cross: $(DONE)/release  ## the C++ tests for 64-bit ARM under qemu; the core compiled for macOS and Windows
	@$(CONFIGURE) -B build/cross-aarch64 -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake -DKIBITZ_LEVELS=baseline >/dev/null
	@$(BIN)/cmake --build build/cross-aarch64 -- --quiet
	@$(BIN)/python tools/native_tests.py build/cross-aarch64 --runner qemu-aarch64-static --seconds 3600
	@$(BIN)/python -m tools.foreign_objects

sanitize: $(DONE)/tools  ## the C++ tests with address and undefined-behaviour sanitizers
	@$(CONFIGURE) -B build/sanitize -DKIBITZ_LEVELS="$(LEVELS)" -DKIBITZ_SANITIZE=address,undefined >/dev/null
	@$(BIN)/cmake --build build/sanitize -- --quiet
	@$(BIN)/python tools/native_tests.py build/sanitize

# -O1 and no CPU level of this machine: it is for finding faults, not for speed.
sanitize-extension: $(DONE)/dev  ## build the Python extension with sanitizers and replay the fuzz corpus through it
	@$(BIN)/cmake -S . -B build/sanitize-extension -G Ninja -DCMAKE_MAKE_PROGRAM="$(CURDIR)/$(BIN)/ninja" \
		-DPython_EXECUTABLE="$(CURDIR)/$(BIN)/python" -DKIBITZ_LEVELS=baseline \
		-DKIBITZ_SANITIZE=address,undefined >/dev/null
	@$(BIN)/cmake --build build/sanitize-extension -- --quiet
	@$(BIN)/python -m tools.fuzz --replay --core build/sanitize-extension

SECONDS ?= 60
SEED ?= 1
fuzz: $(DONE)/dev  ## mutants of the fuzz corpus for SECONDS=60, from SEED=1
	@$(BIN)/python -m tools.fuzz --seconds $(SECONDS) --seed $(SEED)

fuzz-sanitized: sanitize-extension  ## the same with the sanitized extension
	@$(BIN)/python -m tools.fuzz --seconds $(SECONDS) --seed $(SEED) --core build/sanitize-extension

# Coverage-guided: libFuzzer is Clang's, with its runtime (Debian: clang and libclang-rt-14-dev).
CLANG ?= clang++
FUZZ_FLAGS := -std=c++20 -O1 -gline-tables-only -fsanitize=fuzzer,address,undefined
FUZZED := native/tests/fuzz/fuzz_text.cpp $(wildcard native/base/*.cpp native/games/*/*.cpp)
build/fuzz-core/%.o: %.cpp
	@mkdir -p $(@D)
	@$(CLANG) $(FUZZ_FLAGS) -Inative -MMD -c -o $@ $<

build/fuzz-core/fuzz_text: $(FUZZED:%.cpp=build/fuzz-core/%.o)
	@$(CLANG) $(FUZZ_FLAGS) -o $@ $^
-include $(FUZZED:%.cpp=build/fuzz-core/%.d)

fuzz-core: build/fuzz-core/fuzz_text $(DONE)/dev  ## the core's parsers by libFuzzer for SECONDS=60; needs Clang
	@$(BIN)/python -m tools.fuzz_core --seconds $(SECONDS) --seed $(SEED)

tsan: $(DONE)/tools  ## the C++ tests of parallel code with the thread sanitizer
	@$(CONFIGURE) -B build/tsan -DKIBITZ_LEVELS="$(LEVELS)" -DKIBITZ_SANITIZE=thread >/dev/null
	@$(BIN)/cmake --build build/tsan -- --quiet
	@$(BIN)/python tools/native_tests.py build/tsan --only parallel

ROUNDS ?= 200
chaos: $(DONE)/dev  ## faults on purpose: ROUNDS=200 of them, from SEED=1; needs root and PostgreSQL
	@$(BIN)/python -m tools.chaos --rounds $(ROUNDS) --seed $(SEED)

style-off: $(DONE)/dev  ## a core without style makes the decisions of this one with style off
	@$(BIN)/cmake -S . -B build/style-off -G Ninja -DCMAKE_MAKE_PROGRAM="$(CURDIR)/$(BIN)/ninja" \
		-DPython_EXECUTABLE="$(CURDIR)/$(BIN)/python" -DKIBITZ_STYLE=OFF >/dev/null
	@$(BIN)/cmake --build build/style-off -- --quiet
	@$(BIN)/python -m tools.style_off build/style-off

signatures: $(DONE)/dev  ## write down what the searches decide, after a change that was meant
	@$(BIN)/python tools/signatures.py

docs: $(DONE)/dev  ## write the generated pages of docs/ again
	@$(BIN)/python tools/docs.py

docs-site: $(DONE)/docs  ## the documentation site in build/site; a broken link is an error
	@$(BIN)/python -m tools.docs_site build/site-pages
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

bench: $(DONE)/bench  ## side by side with other engines
	@for program in othello uttt chess_perft style nets; do $(BIN)/python "benchmarks/$$program.py" || exit 1; done

# Files in a wheel have the time of the last commit, so that two builds have the same bytes.
EPOCH = SOURCE_DATE_EPOCH="$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)}"
wheel: $(DONE)/release  ## a wheel for other machines, with every CPU level, in dist/
	@rm -rf build/wheel-out && $(EPOCH) SKBUILD_CMAKE_DEFINE=KIBITZ_LEVELS=all SKBUILD_BUILD_DIR=build/wheel \
		$(BIN)/pip wheel -qq --no-build-isolation --no-deps -w build/wheel-out .
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(EPOCH) $(BIN)/auditwheel repair -w dist build/wheel-out/*.whl

supply: $(DONE)/dev  ## licences of all packages, and the list of parts (SBOM) in dist/
	@$(BIN)/python -m tools.supply licences
	@$(BIN)/python -m tools.supply sbom dist/kibitz.cdx.json

sdist: $(DONE)/tools  ## the source package in dist/, from tracked files only
	@$(BIN)/python -m tools.sdist dist

man: $(DONE)/dev  ## the manual page, build/kibitz.1
	@mkdir -p build && $(BIN)/python -m tools.man_page build/kibitz.1

clean:  ## remove what was built
	rm -rf build dist out .mypy_cache .pytest_cache .ruff_cache .hypothesis
	rm -f src/kibitz/_native/*.pyi
	rm -f $(DONE)/package $(DONE)/dev $(DONE)/page $(DONE)/bench $(DONE)/release $(DONE)/docs

distclean: clean  ## remove the virtual environment too
	rm -rf $(VENV)

$(DONE)/venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "Kibitz needs Python 3.10 or newer; name one: make PYTHON=python3.12")'
	@echo "Making the virtual environment $(VENV)"
	@$(PYTHON) -m venv $(VENV) || { echo "python3-venv is missing (Debian: apt install python3-venv)" >&2; exit 1; }
	@mkdir -p $(DONE) && touch $@

# The build tools stay in the environment, so a second build compiles only what changed. The last two are
# for dependencies that come as sources.
$(DONE)/tools: locks/tools.txt | $(DONE)/venv
	@echo "Installing the build tools"
	@$(LOCKED) locks/tools.txt
	@touch $@

# Rewritten only when LEVELS is not what it was, so that a change of it builds again.
$(DONE)/levels: always | $(DONE)/venv
	@echo "$(LEVELS)" | cmp -s - $@ || echo "$(LEVELS)" >$@

$(DONE)/package: $(DONE)/tools $(DONE)/levels pyproject.toml locks/run.txt $(NATIVE)
	@echo "Building Kibitz for this machine"
	@$(LOCKED) locks/run.txt
	@$(KIBITZ) .
	@touch $@

# Editable: a change of a Python file needs no new install, a change of native code rebuilds above.
$(DONE)/dev: locks/dev.txt constraints.txt | $(DONE)/package
	@echo "Installing what the tests need"
	@$(LOCKED) locks/dev.txt
	@$(TORCH)
	@touch $@

$(STUBS): $(DONE)/package
	@$(BIN)/python tools/stubs.py "$$($(BIN)/python -c 'from kibitz._native import _cpu; print(_cpu.__file__)' | xargs dirname)" $(@D)
	@touch $@

$(DONE)/page: locks/page.txt $(DONE)/dev
	@echo "Installing what the tests of the page need"
	@$(LOCKED) locks/page.txt
	@touch $@

$(DONE)/bench: locks/bench.txt | $(DONE)/package
	@echo "Installing what the benchmarks need"
	@$(LOCKED) locks/bench.txt
	@touch $@

$(DONE)/docs: locks/docs.txt $(DONE)/dev
	@echo "Installing what the documentation site needs"
	@$(LOCKED) locks/docs.txt
	@touch $@

$(DONE)/release: locks/release.txt $(DONE)/dev
	@echo "Installing what releases need"
	@$(LOCKED) locks/release.txt
	@touch $@
