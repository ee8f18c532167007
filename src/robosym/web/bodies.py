"""What clients send, and whether they are still there: bodies counted as they come, slow ones refused, work for nobody ended."""

from __future__ import annotations

import asyncio
import contextlib

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .uploads import MEGABYTES

MOST_SENT = 4 << 20  # bytes of a body
UPLOADS = "/api/uploads"
SLOW = 20.0  # seconds between two parts of a body


def most_sent(path: str) -> int:
    return MEGABYTES << 20 if path == UPLOADS else MOST_SENT


class Bodies:
    """Stands between server and application, and reads for it: so it knows when a client leaves, whoever else listens."""

    def __init__(self, app: ASGIApp, slow: float = SLOW) -> None:
        self.app, self.slow = app, slow

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        passed: asyncio.Queue[Message] = asyncio.Queue(1)
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        reading = asyncio.create_task(self._read(most_sent(scope["path"]), receive, passed))
        working = asyncio.ensure_future(self.app(scope, passed.get, watched))
        try:
            await asyncio.wait((reading, working), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reading, working):
                if not task.done():
                    task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await working
        with contextlib.suppress(asyncio.CancelledError):
            problem = await reading
            if problem is not None and not started:
                status, words = problem
                # After 413 the rest is still read, and dropped: who sends without listening hears the answer only then.
                headers = {"connection": "close"} if status == 408 else {}
                await JSONResponse({"message": words, "problems": []}, status, headers)(scope, receive, send)

    async def _read(self, most: int, receive: Receive, passed: asyncio.Queue[Message]) -> tuple[int, str] | None:
        """Pass on what comes, until the client goes (None) or is refused."""
        size, more = 0, True
        while True:
            try:
                async with asyncio.timeout(self.slow if more else None):
                    message = await receive()
            except TimeoutError:
                return 408, f"nothing came for {self.slow:g} s"
            if message["type"] == "http.disconnect":
                return None
            size += len(message.get("body", b""))
            if size > most:
                return 413, f"more than {most >> 20} MB"
            more = message.get("more_body", False)
            await passed.put(message)
