"""`settledesk simulator`: the ERP simulator over HTTP, on loopback."""

from pathlib import Path

import uvicorn

from settledesk.adapters.clocks import SystemClock
from settledesk.bootstrap import places
from settledesk.cli.output import EXIT_FINE, say
from settledesk.simulator import Simulator, read_pack_files
from settledesk.simulator.http import create_app

HOST = "127.0.0.1"


def serve(*, pack: Path | None, file: Path, port: int) -> int:
    """Serve until interrupted."""
    files = read_pack_files(places(pack=pack).pack)
    simulator = Simulator(files, path=str(file), clock=SystemClock())
    try:
        say(f"the ERP simulator listens on http://{HOST}:{port} and keeps its records in {file}")
        uvicorn.run(create_app(simulator), host=HOST, port=port, log_level="warning")
    finally:
        simulator.close()
    return EXIT_FINE
