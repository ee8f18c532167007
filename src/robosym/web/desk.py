"""What all handlers share: which robot is meant, a function called in a worker, its answer kept."""

from __future__ import annotations

import json
from collections import OrderedDict
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from .refusal import RefusedError
from .sources import Source
from .workers import Workers

MOST_KEPT = 256 << 20  # bytes of answers
MOST_SOURCES = 512
JSON, SCRIPT, TEXT, BINARY = "application/json", "text/javascript", "text/plain", "application/octet-stream"


class Desk:
    """The state of the server: caches, and nothing that cannot be made again."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self._sources: OrderedDict[str, Source] = OrderedDict()
        self._answers: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0

    def keep(self, source: Source) -> str:
        self._sources[source.key] = source
        self._sources.move_to_end(source.key)
        while len(self._sources) > MOST_SOURCES:
            self._sources.popitem(last=False)
        return source.key

    def source(self, key: str) -> Source:
        """The robot of a key. A page that hears 404 sends its text again."""
        if key in self._sources:
            self._sources.move_to_end(key)
            return self._sources[key]
        from ..library import is_built_in

        if is_built_in(key):
            return Source(name=key)
        raise RefusedError.at(404, "robot", f"no robot {key!r:.60} here: send its description again")

    async def answer(self, function: str, source: Source | None, **arguments: Any) -> bytes:
        """What the function gives, from memory if it was asked before."""
        asked = json.dumps([function, source.key if source else None, arguments], sort_keys=True)
        if asked in self._answers:
            self._answers.move_to_end(asked)
            return self._answers[asked]
        made = await self.workers.call(function, source, arguments)
        if asked not in self._answers:
            self._answers[asked] = made
            self._size += len(made)
        while self._size > MOST_KEPT:
            self._size -= len(self._answers.popitem(last=False)[1])
        return made


def desk(request: Request) -> Desk:
    found: Desk = request.app.state.desk
    return found


async def of_robot(request: Request, function: str, media: str = JSON, **arguments: Any) -> Response:
    """The answer of a function that takes the robot of the address."""
    here = desk(request)
    made = await here.answer(function, here.source(request.path_params["key"]), **arguments)
    return Response(made, media_type=media)


async def sent(request: Request) -> dict[str, Any]:
    """The JSON object in the body."""
    try:
        found = json.loads(await request.body())
    except ValueError as error:
        raise RefusedError(400, "the body is no JSON") from error
    if not isinstance(found, dict):
        raise RefusedError(400, "the body is no JSON object")
    return found


def options(request: Request) -> dict[str, Any]:
    """The JSON object in ``?options=``."""
    try:
        found = json.loads(request.query_params.get("options", "{}"))
    except ValueError as error:
        raise RefusedError(400, "options: expected a JSON object") from error
    if not isinstance(found, dict):
        raise RefusedError(400, "options: expected a JSON object")
    return found


async def refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError)
    return JSONResponse({"message": error.message, "problems": error.problems}, error.status)
