"""Robots: which there are, one that is sent, and what a viewer needs to draw and move it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ..desk import BINARY, JSON, SCRIPT, TEXT, desk, of_nothing, of_robot, sent
from ..refusal import RefusedError
from ..sources import Source


async def robots(request: Request) -> Response:
    return await of_nothing(request, "views.robots:built_in_robots")


async def send(request: Request) -> Response:
    """Keep a description: its key, what was read, and what was found; 422 with all problems if it is no robot."""
    source = await _described(request)
    here = desk(request)
    made = await here.answer("views.robots:checked_robot", None, **source.given())
    return made.response(request, JSON, {"x-robot": here.keep(source)})


async def check(request: Request) -> Response:
    """What is wrong with a text, which may be no robot yet."""
    given = (await _described(request)).given()
    del given["name"]
    return await of_nothing(request, "views.robots:checked_text", **given)


async def _described(request: Request) -> Source:
    body = await sent(request)
    texts = {key: body.get(key, "") for key in ("text", "name", "loops")}
    form = body.get("format")
    if not all(isinstance(one, str) for one in texts.values()) or not (form is None or isinstance(form, str)):
        raise RefusedError(400, "expected texts: text, format, name, loops")
    return Source(**texts, format=form, floating=body.get("floating") is True)


async def columns(request: Request) -> Response:
    return await of_nothing(request, "views.columns:table_columns")


async def check_tables(request: Request) -> Response:
    """What is wrong with tables, by cells, and the robot's text when nothing is."""
    body = await sent(request)
    return await of_nothing(request, "views.table_checks:checked_tables", given=body)


async def templates(request: Request) -> Response:
    return await of_nothing(request, "views.robots:templates")


async def new_robot(request: Request) -> Response:
    kind, name = request.path_params["kind"], request.query_params.get("name", "")
    return await of_nothing(request, "views.robots:new_robot", TEXT, kind=kind, name=name)


async def tables(request: Request) -> Response:
    return await of_robot(request, "views.tables:tables")


async def texts(request: Request) -> Response:
    return await of_robot(request, "views.saving:offered", format=request.path_params["format"])


async def saved(request: Request) -> Response:
    return await of_robot(request, "views.saving:saved", BINARY, format=request.path_params["format"])


async def robot(request: Request) -> Response:
    return await of_robot(request, "views.robots:robot_view")


async def scene(request: Request) -> Response:
    source = desk(request).source(request.path_params["key"])
    return await of_robot(request, "scene:described_scene", text=source.text, format=source.format)


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
    Route("/api/robots/check", check, methods=["POST"]),
    Route("/api/tables", columns),
    Route("/api/tables", check_tables, methods=["POST"]),
    Route("/api/templates", templates),
    Route("/api/templates/{kind}", new_robot),
    Route("/api/robots/{key}", robot),
    Route("/api/robots/{key}/tables", tables),
    Route("/api/robots/{key}/texts/{format}", texts),
    Route("/api/robots/{key}/saved/{format}", saved),
    Route("/api/robots/{key}/scene", scene),
    Route("/api/robots/{key}/workspace", workspace),
    Route("/api/robots/{key}/{module}.mjs", module),
]
