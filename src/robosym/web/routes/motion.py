"""Motion: what can be planned, trajectories, laws as source, and runs as files. Simulations themselves are jobs."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..desk import TEXT, of_robot, sent

CSV = "text/csv"


async def motion(request: Request) -> Response:
    return await of_robot(request, "views.motion:motion_view")


async def trajectory(request: Request) -> Response:
    return await of_robot(request, "views.motion:trajectory_view", asked=await sent(request))


async def trajectory_csv(request: Request) -> Response:
    return await of_robot(request, "views.motion:trajectory_csv", CSV, asked=await sent(request))


async def trajectory_source(request: Request) -> Response:
    language = request.path_params["language"]
    return await of_robot(request, "views.motion:trajectory_source", TEXT, asked=await sent(request), language=language)


async def law_source(request: Request) -> Response:
    body, language = await sent(request), request.path_params["language"]
    law, options = body.get("law"), body.get("options")
    return await of_robot(request, "views.motion:law_source", TEXT, law=law, options=options, language=language)


async def run_csv(request: Request) -> Response:
    return await of_robot(request, "views.motion:simulated_csv", CSV, asked=await sent(request))


routes = [
    Route("/api/robots/{key}/motion", motion),
    Route("/api/robots/{key}/motion/trajectory", trajectory, methods=["POST"]),
    Route("/api/robots/{key}/motion/trajectory.csv", trajectory_csv, methods=["POST"]),
    Route("/api/robots/{key}/motion/trajectory/{language}", trajectory_source, methods=["POST"]),
    Route("/api/robots/{key}/motion/law/{language}", law_source, methods=["POST"]),
    Route("/api/robots/{key}/motion/run.csv", run_csv, methods=["POST"]),
]
