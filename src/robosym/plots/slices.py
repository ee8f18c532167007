"""Numbers on a grid as pictures: a plane, or slices through space, each cell in the colour of its value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arm import Arm, Points, draw_arm
from .canvas import new_figure, styled
from .panels import NAMES, heading, label, onto, plain_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = "viridis"
HEIGHTS = (0.15, 0.5, 0.85)  # of the cells with a value, sorted by height: where space is cut


def area_figure(
    ticks: Sequence[Points],
    values: Points,
    axes: tuple[int, int],
    arm: Arm,
    title: str,
    meaning: str,
    note: str = "",
) -> Figure:
    """Figure of values over a plane, with the robot in it.

    Parameters
    ----------
    ticks
        Coordinates along the two axes of the plane [m].
    values
        Values (n, m) at the ticks, nan where there is none.
    axes
        World axes of the plane, two of 0, 1 and 2 (x, y, z).
    arm
        Robot as lines and dots, drawn into the figure.
    title
        Title of the figure.
    meaning
        Meaning of the values, for the colour scale.
    note
        Remark below the figure.

    Returns
    -------
    Figure
        Figure of matplotlib.
    """
    with styled():
        figure = new_figure(6.6, 5.8)
        panel = figure.add_subplot()
        drawn = _cells(panel, ticks[0], ticks[1], values, _top(values))
        draw_arm(panel, arm, onto(*axes), 0.8)
        across, up = (NAMES[k] for k in axes)
        label(panel, f"in the plane {across}{up}", across, up)
        _finish(figure, drawn, title, meaning, note)
    return figure


def slices_figure(
    ticks: Sequence[Points], values: Points, at: Points, arm: Arm, title: str, meaning: str, note: str = ""
) -> Figure:
    """Figure of values in space: three horizontal slices, and an upright one.

    Parameters
    ----------
    ticks
        Coordinates along x, y and z [m].
    values
        Values (n, m, k) at the ticks, nan where there is none.
    at
        Point whose y the upright slice has [m]. The robot is drawn in that slice.
    arm
        Robot as lines and dots, drawn into the figure.
    title
        Title of the figure.
    meaning
        Meaning of the values, for the colour scale.
    note
        Remark below the figure.

    Returns
    -------
    Figure
        Figure of matplotlib.
    """
    top = _top(values)
    with styled():
        figure = new_figure(14.6, 4.2)
        grid = figure.add_gridspec(1, 4)
        for place, k in enumerate(_heights(values)):
            panel = figure.add_subplot(grid[place])
            drawn = _cells(panel, ticks[0], ticks[1], values[:, :, k], top)
            label(panel, f"z = {round(float(ticks[2][k]), 6) + 0.0:.4g} m", "x", "y")
        j = int(np.abs(ticks[1] - at[1]).argmin())
        panel = figure.add_subplot(grid[3])
        drawn = _cells(panel, ticks[0], ticks[2], values[:, j, :], top)
        draw_arm(panel, arm, onto(0, 2), 0.7)
        label(panel, f"y = {round(float(ticks[1][j]), 6) + 0.0:.4g} m", "x", "z")
        _finish(figure, drawn, title, meaning, note)
    return figure


def _heights(values: Points) -> list[int]:
    """Places along z at which slices say most: by the cells there are."""
    levels = np.sort(np.nonzero(np.isfinite(values))[2])
    found = {int(levels[int(part * (len(levels) - 1))]): None for part in HEIGHTS}
    return list(found)


def _top(values: Points) -> float:
    return float(np.nanquantile(values, 0.995)) or 1.0


def _cells(panel: Any, across: Points, up: Points, values: Points, top: float) -> Any:
    return panel.pcolormesh(across, up, values.T, cmap=COLOURS, vmin=0, vmax=top, shading="nearest", rasterized=True)


def _finish(figure: Figure, drawn: Any, title: str, meaning: str, note: str) -> None:
    heading(figure, title, note)
    bar = figure.colorbar(drawn, ax=figure.axes, shrink=0.8, aspect=34, pad=0.03)
    bar.set_label(plain_text(meaning))
    bar.outline.set_visible(False)
