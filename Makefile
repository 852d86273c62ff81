# Everything a newcomer needs, from a fresh clone: each target makes the environment it runs in.
# Environments are made once and again when pyproject.toml or the constraints change; stamps inside them remember.

PYTHON ?= python3
PIP := -m pip install --quiet --disable-pip-version-check
RUN := .venv/bin
# Exact versions, so that what worked works next year; and the lowest that are allowed.
EXACT := -c constraints.txt
LOWEST := -c constraints-oldest.txt

.DELETE_ON_ERROR:
.PHONY: help demo test test-oldest sweep peers lint bench lines docs pictures web clean gcc outside chromium bundler

help:
	@echo "make demo    checks the published program of the Lola 15 robot; writes report.html"
	@echo "make test    everything that must hold: style, types, import rules, tests"
	@echo "make sweep   the heavy tests that make test leaves out, and random examples other than its own"
	@echo "make test-oldest  tests with the lowest versions of the dependencies, in an environment of its own"
	@echo "make peers   Torsor held against Drake, the Robotics Toolbox, ruckig, toppra, CasADi and Exudyn, likewise"
	@echo "make lint    style, types and import rules only"
	@echo "make bench   speed against Pinocchio, CasADi, MuJoCo and Exudyn, in an environment of its own"
	@echo "make lines   lines of code, room by room; make lines SINCE=REVISION compares"
	@echo "make docs    the documentation as HTML in docs/_build/html"
	@echo "make pictures  the pictures of README and docs; make pictures NAMES=tour.png only that (needs Chromium)"
	@echo "make web     the pages of reports and of the studio, built from web/ (needs Node 20 or later)"
	@echo "make clean   removes what the other targets made"

demo: .venv/.installed
	$(RUN)/torsor check examples/programs/rl15_tour.irl --robot rl15 --force -100 -100 -150 --report report.html
	@echo "report.html shows it all, with the arm in its tour: open it in a browser"

test: lint gcc chromium bundler
	$(RUN)/python -m pytest -n auto --dist worksteal --durations=12

sweep: .venv/.test gcc outside
	HYPOTHESIS_PROFILE=other $(RUN)/python -m pytest -n auto --dist worksteal -m "slow or hypothesis"

# Without pages of the documentation: how tables and help look differs between versions of rich and cyclopts.
test-oldest: .venv-oldest/.installed gcc
	.venv-oldest/bin/python -m pytest -n auto --ignore=tests/test_docs.py --ignore=tests/cli/test_widths.py

peers: .venv-peers/.installed
	.venv-peers/bin/python -m pytest tests/peers tests/bench/test_peers.py

lint: .venv/.test
	$(RUN)/python -m ruff check .
	$(RUN)/python -m ruff format --check .
	$(RUN)/python -m mypy
	$(RUN)/lint-imports --no-cache

bench: .venv-bench/.installed
	.venv-bench/bin/torsor bench

lines:
	@$(PYTHON) benchmarks/code_lines.py $(SINCE)

docs: .venv-docs/.installed
	.venv-docs/bin/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

# What it writes is committed: who changes how arms or pages look makes them anew.
pictures: .venv/.test chromium
	$(RUN)/python docs/pictures.py $(NAMES)

# What it writes is committed: only who changes the page needs Node.
web: web/node_modules/.installed web/studio/node_modules/.installed
	cd web && node build.mjs
	cd web/studio && node build.mjs
	cd web/monitor && node build.mjs

%/node_modules/.installed: %/package.json %/package-lock.json
	cd $* && npm ci --no-audit --no-fund
	@touch $@

clean:
	rm -rf web/node_modules web/studio/node_modules .venv .venv-docs .venv-bench .venv-oldest .venv-peers docs/_build report.html .mypy_cache .ruff_cache .hypothesis .import_linter_cache

# The tests compile the C that Torsor writes.
gcc:
	@command -v gcc >/dev/null || { echo "gcc is missing: the tests compile generated C (Debian: apt-get install gcc libc6-dev)" >&2; exit 1; }

# The sweep runs code for 64-bit ARM, compiles C for controllers with a Cortex-M, runs MATLAB functions in Octave, and
# has C looked at by cppcheck and valgrind. Without these, and where they cannot be installed, those tests are left out,
# which is said; with CI=true they fail.
OUTSIDE := gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user gcc-arm-none-eabi libnewlib-arm-none-eabi octave cppcheck valgrind
outside:
	@( for each in aarch64-linux-gnu-gcc qemu-aarch64 arm-none-eabi-gcc octave-cli cppcheck valgrind; do command -v $$each >/dev/null || exit 1; done ) || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; \
	then apt-get update -q && apt-get install -y -q --no-install-recommends $(OUTSIDE); \
	else echo "some of the sweep will be left out (Debian: apt-get install $(OUTSIDE))" >&2; [ "$$CI" != true ]; fi

# The tests open pages in it. Without it, and where it cannot be installed, those tests are left out, which is said;
# with CI=true they fail.
chromium:
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; \
	then apt-get update -q && apt-get install -y -q --no-install-recommends chromium chromium-driver; \
	else echo "chromium is missing: pages will not be tested (Debian: apt-get install chromium chromium-driver)" >&2; [ "$$CI" != true ]; fi

# The tests build the pages again and compare. Without npm, or where it can fetch nothing, the stamps in the pages tell
# whether they were built from these sources, and that part is left out.
bundler:
	@command -v npm >/dev/null && $(MAKE) --no-print-directory web/node_modules/.installed web/studio/node_modules/.installed || \
	echo "the pages are not built again: npm is missing or fetches nothing (Debian: apt-get install nodejs npm)" >&2

# Each stamp builds on the one before, so that two targets run at once never install into one environment together.
.venv/.installed: pyproject.toml constraints.txt | .venv/bin/python
	$(RUN)/python $(PIP) $(EXACT) -e .
	@touch $@

.venv/.test: .venv/.installed
	$(RUN)/python $(PIP) $(EXACT) -e '.[test]'
	@touch $@

.venv-docs/.installed: pyproject.toml constraints.txt | .venv-docs/bin/python
	.venv-docs/bin/python $(PIP) $(EXACT) -e '.[docs]'
	@touch $@

.venv-bench/.installed: pyproject.toml constraints.txt | .venv-bench/bin/python
	.venv-bench/bin/python $(PIP) $(EXACT) -e '.[bench]'
	@touch $@

.venv-peers/.installed: pyproject.toml constraints.txt | .venv-peers/bin/python
	.venv-peers/bin/python $(PIP) $(EXACT) -e '.[peers]'
	@touch $@

.venv-oldest/.installed: pyproject.toml constraints-oldest.txt | .venv-oldest/bin/python
	.venv-oldest/bin/python $(PIP) $(LOWEST) -e '.[test]'
	@touch $@

.venv/bin/python .venv-docs/bin/python .venv-bench/bin/python .venv-peers/bin/python .venv-oldest/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Torsor needs Python 3.11 or later: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(@D:/bin=)
