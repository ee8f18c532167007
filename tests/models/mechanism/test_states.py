"""States in numbers: in coordinates, and where closures leave motions; the two are the same on robots with closed loops."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.inertial_parameters.tied_robots import tied
from models.reference import loaded_robot

import robosym
from robosym.expr import expr, number, parameter, sqrt, variable
from robosym.models.loops.mechanism import mechanism_of
from robosym.models.loops.states import random_numbers
from robosym.models.mechanism.states import (
    States,
    TreeMotion,
    closed_motions,
    missing_values,
    require_values,
    table,
)
from robosym.robot import Robot, RobotError

COUNT = 4


def drawn(robot: Robot, seed: int = 0) -> tuple[TreeMotion, dict[object, np.ndarray], States]:
    motion = TreeMotion(robot)
    values = {s: robot.values[s.name].number for s in motion.constant}
    found = random_numbers(robot, motion.changing, values, np.random.default_rng(seed), COUNT)
    return motion, found, motion.states({**values, **found}, COUNT)  # type: ignore[return-value]


@pytest.mark.parametrize("seed", range(3))
def test_joints_follow_the_coordinates(seed: int) -> None:
    """A dependent joint its master, the base its description."""
    robot = loaded_robot(np.random.default_rng(seed), 7, symbolic=False)
    motion, at, states = drawn(robot)
    assert len(states) == COUNT
    assert states.joints == tuple(motion.joints)
    assert states.motions.shape == (COUNT, 6 + len(states.joints), robot.nv)
    own = motion.bodies.coordinates
    qd = np.column_stack([at[x] for x in own.qd])
    np.testing.assert_allclose(np.einsum("bij,bj->bi", states.motions, qd)[:, 6:], states.u[:, 6:], atol=1e-14)
    for k, j in enumerate(states.joints):
        master, ratio = j, 1.0
        x = None
        while (mimic := robot.frame(master).joint.mimic) is not None:
            ratio, master = ratio * float(mimic.ratio.value), mimic.frame
        place = robot.moving.index(master)
        np.testing.assert_allclose(states.u[:, 6 + k], ratio * qd[:, place], atol=1e-14)
        np.testing.assert_allclose(states.ud[:, 6 + k], ratio * at[own.qdd[place]], atol=1e-14)
        if master == j:
            x = at[robot.frame(j).joint.variable]
            np.testing.assert_array_equal(states.x[:, k], x)
    for part, entries in ((states.u[:, 3:6], robot.base.angular_velocity), (states.ud[:, :3], robot.base.acceleration)):
        np.testing.assert_allclose(part, np.tile([float(x.value) for x in entries], (COUNT, 1)))
    np.testing.assert_allclose(states.gravity, np.tile([float(x.value) for x in robot.gravity], (COUNT, 1)))


def test_a_free_base_has_six_speeds_of_its_own() -> None:
    robot = robosym.load("planar-3r")
    robot = robot.replace(base=replace(robot.base, floating=True))
    motion, at, states = drawn(robot)
    own = motion.bodies.coordinates
    np.testing.assert_array_equal(states.motions, np.tile(np.eye(9), (COUNT, 1, 1)))
    np.testing.assert_array_equal(states.u, np.column_stack([at[x] for x in own.qd]))
    late = states.ud - np.column_stack(
        [at[x] for x in own.qdd]
    )  # the acceleration of the origin, as an observer sees it
    np.testing.assert_allclose(late[:, :3], np.cross(states.u[:, 3:6], states.u[:, :3]), atol=1e-14)
    np.testing.assert_array_equal(late[:, 3:], 0)


@pytest.mark.parametrize("name", ["four-bar", "slider-crank", "five-bar", "palletizer"])
def test_closed_loops_have_the_motions_that_their_cut_joints_leave(name: str) -> None:
    """The rates in closed form are among those in numbers, and so are their own rates."""
    robot = tied(name)
    closure = robot.closure
    assert closure is not None
    _, _, states = drawn(robot)
    size = mechanism_of(robot, {parameter(n): v.number for n, v in robot.values.items()}).size
    closings = [(cut, twin, False) for cut, twin in closure.cuts]
    ground = (0, 0, False)
    for a, b in (pair[:2] for pair in closings):
        np.testing.assert_allclose(states.moving[a].T, states.moving[b].T, atol=1e-9)
    motions, u, ud = closed_motions(
        states.linkage, [*closings, ground], size, states.T, states.x, np.random.default_rng(1)
    )
    held = [k for k in range(motions.shape[1]) if np.abs(states.motions[:, k]).any()]
    assert min(held) >= 6
    free = motions.shape[2] - 6  # the root is not held
    assert free == robot.nv
    for b in range(COUNT):
        still = motions[b] @ np.linalg.svd(motions[b, :6])[2][6:].T  # those with the base at rest
        assert np.linalg.matrix_rank(np.hstack([still, states.motions[b]]), tol=1e-8) == robot.nv
    at_rest = np.zeros_like(states.u)
    for own, rate in ((states.u, states.ud), (u, ud)):
        moving = states.linkage.moving(states.T, states.x, motions, own, rate)
        for a, b in (pair[:2] for pair in closings):
            assert np.abs(moving[a].w - moving[b].w).max() < 1e-8
            assert np.abs(moving[a].wd - moving[b].wd).max() < 1e-7
            assert np.abs(moving[a].a - moving[b].a).max() < 1e-7 * max(size, 1)
        assert np.abs(own - at_rest).max() > 0.1


def test_a_table_of_expressions() -> None:
    x, y = variable("x"), parameter("y")
    found = table([x * y, 2, y], {x: np.array([1.0, 2.0]), y: 3.0}, 2)
    np.testing.assert_array_equal(found, [[3, 2, 3], [6, 2, 3]])
    assert table([], {}, 3).shape == (3, 0)


def test_values_that_are_missing() -> None:
    robot = robosym.load("planar-2r")
    assert missing_values(robot, [x for frame in robot.frames for x in frame.geometry]) == []
    with pytest.raises(RobotError, match="needs numbers for its geometry and gravity; AA, BB have none"):
        require_values(robot, [parameter("BB") + parameter("AA"), variable("q9")])
    low = replace(robot, gravity=(sqrt(parameter("Z")), number(0), expr(0)))
    motion = TreeMotion(low)
    numbers = dict.fromkeys((*motion.changing, *motion.constant), 0.5) | {parameter("Z"): -1.0}
    with pytest.raises(RobotError, match=r"sqrt\(Z\) has no value with the robot's values"):
        motion.states(numbers, 2)
