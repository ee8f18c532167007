"""``robosym plot`` and ``robosym manipulability``: what a robot reaches, and how well it moves there."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .choices import ChoiceCommand, choice
from .options import EXTRA, OF_A_FILE, OF_LOOPS, loop_options, split
from .platform_plots import plot_platform, say

if TYPE_CHECKING:
    from ..analysis import FrameMotion, Workspace
    from ..analysis.matrices import Part
    from ..robot import Robot

EPILOG = "\n\n".join([OF_LOOPS, OF_A_FILE])
PICTURES = ("workspace", "ellipsoids")

RobotArgument = Annotated[
    str, typer.Argument(metavar="ROBOT", help="A built-in robot or a .toml, .par, .urdf or .xml file.")
]
What = Annotated[str, typer.Argument(metavar="WHAT", help="workspace or ellipsoids.")]
Output = Annotated[str | None, typer.Option("-o", "--output", help="The picture to write: .png, .svg or .pdf.")]
FrameOption = Annotated[
    str | None, typer.Option("--frame", help="A frame, by name or number; by default the tip of the chain.")
]
ToolOption = Annotated[
    str | None, typer.Option("--tool", help="A tool in the frame: x,y,z, x,y,z,qx,qy,qz,qw or a JSON file.")
]
At = Annotated[
    str | None, typer.Option("--at", metavar="STATE.json", help="q, and parameters without a value; - reads stdin.")
]
AtNeeded = Annotated[str, typer.Option("--at", metavar="STATE.json", help="The state as JSON; - reads standard input.")]
Samples = Annotated[int, typer.Option("--samples", help="How many states the workspace is sampled at.")]
Seed = Annotated[int, typer.Option("--seed", help="The same seed draws the same states.")]
Method = Annotated[Any, choice("--method", "analysis.workspace", "method", "Sampling of the joint ranges.")]
Colour = Annotated[
    str | None,
    typer.Option(
        "--colour",
        help="manipulability (the default) or density; of a platform on legs distance (the default), condition or orientations.",
    ),
]
OrientationOption = Annotated[
    str | None,
    typer.Option(
        "--orientation",
        metavar="ANGLE|any|QX,QY,QZ,QW",
        help="Of a platform on legs, by default that of the description; an angle (rad) or any, if it turns about one axis.",
    ),
]
Clearance = Annotated[
    float | None, typer.Option("--clearance", help="Of a platform on legs: the least distance from singularity.")
]
Box = Annotated[
    str | None,
    typer.Option("--box", metavar="X,Y,Z,X,Y,Z", help="Of a platform on legs: where it is sought, two corners."),
]
Limits = Annotated[
    list[str] | None,
    typer.Option("--limit", metavar="JOINT=LOWER:UPPER", help="Limits of a joint, in rad or m; may be repeated."),
]
Json = Annotated[bool, typer.Option("--json", help="Print the numbers as JSON.")]


def add_plots(app: typer.Typer) -> None:
    """The commands of this file."""
    app.command(cls=ChoiceCommand, context_settings=EXTRA, epilog=EPILOG)(plot)
    app.command(context_settings=EXTRA, epilog=EPILOG)(manipulability)


def plot(
    context: typer.Context,
    robot: RobotArgument,
    what: What,
    output: Output = None,
    frame: FrameOption = None,
    tool: ToolOption = None,
    at: At = None,
    samples: Samples = 20000,
    seed: Seed = 0,
    method: Method = "random",
    limit: Limits = None,
    colour: Colour = None,
    orientation: OrientationOption = None,
    clearance: Clearance = None,
    box: Box = None,
    as_json: Json = False,
) -> None:
    """Draw the workspace of a robot, or its velocity and force ellipsoids at a state."""
    from ..analysis import FrameMotion, Workspace, workspace
    from ..analysis.pictures import COLOURS
    from ..plots import picture_format

    if what not in PICTURES:
        raise typer.BadParameter(f"WHAT: got '{what}', expected {' or '.join(PICTURES)}")
    if output is None and not as_json:
        raise typer.BadParameter("say where to write the picture: -o FILE.png (or --json for the numbers)")
    if what == "ellipsoids" and at is None:
        raise typer.BadParameter("ellipsoids are those of a state: --at STATE.json")
    if output is not None:
        picture_format(output)
    limits = joint_pairs(limit or [])
    loaded, loops = _load(context, robot)
    of_platform = {"orientation": orientation, "clearance": clearance, "box": box}
    if loaded.platforms and what == "workspace":
        parameters = {} if at is None else _state(loaded, at, needs_q=False)[1]
        given = {"samples": samples, "limits": limits, "parameters": parameters, **loops}
        of_arms = {
            "frame": frame,
            "tool": tool,
            "seed": seed or None,
            "method": method if method != "random" else None,
        }
        plot_platform(loaded, given, of_platform, of_arms, colour, output, as_json)
        return
    for name, option in of_platform.items():
        if option is not None:
            raise typer.BadParameter(f"--{name} is for the workspace of a platform on legs")
    if colour not in (None, *COLOURS):
        raise typer.BadParameter(f"--colour: got '{colour}', expected {' or '.join(COLOURS)}")
    q, parameters = (None, {}) if at is None else _state(loaded, at, needs_q=what == "ellipsoids")
    about: dict[str, Any] = {"frame": frame, "tool": _tool(tool), "parameters": parameters, **loops}
    if what == "ellipsoids":
        _plot_ellipsoids(FrameMotion(loaded, **about), q, output, as_json)
    else:
        drawn: dict[str, Any] = {"samples": samples, "seed": seed, "method": method, "limits": limits}
        found = workspace(loaded, **about, **drawn)
        assert isinstance(found, Workspace)
        _plot_workspace(found, q, colour or COLOURS[0], output, as_json)


def manipulability(
    context: typer.Context,
    robot: RobotArgument,
    at: AtNeeded,
    frame: FrameOption = None,
    tool: ToolOption = None,
    as_json: Json = False,
) -> None:
    """Print how well a frame moves at a state: manipulability, condition, singular values, ellipsoids."""
    from ..analysis import FrameMotion

    loaded, loops = _load(context, robot)
    q, parameters = _state(loaded, at, needs_q=True)
    motion = FrameMotion(loaded, frame=frame, tool=_tool(tool), parameters=parameters, **loops)
    if as_json:
        print(json.dumps(_as_dict(motion, q), indent=1))
    else:
        _show(motion, q)


# --- the two pictures ------------------------------------------------------------------------------------------------


def _plot_workspace(found: Workspace, q: Any, colour: Any, output: str | None, as_json: bool) -> None:
    from ..analysis import workspace_picture
    from ..analysis.measures import one_state
    from ..plots import save

    if q is not None:
        one_state(found.robot, q)
    if output is not None:
        save(workspace_picture(found, colour, q), output)
    say(found.as_dict() if as_json else None, output)


def _plot_ellipsoids(motion: FrameMotion, q: Any, output: str | None, as_json: bool) -> None:
    from ..analysis import ellipsoids_picture
    from ..plots import save

    if output is not None:
        save(ellipsoids_picture(motion, q), output)
    say(_as_dict(motion, q) if as_json else None, output)


# --- what the line asks for ------------------------------------------------------------------------------------------


def _load(context: typer.Context, robot: str) -> tuple[Robot, dict[str, Any]]:
    """The robot, and how its closed loops are to be assembled."""
    from .. import library

    loading, loops = split(context.args, loop_options)
    return library.load(robot, **loading), loops


def _tool(text: str | None) -> Any:
    from .pose import read_tool

    return None if text is None else read_tool(text)


def _state(robot: Robot, at: str, needs_q: bool) -> tuple[Any, dict[str, float]]:
    """q and the parameters of a state file."""
    from .state import read_state, relevant

    names = {symbol.name for symbol in robot.parameter_symbols}
    optional = set() if needs_q else {"q"}
    taken = relevant(read_state(at), ["q"], optional, names, names, at)
    return taken.get("q"), taken["parameters"]


def joint_pairs(words: list[str]) -> dict[str, tuple[float, float]]:
    """{"quill": (0, 0.3)} of quill=0:0.3; a URDF's joint name may hold anything but the last '='."""
    found = {}
    for word in words:
        name, _, pair = word.rpartition("=")
        if name in found:
            raise typer.BadParameter(f"--limit: '{name}' is given twice")
        try:
            lower, upper = (float(bound) for bound in pair.split(":"))
        except ValueError:
            raise typer.BadParameter(f"--limit: got '{word}', expected JOINT=LOWER:UPPER") from None
        found[name] = (lower, upper)
    return found


# --- the numbers of a state ------------------------------------------------------------------------------------------

PARTS: tuple[Part, ...] = ("linear", "angular", "all")


def _as_dict(motion: FrameMotion, q: Any) -> dict[str, Any]:
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


def _finite(value: Any) -> float | None:
    return float(value) if math.isfinite(value) else None


def _show(motion: FrameMotion, q: Any) -> None:
    """Two tables for people: the measures by part, and the axes of the ellipsoids."""
    from .tables import table

    facts = _as_dict(motion, q)
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
        names = list(motion.robot.joint_names)
        table(names, [[f"{x + 0.0:.5f}" for x in motion_] for motion_ in idle], "joint motions that leave it at rest")


def _short(value: float | None) -> str:
    return "inf" if value is None else f"{value:.6g}"
