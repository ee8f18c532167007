"""Goals that random arms do not reach: a law in task space waits for them stretched out, at rest."""

from __future__ import annotations

from typing import Any

import numpy as np
from control.task_plants import arm
from scipy.optimize import minimize

import robosym
from robosym import models
from robosym.control import impedance, resolved_acceleration
from robosym.simulation import simulate


def nearest(robot: Any, goal: np.ndarray, rows: list[int], rng: np.random.Generator) -> float:
    """The least distance of the tip from a goal, over all positions of the joints."""
    T = models.transform(robot, reference="world").compile()

    def distance(q: np.ndarray) -> float:
        return float(np.linalg.norm((T(q=q)[:3, 3] - goal)[rows]))

    starts = rng.uniform(-np.pi, np.pi, (8, robot.nq))
    return min(float(minimize(distance, q, method="BFGS").fun) for q in starts)


def waits_stretched_out(seed: int) -> None:
    """A random arm, a goal beyond its reach, any bandwidth and period: never lost, at rest in the end, as near as it can be."""
    rng = np.random.default_rng([seed, 12])
    if seed % 3 == 0:
        robot, rows = robosym.load("planar-2r"), [0, 1]
    else:
        robot, rows = arm(rng, str(rng.choice(["RRR", "RRRR"]))), [0, 1, 2]
    period = float(rng.choice([1e-3, 2e-3, 4e-3]))
    bandwidth = float(rng.uniform(4, 30))
    T = models.transform(robot, reference="world").compile()
    q = rng.uniform(-1, 1, robot.nq)
    samples = T(q=rng.uniform(-np.pi, np.pi, (500, robot.nq)))[:, :3, 3]
    reach = np.linalg.norm(samples - samples.mean(axis=0), axis=1).max()
    way = rng.normal(size=3) * [1, 1, 0 if rows == [0, 1] else 1]
    goal = np.eye(4)
    goal[:3, 3] = samples.mean(axis=0) + way / np.linalg.norm(way) * reach * rng.uniform(1.3, 2.5)
    task = ["vx", "vy", "vz"][: len(rows)]
    if seed % 2:
        law = resolved_acceleration(robot, bandwidth=bandwidth, task=task, period=period, limits=False)
    else:
        law = impedance(robot, inertia=1.0, stiffness=bandwidth**2, task=task, period=period, limits=False)
    run = simulate(robot, law, goal, q=q, duration=6.0 + 40 / bandwidth, friction=False, limits=False, every=10)
    where = (seed, robot, law, bandwidth, period)
    assert run.failed is None, (*where, run.reason)
    assert np.abs(run.qd[-1]).max() < 1e-3, (*where, run.qd[-1])
    apart = np.linalg.norm((run.tip()[-1] - goal[:3, 3])[rows])
    least = nearest(robot, goal[:3, 3], rows, rng)
    assert apart < least + 2e-2 * reach, (*where, apart, least, reach)
