"""Identification: what a form offers, recipes checked as one types, motions as files. Long work is jobs."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..desk import TEXT, desk, of_robot, sent


async def choices(request: Request) -> Response:
    return await of_robot(request, "views.identification:recipe_choices")


async def recipe(request: Request) -> Response:
    body = await sent(request)
    given = {name: body.get(name) for name in ("table", "text", "files")}
    return await of_robot(request, "views.identification:recipe_view", **given)


async def motion(request: Request) -> Response:
    body = await sent(request)
    given = {name: body[name] for name in ("motion", "kind", "rate", "repeats") if name in body}
    made = await desk(request).answer("views.identification:motion_file", None, **given)
    return Response(made, media_type=TEXT)


routes = [
    Route("/api/robots/{key}/recipe", choices),
    Route("/api/robots/{key}/recipe", recipe, methods=["POST"]),
    Route("/api/motion", motion, methods=["POST"]),
]
