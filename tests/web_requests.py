"""Requests as anybody may send them, and a server in this process whose limits a test sets."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import urlsplit


class Answer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    content: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.content)

    @property
    def message(self) -> str:
        return str(self.json["message"])


def ask(address: str, method: str, path: str, body: Any = None, /, **headers: str | None) -> Answer:
    """As the page would ask; headers are added, or with None left out. Underscores in their names are hyphens."""
    where = urlsplit(address)
    assert where.port is not None
    sent: dict[str, str | None] = {"host": f"127.0.0.1:{where.port}"}
    if method not in ("GET", "HEAD"):
        sent["origin"] = f"http://127.0.0.1:{where.port}"
    sent.update({name.replace("_", "-"): value for name, value in headers.items()})
    connection = http.client.HTTPConnection("127.0.0.1", where.port, timeout=60)
    try:
        data = (
            body if body is None or isinstance(body, bytes) or hasattr(body, "__next__") else json.dumps(body).encode()
        )
        connection.request(method, path, data, {name: value for name, value in sent.items() if value is not None})
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read())
    finally:
        connection.close()


def raw(address: str, sent: bytes) -> bytes:
    """What comes back for bytes as they are."""
    with socket.create_connection(("127.0.0.1", urlsplit(address).port or 0), timeout=60) as connection:
        connection.sendall(sent)
        found = b""
        while part := connection.recv(65536):
            found += part
        return found


@contextmanager
def running(port: int = 0, **limits: Any) -> Iterator[str]:
    """The application of ``robosym web`` with other limits: its address."""
    import uvicorn

    from robosym.web.running import Impatient
    from robosym.web.security import Doors
    from robosym.web.server import application

    with socket.create_server(("127.0.0.1", port)) as listening:
        port = listening.getsockname()[1]
        config = uvicorn.Config(
            application(Doors(port), **limits),
            http=Impatient,
            ws="none",
            log_level="error",
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join(20)
