"""What the panels of every figure have in common: views, labels, proportions."""

from __future__ import annotations

from typing import Any

import numpy as np

from .arm import Points, View
from .canvas import FAINT

NAMES = "xyz"
FLAT = 1e-6  # a direction with less than this part of the largest extent is not worth a panel
ELEVATION, AZIMUTH = 20.0, -58.0


def onto(across: int, up: int) -> View:
    """The view along the third axis."""
    return lambda points: points[:, [across, up]]


def flat_direction(points: Points) -> int | None:
    """The axis of the world along which nothing extends, if there is one."""
    spread = np.ptp(points, axis=0)
    return int(np.argmin(spread)) if spread.min() <= FLAT * max(spread.max(), 1e-12) else None


def label(axes: Any, title: str, across: str, up: str) -> None:
    """Equal axes, units, a quiet frame."""
    axes.set_title(title, loc="left")
    axes.set_xlabel(f"{across} (m)")
    axes.set_ylabel(f"{up} (m)")
    axes.set_aspect("equal", adjustable="box")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def label_space(space: Any, title: str, points: Points) -> None:
    """The same for three dimensions; ``points`` are what must be seen."""
    from matplotlib.ticker import MaxNLocator

    lower, upper = points.min(axis=0), points.max(axis=0)
    centre, widest = (lower + upper) / 2, (upper - lower).max()
    reach = np.maximum(upper - lower, 0.15 * widest) * 0.52
    for name, middle, half in zip(NAMES, centre, reach, strict=True):
        getattr(space, f"set_{name}lim")(middle - half, middle + half)
        axis = getattr(space, f"{name}axis")
        axis.set_pane_color((1, 1, 1, 0))
        axis.set_label_text(f"{name} (m)")
        axis.set_major_locator(MaxNLocator(4 if half > 0.6 * widest / 2 else 2))
        axis.set_tick_params(labelsize=7.5)
    space.set_box_aspect(reach, zoom=1.0)
    space.set_title(title, loc="left")
    space.view_init(elev=ELEVATION, azim=AZIMUTH)


def towards_viewer() -> Points:
    """The horizontal direction from the scene to the eye of ``label_space``."""
    return np.array([np.cos(np.radians(AZIMUTH)), np.sin(np.radians(AZIMUTH)), 0.0])


def plain_text(words: str) -> str:
    """The words as they stand: a dollar sign begins no formula, and what cannot be printed is a space."""
    return "".join(c if c.isprintable() else " " for c in words).replace("$", r"\$")


def heading(figure: Any, title: str, note: str = "") -> None:
    """Title and note of a figure; names in them are no formulas."""
    figure.suptitle(plain_text(title), x=0.012, ha="left", fontsize=12, fontweight="bold")
    if note:
        figure.supxlabel(plain_text(note), x=0.012, ha="left", fontsize=8, color=FAINT)
