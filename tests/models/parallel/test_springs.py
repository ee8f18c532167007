"""Springs in the legs of platforms: angles next to the described position, and gravity without them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from models.loops.closed_states import output
from models.loops.spring_ways import with_spring
from models.parallel import reference
from models.parallel.platform_cases import BUILT_IN, built_in
from models.parallel.platform_states import State
from models.parallel.spring_poses import PLATFORMS, check_springs, sprung, states_on_ways
from models.reference import relative_error
from sweeps import many

from robosym import models
from robosym.expr import number
from robosym.robot import PRISMATIC, Robot

QUICK = {"planar-3-RRR": 1, "five-bar": 2, "3-RPS": 3, "3-UPS-UP": 4}
TOLERANCE = 1e-9


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "seed"), [*QUICK.items(), *((kind, 9) for kind in PLATFORMS[: many(1) - 1])])
def test_springs_of_random_platforms_go_on_by_continuity(kind: str, seed: int) -> None:
    check_springs(seed, kind)


def with_springs(name: str) -> Robot:
    """A spring on every joint of the legs that turns, at rest a little beside the described position."""
    robot, _ = built_in(name)
    for j in reference.joints_of(robot):
        frame = robot.frame(j)
        if frame.sigma != PRISMATIC:
            robot = with_spring(robot, j, 10.0, 0.0, (frame.joint.position or 0.0) + 0.2)
    return robot


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "coordinates"), [*((name, "platform") for name in BUILT_IN), ("planar-3rrr", "motors")]
)
def test_gravity_has_no_springs(name: str, coordinates: str) -> None:
    plain, (state, *_) = built_in(name)
    robot = with_springs(name)
    given = {"pose": state.pose} if coordinates == "platform" else {"q": state.q}
    found = output(models.gravity(robot, coordinates=coordinates).evaluate(**given), "Q")
    assert relative_error(found, reference.gravity(plain, state.pose, state.legs)) < TOLERANCE
    weightless = robot.replace(gravity=(number(0), number(0), number(0)))
    assert not output(models.gravity(weightless, coordinates=coordinates).evaluate(**given), "Q").any()


@pytest.mark.slow
def test_gravity_of_joints_on_the_platform_has_no_springs() -> None:
    from models.parallel.random_platforms import random_platform

    plain, pose, legs = random_platform("6-UPS-wrist", 0)
    on = reference.carried_joints(plain)
    joints = reference.joints_of(plain)
    robot = plain
    for k in on:
        robot = with_spring(robot, joints[k], 10.0, 0.0, 1.0)
    found = output(models.gravity(robot).evaluate(pose=pose, q=legs[on]), "Q")
    assert relative_error(found, reference.gravity(plain, pose, legs)) < TOLERANCE


def elbows(turns: int = 0) -> tuple[Robot, Robot, np.ndarray, State]:
    """The planar robot with a spring on every elbow, as the elbows are described or whole turns from there."""
    plain, (state, *_) = built_in("planar-3rrr")
    names = {j: plain.frame(j).joint.name for j in reference.joints_of(plain)}
    k = np.array([10.0 if "elbow" in name else 0.0 for name in names.values()])
    robot = plain
    for j, stiffness in zip(names, k, strict=True):
        if stiffness:
            robot = with_spring(robot, j, stiffness, 0.0, 1.6821 + 2 * np.pi * turns)
    return plain, robot, k, state


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("legs", ["unrolled", "shared", "given"])
def test_elbow_springs_of_the_planar_robot(legs: str) -> None:
    plain, robot, k, state = elbows()
    more = {"legs": state.legs} if legs == "given" else {}
    given = {"pose": state.pose, "twist": state.twist, "twist_rate": state.twist_rate, **more}
    found = output(models.inverse_dynamics(robot, legs=legs).compile()(**given), "tau")
    rows = reference.by_motors(plain, state.pose, state.legs)[6:]
    assert relative_error(found, state.tau + rows.T @ (k * (state.legs - 1.6821))) < TOLERANCE


def test_a_rest_position_in_turns_from_the_described_one_winds_the_springs_up() -> None:
    plain, robot, k, state = elbows(turns=1)
    found = output(models.bias(robot).evaluate(pose=state.pose, twist=np.zeros(6)), "H")
    rows = reference.by_motors(plain, state.pose, state.legs)[6:]
    held = rows.T @ (k * (state.legs - 1.6821 - 2 * np.pi))
    assert relative_error(found, reference.gravity(plain, state.pose, state.legs) + held) < TOLERANCE


def test_the_torque_of_springs_is_the_slope_of_the_energy() -> None:
    """Along a way of the platform, and nowhere a leap."""
    plain, (state, *_) = built_in("planar-3rrr")
    robot, _ = sprung(plain, np.random.default_rng(3))
    energy, bias = models.energy(robot).compile(), models.bias(robot, forces="platform").compile()
    poses = np.repeat(state.pose[None], 41, axis=0)
    poses[:, 0] += np.linspace(-0.02, 0.02, 41)
    still = np.zeros((41, 6))
    potential = np.ravel(energy(pose=poses, twist=still)["potential"])
    W = np.asarray(bias(pose=poses, twist=still)["W"])[:, 0]
    slope = np.array([(b - a) / 0.001 for a, b in pairwise(potential)])
    np.testing.assert_allclose(slope, (W[1:] + W[:-1]) / 2, rtol=1e-4, atol=1e-4)


def test_the_ways_lead_away_from_the_described_pose() -> None:
    plain, (state, *_) = built_in("planar-3rrr")
    states = states_on_ways(plain, state.pose, state.legs, np.random.default_rng(2), 4)
    assert max(np.abs(one.legs - state.legs).max() for one in states) > 0.2
