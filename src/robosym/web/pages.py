"""The files of the page, from its folder and nowhere else."""

from __future__ import annotations

import asyncio
import mimetypes
from functools import cache
from importlib.resources import files
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from .answers import SCRIPT, Made, made
from .preloads import with_preloads
from .refusal import RefusedError

STATIC = Path(str(files("robosym.web") / "static")).resolve()
TYPES = {".mjs": SCRIPT, ".js": SCRIPT, ".woff2": "font/woff2"}  # systems disagree about these

_read: dict[Path, tuple[int, Made]] = {}  # when the file was changed, and what it held


async def page(request: Request) -> Response:
    return _page().response(request, "text/html")


@cache
def _page() -> Made:
    return made(with_preloads((STATIC / "index.html").read_bytes(), STATIC))


async def file(request: Request) -> Response:
    return await _file(request, request.path_params["path"])


async def _file(request: Request, name: str) -> Response:
    try:
        path = (STATIC / name).resolve()
        changed = path.stat().st_mtime_ns if path.is_relative_to(STATIC) and path.is_file() else None
    except (OSError, ValueError):  # a name that no file can have
        changed = None
    if changed is None:
        raise RefusedError(404, "no such file")
    if path not in _read or _read[path][0] != changed:
        _read[path] = changed, made(await asyncio.to_thread(path.read_bytes))
    return _read[path][1].response(request, TYPES.get(path.suffix) or mimetypes.guess_type(path)[0] or "text/plain")


routes = [Route("/", page), Route("/static/{path:path}", file)]
