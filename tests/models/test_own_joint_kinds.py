"""Joint kinds that are written outside of the library: a slider along a cubic curve, and one that turns with its tangent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from models.pinocchio_states import _inertia, pin
from models.reference import dh_matrix, numbers
from random_joint_kinds import joint_tree

from robosym import models
from robosym.expr import Expr, atan2, expr, number
from robosym.robot import REVOLUTE, Frame, Robot
from robosym.robot.joints import Entry, JointKind, Step
from robosym.robot.joints.kind import QUARTER, about_next
from robosym.spatial.scalar import Scalar

C = 0.7


@dataclass(frozen=True)
class Cubic(JointKind):
    """A slider along x, c x^3 in the x-z plane of the axes before it; q is x."""

    c: Expr

    name = "cubic"
    positions = (Entry("", "length"),)
    speeds = positions

    def steps(self, q: Sequence[Scalar], qd: Sequence[Scalar]) -> tuple[Step, ...]:
        x, speed = expr(q[0]), expr(qd[0])
        slope, bend = 3 * self.c * x * x, 6 * self.c * x
        return (
            about_next(True, x, ((0, 1),)),
            Step(True, self.c * x * x * x, ((0, slope),), ((0, bend * speed),), alpha=-QUARTER),
        )


@dataclass(frozen=True)
class Tangent(Cubic):
    """The same, where the link turns with the tangent of the curve."""

    name = "tangent"

    def steps(self, q: Sequence[Scalar], qd: Sequence[Scalar]) -> tuple[Step, ...]:
        x, speed = expr(q[0]), expr(qd[0])
        slope, bend, more = 3 * self.c * x * x, 6 * self.c * x, 6 * self.c
        size = 1 + slope * slope
        turn = -bend / size
        rate = (-more / size + 2 * slope * bend * bend / (size * size)) * speed
        return (*super().steps(q, qd), about_next(False, -atan2(slope, number(1)), ((0, turn),), ((0, rate),)))


class CurveTwin:
    """Pinocchio's model of a revolute joint and a joint of such a kind, with single joints along x, along z, and about y."""

    def __init__(self, robot: Robot, turns: bool) -> None:
        self.model, self.turns = pin.Model(), turns
        self.model.gravity = pin.Motion(np.array(numbers(robot, robot.gravity)), np.zeros(3))
        first, second = (pin.SE3(dh_matrix(*numbers(robot, frame.geometry))) for frame in robot.frames)
        here, quarter = pin.SE3.Identity(), pin.SE3(pin.utils.rotate("z", np.pi / 2), np.zeros(3))
        joint = self.model.addJoint(0, pin.JointModelRZ(), first, "first")
        self.model.appendBodyToJoint(joint, _inertia(robot, robot.frame(1).link), here)
        joint = self.model.addJoint(joint, pin.JointModelPX(), second, "x")
        joint = self.model.addJoint(joint, pin.JointModelPZ(), here, "z")
        place = quarter
        if turns:
            joint = self.model.addJoint(joint, pin.JointModelRY(), here, "turn")
            place = quarter * quarter * pin.SE3(pin.utils.rotate("x", np.pi / 2), np.zeros(3))
        self.model.appendBodyToJoint(joint, _inertia(robot, robot.frame(2).link), place)
        self.data = self.model.createData()

    def _curve(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Positions of the joints, and their first and second derivatives by x."""
        x = q[1]
        slope, bend = 3 * C * x**2, 6 * C * x
        size = 1 + slope**2
        position = [x, C * x**3, -np.arctan(slope)]
        first, second = [1.0, slope, -bend / size], [0.0, bend, -6 * C / size + 2 * slope * bend**2 / size**2]
        count = 3 if self.turns else 2
        return np.array([q[0], *position[:count]]), np.array(first[:count]), np.array(second[:count])

    def rnea(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        x, first, second = self._curve(q)
        speeds = np.array([qd[0], *(first * qd[1])])
        accelerations = np.array([qdd[0], *(first * qdd[1] + second * qd[1] ** 2)])
        torques = pin.rnea(self.model, self.data, x, speeds, accelerations)
        return np.array([torques[0], first @ torques[1:]])


def _robot(kind: JointKind) -> Robot:
    return joint_tree([REVOLUTE, kind], np.random.default_rng(3), serial=True)


@pytest.mark.parametrize("kind", [Cubic(number(C)), Tangent(number(C))], ids=lambda kind: kind.name)
class TestAgainstPinocchio:
    state = {"q": np.array([0.4, -0.6]), "qd": np.array([1.1, 0.8]), "qdd": np.array([-0.3, 2.0])}

    def test_inverse_dynamics(self, kind: JointKind) -> None:
        robot = _robot(kind)
        expected = CurveTwin(robot, kind.name == "tangent").rnea(**self.state)
        for options in ({}, {"method": "augmented-body"}, {"parameters": "base"}):
            torques = models.inverse_dynamics(robot, wrench="none", **options).evaluate(**self.state)  # type: ignore[arg-type]
            np.testing.assert_allclose(torques, expected, rtol=1e-11)

    def test_forward_dynamics(self, kind: JointKind) -> None:
        robot = _robot(kind)
        tau = CurveTwin(robot, kind.name == "tangent").rnea(**self.state)
        forward = models.forward_dynamics(robot, wrench="none")
        found = forward.evaluate(q=self.state["q"], qd=self.state["qd"], tau=tau)
        np.testing.assert_allclose(found, self.state["qdd"], rtol=1e-10)

    def test_matrix_coriolis_and_lagrange(self, kind: JointKind) -> None:
        robot, (q, qd, qdd) = _robot(kind), self.state.values()
        twin, zero = CurveTwin(robot, kind.name == "tangent"), np.zeros(2)
        at_rest = twin.rnea(q, zero, zero)
        A = np.column_stack([twin.rnea(q, zero, unit) - at_rest for unit in np.eye(2)])
        np.testing.assert_allclose(models.inertia_matrix(robot).evaluate(q=q), A, rtol=1e-10, atol=1e-12)
        C_ = models.coriolis(robot).evaluate(q=q, qd=qd)
        np.testing.assert_allclose(C_ @ qd, twin.rnea(q, qd, zero) - at_rest, rtol=1e-10)
        outputs = models.lagrange(robot).evaluate(q=q)
        B, S = outputs["coriolis_coefficients"], outputs["centrifugal_coefficients"]
        torques = outputs["A"] @ qdd + B @ [qd[0] * qd[1]] + S @ qd**2 + outputs["Q"]
        np.testing.assert_allclose(torques, twin.rnea(q, qd, qdd), rtol=1e-10)

    def test_derivatives(self, kind: JointKind) -> None:
        robot, h = _robot(kind), 1e-6
        twin = CurveTwin(robot, kind.name == "tangent")
        found = models.inverse_dynamics_derivatives(robot, wrench="none").evaluate(**self.state)
        for by, name in (("q", "dtau_dq"), ("qd", "dtau_dqd")):
            columns = []
            for unit in np.eye(2):
                ends = [twin.rnea(**{**self.state, by: self.state[by] + sign * h * unit}) for sign in (1, -1)]
                columns.append((ends[0] - ends[1]) / (2 * h))
            np.testing.assert_allclose(found[name], np.column_stack(columns), rtol=1e-6, atol=1e-6)


def test_one_body_by_lagrange() -> None:
    """m xdd (1 + f'^2) + m f' f'' xd^2 - m (g_x + g_z f'), along z = f(x)."""
    robot = joint_tree([Cubic(number(C))], np.random.default_rng(1), gravity=(1.0, 2.0, -9.0))
    robot = robot.replace(frames=(_unturned(robot.frame(1)),))
    mass = numbers(robot, [robot.frame(1).link.M])[0]
    x, xd, xdd = 0.5, 1.5, -0.7
    slope, bend = 3 * C * x**2, 6 * C * x
    expected = mass * (xdd * (1 + slope**2) + slope * bend * xd**2 - (1.0 - 9.0 * slope))
    torque = models.inverse_dynamics(robot, wrench="none").evaluate(q=[x], qd=[xd], qdd=[xdd])
    np.testing.assert_allclose(torque, [expected], rtol=1e-12)


def _unturned(frame: Frame) -> Frame:
    zero = number(0)
    return replace(frame, gamma=zero, alpha=zero, theta=zero)
