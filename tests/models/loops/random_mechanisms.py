"""Random mechanisms with closed loops: four-bars, five-bars, slider-cranks, parallelograms, spherical and chained loops.

They stand anywhere in space, fixed or on a joint, their axes may point up or down and be shifted along themselves, and arms may
hang on their links. All are assembled at the positions of their description, away from dead centres.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from models.loops.mechanism_builder import QUARTER, Builder

from robosym.expr import Expr, expr, number, pi
from robosym.robot import FIXED, PRISMATIC, REVOLUTE, Robot

CLEAR = 0.3  # sine of the angle by which links are away from a dead centre
SHORT, LONG = 0.25, 0.8


def random_mechanism(kind: str, seed: int, named: bool | None = None, arms: bool = True) -> Robot:
    """One of ``KINDS``. ``named`` as in ``Builder``."""
    for attempt in range(200):
        rng = np.random.default_rng([seed, attempt, len(kind)])
        made = Builder(rng, named)
        try:
            KINDS[kind](made, _ground(made))
        except DeadCentreError:
            continue
        if arms:
            _hang(made)
        return made.finished(f"{kind}-{seed}")
    raise AssertionError(f"no {kind} was found")


class DeadCentreError(Exception):
    """Drawn too near to one."""


def _ground(made: Builder) -> int:
    """A link anywhere in space, on a driven joint or fixed."""
    rng = made.rng
    angles = {key: float(rng.uniform(-3, 3)) for key in ("gamma", "alpha", "theta")}
    lengths = {key: float(rng.uniform(-0.5, 0.5)) for key in ("b", "d", "r")}
    if rng.random() < 0.4:
        return made.add("waist", 0, REVOLUTE, float(rng.uniform(-1, 1)), active=True, **angles, **lengths)
    return made.add("ground", 0, FIXED, **angles, **lengths)


def _hang(made: Builder) -> None:
    """Up to two driven joints on any of the links."""
    moving = [j for j, frame in enumerate(made.frames, 1) if frame.sigma != FIXED]
    for k in range(int(made.rng.integers(0, 3))):
        angles = {key: float(made.rng.uniform(-3, 3)) for key in ("gamma", "alpha", "theta")}
        sigma = PRISMATIC if made.rng.random() < 0.3 else REVOLUTE
        on = int(made.rng.choice(moving))
        made.add(f"arm{k + 1}", on, sigma, float(made.rng.uniform(-1, 1)), active=True, d=0.3, r=-0.1, **angles)


# --- planar ----------------------------------------------------------------------------------------------------------


@dataclass
class Plane:
    """Parallel axes: which of them point down, and how high each frame is above the ground."""

    made: Builder
    ground: int

    def __post_init__(self) -> None:
        self.up = {self.ground: 1}
        self.height: dict[int, Expr] = {self.ground: number(0)}

    def link(self, name: str, on: int, d: float | Expr, active: bool = False, gamma: float = 0.0) -> int:
        """A link on a pivot; by chance it is turned over and shifted along its axis."""
        made, rng = self.made, self.made.rng
        over = rng.random() < 0.3
        shift = made.entry(f"RL{len(made.frames) + 1}", float(rng.uniform(-0.2, 0.2)) if rng.random() < 0.5 else 0.0)
        j = made.add(
            name, on, REVOLUTE, float(rng.uniform(-3, 3)), active, gamma=gamma, d=d, alpha=pi if over else 0, r=shift
        )
        self.up[j] = -self.up[on] if over else self.up[on]
        self.height[j] = expr(self.height[on] + self.up[j] * shift)
        return j

    def point(self, j: int, d: float | Expr) -> np.ndarray:
        """The end of a link."""
        return (self.made.place(j) @ [self.made.number(d), 0, 0, 1])[:3]

    def aim(self, j: int, point: np.ndarray) -> float:
        """Turn a link to a point; how far that is."""
        made = self.made
        own = made.frames[j - 1].joint
        x, y, _ = made.seen(j, point)
        assert own.variable is not None
        made.set_position(j, made.positions[own.variable] + float(np.arctan2(y, x)))
        return float(np.hypot(x, y))

    def pin(self, name: str, on: int, d: float | Expr, twin_on: int, twin_d: float | Expr, gamma: float = 0.0) -> None:
        """A cut pivot between the ends of two links."""
        over = self.up[on] != self.up[twin_on]
        height = expr((self.height[on] - self.height[twin_on]) * self.up[twin_on])
        twin = {"d": self.made.entry(f"E{twin_on}_{name}", twin_d), "r": height, "gamma": gamma}
        self.made.cut(twin_on, name, on, twin, d=self.made.entry(f"E{on}_{name}", d), alpha=pi if over else 0)


def _length(made: Builder, longest: float = LONG) -> float:
    return float(made.rng.uniform(SHORT, longest))


def _clear(made: Builder, at: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """The ways from a point to two others are not on a line."""
    u, v = a - at, b - at
    size = float(np.linalg.norm(u) * np.linalg.norm(v))
    if min(np.linalg.norm(u), np.linalg.norm(v)) < 0.15 or np.linalg.norm(np.cross(u, v)) < CLEAR * size:
        raise DeadCentreError


def _flat(plane: Plane, point: np.ndarray) -> np.ndarray:
    """Without its height."""
    x, y, _ = plane.made.seen(plane.ground, point)
    return np.array([x, y, 0.0])


def _closed_by(plane: Plane, start: int, length: float | Expr, pivot: int, names: tuple[str, str, str]) -> int:
    """A coupler on the end of one link, and a rocker from a pivot on another to the coupler's end."""
    made = plane.made
    coupler = plane.link(names[0], start, length)
    reach = _length(made)
    end = plane.point(coupler, reach)
    rocker = plane.link(names[1], pivot, _length(made, 1.0), gamma=float(made.rng.uniform(-3, 3)))
    twin = plane.aim(rocker, end)
    here = [_flat(plane, x) for x in (end, made.place(coupler)[:3, 3], made.place(rocker)[:3, 3])]
    _clear(made, *here)
    plane.pin(names[2], coupler, reach, rocker, twin)
    return rocker


