"""The server: addresses, who may send what, and the files of the page."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from . import pages
from .bodies import Bodies
from .desk import Desk, failed, not_served, refused
from .jobs import KINDS, Jobs, Kind
from .refusal import RefusedError
from .routes import jobs, models, motion, robots
from .security import Doors, Guard
from .sources import Source
from .uploads import Uploads
from .workers import COUNT, Workers

# What the first page asks: made before anybody does.
FIRST = Source(name="rx90")
FIRST_ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("scene:scene", {}),
    ("scene:direct_module", {}),
    ("views.models:model_view", {"name": "inverse-dynamics", "options": {}}),
)


def application(
    doors: Doors, *, workers: int = COUNT, kinds: Mapping[str, Kind] = KINDS, warm: bool = False
) -> ASGIApp:
    """The page, for those whom ``doors`` lets in. ``kinds`` are the jobs there are; ``warm`` makes the first answers at once."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        pool = Workers(workers)
        app.state.desk, app.state.uploads = Desk(pool), Uploads()
        app.state.jobs = Jobs(kinds)
        warming = asyncio.create_task(_warm(app.state.desk)) if warm else None
        yield
        if warming is not None:
            warming.cancel()
        app.state.jobs.close()
        pool.close()
        app.state.uploads.close()

    inside = Starlette(
        routes=[
            Route("/api/alive", alive),
            *robots.routes,
            *models.routes,
            *motion.routes,
            *jobs.routes,
            *pages.routes,
        ],
        exception_handlers={RefusedError: refused, HTTPException: not_served, Exception: failed},
        lifespan=lifespan,
    )
    return Guard(Bodies(inside), doors)


async def alive(_: Request) -> Response:
    return JSONResponse({"alive": True})


async def _warm(desk: Desk) -> None:
    for function, arguments in FIRST_ASKED:
        with contextlib.suppress(RefusedError):  # who asks for it is told
            await desk.answer(function, FIRST, **arguments)
