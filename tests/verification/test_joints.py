"""Joints of several axes in plain floats: poses, twists and rates against differences, and whole robots with them."""

from __future__ import annotations

import numpy as np
import pytest
from random_joint_kinds import KINDS, joint_tree
from verification.kinds import Sine

from robosym.errors import RobosymError
from robosym.robot import REVOLUTE
from robosym.robot.joints import Ball, JointKind, Universal
from robosym.verification import verify
from robosym.verification.joints import joint_at, position_rates, require_reference

STEP = 1e-6


def _state(kind: JointKind) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    q, qd = rng.uniform(-1, 1, kind.nq), rng.uniform(-1, 1, kind.nv)
    if (first := kind.quaternion) is not None:
        q[first : first + 4] /= np.linalg.norm(q[first : first + 4])
    return q, qd


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_twists_and_drift_are_slopes_of_the_pose(kind: JointKind) -> None:
    q, qd = _state(kind)
    rate, numbers = position_rates(kind, q, qd), {"pitch": 0.37}
    here = joint_at(kind, numbers, q, qd)
    after, before = (joint_at(kind, numbers, q + sign * STEP * rate, qd) for sign in (1, -1))
    slope = (after.pose - before.pose) / (2 * STEP)
    R, twist = here.pose[:3, :3], here.twists @ qd
    spin = R.T @ slope[:3, :3]
    np.testing.assert_allclose(twist[:3], R.T @ slope[:3, 3], atol=1e-8)
    np.testing.assert_allclose(twist[3:], [spin[2, 1], spin[0, 2], spin[1, 0]], atol=1e-8)
    np.testing.assert_allclose(here.drift, (after.twists - before.twists) @ qd / (2 * STEP), atol=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("pinocchio", [True, False])
@pytest.mark.parametrize("floating", [True, False])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_all_models(kind: JointKind, floating: bool, pinocchio: bool) -> None:
    _verified([REVOLUTE, kind], floating, pinocchio)


@pytest.mark.parametrize("pinocchio", [True, False])
def test_two_joints(pinocchio: bool) -> None:
    if pinocchio:
        pytest.importorskip("pinocchio")
    _verified([Universal(), Ball()], False, pinocchio)


def _verified(choices: list[int | JointKind], floating: bool, pinocchio: bool) -> None:
    robot = joint_tree(choices, np.random.default_rng(1), floating=floating, serial=True)
    rows = verify(robot, states=1, pinocchio=pinocchio)
    assert [row for row in rows if row.differs] == []
    assert {"inverse-dynamics", "forward-dynamics", "jacobian", "geometric"} <= {
        row.model for row in rows if row.verdict == "same"
    }


def test_a_kind_without_a_reference_is_named() -> None:
    with pytest.raises(RobosymError, match="a sine joint has no reference"):
        require_reference(Sine())
    robot = joint_tree([Sine()], np.random.default_rng(1))
    rows = verify(robot)
    assert {row.verdict for row in rows} == {"not verified"}
    assert "a sine joint has no reference" in rows[0].why
