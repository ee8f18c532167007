"""Robots: which there are, one that is sent, and what a viewer needs to draw and move it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ..desk import BINARY, JSON, SCRIPT, desk, of_nothing, of_robot, sent
from ..refusal import RefusedError
from ..sources import Source


async def robots(request: Request) -> Response:
    return await of_nothing(request, "views.robots:built_in_robots")


async def send(request: Request) -> Response:
    """Keep a description: its key, what was read, and what was found; 422 with all problems if it is no robot."""
    body = await sent(request)
    text, form = body.get("text", ""), body.get("format")
    name = body.get("name", "")
    if not isinstance(text, str) or not isinstance(name, str) or not (form is None or isinstance(form, str)):
        raise RefusedError(400, "expected texts: text, format, name")
    source = Source(name=name, text=text, format=form, floating=body.get("floating") is True)
    here = desk(request)
    made = await here.answer("views.robots:checked_robot", None, **source.given())
    return made.response(request, JSON, {"x-robot": here.keep(source)})


async def robot(request: Request) -> Response:
    return await of_robot(request, "views.robots:robot_view")


async def scene(request: Request) -> Response:
    return await of_robot(request, "scene:scene")


async def module(request: Request) -> Response:
    name = request.path_params["module"]
    if name not in ("direct", "inverse", "measures"):
        return JSONResponse({"message": f"no module {name!r:.40}", "problems": []}, 404)
    return await of_robot(request, f"scene:{name}_module", SCRIPT)


async def workspace(request: Request) -> Response:
    return await of_robot(request, "scene:workspace_points", BINARY)


routes = [
    Route("/api/robots", robots),
    Route("/api/robots", send, methods=["POST"]),
    Route("/api/robots/{key}", robot),
    Route("/api/robots/{key}/scene", scene),
    Route("/api/robots/{key}/workspace", workspace),
    Route("/api/robots/{key}/{module}.mjs", module),
]
