"""``robosym fk``: every pose of a platform on legs for positions of its motors, or the one near a pose."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import RobosymError
from .options import EXTRA, OF_A_FILE, named_numbers, split
from .pose import is_list, numbers, read_json, read_pose, read_tool

if TYPE_CHECKING:
    from ..models.parallel.direct.result import Poses
    from ..models.parallel.direct_geometry import DirectGeometric
    from ..robot import Robot

OF_MODES = "With --near: --mode NAME is the working mode of the legs, by default that of the description."
EPILOG = "\n\n".join([OF_MODES, OF_A_FILE])
RobotArgument = Annotated[
    str, typer.Argument(metavar="ROBOT", help="A built-in robot or a file, with a platform on legs.")
]
Motors = Annotated[
    str,
    typer.Option(
        "--q", metavar="Q", help="Positions of the motors, rad or m: numbers, motor=value,... or a JSON file."
    ),
]
Near = Annotated[
    str | None,
    typer.Option(
        "--near", metavar="X,Y,Z,QX,QY,QZ,QW", help="Only the pose that is reached from this one, by iteration."
    ),
]
AllModes = Annotated[
    bool,
    typer.Option(
        "--all-modes", help="Also poses in which a platform that only translates, or stays in a plane, does not."
    ),
]
Seed = Annotated[int, typer.Option("--seed", help="Of the random starts, where poses are searched for.")]
Parameters = Annotated[
    str | None, typer.Option("--parameters", metavar="NAME=VALUE,...", help="Numbers in place of the robot's.")
]
ToolOption = Annotated[
    str | None,
    typer.Option("--tool", help="A tool on the platform, whose poses are meant: x,y,z or x,y,z,qx,qy,qz,qw."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def add_fk(app: typer.Typer) -> None:
    """The command of this file."""
    app.command(context_settings=EXTRA, epilog=EPILOG)(fk)


def fk(
    context: typer.Context,
    robot: RobotArgument,
    q: Motors,
    near: Near = None,
    all_modes: AllModes = False,
    seed: Seed = 0,
    parameters: Parameters = None,
    tool: ToolOption = None,
    as_json: Json = False,
) -> None:
    """Solve the direct geometric model of a platform on legs: all its poses for positions of the motors.

    Ends with 0 if there is a pose, with 1 if there is none.
    """
    from .. import library, models
    from .platforms import on_legs

    loading, chosen = split(context.args, _mode_options)
    loaded = library.load(robot, **loading)
    if not on_legs(loaded):
        raise RobosymError(
            f"{loaded.name}: fk is the direct geometry of one platform on legs; poses of this robot's frames: "
            f"robosym eval {robot} transform --at STATE.json"
        )
    if chosen and near is None:
        raise typer.BadParameter("--mode: all poses are of any working mode; it is for --near")
    if near is not None and all_modes:
        raise typer.BadParameter("--all-modes: with --near one pose is found, not all")
    values = None if parameters is None else named_numbers("--parameters", parameters)
    model = models.direct_geometric(loaded, tool=None if tool is None else read_tool(tool), **chosen)
    positions = _motors(loaded, q)
    if near is None:
        _all(model, positions, model(positions, parameters=values, all_modes=all_modes, seed=seed), as_json)
    else:
        _one(model, positions, model(positions, _start(near), parameters=values), as_json)


def _mode_options(robot: Any, *, mode: str | None = None) -> None:
    """What else may stand on the line."""


def _all(model: DirectGeometric, q: list[float], found: Poses, as_json: bool) -> None:
    from ..spatial.floats import pose_rows
    from .tables import table

    rows = [pose_rows(T).tolist() for T in found]
    if as_json:
        print(json.dumps({"robot": model.robot.name, "q": q, "pose": rows, **found.as_dict()}, indent=1))
    else:
        state = "complete" if found.complete else "may be incomplete"
        print(f"{model.robot.name}: {found.message.replace('all_modes', '--all-modes')} ({state})")
        if found.infinite:
            print("the platform can move with all motors held: poses on such motions are not listed")
        if rows:
            told = zip(rows, found.residuals, found.singular, strict=True)
            body = [
                [str(i), *map(_digits, row), f"{left:.1e}", "singular" if meets else ""]
                for i, (row, left, meets) in enumerate(told, 1)
            ]
            table(["", *POSE_HEAD, "residual", ""], body)
    if not len(found):
        raise typer.Exit(1)


POSE_HEAD = ("x (m)", "y (m)", "z (m)", "qx", "qy", "qz", "qw")


def _one(model: DirectGeometric, q: list[float], T: Any, as_json: bool) -> None:
    from ..spatial.floats import pose_rows
    from .tables import table

    pose, mode = pose_rows(T).tolist(), model.options["mode"]
    if as_json:
        print(json.dumps({"robot": model.robot.name, "q": q, "mode": mode, "pose": pose, "T": T.tolist()}, indent=1))
    else:
        print(f"{model.robot.name}: reached from the pose that was given, in working mode {mode}")
        table(POSE_HEAD, [[_digits(x) for x in pose]])


def _digits(x: float) -> str:
    return f"{0.0 if abs(x) < 5e-10 else x:.9f}"


# --- what the user gives ---------------------------------------------------------------------------------------------


def _motors(robot: Robot, text: str) -> list[float]:
    """In the order of the motors; by name those that are not said are as in the description."""
    from ..reals import finite_array

    names = robot.joint_names
    if is_list(text):
        return numbers("--q", text, (len(names),))
    found: Any = named_numbers("--q", text) if "=" in text else read_json(text)
    found = found["q"] if isinstance(found, dict) and "q" in found else found
    if isinstance(found, list):
        return [float(x) for x in finite_array("--q", found).ravel()]
    if not isinstance(found, dict):
        raise RobosymError(f"{robot.name}: --q: got {found!r:.60}, expected a list of numbers, or numbers by motor")
    unknown = [name for name in found if name not in names]
    if unknown:
        raise RobosymError(f"{robot.name}: --q: there is no motor '{unknown[0]}' (motors: {', '.join(names)})")
    own = {robot.frame(j).joint.name: robot.frame(j).joint.position or 0.0 for j in robot.moving}
    return [_number(f"--q, {name}", found.get(name, own[name])) for name in names]


def _number(where: str, given: Any) -> float:
    from ..reals import finite_array

    found = finite_array(where, given)
    if found.shape:
        raise RobosymError(f"{where}: got {given!r:.60}, expected a number")
    return float(found)


def _start(text: str) -> Any:
    from .platform_ik import whole_pose

    return whole_pose(read_pose(text, "--near"), "--near")
