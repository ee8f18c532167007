"""The torques that are requested: what moves the links, with rotors and friction or without."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from random_robots import random_robot

from robosym.expr import evaluate, number, parameter
from robosym.models.parallel.demand import Demand
from robosym.models.tree.bodies import tree
from robosym.robot import FIXED, Actuator


@pytest.mark.parametrize(
    ("order", "friction", "rotor"), [(0, True, True), (2, False, False), (2, True, True), (2, False, True)]
)
def test_torques(order: int, friction: bool, rotor: bool) -> None:
    rng = np.random.default_rng(0)
    robot = random_robot(rng, 4)
    actuator = Actuator(Ia=parameter("J"), Fv=parameter("V"))
    frames = tuple(f if f.sigma == FIXED else replace(f, actuator=actuator) for f in robot.frames)
    robot = robot.replace(frames=frames)
    bodies = tree(robot)
    links = {b.j: number(10 * b.j) for b in bodies.bodies}
    found = Demand(order, friction, rotor).torques(bodies, links)
    assert set(found) == set(links)
    for b in bodies.bodies:
        values = {s: float(rng.uniform(1, 2)) for s in {*bodies.coordinates.qd, *bodies.coordinates.qdd}}
        values |= {parameter("J"): 0.3, parameter("V"): 0.7}
        (x,) = evaluate([found[b.j]], values)
        speed, rate = (
            float(evaluate([one(b.j)], values)[0])
            for one in (bodies.coordinates.speed, bodies.coordinates.acceleration)
        )
        more = (0.7 * speed if friction else 0) + (0.3 * rate if rotor else 0)
        assert float(x) == pytest.approx(10 * b.j + (more if order else 0))
