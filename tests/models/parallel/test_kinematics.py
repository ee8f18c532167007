"""Working modes by their names, and all legs solved at a pose: they reach the platform wherever it is said that they do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from models.parallel.platform_cases import built_in, case_of, value
from models.parallel.platform_states import random_states
from models.parallel.random_platforms import random_platform
from models.reference import relative_error
from parallel_robots import closed, frames, pose

import robosym
from robosym import models
from robosym.errors import RobosymError
from robosym.expr import Expr, evaluate, number
from robosym.models.parallel.kinematics import modes_of, numbers_at, solved_legs
from robosym.models.parallel.places import nearby
from robosym.models.parallel.pose import pose_symbols
from robosym.models.parallel.structure import module_of
from robosym.program import Scope
from robosym.robot import Robot, RobotError


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["delta", "planar-3rrr", "3-PRS"])
def test_the_mode_of_a_position_is_found_again(name: str) -> None:
    """Of every solution of the inverse geometry, by its joints."""
    robot, states = case_of(name)
    modes = modes_of(robot)
    found = models.inverse_geometric(robot)(states[0].pose)
    names = [robot.frame(j).joint.name for j in modes.module.joints]
    for row, mode in list(zip(found.positions, found.modes, strict=True))[:16]:
        at = dict(zip(modes.module.joints, (row[found.all_joints.index(n)] for n in names), strict=True))
        assert modes.name(modes.at(at)) == mode


def noisy(robot: Robot, size: float) -> Robot:
    """Legs alike stay alike."""
    keys, frames = ("gamma", "b", "alpha", "d"), []
    for frame in robot.frames:
        rng = np.random.default_rng(list(frame.name.partition("_")[2].encode()))
        drawn = {k: getattr(frame, k) + number(float(rng.uniform(-size, size))) for k in keys}
        frames.append(replace(frame, **drawn) if frame.sigma != 3 else frame)
    return robot.replace(frames=tuple(frames))


@pytest.mark.slow
def test_what_is_almost_special_is_right_or_refused() -> None:
    """Entries of 1e-14 in place of zeros: a closed form that divides by them is no closed form."""
    robot, pose, legs = random_platform("planar-3-RRR", 0)
    model = models.inverse_dynamics(noisy(robot, 1e-14), method="newton-euler")
    for state in random_states(robot, pose, legs, 2):
        assert relative_error(value(model, "tau", state), state.tau) < 1e-10
    with pytest.raises(RobotError, match="legs: their closed form is lost in rounding"):
        models.gravity(noisy(built_in("delta")[0], 1e-14))
    with pytest.raises(RobotError, match="legs: no position was found"):  # three planes do not meet in one
        models.gravity(noisy(robot, 1e-5))


# --- names ------------------------------------------------------------------------------------------------------------


def at_home(robot: Robot) -> dict[str, float]:
    """Where the joints of the legs are in the description, by name."""
    return {robot.frame(j).joint.name: robot.frame(j).joint.position or 0.0 for j in module_of(robot).joints}


@pytest.mark.parametrize("name", ["planar-3rrr", "delta"])
def test_every_combination_of_modes_has_a_name_that_means_it(name: str) -> None:
    """Legs in one mode by the one word, others by leg; alone a leg's mode changes that leg of the default."""
    modes = modes_of(robosym.load(name))
    counts = modes.counts
    assert counts == ((2, 2, 2) if name == "planar-3rrr" else (4, 4, 4))
    found = {}
    for branches in product(*map(range, counts)):
        word = modes.name(branches)
        assert modes.named(word, None) == branches
        found[word] = branches
    assert len(found) == np.prod(counts)
    assert len({word for word in found if "," not in word}) == counts[0]
    for k, leg in enumerate(modes.module.legs):
        for b, word in enumerate(modes.names_of(k)):
            expected = tuple(b if i == k else x for i, x in enumerate(modes.default))
            assert modes.named(f"{leg.leg.name} {word}", None) == expected
            assert modes.named(f"  {leg.leg.name} {word} ", None) == expected


