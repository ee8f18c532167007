"""A tree in floats against Pinocchio: poses, Jacobian matrices, drifts, torques, momentum."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from random_robots import random_robot

from robosym.verification.floats import FloatMoment, dh_matrix
from robosym.verification.mechanism import Mechanism, State
from robosym.verification.pinocchio_tree import PinocchioTree, installed

pytestmark = pytest.mark.skipif(not installed(), reason="Pinocchio is not installed")


@cache
def case(seed: int, floating: bool):
    from dataclasses import replace

    rng = np.random.default_rng(seed)
    robot = random_robot(rng, 5)
    robot = robot.replace(base=replace(robot.base, floating=floating))
    mechanism = Mechanism(robot, rotors=False)
    poses = {0: dh_matrix(*rng.uniform(-1, 1, 6))} if floating else {}
    x = {j: float(rng.uniform(-1, 1)) for j in mechanism.joints}
    state = State(x, poses, rng.uniform(-1, 1, mechanism.n))
    return mechanism, FloatMoment(mechanism, state), PinocchioTree(mechanism).at(state), rng.uniform(-1, 1, mechanism.n)


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_everything_is_as_pinocchio_has_it(seed: int, floating: bool) -> None:
    mechanism, own, other, a = case(seed, floating)
    for j in range(1, len(mechanism.robot.frames) + 1):
        np.testing.assert_allclose(own.pose(j), other.pose(j), atol=1e-12)
        np.testing.assert_allclose(own.jacobian(j), other.jacobian(j), atol=1e-12)
        np.testing.assert_allclose(own.drift(j), other.drift(j), atol=1e-11)
    for gravity in (True, False):
        np.testing.assert_allclose(own.torques(a, gravity), other.torques(a, gravity), atol=1e-10)
    np.testing.assert_allclose(own.centre(), other.centre(), atol=1e-12)
    np.testing.assert_allclose(own.momentum(), other.momentum(), atol=1e-11)
    np.testing.assert_allclose(own.momentum_rate(a), other.momentum_rate(a), atol=1e-10)
    assert own.potential() == pytest.approx(other.potential(), abs=1e-10)
