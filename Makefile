# The two commands of the README are `make demo` and `make test`; both set up what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: setup demo test lint bench bench-documents clean

setup: $(VENV)/.ready

$(VENV)/.ready: pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[dev]'
	@touch $@

demo: setup
	@rm -rf build/demo && mkdir -p build/demo
	@$(BIN)/settledesk run examples/accounts_payable --store build/demo/settledesk.db

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: setup
	$(BIN)/pytest -n 2

bench bench-documents: setup
	$(BIN)/python -m benchmarks $(patsubst bench-%,%,$(filter bench-%,$@))

include tools/opa/policy.mk

clean:
	rm -rf build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
