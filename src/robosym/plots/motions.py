"""The picture of a motion: positions, velocities and accelerations of the joints over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .arm import Points
from .canvas import new_figure, styled
from .panels import heading, plain_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROWS = ("q (rad or m)", "qd (per s)", "qdd (per s²)")
MOST_NAMED = 20  # joints in the legend


def motion_figure(time: Points, values: Sequence[Points], joints: Sequence[str], title: str) -> Figure:
    """``values`` are q, qd and qdd, each (samples, joints)."""
    with styled():
        figure = new_figure(9.6, 6.8)
        panels = figure.subplots(len(values), 1, sharex=True, squeeze=False)[:, 0]
        for panel, value, label in zip(panels, values, ROWS, strict=True):
            for i in range(len(joints)):
                panel.plot(time, value[:, i], lw=1.3, color=f"C{i % 10}")
            panel.set_ylabel(label)
            for side in ("top", "right"):
                panel.spines[side].set_visible(False)
        panels[-1].set_xlabel("t (s)")
        low, high = float(time[0]), float(time[-1])
        panels[-1].set_xlim(low, high if high > low else low + 1)
        texts = [plain_text(joint) for joint in joints[:MOST_NAMED]]
        figure.legend(panels[0].lines[: len(texts)], texts, loc="outside right upper", frameon=False)
        heading(figure, title)
    return figure