def _four_bar(made: Builder, ground: int) -> None:
    plane = Plane(made, ground)
    crank = plane.link("crank", ground, 0.0, active=True)
    _closed_by(plane, crank, _length(made), ground, ("coupler", "rocker", "pin"))


def _six_bar(made: Builder, ground: int) -> None:
    """The rocker of a four-bar is the crank of another."""
    plane = Plane(made, ground)
    crank = plane.link("crank", ground, 0.0, active=True)
    rocker = _closed_by(plane, crank, _length(made), ground, ("coupler", "rocker", "pin"))
    _closed_by(plane, rocker, _length(made), ground, ("coupler2", "rocker2", "pin2"))


def _five_bar(made: Builder, ground: int) -> None:
    """Both motors on the ground, or one of them at the elbow."""
    plane = Plane(made, ground)
    elbow = bool(made.rng.random() < 0.3)
    left = plane.link("left", ground, 0.0, active=True)
    if elbow:
        between = plane.link("elbow", left, _length(made), active=True)
        _closed_by(plane, between, _length(made), ground, ("coupler", "rocker", "pin"))
        return
    right = plane.link("right", ground, _length(made, 1.0), active=True, gamma=float(made.rng.uniform(-3, 3)))
    _closed_by(plane, left, _length(made), right, ("coupler", "forearm", "pin"))


