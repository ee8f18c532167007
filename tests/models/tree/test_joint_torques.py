"""What a motor spends on itself: its rotor, friction and springs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from random_robots import random_robot

from robosym.expr import evaluate, parameter
from robosym.models.tree.bodies import tree
from robosym.models.tree.joint_torques import actuator_torque
from robosym.robot import FIXED, Actuator


@pytest.mark.parametrize(("friction", "rotor"), [(False, False), (True, True), (False, True), (True, False)])
def test_what_a_motor_spends_on_itself(friction: bool, rotor: bool) -> None:
    rng = np.random.default_rng(0)
    robot = random_robot(rng, 4)
    actuator = Actuator(Ia=parameter("J"), Fv=parameter("V"))
    frames = tuple(f if f.sigma == FIXED else replace(f, actuator=actuator) for f in robot.frames)
    robot = robot.replace(frames=frames)
    bodies = tree(robot)
    for b in bodies.bodies:
        values = {s: float(rng.uniform(1, 2)) for s in {*bodies.coordinates.qd, *bodies.coordinates.qdd}}
        values |= {parameter("J"): 0.3, parameter("V"): 0.7}
        (x,) = evaluate([actuator_torque(bodies, b, friction, rotor)], values)
        speed, rate = (
            float(evaluate([one(b.j)], values)[0])
            for one in (bodies.coordinates.speed, bodies.coordinates.acceleration)
        )
        more = (0.7 * speed if friction else 0) + (0.3 * rate if rotor else 0)
        assert float(x) == pytest.approx(more)
