"""What all handlers share: which robot is meant, a function called in a worker, its answer kept."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from .answers import BINARY, JSON, SCRIPT, TEXT, Made
from .reading import read_object
from .refusal import RefusedError
from .sources import Source
from .workers import Workers

__all__ = ["BINARY", "JSON", "SCRIPT", "TEXT", "Desk", "desk", "of_nothing", "of_robot", "options", "sent"]

MOST_KEPT = 256 << 20  # bytes of answers
LEFT = 2.0  # seconds an answer is still worked on when all who asked have gone: most are done by then, and kept
MOST_SOURCES = 64 << 20  # bytes of descriptions


@dataclass
class Making:
    """An answer that is being made, and how many wait for it."""

    task: asyncio.Task[Made]
    waiting: int = 0

    def drop(self) -> None:
        """End it if all who asked have gone, and nobody came."""
        if not self.waiting:
            self.task.cancel()


class Desk:
    """The state of the server: caches, and nothing that cannot be made again."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self._sources: OrderedDict[str, Source] = OrderedDict()
        self._answers: OrderedDict[bytes, Made] = OrderedDict()
        self._size = 0
        self._making: dict[bytes, Making] = {}

    def keep(self, source: Source) -> str:
        self._sources[source.key] = source
        self._sources.move_to_end(source.key)
        while sum(len(kept.text) for kept in self._sources.values()) > MOST_SOURCES:
            self._sources.popitem(last=False)
        return source.key

    def source(self, key: str) -> Source:
        """The robot of a key. A page that hears 404 sends its text again."""
        if key in self._sources:
            self._sources.move_to_end(key)
            return self._sources[key]
        return Source.built_in(key)

    async def answer(self, function: str, source: Source | None, **arguments: Any) -> Made:
        """What the function gives, from memory if it was asked before. Who asks the same at the same time waits for the same."""
        asked = json.dumps([function, source.key if source else None, arguments], sort_keys=True)
        key = hashlib.sha256(asked.encode()).digest()
        if key in self._answers:
            self._answers.move_to_end(key)
            return self._answers[key]
        if key not in self._making:
            self._making[key] = Making(asyncio.create_task(self._make(key, function, source, arguments)))
        making = self._making[key]
        making.waiting += 1
        try:
            return await asyncio.shield(making.task)
        finally:
            making.waiting -= 1
            if not making.waiting:
                asyncio.get_running_loop().call_later(LEFT, making.drop)

    async def _make(self, key: bytes, function: str, source: Source | None, arguments: dict[str, Any]) -> Made:
        try:
            made = await self.workers.call(function, source, arguments)
        finally:
            del self._making[key]
        self._answers[key] = made
        self._size += made.size
        while self._size > MOST_KEPT:
            self._size -= self._answers.popitem(last=False)[1].size
        return made


def desk(request: Request) -> Desk:
    found: Desk = request.app.state.desk
    return found


async def of_robot(request: Request, function: str, media: str = JSON, **arguments: Any) -> Response:
    """The answer of a function that takes the robot of the address."""
    here = desk(request)
    return (await here.answer(function, here.source(request.path_params["key"]), **arguments)).response(request, media)


async def of_nothing(request: Request, function: str, media: str = JSON, **arguments: Any) -> Response:
    """The answer of a function that takes no robot."""
    return (await desk(request).answer(function, None, **arguments)).response(request, media)


async def sent(request: Request) -> dict[str, Any]:
    """The JSON object in the body."""
    return read_object(await request.body())


def options(request: Request) -> dict[str, Any]:
    """The JSON object in ``?options=``."""
    return read_object(request.query_params.get("options", "{}"), "options")


# --- instead of an answer -----------------------------------------------------------------------------------------------


async def refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError)
    return JSONResponse({"message": error.message, "problems": error.problems}, error.status)


async def not_served(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = {404: "nothing is served at this address", 405: "this address does not take such a request"}
    return JSONResponse(
        {"message": words.get(error.status_code, error.detail), "problems": []}, error.status_code, error.headers
    )


async def failed(_: Request, error: Exception) -> Response:
    """A fault of ours: the server's log says which, the client only that."""
    message = f"something failed here: {type(error).__name__}; the terminal of the server says more"
    return JSONResponse({"message": message, "problems": []}, 500)
