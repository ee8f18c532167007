"""Robots of any number of joints: every length, twist and inertia is a symbol with a value, and all bodies are possible ones."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

from robosym.expr import evaluate, number, parameter
from robosym.library.general import eel, general_robot
from robosym.models import inertia_matrix, inverse_dynamics
from robosym.robot import INERTIA, REVOLUTE, Link, Robot
from robosym.robot.checks import missing_values, problems

COUNTS = (1, 2, 3, 7, 30)


def numbers(robot: Robot, entries: object) -> list[float]:
    known = {name: value.number for name, value in robot.values.items()}
    return [float(x) for x in evaluate(list(entries), known)]  # type: ignore[call-overload]


@pytest.mark.parametrize("n", COUNTS)
def test_geometry_of_the_general_robot(n: int) -> None:
    """r1, d1, alpha1 and rn are zero, and everything else is a symbol of its own (SYMORO+ 1997, section 5.1)."""
    robot = general_robot(n)
    assert (robot.name, len(robot.frames), robot.structure) == (f"general-{n}r", n, "serial")
    assert problems(robot) == []
    for j, frame in enumerate(robot.frames, 1):
        zero = number(0)
        assert frame.sigma == REVOLUTE
        assert (frame.antecedent, frame.gamma, frame.b) == (j - 1, zero, zero)
        assert frame.alpha is (zero if j == 1 else parameter(f"alpha{j}"))
        assert frame.d is (zero if j == 1 else parameter(f"D{j}"))
        assert frame.r is (zero if j in (1, n) else parameter(f"RL{j}"))
        assert frame.theta is frame.joint.variable
        assert frame.link.inertial == tuple(parameter(f"{name}{j}") for name in INERTIA)
        actuator = frame.actuator
        assert (actuator.Ia, actuator.Fv, actuator.Fs) == tuple(parameter(f"{name}{j}") for name in ("IA", "FV", "FS"))
    assert robot.gravity == (number(0), number(0), parameter("G3"))
    assert len(robot.parameter_symbols) == 13 * n + 3 * (n - 1) - (1 if n > 1 else 0) + 1


@pytest.mark.parametrize("n", COUNTS)
def test_every_symbol_has_a_value_and_no_other_is_there(n: int) -> None:
    for robot in (general_robot(n), eel(n + 1)):
        assert missing_values(robot) == []
        assert set(robot.values) == {symbol.name for symbol in robot.parameter_symbols}
        assert all(value.unit and value.source for value in robot.values.values())


def central(robot: Robot, link: Link) -> np.ndarray:
    XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = numbers(robot, link.inertial)
    c = np.array([MX, MY, MZ]) / M
    assert M > 0
    return np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]]) - M * (c @ c * np.eye(3) - np.outer(c, c))


def test_bodies_are_possible_ones() -> None:
    """Principal moments about the centre of mass are positive, unequal, and none exceeds the sum of the others."""
    robot = eel(60)
    for link in (robot.base.link, *(frame.link for frame in robot.frames)):
        low, middle, high = np.linalg.eigvalsh(central(robot, link))
        assert 0 < low < middle < high < low + middle


def test_links_are_not_all_alike() -> None:
    """Lengths and twists differ from joint to joint, so that no term vanishes by chance."""
    robot = general_robot(6)
    for name in ("alpha", "d"):
        found = [numbers(robot, [getattr(frame, name)])[0] for frame in robot.frames[1:]]
        assert len(set(found)) == len(found)


@pytest.mark.parametrize("links", [2, 3, 9])
def test_an_eel_is_the_general_robot_on_a_free_head(links: int) -> None:
    made, arm = eel(links), general_robot(links - 1)
    assert (made.name, made.frames, made.gravity) == (f"eel-{links}", arm.frames, arm.gravity)
    assert (made.base.floating, made.base.name) == (True, "head")
    assert made.base.link.inertial == tuple(parameter(f"{name}0") for name in INERTIA)
    assert {name: made.values[name] for name in arm.values} == dict(arm.values)
    assert (made.nq, made.nv) == (links - 1 + 7, links - 1 + 6)
    assert arm.base.link == Link()


def test_torques_are_those_of_pinocchio() -> None:
    robot = general_robot(3)
    model = pin.Model()
    model.gravity.linear = np.array(numbers(robot, robot.gravity))
    for j, frame in enumerate(robot.frames):
        alpha, d, r = numbers(robot, [frame.alpha, frame.d, frame.r])
        R = pin.utils.rotate("x", alpha)
        at = pin.SE3(R, R @ np.array([d, 0, r]))
        model.addJoint(j, pin.JointModelRZ(), at, f"q{j}")
        *_, MX, MY, MZ, M = numbers(robot, frame.link.inertial)
        body = pin.Inertia(M, np.array([MX, MY, MZ]) / M, central(robot, frame.link))
        model.appendBodyToJoint(j + 1, body, pin.SE3.Identity())
    rotors = np.array(numbers(robot, [frame.actuator.Ia for frame in robot.frames]))
    q, qd, qdd = np.random.default_rng(3).uniform(-1, 1, (3, 3))
    data = model.createData()
    expected = pin.rnea(model, data, q, qd, qdd) + rotors * qdd
    viscous, dry = (numbers(robot, [getattr(f.actuator, name) for f in robot.frames]) for name in ("Fv", "Fs"))
    friction = np.array(viscous) * qd + np.array(dry) * np.sign(qd)
    for asked, more in ((False, 0), (True, friction)):
        found = inverse_dynamics(robot, friction=asked).evaluate(q=q, qd=qd, qdd=qdd)
        np.testing.assert_allclose(found, expected + more, atol=1e-12)
    A = np.asarray(inertia_matrix(robot).evaluate(q=q))
    assert np.linalg.eigvalsh(A)[0] > 0
