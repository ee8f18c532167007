"""Pivots: reciprocals of what is not zero, and the joint named where it is."""

from __future__ import annotations

import pytest

import robosym
from robosym.expr import number, parameter
from robosym.models.dynamic.forward.pivots import MasslessJointError, Pivots, massless, require_inertia
from robosym.robot import RobotError


def test_a_pivot_is_remembered_and_inverted() -> None:
    pivots = Pivots()
    assert pivots.reciprocal(3, 4.0) == 0.25
    assert pivots.reciprocal(1, 0.5) == 2.0
    assert pivots.found == {3: 4.0, 1: 0.5}


@pytest.mark.parametrize("zero", [0, 0.0, number(0)])
def test_a_pivot_of_zero_names_its_joint(zero: object) -> None:
    with pytest.raises(MasslessJointError) as caught:
        Pivots().reciprocal(2, zero)  # type: ignore[arg-type]
    assert caught.value.axis == 2


def test_a_pivot_that_is_zero_at_a_random_state_is_refused() -> None:
    """Relative to the inertia that the joint carries: rounding is no inertia."""
    robot, J = robosym.load("planar-2r"), parameter("J")
    require_inertia(robot, {1: J, 2: 2 * J}, {1: J, 2: J})
    for nothing in (J - J * 1.0, J * 1e-17):
        with pytest.raises(RobotError, match=f"joint '{robot.frame(2).joint.name}': moves no inertia"):
            require_inertia(robot, {1: J, 2: nothing}, {1: J, 2: J})
    with pytest.raises(RobotError, match="moves no inertia"):
        require_inertia(robot, {1: J, 2: J * 1e-9}, {1: J, 2: J * 1e9})
    assert "moves no inertia" in str(massless(robot, 1))
