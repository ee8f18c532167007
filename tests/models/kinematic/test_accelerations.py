"""Accelerations and dJ/dt qd: several frames at once, a base whose motion is given, rates of velocities."""

from __future__ import annotations

import numpy as np
import pytest
from models.kinematic.moving_frames import (
    ACCELERATION,
    REFERENCE,
    as_free_state,
    asked_frames,
    freed,
    known,
    motion,
    random_placed_tree,
    states,
    terminal,
)
from models.pinocchio_states import Twin, pin
from models.reference import frame_poses, numbers, relative_error
from real_robots import real_robot
from sweeps import many

import robosym
from robosym import RobosymError
from robosym.models.kinematic.accelerations import accelerations, jdot_qdot
from robosym.models.kinematic.velocities import velocities
from robosym.program import verified
from robosym.program.derive import tangent
from robosym.robot import Robot, RobotError

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

TOLERANCE = 1e-10
FORMS = [(convention, kind) for convention in REFERENCE for kind in ACCELERATION]
# Where the acceleration is the rate of the components of the velocity: there JDQD is dJ/dt qd.
RATES = [("local", "spatial"), ("world", "spatial"), ("local-world-aligned", "classical")]


def check(robot: Robot, twin: Twin, seed: int, convention: str, kind: str, frames: object = "all") -> None:
    batch = states(np.random.default_rng(seed), robot)
    model = accelerations(robot, frames=frames, axes=convention, kind=kind)  # type: ignore[arg-type]
    verified(model.program)
    found = model.compile()(**batch)
    asked = asked_frames(model)
    rows = known(twin, asked)
    assert rows
    expected = motion(twin, batch, [asked[row] for row in rows], convention, kind)
    assert relative_error(found.reshape(len(found), -1, 6)[:, rows], expected) < TOLERANCE


@pytest.mark.mostly_slow(fast=6)
@pytest.mark.parametrize("seed", range(many(16)))
def test_several_frames_of_random_trees_agree_with_pinocchio(seed: int) -> None:
    robot = random_placed_tree(seed)
    frames = ("all", terminal(robot))[seed % 2]
    check(robot, Twin.of_robot(robot), seed, *FORMS[seed // 2 % 6], frames)


# --- a base whose motion is given ------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(("convention", "kind"), FORMS)
def test_a_given_motion_of_the_base_is_that_of_a_free_one(convention: str, kind: str) -> None:
    for seed, frames in ((2, "all"), (4, None), (5, [1])):
        robot = random_placed_tree(seed, moving_base=True)
        batch = states(np.random.default_rng(seed), robot)
        asked = terminal(robot) if frames is None else frames
        model = accelerations(robot, frames=asked, axes=convention, kind=kind)  # type: ignore[arg-type]
        found = model.compile()(**batch)
        twin = Twin.of_robot(freed(robot))
        expected = motion(twin, as_free_state(robot, batch), asked_frames(model), convention, kind)
        assert relative_error(np.reshape(found, expected.shape), expected) < TOLERANCE


def test_origins_accelerate_so_on_a_moving_base() -> None:
    """Without Pinocchio: second differences of the origins, the base moving along a parabola and turning ever faster."""
    robot = random_placed_tree(7, moving_base=True)
    base, step = robot.base, 1e-4
    Z = np.array(numbers(robot, base.location)).reshape(4, 4)
    v, w, a, wd = (
        np.array(numbers(robot, x))
        for x in (base.velocity, base.angular_velocity, base.acceleration, base.angular_acceleration)
    )
    q, qd, qdd = np.random.default_rng(6).uniform(-1, 1, (3, robot.nv))

    def origins(t: float) -> np.ndarray:
        moved = np.eye(4)
        moved[:3, :3] = pin.exp3(w * t + wd * t * t / 2)  # to the second order in t
        moved[:3, 3] = v * t + a * t * t / 2
        poses = frame_poses(robot, q + qd * t + qdd * t * t / 2)
        return np.array([(Z @ moved @ poses[j])[:3, 3] for j in range(1, len(robot.frames) + 1)])

    second = (origins(step) - 2 * origins(0.0) + origins(-step)) / step**2
    found = accelerations(robot, frames="all", axes="local-world-aligned").evaluate(q=q, qd=qd, qdd=qdd)
    np.testing.assert_allclose(np.reshape(found, (-1, 6))[:, :3], second, atol=1e-5)


# --- dJ/dt qd --------------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=5)
@pytest.mark.parametrize(("convention", "kind"), FORMS)
@pytest.mark.parametrize("name", ["rx90", "stanford"])
def test_jdot_qdot_is_the_acceleration_without_qdd(name: str, convention: str, kind: str) -> None:
    robot = robosym.load(name)
    q, qd = np.random.default_rng(8).uniform(-2, 2, (2, robot.nv))
    found = jdot_qdot(robot, axes=convention, kind=kind).evaluate(q=q, qd=qd)  # type: ignore[arg-type]
    whole = accelerations(robot, axes=convention, kind=kind)  # type: ignore[arg-type]
    np.testing.assert_allclose(found, whole.evaluate(q=q, qd=qd, qdd=0 * q), atol=1e-12)


@pytest.mark.parametrize(("convention", "kind"), RATES)
def test_the_velocity_changes_at_this_rate(convention: str, kind: str) -> None:
    robot = robosym.load("puma560")
    model = velocities(robot, frames="all", axes=convention)  # type: ignore[arg-type]
    q, qd, qdd = np.random.default_rng(9).uniform(-2, 2, (3, robot.nv))
    rate = tangent(model.program)
    change = rate.call(q=q, qd=qd, qdd=qdd, parameters=model.values)["Vd"]
    found = accelerations(robot, frames="all", axes=convention, kind=kind).evaluate(q=q, qd=qd, qdd=qdd)  # type: ignore[arg-type]
    np.testing.assert_allclose(found, change, atol=1e-11)


# --- what is asked for -----------------------------------------------------------------------------------------------


def test_gravity_does_not_enter() -> None:
    robot = robosym.load("rx90")
    still = accelerations(robot, frames="all", axes="local").evaluate(q=np.ones(6), qd=np.zeros(6), qdd=np.zeros(6))
    assert np.abs(still).max() == 0
    assert "G3" not in {
        symbol.name for symbol in accelerations(robot, frames="all", axes="local").program.parameter_symbols
    }


@pytest.mark.parametrize("build", [accelerations, jdot_qdot])
def test_the_kind_must_be_known(build: object) -> None:
    with pytest.raises(RobosymError, match="kind: got 'proper', expected 'classical' or 'spatial'"):
        build(robosym.load("rx90"), kind="proper")  # type: ignore[operator]


def test_a_tree_must_say_which_frame() -> None:
    with pytest.raises(RobotError, match="frame: the robot has 4 tips: say which frame"):
        jdot_qdot(real_robot("solo12"))


def test_operation_counts_do_not_grow() -> None:
    robot = robosym.load("rx90")
    counts = [accelerations(robot, axes=axes, kind=kind).operations.total for axes, kind in FORMS]  # type: ignore[arg-type]
    assert all(count <= limit for count, limit in zip(counts, (115, 119, 137, 107, 102, 133), strict=True)), counts
    assert jdot_qdot(robot).operations.total <= 82
