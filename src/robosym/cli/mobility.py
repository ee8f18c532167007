"""``robosym mobility``: in how many ways a robot moves, and what its motors control."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from .options import EXTRA, OF_A_FILE, named_numbers, split
from .pose import is_list, numbers, read_json

RobotArgument = Annotated[
    str, typer.Argument(metavar="ROBOT", help="A built-in robot or a .toml, .par, .urdf or .xml file.")
]
At = Annotated[
    str | None,
    typer.Option(
        "--at",
        metavar="POSITION",
        help="A position, in rad and m: q of the driven joints (0.1,0.2), joint=value,..., or a JSON file with either.",
    ),
]
FrameOption = Annotated[
    str | None, typer.Option("--frame", help="The end frame, by name or number; by default the tip.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of sentences.")]


def add_mobility(app: typer.Typer) -> None:
    """The command of this file."""
    app.command(context_settings=EXTRA, epilog=OF_A_FILE)(mobility)


def mobility(
    context: typer.Context, robot: RobotArgument, at: At = None, frame: FrameOption = None, as_json: Json = False
) -> None:
    """Analyse the mobility: Gruebler's count and the true one, redundant constraints, motors, singularities."""
    from .. import library
    from ..models.loops.mobility import mobility as analysed

    loading, _ = split(context.args, lambda robot: None)
    loaded = library.load(robot, **loading)
    found = analysed(loaded, None if at is None else _position(at), frame=frame)
    if as_json:
        print(json.dumps(found.as_dict(), indent=1))
        return
    if loaded.platforms:
        print(f"{found.robot}: read as a robot with closed loops, one for each leg of a platform after the first")
    print(f"{found.robot}: ", end="")
    for line in found.lines():
        print(line)


def _position(text: str) -> Any:
    """Numbers, or positions by the name of the joint."""
    if is_list(text):
        return numbers("--at", text)
    if "=" in text:
        return named_numbers("--at", text)
    found = read_json(text)
    return found["q"] if isinstance(found, dict) and "q" in found else found
