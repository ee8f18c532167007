"""``robosym verify``: the models of a robot against an implementation that shares nothing with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ..options.signatures import options_of
from .arguments import Json, RobotArgument, print_json
from .command import load, robot_command

if TYPE_CHECKING:
    from ..verification import Row

Floats = Annotated[bool, typer.Option("--floats", help="Comparison with plain floats, even if Pinocchio is installed.")]


@robot_command("verification:verify:states seed")
def verify(context: typer.Context, robot: RobotArgument, floats: Floats = False, as_json: Json = False) -> None:
    """Verify the models of a robot at random states.

    Every model is compared with Pinocchio, or with plain floats if Pinocchio is not installed. The exit status is 0 if all
    comparisons agree, and 1 if one differs or nothing can be compared.
    """
    from .. import verification
    from .show import with_progress

    loaded, chosen = load(context, robot)
    chosen = {
        name: one.default for name, one in options_of(verification.verify).items() if name != "pinocchio"
    } | chosen
    work = verification.work(loaded, pinocchio=False if floats else None, **chosen)
    rows = with_progress(work, verification.steps(loaded), "verifying")
    different = [row.model for row in rows if row.differs]
    compared = [row for row in rows if row.difference is not None or row.differs]
    same = bool(compared) and not different
    if as_json:
        summary = {"robot": loaded.name, **chosen, "compared": len(compared), "same": same}
        print_json(summary | {"models": [row.as_dict() for row in rows]})
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
