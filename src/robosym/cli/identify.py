"""``robosym identify``: from a recording and a recipe to the robot's parameters."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .screen import console
from .tables import table

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..identification import Identification

RecipeArgument = Annotated[
    str, typer.Argument(metavar="RECIPE", help="A .toml file: robot, recordings, columns, method.")
]
Folder = Annotated[str | None, typer.Option("-o", "--output", help="The folder for the report, JSON and the robot.")]
Data = Annotated[
    str | None, typer.Option("--data", metavar="DIR", help="The folder of the recordings, if it is another.")
]
Workers = Annotated[int, typer.Option("--workers", help="How many threads share the work.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def add_identify(app: typer.Typer) -> None:
    """The command of this file."""
    app.command()(identify)


def identify(
    recipe: RecipeArgument, output: Folder = None, data: Data = None, workers: Workers = 2, as_json: Json = False
) -> None:
    """Identify the parameters of a robot from recordings, as a recipe says."""
    from ..identification import identify as identified
    from ..identification.report import finite

    if workers < 1:
        raise typer.BadParameter(f"--workers: got {workers}, expected at least 1")
    found = _with_progress(lambda tell: identified(recipe, data=data, progress=tell, workers=workers))
    files = found.report(output) if output is not None else {}
    if as_json:
        print(json.dumps(finite(found.as_dict()), indent=2))
        return
    _show(found)
    for path in files.values():
        print(f"wrote {path}")


def _with_progress(make: Callable[[Callable[[str, float], None]], Identification]) -> Identification:
    """With a bar on standard error, where a person can see it."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=1.0)
        return make(lambda what, part: bar.update(task, description=what, completed=part))


def _show(found: Identification) -> None:
    rows: list[list[Any]] = []
    checked = found.validation
    for k, (joint, error) in enumerate(found.errors.items()):
        ratio = f"{checked.ratios[k]:.2f}" if checked is not None else ""
        rows.append([joint, f"{error['rms']:.4g}", f"{error['relative']:.1f}", ratio])
    table(["joint", "rms", "% of torque", "test / fit"], rows, f"{found.recipe.robot.name}: errors")
    rows = [
        [
            one.name,
            f"{one.value:.5g}",
            f"{one.sigma:.2g}",
            "" if one.sigma_bootstrap is None else f"{one.sigma_bootstrap:.2g}",
        ]
        for one in found.parameters.values()
    ]
    table(["parameter", "value", "sigma", "by bootstrap"], rows, f"{len(found.parameters)} parameters")
    for line in found.notes.lines():
        print(line)