def _slider_crank(made: Builder, ground: int) -> None:
    """The slider on the ground; the motor turns the crank or moves the slider."""
    plane, rng = Plane(made, ground), made.rng
    pushed = bool(rng.random() < 0.4)
    crank = plane.link("crank", ground, 0.0, active=not pushed)
    coupler = plane.link("coupler", crank, _length(made))
    reach = _length(made)
    end = _flat(plane, plane.point(coupler, reach))
    middle, start = (_flat(plane, made.place(j)[:3, 3]) for j in (coupler, crank))
    gamma = float(rng.uniform(-3, 3))
    across, along = np.array([np.cos(gamma), np.sin(gamma), 0]), np.array([np.sin(gamma), -np.cos(gamma), 0])
    if pushed:
        _clear(made, middle, start, end)
    else:
        _clear(made, end, middle, end + across)
    slider = made.add(
        "slider", ground, PRISMATIC, float(end @ along), pushed, gamma=gamma, alpha=QUARTER, d=float(end @ across)
    )
    over = plane.up[coupler] < 0
    # The slider's frame has the pin's axis along its y.
    twin = {"alpha": -QUARTER, "r": plane.height[coupler]}
    made.cut(slider, "pin", coupler, twin, d=made.entry("REACH", reach), alpha=pi if over else 0)


def _inverted_slider(made: Builder, ground: int) -> None:
    """A rod that slides through a swivelling block: the sliding joint is one of the tree or the one that is cut."""
    plane, rng = Plane(made, ground), made.rng
    crank = plane.link("crank", ground, 0.0, active=True)
    block = plane.link("block", crank, _length(made))
    pivot = plane.link("pivot", ground, _length(made, 1.0), gamma=float(rng.uniform(-3, 3)))
    offset = float(rng.uniform(-0.2, 0.2))
    x, y, _ = made.seen(block, made.place(pivot)[:3, 3])
    if abs(y) < 0.2:
        raise DeadCentreError
    height = expr((plane.height[block] - plane.height[pivot]) * plane.up[pivot])
    over = plane.up[block] != plane.up[pivot]
    # Turn the pivot until its x axis is along that of the block.
    along = made.place(pivot)[:3, :3].T @ made.place(block)[:3, 0]
    own = made.frames[pivot - 1].joint.variable
    assert own is not None
    made.set_position(pivot, made.positions[own] + float(np.arctan2(along[1], along[0])))
    # A frame that points along -y of the block; seen from a pivot that is turned over, along +y.
    twin = {"alpha": -QUARTER if over else QUARTER, "d": made.entry("EXTRA", offset - x), "b": height}
    made.cut(pivot, "sliding", block, twin, sigma=PRISMATIC, alpha=QUARTER, d=made.entry("OFFSET", offset))


def _rod(made: Builder, ground: int) -> None:
    """The rod is a link that slides in the block, and its end is pinned to the ground."""
    plane, rng = Plane(made, ground), made.rng
    crank = plane.link("crank", ground, 0.0, active=True)
    block = plane.link("block", crank, _length(made))
    out, offset = float(rng.choice([-1, 1]) * rng.uniform(0.3, 0.8)), float(rng.uniform(-0.2, 0.2))
    rod = made.add("rod", block, PRISMATIC, out, alpha=QUARTER, d=offset)
    end = _flat(plane, made.place(rod)[:3, 3])
    _clear(made, np.zeros(3), end, end + np.array([-end[1], end[0], 0]))
    over = plane.up[block] < 0
    gamma, far = float(np.arctan2(end[1], end[0])), float(np.hypot(end[0], end[1]))
    twin = {"gamma": made.entry("PHI", gamma), "d": made.entry("FAR", far), "r": plane.height[block]}
    made.cut(ground, "pin", rod, twin, alpha=QUARTER if over else -QUARTER)


# --- parallelograms --------------------------------------------------------------------------------------------------


def _parallelogram(made: Builder, ground: int) -> None:
    """Opposite sides have the same length, by symbol or by number."""
    a, b = (made.entry(name, _length(made)) for name in ("LA", "LB"))
    turn = made.entry("PHI", float(made.rng.uniform(-3, 3)))
    q = float(made.rng.uniform(0.5, 2.5))
    crank = made.add("crank", ground, position=q, active=True, gamma=turn)
    coupler = made.add("coupler", crank, position=-q, d=a)
    rocker = made.add("rocker", ground, position=q, d=b, gamma=turn)
    made.cut(rocker, "pin", coupler, {"d": a}, d=b)