def test_without_a_name_the_mode_is_that_of_the_description() -> None:
    robot = robosym.load("planar-3rrr")
    modes = modes_of(robot)
    assert (
        modes.named(None, None)
        == modes.default
        == modes.named(None, {})
        == modes.named(modes.name(modes.default), None)
    )
    elbow = module_of(robot).legs[1].joints[1]
    frame = robot.frame(elbow)
    bent = replace(frame, joint=replace(frame.joint, position=-(frame.joint.position or 0.0)))
    other = robot.replace(frames=tuple(bent if j == elbow else f for j, f in enumerate(robot.frames, 1)))
    assert modes_of(other).default == (modes.default[0], 1 - modes.default[1], modes.default[2])


def test_near_a_position_is_the_mode_of_that_position() -> None:
    """Given whole, or the joints that differ from the description."""
    robot, states = case_of("planar-3rrr")
    modes = modes_of(robot)
    found = models.inverse_geometric(robot)(states[0].pose)
    names = list(at_home(robot))
    for row, mode in list(zip(found.positions, found.modes, strict=True))[::3]:
        near = {n: float(row[found.all_joints.index(n)]) for n in names}
        assert modes.name(modes.named(None, near)) == mode
    assert modes.named(None, dict(list(at_home(robot).items())[:1])) == modes.default


@pytest.mark.mostly_slow(fast=6)
@pytest.mark.parametrize(
    ("mode", "near", "problem"),
    [
        (
            "elbow",
            None,
            "mode: got 'elbow', expected a mode of all legs, or of each leg by name (leg1: 'elbow+', 'elbow-'; leg2: ",
        ),
        ("leg4 elbow+", None, "mode: got 'leg4 elbow+'"),
        ("leg1", None, "mode: got 'leg1'"),
        ("leg1 elbow+,", None, "mode: got 'leg1 elbow+,'"),
        ("leg1  elbow+", None, "mode: got 'leg1  elbow+'"),
        ("", None, "mode: got ''"),
        (3, None, "mode: got 3, expected the name of a mode"),
        ("elbow+", {}, "near: give a mode or a position near which it is, not both"),
        (
            None,
            {"elbow": 1.0},
            "near: got {'elbow': 1.0}, expected positions of leg joints by name (leg1_motor, leg1_elbow",
        ),
        (None, {"leg1_motor": [1.0]}, "near: got {'leg1_motor': [1.0]}"),
        (None, [1.0], "near: got [1.0]"),
        (None, {"leg1_motor": float("nan")}, "near: leg1_motor"),
        (None, {"leg1_motor": "x"}, "near: leg1_motor"),
    ],
)
def test_what_is_no_mode(mode: Any, near: Any, problem: str) -> None:
    with pytest.raises(RobosymError) as raised:
        modes_of(robosym.load("planar-3rrr")).named(mode, near)
    assert problem in str(raised.value)


def test_a_robot_in_base_parameters_stays_in_their_mode() -> None:
    robot = models.base_parameters(robosym.load("planar-3rrr"), mode="elbow-").robot
    modes = modes_of(robot)
    assert modes.name(modes.default) == "elbow+"
    assert modes.name(modes.named(None, None)) == "elbow-"
    assert modes.named("elbow-", None) == modes.named(None, None)
    for mode, near, what in (("elbow+", None, "mode"), (None, at_home(robot), "near")):
        with pytest.raises(
            RobotError, match=rf"{what}: the robot is written in the base parameters of mode 'elbow-', got 'elbow\+'"
        ):
            modes.named(mode, near)


def test_modes_are_found_once() -> None:
    robot = robosym.load("delta")
    assert modes_of(robot) is modes_of(robot)
    assert modes_of(robot.replace(name="another")) is not modes_of(robot)


# --- solved -----------------------------------------------------------------------------------------------------------


def positions(solved: Any, values: Mapping[Expr, float]) -> dict[str, float]:
    """The joints of all legs, by their variables."""
    robot = solved.module.robot
    found = {j: x for leg in solved.legs for j, x in leg.positions.items()}
    numbers = evaluate(list(found.values()), dict(values))
    return {robot.frame(j).joint.variable.name: float(x) for j, x in zip(found, numbers, strict=True)}


