"""Labellings: the loop of six joints closes whatever joint it is entered at and in either sense."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from models.inverse_geometry.general.general_arms import ALL_REVOLUTE, KINDS, random_arm, random_motion

from robosym.models.inverse_geometry.general.invariants import joint_motion
from robosym.models.inverse_geometry.general.labelling import Labelling, inverse, labellings


def test_inverse() -> None:
    g = random_motion(np.random.default_rng(1))
    assert np.allclose(inverse(g) @ g, np.eye(4), atol=1e-14)
    both = np.array([g, np.eye(4)])
    assert np.allclose(inverse(both), [np.linalg.inv(g), np.eye(4)], atol=1e-14)


@pytest.mark.parametrize("kinds", KINDS)
def test_the_loop_closes(kinds: tuple[int, ...]) -> None:
    """J1 C1 J2 C2 ... J6 C6 = 1, with labelled joints that turn backwards in a loop that is run through backwards."""
    rng = np.random.default_rng(3)
    arm = random_arm(rng, kinds)
    q = rng.uniform(-2, 2, 6)
    X = arm.poses(q[None])[0]
    for labelling in labellings(kinds):
        sign = -1 if labelling.reverse else 1
        gaps = labelling.gaps(arm.constants)
        assert [gap is None for gap in gaps] == [label == labelling.place for label in range(1, 7)]
        assert labelling.kinds(arm) == [kinds[j] for j in labelling.order]
        assert labelling.hidden == labelling.order[2]
        loop = np.eye(4)
        for j, gap in zip(labelling.order, gaps, strict=True):
            C = labelling.gap_of_pose(X) if gap is None else gap
            loop = loop @ joint_motion(kinds[j], sign * arm.signs[j] * q[j]) @ C
        np.testing.assert_allclose(loop, np.eye(4), atol=1e-13, err_msg=str(labelling))


def test_the_labellings_of_six_revolute_joints() -> None:
    """Each of the six joints is hidden once for each half-angle that the equations are multiplied by."""
    found = list(labellings(ALL_REVOLUTE))
    assert len(found) == 12
    assert {(one.hidden, one.lifted) for one in found} == set(product(range(6), (0, 1)))
    assert {(one.place, one.reverse) for one in found} == set(product((3, 4, 5), (False, True)))
    assert found[0] == Labelling((1, 2, 3, 4, 5, 0), False, 5, 0)  # the pose after joint 6 of the arm


@pytest.mark.parametrize("kinds", [k for k in product((0, 1), repeat=6) if 0 < sum(k) < 3])
def test_joints_3_and_6_are_revolute(kinds: tuple[int, ...]) -> None:
    """And with two prismatic joints only a revolute one of joints 4 and 5 is lifted, beside a prismatic one."""
    found = list(labellings(kinds))
    assert found
    for one in found:
        labelled = [kinds[j] for j in one.order]
        assert labelled[2] == labelled[5] == 0
        beside = labelled[3] + labelled[4]
        if sum(kinds) == 2:
            assert one.lifted == (None if beside != 1 else labelled[3:5].index(0))
    if sum(kinds) == 1:  # four of six places have it elsewhere than at joints 3 and 6
        assert len(found) == 8
