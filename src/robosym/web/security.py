"""Who may ask: pages of this server only, and what a browser may do with them."""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_SENT = 4 << 20  # bytes of a body
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
    "cache-control": "no-cache",
}


class Guard:
    """Refuses foreign hosts and foreign origins, bodies that are too long; puts the headers on every answer."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self.app = app
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}

    @classmethod
    def of(cls, port: int) -> Middleware:
        return Middleware(cls, port=port)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def signed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        problem = self._problem(scope["method"], scope["path"], Headers(scope=scope))
        if problem is not None:
            status, words = problem
            await JSONResponse({"message": words, "problems": []}, status)(scope, receive, signed)
            return
        await self.app(scope, receive, signed)

    def _problem(self, method: str, path: str, headers: Headers) -> tuple[int, str] | None:
        if headers.get("host") not in self.hosts:
            return 400, "this host is not served here"
        if method not in ("GET", "HEAD"):
            origin = headers.get("origin")
            if origin is None or origin.removeprefix("http://") not in self.hosts:
                return 403, "requests that change something come from the page itself"
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "requests come from the page itself"
        if path != "/api/uploads" and int(headers.get("content-length") or 0) > MOST_SENT:
            return 413, f"more than {MOST_SENT >> 20} MB"
        return None
