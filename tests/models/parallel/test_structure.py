"""The parts of a parallel robot, against products of matrices and the description."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.loops.described_places import frame_matrix, motions_matrix, values_at
from models.parallel.random_platforms import random_platform

import robosym
from robosym.expr import evaluate, expr, number
from robosym.models.parallel.structure import as_closed_loops, is_hybrid, module_of
from robosym.robot import FIXED, Robot, RobotError
from robosym.spatial.rotations import Turn

KINDS = ("6-UPS", "3-RPS", "3-PUU", "6-UPS-wrist", "planar-3-RRR")


def case(kind: str, seed: int = 1) -> Robot:
    return random_platform(kind, seed, named=None)[0]


def chain(robot: Robot, frames: tuple[int, ...], values: dict) -> np.ndarray:
    T = np.eye(4)
    for j in frames:
        T = T @ frame_matrix(robot, j, values)
    return T


def numeric(vector: object, values: dict) -> list[float]:
    return [float(x) for x in evaluate([expr(x) for x in vector], values)]  # type: ignore[attr-defined]


def matrix(columns: object, position: object, values: dict) -> np.ndarray:
    T = np.eye(4)
    T[:3] = np.array([numeric(column, values) for column in (*columns, position)]).T  # type: ignore[misc]
    return T


@pytest.mark.parametrize("kind", KINDS)
def test_legs_mounts_and_seats(kind: str) -> None:
    robot = case(kind)
    module, values = module_of(robot), values_at(robot)
    for leg in module.legs:
        assert leg.frames == robot.path(leg.leg.end)
        assert leg.joints == tuple(j for j in leg.frames if robot.frame(j).sigma != FIXED)
        assert leg.motors == tuple(j for j in leg.joints if robot.frame(j).joint.active)
        assert leg.rows == (3 if leg.leg.joint == "spherical" else 6)
        before = leg.frames[: leg.frames.index(leg.joints[0])]
        assert leg.moving_frames == leg.frames[len(before) :]
        T = chain(robot, before, values)
        np.testing.assert_allclose(motions_matrix(leg.mount, values), T, atol=1e-12)
        np.testing.assert_allclose(numeric(leg.mount_position, values), T[:3, 3], atol=1e-12)
        first = robot.frame(leg.joints[0])
        if not leg.mount_turn.is_zero:
            c = float(np.cos(float(evaluate([leg.mount_turn], values)[0])))
            assert T[0, 0] == pytest.approx(c)
            assert T[2, 2] == pytest.approx(1)
            assert leg.standing == ()
            assert first.alpha.is_zero
        else:
            assert leg.standing == leg.mount_rotation
            assert all(isinstance(turn, Turn) for turn in leg.standing)
        path = robot.path(leg.leg.seat)
        on = path[path.index(module.platform.frame) + 1 :]
        np.testing.assert_allclose(matrix(*leg.seat, values), chain(robot, on, values), atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_a_leg_alone_moves_as_it_does_on_its_mount(kind: str) -> None:
    """With and without its wrist, about the centre that is fixed to the platform."""
    robot = case(kind)
    described = values_at(robot)
    rng = np.random.default_rng(0)
    for leg in module_of(robot).legs:
        values = dict(described)
        for j in leg.joints:
            values[robot.frame(j).joint.variable] = float(rng.uniform(-1, 1))
        expected = chain(robot, leg.moving_frames, values)
        np.testing.assert_allclose(alone(leg.shape, robot, leg.moving_frames, values), expected, atol=1e-12)
        if not leg.wrist:
            continue
        before = tuple(j for j in leg.moving_frames if j not in leg.wrist)
        to = alone(leg.arm_shape, robot, before, values)
        turned = to @ alone(leg.wrist_shape, robot, leg.wrist, values)
        np.testing.assert_allclose(turned, expected, atol=1e-12)
        np.testing.assert_allclose((expected @ [*numeric(leg.centre, values), 1])[:3], to[:3, 3], atol=1e-12)


def alone(shape: Robot, robot: Robot, frames: tuple[int, ...], values: dict) -> np.ndarray:
    """The end of a leg's part, its joints where those of these frames are."""
    own = dict(values)
    for frame, j in zip(shape.frames, frames, strict=False):
        assert frame.sigma == robot.frame(j).sigma
        if frame.joint.variable is not None:
            own[frame.joint.variable] = values[robot.frame(j).joint.variable]
    return chain(shape, shape.path(len(shape.frames)), own)


@pytest.mark.parametrize("kind", KINDS)
def test_the_module(kind: str) -> None:
    robot = case(kind)
    module = module_of(robot)
    frame = module.platform.frame
    assert set(module.joints) == {j for leg in module.legs for j in leg.joints}
    assert module.motors == tuple(j for j in robot.moving if j not in module.carried)
    assert module.carried == tuple(j for j in robot.order if j != frame and frame in robot.path(j))
    assert bool(module.carried_joints) == (kind == "6-UPS-wrist")
    assert sum(map(len, module.alike)) == len(module.legs)
    for group in module.alike:
        assert {leg.kind for leg in group} == {group[0].kind}
    only = module.only(module.legs[0].frames)
    for j, one in enumerate(only.frames, 1):
        assert (one.sigma == robot.frame(j).sigma and one.link == robot.frame(j).link) or j not in module.legs[0].frames
        assert one.antecedent == (robot.frame(j).antecedent if j in module.legs[0].frames else 0)
    carrier = module.carrier
    assert carrier.base.floating
    assert carrier.base.link == robot.frame(frame).link
    for j in module.carried:
        above = robot.frame(j).antecedent
        assert carrier.frame(j).antecedent == (0 if above == frame else above)
    names = [module.legs[0].short_name(k) for k in range(len(module.legs[0].joints))]
    full = [robot.frame(j).joint.name for j in module.legs[0].joints]
    assert module.legs[0].joint_names() == ", ".join(full)
    assert all(
        a.endswith(b) or robot.frame(j).name.endswith(b)
        for a, b, j in zip(full, names, module.legs[0].joints, strict=True)
    )


def test_legs_that_differ_in_a_length_are_not_alike() -> None:
    robot = robosym.load("delta")
    assert len(module_of(robot).alike) == 1
    j = module_of(robot).legs[1].joints[1]
    other = replace(robot.frame(j), d=robot.frame(j).d + number(0.01))
    frames = tuple(other if k == j else f for k, f in enumerate(robot.frames, 1))
    assert sorted(map(len, module_of(robot.replace(frames=frames)).alike)) == [1, 2]


def test_what_is_refused() -> None:
    robot = robosym.load("delta")
    for changed, words in (
        (robosym.load("rx90"), "has no platform on legs"),
        (robot.replace(platforms=robot.platforms * 2), "2 modules, one on another"),
        (robot.replace(base=replace(robot.base, floating=True)), "base: moves"),
        (robot.replace(base=replace(robot.base, velocity=(number(0), number(1), number(0)))), "base: moves"),
        (robot.replace(base=replace(robot.base, acceleration=(number(0), number(1), number(0)))), "base: accelerates"),
    ):
        with pytest.raises(RobotError, match=words):
            module_of(changed)
    assert not is_hybrid(robot)
    assert is_hybrid(robot.replace(platforms=robot.platforms * 2))
    assert as_closed_loops(robot) is as_closed_loops(robot)
    assert as_closed_loops(robot).loops == 2
