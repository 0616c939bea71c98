"""The accounts-payable pack loads as a whole."""

from ap_files import PACK, TABLES

from settledesk.packs import load_pack


def test_the_pack_loads_without_a_problem() -> None:
    """`load_pack` finds nothing that its files disagree about."""
    pack = load_pack(PACK)
    assert pack.name == "accounts_payable"
    assert set(pack.tables) == set(TABLES)
