"""A pendulum with a rotor and a spring, whose motion is known in closed form, and the reference at one of its states."""

from __future__ import annotations

from typing import Any

import numpy as np

from robosym.robot import Robot
from robosym.verification.reference import Reference
from robosym.verification.task import Task

G, M, LENGTH, IA = 9.81, 2.0, 0.5, 0.3
STIFFNESS, DAMPING, REST = 3.0, 0.4, 0.2  # of the spring on its joint
INERTIA = M * LENGTH**2 + IA


def pendulum(spring: bool = True, **settings: Any) -> Robot:
    """A point mass at the end of a bar in a vertical plane; its tip is a fixed frame."""
    swing: dict[str, Any] = {"M": M, "MX": M * LENGTH, "YY": M * LENGTH**2, "ZZ": M * LENGTH**2, "Ia": IA}
    if spring:
        swing["spring"] = {"stiffness": STIFFNESS, "damping": DAMPING, "rest": REST}
    tip = {"name": "tip", "joint": "mount", "sigma": "fixed", "d": LENGTH}
    return Robot.from_table("pendulum", [{"joint": "swing", **swing}, tip], **{"gravity": [0, -G, 0], **settings})


def bias(q: float, qd: float, spring: bool = True) -> float:
    """Gravity, spring and damper."""
    return M * G * LENGTH * np.cos(q) + spring * (STIFFNESS * (q - REST) + DAMPING * qd)


def task_of(robot: Robot, frame: int, **state: Any) -> Task:
    """The reference in plain floats at a state."""
    given = {name: np.asarray(value, float) for name, value in state.items()}
    reference = Reference(robot, False)
    return Task(reference, reference.motion(given["q"], given["qd"]), given, frame)


def runge_kutta(rate: Any, y: np.ndarray, h: float) -> np.ndarray:
    """One step of the classical method by its table."""
    k = [rate(y)]
    for part in (0.5, 0.5, 1.0):
        k.append(rate(y + part * h * k[-1]))
    return np.asarray(y + h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]))
