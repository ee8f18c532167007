"""``robosym excite``: a motion from whose recording the parameters of a robot can be identified."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .arguments import Json, Limits, RobotArgument, joint_pairs
from .command import add, load
from .moves import Picture

if TYPE_CHECKING:
    from ..identification.excitation import Excitation

Output = Annotated[str | None, typer.Option("-o", "--output", metavar="FILE.csv", help="Samples to write.")]
InC = Annotated[str | None, typer.Option("--c", metavar="FILE.c", help="Function in C to write.")]
Period = Annotated[float | None, typer.Option("--period", help="Another name of --duration [s].")]


def add_excite(app: typer.Typer) -> None:
    """The command of this file."""
    package = "identification.excitation"
    add(app, excite, f"{package}:excite", f"{package}:write_csv:rate repeats")


def excite(
    context: typer.Context,
    robot: RobotArgument,
    output: Output = None,
    c: InC = None,
    plot: Picture = None,
    period: Period = None,
    limit: Limits = None,
    as_json: Json = False,
) -> None:
    """Find a motion that excites the parameters of a robot.

    The motion stays within all limits of the robot. It is written as samples, as a function in C, or as a picture.
    """
    from ..identification import excitation
    from ..plots import picture_format
    from .show import bar

    if output is None and c is None and plot is None and not as_json:
        raise typer.BadParameter("say where to write the motion: -o FILE.csv (or --c FILE.c, --plot FILE.png, --json)")
    if plot is not None:
        picture_format(plot)
    loaded, chosen = load(context, robot)
    if period is not None:
        chosen["duration"] = period
    sampling: dict[str, Any] = {name: chosen.pop(name) for name in ("rate", "repeats") if name in chosen}
    _check_sampling(chosen, sampling)
    with bar("searching", chosen.get("evaluations", excitation.SearchOptions.evaluations)) as tell:
        progress = tell and (lambda used, best: tell(used, f"searching, criterion {best:.3g}"))
        found = excitation.excite(loaded, limits=joint_pairs(limit or []) or None, progress=progress, **chosen)
    if output is not None:
        excitation.write_csv(found.motion, output, **sampling)
    if c is not None:
        excitation.write_c(found.motion, c)
    if plot is not None:
        found.motion.plot(plot)
    written = [path for path in (output, c, plot) if path is not None]
    if as_json:
        print(json.dumps({**found.as_dict(), "written": written}, indent=1))
    else:
        _show(found, written)


def _check_sampling(chosen: Mapping[str, Any], sampling: Mapping[str, Any]) -> None:
    """An error for samples that could not be written, before the search."""
    from ..identification.excitation import Waveform
    from ..identification.excitation.files import RATE
    from ..identification.excitation.motions import MOST_SAMPLES

    repeats = sampling.get("repeats", 1)
    samples = chosen.get("duration", Waveform.duration) * sampling.get("rate", RATE) * repeats
    if repeats > 1 and chosen.get("shape") == "spline":
        raise typer.BadParameter(f"--repeats: got {repeats}, expected 1 for a spline")
    if samples > MOST_SAMPLES:
        raise typer.BadParameter(f"--rate: {samples:.3g} samples, expected at most {MOST_SAMPLES}")


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
