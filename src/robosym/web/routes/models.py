"""Models: under which menus, with which options; equations, counts, source, values; the optimiser."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..desk import JSON, TEXT, desk, of_nothing, of_robot, options, sent


async def languages(request: Request) -> Response:
    return await of_nothing(request, "views.models:languages_view")


async def menus(request: Request) -> Response:
    return await of_robot(request, "views.models:menus")


async def model(request: Request) -> Response:
    return await of_robot(
        request, "views.models:model_view", name=request.path_params["model"], options=options(request)
    )


async def source(request: Request) -> Response:
    name, language = request.path_params["model"], request.path_params["language"]
    return await of_robot(
        request, "views.models:model_source", TEXT, name=name, language=language, options=options(request)
    )


async def code(request: Request) -> Response:
    """The source with the lines of each step."""
    name, language = request.path_params["model"], request.path_params["language"]
    return await of_robot(request, "views.models:source_view", name=name, language=language, options=options(request))


async def values(request: Request) -> Response:
    """At a state; not kept, as the next state is another one."""
    body, here = await sent(request), desk(request)
    asked = {"name": request.path_params["model"], **{key: body.get(key) for key in ("options", "state", "parameters")}}
    robot = here.source(request.path_params["key"])
    return (await here.workers.call("views.values:model_values", robot, asked)).response(request, JSON)


async def optimised(request: Request) -> Response:
    body = await sent(request)
    asked = {"text": str(body.get("text", "")), "language": str(body.get("language", "c"))}
    return await of_nothing(request, "views.optimizer:optimised", **asked)


routes = [
    Route("/api/languages", languages),
    Route("/api/optimised", optimised, methods=["POST"]),
    Route("/api/robots/{key}/models", menus),
    Route("/api/robots/{key}/models/{model}", model),
    Route("/api/robots/{key}/models/{model}/source/{language}", source),
    Route("/api/robots/{key}/models/{model}/code/{language}", code),
    Route("/api/robots/{key}/models/{model}/values", values, methods=["POST"]),
]
