"""Arguments and options that several commands have."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from .completion import complete_models, complete_robots

RobotArgument = Annotated[
    str,
    typer.Argument(
        metavar="ROBOT",
        help="Built-in robot, or a .toml, .par, .urdf, .sdf or .xml (MJCF) file.",
        autocompletion=complete_robots,
    ),
]
ParallelArgument = Annotated[
    str, typer.Argument(metavar="ROBOT", help="Parallel robot: built-in, or a file.", autocompletion=complete_robots)
]
ModelArgument = Annotated[
    str,
    typer.Argument(
        metavar="MODEL",
        help="Model, or controller; robosym models lists all. --help after a model lists its options.",
        autocompletion=complete_models,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="JSON output instead of text.")]
State = Annotated[str, typer.Option("--at", metavar="STATE.json", help="State as JSON; - reads standard input.")]
Limits = Annotated[
    list[str] | None,
    typer.Option("--limit", metavar="JOINT=LOWER:UPPER", help="Range of a joint [rad or m]; repeatable."),
]
Parameters = Annotated[
    str | None,
    typer.Option(
        "--parameters", metavar="NAME=VALUE,...", help="Parameter values that replace those of the description."
    ),
]


def print_json(data: Any) -> None:
    print(json.dumps(data, indent=1))


def joint_pairs(words: list[str]) -> dict[str, tuple[float, float]]:
    """{"quill": (0, 0.3)} of quill=0:0.3; a URDF's joint name may hold anything but the last '='."""
    pairs = {}
    for word in words:
        name, _, pair = word.rpartition("=")
        if name in pairs:
            raise typer.BadParameter(f"--limit: '{name}' is given twice")
        try:
            lower, upper = (float(bound) for bound in pair.split(":"))
        except ValueError:
            raise typer.BadParameter(f"--limit: got '{word}', expected JOINT=LOWER:UPPER") from None
        pairs[name] = (lower, upper)
    return pairs
