"""`WasmPolicyEngine`: the policy port on wasm in process. Whatever goes wrong is a refusal and an incident."""

import json
import threading
from pathlib import Path
from typing import Any, Final

import structlog

from settledesk.adapters.opa.lock import (
    PINNED_OPA,
    WASM_NAME,
    PolicyLoadError,
    compiler_name,
    policy_hash,
    read_lock,
    read_sources,
    read_wasm,
    verify,
)
from settledesk.adapters.opa.machine import (
    DEADLINE_S,
    GUEST_ERRORS,
    MEMORY_PAGES_MAX,
    QUESTION_BYTES_MAX,
    PolicyMachine,
    PolicyModule,
    PolicyModuleError,
)
from settledesk.policy import Forbidden, PolicyAnswer, PolicyQuestion, parse_answer, question_to_json

_FAILED: Final = "the policy engine failed, so nothing is allowed"
_TOO_LARGE: Final = f"the question is larger than the {QUESTION_BYTES_MAX} bytes that the policy reads"

_log = structlog.get_logger(__name__)


class WasmPolicyEngine:
    """Answers policy questions with a compiled policy.

    One machine is kept and reused; a lock lets threads share the engine, one question at a time. A machine that failed
    is thrown away and the next question gets a new one.
    """

    def __init__(self, module: PolicyModule, *, policy_hash: str) -> None:
        self._module = module
        self._policy_hash = policy_hash
        self._machine: PolicyMachine | None = None
        self._lock = threading.Lock()
        self._incidents = 0

    @property
    def policy_hash(self) -> str:
        """The first 12 hex digits of the SHA-256 over the policy's sources, in order of their names."""
        return self._policy_hash

    @property
    def engine(self) -> str:
        """What answers, for provenance: the compiler and its version, and that its output runs as wasm."""
        return f"{compiler_name(PINNED_OPA)} wasm"

    @property
    def incidents(self) -> int:
        """How many answers were refusals for want of a valid answer, since the engine was loaded."""
        return self._incidents

    async def decide(self, question: PolicyQuestion) -> PolicyAnswer:
        """Say who decides this proposal, or why it is forbidden; never raises for a question of whatever content."""
        try:
            document = question_to_json(question)
        except Exception as error:  # a question that cannot be written down must be refused, not crash the desk
            return self._incident(_FAILED, error)
        return self.answer(document)

    def answer(self, document: Any) -> PolicyAnswer:
        """Answer an input document as `question_to_json` writes it; anything else is refused."""
        try:
            text = json.dumps(document, separators=(",", ":"), allow_nan=False).encode()
        except (TypeError, ValueError, RecursionError) as error:
            return self._incident(_FAILED, error)
        if len(text) > QUESTION_BYTES_MAX:
            return self._incident(_TOO_LARGE, None)
        try:
            result = json.loads(self._evaluate(text))
        except (*GUEST_ERRORS, PolicyModuleError, ValueError, RecursionError) as error:
            return self._incident(_FAILED, error)
        answer = parse_answer(_only_result(result))
        if isinstance(answer, Forbidden) and answer.incident:
            return self._incident(answer.why, None)
        return answer

    def close(self) -> None:
        """Give back what the engine holds; it cannot be asked afterwards."""
        with self._lock:
            self._discard()
            self._module.close()

    def _evaluate(self, text: bytes) -> bytes:
        with self._lock:
            if self._machine is None:
                self._machine = self._module.machine()
            try:
                return self._machine.evaluate(text)
            except BaseException:
                self._discard()
                raise

    def _discard(self) -> None:
        if self._machine is not None:
            self._machine.close()
            self._machine = None

    def _incident(self, why: str, error: Exception | None) -> Forbidden:
        self._incidents += 1
        _log.error("policy_incident", why=why, error=None if error is None else str(error), policy=self._policy_hash)
        return Forbidden(why=why, incident=True)


def load_policy_engine(
    folder: Path, *, deadline_s: float = DEADLINE_S, memory_pages_max: int = MEMORY_PAGES_MAX
) -> WasmPolicyEngine:
    """Load the compiled policy of a pack's policy folder.

    Raises `PolicyLoadError` if `policy.wasm` was not made from the .rego files beside it by the pinned compiler, or
    cannot be run.
    """
    sources, wasm = read_sources(folder), read_wasm(folder)
    lock = read_lock(folder)
    verify(folder, lock, sources, wasm)
    try:
        module = PolicyModule(
            wasm, entrypoint=lock.entrypoint, deadline_s=deadline_s, memory_pages_max=memory_pages_max
        )
    except PolicyModuleError as error:
        raise PolicyLoadError(f"the policy in `{folder}` cannot be used: {error}") from error
    return WasmPolicyEngine(module, policy_hash=policy_hash({**sources, WASM_NAME: wasm}))


def _only_result(result: Any) -> Any:
    match result:
        case [{"result": answer, **rest}] if not rest:
            return answer
    return None
