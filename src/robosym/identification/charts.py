"""Small line charts as SVG text, for a report that is one file and loads nothing from elsewhere."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..reals import Floats

WIDTH, HEIGHT = 900, 220
LEFT, RIGHT, TOP, BOTTOM = 62, 12, 12, 34
MOST_POINTS = 1800  # of a line: more than there are pixels


@dataclass(frozen=True)
class Line:
    """One line of a chart; its looks are those of the class in the page's style."""

    name: str
    kind: str
    x: Floats
    y: Floats


def chart(lines: Sequence[Line], x_name: str, y_name: str) -> str:
    """Lines over common axes. Where a recording has a gap the line has one too."""
    xs = np.concatenate([line.x for line in lines])
    ys = np.concatenate([line.y for line in lines])
    if not len(xs):
        return "<p>nothing to draw</p>"
    x_range, y_range = _range(xs), _range(ys, room=0.06)
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{html.escape(y_name)} over {html.escape(x_name)}">'
    ]
    parts += _axes(x_range, y_range, x_name, y_name)
    for line in lines:
        parts += [f'<polyline class="{line.kind}" points="{points}"/>' for points in _points(line, x_range, y_range)]
    legend = " ".join(f'<tspan class="{line.kind}" dx="14">{html.escape(line.name)}</tspan>' for line in lines)
    parts.append(f'<text class="legend" x="{LEFT + 6}" y="{TOP + 12}">{legend}</text></svg>')
    return "".join(parts)


def _range(values: Floats, room: float = 0.0) -> tuple[float, float]:
    low, high = float(np.min(values)), float(np.max(values))
    more = room * (high - low) or (0.0 if high > low else abs(high) * 0.1 or 1.0)
    return low - more, high + more


def _place(value: float, span: tuple[float, float], start: float, end: float) -> float:
    return start + (value - span[0]) / (span[1] - span[0]) * (end - start)


def _points(line: Line, x_range: tuple[float, float], y_range: tuple[float, float]) -> list[str]:
    """The line in pieces between gaps, thinned to what can be seen: of each stretch its least and its largest value."""
    if not len(line.x):
        return []
    steps = np.diff(line.x)
    usual = float(np.median(steps)) if len(steps) else 0.0
    found = []
    for piece in np.split(np.arange(len(line.x)), np.flatnonzero(steps > 5 * usual) + 1):
        chosen = _thinned(line.y, piece, len(line.x))
        places = (
            f"{_place(float(line.x[k]), x_range, LEFT, WIDTH - RIGHT):.1f},"
            f"{_place(float(line.y[k]), y_range, HEIGHT - BOTTOM, TOP):.1f}"
            for k in chosen
        )
        found.append(" ".join(places))
    return found


def _thinned(y: Floats, piece: np.ndarray, whole: int) -> list[int]:
    most = max(2, MOST_POINTS * len(piece) // whole)
    if len(piece) <= most:
        return [int(k) for k in piece]
    chosen: list[int] = []
    for part in np.array_split(piece, most // 2):
        chosen += sorted({int(part[np.argmin(y[part])]), int(part[np.argmax(y[part])])})
    return chosen


def _axes(x_range: tuple[float, float], y_range: tuple[float, float], x_name: str, y_name: str) -> list[str]:
    parts = []
    for value in ticks(*x_range, 8):
        x = _place(value, x_range, LEFT, WIDTH - RIGHT)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>')
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 14}" text-anchor="middle">{value:g}</text>')
    for value in ticks(*y_range, 5):
        y = _place(value, y_range, HEIGHT - BOTTOM, TOP)
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
    middle, down = (LEFT + WIDTH - RIGHT) / 2, (TOP + HEIGHT - BOTTOM) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 4}" text-anchor="middle">{html.escape(x_name)}</text>')
    parts.append(
        f'<text transform="translate(12 {down}) rotate(-90)" text-anchor="middle">{html.escape(y_name)}</text>'
    )
    return parts


def ticks(low: float, high: float, about: int) -> list[float]:
    """Round numbers in a range, about so many."""
    step = (high - low) / max(1, about)
    size = 10.0 ** math.floor(math.log10(step))
    step = next(k * size for k in (1, 2, 5, 10) if k * size >= step)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(k * step, 12) for k in range(first, last + 1)]
