# The two commands of the README are `make demo` and `make test`; both set up what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: setup demo test tck fuzz lint bench bench-documents bench-decisions clean
.DELETE_ON_ERROR:

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

# The conformance kit of the DMN TCK: pass rates as a table, and as JSON in build/tck.json.
KIT ?= ../shared/data/dmn-tck

tck: setup
	@mkdir -p build
	@$(BIN)/settledesk tck $(KIT) --passing tests/conformance/tck.passing
	@$(BIN)/settledesk tck $(KIT) --passing tests/conformance/tck.passing --json > build/tck.json

# A hundred thousand cells and ten thousand tables; `make test` runs a tenth of them.
fuzz: setup
	SETTLEDESK_FUZZ=10 $(BIN)/pytest -n 2 tests/fuzz

# The engines that decisions are measured beside.
$(VENV)/.bench-ready: $(VENV)/.ready
	$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[bench]'
	@touch $@

bench bench-decisions: $(VENV)/.bench-ready

bench bench-documents bench-decisions: setup
	$(BIN)/python -m benchmarks $(patsubst bench-%,%,$(filter bench-%,$@))

include tools/opa/policy.mk

clean:
	rm -rf build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
