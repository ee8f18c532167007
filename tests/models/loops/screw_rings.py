"""Rings of joints given by their axes at a position in which they are closed: no geometric parameters to be thought of."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from models.loops.iterated_linkages import placed, screw
from models.loops.mechanism_builder import Builder

from robosym.expr import Expr, number, pi
from robosym.robot import PRISMATIC, REVOLUTE, Robot

Axis = tuple[str, Sequence[float], Sequence[float]]  # R or P, a direction, and a point
SMALL = 1e-9


def screw_ring(name: str, axes: Sequence[Axis], driven: Sequence[int] = (0,)) -> Robot:
    """One loop of joints about or along these axes, all at zero there, cut at the last."""
    made = Builder(np.random.default_rng(1))
    at, link = np.eye(4), 0
    for k, (kind, direction, point) in enumerate(axes, 1):
        frame = _frame(direction, point)
        joint = {"sigma": REVOLUTE if kind == "R" else PRISMATIC, **_parameters(np.linalg.inv(at) @ frame)}
        if k < len(axes):
            at, link = frame, made.add(f"j{k}", link, active=k - 1 in driven, **joint)
        else:
            made.cut(0, f"j{k}", link, _parameters(frame), **joint)
    return made.finished(name)


def _frame(direction: Sequence[float], point: Sequence[float]) -> np.ndarray:
    """Its z axis is the one given."""
    z = np.asarray(direction, float) / np.linalg.norm(direction)
    x = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = x - (x @ z) * z
    x /= np.linalg.norm(x)
    T = np.eye(4)
    T[:3] = np.column_stack([x, np.cross(z, x), z, point])
    return T


def _parameters(T: np.ndarray) -> dict[str, Expr | float]:
    """gamma, b, alpha, d, theta, r of a frame; what is nearly a quarter of a turn, or nothing, is that."""
    found = _of_parallel_axes(T) if math.hypot(T[0, 2], T[1, 2]) < SMALL else placed(T)
    return {key: _exact(x, key in ("gamma", "alpha", "theta")) for key, x in found.items()}


def _of_parallel_axes(T: np.ndarray) -> dict[str, float]:
    x, y, height = T[:3, 3]
    alpha = 0.0 if T[2, 2] > 0 else math.pi
    gamma = math.atan2(y, x) if math.hypot(x, y) > SMALL else 0.0
    rest = np.linalg.inv(screw(gamma, 0, 2) @ screw(alpha, 0, 0)) @ T
    theta = math.atan2(rest[1, 0], rest[0, 0])
    return {"gamma": gamma, "b": height, "alpha": alpha, "d": math.hypot(x, y), "theta": theta, "r": 0.0}


def _exact(x: float, is_angle: bool) -> Expr | float:
    quarters = round(2 * x / math.pi)
    if is_angle and quarters and abs(x - quarters * math.pi / 2) < SMALL:
        return pi * number(quarters) * number(0.5)
    return 0.0 if abs(x) < SMALL else float(x)
