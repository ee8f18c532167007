"""``forward_dynamics_derivatives``: Pinocchio, central differences, written out and column by column."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from models.derivatives.pinocchio_derivatives import (
    agree,
    by_differences,
    of_forward_dynamics,
    random_state,
    values_of,
)
from models.loops.iterated_linkages import seven_revolutes
from models.pinocchio_states import Twin
from models.reference import loaded_robot
from models.spinning_rotors import spinning_robot
from real_robots import URDFS, real_robot, urdf_file
from robots_with import sprung
from sweeps import crossed, many, some

import robosym
from robosym import models
from robosym.expr import number
from robosym.models import limits
from robosym.program.routine import Routine
from robosym.robot import Frame, Link, Robot, RobotError

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

LARGE = ("humanoid30", "simple_humanoid")
MASSLESS = ("puma", "arm7")  # whose bases turn with the first joint, and have no inertia of their own
LOOPS = ("four-bar", "five-bar", "slider-crank", "sr400", "palletizer", "bennett")


def compared(robot: Robot, tolerance: float = 1e-7, **options: Any) -> None:
    """With central differences of the forward dynamic model."""
    made = models.forward_dynamics_derivatives(robot, values=True, **options)
    original = models.forward_dynamics(robot, **options)
    names = {"q": "dqdd_dq", "qd": "dqdd_dqd", "tau": "dqdd_dtau"}
    by_differences(robot, made, original, names, "qdd", tolerance)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(("file", "floating"), crossed(URDFS, [False, True], every=4))
def test_real_files(file: str, floating: bool) -> None:
    """Joints that follow others are freed: Pinocchio's articulated bodies know none. Of the large robots one of each kind."""
    if file in LARGE and floating != (file == LARGE[0]) and many(1) == 1:
        return
    robot = real_robot(file, floating=floating, mimic=False)
    if file in MASSLESS and floating:
        with pytest.raises(RobotError, match="base: moves no inertia"):
            models.forward_dynamics_derivatives(robot)
        return
    model = models.forward_dynamics_derivatives(robot, wrench="none")
    twin = Twin.of_urdf(urdf_file(file), robot)
    for seed in range(2):
        state = random_state(robot, np.random.default_rng(seed), "tau")
        found = values_of(model, state)
        digits = 1e-9 + 1e-15 * np.linalg.cond(twin.crba(state["q"]))
        for name, x in of_forward_dynamics(twin, state).items():
            agree(found[name], x, digits, name)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", some(["eel-3", "rx90", "stanford"], 2))
def test_column_by_column_is_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    robot = robosym.load(name)
    written = models.forward_dynamics_derivatives(robot, values=True)
    monkeypatch.setattr(limits, "MOST_WRITTEN_OUT", 2)
    looped = models.forward_dynamics_derivatives(robot, values=True)
    assert isinstance(looped.made, Routine)
    state = random_state(robot, np.random.default_rng(0), "tau")
    expected = values_of(written, state)
    inside = looped.compile()(**state)
    for name, x in values_of(looped, state).items():
        agree(x, expected[name], 1e-12, name)
        agree(inside[name], expected[name], 1e-12, name)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", some(LOOPS, 2))
def test_closed_loops(name: str) -> None:
    compared(robosym.load(name))


def test_what_the_description_says_of_accelerations_does_not_matter() -> None:
    """Forward dynamics finds them."""
    robot = robosym.load("four-bar")
    frames = [
        frame if frame.joint.variable is None or not frame.joint.active else _accelerating(frame)
        for frame in robot.frames
    ]
    compared(robot.replace(frames=tuple(frames)))


def _accelerating(frame: Frame) -> Frame:
    return replace(frame, joint=replace(frame.joint, acceleration=number(3)))


@pytest.mark.slow
def test_a_loop_closed_by_iteration() -> None:
    compared(seven_revolutes(), tolerance=1e-4)


def test_a_base_with_given_motion_friction_and_wrenches() -> None:
    for seed in range(many(2)):
        robot = loaded_robot(np.random.default_rng(seed), 5, symbolic=False)
        compared(robot, friction=True, wrench="all")
        compared(robot, friction=True, wrench="none", rotor_inertia=False)


def test_joints_with_springs() -> None:
    compared(sprung(robosym.load("rx90")), friction=True)


def test_rotors_that_links_carry() -> None:
    compared(spinning_robot(1, 5), rotor_inertia="gyroscopic")


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("kind", ["spatial", "classical"])
def test_a_free_base(kind: str) -> None:
    compared(robosym.load("eel-3"), kind=kind, wrench="all")


def test_the_inverse_of_the_inverse() -> None:
    """dqdd/dtau is A^-1, and A dqdd/dq = -dtau/dq at those accelerations."""
    robot = robosym.load("puma560")
    state = random_state(robot, np.random.default_rng(0), "tau")
    found = values_of(models.forward_dynamics_derivatives(robot, values=True), state)
    back = models.inverse_dynamics_derivatives(robot, values=True)
    torques = values_of(back, {"q": state["q"], "qd": state["qd"], "qdd": found["qdd"]})
    agree(found["dqdd_dtau"] @ torques["A"], np.eye(6), 1e-11)
    agree(torques["A"] @ found["dqdd_dq"], -torques["dtau_dq"], 1e-11)
    agree(torques["tau"], state["tau"], 1e-11)


def test_a_joint_that_moves_nothing_is_refused() -> None:
    robot = robosym.load("planar-2r")
    frames = list(robot.frames)
    frames[robot.moving[-1] - 1] = replace(robot.frame(robot.moving[-1]), link=Link())
    with pytest.raises(RobotError, match="moves no inertia"):
        models.forward_dynamics_derivatives(robot.replace(frames=tuple(frames)), rotor_inertia=False)


def test_inverse_of_a_matrix_with_zeros_between_joints_on_one_path() -> None:
    """The balanced last link has no inertia with the first joint, but both have with the one between: the inverse has no zero."""
    link = {"M": 1.0, "XX": 0.4, "YY": 0.4, "ZZ": 0.5}
    rows = [
        {"antecedent": 0, "sigma": "prismatic", "M": 2.0},
        {"antecedent": 1, "alpha": np.pi / 2, **link, "MX": 0.3},
        {"antecedent": 2, "d": 0.7, **link},
    ]
    robot = Robot.from_table("balanced", rows, gravity=[0, 0, -9.81])
    state = {"q": np.array([0.1, 0.2, 0.3]), "qd": np.array([0.3, -0.2, 0.4]), "tau": np.array([1.0, 2.0, 3.0])}
    A = models.inertia_matrix(robot).evaluate(q=state["q"])
    assert abs(A[2, 0]) < 1e-15
    outputs = models.forward_dynamics_derivatives(robot, wrench="none").evaluate(**state)
    np.testing.assert_allclose(outputs["dqdd_dtau"], np.linalg.inv(A), atol=1e-13)
