"""One instance of a compiled policy: memory capped, time limited, reused from question to question.

An OPA module keeps what it computes on a heap that only grows. The caller names the heap's start with every evaluation
(`opa_eval` of ABI 1.2 sets it), so each one begins on the same memory and one call into the guest is enough.
"""

from typing import Any, Final

import wasmtime
from opapywasm import OpaWasmError
from opapywasm.abi import OpaAbi
from opapywasm.memory import MemoryCodec
from opapywasm.runtime import WasmtimeRuntime, WasmtimeRuntimeFactory

QUESTION_BYTES_MAX: Final = 256 * 1024
ANSWER_BYTES_MAX: Final = 256 * 1024
MEMORY_PAGES_MAX: Final = 256  # of 64 KiB
DEADLINE_S: Final = 2.0
_TICK_S: Final = 0.1

# `opa_eval(reserved, entrypoint, data, question, length, heap, format)`: all but the length stay the same, and each
# argument that Python hands over costs more than the policy itself, so this module fills in the others.
_ASK: Final = """
(module
  (import "policy" "opa_eval" (func $eval (param i32 i32 i32 i32 i32 i32 i32) (result i32)))
  (func (export "ask") (param $length i32) (result i32)
    (call $eval (i32.const 0) (i32.const {entrypoint}) (i32.const 0) (i32.const {question}) (local.get $length)
                (i32.const {heap}) (i32.const 0))))
"""

GUEST_ERRORS: Final = (OpaWasmError, wasmtime.Trap, wasmtime.WasmtimeError)
"""What running a guest may raise; after any of them its memory is not to be trusted."""


class PolicyModuleError(ValueError):
    """The bytes are WebAssembly of another kind, ask for built-ins, or have no such entrypoint."""


class PolicyModule:
    """A compiled policy, from which machines are made. Compiled once; costs about 0.3 s of CPU.

    `deadline_s` bounds one evaluation to a tenth of a second; `memory_pages_max` bounds a machine's memory in 64 KiB.
    """

    def __init__(
        self,
        wasm: bytes,
        *,
        entrypoint: str,
        deadline_s: float = DEADLINE_S,
        memory_pages_max: int = MEMORY_PAGES_MAX,
    ) -> None:
        self._factory = _compile(wasm, memory_pages_max)
        # The library's clock ticks each 10 ms; ten times a second is enough for a deadline and costs less when idle.
        self._factory.epoch.tick_seconds = _TICK_S
        # One tick more, since the first one may come at once.
        self._deadline_ticks = self._factory.epoch.deadline_ticks(deadline_s) + 1
        self._entrypoint = entrypoint
        self.machine().close()
        self._factory.epoch.ensure_running()

    def machine(self) -> "PolicyMachine":
        """Make a machine. Raises `PolicyModuleError` if the module does not hold what it must."""
        try:
            runtime = self._factory.create_runtime()
            return PolicyMachine(self._factory.engine, runtime, self._entrypoint, self._deadline_ticks)
        except GUEST_ERRORS as error:
            raise PolicyModuleError(f"the compiled policy cannot be started: {error}") from error

    def close(self) -> None:
        """Stop the clock of the deadline."""
        self._factory.close()


class PolicyMachine:
    """One instance. Not thread-safe. After an error it is spent: close it and make another."""

    def __init__(self, engine: wasmtime.Engine, runtime: WasmtimeRuntime, entrypoint: str, deadline_ticks: int) -> None:
        self._runtime = runtime
        self._deadline_ticks = deadline_ticks
        abi = OpaAbi(runtime)
        self._codec = MemoryCodec(
            abi,
            max_input_bytes=QUESTION_BYTES_MAX,
            max_data_bytes=0,
            max_result_bytes=ANSWER_BYTES_MAX,
            max_cstring_scan_bytes=ANSWER_BYTES_MAX,
        )
        entrypoint_id = _entrypoint_id(self._codec, entrypoint)
        self._question_at = abi.opa_malloc(QUESTION_BYTES_MAX)
        ask = _ASK.format(entrypoint=entrypoint_id, question=self._question_at, heap=abi.opa_heap_ptr_get())
        self._ask = _link(engine, runtime, ask)

    def evaluate(self, question: bytes) -> bytes:
        """Answer one question (JSON text in UTF-8, at most `QUESTION_BYTES_MAX`) with the result set as JSON text.

        Raises one of `GUEST_ERRORS` when the guest aborts, runs out of memory or time, or writes no end of its answer.
        """
        store = self._runtime.store
        self._runtime.memory.write(store, question, self._question_at)
        self._runtime.set_epoch_deadline(self._deadline_ticks)
        answer_at = self._ask(store, len(question))
        return self._codec.read_cstring(int(answer_at))

    def close(self) -> None:
        """Give its memory back; safe to call twice."""
        self._runtime.close()


def _compile(wasm: bytes, memory_pages_max: int) -> WasmtimeRuntimeFactory:
    try:
        return WasmtimeRuntimeFactory(wasm, max_memory_pages=memory_pages_max)
    except GUEST_ERRORS as error:
        raise PolicyModuleError(f"the compiled policy is not a policy module: {error}") from error


def _link(engine: wasmtime.Engine, runtime: WasmtimeRuntime, ask: str) -> Any:
    store = runtime.store
    instance = wasmtime.Instance(store, wasmtime.Module(engine, ask), [runtime.get_func("opa_eval")])
    return instance.exports(store)["ask"]


def _entrypoint_id(codec: MemoryCodec, entrypoint: str) -> int:
    builtins = sorted(codec.decode_builtins())
    if builtins:
        names = ", ".join(f"`{name}`" for name in builtins)
        raise PolicyModuleError(f"the policy uses {names}, which the compiled form does not have: say it without them")
    entrypoints = codec.decode_entrypoints()
    if entrypoint not in entrypoints:
        raise PolicyModuleError(f"the compiled policy has no entrypoint `{entrypoint}`")
    return entrypoints[entrypoint]
