"""``robosym plot ROBOT workspace`` and ``robosym singularities`` of platforms on legs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import EXTRA, OF_A_FILE, loop_options, named_numbers, split
from .pose import is_list, is_place, numbers, read_pose

if TYPE_CHECKING:
    from ..analysis import PlatformSingularities
    from ..robot import Robot

MODES = "Legs are in the working mode of the description, or --mode NAME, or --near JOINT=VALUE,... of their joints."
RobotArgument = Annotated[
    str, typer.Argument(metavar="ROBOT", help="A built-in robot or a file, with a platform on legs.")
]
Pose = Annotated[
    str | None,
    typer.Option(
        "--pose",
        metavar="X,Y,Z,QX,QY,QZ,QW",
        help="Of the platform in frame 0, or a JSON file; by default the description's.",
    ),
]
Parameters = Annotated[
    str | None, typer.Option("--parameters", metavar="NAME=VALUE,...", help="Numbers in place of the robot's.")
]
Length = Annotated[
    float | None, typer.Option("--length", help="What lengths are divided by, in m; by default the size of the robot.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of sentences.")]


def add_singularities(app: typer.Typer) -> None:
    """The command of this file."""
    app.command(context_settings=EXTRA, epilog="\n\n".join([MODES, OF_A_FILE]))(singularities)


def singularities(
    context: typer.Context,
    robot: RobotArgument,
    pose: Pose = None,
    parameters: Parameters = None,
    length: Length = None,
    as_json: Json = False,
) -> None:
    """Say how far a platform on legs is from singularities at a pose, and what moves there that should not."""
    from .. import library
    from ..analysis import PlatformMotion, platform_singularities

    loading, modes = split(context.args, loop_options)
    values = None if parameters is None else named_numbers("--parameters", parameters)
    motion = PlatformMotion(library.load(robot, **loading), parameters=values, length=length, **modes_of(modes))
    found = platform_singularities(motion, motion.home.T if pose is None else _matrix(pose))
    if as_json:
        print(json.dumps(found.as_dict(), indent=1))
    else:
        _show(found)


def modes_of(options: dict[str, Any]) -> dict[str, Any]:
    """Without the structure, which a platform on legs has only one of."""
    if options.get("structure", "closed") != "closed":
        raise typer.BadParameter("--structure: a platform on legs has no tree, expected closed")
    return {key: value for key, value in options.items() if key != "structure"}


def _matrix(text: str) -> Any:
    """A pose; a place alone is one without rotation."""
    found = read_pose(text)
    if is_place(found):
        return [*found, 0.0, 0.0, 0.0, 1.0]
    return found


def _show(found: PlatformSingularities) -> None:
    from .tables import table

    print(f"{found.robot}: {found.message}")
    if not found.reached:
        return
    rows = [[name, _short(found.motors[name]), _short(found.legs[name])] for name in found.legs]
    table(
        ["leg", "motors (type 1)", "all its joints"],
        rows,
        f"distances from singularity, lengths over {found.length:.4g} m",
    )
    rows = [["type 2", _short(found.platform)], ["constraints", _short(found.constraints)]]
    table(["platform", "distance"], [*rows, ["condition number", _short(found.condition)]])


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"


# --- the workspace ----------------------------------------------------------------------------------------------------


def plot_platform(
    robot: Robot,
    given: dict[str, Any],
    of_platform: dict[str, Any],
    of_arms: dict[str, Any],
    colour: str | None,
    output: str | None,
    as_json: bool,
) -> None:
    """``given`` goes to ``workspace`` as it is, ``of_platform`` is read here, ``of_arms`` must not have been said."""
    from ..analysis import platform_workspace, platform_workspace_picture
    from ..analysis.platform_pictures import COLOURS
    from ..plots import save
    from .show import bar

    for name, value in of_arms.items():
        if value is not None:
            raise typer.BadParameter(f"--{name} is not for the workspace of a platform on legs")
    if colour not in (None, *COLOURS):
        raise typer.BadParameter(f"--colour: got '{colour}', expected {' or '.join(COLOURS)}")
    chosen: Any = colour or next(iter(COLOURS))
    options = modes_of(given)
    if of_platform["clearance"] is not None:
        options["clearance"] = of_platform["clearance"]
    with bar("legs and singularities") as tell:
        found = platform_workspace(
            robot,
            **options,
            orientation=_orientation(of_platform["orientation"]),
            box=_box(of_platform["box"]),
            progress=tell,
        )
    if output is not None:
        save(platform_workspace_picture(found, chosen), output)
    say(found.as_dict() if as_json else None, output)


def _orientation(text: str | None) -> Any:
    if text is None or text == "any":
        return text
    if not is_list(text):
        raise typer.BadParameter(f"--orientation: got '{text}', expected an angle, any, or QX,QY,QZ,QW")
    found = numbers("--orientation", text, (1, 4))
    return found if len(found) == 4 else found[0]


def _box(text: str | None) -> Any:
    if text is None:
        return None
    found = numbers("--box", text, (6,))
    return found[:3], found[3:]


def say(facts: dict[str, Any] | None, output: str | None) -> None:
    """The numbers, or where the picture is."""
    print(json.dumps(facts, indent=1) if facts is not None else f"wrote {output}")
