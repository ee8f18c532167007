"""A page that shows something moving: one HTML file with its data in it, which loads nothing and sends nothing.

What stands in the page comes from names that anybody may have chosen. They are data: escaped in the JSON, put on the page as text,
and the page's policy lets no script run but the one whose digest it names.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from string import Template
from typing import Any

import numpy as np

from .arm import Points
from .thinning import kept

COLOURS = ("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf")
WANTED = "#1f2430"
FINE = 20_000  # lengths are whole numbers of this part of the scene
CHART_POINTS = 700  # of a curve
NEAR = 0.6  # a limit is shown if it is so near to the curves, in parts of their extent
FLAT = 1e-6
TURN, RISE = math.radians(-58), math.radians(20)


@dataclass(frozen=True)
class Line:
    """A curve of a chart: y over x; without a name it is not in the legend."""

    x: Points
    y: Points
    name: str = ""
    colour: str = WANTED
    dashed: bool = False


@dataclass(frozen=True)
class Chart:
    label: str
    lines: Sequence[Line]
    limits: Sequence[float] = ()


@dataclass(frozen=True)
class Scene:
    """Pictures at ``time`` (K,) of ``points`` (K, P, 3) in metres; ``limbs`` are lines through points, by their places."""

    title: str
    time: Points
    points: Points
    limbs: Sequence[Sequence[int]]
    tails: Sequence[Sequence[int]] = ()  # thinner lines of two points, with a dot at the second
    revolute: Sequence[int] = ()
    prismatic: Sequence[int] = ()
    base: int = 0
    trace: Points | None = None  # (K, 3)
    wanted: Points | None = None  # (K, 3)
    gravity: Points | None = None  # in the world, (3,)
    charts: Sequence[Chart] = field(default_factory=tuple)
    note: str = ""


def animation_page(scene: Scene) -> str:
    """The whole page as text."""
    script, style = (_part(f"animation.{kind}") for kind in ("js", "css"))
    policy = f"default-src 'none'; script-src {_digest(script)}; style-src {_digest(style)}"
    title = html.escape(_printable(scene.title))
    blocks = {"policy": policy, "title": title, "style": style, "script": script, "data": _embedded(_data(scene))}
    return Template(_part("animation.html")).substitute(blocks)


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """The source of an inline script or style, as a policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _embedded(data: Any) -> str:
    """JSON that ends no element and begins none, whatever its texts are."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))  # ASCII: all else is escaped
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


# --- what the script reads ---------------------------------------------------------------------------------------------


def _data(scene: Scene) -> dict[str, Any]:
    axes = upright(scene.gravity)
    points = scene.points @ axes.T
    paths = {
        name: None if path is None else path @ axes.T
        for name, path in (("trace", scene.trace), ("wanted", scene.wanted))
    }
    seen = np.concatenate([points.reshape(-1, 3), *(path for path in paths.values() if path is not None)])
    seen = seen[np.isfinite(seen).all(axis=1)]
    low, high = (seen.min(axis=0), seen.max(axis=0)) if len(seen) else (np.zeros(3), np.zeros(3))
    radius = float(np.linalg.norm(high - low)) / 2 or 1.0
    unit = radius / FINE
    times = np.concatenate([line.x for chart in scene.charts for line in chart.lines] or [scene.time])
    span = float(np.min(times)), float(np.max(times))
    return {
        "title": _printable(scene.title),
        "note": _printable(scene.note),
        "time": _rounded(scene.time, 9),
        "unit": unit,
        "points": _whole(points.reshape(len(points), -1), unit),
        "limbs": [list(map(int, limb)) for limb in scene.limbs],
        "tails": [list(map(int, tail)) for tail in scene.tails],
        "revolute": list(map(int, scene.revolute)),
        "prismatic": list(map(int, scene.prismatic)),
        "base": int(scene.base),
        **{name: None if path is None else _whole(path, unit) for name, path in paths.items()},
        "gravity": None if scene.gravity is None or not np.any(scene.gravity) else [0.0, 0.0, -1.0],
        "axes": axes.T.tolist(),
        "centre": ((low + high) / 2).tolist(),
        "radius": radius,
        "ground": float(low[2]),
        "grid": nice(radius / 4),
        "view": list(facing(seen, radius)),
        "span": list(span),
        "ticks": ticks(*span, 6),
        "charts": [_chart(chart) for chart in scene.charts],
    }


def upright(gravity: Points | None) -> Points:
    """A rotation that makes of the world one in which things fall down, along -z; by rows."""
    size = 0.0 if gravity is None else float(np.linalg.norm(gravity))
    if gravity is None or not size > 0:
        return np.eye(3)
    up = -gravity / size
    first = np.eye(3)[int(np.argmin(np.abs(up)))] if abs(up[0]) > 0.9 else np.eye(3)[0]
    across = first - up * (first @ up)
    across /= np.linalg.norm(across)
    return np.array([across, np.cross(up, across), up])


def facing(points: Points, radius: float) -> tuple[float, float]:
    """From where to look, as a turn about the vertical and a rise: at what moves in a plane straight, else from the side."""
    if len(points) < 3:
        return TURN, RISE
    _, sizes, rows = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    if sizes[2] > FLAT * radius * math.sqrt(len(points)) or sizes[1] <= FLAT * radius * math.sqrt(len(points)):
        return TURN, RISE
    normal = rows[2]
    if abs(normal[2]) > 1 - 1e-9:
        return -math.pi / 2, math.pi / 2  # from above, x to the right
    if normal[1] > 1e-9 or (abs(normal[1]) <= 1e-9 and normal[0] < 0):
        normal = -normal
    return math.atan2(normal[1], normal[0]), math.asin(float(np.clip(normal[2], -1, 1)))


def _chart(chart: Chart) -> dict[str, Any]:
    values = np.concatenate([*(line.y[np.isfinite(line.y)] for line in chart.lines), np.empty(0)])
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    size = high - low
    if size <= 1e-12 * max(abs(low), abs(high)):
        size = max(abs(low), abs(high)) or 1.0
    limits = [float(x) for x in chart.limits if low - NEAR * size <= x <= high + NEAR * size]
    low, high = min([low, *limits]) - 0.06 * size, max([high, *limits]) + 0.06 * size
    curves = []
    for line in chart.lines:
        places = kept(line.y, CHART_POINTS)
        curve = {"name": _printable(line.name), "colour": line.colour, "dashed": line.dashed}
        curves.append(curve | {"x": _rounded(line.x[places], 6), "y": _rounded(line.y[places], 6)})
    return {
        "label": _printable(chart.label),
        "range": [low, high],
        "ticks": ticks(low, high, 4),
        "limits": limits,
        "curves": curves,
    }


def _whole(rows: Points, unit: float) -> list[list[int] | None]:
    """Each row in whole units; none where a number of it is not one."""
    good: Any = np.isfinite(rows).all(axis=1)
    found = np.round(np.where(good[:, None], rows, 0.0) / unit).astype(int).tolist()
    return [row if there else None for row, there in zip(found, good, strict=True)]


def _rounded(values: Points, digits: int) -> list[float | None]:
    return [float(f"{x:.{digits}g}") if math.isfinite(x) else None for x in values.tolist()]


def nice(size: float) -> float:
    """The round number (1, 2 or 5 times a power of ten) that is not less."""
    power = 10.0 ** math.floor(math.log10(size))
    return float(f"{next(k * power for k in (1, 2, 5, 10) if k * power >= size * (1 - 1e-12)):.6g}")


def ticks(low: float, high: float, about: int) -> list[float]:
    """Round numbers in a range, about so many."""
    if not high > low:
        return [low]
    step = nice((high - low) / about)
    return [float(f"{k * step:.12g}") for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
