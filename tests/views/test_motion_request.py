"""Requests of motions: their fields, what they are by default, and what is wrong with others, by name."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import robosym
from robosym.options.errors import ArgumentError
from robosym.options.markers import Positive
from robosym.robot import Robot
from robosym.scene import scene
from robosym.scene.controls import roll_pitch_yaw
from robosym.views.motion_request import (
    MOST_POINTS,
    MOST_SECONDS,
    WAYS,
    Coordinate,
    coordinates,
    number,
    pose_matrix,
    read_request,
)

POINTS = [[0.0, 0.0], [1.0, -0.5]]


@pytest.fixture(scope="module")
def arm() -> Robot:
    return robosym.load("planar-2r")


def limited() -> Robot:
    """A joint that turns, with all limits, and one that slides, with the lower end of its range alone."""
    limits = {"lower": -1, "upper": 2, "velocity": 3, "acceleration": 4, "jerk": 5, "effort": 6}
    rows = [{"joint": "turn", "limits": limits}, {"joint": "slide", "sigma": "prismatic", "limits": {"lower": 0}}]
    return Robot.from_table("pair", rows, gravity=[0, 0, -9.81])


# --- coordinates -----------------------------------------------------------------------------------------------------------


def test_coordinates_are_the_joints_with_their_limits() -> None:
    turn, slide = coordinates(limited())
    assert turn == Coordinate("turn", "rad", -1, 2, 3, 4, 5, 6)
    assert slide == Coordinate("slide", "m", 0)
    assert slide.as_dict() == {
        **{"name": "slide", "unit": "m", "lower": 0.0, "upper": None},
        **dict.fromkeys(("velocity", "acceleration", "jerk", "torque")),
    }
    assert json.dumps([turn.as_dict(), slide.as_dict()], allow_nan=False)


def test_a_limit_of_zero_is_none() -> None:
    """A description that has 0 does not know, as everywhere in the library."""
    (one,) = coordinates(Robot.from_table("x", [{"limits": {"lower": -1, "upper": 1, "velocity": 0, "effort": 0}}]))
    assert one.velocity == one.torque == math.inf


def test_coordinates_of_a_platform_are_its_controls() -> None:
    robot = robosym.load("planar-3rrr")
    controls = scene(robot)["controls"]
    assert [(one.name, one.unit) for one in coordinates(robot)] == [(one["name"], one["unit"]) for one in controls]
    assert all(one.lower == -math.inf for one in coordinates(robot))


def test_a_robot_without_joints_has_none() -> None:
    still = Robot.from_table("still", [{"sigma": "fixed", "d": 1}])
    assert coordinates(still) == []
    with pytest.raises(ArgumentError, match="still: nothing moves"):
        read_request(still, {"points": [[], []]})


# --- a request -------------------------------------------------------------------------------------------------------------


def test_a_request_of_points_alone_is_as_by_default(arm: Robot) -> None:
    request = read_request(arm, {"points": POINTS})
    assert (request.space, request.way, request.timing, request.profile) == ("joints", "rest", "planned", "quintic")
    assert (request.synchronise, request.degree, request.seconds, request.seed) == (None, 3, None, None)
    assert (request.linear, request.angular, request.blend) == ((0.25, 1.0), (1.0, 4.0), 0.25)
    assert (request.friction, request.given) == (False, frozenset())
    assert request.names == ("shoulder", "elbow")
    assert request.of_joints
    np.testing.assert_array_equal(request.points, POINTS)


def test_every_field_is_read(arm: Robot) -> None:
    asked = {
        "space": "joints", "way": "spline", "timing": "fastest", "points": POINTS, "seed": [1, 2], "profile": "trapeze",
        "synchronise": "", "degree": 5, "seconds": 2, "linear": [1, 2], "angular": [3, 4], "blend": 0.1, "friction": True,
        "limits": {"velocity": {"elbow": 2}, "torque": {"shoulder": None}},
    }  # fmt: skip
    request = read_request(arm, asked)
    assert (request.way, request.timing, request.profile) == ("spline", "fastest", "trapeze")
    assert (request.degree, request.seconds, request.linear, request.angular) == (5, 2.0, (1.0, 2.0), (3.0, 4.0))
    assert (request.blend, request.friction, request.synchronise) == (0.1, True, None)
    assert request.given == {"velocity", "torque"}
    assert request.seed is not None
    assert request.seed.tolist() == [1, 2]
    assert request.limit("velocity").tolist()[1] == 2
    assert request.limit("velocity").tolist()[0] == coordinates(arm)[0].velocity
    assert request.limit("torque").tolist() == [one.torque for one in coordinates(arm)]


def test_limits_that_are_given_stand_for_those_of_the_description() -> None:
    request = read_request(limited(), {"points": POINTS, "limits": {"velocity": {"turn": 9, "slide": 7}, "jerk": {}}})
    assert request.limit("velocity").tolist() == [9, 7]
    assert request.limit("jerk").tolist() == [5, math.inf]
    assert request.limit("lower").tolist() == [-1, 0]


def test_the_way_is_by_default_the_first_of_its_space() -> None:
    robot = robosym.load("rx90")
    request = read_request(robot, {"space": "tip", "points": [[0.1] * 6, [0.2] * 6]})
    assert request.way == next(iter(WAYS["tip"])) == "straight"
    assert request.points.shape == (2, 6)


def test_a_free_base_and_a_platform_have_no_joints_that_the_planner_knows() -> None:
    assert not read_request(robosym.load("planar-2r", floating=True), {"points": POINTS}).of_joints
    assert not read_request(robosym.load("planar-3rrr"), {"points": [[0, 0, 0], [0.1, 0, 0]]}).of_joints


WRONG = [
    (None, "move: got NoneType, expected points and how to go through them"),
    ([POINTS], "move: got list"),
    ({"space": "moon"}, "space: got 'moon', expected 'joints' or 'tip'"),
    ({"space": ["tip"]}, r"space: got \['tip'\], expected 'joints' or 'tip'"),
    ({"way": "via"}, "way: got 'via', expected one of rest, spline, blend"),
    ({"timing": "slow"}, "timing: got 'slow', expected 'planned', 'fastest' or 'scaled'"),
    ({"profile": "cubique"}, "profile: got 'cubique'"),
    ({"synchronise": "never"}, "synchronise: got 'never'"),
    ({"degree": 4}, "degree: got 4, expected 3 or 5"),
    ({"degree": "5"}, "degree: got '5', expected 3 or 5"),
    ({"friction": "yes"}, "friction: got 'yes', expected True or False"),
    ({"friction": 1}, "friction: got 1, expected True or False"),
    ({"seconds": 0}, "seconds: got 0, expected a number above 0"),
    ({"seconds": MOST_SECONDS + 1}, "seconds: got 3601.0, expected a number above 0 and of at most 3600"),
    ({"seconds": True}, "seconds: got True, expected a number"),
    ({"linear": 3}, "linear: expected a speed and an acceleration"),
    ({"linear": [1, 2, 3]}, "linear: expected a speed and an acceleration"),
    ({"angular": [1, 0]}, "angular acceleration: got 0, expected a number above 0"),
    ({"linear": ["fast", 1]}, "linear speed: got 'fast', expected a number"),
    ({"blend": -0.1}, "blend: got -0.1, expected a number above 0"),
    ({"points": None}, "points: a motion takes two at least, got 0"),
    ({"points": POINTS[:1]}, "points: a motion takes two at least, got 1"),
    ({"points": [[0, 0]] * (MOST_POINTS + 1)}, "points: got 201, expected at most 200"),
    ({"points": [[0, 0], [1]]}, "points, 2: expected 2 numbers: shoulder, elbow"),
    ({"points": [[0, 0], {"shoulder": 1}]}, "points, 2: expected 2 numbers"),
    ({"points": [[0, math.nan], [1, 1]]}, "points, 1: got nan, expected a finite number"),
    ({"points": [[0, 0], [1, math.inf]]}, "points, 2: got inf, expected a finite number"),
    ({"points": [[0, False], [1, 1]]}, "points, 1: got False, expected a finite number"),
    ({"seed": [1]}, "seed: expected 2 numbers: a number for each joint"),
    ({"limits": [1]}, "limits: expected {velocity: {joint: number}, ...}"),
    ({"limits": {"velocity": 3}}, "limits: expected {velocity: {joint: number}, ...}"),
    ({"limits": {"speed": {}}}, r"limits: there is no speed \(limits: velocity, acceleration, jerk, torque; shoulder, elbow\)"),
    ({"limits": {"jerk": {"knee": 1}}}, "limits: there is no jerk of knee"),
    ({"limits": {"jerk": {"elbow": 0}}}, "limits, jerk of elbow: got 0, expected a number above 0"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "words"), WRONG, ids=lambda one: "" if isinstance(one, str) else None)
def test_a_field_that_means_nothing_is_named(arm: Robot, changes: Any, words: str) -> None:
    asked = {"points": POINTS, **changes} if isinstance(changes, dict) else changes
    with pytest.raises(ArgumentError, match=words):
        read_request(arm, asked)


@pytest.mark.parametrize(
    ("robot", "floating", "words"),
    [
        ("planar-3rrr", False, "space: planar-3rrr is a platform on legs: its points are poses already"),
        ("planar-2r", True, "space: planar-2r is free: only its joints are led"),
    ],
)
def test_where_the_tip_cannot_be_led(robot: str, floating: bool, words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        read_request(robosym.load(robot, floating=floating), {"space": "tip", "points": [[0.0] * 6] * 2})


@pytest.mark.parametrize("empty", [None, ""])
def test_an_empty_field_is_as_by_default(arm: Robot, empty: Any) -> None:
    request = read_request(arm, {"points": POINTS, "seconds": empty, "synchronise": empty})
    assert request.seconds is None
    assert request.synchronise is None
    assert read_request(arm, {"points": POINTS, "degree": None, "friction": None, "limits": None}).degree == 3


def test_a_number_is_above_its_bound() -> None:
    assert number("x", 3) == 3.0
    assert isinstance(number("x", 3), float)
    assert number("x", 1e-9, Positive) == 1e-9
    with pytest.raises(ArgumentError, match="x: got 0, expected a number above 0"):
        number("x", 0, Positive)


# --- poses -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pitch", [0.3, -1.2, math.pi / 2, -math.pi / 2, math.pi / 2 - 1e-9])
def test_a_pose_is_turned_about_x_then_y_then_z_of_the_world(pitch: float) -> None:
    for seed in range(5):
        x, y, z, roll, yaw = np.random.default_rng(seed).uniform(-3, 3, 5)
        T = pose_matrix(np.array([x, y, z, roll, pitch, yaw]))
        R = Rotation.from_euler("xyz", [roll, pitch, yaw]).as_matrix()
        np.testing.assert_allclose(T, np.block([[R, np.array([[x], [y], [z]])], [0, 0, 0, 1]]), atol=1e-15)
        again = pose_matrix(np.array([x, y, z, *roll_pitch_yaw(T[:3, :3])]))
        np.testing.assert_allclose(again, T, atol=2e-15)


def test_joints_of_several_axes_are_coordinates_by_entry() -> None:
    rows = [{"sigma": "cylindrical", "joint": "tube"}, {"joint": "knee", "limits": {"upper": 1.5}}]
    found = coordinates(Robot.from_table("leg", rows))
    assert [(one.name, one.unit, one.upper) for one in found] == [
        ("tube angle", "rad", math.inf),
        ("tube shift", "m", math.inf),
        ("knee", "rad", 1.5),
    ]
