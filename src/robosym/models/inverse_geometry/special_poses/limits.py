"""Whether a position is within limits, angles up to whole turns."""

from __future__ import annotations

import math
from typing import Any

from ....expr import Expr, floor, logical_and, logical_or, maximum, minimum, number
from ....program import Program
from ....program.of_arrays import program_of
from ..chain.chain import Chain
from .scalars import Entries

TURN = 2 * math.pi
SLACK = 1e-6  # beyond a limit by rounding, rad or units of the arm: where two solutions meet they are no better known
UNLIMITED = 1e9  # a limit of an angle that is farther away is none


def whole_turns(x: Expr, low: Expr, high: Expr) -> tuple[Expr, Expr]:
    """That an angle may be moved by to be within its limits: the least and the most, which is less if there are none."""
    least = -floor(-(maximum(low, -UNLIMITED) - SLACK - x) * (1 / TURN))
    return least, floor((minimum(high, UNLIMITED) + SLACK - x) * (1 / TURN))


def between(x: Expr, low: Expr, high: Expr, unit: float) -> Expr:
    """Whether a length is within its limits."""
    return logical_and(low - SLACK * unit <= x, x <= high + SLACK * unit)


def moving_within(chain: Chain) -> Program:
    """One more position q of a self-motion: is one of them within limits?"""

    def body(q: Entries, ok: Expr, limits: Entries, moving: Expr) -> dict[str, Any]:
        within = logical_and(ok, number(1))
        for x, low, high, unit, joint in zip(q, *limits, chain.units, chain.joints, strict=True):
            least, most = whole_turns(x, low, high)
            within = logical_and(within, between(x, low, high, unit) if joint.prismatic else least <= most)
        return {"moving_now": logical_or(moving, within)}

    n = len(chain.joints)
    return program_of("moving_within", {"q": (n,), "ok": (), "limits": (2, n), "moving": ()}, body)
