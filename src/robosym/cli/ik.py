"""``robosym ik``: the positions of the joints that bring a frame to a pose."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import RobosymError
from .choices import ChoiceCommand, choice
from .options import EXTRA, OF_A_FILE, OF_LOOPS, loop_options, named_numbers, split
from .pose import IN_A_FILE, WHOLE, is_list, is_place, numbers, read_json, read_pose, read_tool

if TYPE_CHECKING:
    from ..models.inverse_geometry import InverseGeometric, Result

EPILOG = "\n\n".join([OF_LOOPS, OF_A_FILE])

RobotArgument = Annotated[
    str, typer.Argument(metavar="ROBOT", help="A built-in robot or a .toml, .par, .urdf or .xml file.")
]
Pose = Annotated[
    str,
    typer.Option(
        "--pose",
        help="x,y,z,qx,qy,qz,qw (m, unit quaternion), x,y,z where the position is all there is, or a JSON file (- reads "
        'standard input): a 4 x 4 matrix, {"T": ...} or {"position": [x, y, z], "rpy": [...]}.',
    ),
]
FrameOption = Annotated[
    str | None, typer.Option("--frame", help="A frame, by name or number; by default the tip of the chain.")
]
Reference = Annotated[str, typer.Option("--reference", help="The frame the pose is given in: 0 (the base) or world.")]
ToolOption = Annotated[
    str | None, typer.Option("--tool", help="A tool in the frame: x,y,z, or a pose as --pose takes it.")
]
Given = Annotated[
    str | None, typer.Option("--given", metavar="JOINT=VALUE,...", help="Joints of a redundant arm, in rad or m.")
]
SeedOption = Annotated[
    str | None, typer.Option("--seed", metavar="Q", help="A position: numbers or a JSON file; nearest solutions first.")
]
LimitsOption = Annotated[bool, typer.Option("--limits", help="Only solutions within the limits of the joints.")]
Copies = Annotated[bool, typer.Option("--copies", help="Also positions whole turns away, within the limits.")]
Method = Annotated[Any, choice("--method", "models.inverse_geometric", "method", "Solution method.")]
Normalise = Annotated[bool, typer.Option("--normalise", help="Repair a rotation that is not orthonormal.")]
EveryMode = Annotated[
    bool, typer.Option("--every-mode", help="Of a platform on legs: all working modes, not 16 of them.")
]
Parameters = Annotated[
    str | None,
    typer.Option(
        "--parameters", metavar="NAME=VALUE,...", help="Numbers for symbols of the tool, or in place of the robot's."
    ),
]
Explain = Annotated[bool, typer.Option("--explain", help="Print the derivation first.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def add_ik(app: typer.Typer) -> None:
    """The command of this file."""
    app.command(cls=ChoiceCommand, context_settings=EXTRA, epilog=EPILOG)(ik)


def ik(
    context: typer.Context,
    robot: RobotArgument,
    pose: Pose,
    frame: FrameOption = None,
    reference: Reference = "0",
    tool: ToolOption = None,
    given: Given = None,
    seed: SeedOption = None,
    limits: LimitsOption = False,
    copies: Copies = False,
    method: Method = "auto",
    normalise: Normalise = False,
    parameters: Parameters = None,
    explain: Explain = False,
    every_mode: EveryMode = False,
    as_json: Json = False,
) -> None:
    """Solve the inverse geometric model: all positions of the joints that bring a frame to a pose.

    Of a platform on legs: all positions of its motors, in every working mode of the legs.
    Ends with 0 if there is a solution, with 1 if the pose is out of reach or outside the limits.
    """
    from .. import library, models
    from ..robot import RobotError
    from .platform_ik import platform_ik
    from .platform_plots import modes_of
    from .platforms import on_legs

    loading, chosen = split(context.args, loop_options)
    loaded = library.load(robot, **loading)
    held_tool = None if tool is None else read_tool(tool)
    numbers_said = named_numbers("--parameters", parameters or "") or None
    if on_legs(loaded):
        of_arms = {"frame": frame, "reference": reference != "0", "given": given, "copies": copies}
        platform_ik(
            loaded,
            read_pose(pose),
            modes_of(chosen) | {"tool": held_tool},
            {name: bool(value) for name, value in {**of_arms, "method": method != "auto"}.items()},
            seed=None if seed is None else _seed(seed),
            parameters=numbers_said,
            limits=limits,
            normalise=normalise,
            explain=explain,
            every=every_mode,
            as_json=as_json,
        )
        return
    if every_mode:
        raise typer.BadParameter("--every-mode is for a platform on legs: all solutions are shown")
    held = named_numbers("--given", given or "")
    target, near = read_pose(pose), None if seed is None else _seed(seed)
    options: dict[str, Any] = {"frame": frame, "reference": reference, "tool": held_tool}
    try:
        solver = models.inverse_geometric(loaded, **options, method=method, given=list(held), **chosen)
    except RobotError as error:
        raise RobosymError(_on_the_line(str(error))) from error
    if solver.task == "pose" and is_place(target):
        raise typer.BadParameter(
            f"--pose: got a position x,y,z, and the whole pose of this frame is solved for: expected {WHOLE}, or {IN_A_FILE}"
        )
    result = solver(target, near, held or None, numbers_said, limits=limits, copies=copies, normalise=normalise)
    if as_json:
        print(json.dumps(_as_dict(solver, result, explain), indent=1))
    else:
        if explain:
            print(solver.explain())
        _show(solver, result)
    if not result:
        raise typer.Exit(1)


def _as_dict(solver: InverseGeometric, result: Result, explain: bool) -> dict[str, Any]:
    mode = {"mode": solver.options["mode"]} if "mode" in solver.options else {}
    found = {"robot": solver.robot.name, "method": solver.method, "task": solver.task, **mode, **result.as_dict()}
    return found | {"derivation": solver.as_dict()} if explain else found


def _show(solver: InverseGeometric, result: Result) -> None:
    from .joint_tables import joint_tables

    mode = solver.options.get("mode")
    print(f"{solver.robot.name}, {solver.method}{f', mode {mode}' if mode else ''}: {result.message}")
    print(about_frame(solver))
    if not result:
        return
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
    """What a message says of Python, as this command takes it."""
    message = re.sub(
        r'given=\["(.+?)"\], then solver\(T, given=\[(.+?)\]\)', r"--given \1=\2", message, flags=re.DOTALL
    )
    return message.replace("given=[...]", "--given JOINT=VALUE").replace(
        "(or use inverse", "(or, in Python, use inverse"
    )


# --- what the user gives ---------------------------------------------------------------------------------------------


def _seed(text: str) -> Any:
    if is_list(text):
        return numbers("--seed", text)
    found = read_json(text)
    return found["q"] if isinstance(found, dict) and "q" in found else found
