"""Sixty arms of one to six joints of all classes, with the angles and lengths at which equations vanish.

Angles are 0, +-pi/2, pi/3, pi/4 or random, lengths 0, equal or random, joints revolute or prismatic, with offsets, and half
of the arms end in a fixed tool. The seeds are those of arms that have an inverse geometric model (others are redundant, or
have five joints and no closed form), first those that were answered wrongly at some pose once: they are written down, so
that the arms do not depend on what is judged.

| class | joints | arms |
| --- | --- | --- |
| published counterexamples | 4, 5, 5 | 3 |
| of the library | 2 to 6 | 7 |
| general: no three axes meet or are parallel | 6 | 4 |
| spherical wrist | 6 | 6 |
| spherical shoulder | 6 | 3 |
| inner spherical joints | 6 | 3 |
| three parallel axes | 6 | 5 |
| three slides and a wrist | 6 | 2 |
| few joints, revolute and prismatic mixed | 1, 2, 3, 4, 5, 6 | 1, 4, 6, 7, 6, 3 |
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import robosym
from robosym.robot import Robot

Row = dict[str, Any]
Random = np.random.Generator

ANGLES = ("0", "0", "pi/2", "-pi/2", "pi/2", "-pi/2", "pi/3", "-pi/4")


class Draws:
    """Random fields of a table. ``equal`` is the length that some of an arm's lengths share."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.equal = self._length()

    def _length(self) -> float:
        return float(round(self.rng.uniform(0.2, 0.8) * self.rng.choice([-1, 1]), 2))

    def length(self, zero: float = 0.4) -> float:
        kind = self.rng.uniform()
        return 0.0 if kind < zero else self.equal if kind < zero + 0.25 else self._length()

    def angle(self, flat: bool = True) -> str | float:
        """A special angle, or sometimes a random one; not flat: not zero."""
        if self.rng.uniform() < 0.15:
            return float(self.rng.uniform(0.3, 1.4) * self.rng.choice([-1, 1]))
        return str(self.rng.choice(ANGLES if flat else ANGLES[2:]))

    def joint(self, j: int, slides: float = 0.0) -> Row:
        row: Row = {"alpha": self.angle() if j > 1 else "0", "d": self.length() if j > 1 else 0.0}
        if self.rng.uniform() < slides:
            return row | {"sigma": "prismatic", "theta": self.angle()}
        return row | {"r": self.length()} | self.offset(j)

    def offset(self, j: int) -> Row:
        return {"theta": f"q{j} + {self.rng.choice(['pi/2', 'pi', 'pi/4'])}"} if self.rng.uniform() < 0.2 else {}

    def crossing(self, r: float = 0.0) -> Row:
        """A joint whose axis meets the one before it."""
        return {"alpha": self.angle(flat=False), "r": r}

    def tool(self) -> list[Row]:
        if self.rng.uniform() < 0.5:
            return []
        row: Row = {
            "sigma": "fixed",
            "alpha": self.angle(),
            "d": self.length(),
            "theta": self.angle(),
            "r": self.length(),
        }
        return [row]


def table(name: str, rows: list[Row]) -> Robot:
    return Robot.from_table(name, [{k: x for k, x in row.items() if x not in (0.0, "0")} for row in rows])


# --- the classes ------------------------------------------------------------------------------------------------------


def few(n: int) -> Callable[[int], Robot]:
    def made(seed: int) -> Robot:
        draw = Draws(1000 * n + seed)
        return table(f"joints{n}-{seed}", [*(draw.joint(j, 0.25) for j in range(1, n + 1)), *draw.tool()])

    return made


def wrist(seed: int) -> Robot:
    draw = Draws(7000 + seed)
    rows = [draw.joint(j, 0.15) for j in range(1, 5)]
    rows[3].pop("sigma", None)
    rows[3].pop("theta", None)
    return table(f"wrist-{seed}", [*rows, draw.crossing(), draw.crossing(draw.length()), *draw.tool()])


def shoulder(seed: int) -> Robot:
    draw = Draws(8000 + seed)
    rows: list[Row] = [{"r": draw.length()}, draw.crossing(), draw.crossing(draw.length(0.0))]
    return table(f"shoulder-{seed}", [*rows, *(draw.joint(j) for j in (4, 5, 6)), *draw.tool()])


def inner(seed: int) -> Robot:
    draw = Draws(9000 + seed)
    rows = [draw.joint(1), draw.joint(2), draw.crossing(), draw.crossing(draw.length(0.0))]
    return table(f"inner-{seed}", [*rows, draw.joint(5), draw.joint(6), *draw.tool()])


