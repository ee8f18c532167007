"""``robosym excite``: a motion from whose recording the parameters of a robot can be identified."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import EXTRA, OF_A_FILE, OF_LOOPS, each, loop_options, named_numbers, split
from .plot import FrameOption, Json, Limits, RobotArgument, Seed, ToolOption, joint_pairs
from .pose import numbers, read_tool

if TYPE_CHECKING:
    from ..identification.excitation import Excitation

EPILOG = "\n\n".join([OF_LOOPS, OF_A_FILE])
EACH = "A number for all joints, or JOINT=NUMBER,..."

Output = Annotated[str | None, typer.Option("-o", "--output", help="The samples to write: .csv.")]
InC = Annotated[str | None, typer.Option("--c", metavar="FILE.c", help="Write the motion as a function in C.")]
Picture = Annotated[str | None, typer.Option("--plot", metavar="FILE.png", help="Draw it: .png, .svg or .pdf.")]
ShapeOption = Annotated[str, typer.Option("--shape", help="fourier (periodic) or spline (at rest at both ends).")]
Duration = Annotated[float, typer.Option("--duration", "--period", help="Seconds that the motion lasts.")]
Harmonics = Annotated[int, typer.Option("--harmonics", help="Of a Fourier series: how many.")]
Segments = Annotated[int, typer.Option("--segments", help="Of a spline: how many.")]
Rest = Annotated[
    bool, typer.Option("--rest/--no-rest", help="A Fourier series begins and ends with velocity and acceleration zero.")
]
Start = Annotated[str | None, typer.Option("--start", metavar="Q1,Q2,...", help="The positions to begin at.")]
CriterionOption = Annotated[str, typer.Option("--criterion", help="condition, raw, both or determinant.")]
FrictionOption = Annotated[
    str, typer.Option("--friction", help="Of the model: viscous,coulomb,offset,asymmetric,coupled, or none.")
]
Noise = Annotated[str | None, typer.Option("--noise", help=f"Standard deviation of the torques. {EACH}")]
Velocity = Annotated[str | None, typer.Option("--velocity", help=f"Limit, rad/s or m/s. {EACH}")]
Acceleration = Annotated[str | None, typer.Option("--acceleration", help=f"Limit, rad/s^2 or m/s^2. {EACH}")]
Torque = Annotated[str | None, typer.Option("--torque", help=f"Limit, N m or N. {EACH}")]
Reserve = Annotated[float, typer.Option("--reserve", help="The part of each joint limit left free, such as 0.05.")]
Box = Annotated[
    str | None,
    typer.Option(
        "--box", metavar="X0:X1,Y0:Y1,Z0:Z1", help="Where the end point stays, in metres; a bound may be left out."
    ),
]
Height = Annotated[float | None, typer.Option("--height", help="The end point stays above it, in metres.")]
AllFrames = Annotated[bool, typer.Option("--all-frames", help="So do the origins of all frames that move.")]
Parameters = Annotated[
    str | None, typer.Option("--parameters", metavar="NAME=NUMBER,...", help="Numbers the description lacks.")
]
Rate = Annotated[float, typer.Option("--rate", help="Samples a second in the CSV file.")]
Repeats = Annotated[int, typer.Option("--repeats", help="Periods in the CSV file.")]
Evaluations = Annotated[int, typer.Option("--evaluations", help="How many motions are evaluated at most.")]
Seconds = Annotated[
    float | None,
    typer.Option("--seconds", help="End the search after so many; the result then depends on the machine."),
]


def add_excite(app: typer.Typer) -> None:
    """The command of this file."""
    app.command(context_settings=EXTRA, epilog=EPILOG)(excite)


def excite(
    context: typer.Context,
    robot: RobotArgument,
    output: Output = None,
    c: InC = None,
    plot: Picture = None,
    shape: ShapeOption = "fourier",
    duration: Duration = 10.0,
    harmonics: Harmonics = 5,
    segments: Segments = 10,
    rest: Rest = True,
    start: Start = None,
    criterion: CriterionOption = "both",
    friction: FrictionOption = "viscous,coulomb,offset",
    noise: Noise = None,
    limit: Limits = None,
    velocity: Velocity = None,
    acceleration: Acceleration = None,
    torque: Torque = None,
    reserve: Reserve = 0.0,
    box: Box = None,
    height: Height = None,
    frame: FrameOption = None,
    tool: ToolOption = None,
    all_frames: AllFrames = False,
    parameters: Parameters = None,
    rate: Rate = 500.0,
    repeats: Repeats = 1,
    seed: Seed = 0,
    evaluations: Evaluations = 600,
    seconds: Seconds = None,
    as_json: Json = False,
) -> None:
    """Find a motion that excites all parameters of a robot, within its limits; write it as CSV, as C, as a picture."""
    from .. import library
    from ..identification import excitation
    from ..plots import picture_format
    from .show import bar

    if output is None and c is None and plot is None and not as_json:
        raise typer.BadParameter("say where to write the motion: -o FILE.csv (or --c FILE.c, --plot FILE.png, --json)")
    if plot is not None:
        picture_format(plot)
    _sampling(rate, repeats, duration, shape)
    options: dict[str, Any] = {
        "friction": False if friction == "none" else [word.strip() for word in friction.split(",")],
        "start": None if start is None else numbers("--start", start),
        "noise": each("--noise", noise),
        "limits": joint_pairs(limit or []) or None,
        "velocity": each("--velocity", velocity),
        "acceleration": each("--acceleration", acceleration),
        "torque": each("--torque", torque),
        "box": _box(box),
        "tool": None if tool is None else read_tool(tool),
        "parameters": None if parameters is None else named_numbers("--parameters", parameters),
    }
    options |= {"shape": shape, "duration": duration, "harmonics": harmonics, "segments": segments, "rest": rest}
    options |= {
        "criterion": criterion,
        "reserve": reserve,
        "height": height,
        "frame": frame,
        "all_frames": all_frames,
        "seed": seed,
    }
    loading, loops = split(context.args, loop_options)
    loaded = library.load(robot, **loading)
    with bar("searching", evaluations) as tell:
        progress = tell and (lambda used, best: tell(used, f"searching, criterion {best:.3g}"))
        found = excitation.excite(
            loaded, **options, **loops, evaluations=evaluations, seconds=seconds, progress=progress
        )
    if output is not None:
        excitation.write_csv(found.motion, output, rate, repeats)
    if c is not None:
        excitation.write_c(found.motion, c)
    if plot is not None:
        found.motion.plot(plot)
    written = [path for path in (output, c, plot) if path is not None]
    if as_json:
        print(json.dumps({**found.as_dict(), "written": written}, indent=1))
    else:
        _show(found, written)


# --- what the line asks for ----------------------------------------------------------------------------------------------


def _sampling(rate: float, repeats: int, duration: float, shape: str) -> None:
    """What would fail only after the search."""
    if not 0 < rate < math.inf:
        raise typer.BadParameter(f"--rate: got {rate:g}, expected samples a second, above zero")
    if repeats < 1 or (repeats > 1 and shape == "spline"):
        raise typer.BadParameter(f"--repeats: got {repeats}, expected 1 or above, and 1 for a spline")
    if rate * duration * repeats > 1e7:
        raise typer.BadParameter(f"--rate: {rate * duration * repeats:.3g} samples, expected at most 1e7")


def _box(text: str | None) -> Any:
    """-1:1,,0.1: as pairs; what is left out is open."""
    if text is None:
        return None
    pairs: list[tuple[float | None, float | None]] = []
    for word in text.split(","):
        lower, _, upper = word.partition(":")
        try:
            pairs.append((float(lower) if lower.strip() else None, float(upper) if upper.strip() else None))
        except ValueError:
            raise typer.BadParameter(f"--box: got '{word}', expected LOWER:UPPER") from None
    if len(pairs) != 3:
        raise typer.BadParameter(f"--box: got '{text}', expected three pairs X0:X1,Y0:Y1,Z0:Z1")
    return pairs


# --- what is shown -------------------------------------------------------------------------------------------------------


def _show(found: Excitation, written: list[str]) -> None:
    """For people: how good, how near to the limits, what was assumed."""
    from .tables import table

    print(f"{found.robot}: {found.motion!r}".replace("<", "").replace(">", ""))
    print(
        f"condition number {found.condition:.4g} with columns of length one, {found.raw:.4g} with columns as they are"
    )
    rows = [[one.limit, one.what, f"{one.margin:.4g} {one.unit}"] for one in found.margins]
    table(["limit", "nearest", "margin"], rows, "smallest margins")
    for note in found.notes:
        print(f"note: {note}")
    if written:
        print(f"wrote {' and '.join(written)}")
