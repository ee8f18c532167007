"""``robosym trajectory``: a motion of a robot from point to point or through points, within its limits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import RobosymError
from .options import EXTRA, OF_A_FILE, each, split
from .plot import Json, RobotArgument
from .pose import read_json

if TYPE_CHECKING:
    from ..robot import Robot
    from ..trajectory import Trajectory

EACH = "A number for all joints, or JOINT=NUMBER,...; by default the description's."
# What MOVE.json may hold.
POINT_TO_POINT = ("from", "to", "v0", "vf", "a0", "af", "duration")
THROUGH = ("through", "times")

MoveOption = Annotated[
    str,
    typer.Option(
        "--move",
        metavar="MOVE.json",
        help='{"from": [...], "to": [...]} or {"through": [[...], ...]}; positions are lists, or by joint; - reads standard input.',
    ),
]
ProfileOption = Annotated[
    str, typer.Option("--profile", help="linear, cubic, quintic, bang-bang, trapeze, continuous or jerk-limited.")
]
MethodOption = Annotated[str, typer.Option("--method", help="Through points: spline or blend.")]
DegreeOption = Annotated[int, typer.Option("--degree", help="Of a spline: 3 or 5.")]
SynchroniseOption = Annotated[
    str | None, typer.Option("--synchronise", help="homothetic, time, phase or none.", show_default=False)
]
Duration = Annotated[float | None, typer.Option("--duration", help="Seconds; by default as few as the limits allow.")]
Velocity = Annotated[str | None, typer.Option("--velocity", help=f"Limit, rad/s or m/s. {EACH}")]
Acceleration = Annotated[str | None, typer.Option("--acceleration", help=f"Limit, rad/s^2 or m/s^2. {EACH}")]
Jerk = Annotated[str | None, typer.Option("--jerk", help=f"Limit, rad/s^3 or m/s^3. {EACH}")]
Output = Annotated[str | None, typer.Option("-o", "--output", metavar="FILE.csv", help="The samples to write.")]
Picture = Annotated[str | None, typer.Option("--plot", metavar="FILE.png", help="Draw it: .png, .svg or .pdf.")]
Rate = Annotated[float, typer.Option("--rate", help="Samples a second in the CSV file.")]


def add_trajectory(app: typer.Typer) -> None:
    """The command of this file."""
    app.command(context_settings=EXTRA, epilog=OF_A_FILE)(trajectory)


def trajectory(
    context: typer.Context,
    robot: RobotArgument,
    move: MoveOption,
    profile: ProfileOption = "quintic",
    method: MethodOption = "spline",
    degree: DegreeOption = 3,
    synchronise: SynchroniseOption = None,
    duration: Duration = None,
    velocity: Velocity = None,
    acceleration: Acceleration = None,
    jerk: Jerk = None,
    output: Output = None,
    plot: Picture = None,
    rate: Rate = 500.0,
    as_json: Json = False,
) -> None:
    """Plan a motion of a robot within its limits: its duration and largest values; write it as CSV, as a picture."""
    from .. import library
    from ..files import write_text
    from ..plots import picture_format

    if output is not None and Path(output).suffix.lower() != ".csv":
        raise typer.BadParameter(f"-o: got '{output}', expected a .csv file")
    if plot is not None:
        picture_format(plot)
    loading, _ = split(context.args, lambda robot: None)
    loaded = library.load(robot, **loading)
    limits = {
        "velocity": each("--velocity", velocity),
        "acceleration": each("--acceleration", acceleration),
        "jerk": each("--jerk", jerk),
    }
    asked = _read(move)
    if "through" in asked:
        found = _through(loaded, asked, limits, method, degree, duration)
    else:
        found = _point_to_point(loaded, asked, limits, profile, synchronise, duration)
    samples = None if output is None else found.as_csv(rate)  # all that can fail comes before the first file
    if plot is not None:
        found.plot(plot)
    if output is not None and samples is not None:
        write_text(output, samples)
    written = [path for path in (output, plot) if path is not None]
    if as_json:
        print(json.dumps(_as_dict(loaded, found, written), indent=1))
    else:
        _show(loaded, found, written)


# --- what is asked for ---------------------------------------------------------------------------------------------------


def _read(path: str) -> dict[str, Any]:
    found = read_json(path)
    expected = 'expected {"from": [...], "to": [...]} or {"through": [[...], ...]}'
    if not isinstance(found, dict):
        raise RobosymError(f"{path}: {expected}, got {type(found).__name__}")
    known = THROUGH if "through" in found else POINT_TO_POINT
    unknown = [key for key in found if key not in known]
    if unknown:
        raise RobosymError(f"{path}: unknown field {', '.join(map(repr, unknown))} (fields: {', '.join(known)})")
    missing = [key for key in known[: 1 if "through" in found else 2] if key not in found]
    if missing:
        raise RobosymError(f"{path}: no {' and no '.join(map(repr, missing))}: {expected}")
    return found


def _through(
    robot: Robot, asked: dict[str, Any], limits: Mapping[str, Any], method: str, degree: int, duration: float | None
) -> Trajectory:
    from ..trajectory import through

    if duration is not None:
        raise typer.BadParameter('--duration: a motion through points takes "times" in its file')
    points = asked["through"]
    if not isinstance(points, list):
        raise RobosymError("through: expected a list of positions")
    return through(points, asked.get("times"), method=method, degree=degree, robot=robot, **limits)


def _point_to_point(
    robot: Robot,
    asked: dict[str, Any],
    limits: Mapping[str, Any],
    profile: str,
    synchronise: str | None,
    duration: float | None,
) -> Trajectory:
    from ..trajectory import point_to_point

    ends = {key: asked.get(key) for key in ("v0", "vf", "a0", "af")}
    lasting = asked.get("duration") if duration is None else duration
    return point_to_point(
        asked["from"], asked["to"], profile, duration=lasting, robot=robot, synchronise=synchronise, **ends, **limits
    )


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
