"""The fastest motion along a path: how long it takes to find it, and what is found, beside toppra where it is installed."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from sizes import installed, sized

import robosym
from robosym.robot import Robot
from robosym.trajectory import Path, fastest

D = np.array([1.2, -0.8, 1.5, 2.0, -1.0, 0.5])
VELOCITY = np.array([1.5, 1.2, 1.5, 3.0, 3.0, 3.0])
ACCELERATION = np.array([3.0, 3.0, 4.0, 8.0, 8.0, 8.0])
TORQUE = np.array([97.6, 186.4, 89.4, 24.2, 20.1, 21.3])
POINTS = np.array(
    [[0] * 6, [0.5, -0.4, 0.6, 0.3, -0.2, 0.4], [1, -0.2, 1.1, 0.9, 0.5, -0.3], [0.7, 0.3, 0.8, 1.4, 0.1, 0.2], D]
)
CASES: dict[str, dict[str, Any]] = {
    "torque": {"torque": TORQUE},
    "torque, velocity": {"torque": TORQUE, "velocity": VELOCITY},
    "velocity, acceleration": {"velocity": VELOCITY, "acceleration": ACCELERATION},
}
STEPS = sized(1000, 50)
ROUNDS = sized(30, 1)


def peer(robot: Robot, limits: dict[str, Any]) -> Callable[[], float] | None:
    """toppra with the same limits and the same inverse dynamics."""
    if not installed("toppra", "its motions are"):
        return None
    import toppra
    from toppra import algorithm, constraint

    logging.disable(logging.WARNING)
    f = robosym.models.inverse_dynamics(robot).compile()
    between = constraint.DiscretizationType.Interpolation

    def both(limit: Any) -> Any:
        return np.stack([-limit, limit], axis=1)

    curve = toppra.SplineInterpolator(np.linspace(0, 1, len(POINTS)), POINTS)

    def run() -> float:
        found: list[Any] = []
        if "velocity" in limits:
            found.append(constraint.JointVelocityConstraint(both(limits["velocity"])))
        if "acceleration" in limits:
            rows = both(limits["acceleration"])
            found.append(constraint.JointAccelerationConstraint(rows, discretization_scheme=between))
        if "torque" in limits:
            rows = both(limits["torque"])
            found.append(
                constraint.JointTorqueConstraint(
                    lambda q, qd, qdd: f(q=q, qd=qd, qdd=qdd), rows, np.zeros(6), discretization_scheme=between
                )
            )
        grid = np.linspace(0, 1, STEPS + 1)
        return float(
            algorithm.TOPPRA(found, curve, gridpoints=grid, solver_wrapper="seidel").compute_trajectory().duration
        )

    return run


def in_turn(*works: Callable[[], Any]) -> list[float]:
    """The median CPU time of each in seconds, one after the other many times over. CPU time, since the shortest run of something
    short is undisturbed on a busy machine and that of something long is not."""
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(ROUNDS):
        for work, times in zip(works, taken, strict=True):
            begun = time.process_time()
            work()
            times.append(time.process_time() - begun)
    return [float(np.median(times)) for times in taken]


def main() -> None:
    robot, path = robosym.load("puma560"), Path.spline(POINTS)
    heads = ("ours, ms", "toppra, ms", "ratio", "ours, s", "toppra, s", "excess")
    title = f"puma560, a spline through {len(POINTS)} points, {STEPS} steps: CPU time, and the duration of the motion"
    table = Table("limits", *heads, title=title)
    for name, limits in CASES.items():

        def ours(limits: dict[str, Any] = limits) -> Any:
            return fastest(robot, path, steps=STEPS, **limits)

        found = ours()  # compiled once
        known, excess = peer(robot, limits), max(found.excess.values())
        if known is None:
            (mine,) = in_turn(ours)
            times, duration = [f"{1e3 * mine:.2f}", "-", "-"], "-"
        else:
            duration = f"{known():.6f}"
            mine, theirs = in_turn(ours, known)
            times = [f"{1e3 * mine:.2f}", f"{1e3 * theirs:.1f}", f"{mine / theirs:.4f}"]
        table.add_row(name, *times, f"{found.duration:.6f}", duration, f"{excess:.5f}")
    Console(width=130).print(table)


if __name__ == "__main__":
    main()
