# What a contributor types; `make` alone lists it. Every target sets up what it needs.

VENV ?= .venv
# Interpreter to build the environment with; empty: the newest of python3.13 … python3 that is good enough.
PYTHON ?=
PYTEST_ARGS ?= -n 2 --dist loadgroup

BIN := $(VENV)/bin
READY := $(VENV)/.ready
SARIF := $(VENV)/.sarif

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint format types bench docs clean

help: ## list the targets
	@echo "usage: make TARGET [PYTHON=python3.12] [VENV=.venv]"; echo
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-10s %s\n", $$1, $$2 }'

setup: $(READY) ## make the virtual environment; the other targets do so by themselves

# Written last, so that an interrupted set-up is done again. Old pips of Python 3.11 are good enough.
$(READY): pyproject.toml constraints.txt .ci/find-python
	@python=$$(.ci/find-python $(PYTHON)) && "$$python" -m venv --clear "$(VENV)"
	@echo "setting up $(VENV) with $$($(BIN)/python --version)"
	@$(BIN)/python -m pip --disable-pip-version-check install --quiet --editable '.[dev]' --constraint constraints.txt
	@touch $@

# Development only: the validator of SARIF's authors, which is a program for Node.js.
$(SARIF): $(READY)
	@command -v npm >/dev/null || { echo "npm is missing; on Debian: apt-get install npm" >&2; exit 1; }
	@npm install --silent --no-audit --no-fund --no-save --prefix "$(VENV)" @microsoft/sarif-multitool@5.7.0
	@touch $@

demo: $(READY) ## a bug's whole life, on a throw-away copy of registry-example/
	@PATH="$(abspath $(BIN)):$$PATH" bash docs/demo.sh

test: lint $(SARIF) ## lint, types, and the whole test suite
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(READY) ## ruff (rules and format) and mypy --strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY) ## let ruff mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY) ## CPU time of the commands against floors measured in the same run
	$(BIN)/python benchmarks/run.py

docs: $(READY) ## write the reference pages in docs/ anew from the tables in the code
	$(BIN)/python docs/generate.py

clean: ## remove the environment and everything that tools left behind
	rm -rf "$(VENV)" build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
