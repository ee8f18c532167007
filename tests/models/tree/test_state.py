"""The symbols of the state: what an input array holds, and how coordinates change."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import robosym
from robosym.expr import evaluate, number, tangents, variable
from robosym.models.tree.state import coordinate_rates, joint_speed, speed_symbol, state_inputs, wrench_links
from robosym.robot import Robot, RobotError

ROBOT = robosym.load("planar-2r")


def with_joint(robot: Robot, j: int, **changes: object) -> Robot:
    frames = list(robot.frames)
    frames[j - 1] = replace(frames[j - 1], joint=replace(frames[j - 1].joint, **changes))
    return robot.replace(frames=tuple(frames))


def test_arrays_of_the_state() -> None:
    q, qd, tau = state_inputs(ROBOT, ("q", "qd", "tau"))
    assert q.entries == ROBOT.coordinates
    assert [x.name for x in (*qd.entries, *tau.entries)] == ["qd1", "qd2", "tau1", "tau2"]
    free = state_inputs(robosym.load("planar-2r", floating=True), ("q", "qd"))
    assert [array.shape for array in free] == [(9,), (8,)]


def test_a_speed_that_is_a_number_keeps_its_place() -> None:
    robot = with_joint(ROBOT, 1, velocity=number(0))
    assert speed_symbol(robot, 1) == number(0)
    assert state_inputs(robot, ("qd",))[0].entries == (variable("qd1"), variable("qd2"))


def test_one_symbol_for_two_things_is_refused() -> None:
    with pytest.raises(RobotError, match="'qd2' stands for two things"):
        state_inputs(with_joint(ROBOT, 1, velocity=variable("qd2")), ("qd",))
    with pytest.raises(RobotError, match=r"frame 1, velocity: .*expected one symbol or a number"):
        state_inputs(with_joint(ROBOT, 1, velocity=2 * variable("w")), ("qd",))


def test_wrenches_of_which_links() -> None:
    assert wrench_links(ROBOT, "terminal") == (2,)
    assert wrench_links(ROBOT, "all") == (1, 2)
    assert wrench_links(ROBOT, "none") == ()
    with pytest.raises(RobotError, match="expected 'terminal', 'all' or 'none'"):
        wrench_links(ROBOT, "some")


def test_a_dependent_joint_moves_with_its_master() -> None:
    from robosym.robot import Mimic

    robot = with_joint(ROBOT, 2, mimic=Mimic(1, number(-2), number(0)), variable=None)
    assert joint_speed(robot, 2) == -2 * variable("qd1")


def test_rates_of_a_free_base_are_those_of_a_small_step() -> None:
    """The pose moved by exp(qd dt) on its right: its velocity is given in its own axes."""
    robot = robosym.load("planar-2r", floating=True)
    rng = np.random.default_rng(1)
    q, qd, h = rng.uniform(-1, 1, robot.nq), rng.uniform(-1, 1, robot.nv), 1e-7
    q[3:7] /= np.linalg.norm(q[3:7])
    rates = coordinate_rates(robot)
    known = dict(zip((*robot.coordinates, *state_inputs(robot, ("qd",))[0].entries), (*q, *qd), strict=True))
    found = np.array(evaluate([rates[x] for x in robot.coordinates], known))
    x, y, z, w = q[3:7]
    left = np.array([[w, -z, y, x], [z, w, -x, y], [-y, x, w, z], [-x, -y, -z, w]])  # q * p for p = (x y z w)
    stepped = left @ [*(qd[3:6] * h / 2), 1]
    np.testing.assert_allclose(found[3:7], (stepped - q[3:7]) / h, atol=1e-7)
    v = np.array([x, y, z])
    turned = qd[:3] + 2 * np.cross(v, np.cross(v, qd[:3]) + w * qd[:3])
    np.testing.assert_allclose(found[:3], turned, atol=1e-14)
    np.testing.assert_allclose(found[7:], qd[6:])
    assert tangents([robot.coordinates[7]], rates) == [variable("qd1")]
