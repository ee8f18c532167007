"""Pictures of what moved: curves over time in panels, and a quantity over another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .arm import ACCENT, Points
from .canvas import FAINT, INK, new_figure, styled
from .panels import heading, plain_text
from .thinning import kept

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Look = Literal["plain", "wanted", "faint", "thin"]
LOOKS: dict[Look, dict[str, Any]] = {
    "plain": {"lw": 1.4, "zorder": 3},
    "wanted": {"lw": 1.1, "ls": (0, (4, 2)), "zorder": 4},
    "faint": {"lw": 0.9, "alpha": 0.45, "zorder": 2},
    "thin": {"lw": 0.8, "alpha": 0.7, "zorder": 3},
}
SHADES = "viridis"
MOST_NAMED = 20  # entries of the legend
NEAR = 0.6  # a limit is shown if it is so near to the curves, in parts of their extent
HIGHEST = 60.0  # inches, of the whole figure
DECADES = 50.0  # from this ratio of largest to smallest on an axis is logarithmic


@dataclass(frozen=True)
class Curve:
    """Values over the time of the figure. ``shade`` from 0 to 1 is a colour of the scale, in place of ``colour``."""

    values: Points
    name: str = ""
    colour: str = "C0"
    look: Look = "plain"
    shade: float | None = None


@dataclass(frozen=True)
class Panel:
    """Curves over common axes; ``limits`` are dashed lines across, where they are near. With ``own_legend`` the names of its
    curves stand in it and not beside the figure."""

    label: str
    curves: Sequence[Curve]
    title: str = ""
    limits: Sequence[float] = ()
    own_legend: bool = False


@dataclass(frozen=True)
class Scale:
    """What the shades of curves mean."""

    label: str
    low: float
    high: float
    logarithmic: bool = False


def curves_figure(
    time: Points,
    panels: Sequence[Panel],
    title: str,
    *,
    columns: int = 1,
    note: str = "",
    lost: float | None = None,
    scale: Scale | None = None,
) -> Figure:
    """``time`` (N,) in seconds; where a run was ``lost`` a line says so. Panels fill the rows of so many columns."""
    with styled():
        rows = -(-len(panels) // columns)
        each = min(2.9 if rows == 1 else 2.1 if rows <= 3 else 1.75, HIGHEST / rows)
        figure = new_figure(9.6 if columns < 3 else 3.9 * columns, 1.1 + each * rows + (0.2 if rows == 1 else 0))
        axes = figure.subplots(rows, columns, sharex=True, squeeze=False)
        named: dict[str, Any] = {}
        for place, panel in zip(axes.flat, panels, strict=False):
            own = _draw(place, time, panel)
            if panel.own_legend:
                _legend(place, own, loc="best", ncols=max(1, len(own)), fontsize=8)
            else:
                named = own | named
            if lost is not None:
                named["lost"] = place.axvline(lost, color=ACCENT, lw=1, ls=(0, (1, 1.5)), zorder=1)
        for place in axes.flat[len(panels) :]:
            place.set_visible(False)
        for column in range(columns):
            last = max((k for k in range(len(panels)) if k % columns == column), default=None)
            if last is not None:
                axes.flat[last].set_xlabel("t (s)")
                axes.flat[last].tick_params(labelbottom=True)
        low, high = float(np.min(time)), float(max(np.max(time), lost if lost is not None else -np.inf))
        axes.flat[0].set_xlim(low, high if high > low else low + 1)
        figure.align_ylabels(axes)
        _legend(figure, named)
        if scale is not None:
            _colour_bar(figure, axes, scale)
        heading(figure, title, note)
    return figure


def _draw(axes: Any, time: Points, panel: Panel) -> dict[str, Any]:
    """The lines that have names, by these."""
    named: dict[str, Any] = {}
    for curve in panel.curves:
        places = kept(curve.values)
        look = dict(LOOKS[curve.look])
        look["color"] = curve.colour if curve.shade is None else _shades()(curve.shade)
        if np.isfinite(curve.values).sum() == 1:  # a line of one point is none
            look |= {"marker": "o", "ms": 4}
        (line,) = axes.plot(time[places], curve.values[places], **look)
        if curve.name:
            named.setdefault(curve.name, line)
    low, high = _extent(panel)
    for limit in panel.limits:
        if np.isfinite(limit) and low <= limit <= high:
            named["limit"] = axes.axhline(limit, color=FAINT, lw=1, ls=(0, (5, 3)), zorder=1.5)
    axes.set_ylim(low, high)
    axes.set_ylabel(plain_text(panel.label))
    axes.set_title(plain_text(panel.title), loc="left")
    axes.ticklabel_format(axis="y", useOffset=False, style="sci", scilimits=(-4, 5))
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return named


def _extent(panel: Panel) -> tuple[float, float]:
    """The range of the curves, with some room, and of the limits that are near."""
    parts = [curve.values[np.isfinite(curve.values)] for curve in panel.curves]
    values = np.concatenate([*parts, np.empty(0)])
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    size = high - low
    if size <= 1e-12 * max(abs(low), abs(high)):  # rounding is not worth a picture
        size = max(abs(low), abs(high)) or 1.0
    near = [x for x in panel.limits if low - NEAR * size <= x <= high + NEAR * size]
    low, high = min([low, *near]), max([high, *near])
    room = 0.07 * max(high - low, size if high == low else 0.5 * size)
    return low - room, high + room


def _legend(where: Any, named: dict[str, Any], **looks: Any) -> None:
    """Of a figure beside it, of a panel in it. Given line by line: a name that begins with _ is one too."""
    names = list(named)[:MOST_NAMED]
    if names:
        texts = [plain_text(name) for name in names]
        where.legend([named[name] for name in names], texts, **{"loc": "outside right upper", "frameon": False} | looks)


def _colour_bar(figure: Any, axes: Any, scale: Scale) -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LogNorm, Normalize

    spread = (LogNorm if scale.logarithmic else Normalize)(scale.low, scale.high)
    bar = figure.colorbar(ScalarMappable(spread, _shades()), ax=axes, shrink=0.8, aspect=34)
    bar.set_label(plain_text(scale.label))
    bar.outline.set_visible(False)


def _shades() -> Any:
    import matplotlib

    return matplotlib.colormaps[SHADES]


# --- one quantity over another ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Series:
    """Points (k,) over points; ``lost`` are the places whose value is not known because the run was lost."""

    x: Points
    y: Points
    name: str = ""
    lost: Points = ()  # type: ignore[assignment]


def sweep_figure(series: Sequence[Series], across: str, up: str, title: str, note: str = "") -> Figure:
    """Lines through the points in the order of x, through the medians where several have the same."""
    with styled():
        figure = new_figure(7.6, 4.6)
        axes = figure.add_subplot()
        named: dict[str, Any] = {}
        for k, one in enumerate(series):
            good = np.isfinite(one.x) & np.isfinite(one.y)
            x, y = one.x[good], one.y[good]
            places = np.unique(x)
            middle = np.array([np.median(y[x == place]) for place in places])
            several = len(places) < len(x)
            colour = f"C{k % 10}"
            size: dict[str, Any] = {"ms": 3, "alpha": 0.5} if several else {"ms": 4.5}
            (drawn,) = axes.plot(x, y, ls="", marker="o", color=colour, **size)
            if len(places) > 1:
                (drawn,) = axes.plot(places, middle, lw=1.4, color=colour)
            name = f"{one.name} (median)" if several and one.name else "median" if several else one.name
            if name:
                named[name] = drawn
        _axis(axes, "x", np.concatenate([*(np.concatenate([s.x[np.isfinite(s.y)], s.lost]) for s in series), []]))
        _axis(axes, "y", np.concatenate([*(s.y for s in series), []]))
        gone = np.concatenate([*(np.asarray(s.lost, dtype=float) for s in series), []])
        if len(gone):
            edge = axes.get_xaxis_transform()
            axes.plot(
                gone, np.full(len(gone), 0.02), ls="", marker="x", ms=6, color=ACCENT, label="lost", transform=edge
            )
        axes.set_xlabel(plain_text(across))
        axes.set_ylabel(plain_text(up))
        axes.tick_params(colors=INK)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        _legend(figure, named)
        heading(figure, title, note)
    return figure


def _axis(axes: Any, which: str, values: Points) -> None:
    """Logarithmic if the values span decades."""
    own = values[np.isfinite(values)]
    if len(own) > 2 and own.min() > 0 and own.max() > DECADES * own.min():
        getattr(axes, f"set_{which}scale")("log")