def gap(robot: Robot, at: Mapping[str, float], T: np.ndarray) -> float:
    """By how much the ends of all legs miss their seats."""
    found = frames(robot, at, {robot.platforms[0].frame: T})
    worst = 0.0
    for leg in robot.platforms[0].legs:
        rows = slice(0, 3)
        apart = found[leg.end][rows, 3:] - found[leg.seat][rows, 3:]
        if leg.joint != "spherical":
            apart = found[leg.end][rows] - found[leg.seat][rows]
        worst = max(worst, float(np.abs(apart).max()))
    return worst


def given_pose(values: Mapping[Expr, float]) -> np.ndarray:
    x, y, z, a, b, c, w = (float(values[s]) for s in pose_symbols)
    T = np.eye(4)
    T[:3, 3] = x, y, z
    T[:3, :3] = [
        [1 - 2 * (b * b + c * c), 2 * (a * b - w * c), 2 * (a * c + w * b)],
        [2 * (a * b + w * c), 1 - 2 * (a * a + c * c), 2 * (b * c - w * a)],
        [2 * (a * c - w * b), 2 * (b * c + w * a), 1 - 2 * (a * a + b * b)],
    ]
    return T


@pytest.mark.parametrize("name", ["planar-3rrr", "delta", "gough-stewart", "orthoglide"])
def test_legs_reach_their_seats_in_every_mode(name: str) -> None:
    """At all samples, with the numbers for the geometry that these have, by plain products of matrices."""
    robot = robosym.load(name)
    modes = modes_of(robot)
    other = tuple(modes.counts[0] - 1 for _ in modes.counts)
    for branches in (modes.default, other):
        solved = solved_legs(robot, branches, Scope(), 0)
        assert solved.mode == modes.name(branches)
        assert len(solved.samples) >= 2
        for values in solved.samples:
            at = {s.name: float(x) for s, x in values.items() if s not in pose_symbols}
            own = positions(solved, values)
            assert gap(robot, {**at, **own}, given_pose(values)) < 1e-6 * max(1.0, solved.size)
            assert all(bool(evaluate([leg.exists], dict(values))[0]) for leg in solved.legs)


@pytest.mark.parametrize("name", ["planar-3rrr", "delta"])
def test_legs_are_where_newton_finds_them(name: str) -> None:
    """In the mode of the description, at a pose beside home."""
    robot = robosym.load(name)
    solved = solved_legs(robot, modes_of(robot).default, Scope(), 0)
    platform = robot.platforms[0].frame
    place = nearby(solved.module)[0]
    T = place.T @ pose((0.02, -0.01, 0.0 if name == "planar-3rrr" else 0.03))
    expected = closed(robot, {platform: T})
    at = {s: float(x) for s, x in numbers_at(replace(place, T=T)).items()}
    found = positions(solved, at)
    assert found.keys() <= expected.keys()
    for name_, x in found.items():
        assert np.angle(np.exp(1j * (x - expected[name_]))) == pytest.approx(0, abs=1e-9)
    far = {**at, **dict(zip(pose_symbols, [50.0, 0, 0, 0, 0, 0, 1], strict=True))}
    assert not any(bool(evaluate([leg.exists], far)[0]) for leg in solved.legs)


def test_numbers_of_a_place() -> None:
    place = nearby(module_of(robosym.load("delta")))[0]
    found = numbers_at(place)
    np.testing.assert_allclose(given_pose(found), place.T, atol=1e-12)
    assert {s: found[s] for s in place.values} == dict(place.values)


def test_legs_that_are_given_are_their_own_variables() -> None:
    robot = robosym.load("planar-3rrr")
    solved = solved_legs(robot, modes_of(robot).default, Scope(), 0, legs_given=True)
    for leg in solved.legs:
        assert leg.positions == {j: robot.frame(j).joint.variable for j in leg.path.joints}


def test_a_leg_that_is_too_short_in_every_position() -> None:
    robot = robosym.load("planar-3rrr")
    short = {name: replace(robot.values[name], number=1e-3) for name in ("L1", "L2")}
    values = {**robot.values, **short}
    with pytest.raises(RobotError, match="legs: no position was found at which all legs reach the platform"):
        solved_legs(robot.replace(values=values), modes_of(robot).default, Scope(), 0)
