"""``robosym verify``: the models of a robot against an implementation that shares nothing with them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from .completion import complete_robots
from .options import EXTRA, OF_A_FILE, split

if TYPE_CHECKING:
    from ..verification import Row

RobotArgument = Annotated[
    str,
    typer.Argument(
        metavar="ROBOT", help="A built-in robot or a .toml, .par, .urdf or .xml file.", autocompletion=complete_robots
    ),
]
States = Annotated[int, typer.Option("--states", min=1, max=1000, help="How many random states.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Where the random states begin.")]
Floats = Annotated[bool, typer.Option("--floats", help="Compare with plain floats, also if Pinocchio is installed.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def add_verify(app: typer.Typer) -> None:
    """The command of this file."""
    app.command(context_settings=EXTRA, epilog=OF_A_FILE)(verify)


def verify(
    context: typer.Context,
    robot: RobotArgument,
    states: States = 3,
    seed: Seed = 0,
    floats: Floats = False,
    as_json: Json = False,
) -> None:
    """Compare every model of a robot with Pinocchio, or with plain floats where that is not installed, at random states.

    Ends with 0 if all that could be compared are the same, with 1 if one differs or nothing could be compared.
    """
    from .. import library, verification
    from .show import with_progress

    loading, _ = split(context.args, lambda robot: None)
    loaded = library.load(robot, **loading)
    work = verification.work(loaded, states=states, seed=seed, pinocchio=False if floats else None)
    rows = with_progress(work, verification.steps(loaded), "verifying")
    different = [row.model for row in rows if row.differs]
    compared = [row for row in rows if row.difference is not None or row.differs]
    same = bool(compared) and not different
    if as_json:
        summary = {"robot": loaded.name, "states": states, "seed": seed, "compared": len(compared), "same": same}
        print(json.dumps(summary | {"models": [row.as_dict() for row in rows]}, indent=1))
    else:
        _show(loaded.name, rows, compared, different)
    if not same:
        raise typer.Exit(1)


def _show(name: str, rows: list[Row], compared: list[Row], different: list[str]) -> None:
    from .screen import say
    from .tables import table

    left = [row for row in rows if row not in compared]
    body = [
        [row.model, row.compared_with, "-" if row.difference is None else f"{row.difference:.1e}", row.verdict]
        for row in compared
    ]
    if body:
        table(["model", "compared with", "largest relative difference", "verdict"], body, f"models of {name}")
    reasons: dict[str, list[str]] = {}
    for row in left:
        reasons.setdefault(row.why, []).append(row.model)
    for why, models in reasons.items():
        say(f"not verified: {', '.join(models)}: {why}")
    if not compared:
        say("nothing was compared: no model of this robot is verified")
        return
    same = len(compared) - len(different)
    say(
        f"{same} of {len(compared)} comparisons are the same"
        + (f"; DIFFERENT: {', '.join(different)}" if different else "")
    )
