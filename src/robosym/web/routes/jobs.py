"""Jobs: begun, followed by server-sent events, stopped; and the files they need."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from ..desk import JSON, desk, sent
from ..jobs import Job, Jobs
from ..refusal import RefusedError
from ..uploads import Uploads


def jobs(request: Request) -> Jobs:
    found: Jobs = request.app.state.jobs
    return found


def uploads(request: Request) -> Uploads:
    found: Uploads = request.app.state.uploads
    return found


def _job(request: Request) -> Job:
    return jobs(request).job(request.path_params["id"])


async def start(request: Request) -> Response:
    """{kind, key of the robot or null, arguments, files: {argument: upload id or several}} gives {id}."""
    body = await sent(request)
    kind, key, arguments, files = (body.get(name) for name in ("kind", "key", "arguments", "files"))
    if not isinstance(kind, str) or not (key is None or isinstance(key, str)):
        raise RefusedError(400, "expected texts: kind, key")
    arguments, files = {} if arguments is None else arguments, {} if files is None else files
    if not isinstance(arguments, dict) or not isinstance(files, dict):
        raise RefusedError(400, "expected objects: arguments, files")
    source = None if key is None else desk(request).source(key)
    paths = {name: _paths(request, name, given) for name, given in files.items()}
    page = request.headers.get("x-page", "")[:64]
    return JSONResponse({"id": jobs(request).start(kind, page, source, arguments, paths).id})


def _paths(request: Request, name: str, given: Any) -> Path | list[Path]:
    if isinstance(given, list):
        return [uploads(request).path(one, name) for one in given]
    return uploads(request).path(given, name)


async def events(request: Request) -> Response:
    last = request.headers.get("last-event-id", "")
    after = int(last) if last.isascii() and last.isdigit() and len(last) < 12 else 0
    return StreamingResponse(_job(request).events(after), media_type="text/event-stream")


async def result(request: Request) -> Response:
    found = _job(request).result
    if found is None:
        raise RefusedError(404, "this computation has no result yet")
    return found.response(request, JSON)


async def stop(request: Request) -> Response:
    jobs(request).stop(_job(request))
    return Response(status_code=204)


async def upload(request: Request) -> Response:
    """The bytes of a file as they are; ``?name=`` is what it is called in messages."""
    id = await uploads(request).keep(request.query_params.get("name", ""), request.stream())
    return JSONResponse({"id": id})


routes = [
    Route("/api/jobs", start, methods=["POST"]),
    Route("/api/jobs/{id}", stop, methods=["DELETE"]),
    Route("/api/jobs/{id}/events", events),
    Route("/api/jobs/{id}/result", result),
    Route("/api/uploads", upload, methods=["POST"]),
]
