"""``robosym ik``: the joint positions that bring a frame to a pose; of a parallel robot the actuator positions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import RobosymError
from .arguments import Json, Parameters, RobotArgument, print_json
from .command import load, robot_command
from .pose import IN_A_FILE, WHOLE, is_place, named_numbers, read_pose, read_positions, whole_pose

if TYPE_CHECKING:
    from ..models.inverse_geometry import InverseGeometric, Result
    from ..models.parallel.inverse_geometry import LegSolutions, PlatformInverse
    from ..robot import Robot

SHOWN = 16  # solutions of a parallel robot in a table, unless all are requested
Pose = Annotated[
    str,
    typer.Option(
        "--pose",
        metavar="X,Y,Z[,QX,QY,QZ,QW]|FILE",
        help="Pose or position [m, unit quaternion], or a JSON file with a 4 x 4 matrix or position and rpy [rad]. "
        "- reads standard input.",
    ),
]
Given = Annotated[
    str | None,
    typer.Option("--given", metavar="JOINT=VALUE,...", help="Prescribed joints of a redundant robot [rad or m]."),
]
SeedOption = Annotated[
    str | None,
    typer.Option(
        "--seed", metavar="Q1,Q2,...|FILE", help="Joint positions [rad or m]; the nearest solutions come first."
    ),
]
LimitsOption = Annotated[bool, typer.Option("--limits", help="Solutions within the joint limits only.")]
Copies = Annotated[bool, typer.Option("--copies", help="Solutions whole turns away, within the joint limits, as well.")]
Normalise = Annotated[bool, typer.Option("--normalise", help="Repair of a rotation that is not orthonormal.")]
EveryMode = Annotated[
    bool, typer.Option("--every-mode", help=f"Parallel robots: solutions of all working modes, not {SHOWN} of them.")
]
Explain = Annotated[bool, typer.Option("--explain", help="Derivation, before the solutions.")]


@robot_command("models:inverse_geometric:frame reference tool method given mode near structure")
def ik(
    context: typer.Context,
    robot: RobotArgument,
    pose: Pose,
    given: Given = None,
    seed: SeedOption = None,
    limits: LimitsOption = False,
    copies: Copies = False,
    normalise: Normalise = False,
    parameters: Parameters = None,
    explain: Explain = False,
    every_mode: EveryMode = False,
    as_json: Json = False,
) -> None:
    """Solve the inverse kinematics for a pose.

    All joint positions that bring a frame to a pose. For a parallel robot: all actuator positions, in every working mode of the legs.
    The exit status is 0 if there is a solution, and 1 if the pose is out of reach or outside the limits.
    """
    from .. import models
    from .platforms import on_legs

    loaded, chosen = load(context, robot)
    held = named_numbers("--given", given or "")
    target, near = read_pose(pose), None if seed is None else read_positions(seed, "--seed")
    numbers = named_numbers("--parameters", parameters or "") or None
    options: dict[str, Any] = {"limits": limits, "normalise": normalise}
    result: Any
    if on_legs(loaded):
        _only_for_arms(chosen | {"given": given, "copies": copies or None})
        parallel: Any = models.inverse_geometric(loaded, **modes_of(chosen))
        result = parallel(whole_pose(target), near, numbers, **options)
        data = {"robot": loaded.name, "mode": parallel.modes.name(parallel.modes.first), **result.as_dict()}
        _print(parallel, data, parallel.explain(), explain, as_json, lambda: _show_legs(parallel, result, every_mode))
    else:
        if every_mode:
            raise typer.BadParameter("--every-mode is for a platform on legs: all solutions are shown")
        solver = _solver(loaded, chosen, list(held))
        if solver.task == "pose" and is_place(target):
            raise typer.BadParameter(
                f"--pose: got a position x,y,z, and the whole pose of this frame is solved for: expected {WHOLE}, or {IN_A_FILE}"
            )
        result = solver(target, near, held or None, numbers, copies=copies, **options)
        mode = {"mode": solver.options["mode"]} if "mode" in solver.options else {}
        data = {"robot": loaded.name, "method": solver.method, "task": solver.task, **mode, **result.as_dict()}
        _print(solver, data, solver.as_dict(), explain, as_json, lambda: _show(solver, result))
    if not result:
        raise typer.Exit(1)


def _print(solver: Any, data: dict[str, Any], derivation: Any, explain: bool, as_json: bool, show: Any) -> None:
    if as_json:
        print_json(data | {"derivation": derivation} if explain else data)
        return
    if explain:
        print(solver.explain())
    show()


# --- arms and closed loops -------------------------------------------------------------------------------------------


def _solver(robot: Robot, options: dict[str, Any], given: list[str]) -> InverseGeometric:
    from .. import models
    from ..robot import RobotError

    try:
        return models.inverse_geometric(robot, **options, given=given)
    except RobotError as error:
        raise RobosymError(_on_the_line(str(error))) from error


def _show(solver: InverseGeometric, result: Result) -> None:
    from .tables import joint_tables

    mode = solver.options.get("mode")
    print(f"{solver.robot.name}, {solver.method}{f', mode {mode}' if mode else ''}: {result.message}")
    print(about_frame(solver))
    if result:
        turning = [not joint.prismatic for joint in solver.columns.joints]
        joint_tables(result.joint_names, turning, result.solutions)


def about_frame(solver: InverseGeometric) -> str:
    """Which frame is brought to the pose: a file may have several names for nearly the same place."""
    from ..robot import FIXED

    robot, j = solver.robot, solver.frame
    name = robot.base.name if j == 0 else robot.frame(j).name
    beside = [frame.name for frame in robot.frames if frame.sigma == FIXED and robot.carrier(frame.antecedent) == j]
    hint = f"; fixed on it, for --frame: {', '.join(beside[:8])}" if beside else ""
    return f"pose of frame {name}{' with the tool' if solver.options.get('tool') else ''}{hint}"


def _on_the_line(message: str) -> str:
    """A message about Python, as this command takes it."""
    message = re.sub(
        r'given=\["(.+?)"\], then solver\(T, given=\[(.+?)\]\)', r"--given \1=\2", message, flags=re.DOTALL
    )
    return message.replace("given=[...]", "--given JOINT=VALUE").replace(
        "(or use inverse", "(or, in Python, use inverse"
    )


# --- parallel robots -------------------------------------------------------------------------------------------------


def _only_for_arms(options: dict[str, Any]) -> None:
    for name in ("frame", "reference", "given", "copies", "method"):
        if options.get(name) not in (None, 0, "auto"):
            raise typer.BadParameter(
                f"--{name} is not for a platform on legs: its pose is given, and its motors are found"
            )


def modes_of(options: dict[str, Any]) -> dict[str, Any]:
    """Mode, near and tool: a parallel robot has one structure only."""
    if options.get("structure", "closed") != "closed":
        raise typer.BadParameter("--structure: a platform on legs has no tree, expected closed")
    return {name: value for name, value in options.items() if name in ("mode", "near", "tool")}


def _show_legs(solver: PlatformInverse, result: LegSolutions, every: bool) -> None:
    from ..robot import PRISMATIC
    from .tables import joint_tables

    print(f"{solver.robot.name}: {result.message}")
    if not result:
        return
    shown = len(result) if every else min(SHOWN, len(result))
    names = short_names(result.modes[:shown])
    turning = [solver.robot.frame(j).sigma != PRISMATIC for j in solver.modes.module.motors]
    joint_tables(result.joint_names, turning, result.solutions[:shown], ("working mode", names))
    if shown < len(result):
        print(
            f"and {len(result) - shown} more in other working modes of the legs: --every-mode shows them, --json lists them"
        )
    negative = _negative(result, turning)
    if negative:
        print(f"{negative} of the {len(result)} have negative lengths")
    if len(result) > 1 and any(", " in name for name in result.modes):
        print("legs that are not named are in the mode of the first row")


def _negative(result: LegSolutions, turning: list[bool]) -> int:
    """How many solutions have a slide on the other side of zero, where the first has none."""
    sliding = result.solutions[:, [k for k, turns in enumerate(turning) if not turns]]
    below = [bool((row < 0).any()) for row in sliding]
    return 0 if below[0] else sum(below)


def short_names(modes: list[str]) -> list[str]:
    """Of each mode of all legs the legs that are not as in the first one."""
    first = _by_leg(modes[0]) if modes else {}
    found = modes[:1]
    for mode in modes[1:]:
        legs = _by_leg(mode)
        changed = [f"{leg or 'all legs'} {word}" for leg, word in legs.items() if first.get(leg, first.get("")) != word]
        found.append(", ".join(changed) or mode)
    return found


def _by_leg(mode: str) -> dict[str, str]:
    """The words of a mode by leg; under no name, if all legs share it."""
    if "," not in mode:
        return {"": mode}
    return {leg: word for leg, _, word in (part.strip().partition(" ") for part in mode.split(","))}
