"""Small motions of a robot's positions, and differences along them: independent of any derivative of ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from random_robots import INERTIA, random_inertia, random_robot

from robosym.expr import number
from robosym.robot import Friction, Link, Robot

Vector = NDArray[np.float64]
STEP = 1e-5


def rotation(q: Vector) -> Vector:
    """Of a quaternion x y z w."""
    x, y, z, w = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def product(a: Vector, b: Vector) -> Vector:
    """Of quaternions x y z w."""
    return np.append(a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3]), a[3] * b[3] - a[:3] @ b[:3])


def moved(q: Vector, d: Vector) -> Vector:
    """q after a small motion d: of a free base [dv; dw] in its own axes, then the joints. Good to second order."""
    q, d = np.asarray(q, float), np.asarray(d, float)
    if len(q) == len(d):
        return q + d
    v, w = d[:3], d[3:6]
    angle = np.linalg.norm(w)
    axis = w / angle if angle else w
    turn = np.append(np.sin(angle / 2) * axis, np.cos(angle / 2))
    R = rotation(q[3:7])
    return np.concatenate([q[:3] + R @ (v + np.cross(w, v) / 2), product(q[3:7], turn), q[7:] + d[6:]])


def apart(a: Vector, b: Vector, nv: int) -> Vector:
    """The small motion from a to b."""
    if len(a) == nv:
        return b - a
    R = rotation(a[3:7])
    between = product(np.append(-a[3:6], a[6]), b[3:7])
    w = 2 * between[:3] * np.sign(between[3])
    v = R.T @ (b[:3] - a[:3])
    return np.concatenate([v - np.cross(w, v) / 2, w, b[7:] - a[7:]])


def slopes(f: Callable[[Vector], Vector], size: int, step: float = STEP) -> Vector:
    """d f(d) / d d at d = 0, a column each: differences of fourth order."""
    columns = []
    for unit in np.eye(size):
        near, far = ((f(h * unit) - f(-h * unit)) / (2 * h) for h in (step, 2 * step))
        columns.append((4 * near - far) / 3)
    return np.stack(columns, axis=-1)


def by_positions(
    f: Callable[..., Any], state: dict[str, Any], nv: int, output: str | None = None, step: float = STEP
) -> Vector:
    """Differences of a model along small motions of q."""

    def at(d: Vector) -> Vector:
        found = f(**{**state, "q": moved(state["q"], d)})
        return np.asarray(found if output is None else found[output], float)

    return slopes(at, nv, step)


def by_entries(
    f: Callable[..., Any], state: dict[str, Any], name: str, output: str | None = None, step: float = STEP
) -> Vector:
    """Differences of a model by every entry of an input, its shape at the end."""
    shape = np.shape(state[name])

    def at(d: Vector) -> Vector:
        found = f(**{**state, name: np.asarray(state[name], float) + d.reshape(shape)})
        return np.asarray(found if output is None else found[output], float)

    found = slopes(at, int(np.prod(shape)), step)
    return found.reshape(*found.shape[:-1], *shape)


def state_of(model: Any, seed: int, reach: float = 0.8) -> dict[str, Any]:
    """A random state; the quaternion of a free base is of length one."""
    draw = np.random.default_rng(seed)
    found = model.random_state(draw, reach)
    robot = model.robot
    if robot.base.floating and "q" in found and not robot.platforms:
        found["q"] = np.concatenate([found["q"][:3], _unit(draw), found["q"][7:]])
    return found


def _unit(draw: np.random.Generator) -> Vector:
    quaternion = draw.normal(size=4)
    return quaternion / np.linalg.norm(quaternion)


def free_robot(joints: int = 1) -> Robot:
    """A few joints, in numbers, on a free base."""
    draw = np.random.default_rng(8)
    robot = random_robot(draw, joints)
    link = Link(**dict(zip(INERTIA, map(number, random_inertia(draw)), strict=True)))
    return robot.replace(base=replace(robot.base, floating=True, link=link), name="flying")


def rubbing(robot: Robot) -> Robot:
    """With friction that is smooth where it changes its sign."""
    frames = [
        replace(f, actuator=replace(f.actuator, Fv=number(0.3), Fs=number(0.4), friction=Friction(width=number(0.5))))
        for f in robot.frames
    ]
    return robot.replace(frames=tuple(frames))
