"""The seat of the policy engine: wasm in process, a server, a bundle. One question, one answer."""

from typing import Protocol

from settledesk.policy import PolicyAnswer, PolicyQuestion


class PolicyEngine(Protocol):
    """Answers policy questions. An engine that fails answers `Forbidden` with `incident` set; it never raises."""

    @property
    def policy_hash(self) -> str:
        """The first 12 hex digits of the SHA-256 over what the engine runs: sources and what was compiled of them."""
        ...

    async def decide(self, question: PolicyQuestion) -> PolicyAnswer:
        """Say who decides this proposal, or why it is forbidden."""
        ...
