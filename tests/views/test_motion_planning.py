"""Motions planned leg after leg: those of the library's own calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from views.motions import A, B, C, at, limits

import robosym
from robosym import models, trajectory
from robosym.errors import RobosymError
from robosym.options.errors import ArgumentError
from robosym.robot import Robot
from robosym.scene.controls import roll_pitch_yaw
from robosym.trajectory import TrajectoryError
from robosym.views.motion import (
    trajectory_view,
)
from robosym.views.motion_planning import Planned, held, planned
from robosym.views.motion_request import pose_matrix, read_request


@pytest.fixture(scope="module")
def puma():
    return robosym.load("puma560")


@pytest.mark.parametrize("profile", ["trapeze", "quintic", "jerk-limited"])
def test_a_motion_from_rest_to_rest_is_that_of_the_library_leg_after_leg(puma, profile):
    bounds = {"velocity": 2.0, "acceleration": 5.0, "jerk": 50.0}
    view = trajectory_view(puma, {"points": [A, B, C], "profile": profile, "limits": limits(puma, **bounds)})
    legs = [trajectory.point_to_point(a, b, profile, robot=puma, **bounds) for a, b in ((A, B), (B, C))]
    assert view["duration"] == pytest.approx(sum(leg.duration for leg in legs), rel=1e-12)
    assert view["arrivals"][1] == pytest.approx(legs[0].duration, rel=1e-12)
    for share in (0.2, 0.5, 0.9):
        t = share * legs[1].duration
        np.testing.assert_allclose(at(view, legs[0].duration + t), legs[1](t)[0], atol=1e-12)
    assert [one["name"] for one in view["panels"]] == ["positions", "velocities", "accelerations", "torques"]
    assert any(one["active"] for one in view["used"])


def test_splines_blends_and_the_fastest_motion_are_those_of_the_library(puma):
    bounds = {"velocity": 2.0, "acceleration": 5.0}
    asked = {"points": [A, B, C], "limits": limits(puma, **bounds)}
    for way in ("spline", "blend"):
        own = trajectory.through([A, B, C], method=way, robot=puma, **bounds)
        view = trajectory_view(puma, {**asked, "way": way})
        assert view["duration"] == own.duration
        np.testing.assert_allclose(view["coefficients"], own.coefficients)
    effort = [puma.frame(j).joint.limits.effort for j in puma.moving]
    fast = trajectory.fastest(puma, trajectory.Path.spline([A, B, C]), torque=effort, **bounds)
    assert trajectory_view(puma, {**asked, "way": "spline", "timing": "fastest"})["duration"] == fast.duration


def test_a_line_of_the_tip_is_that_of_to_joints():
    scara = robosym.load("scara")
    q0 = np.array([0.4, 0.7, 0.2, 0.1])
    T = models.transform(scara).compile()(q=q0)
    first = [*T[:3, 3], *roll_pitch_yaw(T[:3, :3])]
    second = [first[0] - 0.08, first[1] + 0.05, *first[2:]]
    view = trajectory_view(scara, {"space": "tip", "points": [first, second], "seed": q0.tolist(), "linear": [0.5, 2], "angular": [1, 4]})  # fmt: skip
    end = T.copy()
    end[:2, 3] += [-0.08, 0.05]
    line = trajectory.timed(trajectory.straight(T, end), linear=(0.5, 2), angular=(1, 4), profile="quintic")
    own = trajectory.to_joints(scara, line, 200.0, seed=q0)
    assert view["duration"] == pytest.approx(own.duration, rel=1e-9)
    np.testing.assert_allclose(at(view, 0.6 * own.duration), own(0.6 * own.duration)[0], atol=1e-9)
    with pytest.raises(RobosymError, match="reach"):
        trajectory_view(scara, {"space": "tip", "points": [first, [9.0, *first[1:]]], "seed": q0.tolist()})


# --- points on the way -----------------------------------------------------------------------------------------------------


def places(robot: Robot, request: dict[str, Any]) -> tuple[Planned, np.ndarray, np.ndarray]:
    """A motion of the tip, the positions of its poses, and where forward geometry has the tip on arrival."""
    found = planned(read_request(robot, request))
    q = found.trajectory(np.array(found.arrivals))[0]
    return found, np.array(request["points"])[:, :3], models.transform(robot).compile()(q=q)[:, :3, 3]


@pytest.fixture(scope="module")
def circle() -> tuple[Robot, list[list[float]], list[float]]:
    """Poses of a scara on a circle of 0.1 m, the second of which comes early, and joints at the first."""
    robot = robosym.load("scara")
    q = np.array([0.4, 0.7, 0.2, 0.1])
    T = models.transform(robot).compile()(q=q)
    angles = roll_pitch_yaw(T[:3, :3])
    centre = T[:3, 3] - [0.1, 0, 0]
    poses = [[*(centre + 0.1 * np.array([np.cos(a), np.sin(a), 0])), *angles] for a in (0.0, 0.4, 2.5, 3.0, 5.0)]
    return robot, poses, q.tolist()


@pytest.mark.parametrize("timing", ["planned", "scaled"])
def test_an_arc_is_at_its_poses_when_it_says(circle: Any, timing: str) -> None:
    """Not half the way through in time: the pose on the way of the first arc is at 0.4 of 2.5 radians. It turns as its ends do,
    not as the pose on the way."""
    robot, poses, seed = circle
    poses = [[*pose[:5], pose[5] + turn] for pose, turn in zip(poses, (0, -1, 2, 0, 0), strict=True)]
    asked = {"space": "tip", "way": "arc", "points": poses, "seed": seed, "timing": timing, "limits": limits(robot, torque=30.0)}  # fmt: skip
    found, wanted, tips = places(robot, asked)
    assert (np.diff(found.arrivals) > 0).all()
    assert found.arrivals[-1] == found.trajectory.duration
    assert np.abs(tips - wanted).max() < 1e-3  # of arcs of 0.25 m: the instants are a two thousandth of the time apart
    assert found.arrivals[1] < 0.35 * found.arrivals[2]


def test_poses_that_are_rounded_are_nearest_when_it_says(circle: Any) -> None:
    robot, poses, seed = circle
    found, wanted, tips = places(robot, {"space": "tip", "way": "via", "points": poses, "seed": seed, "blend": 0.1})
    gaps = np.linalg.norm(tips - wanted, axis=1)
    assert gaps[[0, -1]].max() < 1e-6
    t = np.linspace(0, found.trajectory.duration, 4001)
    way = models.transform(robot).compile()(q=found.trajectory(t)[0])[:, :3, 3]
    for point, gap in zip(wanted, gaps, strict=True):
        assert gap <= np.linalg.norm(way - point, axis=1).min() + 1e-4


def test_turns_without_a_way_are_passed_by_their_angles(circle: Any) -> None:
    """The pose between is turned by 0.3 of 1.5 radians, and no position tells when."""
    robot, poses, seed = circle
    turned = [[*poses[0][:5], poses[0][5] + turn] for turn in (0.0, 0.3, 1.5)]
    found = planned(read_request(robot, {"space": "tip", "way": "via", "points": turned, "seed": seed}))
    q = found.trajectory(found.arrivals[1])[0]
    R = models.transform(robot).compile()(q=q)[:3, :3]
    assert np.abs(R - pose_matrix(np.array(turned[1]))[:3, :3]).max() < 2e-3
    assert found.arrivals[1] < 0.4 * found.arrivals[2]


def test_a_point_that_is_passed_twice_is_passed_in_order(puma: Robot) -> None:
    """There and back, and there again: each point later than the one before it."""
    move = {"points": [A, B, A, B, A], "way": "spline", "seconds": 1.0}
    found = planned(read_request(puma, move))
    np.testing.assert_allclose(found.arrivals, [0, 1, 2, 3, 4], atol=3e-3)


# --- legs ------------------------------------------------------------------------------------------------------------------


def test_legs_are_joined_without_a_gap(puma: Robot) -> None:
    request = read_request(puma, {"points": [A, B, C, A], "seconds": 0.7, "profile": "cubic"})
    found = planned(request)
    np.testing.assert_allclose(found.arrivals, [0, 0.7, 1.4, 2.1])
    assert found.trajectory.name.endswith(", 3 legs")
    for t, point in zip(found.arrivals, request.points, strict=True):
        for side in (-1e-9, 1e-9):
            q, qd, _ = found.trajectory(min(max(t + side, 0.0), found.trajectory.duration))
            np.testing.assert_allclose(q, point, atol=1e-8)
            np.testing.assert_allclose(qd, 0, atol=1e-6)


def test_one_leg_is_the_motion_itself(puma: Robot) -> None:
    found = planned(read_request(puma, {"points": [A, B], "seconds": 0.7}))
    own = trajectory.point_to_point(A, B, robot=puma, duration=0.7)
    assert found.trajectory.name == own.name
    assert found.remarks == ()
    np.testing.assert_array_equal(found.trajectory.coefficients, own.coefficients)


def test_what_a_leg_says_names_it_where_there_are_several(puma: Robot) -> None:
    one = planned(read_request(puma, {"points": [A, B], "seconds": 2.0, "timing": "scaled"})).remarks
    two = planned(read_request(puma, {"points": [A, B, C], "seconds": 2.0, "timing": "scaled"})).remarks
    assert [word.split(" times as fast as planned")[0].split(":")[0] for word in two] == ["leg 1", "leg 2"]
    assert two[0] == f"leg 1: {one[0]}"


def test_more_joints_than_a_pose_takes_stay_where_they_are() -> None:
    rows = [{"joint": f"j{k}", "alpha": "pi/2" if k % 2 else 0, "d": 0.3} for k in range(8)]
    robot = Robot.from_table("long", rows, gravity=[0, 0, -9.81])
    request = read_request(robot, {"space": "tip", "points": [[0.0] * 6, [0.1] * 6]})
    assert held(request) == ("j6", "j7")
    assert held(read_request(robosym.load("rx90"), {"points": [[0.0] * 6, [0.1] * 6]})) == ()


def test_arcs_take_an_odd_number_of_poses(circle: Any) -> None:
    robot, poses, seed = circle
    with pytest.raises(ArgumentError, match=r"points: arcs take 3, 5, 7 .+, got 4"):
        planned(read_request(robot, {"space": "tip", "way": "arc", "points": poses[:4], "seed": seed}))


def test_the_leg_that_cannot_be_made_is_named(circle: Any) -> None:
    robot, poses, seed = circle
    far = [poses[0], poses[1], [9.0, *poses[1][1:]]]
    with pytest.raises(TrajectoryError, match=r"^leg 2: "):
        planned(read_request(robot, {"space": "tip", "points": far, "seed": seed}))
