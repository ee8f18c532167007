"""The server on this machine, until it is interrupted."""

from __future__ import annotations

import socket
import threading
import webbrowser

import uvicorn

from ..errors import RobosymError
from .server import application

LOOPBACK = "127.0.0.1"


def serve(port: int = 8765, *, open_page: bool = True) -> None:
    """Serve the page on the loopback address."""
    listening = _listening(port)
    port = listening.getsockname()[1]
    address = f"http://{LOOPBACK}:{port}/"
    print(f"robosym web: {address} (Ctrl-C ends it)", flush=True)
    if open_page:
        threading.Timer(0.3, webbrowser.open, [address]).start()
    config = uvicorn.Config(application(port), log_level="warning", server_header=False, timeout_graceful_shutdown=2)
    uvicorn.Server(config).run([listening])


def _listening(port: int) -> socket.socket:
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((LOOPBACK, port))
        found.listen(128)  # who comes before the server is ready waits
    except OSError as error:
        raise RobosymError(f"port {port}: {error.strerror or error}; --port takes another, 0 any free one") from error
    return found
