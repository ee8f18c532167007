"""The server: addresses, who may send what, and the files of the page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from .desk import Desk, refused
from .jobs import KINDS, Jobs, Kind
from .refusal import RefusedError
from .routes import jobs, models, motion, robots
from .security import Guard
from .uploads import Uploads
from .workers import Workers

STATIC = Path(str(files("robosym.web") / "static"))


def application(port: int, *, workers: int = 2, kinds: Mapping[str, Kind] = KINDS) -> Starlette:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        pool = Workers(workers)
        app.state.desk, app.state.uploads = Desk(pool), Uploads()
        app.state.jobs = Jobs(kinds)
        yield
        await app.state.jobs.close()
        pool.close()
        app.state.uploads.close()

    return Starlette(
        routes=[
            Route("/", page),
            Route("/api/alive", alive),
            *robots.routes,
            *models.routes,
            *motion.routes,
            *jobs.routes,
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Guard.of(port)],
        exception_handlers={RefusedError: refused},
        lifespan=lifespan,
    )


async def page(_: Request) -> Response:
    return FileResponse(STATIC / "index.html")


async def alive(_: Request) -> Response:
    return JSONResponse({"alive": True})
