"""What the pages of all packages say: what is left out, and how closed loops are assembled."""

from __future__ import annotations

from collections.abc import Sequence

from ..codegen.words import one_line
from ..models.resolve import mode_text
from .parts import Order, Part, Refused


def refusals(found: Sequence[Part | Refused]) -> str:
    """What is left out, as a list of a page."""
    refused = [f"- {one.name}: {one_line(one.reason)}" for one in found if isinstance(one, Refused)]
    return "\n".join(["Left out:", "", *refused]) if refused else ""


def how_assembled(order: Order) -> str:
    """How closed loops are assembled, and what the models of a platform take, as a paragraph of a page."""
    return "".join(f"\n{one_line(said)}.\n" for said in _how_assembled(order))


def _how_assembled(order: Order) -> list[str]:
    if not order.robot.platforms:
        return [] if order.mode is None else [mode_text(order.mode)]
    taken = "the positions of its motors" if order.coordinates == "motors" else "its pose, twist and twist_rate"
    legs = "" if order.mode is None else f"; its legs are in working mode: {order.mode}"
    return [f"A platform on legs: the models take {taken}{legs}"]
