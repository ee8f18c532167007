"""``robosym trajectory``: a motion of a robot from point to point or through points, within its limits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .arguments import Json, RobotArgument
from .command import add, load
from .moves import PLANNERS, Acceleration, Jerk, Picture, Velocity, planned, planning_of, read_move

if TYPE_CHECKING:
    from ..robot import Robot
    from ..trajectory import Trajectory

MoveOption = Annotated[
    str,
    typer.Option(
        "--move",
        metavar="MOVE.json",
        help='Motion: {"from": [...], "to": [...]} or {"through": [[...], ...]}; - reads standard input.',
    ),
]
Output = Annotated[str | None, typer.Option("-o", "--output", metavar="FILE.csv", help="Samples to write.")]


def add_trajectory(app: typer.Typer) -> None:
    """The command of this file."""
    add(app, trajectory, *PLANNERS, "trajectory:point_to_point:duration", "trajectory:Trajectory.as_csv:rate")


def trajectory(
    context: typer.Context,
    robot: RobotArgument,
    move: MoveOption,
    velocity: Velocity = None,
    acceleration: Acceleration = None,
    jerk: Jerk = None,
    output: Output = None,
    plot: Picture = None,
    as_json: Json = False,
) -> None:
    """Plan a motion of a robot within its limits.

    The command shows the duration and the largest values of each joint, and writes samples and a picture.
    """
    from ..files import write_text
    from ..plots import picture_format

    if output is not None and Path(output).suffix.lower() != ".csv":
        raise typer.BadParameter(f"-o: got '{output}', expected a .csv file")
    if plot is not None:
        picture_format(plot)
    loaded, chosen = load(context, robot)
    planning = planning_of(chosen, velocity, acceleration, jerk)
    found = planned(loaded, read_move(move), planning, chosen.pop("duration", None))
    samples = None if output is None else found.as_csv(**chosen)  # all that can fail comes before the first file
    if plot is not None:
        found.plot(plot)
    if output is not None and samples is not None:
        write_text(output, samples)
    written = [path for path in (output, plot) if path is not None]
    if as_json:
        print(json.dumps(_as_dict(loaded, found, written), indent=1))
    else:
        _show(loaded, found, written)


# --- what is shown -------------------------------------------------------------------------------------------------------


def _largest(found: Trajectory) -> dict[str, list[float]]:
    import numpy as np

    names = ("velocity", "acceleration", "jerk")
    return {name: np.abs(found.ranges(order)).max(axis=0).tolist() for order, name in enumerate(names, 1)}


def _as_dict(robot: Robot, found: Trajectory, written: list[str]) -> dict[str, Any]:
    return {
        "robot": robot.name,
        "motion": found.name,
        "duration": found.duration,
        "joints": list(found.joints),
        "from": found.start.tolist(),
        "to": found.end.tolist(),
        "largest": _largest(found),
        "times": found.times.tolist(),
        "coefficients": found.coefficients.tolist(),
        "written": written,
    }


def _show(robot: Robot, found: Trajectory, written: list[str]) -> None:
    from .tables import table

    print(f"{robot.name}: {found!r}".replace("<", "").replace(">", ""))
    columns = [found.start.tolist(), found.end.tolist(), *_largest(found).values()]
    rows = [[name, *(f"{x:.6g}" for x in row)] for name, *row in zip(found.joints, *columns, strict=True)]
    table(["joint", "from", "to", "velocity", "acceleration", "jerk"], rows, "largest values of each joint")
    if written:
        print(f"wrote {' and '.join(written)}")
