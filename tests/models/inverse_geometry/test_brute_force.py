"""The judge judged: arms whose solutions are known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from models.inverse_geometry.brute_force import CONTINUUM, FOLD, ISOLATED, classified, search
from models.inverse_geometry.judged_arm import Arm
from models.inverse_geometry.sixteen import POSE, arm, check_all_sixteen

import robosym
from robosym.models import transform


@pytest.mark.parametrize("name", ["planar-3r", "stanford", "ur5"])
def test_its_forward_geometry_is_that_of_the_model(name):
    robot = robosym.load(name)
    arm = Arm.of(robot)
    q = np.random.default_rng(1).uniform(-3, 3, (20, arm.n))
    np.testing.assert_allclose(arm.poses(q), transform(robot).compile()(q=q), atol=1e-14)


def test_its_jacobian_is_the_derivative():
    arm = Arm.of(robosym.load("stanford"))
    q, step = np.random.default_rng(2).uniform(-3, 3, (5, arm.n)), 1e-6
    R, p, _, _ = arm.forward(q)
    _, J = arm.errors(q, R, p)
    for k in range(arm.n):
        ahead = arm.forward(q + step * np.eye(arm.n)[k])
        back, _ = arm.errors(q - step * np.eye(arm.n)[k], ahead[0], ahead[1])
        np.testing.assert_allclose(back / (2 * step), J[:, :, k], atol=1e-8)


@pytest.mark.parametrize(("name", "count"), [("planar-2r", 2), ("planar-3r", 2), ("puma560", 8), ("ur5", 8)])
def test_it_finds_as_many_as_there_are(name, count):
    arm = Arm.of(robosym.load(name), name == "planar-2r")
    q = np.random.default_rng(3).uniform(0.4, 1.2, (4, arm.n))
    for own, found in zip(q, search(arm, arm.poses(q)), strict=True):
        assert len(found.solutions) == len(found.of(ISOLATED)) == count
        assert found.complete
        assert min(arm.distance(one.q, own) for one in found.solutions) < 1e-10


def test_it_finds_sixteen():
    judged = Arm.of(arm())
    (found,) = search(judged, POSE[None])
    check_all_sixteen(np.array([one.q for one in found.solutions]) * judged.units, 1e-12)


def test_it_tells_double_roots_from_self_motions():
    puma = Arm.of(robosym.load("puma560"))
    straight_wrist = np.array([0.3, 0.4, 0.5, 0.6, 0.0, 0.7])
    one = classified(puma, straight_wrist, puma.poses(straight_wrist)[0])
    assert (one.kind, one.dimension) == (CONTINUUM, 1)
    assert one.moving.tolist() == [False, False, False, True, False, True]

    rx90 = robosym.load("rx90")
    arm = Arm.of(rx90)
    elbow = math.pi / 2  # where the wrist is farthest from the shoulder
    stretched = np.array([0.3, 0.4, elbow, 0.6, 0.8, 0.7])
    if np.linalg.norm(arm.poses(stretched)[0, :3, 3]) < 0.5:
        stretched[2] = -elbow
    one = classified(arm, stretched / arm.units, arm.poses(stretched)[0])
    assert one.kind == FOLD

    both = stretched.copy()
    both[4] = 0.0  # a straight wrist on the stretched arm: rank four, and one dimension of motion
    one = classified(arm, both, arm.poses(both)[0])
    assert (one.kind, one.dimension) == (CONTINUUM, 1)


def test_out_of_reach_it_finds_nothing():
    arm = Arm.of(robosym.load("rx90"))
    T = arm.poses(np.full(6, 0.3))[0]
    T[:3, 3] *= 3
    (found,) = search(arm, T[None])
    assert not found.solutions
    assert found.nearest > 0.1
