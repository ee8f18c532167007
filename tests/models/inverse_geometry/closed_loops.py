"""Robots with closed loops whose inverse geometric model is tried, and a numeric search for all its solutions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from robosym import Robot, models

Floats = np.ndarray[Any, np.dtype[np.float64]]


def _frame(antecedent: int, joint: str, **fields: Any) -> dict[str, Any]:
    return {"antecedent": antecedent, "joint": joint, "name": f"{joint}_frame", **fields}


def _table(name: str, loops: int, rows: list[dict[str, Any]]) -> Robot:
    return Robot.from_table(name, rows, loops=loops)


def five_bar(**fields: Any) -> Robot:
    """A five-bar linkage of five different lengths. ``fields`` are of the left elbow, which is passive."""
    return _table(
        "general five-bar",
        1,
        [
            _frame(0, "left"),
            _frame(1, "left_elbow", d=0.3, active=False, **fields),
            _frame(0, "right", d=0.2),
            _frame(3, "right_elbow", d=0.35, active=False),
            _frame(4, "cut", d=0.45, active=False),
            _frame(2, "twin", d=0.4, sigma="fixed"),
        ],
    )


def slider_crank() -> Robot:
    """The slide is along x0."""
    return _table(
        "slider-crank",
        1,
        [
            _frame(0, "crank"),
            _frame(1, "rod", d=0.2, active=False),
            _frame(0, "slide", sigma="prismatic", gamma="pi/2", alpha="pi/2", active=False),
            _frame(2, "cut", d=0.5, active=False),
            _frame(3, "twin", alpha="-pi/2", theta="-pi/2", sigma="fixed"),
        ],
    )


def palletizer() -> Robot:
    """The forearm is driven through a parallelogram, and two more keep the hand level."""
    a, b, c, e, f = 0.7, 0.6, 0.25, 0.15, 0.12  # arm, forearm, crank, and the offsets of the rods
    flat = {"alpha": "-pi/2"}
    return _table(
        "palletizer",
        3,
        [
            _frame(0, "waist"),
            _frame(1, "shoulder", d=0.1, **flat),
            _frame(2, "elbow", d=a, active=False),
            _frame(3, "hand", d=b, active=False),
            _frame(4, "flange", d=0.1, alpha="pi/2"),
            _frame(1, "crank", d=0.1, **flat),
            _frame(6, "coupler", d=c, active=False),
            _frame(1, "lower_rod", d=0.1 - e, active=False, **flat),
            _frame(2, "triangle", d=a, active=False),
            _frame(9, "upper_rod", d=f, active=False),
            _frame(7, "cut_a", d=a, active=False),
            _frame(8, "cut_b", d=a, active=False),
            _frame(10, "cut_c", d=b, active=False),
            _frame(3, "twin_a", gamma="pi/2", d=-c, sigma="fixed"),
            _frame(9, "twin_b", d=-e, sigma="fixed"),
            _frame(4, "twin_c", d=f, sigma="fixed"),
        ],
    )


def linked_arm() -> Robot:
    """Six axes; the forearm is driven through four bars of different lengths, so that no angle is a sum of others."""
    flat = {"alpha": "-pi/2", "d": 0.15}
    return _table(
        "linked arm",
        1,
        [
            _frame(0, "waist"),
            _frame(1, "shoulder", **flat),
            _frame(2, "elbow", d=0.8, active=False),
            _frame(3, "roll", alpha="-pi/2", d=0.2, r=0.8),
            _frame(4, "bend", alpha="pi/2"),
            _frame(5, "flange", alpha="-pi/2"),
            _frame(1, "crank", **flat),
            _frame(7, "coupler", d=0.35, active=False),
            _frame(8, "cut", d=0.75, active=False),
            _frame(3, "twin", gamma="pi/2", d=-0.3, sigma="fixed"),
        ],
    )


Poses = Callable[[Floats], Floats]


def poses_of(robot: Robot, **options: Any) -> Poses:
    """The poses of positions, by the geometric model; nan where the loops do not close."""
    function = models.geometric(robot, **options).compile()
    return lambda Q: np.asarray(function(q=Q))


def searched(poses: Poses, nq: int, T: Floats, position: bool, starts: int = 1500) -> Floats:
    """All positions that make a pose, by Newton's method from many random positions."""
    step = 1e-6 * np.eye(nq)
    q = np.random.default_rng(3).uniform(-np.pi, np.pi, (starts, nq))
    for _ in range(30):
        slopes = [(poses(q + axis) - poses(q - axis)) / 2e-6 for axis in step]
        error, rows = _entries(poses(q) - T, position), _entries(np.stack(slopes, axis=-1), position)
        fine = np.isfinite(error).all(axis=1) & np.isfinite(rows).all(axis=(1, 2))
        way = np.einsum("nij,nj->ni", np.linalg.pinv(rows[fine], rcond=1e-9), error[fine])
        q = q[fine] - way * (0.5 / np.maximum(0.5, np.abs(way).max(axis=1, keepdims=True)))
    found: list[Floats] = []
    for row in q[np.abs(_entries(poses(q) - T, position)).max(axis=1) < 1e-9]:
        if not any(apart(row, other) < 1e-5 for other in found):
            found.append(row)
    return np.array(found).reshape(-1, nq)


def _entries(A: Floats, position: bool) -> Floats:
    part = A[:, :3, 3:] if position else A[:, :3]
    return part.reshape(len(A), -1, *A.shape[3:])


def apart(a: Floats, b: Floats) -> float:
    """How far two positions of angles are apart."""
    return float(np.abs((a - b + np.pi) % (2 * np.pi) - np.pi).max())
