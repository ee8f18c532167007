# `make run` shows a first model, `make test` runs the fast tests. Every target installs into .venv what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tests use two processes; WORKERS=0 uses one. Each process gets half of the tests in their order and takes half of the other's rest
# when it is done, so a file is seldom split.
WORKERS ?= 2
# A test that ends its process, or takes ten minutes, ends the run: xdist would start another worker, and may wait for ever.
ENDING := --max-worker-restart=0 -o faulthandler_timeout=600 -o faulthandler_exit_on_timeout=true

.PHONY: run web test test-rest test-all check sweep faults coverage distribution format bench api pictures screenshots vendor clean

run: $(VENV)/.installed
	$(BIN)/python examples/first_model.py

web: $(VENV)/.installed-web
	$(BIN)/robosym web

# Bytecode is written even where the environment says not to: the tests start Python hundreds of times.
test test-all test-rest: export PYTHONDONTWRITEBYTECODE :=
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ENDING)

# The fast part of the tests, which touches every kind of check. Markers say what is in the other parts (tests/parts.py).
test: check
	$(PYTEST) -m "not slow and not delivery"

# What `make test` leaves out: the slow cases, tutorials, commands of the README, pictures, builds of packages, benchmarks.
test-rest: $(VENV)/.installed-test
	$(PYTEST) -m "slow or delivery"

# All parts in one run.
test-all: check
	$(PYTEST)

# The list of models for type checkers is written from their declarations.
check: $(VENV)/.installed-test
	$(BIN)/python tools/stubs.py
	$(BIN)/ruff check . && $(BIN)/ruff format --check .
	$(BIN)/mypy

# Random robots of every class against independent references, at size: hours on two cores.
sweep: $(VENV)/.installed-test
	$(BIN)/python tools/sweep.py

# Faults put into the code one by one: which do the tests catch? Hours on two cores; results stay in build/faults.
faults: $(VENV)/.installed-test
	$(BIN)/python tools/faults.py choose
	$(BIN)/python tools/faults.py reach --workers $(WORKERS)
	$(BIN)/python tools/faults.py run --workers $(WORKERS)

# Coverage by package of the fast tests, or of what TESTS names: make coverage TESTS="tests/expr -n 2"
coverage: $(VENV)/.installed-test
	$(BIN)/python tools/coverage_by_package.py $(TESTS)

# The wheel and the source archive, built, installed and tried on every Python that is here. Needs pip's index.
distribution: $(VENV)/.made
	$(BIN)/python tools/check_distribution.py

format: $(VENV)/.installed-test
	$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

# All benchmarks run, also after one that fails.
bench: $(VENV)/.installed-test
	failed=; for file in benchmarks/*.py; do $(BIN)/python $$file || failed="$$failed $$file"; done; \
	[ -z "$$failed" ] || { echo "failed:$$failed" >&2; exit 1; }

api: $(VENV)/.installed-test
	$(BIN)/python tools/api.py

pictures: $(VENV)/.installed-test
	$(BIN)/python tools/pictures.py

screenshots: $(VENV)/.installed-test
	$(BIN)/python tools/screenshots.py

# The libraries of the page, built anew: for maintainers, who have node.
vendor:
	cd tools/vendor && npm ci --ignore-scripts --no-audit --no-fund && node bundle.mjs

clean:
	rm -rf $(VENV) build dist out .cache

# A bare Debian has python3 without its venv module: fetch it where we may, else say what is missing.
$(VENV)/.made:
	$(PYTHON) -m venv --clear $(VENV) \
	|| { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq python3-venv \
	     && $(PYTHON) -m venv --clear $(VENV); } \
	|| { rm -rf $(VENV); echo "Python's venv module is missing: install the package python3-venv" >&2; exit 1; }
	touch $@

$(VENV)/.installed: pyproject.toml | $(VENV)/.made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.installed-web: pyproject.toml | $(VENV)/.made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .[web]
	touch $@ $(VENV)/.installed

$(VENV)/.installed-test: pyproject.toml | $(VENV)/.made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .[test]
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .[languages] \
	|| echo "could not install what runs JAX, CasADi, Mathematica and Julia: their tests are skipped"
	touch $@ $(VENV)/.installed
