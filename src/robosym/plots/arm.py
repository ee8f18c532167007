"""An arm as lines and dots, in any view of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..brief import one_line
from .canvas import INK

Points = NDArray[np.float64]
View = Callable[[Points], Points]  # points (k, 3) of the world as (k, 2) or (k, 3) of a panel

BODY, ACCENT = "#3c4658", "#d1495b"
PIECES = 12  # a straight limb is curved in the r-z view: drawn in so many pieces


@dataclass(frozen=True, repr=False)
class Arm:
    """Robot as lines and dots in the world, to be drawn.

    Attributes
    ----------
    limbs
        Polylines of the robot that lead to its tip, each (k, 3) [m].
    revolute
        Positions of the revolute joints (k, 3) [m].
    prismatic
        Positions of the prismatic joints (k, 3) [m].
    tip
        Position of the frame that the figure is about [m].
    base
        Position of the base [m].
    others
        Polylines that do not lead to the tip, each (k, 3) [m].
    """

    __repr__ = one_line

    limbs: Sequence[Points]
    revolute: Points
    prismatic: Points
    tip: Points
    base: Points
    others: Sequence[Points] = ()  # limbs that do not lead to the tip


def draw_arm(axes: Any, arm: Arm, view: View, size: float = 1.0) -> None:
    """``axes`` may be of two or of three dimensions, as ``view`` is."""
    rounded = {"solid_capstyle": "round", "solid_joinstyle": "round"}
    for limb in arm.others:
        axes.plot(*view(_fine(limb)).T, color="#b9c0cc", lw=2 * size, zorder=4, **rounded)
    for width, colour in ((5.0, "white"), (3.2, BODY)):  # a white seam keeps the arm apart from the colours behind
        for limb in arm.limbs:
            axes.plot(*view(_fine(limb)).T, color=colour, lw=width * size, zorder=5, **rounded)
    dots = {"mec": BODY, "mfc": "white", "mew": 1.3 * size, "ls": "", "zorder": 6}
    for marker, places in (("o", arm.revolute), ("s", arm.prismatic)):
        if len(places):
            axes.plot(*view(places).T, marker=marker, ms=5.2 * size, **dots)
    axes.plot(*view(arm.base[None]).T, marker="s", ms=7 * size, color=INK, ls="", zorder=5.5)
    axes.plot(*view(arm.tip[None]).T, marker="o", ms=5.2 * size, color=ACCENT, mec="white", mew=1, ls="", zorder=7)


def _fine(limb: Points) -> Points:
    steps = np.linspace(0, len(limb) - 1, PIECES * (len(limb) - 1) + 1)
    return np.stack([np.interp(steps, np.arange(len(limb)), limb[:, i]) for i in range(3)], axis=1)