def parallel(seed: int) -> Robot:
    draw = Draws(10000 + seed)
    flat: list[Row] = [{"d": draw.length(0.0), "r": draw.length(), **draw.offset(j)} for j in (3, 4)]
    first, second = draw.joint(1), draw.joint(2) | {"alpha": draw.angle(flat=False)}
    last = [draw.joint(j) | {"alpha": draw.angle(flat=False)} for j in (5, 6)]
    return table(f"parallel-{seed}", [first, second, *flat, *last, *draw.tool()])


def slides(seed: int) -> Robot:
    draw = Draws(11000 + seed)
    rows: list[Row] = [
        {"sigma": "prismatic", "theta": draw.angle()},
        {"sigma": "prismatic", "alpha": "pi/2", "theta": "pi/2"},
        {"sigma": "prismatic", "alpha": draw.angle(flat=False), "d": draw.length()},
    ]
    turns: list[Row] = [{"alpha": draw.angle(), "d": draw.length()}, draw.crossing(), draw.crossing(draw.length())]
    return table(f"slides-{seed}", [*rows, *turns, *draw.tool()])


def general(seed: int) -> Robot:
    """Links in general position; from seed 2 on one or two slides."""
    rng = np.random.default_rng(12000 + seed)

    def some(low: float, high: float) -> float:
        return float(rng.uniform(low, high) * rng.choice([-1, 1]))

    rows: list[Row] = [{"alpha": some(0.3, 1.4), "d": some(0.2, 0.8), "r": some(0.2, 0.8)} for _ in range(6)]
    for k in ((), (), (2,), (1, 4))[seed]:
        rows[k] = {"alpha": rows[k]["alpha"], "d": rows[k]["d"], "theta": some(0.2, 0.8), "sigma": "prismatic"}
    return table(f"general-{seed}", rows)


# --- arms that were answered wrongly once -----------------------------------------------------------------------------

TOOL: Row = {"sigma": "fixed", "alpha": "-pi/3", "theta": "-pi/2"}
PUBLISHED: Mapping[str, list[Row]] = {
    "rrprr": [
        {"d": 0.03},
        {"d": 0.76, "theta": "q2 + pi/2"},
        {"sigma": "prismatic", "d": 0.23},
        {"alpha": "pi/2", "r": 0.63},
        {"alpha": "-pi/2"},
        TOOL | {"r": 0.18},
    ],
    "5r": [
        {"alpha": "-pi/2", "d": -0.63},
        {"alpha": "-pi/3", "d": 0.58},
        {"d": 0.13, "r": 0.17},
        {"alpha": "pi/4", "d": -0.65},
        {"alpha": "pi/2", "r": -0.77},
        TOOL | {"r": 0.28},
    ],
    "4r": [
        {"alpha": "-pi/2", "d": -0.49, "r": -0.15},
        {"alpha": "pi/2", "d": -0.71, "r": 0.08},
        {"d": 0.78, "r": -0.73},
        {"alpha": "pi/2", "d": 0.76, "r": 0.72},
    ],
}
KNOWN: Mapping[str, tuple[tuple[float, ...], ...]] = {  # positions that were
    "4r": ((-math.pi / 2, math.pi, math.pi, math.pi / 2),),
}
LIBRARY = ("puma560", "rx90", "stanford", "ur5", "scara", "planar-2r", "planar-3r")

CLASSES: Mapping[str, tuple[Callable[[int], Robot], tuple[int, ...]]] = {
    "1": (few(1), (0,)),
    "2": (few(2), (0, 2, 4, 5)),
    "3": (few(3), (1, 2, 10, 13, 14, 17)),
    "4": (few(4), (3, 5, 11, 15, 27, 35, 49)),
    "5": (few(5), (11, 18, 19, 20, 21, 37)),
    "6": (few(6), (0, 1, 2)),
    "wrist": (wrist, (1, 4, 9, 11, 20, 25)),
    "shoulder": (shoulder, (0, 1, 3)),
    "inner": (inner, (0, 3, 5)),
    "parallel": (parallel, (3, 9, 11, 12, 13)),
    "slides": (slides, (0, 1)),
    "general": (general, (0, 1, 2, 3)),
}


def special_arms() -> dict[str, Callable[[], Robot]]:
    """The sixty arms by name, made when they are called for."""
    found: dict[str, Callable[[], Robot]] = {}
    for name, rows in PUBLISHED.items():
        found[name] = lambda name=name, rows=rows: table(name, rows)  # type: ignore[misc]
    for name in LIBRARY:
        found[name] = lambda name=name: robosym.load(name)  # type: ignore[misc]
    for kind, (made, seeds) in CLASSES.items():
        for seed in seeds:
            found[f"{kind}-{seed}"] = lambda made=made, seed=seed: made(seed)  # type: ignore[misc]
    return found
