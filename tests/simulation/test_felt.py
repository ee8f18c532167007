"""A law that measures forces in a simulation: pushed by F, the frame settles where its spring says, however strongly M is shaped."""

from __future__ import annotations

import numpy as np
import pytest

import robosym
from robosym.control import impedance
from robosym.simulation import SimulationError


def test_the_frame_gives_way_as_it_should() -> None:
    """Of a force of the environment on the last link, in world axes: e'' M + D e' + K e = -F, as a mass on a spring moves."""
    robot = robosym.load("planar-2r").replace(name="arm")
    options = {"inertia": 2.0, "stiffness": 50.0, "damping": 25.0}
    q = np.array([0.4, 0.9])
    T = robosym.models.transform(robot, reference="world").compile()(q=q)
    law = impedance(robot, force=True, **options, period=2.5e-4)
    push = np.array([3.0, -2.0, 0.0])
    link = robot.moving[-1]
    pose = robosym.models.transform(robot, frame=link, reference="world").compile()

    def wrench(t: float) -> list[float]:
        R = pose(q=run_q[min(int(t / 2.5e-4), len(run_q) - 1)])[:3, :3]
        return [*(-(R.T @ push)), 0.0, 0.0, 0.0]

    run_q = [q]
    # The push is constant in the world: along the small motion the axes of the link turn, so it is found in two rounds.
    for _ in range(4):
        run = robosym.simulate(
            robot,
            law,
            T,
            q=q,
            duration=0.3,
            step=2.5e-4,
            friction=False,
            limits=False,
            wrench={robot.frame(link).name: wrench},
        )
        run_q = list(run.q)
    t = run.time[:, None]
    M, K, D = 2.0, 50.0, 25.0
    roots = np.roots([M, D, K]).real
    a, b = roots
    moved = push / K * (1 - (b * np.exp(a * t) - a * np.exp(b * t)) / (b - a))
    away = run.tip() - T[:3, 3]
    np.testing.assert_allclose(away[:, :2], moved[:, :2], atol=2e-5)
    assert np.abs(moved).max() > 5e-3


def test_without_a_wrench_nothing_is_felt() -> None:
    robot = robosym.load("planar-2r")
    q = np.array([0.4, 0.9])
    T = robosym.models.transform(robot, reference="world").compile()(q=q)
    law = impedance(robot, force=True, inertia=1.0, stiffness=50.0)
    run = robosym.simulate(robot, law, T, q=q, duration=0.1, friction=False)
    np.testing.assert_allclose(run.q, np.broadcast_to(q, run.q.shape), atol=1e-12)
    with pytest.raises(SimulationError, match="measures forces"):
        robosym.simulate(robot, law, T, q=q, duration=0.1, friction=False, integrator="dop853")


def test_a_geometry_that_changes_is_refused() -> None:
    robot = robosym.load("planar-2r")
    q = np.array([0.4, 0.9])
    T = robosym.models.transform(robot, reference="world").compile()(q=q)
    law = impedance(robot, force=True, inertia=1.0, stiffness=50.0)
    link = robot.frame(robot.moving[-1]).name
    with pytest.raises(SimulationError, match="L1"):
        robosym.simulate(
            robot, law, T, q=q, duration=0.1, friction=False, wrench={link: np.zeros(6)}, parameters={"L1": 0.6}
        )
