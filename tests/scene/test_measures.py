"""The measures module in Node: J against finite differences of the poses and against the models; singularities where they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scene.modules_in_node import about, begun, called, needs_node, poses_of

import robosym
from robosym import models
from robosym.robot import Robot
from robosym.scene import direct_module, measures_module, scene

pytestmark = needs_node
STEP = 1e-5


def matrix(answer: dict[str, Any]) -> np.ndarray:
    return np.array(answer["values"], dtype=float).reshape(answer["rows"], answer["columns"])


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(
    "name", ["rx90", "panda", "stanford", "sr400", "five-bar-general", "planar-3rrr", "delta", "eel-3"]
)
def test_the_jacobian_is_the_slope_of_the_poses(name: str, tmp_path: Path) -> None:
    """World axes, the tip's origin, the speeds of the motors: those of a platform are slopes themselves."""
    robot = robosym.load(name, floating=name == "eel-3")
    made = scene(robot)
    n, x = len(made["controls"]), about(made, 1, far=0.1)[1]
    (answer,) = called(tmp_path, measures_module(robot), [["jacobian", x]])
    J = matrix(answer)
    skipped = 6 if made["floating"] else 0
    places = [x, *(x + sign * STEP * np.eye(n)[k] for k in range(skipped, n) for sign in (1, -1))]
    calls = [[what, place] for what in ("frames", "state") for place in places]
    found = called(tmp_path, direct_module(robot), calls)
    tips = [poses_of(one)[made["tip"]] for one in found[: len(places)]]
    states = [np.array(one) for one in found[len(places) :]]
    twists, speeds = [], []
    for k in range(1, len(places), 2):
        slope = (tips[k] - tips[k + 1]) / (2 * STEP)
        turning = slope[:3, :3] @ tips[0][:3, :3].T
        twists.append([*slope[:3, 3], turning[2, 1], turning[0, 2], turning[1, 0]])
        speeds.append((states[k] - states[k + 1])[7 if skipped else 0 :] / (2 * STEP))
    assert J.shape == (6, len(speeds[0]))
    assert np.abs(J @ np.array(speeds).T - np.array(twists).T).max() < 1e-7


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["rx90", "ur5", "sr400"])
def test_the_jacobian_is_that_of_the_models(name: str, tmp_path: Path) -> None:
    robot = robosym.load(name)
    x = about(scene(robot), 1)[1]
    (answer,) = called(tmp_path, measures_module(robot), [["jacobian", x]])
    wanted = models.jacobian(robot).evaluate(q=x)
    wanted = wanted if isinstance(wanted, np.ndarray) else wanted["J"]
    assert np.abs(matrix(answer) - wanted).max() < 1e-12


def near(answer: list[dict[str, Any]]) -> set[str]:
    return {one["name"] for one in answer if one["near"]}


def test_an_arm_names_its_singularities(tmp_path: Path) -> None:
    """Elbow, wrist and shoulder, each alone."""
    robot = robosym.load("rx90")
    reach = robot.values["D3"].number, robot.values["RL4"].number
    q2 = 0.4
    over = np.arcsin(reach[0] * np.cos(q2) / reach[1]) - q2  # the wrist is above the first axis
    places = {
        "": [0.1, 0.2, 0.5, 0.3, 0.9, 0.2],
        "elbow": [0.1, 0.2, -np.pi / 2, 0.3, 0.9, 0.2],
        "wrist_bend": [0.1, 0.2, 0.5, 0.3, 0.0, 0.2],
        "shoulder": [0.1, q2, over, 0.3, 0.9, 0.2],
    }
    answers = called(tmp_path, measures_module(robot), [["singularities", x] for x in places.values()])
    assert [near(one) for one in answers] == [{name} - {""} for name in places]
    words = {one["name"]: one["words"] for one in answers[0]}
    assert words["wrist_bend"] == "singular where sin(q5) = 0: q5 = 0 or pi"
    assert words["elbow"] == "singular where cos(q3) = 0: q3 = -pi/2 or pi/2"
    assert "D3*cos(q2) - RL4*sin(q2 + q3) = 0" in words["shoulder"]
    for name, answer in zip(places, answers, strict=True):
        value = {one["name"]: one["value"] for one in answer}
        assert not name or abs(value[name]) < 1e-12
        assert all(abs(v) <= 1.05 for v in value.values())


def test_what_other_rows_hold_is_no_singularity(tmp_path: Path) -> None:
    """Of two joints in space, no row alone tells: the tip of this arm never loses a direction."""
    robot = Robot.from_table(
        "cross", [{"alpha": 0}, {"alpha": "pi/2", "d": 0.3}, {"sigma": 2, "alpha": "pi/2", "d": 0.2}]
    )
    xs = [[0.0, 0.0], [np.pi / 2, 0.0], [0.3, np.pi / 2], [np.pi / 2, np.pi / 2]]
    answers = called(tmp_path, measures_module(robot), [["singularities", x] for x in xs])
    matrices = called(tmp_path, measures_module(robot), [["jacobian", x] for x in xs])
    for answer, J in zip(answers, matrices, strict=True):
        lost = np.linalg.svd(matrix(J)[:3], compute_uv=False)[1] < 1e-9
        assert bool(near(answer)) == lost


@pytest.mark.parametrize("name", ["panda", "general-6r"])
def test_singular_values_are_those_of_numpy(name: str, tmp_path: Path) -> None:
    """An arm without readable factors: the smallest singular value, lengths over the reach."""
    robot = robosym.load(name)
    made = scene(robot)
    xs = about(made, 5, far=1.0)
    module = measures_module(robot)
    shares = [one[0]["value"] for one in called(tmp_path, module, [["singularities", x] for x in xs])]
    sizes = []
    for answer in called(tmp_path, module, [["jacobian", x] for x in xs]):
        J = matrix(answer)
        J[:3] /= made["reach"]
        sizes.append(np.linalg.svd(J, compute_uv=False)[5])
    assert np.abs(np.array(sizes) * shares[1] - np.array(shares) * sizes[1]).max() < 1e-12


def test_a_platform_is_stretched_or_loose(tmp_path: Path) -> None:
    robot = robosym.load("planar-3rrr")
    made = scene(robot)
    long = 2 * robot.values["L1"].number - (robot.values["RB"].number - robot.values["RP"].number)
    x = begun(made) - np.array([long * (1 - 1e-4), 0, 0])  # away from where the first leg stands
    home, far = called(tmp_path, measures_module(robot), [["singularities", begun(made)], ["singularities", x]])
    assert [one["name"] for one in home] == ["stretched", "loose"]
    assert "stretched" not in near(home)
    assert "stretched" in near(far)


def test_where_it_is_not_assembled_there_is_no_measure(tmp_path: Path) -> None:
    robot = robosym.load("delta")
    x = [5.0, 0.0, -1.0]
    J, found = called(tmp_path, measures_module(robot), [["jacobian", x], ["singularities", x]])
    assert set(J["values"]) == {"NaN"}
    assert found == []
