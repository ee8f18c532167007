"""Who may ask: pages of this server only, those who know its token if it has one; and what a browser may do with answers."""

from __future__ import annotations

import hmac
import ipaddress
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .bodies import most_sent

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self' blob:; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache, private",
}
READS = ("GET", "HEAD")
LOCAL = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True)
class Doors:
    """Under which names the server is asked, and what it asks for."""

    port: int
    names: tuple[str, ...] = LOCAL
    any_address: bool = False  # numbers are no names: nobody can make them mean another machine
    token: str | None = None

    def serves(self, host: str) -> bool:
        name, _, port = (
            host.lower().rpartition(":") if not host.endswith("]") and ":" in host else (host.lower(), "", "80")
        )
        return port == str(self.port) and (name in self.names or (self.any_address and _is_address(name)))

    @property
    def cookie(self) -> str:
        return f"robosym-{self.port}"  # browsers share cookies between ports


class Guard:
    """Refuses who is not let in by ``doors``; puts the headers on every answer."""

    def __init__(self, app: ASGIApp, doors: Doors) -> None:
        self.app, self.doors = app, doors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # nothing else is spoken here
        welcome = self._brings_token(scope)

        async def signed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if welcome:
                    headers.append(
                        "set-cookie", f"{self.doors.cookie}={self.doors.token}; Path=/; HttpOnly; SameSite=Strict"
                    )
            await send(message)

        problem = self._problem(scope, Headers(scope=scope), welcome)
        if problem is None:
            await self.app(scope, receive, signed)
            return
        welcome = False
        status, words = problem
        await JSONResponse({"message": words, "problems": []}, status)(scope, receive, signed)

    def _problem(self, scope: Scope, headers: Headers, welcome: bool) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not self.doors.serves(host):
            return 400, "this host is not served here"
        if scope["method"] not in READS and headers.get("origin") != f"http://{host}":
            return 403, "requests that change something come from the page itself"
        follows_link = _follows_link(scope, headers)
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none") and not follows_link:
            return 403, "requests come from the page itself"
        # A browser does not send the cookie when a link elsewhere is followed; the page alone, without answers, is no secret.
        if self.doors.token is not None and not (welcome or follows_link or self._has_cookie(headers)):
            return 401, "this server asks for its token: open the address that it printed, with ?token=..."
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            return 400, "content-length: expected a number"
        most = most_sent(scope["path"])
        if len(length) > 15 or int(length) > most:
            return 413, f"more than {most >> 20} MB"
        return None

    def _brings_token(self, scope: Scope) -> bool:
        if self.doors.token is None or scope["path"] != "/" or scope["method"] not in READS:
            return False
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return hmac.compare_digest(given.encode(), self.doors.token.encode())

    def _has_cookie(self, headers: Headers) -> bool:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self.doors.cookie)
        except CookieError:
            return False
        return found is not None and hmac.compare_digest(found.value.encode(), (self.doors.token or "").encode())


def _follows_link(scope: Scope, headers: Headers) -> bool:
    """A person opens the page from a mail or another page: its state is in the fragment, which no server sees."""
    return (
        scope["path"] == "/"
        and scope["method"] in READS
        and headers.get("sec-fetch-site") in ("cross-site", "same-site")
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
    )


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True
