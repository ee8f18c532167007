"""Robots to simulate, and the same motions by other means: Pinocchio moved by Runge and Kutta's method, in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from robosym.expr import number, parameter, variable
from robosym.robot import (
    PRISMATIC,
    REVOLUTE,
    Actuator,
    Flexibility,
    Frame,
    Friction,
    Joint,
    Limits,
    Link,
    Motor,
    Robot,
    Spring,
    Value,
)

Vector = np.ndarray
Rate = Callable[[Vector, Vector, Vector], Vector]  # accelerations of q, qd, tau


def sliding_mass(
    mass: float = 1.0,
    Fs: float = 0.0,
    Fv: float = 0.0,
    friction: dict[str, float] | None = None,
    actuator: dict[str, Any] | None = None,
    limits: Limits | None = None,
    spring: float | None = None,
    flexibility: float | None = None,
) -> Robot:
    """A mass on a horizontal rail; ``spring`` and ``flexibility`` are stiffnesses."""
    law = Friction(**{name: number(x) for name, x in (friction or {}).items()})
    soft = None if flexibility is None else Flexibility(number(flexibility))
    own = Actuator(Fs=number(Fs), Fv=number(Fv), friction=law, flexibility=soft, **(actuator or {}))
    pulled = None if spring is None else Spring(number(spring))
    frame = Frame(
        name="mass",
        antecedent=0,
        joint=Joint("x", variable("q1"), limits=limits or Limits(), spring=pulled),
        sigma=PRISMATIC,
        r=variable("q1"),
        link=Link(M=number(mass)),
        actuator=own,
    )
    return Robot("sliding mass", (frame,), gravity=(number(0),) * 3)


def geared(ratio: float, **motor: float) -> dict[str, Any]:
    """An actuator with a motor behind a gear."""
    return {"ratio": number(ratio), "motor": Motor(**{name: number(x) for name, x in motor.items()})}


def arm(*levels: float, lengths: tuple[float, ...] = (0.5, 0.4, 0.3, 0.2, 0.2)) -> Robot:
    """A chain in a vertical plane, a joint for each of the levels of its Coulomb friction, the parameters FS1, FS2 ..."""
    frames = []
    for k in range(1, len(levels) + 1):
        q = variable(f"q{k}")
        frames.append(
            Frame(
                name=f"link{k}",
                antecedent=k - 1,
                joint=Joint(f"joint{k}", q),
                sigma=REVOLUTE,
                d=number(lengths[k - 2] if k > 1 else 0),
                theta=q,
                link=Link(ZZ=number(0.2 / k), MX=number(0.6 / k), M=number(3.0 / k)),
                actuator=Actuator(Fs=parameter(f"FS{k}")),
            )
        )
    values = {f"FS{k}": Value(level) for k, level in enumerate(levels, 1)}
    return Robot("arm", tuple(frames), gravity=(number(0), number(-9.81), number(0)), values=values)


def without_friction(robot: Robot) -> Robot:
    """The same with smooth joints."""
    frames = [
        replace(f, actuator=replace(f.actuator, Fs=number(0), Fv=number(0), friction=Friction())) for f in robot.frames
    ]
    return robot.replace(frames=tuple(frames))


# --- the same by other means -------------------------------------------------------------------------------------------


def pinocchio_rate(twin: Any) -> Rate:
    """Accelerations of the coordinates, also where joints follow others."""
    return lambda q, qd, tau: np.linalg.solve(twin.crba(q), tau - twin.bias(q, qd))


def pose_rate(q: Vector, v: Vector) -> Vector:
    """dq/dt of x y z and the quaternion (x y z w) with the speeds of the base in its own axes."""
    x, y, z, w = q[3:7]
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    spin = v[3:6]
    turned = np.append(w * spin + np.cross(q[3:6], spin), -(q[3:6] @ spin)) / 2
    return np.concatenate([R @ v[:3], turned, v[6:]])


def runge_kutta(
    rate: Rate, q: Any, qd: Any, torque: Callable[[float, Vector, Vector], Vector], h: float, steps: int
) -> tuple[Vector, Vector]:
    """All states of so many steps, torques held in each; the quaternion of a free base is kept at length one."""
    q, v = np.array(q, float), np.array(qd, float)
    free = len(q) != len(v)

    def slope(x: Vector, w: Vector, tau: Vector) -> tuple[Vector, Vector]:
        return pose_rate(x, w) if free else w, rate(x, w, tau)

    rows = [(q, v)]
    for k in range(steps):
        tau = torque(k * h, q, v)
        a = slope(q, v, tau)
        b = slope(q + h / 2 * a[0], v + h / 2 * a[1], tau)
        c = slope(q + h / 2 * b[0], v + h / 2 * b[1], tau)
        d = slope(q + h * c[0], v + h * c[1], tau)
        q, v = (x + h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]) for i, x in enumerate((q, v)))
        if free:
            q[3:7] /= np.linalg.norm(q[3:7])
        rows.append((q, v))
    return np.array([x for x, _ in rows]), np.array([w for _, w in rows])
