"""Find the one case that a person means by an id, the start of an id, or the subject's own number."""

from settledesk.cases import CaseState
from settledesk.cli.output import WrongUseError
from settledesk.ports import Reader


def one_case(reader: Reader, text: str) -> CaseState:
    """Return the case; raises `WrongUseError` if none or several are meant."""
    found = reader.find(text)
    exact = [state for state in found if state.id == text]
    if exact:
        return exact[0]
    if not found:
        raise WrongUseError(f"there is no case `{text}`: `settledesk cases` lists them")
    if len(found) > 1:
        ids = ", ".join(state.id for state in found)
        raise WrongUseError(f"`{text}` may mean {ids}: give one of these ids")
    return found[0]
