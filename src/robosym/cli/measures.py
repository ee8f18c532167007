"""``robosym manipulability`` and ``robosym singularities``: how well a robot moves at a state or a pose."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .arguments import Json, ParallelArgument, RobotArgument, State, print_json
from .command import load, robot_command
from .pose import is_place, read_pose
from .tables import table

if TYPE_CHECKING:
    from ..analysis import FrameMotion, PlatformSingularities
    from ..analysis.matrices import Part
    from ..robot import Robot

Pose = Annotated[
    str | None,
    typer.Option(
        "--pose",
        metavar="X,Y,Z[,QX,QY,QZ,QW]|FILE",
        help="Pose of the platform in frame 0 [m, unit quaternion]; by default that of the description.",
    ),
]


@robot_command("analysis:manipulability_of:frame tool mode near structure")
def manipulability(context: typer.Context, robot: RobotArgument, at: State, as_json: Json = False) -> None:
    """Measure how well a frame moves at a state.

    Manipulability, condition number, singular values, and the ellipsoids of velocity and force.
    """
    from ..analysis import FrameMotion

    loaded, chosen = load(context, robot)
    q, parameters = state_of(loaded, at, needs_q=True)
    motion = FrameMotion(loaded, parameters=parameters, **chosen)
    if as_json:
        print_json(measures_of(motion, q))
    else:
        _show(motion, q)


@robot_command("analysis:platform_singularities:parameters mode near length")
def singularities(context: typer.Context, robot: ParallelArgument, pose: Pose = None, as_json: Json = False) -> None:
    """Measure the distance from singularities at a pose.

    For a parallel robot: the kind of the nearest singularity, and the motion that is lost or gained there.
    """
    from ..analysis import PlatformMotion, platform_singularities

    loaded, chosen = load(context, robot)
    motion = PlatformMotion(loaded, **chosen)
    found = platform_singularities(motion, motion.home.T if pose is None else _matrix(pose))
    if as_json:
        print_json(found.as_dict())
    else:
        _show_singularities(found)


def state_of(robot: Robot, at: str, needs_q: bool) -> tuple[Any, dict[str, float]]:
    """q and the parameters of a state file."""
    from .state import read_state, relevant

    names = {symbol.name for symbol in robot.parameter_symbols}
    optional = set() if needs_q else {"q"}
    state = relevant(read_state(at), ["q"], optional, names, names, at)
    return state.get("q"), state["parameters"]


def _matrix(text: str) -> Any:
    """A pose; a place alone is one without rotation."""
    pose = read_pose(text)
    return [*pose, 0.0, 0.0, 0.0, 1.0] if is_place(pose) else pose


# --- numbers and tables ----------------------------------------------------------------------------------------------

PARTS: tuple[Part, ...] = ("linear", "angular", "all")


def measures_of(motion: FrameMotion, q: Any) -> dict[str, Any]:
    """Every number of a state; null stands for infinity, which JSON does not have."""
    from ..analysis.measures import one_state

    state = one_state(motion.robot, q)
    parts = {}
    for part in PARTS:
        found = motion.measures(state, part)
        velocity, force = motion.ellipsoids(state, part)
        parts[part] = {
            "manipulability": float(found.manipulability),
            "condition": _finite(found.condition),
            "rank": int(found.rank),
            "singular_values": found.singular_values.tolist(),
            "ellipsoid_axes": velocity.axes.T.tolist(),
            "velocity_radii": velocity.radii.tolist(),
            "force_radii": [_finite(radius) for radius in force.radii],
            "idle_joint_motions": velocity.idle.T.tolist(),
        }
    names = {"robot": motion.robot.name, "frame": motion.name, "joints": list(motion.robot.joint_names)}
    return {**names, "parts": parts}


def _speed_names(motion: FrameMotion) -> tuple[str, ...]:
    from ..robot.joint_entries import speed_names

    return speed_names(motion.robot)


def _finite(value: Any) -> float | None:
    return float(value) if math.isfinite(value) else None


def _show(motion: FrameMotion, q: Any) -> None:
    """Two tables for people: the measures by part, and the axes of the ellipsoids."""
    facts = measures_of(motion, q)
    held = ", the base held" if motion.robot.base.floating else ""
    rows = []
    for part, found in facts["parts"].items():
        values = ", ".join(_short(s) for s in found["singular_values"])
        rows.append([part, _short(found["manipulability"]), _short(found["condition"]), str(found["rank"]), values])
    title = f"{facts['robot']}, frame {facts['frame']}, in the axes of the world{held}"
    table(["part", "manipulability", "condition", "rank", "singular values"], rows, title)
    rows = []
    for part in ("linear", "angular"):
        found = facts["parts"][part]
        for axis, velocity, force in zip(
            found["ellipsoid_axes"], found["velocity_radii"], found["force_radii"], strict=True
        ):
            rows.append([part, "  ".join(f"{x + 0.0:9.5f}" for x in axis), _short(velocity), _short(force)])
    head = ["part", "axis", "velocity at joint rates of norm 1", "force at joint torques of norm 1"]
    table(head, rows, "ellipsoids")
    idle = facts["parts"]["all"]["idle_joint_motions"]
    if idle:
        names = list(_speed_names(motion))
        table(names, [[f"{x + 0.0:.5f}" for x in motion_] for motion_ in idle], "joint motions that leave it at rest")


def _short(value: float | None) -> str:
    return "inf" if value is None else f"{value:.6g}"


def _show_singularities(found: PlatformSingularities) -> None:
    print(f"{found.robot}: {found.message}")
    if not found.reached:
        return
    rows = [[name, _digits(found.motors[name]), _digits(found.legs[name])] for name in found.legs]
    table(
        ["leg", "motors (type 1)", "all its joints"],
        rows,
        f"distances from singularity, lengths over {found.length:.4g} m",
    )
    rows = [["type 2", _digits(found.platform)], ["constraints", _digits(found.constraints)]]
    table(["platform", "distance"], [*rows, ["condition number", _digits(found.condition)]])


def _digits(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"
