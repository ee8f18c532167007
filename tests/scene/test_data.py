"""The scene as data: what there is, in the order that the modules use, whatever the description calls it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from random_robots import random_robot
from scene.modules_in_node import begun, called, needs_node, poses_of

import robosym
from robosym.expr import number
from robosym.formats.visuals import Visual
from robosym.robot import Robot, RobotError
from robosym.scene import direct_module, inverse_module, measures_module, scene

HOSTILE = (
    "</script><script>globalThis.polluted=1</script>",
    "__proto__",
    "a\"; globalThis.polluted = 1; //'`${1}",
    "two\nlines */ globalThis.polluted = 1; /*",
    "separator\u2028and\u2029 \\u0022 é",
    "constructor",
)


def hostile(robot: Robot) -> Robot:
    """The robot with names that mean something to HTML or JavaScript."""
    names = iter([f"{HOSTILE[k % len(HOSTILE)]}{k if k >= len(HOSTILE) else ''}" for k in range(200)])
    frames = tuple(replace(f, name=next(names), joint=replace(f.joint, name=next(names))) for f in robot.frames)
    return robot.replace(
        name=HOSTILE[0], description=HOSTILE[3], frames=frames, base=replace(robot.base, name=next(names))
    )


@pytest.mark.mostly_slow(fast=1)
@needs_node
@pytest.mark.parametrize("name", ["rx90", "sr400", "delta"])
def test_names_are_data_and_nothing_else(name: str, tmp_path: Path) -> None:
    plain = robosym.load(name)
    robot = hostile(plain)
    made = scene(robot)
    assert made["name"] == HOSTILE[0]
    assert [frame["name"] for frame in made["frames"]] == [robot.base.name, *(f.name for f in robot.frames)]
    assert json.loads(json.dumps(made, allow_nan=False)) == made
    x = begun(made)
    calls = {direct_module: ["frames", x], measures_module: ["singularities", x]}
    calls[inverse_module] = ["solve", np.eye(4).ravel(), x]
    for make, call in calls.items():
        text = make(robot)
        assert text.isascii()
        assert "</script" not in text
        assert not re.search(r"\beval\b|\bimport\b|new Function", text)
        called(tmp_path, text, [call])  # looks for what names left behind
    (answer,) = called(tmp_path, direct_module(robot), [["frames", x]])
    (other,) = called(tmp_path, direct_module(plain), [["frames", x]])
    assert np.array_equal(poses_of(answer), poses_of(other))


def test_frames_say_what_moves_them() -> None:
    made = scene(robosym.load("sr400"))
    kinds = [frame["kind"] for frame in made["frames"]]
    assert kinds[0] == "base"
    assert kinds.count("cut") == 2 * len(made["loops"]) == 2
    robot = robosym.load("sr400")
    driven = [frame["number"] for frame in made["frames"] if frame["control"] is not None]
    assert [made["frames"][j]["control"] for j in robot.moving] == list(range(len(robot.moving)))
    assert sorted(driven) == sorted(robot.moving)
    passive = {frame["name"] for frame in made["frames"] if frame["passive"]}
    assert passive == {
        f.name for j, f in enumerate(robot.frames, 1) if f.joint.variable is not None and j not in robot.moving
    }


def test_a_dependent_joint_is_passive() -> None:
    rows = [{"joint": "first"}, {"d": 1, "joint": "second", "mimic": {"frame": 1, "ratio": 2}}]
    frames = scene(Robot.from_table("pair", rows))["frames"]
    assert [(frame["control"], frame["passive"]) for frame in frames] == [(None, False), (0, False), (None, True)]


def corner_points(made: dict[str, Any], poses: np.ndarray, j: int) -> np.ndarray:
    T = poses[made["frames"][j]["antecedent"]]
    points = [T[:3, :3] @ np.array(point) + T[:3, 3] for point in made["frames"][j]["corners"]]
    return np.array([T[:3, 3], *points, poses[j][:3, 3]])


@needs_node
@pytest.mark.parametrize("seed", range(4))
def test_the_last_corner_is_on_the_frames_own_axis(seed: int, tmp_path: Path) -> None:
    """And the first on that of the antecedent, however the joints stand."""
    robot = random_robot(np.random.default_rng(seed), 9)
    made = scene(robot)
    x = np.random.default_rng(seed).uniform(-1, 1, len(made["controls"]))
    (answer,) = called(tmp_path, direct_module(robot), [["frames", x]])
    poses = poses_of(answer)
    for j in range(1, len(poses)):
        points = corner_points(made, poses, j)
        last = points[-1] - points[-2]
        assert np.linalg.norm(np.cross(last, poses[j][:3, 2])) < 1e-12
        gaps = np.diff(points[:-1], axis=0)
        lengths = np.linalg.norm(gaps, axis=1)
        _, b, _, d, *_ = (float(v.value) if v.op == "number" else np.nan for v in robot.geometry(j))
        wanted = [abs(v) for v in (b, d) if v and not np.isnan(v)]
        assert np.isnan([b, d]).any() or np.abs(lengths - wanted).max(initial=0) < 1e-12


def test_gravity_is_that_of_the_world() -> None:
    robot = robosym.load("rx90")
    assert scene(robot)["gravity"] == pytest.approx([0, 0, -9.81])
    quarter = [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1]  # about x: z of the base is -y of the world
    hung = robot.replace(base=replace(robot.base, location=tuple(number(v) for v in quarter)))
    assert scene(hung)["gravity"] == pytest.approx([0, 9.81, 0])


def test_shapes_belong_to_frames() -> None:
    robot = robosym.load("rx90")
    pose = tuple(np.eye(4).ravel())
    box = Visual("link3", "box", (1.0, 2.0, 3.0), pose, (1.0, 0.0, 0.0, 1.0))
    (shape,) = scene(robot, shapes=[box])["shapes"]
    assert shape["frame"] == robot.number("link3")
    assert shape["size"] == [1.0, 2.0, 3.0]
    with pytest.raises(RobotError, match="there is no frame 'hand'"):
        scene(robot, shapes=[Visual("hand", "box", (1.0, 1.0, 1.0), pose)])


def test_the_tip_can_be_another_frame() -> None:
    robot = robosym.load("rx90")
    assert scene(robot)["tip"] == 6
    assert scene(robot, frame="link3")["tip"] == 3
    with pytest.raises(RobotError, match="there is no frame"):
        scene(robot, frame="tail")


def test_the_size_is_that_of_the_arm() -> None:
    robot = Robot.from_table("planar", [{}, {"d": 0.4}, {"sigma": 2, "d": 0.3}])
    assert scene(robot)["reach"] == pytest.approx(0.7)
