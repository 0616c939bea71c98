"""`settledesk simulator`: the ERP simulator over HTTP, on loopback."""

import socket
from contextlib import closing
from pathlib import Path

import uvicorn

from settledesk.adapters.clocks import SystemClock
from settledesk.bootstrap import places
from settledesk.cli.output import EXIT_FINE, WrongUseError, say
from settledesk.simulator import PackFiles, Simulator, read_pack_files
from settledesk.simulator.http import create_app

HOST = "127.0.0.1"
PORT_MAX = 65_536


def serve(*, pack: Path | None, file: Path, port: int) -> int:
    """Serve until interrupted."""
    if not 0 < port < PORT_MAX:
        raise WrongUseError(f"`{port}` is not a port: choose one from 1 to {PORT_MAX - 1}")
    files = read_pack_files(places(pack=pack).pack)
    with closing(_bound(port)) as listener, closing(_simulator(files, file)) as simulator:
        say(f"the ERP simulator listens on http://{HOST}:{port} and keeps its records in {file}")
        config = uvicorn.Config(create_app(simulator), log_level="warning")
        uvicorn.Server(config).run(sockets=[listener])
    return EXIT_FINE


def _simulator(files: PackFiles, file: Path) -> Simulator:
    return Simulator(files, path=str(file), clock=SystemClock())


def _bound(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
    except OSError as error:
        listener.close()
        raise WrongUseError(f"port {port} cannot be used: {error.strerror}, choose another with --port") from error
    return listener
