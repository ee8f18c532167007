"""The inverse module in Node: the same solutions as the solvers of Python, each of which makes its pose."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scene.float_geometry import tree_poses
from scene.modules_in_node import about, begun, called, needs_node, poses_of

import robosym
from robosym import models
from robosym.robot import Robot
from robosym.scene import direct_module, inverse_module, scene

pytestmark = needs_node


def pose_at(robot: Robot, x: np.ndarray, folder: Path) -> np.ndarray:
    (answer,) = called(folder, direct_module(robot), [["frames", x]])
    return poses_of(answer)[scene(robot)["tip"]]


def same_sets(found: list[list[float]], wanted: np.ndarray) -> bool:
    ours = np.array(found, dtype=float).reshape(len(found), -1)
    return len(ours) == len(wanted) and all(np.abs(np.sin((ours - one) / 2)).max(axis=1).min() < 1e-9 for one in wanted)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rx90", "ur5", "scara", "sr400", "planar-3r"])
def test_all_solutions_are_those_of_the_solver(name: str, tmp_path: Path) -> None:
    robot = robosym.load(name)
    made = scene(robot)
    here, *xs = about(made, 2, far=0.8, seed=4)
    poses = [pose_at(robot, x, tmp_path) for x in xs]
    answers = called(tmp_path, inverse_module(robot), [["solve", T.ravel(), here] for T in poses])
    solver = models.inverse_geometric(robot)
    for x, T, answer in zip(xs, poses, answers, strict=True):
        wanted = solver(T, seed=here, limits=True)
        assert answer["status"] == wanted.status == "reachable"
        assert same_sets(answer["solutions"], wanted.solutions)
        assert same_sets([x.tolist()], np.array(answer["solutions"])[[_nearest(answer, x)]])
        ways = [float(np.sum((np.array(one) - here) ** 2)) for one in answer["solutions"]]
        assert made["controls"][0]["unit"] != "rad" or "m" in _units(made) or ways == sorted(ways)
        for one in answer["solutions"]:
            assert np.abs(pose_at(robot, np.array(one), tmp_path) - T).max() < 1e-9


def _units(made: dict[str, Any]) -> set[str]:
    return {control["unit"] for control in made["controls"]}


def _nearest(answer: dict[str, Any], x: np.ndarray) -> int:
    return int(np.argmin([np.abs(np.array(one) - x).max() for one in answer["solutions"]]))


def test_a_redundant_arm_holds_a_joint_where_it_is(tmp_path: Path) -> None:
    robot = robosym.load("panda")
    here, x = about(scene(robot), 1, far=0.3)
    x[6] = here[6]
    T = tree_poses(robot, x)[scene(robot)["tip"]]
    (answer,) = called(tmp_path, inverse_module(robot), [["solve", T.ravel(), here]])
    assert answer["status"] == "reachable"
    assert np.abs(np.array(answer["solutions"]) - x).max(axis=1).min() < 1e-8
    for one in answer["solutions"]:
        assert one[6] == here[6]
        assert np.abs(tree_poses(robot, np.array(one))[scene(robot)["tip"]] - T).max() < 1e-9
        limits = [robot.frame(j).joint.limits for j in robot.moving]
        assert all(limit.lower - 1e-6 <= v <= limit.upper + 1e-6 for limit, v in zip(limits, one, strict=True))


def test_an_arm_with_many_joints_is_solved_by_iteration(tmp_path: Path) -> None:
    rows = [{"alpha": "pi/2" if k % 2 else "-pi/2", "d": 0.1, "r": 0.2} for k in range(9)]
    robot = Robot.from_table("snake", rows)
    here = np.linspace(0.2, 0.9, 9)
    x = here + np.linspace(-0.2, 0.3, 9)
    T = tree_poses(robot, x)[9]
    away = T.copy()
    away[:3, 3] += 50
    found, none = called(tmp_path, inverse_module(robot), [["solve", T.ravel(), here], ["solve", away.ravel(), here]])
    assert found["status"] == "reachable"
    assert np.abs(tree_poses(robot, np.array(found["solutions"][0]))[9] - T).max() < 1e-10
    assert none["status"] == "unreachable"
    assert none["solutions"] == []


def test_iteration_stays_within_limits(tmp_path: Path) -> None:
    limits = {"lower": -0.5, "upper": 0.5}
    rows = [{"alpha": "pi/2" if k % 2 else "-pi/2", "d": 0.1, "r": 0.2, "limits": limits} for k in range(9)]
    robot = Robot.from_table("short snake", rows)
    x = np.linspace(-0.4, 0.4, 9)
    T = tree_poses(robot, x)[9]
    (found,) = called(tmp_path, inverse_module(robot), [["solve", T.ravel(), np.zeros(9)]])
    assert all(-0.5 <= v <= 0.5 for one in found["solutions"] for v in one)
    assert found["status"] == "reachable"


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["gough-stewart", "delta", "planar-3rrr"])
def test_the_pose_of_a_platform_is_what_is_controlled(name: str, tmp_path: Path) -> None:
    robot = robosym.load(name)
    here, x = about(scene(robot), 1, far=0.05)
    T = pose_at(robot, x, tmp_path)
    tilted = T @ np.array([[1, 0, 0, 0], [0, 0.8, -0.6, 0], [0, 0.6, 0.8, 0], [0, 0, 0, 1]])
    found, other = called(
        tmp_path, inverse_module(robot), [["solve", T.ravel(), here], ["solve", tilted.ravel(), here]]
    )
    assert found["status"] == "reachable"
    assert np.abs(np.array(found["solutions"][0]) - x).max() < 1e-12
    if name != "gough-stewart":  # these do not tilt
        assert other["status"] == "unreachable"


def test_a_free_base_stays_where_it_is(tmp_path: Path) -> None:
    robot = robosym.load("rx90", floating=True)
    made = scene(robot)
    x = np.array([0.3, -0.2, 1.0, 0.4, -0.3, 2.0, 0.1, 0.2, 0.5, 0.3, 0.9, 0.2])
    T = pose_at(robot, x, tmp_path)
    here = np.array([*x[:6], *begun(made)[6:]])
    (answer,) = called(tmp_path, inverse_module(robot), [["solve", T.ravel(), here]])
    assert np.abs(np.array(answer["solutions"]) - x).max(axis=1).min() < 1e-9
    assert np.abs(np.array(answer["solutions"])[:, :6] - x[:6]).max() == 0


def test_statuses_say_why_there_is_nothing(tmp_path: Path) -> None:
    robot = robosym.load("rx90")
    here = begun(scene(robot))
    T = tree_poses(robot, np.array([0.1, 0.2, 0.5, 0.3, 0.0, 0.2]))[6]
    away, crooked = T.copy(), T.copy()
    away[0, 3] = 9.0
    crooked[:3, :3] *= 1.1
    poses = {"singular": T, "unreachable": away, "no pose": crooked}
    calls: list[list[Any]] = [["solve", pose.ravel(), here] for pose in poses.values()]
    answers = called(tmp_path, inverse_module(robot), [*calls, ["solve", [1, 2], here], ["solve", T.ravel(), [0]]])
    assert [one["status"] for one in answers] == [*poses, "no pose", "no pose"]
    assert answers[3]["message"] == "expected 16 finite numbers, the pose of the tip by rows"
    assert answers[4]["message"] == "expected 6 finite numbers, the controls"
    assert "a rotation" in answers[2]["message"]


def test_outside_limits_is_said(tmp_path: Path) -> None:
    limits = {"lower": -0.3, "upper": 0.3}
    robot = Robot.from_table("elbow", [{"limits": limits}, {"d": 1, "limits": limits}, {"sigma": 2, "d": 1}])
    T = tree_poses(robot, np.array([0.1, 1.2]))[3]
    (answer,) = called(tmp_path, inverse_module(robot), [["solve", T.ravel(), [0, 0]]])
    assert answer["status"] == "outside limits"


def test_where_there_is_nothing_to_solve_the_reason_is_given(tmp_path: Path) -> None:
    robot = robosym.load("delta")
    module = inverse_module(robot, frame=robot.platforms[0].legs[0].end)
    assert called(tmp_path, module, [["solve"], ["reason"]]) == [
        None,
        "the tip does not stand on the platform, whose pose is what is controlled",
    ]


@pytest.mark.parametrize(("kinds", "floating"), [(("", "ball", ""), False), (("floating", "universal"), True)])
def test_joints_of_several_axes_are_solved_by_iteration(kinds: tuple[str, ...], floating: bool, tmp_path: Path) -> None:
    rows = [{"alpha": 0.4 * k, "d": 0.3, "r": 0.1, **({"sigma": kind} if kind else {})} for k, kind in enumerate(kinds)]
    robot = Robot.from_table("arm", rows, base={"floating": floating})
    here = begun(scene(robot)) + 0.2
    there = here + np.random.default_rng(7).uniform(-0.3, 0.3, len(here))
    there[: 6 * floating] = here[: 6 * floating]
    T = pose_at(robot, there, tmp_path)
    back = [["controls", q] for q in called(tmp_path, direct_module(robot), [["state", there]])]
    assert np.allclose(called(tmp_path, direct_module(robot), back)[0], there, atol=1e-12)
    (answer,) = called(tmp_path, inverse_module(robot), [["solve", T.ravel(), here]])
    assert answer["status"] == "reachable"
    np.testing.assert_allclose(pose_at(robot, np.array(answer["solutions"][0]), tmp_path), T, atol=1e-9)
