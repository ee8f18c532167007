"""Sampled workspaces against those known in closed form."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.reference import frame_poses

import robosym
from robosym import RobosymError
from robosym.analysis import skeleton, workspace, workspace_picture
from robosym.robot import Limits, Robot, RobotError

QUILL = {"quill": (-0.3, 0.0)}


def limited(robot: Robot, j: int, limits: Limits) -> Robot:
    frames = list(robot.frames)
    frames[j - 1] = replace(frames[j - 1], joint=replace(frames[j - 1].joint, limits=limits))
    return robot.replace(frames=tuple(frames))


def test_the_planar_arm_reaches_an_annulus() -> None:
    found = workspace(robosym.load("planar-2r"))
    radius = np.linalg.norm(found.points[:, :2], axis=1)
    assert found.points.shape == (20000, 3)
    assert found.q.shape == (20000, 2)
    assert not found.points[:, 2].any()
    assert radius.min() >= 0.1 - 1e-12
    assert radius.max() <= 0.9 + 1e-12
    assert found.reach == pytest.approx((0.1, 0.9), abs=1e-5)
    # r^2 = L1^2 + L2^2 + 2 L1 L2 cos q2 with q2 even: the share within r is known.
    for r in (0.3, 0.5, 0.7):
        share = 1 - np.arccos((r**2 - 0.41) / 0.4) / np.pi
        assert np.mean(radius <= r) == pytest.approx(share, abs=0.02)
    lower, upper = found.box
    np.testing.assert_allclose([*lower[:2], *upper[:2]], [-0.9, -0.9, 0.9, 0.9], atol=2e-3)
    # condition above 100 near q2 = 0 and pi: the share by the closed form of the two singular values
    q2 = np.linspace(-np.pi, np.pi, 200001)
    half, det = (0.25 + 0.32 + 0.4 * np.cos(q2)) / 2, (0.2 * np.sin(q2)) ** 2
    small = half - np.sqrt(half**2 - det)
    bad = np.mean((half + np.sqrt(half**2 - det)) > 1e4 * small)
    assert found.near_singular == pytest.approx(bad, abs=0.004)


def test_the_scara_reaches_a_thick_ring() -> None:
    found = workspace(robosym.load("scara"), limits=QUILL)
    assert found.sampled == ("shoulder", "elbow", "quill")  # the wrist turns the point about itself
    lower, upper = found.box
    np.testing.assert_allclose([lower[2], upper[2]], [-0.3, 0.0], atol=1e-3)
    radius = np.linalg.norm(found.points[:, :2], axis=1)
    assert (radius.min(), radius.max()) == pytest.approx((0.1, 0.7), abs=1e-4)
    assert found.reach[1] <= np.hypot(0.7, 0.3)
    np.testing.assert_allclose(found.points[:, 2], found.q[:, 3], atol=1e-14)


def test_points_are_where_the_robot_is() -> None:
    robot = robosym.load("puma560")
    found = workspace(robot, frame="link4", samples=20)
    for q, point in zip(found.q, found.points, strict=True):
        np.testing.assert_allclose(point, frame_poses(robot, q)[4][:3, 3], atol=1e-12)
    assert found.ranges.pairs[0] == pytest.approx((np.radians(-160), np.radians(160)))
    assert np.abs(found.q[:, 0]).max() <= np.radians(160)
    assert found.ranges.assumed == ()


def test_the_seed_decides() -> None:
    robot = robosym.load("planar-2r")
    first, again, other = (workspace(robot, samples=50, seed=seed).points for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_a_grid_is_even_and_ends_where_the_limits_are() -> None:
    robot = robosym.load("planar-2r")
    found = workspace(robot, samples=100, method="grid", limits={"elbow": (0, 1.8)})
    assert len(found.points) == 100
    np.testing.assert_allclose(np.unique(found.q[:, 1]), np.linspace(0, 1.8, 10))
    turn = np.unique(found.q[:, 0])  # a full turn: its end is its beginning
    np.testing.assert_allclose(np.diff(turn), 2 * np.pi / 10)
    assert len(workspace(robot, samples=99, method="grid").points) == 81
    assert len(workspace(robot, samples=1, method="grid").points) == 1


def test_half_a_pair_of_limits_is_completed_by_a_turn() -> None:
    robot = robosym.load("planar-2r")
    found = workspace(limited(robot, 1, Limits(lower=1.0)), samples=10)
    assert found.ranges.pairs[0] == pytest.approx((1.0, 1.0 + 2 * np.pi))
    found = workspace(limited(robot, 1, Limits(upper=0.0)), samples=10)
    assert found.ranges.pairs[0] == pytest.approx((-2 * np.pi, 0.0))


def test_a_prismatic_joint_needs_limits() -> None:
    robot = robosym.load("scara")
    with pytest.raises(RobotError, match=r"prismatic joint 'quill' has no limits: .*limits=\{'quill'"):
        workspace(robot)
    with pytest.raises(RobotError, match="'quill'"):
        workspace(limited(robot, 4, Limits(lower=0.0)))
    assert workspace(limited(robot, 4, Limits(lower=0.0, upper=0.2)), samples=5).ranges.pairs[3] == (0.0, 0.2)
    assert workspace(robot, frame="link3", samples=5).sampled == ("shoulder", "elbow")  # the quill moves nothing here


def test_a_free_base_is_held_at_the_identity() -> None:
    held, fixed = (workspace(robosym.load("puma560", floating=f), samples=30) for f in (True, False))
    np.testing.assert_allclose(held.points, fixed.points, atol=1e-14)
    assert held.q.shape == (30, 13)
    np.testing.assert_array_equal(held.q[0, :7], [0, 0, 0, 0, 0, 0, 1])
    assert held.near_singular == fixed.near_singular


def test_a_frame_that_nothing_moves() -> None:
    found = workspace(robosym.load("puma560"), frame=0, samples=7)
    assert found.reach == (0, 0)
    assert found.sampled == ()
    assert len(workspace(robosym.load("puma560"), frame=0, samples=7, method="grid").points) == 1


def test_the_summary_is_plain_data() -> None:
    facts = workspace(robosym.load("scara"), samples=200, limits=QUILL).as_dict()
    assert facts["limits"]["quill"] == [-0.3, 0.0]
    assert facts["assumed_limits"] == ["shoulder", "elbow"]
    assert facts["frame"] == "link4"
    assert facts["manipulability"][2] <= 0.12 + 1e-12


def test_values_that_are_missing_or_changed() -> None:
    robot = robosym.load("planar-2r")
    bare = robot.replace(values={})
    with pytest.raises(RobosymError, match="parameters without a value: L1, L2"):
        workspace(bare)
    found = workspace(bare, parameters={"L1": 1.0, "L2": 0.25})
    assert found.reach == pytest.approx((0.75, 1.25), abs=1e-5)
    assert found.near_singular > 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"samples": 0}, "samples: got 0"),
        ({"samples": 10**9}, "samples"),
        ({"seed": -1}, "seed: got -1"),
        ({"method": "sobol"}, "method: got 'sobol', expected 'random' or 'grid'"),
        ({"frame": "hand"}, "there is no frame 'hand'"),
        ({"limits": {"knee": (0, 1)}}, "no moving joint 'knee'"),
        ({"limits": {"elbow": (1, 0)}}, "lower <= upper"),
        ({"limits": {"elbow": 3}}, "expected \\(lower, upper\\)"),
        ({"limits": {"elbow": (0, float("inf"))}}, "finite"),
        ({"limits": [1]}, "limits: got \\[1\\], expected a mapping"),
        ({"parameters": {"LL": 1.0}}, "unknown parameter 'LL'"),
        ({"parameters": {"L1": float("nan")}}, "parameters, L1: got nan, expected a number"),
        ({"parameters": {"L1": "long"}}, "parameters, L1: got .*, expected a number"),
        ({"parameters": {"L1": float("inf")}}, "parameters: 'L1' is inf, expected a finite number"),
        ({"parameters": [0.5]}, "parameters: got \\[0.5\\], expected a mapping"),
    ],
)
def test_wrong_arguments_are_named(options: dict, words: str) -> None:
    with pytest.raises(RobosymError, match=words):
        workspace(robosym.load("planar-2r"), **options)


def test_a_colour_of_parallel_robots_is_named() -> None:
    found = workspace(robosym.load("planar-2r"), samples=20)
    with pytest.raises(
        RobosymError, match="colour: got 'distance', which is for parallel robots, expected 'manipulability' or"
    ):
        workspace_picture(found, "distance")


def test_closed_loops() -> None:
    """A five-bar linkage reaches what both its legs reach: rings about the two pivots."""
    rows = [
        {"antecedent": 0, "joint": "left"},
        {"antecedent": 1, "joint": "left_elbow", "d": 0.3, "active": False},
        {"antecedent": 0, "joint": "right", "d": 0.5},
        {"antecedent": 3, "joint": "right_elbow", "d": 0.35, "active": False},
        {"antecedent": 4, "joint": "cut", "d": 0.45, "active": False},
        {"antecedent": 2, "joint": "twin", "d": 0.4, "sigma": "fixed"},
    ]
    robot = robosym.Robot.from_table("five bars", rows, loops=1)
    found = workspace(robot, samples=4000, mode="cut-")
    assert 1000 < len(found.points) == len(found.q) < 4000
    left, right = (np.linalg.norm(found.points - [x, 0, 0], axis=1) for x in (0.0, 0.5))
    assert (left > 0.1 - 1e-9).all()
    assert (left < 0.7 + 1e-9).all()
    assert (right > 0.1 - 1e-9).all()
    assert (right < 0.8 + 1e-9).all()
    assert max(left) > 0.69
    assert max(right) > 0.79
    assert np.isfinite(found.measures.manipulability).all()
    bones = skeleton(found.robot, found.posture)
    np.testing.assert_allclose(bones.origins[5], bones.origins[6], atol=1e-12)
    workspace_picture(found)


def test_loops_that_never_close() -> None:
    with pytest.raises(RobosymError, match="closed loops cannot be assembled at any of the states"):
        workspace(robosym.load("four-bar"), samples=50, parameters={"D5": 5.0})


def test_a_universal_joint_is_sampled_by_its_two_angles() -> None:
    """The tip is on the torus that two axes make at right angles: here a sphere."""
    rows = [{"sigma": "universal", "joint": "cross"}, {"sigma": "fixed", "d": 0.7}]
    found = workspace(Robot.from_table("arm", rows), samples=300)
    np.testing.assert_allclose(np.linalg.norm(found.points, axis=1), 0.7, atol=1e-12)
    assert found.sampled == ("cross 1", "cross 2")
    assert np.ptp(found.points, axis=0).min() > 1.2
    assert found.posture.shape == (2,)
    with pytest.raises(RobotError, match="is a ball joint"):
        workspace(Robot.from_table("arm", [{"sigma": "ball"}, {"sigma": "fixed", "d": 0.7}]))
