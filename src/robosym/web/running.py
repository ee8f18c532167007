"""The server on this machine, until it is interrupted."""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
import socket
import threading
import webbrowser
from dataclasses import replace
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ..errors import RobosymError
from .security import LOCAL, Doors
from .server import application

LOOPBACK = "127.0.0.1"
SHORTEST_TOKEN = 16
HEAD = 15.0  # seconds until a request must have come, after which its connection is closed
CONNECTIONS = 500


def serve(port: int = 8765, *, host: str = LOOPBACK, token: str | None = None, open_page: bool = True) -> None:
    """Serve the page: on the loopback address to this machine, on another to those who know the token."""
    if token is not None and (
        len(token) < SHORTEST_TOKEN or not (token.isascii() and token.replace("-", "").replace("_", "").isalnum())
    ):
        raise RobosymError(f"--token: expected at least {SHORTEST_TOKEN} letters, digits, - or _")
    listening = _listening(host, port)
    doors = _doors(host, listening.getsockname()[1], token)
    address = f"http://{_shown(host)}:{doors.port}/" + (f"?token={doors.token}" if doors.token else "")
    print(f"robosym web: {address} (Ctrl-C ends it)", flush=True)
    if open_page:
        threading.Timer(0.3, webbrowser.open, [address]).start()
    config = uvicorn.Config(
        application(doors, warm=True),
        http=Impatient,
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=CONNECTIONS,
        timeout_keep_alive=60,
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run([listening])


def _doors(host: str, port: int, token: str | None) -> Doors:
    plain = Doors(port, token=token)
    if _is_loopback(host):
        return plain
    names = (*LOCAL, host.lower(), f"[{host.lower()}]", socket.gethostname().lower())
    return replace(plain, names=names, any_address=_is_any(host), token=token or secrets.token_urlsafe(32))


def _is_loopback(host: str) -> bool:
    return host == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


def _is_any(host: str) -> bool:
    return _is_address(host) and ipaddress.ip_address(host).is_unspecified


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _shown(host: str) -> str:
    if _is_any(host):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # Named, or asyncio does not know that it may send without waiting for more: 40 ms an answer.
        found = socket.socket(family, kind, socket.IPPROTO_TCP)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(128)  # who comes before the server is ready waits
    except (OSError, OverflowError, UnicodeError) as error:
        words = getattr(error, "strerror", None) or error
        raise RobosymError(f"{host}, port {port}: {words}; --port takes another, 0 any free one") from error
    return found


class Impatient(H11Protocol):
    """Closes connections on which no request comes, or only a part of one."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._idle():  # a whole head came: from here on the server is patient, and closes after its own time
            self._come()
        elif self._late is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._come()
        super().connection_lost(exc)

    def _come(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _wait(self) -> None:
        self._late = self.loop.call_later(HEAD, self._close_if_idle)

    def _close_if_idle(self) -> None:
        self._late = None
        if self._idle():
            self.transport.close()

    def _idle(self) -> bool:
        cycle: Any = self.cycle
        return cycle is None or cycle.response_complete
