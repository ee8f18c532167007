"""``robosym fk``: every pose of a parallel robot for its actuator positions, or the one near a pose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import RobosymError
from .arguments import Json, ParallelArgument, Parameters, print_json
from .command import load, robot_command
from .pose import is_list, named_numbers, numbers, read_json, read_pose, whole_pose

if TYPE_CHECKING:
    from ..models.parallel.direct.result import Poses
    from ..models.parallel.direct_geometry import DirectGeometric
    from ..robot import Robot

Motors = Annotated[
    str,
    typer.Option("--q", metavar="Q1,Q2,...|MOTOR=VALUE,...|FILE", help="Actuator positions [rad or m]."),
]
Near = Annotated[
    str | None,
    typer.Option(
        "--near", metavar="X,Y,Z,QX,QY,QZ,QW", help="Start pose [m]: the one pose that iteration reaches from it."
    ),
]
AllModes = Annotated[
    bool,
    typer.Option("--all-modes", help="Poses that leave the translations or the plane of the platform, as well."),
]
Seed = Annotated[int, typer.Option("--seed", help="Seed of the random starts of the search.")]
POSE_HEAD = ("x (m)", "y (m)", "z (m)", "qx", "qy", "qz", "qw")


@robot_command("models:direct_geometric:mode tool")
def fk(
    context: typer.Context,
    robot: ParallelArgument,
    q: Motors,
    near: Near = None,
    all_modes: AllModes = False,
    seed: Seed = 0,
    parameters: Parameters = None,
    as_json: Json = False,
) -> None:
    """Solve the forward kinematics of a parallel robot.

    All poses of the platform for actuator positions. The exit status is 0 if there is a pose, and 1 if there is none.
    """
    from .. import models
    from .platforms import on_legs

    loaded, chosen = load(context, robot)
    if not on_legs(loaded):
        raise RobosymError(
            f"{loaded.name}: fk is the direct geometry of one platform on legs; poses of this robot's frames: "
            f"robosym eval {robot} transform --at STATE.json"
        )
    if "mode" in chosen and near is None:
        raise typer.BadParameter("--mode: all poses are of any working mode; it is for --near")
    if near is not None and all_modes:
        raise typer.BadParameter("--all-modes: with --near one pose is found, not all")
    values = named_numbers("--parameters", parameters or "") or None
    model = models.direct_geometric(loaded, **chosen)
    positions = _motors(loaded, q)
    if near is None:
        _all(model, positions, model(positions, parameters=values, all_modes=all_modes, seed=seed), as_json)
    else:
        start = whole_pose(read_pose(near, "--near"), "--near")
        _one(model, positions, model(positions, start, parameters=values), as_json)


def _all(model: DirectGeometric, q: list[float], poses: Poses, as_json: bool) -> None:
    from ..spatial.floats import pose_rows
    from .tables import table

    rows = [pose_rows(T).tolist() for T in poses]
    if as_json:
        print_json({"robot": model.robot.name, "q": q, "pose": rows, **poses.as_dict()})
    else:
        state = "complete" if poses.complete else "may be incomplete"
        print(f"{model.robot.name}: {poses.message.replace('all_modes', '--all-modes')} ({state})")
        if poses.infinite:
            print("the platform can move with all motors held: poses on such motions are not listed")
        facts = zip(rows, poses.residuals, poses.singular, strict=True)
        body = [
            [str(i), *map(_digits, row), f"{residual:.1e}", "singular" if singular else ""]
            for i, (row, residual, singular) in enumerate(facts, 1)
        ]
        if body:
            table(["", *POSE_HEAD, "residual", ""], body)
    if not len(poses):
        raise typer.Exit(1)


def _one(model: DirectGeometric, q: list[float], T: Any, as_json: bool) -> None:
    from ..spatial.floats import pose_rows
    from .tables import table

    pose, mode = pose_rows(T).tolist(), model.options["mode"]
    if as_json:
        print_json({"robot": model.robot.name, "q": q, "mode": mode, "pose": pose, "T": T.tolist()})
    else:
        print(f"{model.robot.name}: reached from the pose that was given, in working mode {mode}")
        table(POSE_HEAD, [[_digits(x) for x in pose]])


def _digits(x: float) -> str:
    return f"{0.0 if abs(x) < 5e-10 else x:.9f}"


# --- actuator positions ----------------------------------------------------------------------------------------------


def _motors(robot: Robot, text: str) -> list[float]:
    """In the order of the motors; those that are not named are as in the description."""
    from ..reals import finite_array

    names = robot.joint_names
    if is_list(text):
        return numbers("--q", text, (len(names),))
    values: Any = named_numbers("--q", text) if "=" in text else read_json(text)
    values = values["q"] if isinstance(values, dict) and "q" in values else values
    if isinstance(values, list):
        return [float(x) for x in finite_array("--q", values).ravel()]
    if not isinstance(values, dict):
        raise RobosymError(f"{robot.name}: --q: got {values!r:.60}, expected a list of numbers, or numbers by motor")
    unknown = [name for name in values if name not in names]
    if unknown:
        raise RobosymError(f"{robot.name}: --q: there is no motor '{unknown[0]}' (motors: {', '.join(names)})")
    described = {robot.frame(j).joint.name: robot.frame(j).joint.position or 0.0 for j in robot.moving}
    return [_number(f"--q, {name}", values.get(name, described[name])) for name in names]


def _number(where: str, value: Any) -> float:
    from ..reals import finite_array

    number = finite_array(where, value)
    if number.shape:
        raise RobosymError(f"{where}: got {value!r:.60}, expected a number")
    return float(number)
