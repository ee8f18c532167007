# Two commands do everything: `make run` and `make test`. Both install into .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tests use both cores; WORKERS=0 runs them in one process.
WORKERS ?= 2

.PHONY: run test check format bench clean

run: $(VENV)/.installed
	$(BIN)/python examples/first_model.py

test: $(VENV)/.installed-test
	$(BIN)/ruff check . && $(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n $(WORKERS)

format: $(VENV)/.installed-test
	$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

bench: $(VENV)/.installed-test
	for file in benchmarks/*.py; do $(BIN)/python $$file || exit 1; done

clean:
	rm -rf $(VENV) build dist out

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.installed-test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .[test]
	touch $@ $(VENV)/.installed
