"""The ERP simulator, shipped because users try the desk with it; its actions, people and seeds come from the pack."""

from settledesk.simulator.authority import AuthorityMode
from settledesk.simulator.chance import Chance
from settledesk.simulator.faults import Fault, FaultError, FaultSettingError
from settledesk.simulator.intake import RefusedIntakeError
from settledesk.simulator.ledger import AuditRow, LedgerError
from settledesk.simulator.pack_files import PackFileError, PackFiles, read_pack_files
from settledesk.simulator.paths import UnknownPathError
from settledesk.simulator.seeds import Seeded, SeedError
from settledesk.simulator.simulator import Simulator

__all__ = [
    "AuditRow",
    "AuthorityMode",
    "Chance",
    "Fault",
    "FaultError",
    "FaultSettingError",
    "LedgerError",
    "PackFileError",
    "PackFiles",
    "RefusedIntakeError",
    "SeedError",
    "Seeded",
    "Simulator",
    "UnknownPathError",
    "read_pack_files",
]
