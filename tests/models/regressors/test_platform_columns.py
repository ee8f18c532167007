"""Columns of parameters on legs and platform, brought to the motors: by power at random states."""

from __future__ import annotations

import numpy as np
import pytest
from models.parallel.moving_platforms import moving

from robosym.models.parallel.kinematics import modes_of
from robosym.models.parallel.owners import owners_of
from robosym.models.regressors import platform_columns
from robosym.models.regressors.of_platform import _inertial
from robosym.models.regressors.platform_columns import Parts, at_platform, on_motors, parts_of


def test_parts_add_up() -> None:
    parts = Parts()
    parts.add("a", {1: 2, 2: 3})
    parts.add("a", {2: 4}, [1, 2, 3, 4, 5, 6])
    parts.add("a", {}, [1] * 6)
    parts.add("b", {7: 1})
    assert parts.joints == {"a": {1: 2, 2: 7}, "b": {7: 1}}
    assert parts.wrenches == {"a": [2, 3, 4, 5, 6, 7]}


@pytest.mark.parametrize("kind", ["3-RPS"])
def test_the_power_of_every_column_is_the_same_on_joints_platform_and_motors(kind: str) -> None:
    at = moving(kind)
    motion, owners = at.motion, owners_of(at.motion.module, None)
    own = _inertial(owners, "standard", True, modes_of(at.robot).default)
    parts = parts_of(motion, owners, own, True)
    platform, motors = at_platform(motion, parts), on_motors(motion, parts)
    assert set(platform) == set(motors) == set(parts.joints)
    moving_ = at.robot.moving
    names = sorted(parts.joints)
    assert {"MP", "XXP"} <= set(names)
    some = [name for k, name in enumerate(names) if k % 4 == 0 or name.startswith(("M", "IA", "FV"))]
    for name in some:
        torques = parts.joints[name]
        wrench = parts.wrenches.get(name, [0] * 6)
        expected = np.einsum("bi,bi->b", at.numbers(wrench), at.states.u[:, :6])
        for j, x in torques.items():
            expected = expected + at.numbers([x])[:, 0] * at.speed(j)
        on = np.einsum("bi,bi->b", at.numbers(platform[name]), at.states.u[:, :6])
        np.testing.assert_allclose(on, expected, rtol=1e-7, atol=1e-8, err_msg=name)
        driven = np.array([at.speed(j) for j in moving_]).T
        np.testing.assert_allclose(
            np.einsum("bi,bi->b", at.numbers(motors[name]), driven), expected, rtol=1e-7, atol=1e-8, err_msg=name
        )
    assert not any(platform_columns._used(parts, j) for j in (0, motion.module.platform.frame))
