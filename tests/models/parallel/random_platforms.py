"""Random robots whose platform stands on legs, of many classes, with a home pose and all joints there.

A class is named after its legs: number, then the joints from the ground to the platform, R revolute, P prismatic, U universal,
S spherical. Each is drawn away from singular positions; ``EXPECTED`` says how it moves. Every motor is active, nothing else is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from models.parallel.platform_builder import Axis, PlatformBuilder, prismatic, revolute
from models.parallel.platform_model import Mechanism, pin, pose_of
from models.parallel.platform_states import is_clear

from robosym.expr import number
from robosym.robot import Base, Platform, Robot

UP = np.array([0.0, 0.0, 1.0])


def random_platform(
    kind: str, seed: int, named: bool | None = False, placed: bool = False
) -> tuple[Robot, np.ndarray, np.ndarray]:
    """One of ``KINDS``: the robot, its home pose in world and all joints there, which are those of its description.

    ``named``: numbers become symbols with values, half of them by chance where it is None. ``placed``: the base is anywhere.
    """
    for attempt in range(200):
        rng = np.random.default_rng([seed, attempt, *kind.encode()])
        made = PlatformBuilder(rng, named)
        wrist = KINDS[kind](made)
        legs = made.seated()
        if wrist is not None:
            made.carry(wrist)
        Z = pin.SE3(pin.exp3(rng.normal(size=3)), rng.normal(size=3)).homogeneous if placed else np.eye(4)
        location = tuple(number(float(x)) for x in Z.ravel())
        robot = made.robot(f"{kind}-{seed}", legs, Base(location=location))
        T = Z @ made.home
        pose, joints = pose_of(T[:3, :3], T[:3, 3]), Mechanism.of(robot).described
        if is_clear(robot, pose, joints):
            return robot, pose, joints
    raise AssertionError(f"no {kind} was found")


def renumbered(robot: Robot, seed: int) -> Robot:
    """The same robot with its frames in another order, successors before antecedents too; so its joints are in another."""
    order = np.random.default_rng(seed).permutation(len(robot.frames))  # the new frames by old places
    new = {0: 0} | {int(old) + 1: place for place, old in enumerate(order, 1)}
    frames = tuple(replace(robot.frames[old], antecedent=new[robot.frames[old].antecedent]) for old in order)
    platforms = tuple(
        Platform(new[one.frame], tuple(replace(leg, end=new[leg.end], seat=new[leg.seat]) for leg in one.legs))
        for one in robot.platforms
    )
    return robot.replace(frames=frames, platforms=platforms)


# --- points and axes -------------------------------------------------------------------------------------------------


def _ring(rng: np.random.Generator, count: int, radius: float, height: float = 0.0, loose: float = 0.1) -> np.ndarray:
    """Points about the vertical axis, at unequal angles and distances; the first is near the x axis."""
    angles = 2 * np.pi * np.arange(count) / count + rng.uniform(-0.3, 0.3, count)
    away = radius * (1 + rng.uniform(-loose, loose, count))
    return np.array([away * np.cos(angles), away * np.sin(angles), np.full(count, height)]).T


def _hexagons(made: PlatformBuilder) -> tuple[np.ndarray, np.ndarray]:
    """Six base points and, in world, six platform points, off their planes; the home pose is a little turned."""
    rng = made.rng
    corner, side = np.arange(6) // 2 * (2 * np.pi / 3), np.arange(6) % 2 * 2 - 1
    low, high = corner + 0.25 * side, corner + 0.9 * side  # pairs on the ground are others than pairs on the platform
    ground = np.array([np.cos(low), np.sin(low), 0 * low]).T + rng.uniform(-0.1, 0.1, (6, 3))
    own = np.array([np.cos(high), np.sin(high), 0 * high]).T / 2 + rng.uniform(-0.08, 0.08, (6, 3))
    made.home = _pose(rng, [0, 0, 1.0], 0.25)
    return ground, own @ made.home[:3, :3].T + made.home[:3, 3]


def _pose(rng: np.random.Generator, p: list[float], turn: float) -> np.ndarray:
    found = np.eye(4)
    found[:3, :3] = pin.exp3(rng.uniform(-turn, turn, 3))
    found[:3, 3] = np.array(p) + rng.uniform(-0.1, 0.1, 3)
    return found


def _level(rng: np.random.Generator, p: list[float], turn: float = 1.0) -> np.ndarray:
    """A pose turned about the vertical axis only."""
    found = np.eye(4)
    found[:3, :3] = pin.exp3(UP * rng.uniform(-turn, turn))
    found[:3, 3] = np.array(p) + np.append(rng.uniform(-0.1, 0.1, 2), 0.0)
    return found


def _across(rng: np.random.Generator, n: np.ndarray) -> np.ndarray:
    """A random direction across another."""
    found = np.cross(n, rng.normal(size=3))
    return np.asarray(found / np.linalg.norm(found))


def _universal(point: np.ndarray, one: np.ndarray, other: np.ndarray, mass: bool = False) -> list[Axis]:
    """Two axes that meet at right angles; the cross between them has no inertia unless it is wanted."""
    return [revolute(point, one, mass=mass), revolute(point, other)]


# --- six degrees of freedom ------------------------------------------------------------------------------------------


def _6ups(made: PlatformBuilder) -> None:
    for a, b in zip(*_hexagons(made), strict=True):
        n = b - a
        one = np.cross(n, made.rng.normal(size=3)) + 0.3 * n  # the first axis is not square to the leg
        other = np.cross(one, n)
        cross = bool(made.rng.random() < 0.5)
        made.leg([*_universal(a, one, other, cross), prismatic(a, n, active=True)], tip=b)


def _6rus(made: PlatformBuilder) -> None:
    for a, b in zip(*_hexagons(made), strict=True):
        axis = np.cross(UP, a) + made.rng.normal(size=3) * 0.2
        arm = np.cross(axis, UP)
        elbow = a + 0.35 * arm / np.linalg.norm(arm) + made.rng.uniform(-0.1, 0.1, 3)
        one = _across(made.rng, b - elbow)
        made.leg([revolute(a, axis, active=True), *_universal(elbow, one, np.cross(one, b - elbow))], tip=b)


def _6pus(made: PlatformBuilder) -> None:
    for a, b in zip(*_hexagons(made), strict=True):
        one = _across(made.rng, b - a)
        rail = UP + made.rng.normal(size=3) * 0.2
        made.leg([prismatic(a, rail, active=True), *_universal(a, one, np.cross(one, b - a))], tip=b)


def _6ups_wrist(made: PlatformBuilder) -> list[Axis]:
    _6ups(made)
    rng, p = made.rng, made.home[:3, 3]
    at = p + rng.uniform(-0.2, 0.2, 3)
    return [
        revolute(at, rng.normal(size=3), active=True),
        Axis(at + rng.uniform(-0.3, 0.3, 3), rng.normal(size=3), int(rng.integers(0, 2)), active=True),
    ]


# --- in a plane ------------------------------------------------------------------------------------------------------


def _3rrr(made: PlatformBuilder) -> None:
    rng = made.rng
    made.home = _level(rng, [0, 0, 0.2])
    own = _ring(rng, 3, 0.25) @ made.home[:3, :3].T + made.home[:3, 3]
    for a, b in zip(_ring(rng, 3, 1.0), own, strict=True):
        made.leg([revolute(a, UP, active=True), revolute(_elbow(rng, a, b), UP), revolute(b, UP)])


def _3rpr(made: PlatformBuilder) -> None:
    rng = made.rng
    made.home = _level(rng, [0, 0, 0.2])
    own = _ring(rng, 3, 0.3) @ made.home[:3, :3].T + made.home[:3, 3]
    for a, b in zip(_ring(rng, 3, 1.0), own, strict=True):
        n = (b - a) * [1, 1, 0]
        made.leg([revolute(a, UP), prismatic(a, n, active=True), revolute(b, UP)])


def _3prr(made: PlatformBuilder) -> None:
    rng = made.rng
    made.home = _level(rng, [0, 0, 0.2])
    own = _ring(rng, 3, 0.25) @ made.home[:3, :3].T + made.home[:3, 3]
    for a, b in zip(_ring(rng, 3, 1.0), own, strict=True):
        rail = np.cross(UP, a) + 0.3 * rng.normal(size=3) * [1, 1, 0]
        made.leg([prismatic(a, rail, active=True), revolute(a, UP), revolute(b, UP)])


def _elbow(rng: np.random.Generator, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """A point beside the line between two others, level with the first."""
    way = (b - a) * [1, 1, 0]
    return np.asarray(a + way * rng.uniform(0.3, 0.5) + np.cross(UP, way) * rng.uniform(0.35, 0.6))


def _five_bar(made: PlatformBuilder) -> None:
    """The platform is the outer link of the second leg, so that it turns as it moves."""
    rng = made.rng
    a, c = np.array([-0.4, 0, 0]) + rng.uniform(-0.05, 0.05, 3), np.array([0.4, 0, 0.0])
    b = np.array([0.0, 0.8, 0.1]) + np.append(rng.uniform(-0.1, 0.1, 2), 0.0)
    left, right = a + np.array([-0.35, 0.4, 0]), c + np.array([0.35, 0.45, 0.05])
    made.home = _level(rng, [float(x) for x in b])
    made.leg([revolute(a, UP, active=True), revolute(left, UP), revolute(b, UP)])
    made.leg([revolute(c, UP, active=True), revolute(right, UP)])


# --- translations ----------------------------------------------------------------------------------------------------


def _delta(made: PlatformBuilder, arm: Callable[[np.ndarray, np.ndarray], tuple[Axis, np.ndarray]]) -> None:
    """Axes of the outer joints of a leg are parallel, and so are those of the inner ones: each leg takes one rotation away."""
    rng = made.rng
    made.home = _pose(rng, [0, 0, -1.0], 0.2)
    own = _ring(rng, 3, 0.2) @ made.home[:3, :3].T + made.home[:3, 3]
    for a, b in zip(_ring(rng, 3, 0.6), own, strict=True):
        outer = np.cross(UP, a)
        first, elbow = arm(a, outer)
        inner = np.cross(outer, b - elbow)
        made.leg([first, *_universal(elbow, outer, inner), revolute(b, inner, mass=False), revolute(b, outer)])


def _3ruu(made: PlatformBuilder) -> None:
    def arm(a: np.ndarray, axis: np.ndarray) -> tuple[Axis, np.ndarray]:
        out = a / np.linalg.norm(a) * 0.3 - UP * made.rng.uniform(0, 0.2)
        return revolute(a, axis, active=True), a + out

    _delta(made, arm)


def _3puu(made: PlatformBuilder) -> None:
    def arm(a: np.ndarray, axis: np.ndarray) -> tuple[Axis, np.ndarray]:
        rail = UP + 0.3 * made.rng.normal(size=3)
        return prismatic(a, rail, active=True), a

    _delta(made, arm)


def _3upu(made: PlatformBuilder) -> None:
    rng = made.rng
    made.home = _pose(rng, [0, 0, 1.0], 0.2)
    own = _ring(rng, 3, 0.4) @ made.home[:3, :3].T + made.home[:3, 3]
    for a, b in zip(_ring(rng, 3, 0.8), own, strict=True):
        outer = np.cross(UP, a) + 0.5 * rng.normal(size=3)
        inner = np.cross(outer, b - a)
        ends = [revolute(b, inner, mass=False), revolute(b, outer)]
        made.leg([*_universal(a, outer, inner), prismatic(a, b - a, active=True), *ends])


def _4ruu(made: PlatformBuilder) -> None:
    """Translations and a turn about the vertical axis, which is that of the outer joints of all legs."""
    rng = made.rng
    made.home = _level(rng, [0, 0, -0.6])
    own = _ring(rng, 4, 0.35, loose=0.3) + made.home[:3, 3] + UP * rng.uniform(-0.2, 0.2, (4, 1))
    for a, b in zip(_ring(rng, 4, 0.9, loose=0.2) + UP * rng.uniform(-0.2, 0.2, (4, 1)), own, strict=True):
        elbow = _elbow(rng, a, b)
        inner = np.cross(UP, b - elbow)
        axes = [*_universal(elbow, UP, inner), revolute(b, inner, mass=False), revolute(b, UP)]
        made.leg([revolute(a, UP, active=True), *axes])


# --- rotations -------------------------------------------------------------------------------------------------------


def _spherical(made: PlatformBuilder) -> None:
    """All axes of 3-RRR meet in one point."""
    rng = made.rng
    made.home = _pose(rng, [0, 0, 0], 0.5)
    O = rng.uniform(-0.3, 0.3, 3)
    for low, high in zip(_ring(rng, 3, 0.8, -0.6), _ring(rng, 3, 0.7, 0.7), strict=True):
        middle = np.cross(low, high) + 0.2 * rng.normal(size=3)
        made.leg([revolute(O, low, active=True), revolute(O, middle), revolute(O, high)])


def _wrist_3upu(made: PlatformBuilder) -> None:
    """The outer axes of 3-UPU meet in one point, and a force through it along its inner axes is all a leg takes."""
    rng = made.rng
    made.home = _pose(rng, [0, 0, 0], 0.5)
    O = rng.uniform(-0.1, 0.1, 3)
    for low, high in zip(_ring(rng, 3, 0.8, -0.6), _ring(rng, 3, 0.7, 0.5), strict=True):
        low, high = O + low, O + high
        inner = np.cross(low - O, high - low)
        ends = [revolute(high, inner, mass=False), revolute(high, high - O)]
        made.leg([*_universal(low, low - O, inner), prismatic(low, high - low, active=True), *ends])


# --- the platform's motions change with its pose ---------------------------------------------------------------------


def _3rps(made: PlatformBuilder) -> None:
    rng = made.rng
    made.home = _pose(rng, [0, 0, 0.9], 0.2)
    own = _ring(rng, 3, 0.4) @ made.home[:3, :3].T + made.home[:3, 3]
    for a, b in zip(_ring(rng, 3, 0.7), own, strict=True):
        axis = np.cross(UP, a)
        n = (b - a) - axis * (axis @ (b - a)) / (axis @ axis)
        made.leg([revolute(a, axis), prismatic(a, n, active=True)], tip=b)


def _3prs(made: PlatformBuilder) -> None:
    rng = made.rng
    made.home = _pose(rng, [0, 0, 0.9], 0.2)
    own = _ring(rng, 3, 0.4) @ made.home[:3, :3].T + made.home[:3, 3]
    for a, b in zip(_ring(rng, 3, 0.8), own, strict=True):
        rail = UP + 0.2 * rng.normal(size=3)
        made.leg([prismatic(a, rail, active=True), revolute(a, np.cross(UP, a))], tip=b)


def _3ups_up(made: PlatformBuilder) -> None:
    """Three driven legs, and a fourth without a motor whose end is one with the platform."""
    rng = made.rng
    made.home = _pose(rng, [0, 0, 1.0], 0.2)
    own = _ring(rng, 3, 0.35) @ made.home[:3, :3].T + made.home[:3, 3]
    for a, b in zip(_ring(rng, 3, 0.9), own, strict=True):
        one = _across(rng, b - a)
        made.leg([*_universal(a, one, np.cross(one, b - a)), prismatic(a, b - a, active=True)], tip=b)
    centre, p = rng.uniform(-0.1, 0.1, 3), made.home[:3, 3]
    one = _across(rng, p - centre)
    made.leg([*_universal(centre, one, np.cross(one, p - centre)), prismatic(centre, p - centre)])


KINDS: dict[str, Callable[[PlatformBuilder], list[Axis] | None]] = {
    "6-UPS": _6ups,
    "6-RUS": _6rus,
    "6-PUS": _6pus,
    "6-UPS-wrist": _6ups_wrist,
    "planar-3-RRR": _3rrr,
    "planar-3-RPR": _3rpr,
    "planar-3-PRR": _3prr,
    "five-bar": _five_bar,
    "3-RUU": _3ruu,
    "3-PUU": _3puu,
    "3-UPU": _3upu,
    "4-RUU": _4ruu,
    "spherical-3-RRR": _spherical,
    "wrist-3-UPU": _wrist_3upu,
    "3-RPS": _3rps,
    "3-PRS": _3prs,
    "3-UPS-UP": _3ups_up,
}

# The dimension of the platform's motion.
EXPECTED = {
    "6-UPS": 6,
    "6-RUS": 6,
    "6-PUS": 6,
    "6-UPS-wrist": 6,
    "planar-3-RRR": 3,
    "planar-3-RPR": 3,
    "planar-3-PRR": 3,
    "five-bar": 2,
    "3-RUU": 3,
    "3-PUU": 3,
    "3-UPU": 3,
    "4-RUU": 4,
    "spherical-3-RRR": 3,
    "wrist-3-UPU": 3,
    "3-RPS": 3,
    "3-PRS": 3,
    "3-UPS-UP": 3,
}
# Those whose admissible twists change with the pose.
VARYING = ("five-bar", "3-RPS", "3-PRS", "3-UPS-UP", "wrist-3-UPU", "spherical-3-RRR")