def _driven_parallelogram(made: Builder, ground: int) -> None:
    """Two motors, as in the arm of a robot: one turns the arm, the other a crank beside it; the bar carries the forearm."""
    a, b = (made.entry(name, _length(made)) for name in ("LA", "LB"))
    q, p = float(made.rng.uniform(-2, -1)), float(made.rng.uniform(0, 1))
    arm = made.add("arm", ground, position=q, active=True)
    forearm = made.add("forearm", arm, position=p - q, d=a)
    crank = made.add("crank", ground, position=p, active=True)
    bar = made.add("bar", crank, position=q - p, d=b)
    made.cut(forearm, "pin", bar, {"d": b}, d=a)


def _palletizer(made: Builder, ground: int) -> None:
    """Two parallelograms, one after the other, keep the tool level."""
    upper, fore, side, wing = (made.entry(name, _length(made)) for name in ("LU", "LF", "LS", "LW"))
    q, p = float(made.rng.uniform(0.6, 1.2)), float(made.rng.uniform(-2.2, -0.8))
    turned = pi * number(0.5)
    arm = made.add("arm", ground, position=q, active=True)
    triangle = made.add("triangle", arm, position=-q, d=upper)
    forearm = made.add("forearm", arm, position=p, active=True, d=upper)
    tool = made.add("tool", forearm, position=-q - p, d=fore)
    rod = made.add("rod", ground, position=q - np.pi / 2, gamma=turned, d=side)
    rod2 = made.add("rod2", triangle, position=q + p, d=wing)
    made.cut(triangle, "pin", rod, {"gamma": turned, "d": side}, d=upper)
    made.cut(tool, "pin2", rod2, {"d": wing}, d=fore)


# --- spherical -------------------------------------------------------------------------------------------------------


def _spherical(made: Builder, ground: int) -> None:
    """All axes meet in a point."""
    rng = made.rng
    arcs = [float(x) for x in rng.uniform(0.4, 1.4, 3)]
    crank = made.add("crank", ground, REVOLUTE, float(rng.uniform(-3, 3)), active=True, alpha=float(rng.uniform(-1, 1)))
    coupler = made.add("coupler", crank, REVOLUTE, float(rng.uniform(-3, 3)), alpha=arcs[0])
    tip = made.place(coupler)[:3, :3] @ [0, -np.sin(arcs[1]), np.cos(arcs[1])]
    gamma = float(rng.uniform(-3, 3))
    rocker = made.add("rocker", ground, REVOLUTE, 0.0, gamma=gamma, alpha=arcs[2])
    x, y, z = made.place(rocker)[:3, :3].T @ tip
    made.set_position(rocker, float(np.arctan2(x, -y)))
    arc = float(np.arctan2(np.hypot(x, y), z))
    here, there = made.place(coupler)[:3, 2], made.place(rocker)[:3, 2]
    if abs(np.linalg.det([tip, here, there])) < CLEAR * np.sin(arcs[1]) * np.sin(arc):
        raise DeadCentreError
    made.cut(rocker, "pin", coupler, {"alpha": made.entry("ARC4", arc)}, alpha=made.entry("ARC2", arcs[1]))


KINDS: dict[str, Callable[[Builder, int], None]] = {
    "four-bar": _four_bar,
    "five-bar": _five_bar,
    "slider-crank": _slider_crank,
    "inverted-slider": _inverted_slider,
    "rod": _rod,
    "six-bar": _six_bar,
    "parallelogram": _parallelogram,
    "driven-parallelogram": _driven_parallelogram,
    "palletizer": _palletizer,
    "spherical": _spherical,
}
