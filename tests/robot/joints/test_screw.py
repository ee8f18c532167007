"""Screw joint: displacement in proportion to the angle."""

from __future__ import annotations

import numpy as np
from robot.joints.chain_motion import Numbers, check_kind, shift_z, state, turn

from robosym.expr import number, parameter
from robosym.robot.joints import Screw


def test_motion() -> None:
    check_kind(Screw(number(0.37)))
    check_kind(Screw(parameter("p")), {"p": -0.2})


def test_one_turn_is_the_pitch() -> None:
    kind = Screw(number(0.37))
    pose = Numbers(kind, np.array([0.3]), np.ones(1), {}).pose(np.zeros(2))
    np.testing.assert_allclose(pose, turn("z", 0.3) @ shift_z(0.37 * 0.3 / (2 * np.pi)))
    whole = Numbers(kind, np.array([2 * np.pi]), np.ones(1), {}).pose(np.zeros(2))
    np.testing.assert_allclose(whole, shift_z(0.37), atol=1e-15)


def test_a_pitch_of_zero_is_named() -> None:
    ((field, problem),) = Screw(number(0)).problems()
    assert (field, "not zero" in problem) == ("pitch", True)
    assert not list(Screw(number(0.1)).problems())
    assert state(Screw(number(0.1)))[0].shape == (1,)
