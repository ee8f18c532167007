"""``robosym mobility``: in how many ways a robot moves, and what its motors control."""

from __future__ import annotations

from typing import Annotated

import typer

from .arguments import Json, RobotArgument, print_json
from .command import load, robot_command
from .pose import read_positions

At = Annotated[
    str | None,
    typer.Option(
        "--at",
        metavar="Q1,Q2,...|JOINT=VALUE,...|FILE",
        help="Position to analyse as well [rad or m]: actuated joints in order, joints by name, or a JSON file with either.",
    ),
]


@robot_command("models.loops.mobility:mobility:frame")
def mobility(context: typer.Context, robot: RobotArgument, at: At = None, as_json: Json = False) -> None:
    """Analyse the mobility of a robot and its actuation.

    Gruebler's count and the true mobility, redundant constraints, actuators that control the motion, and singularities.
    """
    from ..models.loops.mobility import mobility as analysed

    loaded, chosen = load(context, robot)
    found = analysed(loaded, None if at is None else read_positions(at, "--at", by_name=True), **chosen)
    if as_json:
        print_json(found.as_dict())
        return
    if loaded.platforms:
        print(f"{found.robot}: read as a robot with closed loops, one for each leg of a platform after the first")
    print(f"{found.robot}: ", end="")
    for line in found.lines():
        print(line)
