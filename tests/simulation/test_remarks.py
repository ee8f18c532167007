"""What is said before a run: steps that are too large, torques that are too small."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from simulation.plants import sliding_mass

import robosym
from robosym import control
from robosym.expr import number
from robosym.robot import Limits
from robosym.simulation import simulate


@pytest.mark.parametrize(("integrator", "bound"), [("rk4", 2.785), ("semi-implicit", 2.0)])
def test_the_step_from_which_a_spring_is_unstable(integrator: str, bound: float) -> None:
    """The swing of a mass and its rotor on a spring, w = sqrt(k / m): just below the bound of the method nothing is said and nothing
    grows; just above it is said, and it does."""
    robot = sliding_mass(mass=1.0, actuator={"Ia": number(1.0)}, flexibility=5e5)
    w = math.sqrt(5e5 * 2)
    for share, fine in ((0.98, True), (1.05, False)):
        step = share * bound / w
        run = simulate(robot, q=[0.0], qd=[1e-3], torque=[1.0], duration=2000 * step, step=step, integrator=integrator)
        said = [note for note in run.notes if "too large" in note]
        grows = run.failed is not None or np.abs(run.q - run.more["q_motor"]).max() > 1
        assert bool(said) is not fine
        assert grows is not fine
        if said:
            assert "x" in said[0]
            assert "midpoint" in said[0]


def test_nothing_is_said_of_calm_robots() -> None:
    assert simulate(robosym.load("planar-2r"), duration=0.01).notes == ()


def test_motors_that_cannot_hold_the_arm() -> None:
    robot = sliding_mass(mass=2.0, limits=Limits(effort=15.0)).replace(gravity=(number(0), number(0), number(-9.81)))
    law = control.pid(robot, Kp=100.0, Kd=10.0)
    run = simulate(robot, law, [0.0], duration=0.01)
    assert any(
        "x cannot hold still where it starts: gravity takes 19.62, its limit is 15" in note for note in run.notes
    )


def test_friction_that_the_law_leaves_out_is_said() -> None:
    """Of trees and of closed loops; not where the law knows it, or the plant has none."""
    for name in ("planar-2r", "five-bar"):
        robot = robosym.load(name)
        law = robosym.control.computed_torque(robot, bandwidth=10)
        told = robosym.control.computed_torque(robot, bandwidth=10, friction=True)
        start = np.full(len(robot.moving), 0.1)
        options: dict[str, Any] = {"duration": 0.01, "friction": "stick", "limits": False}
        has = any(not robot.frame(j).actuator.Fv.is_zero for j in robot.moving)
        said = robosym.simulate(robot, law, start, **options).notes
        assert any("leaves out" in note for note in said) == has
        assert not any("leaves out" in note for note in robosym.simulate(robot, told, start, **options).notes)
        assert not any(
            "leaves out" in n for n in robosym.simulate(robot, law, start, **{**options, "friction": False}).notes
        )
