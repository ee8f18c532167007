"""The picture of the velocity and force ellipsoids at the tip of an arm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..brief import one_line
from .arm import Arm, Points, View, draw_arm
from .canvas import new_figure, styled
from .panels import NAMES, flat_direction, heading, label, label_space, onto, plain_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHARE = 0.24  # the longest finite semi-axis, as a part of the arm's size
ENDLESS = 3.0  # how far an unbounded one is drawn, in the same measure: beyond the edge of the panel


@dataclass(frozen=True, repr=False)
class Shape:
    """Ellipsoid to draw.

    Attributes
    ----------
    axes
        Unit directions of the semi-axes, by columns (3, 3).
    radii
        Lengths of the semi-axes; 0 and inf are allowed.
    meaning
        Legend.
    colour
        Colour.
    """

    __repr__ = one_line

    axes: Points
    radii: Points
    meaning: str
    colour: str

    def drawn(self, size: float) -> Points:
        """The matrix that takes the unit sphere to the ellipsoid, scaled to an arm of this size."""
        finite = self.radii[np.isfinite(self.radii)]
        longest = finite.max(initial=0.0) or 1.0
        lengths = np.where(np.isfinite(self.radii), self.radii * SHARE / longest, ENDLESS)
        return self.axes * (lengths * size)


def ellipsoids_figure(shapes: Sequence[Shape], arm: Arm, title: str, note: str = "") -> Figure:
    """Figure of ellipsoids at the tip of an arm.

    Each ellipsoid has its own scale; its legend states the longest semi-axis.

    Parameters
    ----------
    shapes
        Ellipsoids to draw.
    arm
        Robot as lines and dots, drawn into the figure.
    title
        Title of the figure.
    note
        Remark below the figure.

    Returns
    -------
    Figure
        Figure of matplotlib.
    """
    with styled():
        body = np.vstack([*arm.limbs, arm.base[None]])
        size = float(max(np.ptp(body, axis=0).max(), np.linalg.norm(arm.tip - arm.base))) or 1.0
        around = np.vstack([body, arm.tip + SHARE * 1.08 * size * np.vstack([np.eye(3), -np.eye(3)])])
        flat = flat_direction(body)
        planes = [(0, 1)] if flat == 2 else [(0, 2)] if flat == 1 else [(1, 2)] if flat == 0 else [(0, 2), (0, 1)]
        figure = new_figure(6.6, 5.8) if flat is not None else new_figure(13.6, 5.2)
        panels = [figure.add_subplot(1, 1 if flat is not None else 3, i + 1) for i in range(len(planes))]
        for panel, (across, up) in zip(panels, planes, strict=True):
            _panel(panel, shapes, arm, (across, up), size, around)
        if flat is None:
            _in_space(figure.add_subplot(1, 3, 3, projection="3d"), shapes, arm, size, around)
        heading(figure, title)
        handles, texts = panels[0].get_legend_handles_labels()
        legend = {"title": plain_text(note), "alignment": "left", "title_fontsize": 9, "frameon": False}
        figure.legend(handles, texts, loc="outside lower left", **legend)
    return figure


def _panel(axes: Any, shapes: Sequence[Shape], arm: Arm, plane: tuple[int, int], size: float, around: Points) -> None:
    view = onto(*plane)
    lower, upper = view(around).min(axis=0), view(around).max(axis=0)
    margin = 0.03 * (upper - lower).max()
    draw_arm(axes, arm, view)
    for shape in shapes:
        outline = _outline(shape.drawn(size), view)
        x, y = (view(arm.tip[None]) + outline).T
        endless = {"ls": (0, (5, 2))} if np.abs(outline).max() > size else {}
        axes.fill(x, y, color=shape.colour, alpha=0.13, lw=0, zorder=7.5)
        axes.plot(x, y, color=shape.colour, lw=1.8, zorder=8, label=plain_text(shape.meaning), **endless)
    axes.set_xlim(lower[0] - margin, upper[0] + margin)
    axes.set_ylim(lower[1] - margin, upper[1] + margin)
    across, up = plane
    label(axes, f"seen along {NAMES[3 - across - up]}", NAMES[across], NAMES[up])


def _outline(shape: Points, view: View) -> Points:
    """The edge of an ellipsoid in a view, around its centre: the view of a sphere's image is an ellipse again."""
    flat = view(shape.T).T  # the two rows of the panel
    U, s, _ = np.linalg.svd(flat)
    angle = np.linspace(0, 2 * np.pi, 181)
    edge: Points = (U * s @ np.stack([np.cos(angle), np.sin(angle)])).T
    return edge


def _in_space(space: Any, shapes: Sequence[Shape], arm: Arm, size: float, around: Points) -> None:
    draw_arm(space, arm, lambda p: p, 0.85)
    turn, rise = np.meshgrid(np.linspace(0, 2 * np.pi, 37), np.linspace(0, np.pi, 19))
    sphere = np.stack([np.sin(rise) * np.cos(turn), np.sin(rise) * np.sin(turn), np.cos(rise)])
    for shape in shapes:
        if np.isinf(shape.radii).any():  # an endless tube hides the rest: its axis says it
            _endless(space, shape, arm, size)
            continue
        surface = np.einsum("ij,jkl->ikl", shape.drawn(size), sphere) + arm.tip[:, None, None]
        space.plot_surface(*surface, color=shape.colour, alpha=0.14, lw=0, shade=False, rstride=1, cstride=1)
        space.plot_wireframe(*surface, color=shape.colour, lw=0.5, alpha=0.6, rstride=3, cstride=6)
    label_space(space, "in space", around)


def _endless(space: Any, shape: Shape, arm: Arm, size: float) -> None:
    for i in np.flatnonzero(np.isinf(shape.radii)):
        ends = arm.tip + np.outer([-1.2, 1.2], shape.axes[:, i]) * SHARE * size
        space.plot(*ends.T, color=shape.colour, lw=1.6, ls=(0, (5, 2)))
