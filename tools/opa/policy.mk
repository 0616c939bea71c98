# The policy's own targets, included by the Makefile. Go is needed for `opa` alone; nobody needs it to run the desk.
OPA := build/bin/opa
POLICIES := $(wildcard packs/*/policy)

.PHONY: opa policy policy-check policy-test

opa: $(OPA)

$(OPA): tools/opa/go.mod tools/opa/go.sum
	@mkdir -p $(@D)
	cd tools/opa && CGO_ENABLED=0 go build -mod=readonly -trimpath -o '$(CURDIR)/$(OPA)' github.com/open-policy-agent/opa

policy: setup opa
	$(BIN)/python -m settledesk.adapters.opa.build $(POLICIES) --opa $(OPA)

policy-check: setup opa
	$(BIN)/python -m settledesk.adapters.opa.build $(POLICIES) --opa $(OPA) --check
	$(BIN)/pytest tests/policy -m opa

policy-test: opa
	$(OPA) fmt --fail --list $(POLICIES)
	set -e; for policy in $(POLICIES); do \
		$(OPA) check --strict $$policy; \
		$(OPA) test --timeout 60s $$policy; \
		$(OPA) test --timeout 60s --coverage --threshold 100 $$policy > build/coverage.json; \
	done
