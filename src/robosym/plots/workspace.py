"""The picture of a workspace: points from the side, from above and in space, with the arm among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .arm import Arm, Points, draw_arm
from .canvas import FAINT, new_figure, styled
from .panels import NAMES, flat_direction, heading, label, label_space, onto, plain_text, towards_viewer

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = "viridis"
CELLS = 64  # hexagons across the wider side of a panel, if there are enough points to fill them
IN_A_CELL = 8
MOST_IN_SPACE = 8000  # points of the three-dimensional panel: more only hide one another


def workspace_figure(
    points: Points, arm: Arm, title: str, values: Points | None = None, meaning: str = "", note: str = ""
) -> Figure:
    """Figure of points in space or in a plane, with the robot among them.

    Parameters
    ----------
    points
        Points (k, 3) [m].
    arm
        Robot as lines and dots, drawn into the figure.
    title
        Title of the figure.
    values
        Values (k,) of the points, whose mean in a cell is its colour. None: the number of points in a cell is its
        colour.
    meaning
        Meaning of the values, for the colour scale.
    note
        Remark below the figure.

    Returns
    -------
    Figure
        Figure of matplotlib.
    """
    top = None if values is None else float(np.quantile(values, 0.995)) or 1.0
    with styled():
        flat = flat_direction(np.vstack([points, *arm.limbs]))
        if flat is not None:
            figure = new_figure(6.6, 5.8)
            across, up = (i for i in range(3) if i != flat)
            panel = figure.add_subplot()
            drawn = _cells(panel, points[:, [across, up]], values, top)
            draw_arm(panel, arm, onto(across, up))
            label(panel, f"in the plane {NAMES[across]}{NAMES[up]}", NAMES[across], NAMES[up])
        else:
            figure = new_figure(13.6, 4.9)
            drawn = _three_panels(figure, points, arm, values, top)
        heading(figure, title, note)
        bar = figure.colorbar(drawn, ax=figure.axes, shrink=0.8, aspect=34, pad=0.03)
        bar.set_label(plain_text(meaning) or "samples in a cell")
        bar.outline.set_visible(False)
    return figure


def _three_panels(figure: Figure, points: Points, arm: Arm, values: Points | None, top: float | None) -> Any:
    base = arm.base

    def radial(p: Points) -> Points:
        """Distance from the vertical line through the base, and height."""
        return np.stack([np.hypot(p[:, 0] - base[0], p[:, 1] - base[1]), p[:, 2]], axis=1)

    wide, high = np.ptp(np.vstack([radial(points), [[0, base[2]]]]), axis=0)
    # As wide as it must be to stand as high as its neighbours.
    side_width = float(np.clip(wide / max(high, 1e-9), 0.5, 1.1))
    grid = figure.add_gridspec(1, 3, width_ratios=[side_width, 1, 1.1])
    side, above = figure.add_subplot(grid[0]), figure.add_subplot(grid[1])
    drawn = _cells(side, radial(points), values, top)
    draw_arm(side, arm, radial)
    label(side, "side view", "r to the vertical of the base", "z")
    other = _cells(above, points[:, :2], values, top)
    if values is None:  # one scale of colours for both
        most = max(float(cells.get_array().max()) for cells in (drawn, other))
        for cells in (drawn, other):
            cells.set_clim(1, max(most, 2))
    draw_arm(above, arm, onto(0, 1))
    label(above, "top view", "x", "y")
    _in_space(figure.add_subplot(grid[2], projection="3d"), points, arm, values, top)
    return drawn


def _in_space(space: Any, points: Points, arm: Arm, values: Points | None, top: float | None) -> None:
    """The half behind the base: what is in front of it would hide the inside."""
    kept = (points - arm.base) @ towards_viewer() <= 0
    shown = points[kept][:MOST_IN_SPACE]
    shades: Any = values[kept][:MOST_IN_SPACE] if values is not None else FAINT
    chosen = {"cmap": COLOURS, "vmin": 0, "vmax": top} if values is not None else {}
    # Rasterised: a vector file would hold every dot.
    space.scatter(*shown.T, c=shades, s=5, alpha=0.55, lw=0, depthshade=False, rasterized=True, **chosen)
    draw_arm(space, arm, lambda p: p, 0.85)
    label_space(space, "in space, the half behind the base", np.vstack([points, arm.base[None]]))


def _cells(axes: Any, flat: Points, values: Points | None, top: float | None) -> Any:
    """Hexagons as large in both directions, few enough for the points to fill them."""
    spread = np.maximum(np.ptp(flat, axis=0), 1e-9)
    shape = spread / spread.max()
    most = float(np.clip(np.sqrt(len(flat) / IN_A_CELL / shape.prod()), 6, CELLS))
    size = (max(4, round(most * shape[0])), max(3, round(most * shape[1] / np.sqrt(3))))
    settings: dict[str, Any] = {"gridsize": size, "mincnt": 1, "cmap": COLOURS, "linewidths": 0.2}
    if values is not None:
        settings |= {"C": values, "reduce_C_function": np.mean, "vmin": 0, "vmax": top}
    else:
        settings |= {"bins": "log"}
    return axes.hexbin(flat[:, 0], flat[:, 1], **settings)
