"""A robot's legs in numbers: against products of matrices, differences, and the description it came from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.parallel.direct_robots import known
from models.reference import dh_matrix, numbers

import robosym
from robosym.errors import RobosymError
from robosym.expr import evaluate, sin
from robosym.models.mechanism.newton import moved
from robosym.models.parallel.direct.mechanism import Mechanism, mechanism_of
from robosym.robot import PRISMATIC, REVOLUTE, Robot, Value

KINDS = ("3-RUU", "6-PUS", "3-UPS-UP", "planar-3-RPR")


def random_positions(mechanism: Mechanism, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-1, 1, (3, len(mechanism.passive)))


def pose_of(robot: Robot, path: tuple[int, ...], values: dict) -> np.ndarray:
    T = np.eye(4)
    for j in path:
        T = T @ dh_matrix(*(float(x) for x in evaluate(list(robot.geometry(j)), values)))
    return T


@pytest.mark.parametrize("kind", KINDS)
def test_the_ends_of_legs_are_products_of_their_frames(kind: str) -> None:
    robot, q, _ = known(kind, 1)
    mechanism = mechanism_of(robot, q)
    for x in random_positions(mechanism, 0):
        joints = dict(zip(mechanism.passive, mechanism.joints(x[None])[0], strict=True))
        joints |= dict(zip(robot.moving, q, strict=True))
        values = {robot.frame(j).joint.variable: float(at) for j, at in joints.items()}
        values |= {s: robot.values[s.name].number for s in robot.parameter_symbols if s.name in robot.values}
        for limb, leg in zip(mechanism.limbs, robot.platforms[0].legs, strict=True):
            T = limb.end(x[None])[0][0].copy()
            T[:3, 3] *= mechanism.size
            np.testing.assert_allclose(T, pose_of(robot, robot.path(leg.end), values), atol=1e-12)
            assert [mechanism.passive[k] for k in limb.uses] == [
                j for j in robot.path(leg.end) if j in mechanism.passive
            ]
            path = robot.path(leg.seat)
            seat = pose_of(robot, path[path.index(robot.platforms[0].frame) + 1 :], values)
            np.testing.assert_allclose(limb.seat[:3, 3] * mechanism.size, seat[:3, 3], atol=1e-13)
            np.testing.assert_allclose(limb.seat[:3, :3], seat[:3, :3], atol=1e-13)
            np.testing.assert_array_equal(limb.turns, [robot.frame(j).sigma == REVOLUTE for j in robot.path(leg.end)])


@pytest.mark.parametrize("kind", [*KINDS, "3-RPS"])
def test_the_slopes_are_derivatives_of_the_residuals(kind: str) -> None:
    """Where all legs are closed."""
    robot, q, home = known(kind, 2)
    mechanism = mechanism_of(robot, q)
    x = state_at(mechanism, home)
    J = mechanism.equations(x)[1]
    for k in range(J.shape[2]):
        step = np.zeros((1, J.shape[2]))
        step[:, k] = 1e-6
        rate = (mechanism.equations(moved(x, step))[0] - mechanism.equations(moved(x, -step))[0]) / 2e-6
        np.testing.assert_allclose(rate, J[:, :, k], atol=1e-8)


def state_at(mechanism: Mechanism, home: np.ndarray) -> np.ndarray:
    """The platform at this pose in world, passive joints as described."""
    own = np.linalg.inv(mechanism.location) @ home
    return np.concatenate([own[:3, :3].ravel(), own[:3, 3] / mechanism.size, mechanism.home])[None]


@pytest.mark.parametrize("kind", KINDS)
def test_all_legs_are_closed_at_home(kind: str) -> None:
    """The described positions of passive joints, over the size, with the pose of the platform."""
    robot, q, home = known(kind, 3)
    mechanism = mechanism_of(robot, q)
    own = np.linalg.inv(mechanism.location) @ home
    assert np.abs(mechanism.equations(state_at(mechanism, home))[0]).max() < 1e-10
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = own[:3, :3], own[:3, 3] / mechanism.size
    np.testing.assert_allclose(mechanism.placed(T[None])[0], home, atol=1e-12)
    described = [robot.frame(j).joint.position for j in mechanism.passive]
    turns = ~mechanism.slides
    apart = mechanism.joints(mechanism.home[None])[0] - described
    assert np.abs(np.where(turns, np.sin(apart / 2), apart)).max() < 1e-12
    np.testing.assert_array_equal(mechanism.slides, [robot.frame(j).sigma == PRISMATIC for j in mechanism.passive])
    np.testing.assert_array_equal(mechanism.units, np.where(mechanism.slides, 1.0, np.pi))
    assert mechanism.passive_names == tuple(robot.frame(j).joint.name for j in mechanism.passive)
    assert not mechanism.tangled


def test_angles_of_passive_joints_are_within_half_a_turn() -> None:
    robot, q, _ = known("3-RUU", 1)
    mechanism = mechanism_of(robot, q)
    x = np.linspace(-9, 9, len(mechanism.passive))[None]
    angles = mechanism.joints(x)
    assert np.abs(angles).max() <= np.pi
    np.testing.assert_allclose(np.exp(1j * angles), np.exp(1j * x), atol=1e-12)


def test_a_part_has_the_joints_that_move_it() -> None:
    robot, q, _ = known("6-PUS", 1)
    whole = mechanism_of(robot, q)
    limb = whole.limbs[2]
    part = whole.part([limb], limb.uses)
    x = random_positions(whole, 3)
    np.testing.assert_array_equal(part.limbs[0].end(x[:, limb.uses])[0], limb.end(x)[0])
    assert part.passive == tuple(whole.passive[k] for k in limb.uses)


def test_legs_with_joints_in_common_are_tangled() -> None:
    robot, q, _ = known("3-RUU", 1)
    mechanism = mechanism_of(robot, q)
    assert replace(mechanism, limbs=(mechanism.limbs[0], mechanism.limbs[0])).tangled


def test_parameters_given_come_before_those_of_the_description() -> None:
    robot = robosym.load("planar-3rrr")
    q = [0.1, 0.2, 0.3]
    given, own = mechanism_of(robot, q, {"L2": 0.35}), robot.replace(values={**robot.values, "L2": Value(0.35)})
    np.testing.assert_array_equal(given.limbs[1].before, mechanism_of(own, q).limbs[1].before)
    assert np.abs(given.limbs[1].before * given.size - mechanism_of(robot, q).limbs[1].before * given.size).max() > 1e-3
    with pytest.raises(RobosymError, match="'L2': expected one number"):
        mechanism_of(robot, q, {"L2": [0.35, 0.4]})


def test_the_size_is_that_of_the_longest_leg() -> None:
    """All lengths of a leg, or of the frames from the platform to a seat, added up."""
    robot = robosym.load("planar-3rrr")
    small = mechanism_of(robot, [0.1, 0.2, 0.3])
    frames = [path for leg in robot.platforms[0].legs for path in (robot.path(leg.end), robot.path(leg.seat)[1:])]
    assert robot.path(robot.platforms[0].legs[0].seat)[0] == robot.platforms[0].frame
    lengths = [sum(np.abs(numbers(robot, robot.geometry(j)))[[1, 3, 5]].sum() for j in path) for path in frames]
    assert small.size == pytest.approx(max(lengths), rel=1e-12)


def test_frames_that_are_not_linear_in_the_joints_are_refused() -> None:
    robot, q, _ = known("3-RUU", 1)
    j = mechanism_of(robot, q).passive[0]
    bent = replace(robot.frame(j), theta=sin(robot.frame(j).theta))
    frames = tuple(bent if k == j else frame for k, frame in enumerate(robot.frames, 1))
    with pytest.raises(RobosymError, match="linear in the positions"):
        mechanism_of(robot.replace(frames=frames), q)
