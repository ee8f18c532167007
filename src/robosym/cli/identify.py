"""``robosym identify``: from a recording and a recipe to the robot's parameters."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .command import FunctionCommand, add, further
from .tables import table

if TYPE_CHECKING:
    from ..identification import Identification

RecipeArgument = Annotated[
    str, typer.Argument(metavar="RECIPE", help="TOML file with the robot, recordings, columns and method.")
]
Folder = Annotated[
    str | None, typer.Option("-o", "--output", metavar="DIR", help="Folder for the report, the results and the robot.")
]
Json = Annotated[bool, typer.Option("--json", help="JSON output instead of text.")]


def add_identify(app: typer.Typer) -> None:
    """The command of this file."""
    add(app, identify, "identification:identify", kind=FunctionCommand)


def identify(context: typer.Context, recipe: RecipeArgument, output: Folder = None, as_json: Json = False) -> None:
    """Identify the parameters of a robot from recordings."""
    from ..identification import identify as identified
    from ..identification.report import finite
    from .show import bar

    with bar("reading") as tell:
        progress = tell and (lambda what, part: tell(part, what))
        found = identified(recipe, progress=progress, **further(context))
    files = found.report(output) if output is not None else {}
    if as_json:
        print(json.dumps(finite(found.as_dict()), indent=2))
        return
    _show(found)
    for path in files.values():
        print(f"wrote {path}")


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
