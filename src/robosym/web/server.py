"""The server: addresses, who may send what, and the files of the page."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from . import pages
from .bodies import SLOW, Bodies
from .desk import Desk, failed, not_served, refused
from .jobs import Jobs
from .refusal import RefusedError
from .routes import identification, jobs, models, motion, robots
from .security import Doors, Guard
from .sources import Source
from .uploads import Uploads
from .workers import Workers

# What the first page asks: made before anybody does.
FIRST = Source(name="rx90")
FIRST_ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("scene:scene", {}),
    ("scene:direct_module", {}),
    ("views.models:model_view", {"name": "inverse-dynamics", "options": {}}),
)


def application(
    doors: Doors,
    *,
    workers: Callable[[], Workers] = Workers,
    jobs_of: Callable[[], Jobs] = Jobs,
    slow: float = SLOW,
    warm: bool = False,
) -> ASGIApp:
    """The page, for those whom ``doors`` lets in. ``warm`` makes at once what the first page will ask."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        pool = workers()
        app.state.desk, app.state.uploads = Desk(pool), Uploads()
        app.state.jobs = jobs_of()
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
            *identification.routes,
            *pages.routes,
        ],
        exception_handlers={RefusedError: refused, HTTPException: not_served, Exception: failed},
        lifespan=lifespan,
    )
    inside.router.redirect_slashes = False
    return Guard(Bodies(inside, slow), doors)


async def alive(_: Request) -> Response:
    return JSONResponse({"alive": True})


async def _warm(desk: Desk) -> None:
    for function, arguments in FIRST_ASKED:
        with contextlib.suppress(RefusedError):  # who asks for it is told
            await desk.answer(function, FIRST, **arguments)
