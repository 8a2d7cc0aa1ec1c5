# make demo and make test do all the set-up there is: they need Python 3.11 or newer, and nothing else.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test lint check-types unit bench clean

demo: $(VENV)/installed
	$(BIN)/hanasolve solve instances/solitaire2/demo.json

test: lint check-types unit

lint: $(VENV)/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

check-types: $(VENV)/installed
	$(BIN)/mypy

unit: $(VENV)/installed
	$(BIN)/python -m pytest -n auto --dist loadfile

bench: $(VENV)/installed
	$(BIN)/python -m bench.decide

$(VENV)/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "hanasolve needs Python 3.11 or newer; name one: make PYTHON=python3.12 …"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
