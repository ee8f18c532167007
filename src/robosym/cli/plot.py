"""``robosym plot``: the workspace of a robot, or its ellipsoids at a state, as a picture or in numbers."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated, Any, Literal, get_args

import typer

from .arguments import Json, Limits, RobotArgument, joint_pairs, print_json
from .command import load, robot_command
from .ik import modes_of
from .measures import measures_of, state_of
from .pose import is_list, numbers

Picture = Literal["workspace", "ellipsoids"]
OF_ARMS, OF_PLATFORMS = ("frame", "tool", "seed", "method"), ("orientation", "clearance", "box")

What = Annotated[str, typer.Argument(metavar="|".join(get_args(Picture)), help="Picture to draw.")]
Output = Annotated[str | None, typer.Option("-o", "--output", help="Picture to write: .png, .svg or .pdf.")]
At = Annotated[
    str | None,
    typer.Option("--at", metavar="STATE.json", help="State with q and parameter values; - reads standard input."),
]
Colour = Annotated[
    str | None,
    typer.Option(
        "--colour",
        help="Colour of the points: manipulability or density; for a parallel robot distance, condition or orientations.",
    ),
]
OrientationOption = Annotated[str | None, typer.Option("--orientation", metavar="ANGLE|any|QX,QY,QZ,QW")]
Box = Annotated[str | None, typer.Option("--box", metavar="X,Y,Z,X,Y,Z")]


@robot_command(
    "analysis:workspace:frame tool samples seed method mode near structure",
    "analysis:platform_workspace:orientation clearance box",
)
def plot(
    context: typer.Context,
    robot: RobotArgument,
    what: What,
    output: Output = None,
    at: At = None,
    limit: Limits = None,
    colour: Colour = None,
    orientation: OrientationOption = None,
    box: Box = None,
    as_json: Json = False,
) -> None:
    """Draw the workspace of a robot, or its ellipsoids.

    Ellipsoids of velocity and force are those at a state.
    """
    from ..analysis import FrameMotion, ellipsoids_picture, workspace, workspace_picture
    from ..analysis.measures import one_state
    from ..plots import picture_format, save
    from .show import bar

    if what not in get_args(Picture):
        raise typer.BadParameter(f"WHAT: got '{what}', expected {' or '.join(get_args(Picture))}")
    if output is None and not as_json:
        raise typer.BadParameter("say where to write the picture: -o FILE.png (or --json for the numbers)")
    if what == "ellipsoids" and at is None:
        raise typer.BadParameter("ellipsoids are those of a state: --at STATE.json")
    if output is not None:
        picture_format(output)
    limits = joint_pairs(limit or [])
    loaded, chosen = load(context, robot)
    chosen |= {
        key: value
        for key, value in {"orientation": _orientation(orientation), "box": _box(box)}.items()
        if value is not None
    }
    parallel = bool(loaded.platforms) and what == "workspace"
    _check_options(chosen, colour, parallel)
    q, parameters = (None, {}) if at is None else state_of(loaded, at, needs_q=what == "ellipsoids")
    picture: Any
    if what == "ellipsoids":
        about = {key: chosen[key] for key in ("frame", "tool", "mode", "near", "structure") if key in chosen}
        motion = FrameMotion(loaded, parameters=parameters, **about)
        facts, picture = measures_of(motion, q), lambda: ellipsoids_picture(motion, q)
    else:
        if parallel:
            modes_of(chosen)
            chosen.pop("structure", None)
        with bar("legs and singularities") if parallel else nullcontext() as tell:
            chosen |= {"progress": tell} if parallel else {}
            found = workspace(loaded, parameters=parameters, limits=limits, **chosen)
        if q is not None and not parallel:
            one_state(found.robot, q)
        facts, picture = found.as_dict(), lambda: workspace_picture(found, colour, None if parallel else q)
    if output is not None:
        save(picture(), output)
    print_json(facts) if as_json else print(f"wrote {output}")


def _check_options(chosen: dict[str, Any], colour: str | None, parallel: bool) -> None:
    """An error for options of the other kind of robot."""
    from ..analysis import pictures, platform_pictures

    for name in OF_ARMS if parallel else OF_PLATFORMS:
        if name in chosen:
            reason = (
                "not for the workspace of a platform on legs" if parallel else "for the workspace of a platform on legs"
            )
            raise typer.BadParameter(f"--{name} is {reason}")
    colours = tuple(platform_pictures.COLOURS if parallel else pictures.COLOURS)
    if colour not in (None, *colours):
        raise typer.BadParameter(f"--colour: got '{colour}', expected {' or '.join(colours)}")


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
