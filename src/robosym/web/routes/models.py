"""Models: under which menus, with which options; equations, counts, source, values."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..desk import TEXT, of_nothing, of_robot, options, sent


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


async def values(request: Request) -> Response:
    body = await sent(request)
    return await of_robot(
        request, "views.models:model_values", name=request.path_params["model"], options=body.get("options", {}), state=body.get("state", {})
    )  # fmt: skip


routes = [
    Route("/api/languages", languages),
    Route("/api/robots/{key}/models", menus),
    Route("/api/robots/{key}/models/{model}", model),
    Route("/api/robots/{key}/models/{model}/source/{language}", source),
    Route("/api/robots/{key}/models/{model}/values", values, methods=["POST"]),
]
