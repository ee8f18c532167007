"""The server: addresses, who may send what, and the files of the page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from .desk import Desk, refused
from .routes import models, motion, robots
from .security import Guard
from .workers import Refused, Workers

STATIC = Path(str(files("robosym.web") / "static"))


def application(port: int, *, workers: int = 2) -> Starlette:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        pool = Workers(workers)
        app.state.desk = Desk(pool)
        yield
        pool.close()

    return Starlette(
        routes=[
            Route("/", page),
            Route("/api/alive", alive),
            *robots.routes,
            *models.routes,
            *motion.routes,
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Guard.of(port)],
        exception_handlers={Refused: refused},
        lifespan=lifespan,
    )


async def page(_: Request) -> Response:
    return FileResponse(STATIC / "index.html")


async def alive(_: Request) -> Response:
    return JSONResponse({"alive": True})
