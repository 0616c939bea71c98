"""The policy in process: Rego compiled to WebAssembly, checked against its sources, run on wasmtime."""

from settledesk.adapters.opa.engine import WasmPolicyEngine, load_policy_engine
from settledesk.adapters.opa.lock import PolicyLoadError

__all__ = ["PolicyLoadError", "WasmPolicyEngine", "load_policy_engine"]
