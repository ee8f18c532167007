"""The scene of a run: its points against the skeleton of the robot on plain numbers, its paths, and all kinds of robots."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from random_robots import random_robot
from simulation.sample_runs import lost_at, swinging
from simulation.tops import mixed, start

import robosym
from robosym import RobosymError
from robosym.analysis.skeleton import skeleton
from robosym.expr import evaluate, number
from robosym.options.errors import ArgumentError
from robosym.robot import Robot
from robosym.simulation import Run
from robosym.simulation.animation import scene_of

ROBOTS = ["planar-2r", "scara", "four-bar", "sr400", "palletizer", "stanford", "eel-3"]


def same_skeleton(robot: Robot, run: Run) -> None:
    """Every limb passes through the corners of the skeleton that ``analysis`` makes, at every picture."""
    scene = scene_of(run, fps=2.0)
    for k, q in enumerate(run.q[[int(np.argmin(np.abs(run.time - t))) for t in scene.time]]):
        bones = skeleton(robot, q)
        for limb, j in zip(scene.limbs, robot.order, strict=True):
            drawn = scene.points[k, limb]
            corners = bones.limbs[j]
            assert drawn[0] == pytest.approx(corners[0], abs=1e-12)
            assert drawn[-1] == pytest.approx(corners[-1], abs=1e-12)
            for corner in corners:  # those of steps of no length are drawn once
                assert np.abs(drawn - corner).max(axis=1).min() < 1e-12
        assert scene.points[k, scene.base] == pytest.approx(bones.origins[0], abs=1e-12)
        for places, joints in ((scene.revolute, bones.revolute), (scene.prismatic, bones.prismatic)):
            expected = np.array([bones.origins[j] for j in joints]).reshape(-1, 3)
            assert scene.points[k, list(places)] == pytest.approx(expected, abs=1e-12)


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("name", ROBOTS)
def test_the_skeleton_of_robots_of_all_kinds(name: str) -> None:
    run = swinging(name, 21)
    same_skeleton(run.robot, run)


@pytest.mark.parametrize("seed", range(4))
def test_the_skeleton_of_random_trees(seed: int) -> None:
    robot = random_robot(np.random.default_rng(seed), 6, symbolic=seed % 2 == 1)
    same_skeleton(robot, swinging(robot, 5))


def test_closed_loops_are_drawn_closed() -> None:
    scene = scene_of(swinging("four-bar", 9))
    ends = scene.points[:, [limb[-1] for limb in scene.limbs[-2:]]]
    assert ends[:, 0] == pytest.approx(ends[:, 1], abs=1e-12)  # the two frames of the cut joint


def test_the_last_link_goes_to_its_centre_of_mass() -> None:
    """(M1 + M2) c = M1 c1 + M2 c2, with the centre of the whole from its own model."""
    run = swinging("double-pendulum", 5)
    scene = scene_of(run)
    ((start, end),) = scene.tails
    values = {name: value.number for name, value in run.robot.values.items()}
    first, second = (run.robot.frame(j).link for j in (1, 2))
    M1, M2, *moment = evaluate([first.M, second.M, first.MX, first.MY, first.MZ], values)
    T = run.pose(1)
    c1 = T[:, :3, 3] + T[:, :3, :3] @ (np.array(moment) / M1)
    c = robosym.models.centre_of_mass(run.robot, reference="world").compile()(q=run.q)
    assert (M1 + M2) * c == pytest.approx(M1 * c1 + M2 * scene.points[:, end], abs=1e-12)
    assert scene.points[:, start] == pytest.approx(run.tip(2), abs=1e-12)


def test_paths_of_the_frame_and_of_what_is_wanted() -> None:
    run = swinging("puma560", 61)
    scene = scene_of(run, fps=10.0, frame="link3")
    places = [int(np.argmin(np.abs(run.time - t))) for t in scene.time]
    assert scene.trace == pytest.approx(run.tip("link3")[places], abs=1e-12)
    follows = replace(run, q=run.reference["q_d"])
    assert scene.wanted == pytest.approx(follows.tip("link3")[places], abs=1e-12)
    T = run.pose()
    T[:, :3, 3] += 0.1
    task = scene_of(replace(run, reference={"T_d": T}, settings={"frame": None}), fps=10.0)
    assert not task.note
    assert "was not recorded" in scene_of(replace(run, reference={"T_d": T}), fps=10.0).note
    assert task.wanted == pytest.approx(task.trace + 0.1, abs=1e-12)
    assert scene_of(replace(run, reference={})).wanted is None
    assert scene_of(swinging("eel-3")).wanted is None  # where the base should be is not known


def test_pictures_are_recorded_instants_about_so_many() -> None:
    run = swinging("planar-2r", 2001)
    scene = scene_of(run, fps=30.0)
    assert len(scene.time) == 61
    assert np.isin(scene.time, run.time).all()
    assert scene.time[[0, -1]].tolist() == run.time[[0, -1]].tolist()
    assert np.abs(np.diff(scene.time) - 1 / 30).max() <= 0.0011
    assert len(scene_of(swinging("planar-2r", 11), fps=1e9).time) == 11
    assert len(scene_of(run, fps=0.01).time) == 2
    assert len(scene_of(swinging("planar-2r", 20_000), fps=1e5).time) <= 3000
    for wrong in (0, -1, np.nan, np.inf, True, "30"):
        with pytest.raises(ArgumentError, match=r"fps: got .*, expected a number above 0"):
            run.animate("never.html", fps=wrong)  # type: ignore[arg-type]


def test_gravity_points_down_wherever_the_base_is() -> None:
    robot = robosym.load("planar-2r")
    g = np.array(evaluate(robot.gravity, {name: value.number for name, value in robot.values.items()}))
    assert np.any(g)
    assert scene_of(swinging(robot, 3)).gravity == pytest.approx(g)
    Z = np.array([[0, 0, 1, 0.5], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
    turned = robot.replace(base=replace(robot.base, location=tuple(number(int(x)) for x in Z.ravel())))
    assert scene_of(swinging(turned, 3)).gravity == pytest.approx(Z[:3, :3] @ g)
    eel = swinging("eel-3", 3)
    own = evaluate(eel.robot.gravity, {name: value.number for name, value in eel.robot.values.items()})
    assert scene_of(eel).gravity == pytest.approx(own)  # whichever way the base has turned


@pytest.mark.parametrize("name", [*ROBOTS, "puma560"])
@pytest.mark.parametrize("case", ["whole", "lost", "at once", "one", "plain"])
def test_any_run_is_animated(name: str, case: str, tmp_path: Path) -> None:
    run = swinging(name, 1 if case == "one" else 9)
    if case in ("lost", "at once"):
        run = lost_at(run, 5 if case == "lost" else 1)
    if case == "plain":
        run = replace(run, reference={}, settings={})
    path = tmp_path / "run.html"
    run.write(path)
    held = re.search(r'id="data">(.*?)</script>', path.read_text(encoding="utf-8"), re.DOTALL)
    assert held is not None
    data: dict[str, Any] = json.loads(held[1])
    assert len(data["time"]) == {"whole": 9, "lost": 5, "at once": 1, "one": 1, "plain": 9}[case]
    assert ("Lost at" in data["note"]) == (case in ("lost", "at once"))
    assert all(data["points"])


def test_a_tree_without_one_tip_has_no_trace_unless_a_frame_is_given(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    while True:
        robot = random_robot(rng, 6)
        run = swinging(robot, 3)
        try:
            run.tip()
        except RobosymError:
            break
    scene = scene_of(run)
    assert scene.trace is None
    assert "no single tip" in scene.note
    assert scene_of(run, frame=robot.moving[-1]).trace is not None
    with pytest.raises(RobosymError, match="there is no frame 'nose'"):
        run.animate(tmp_path / "x.html", frame="nose")
    with pytest.raises(RobosymError, match=r"ends in \.html"):
        run.animate(tmp_path / "x.htm")
    assert list(tmp_path.iterdir()) == []


def test_joints_of_several_axes_are_drawn() -> None:
    """The frames of the description, without those inside of joints; charts of every entry."""
    robot = mixed(floating=True)
    q, qd = start(robot)
    run = robosym.simulation.simulate(robot, q=q, qd=qd, duration=0.1, step=1e-2)
    scene = scene_of(run, fps=100.0, frame="frame2")
    assert len(scene.limbs) == len(robot.frames)
    assert len(scene.revolute) + len(scene.prismatic) == len(robot.frames)
    hip = run.pose("frame2")[:, :3, 3]
    np.testing.assert_allclose(scene.trace, hip, atol=1e-12)
    labels = [chart.label for chart in scene.charts]
    assert labels == ["base position (m)", "q (m)", "q (rad)", "quaternion", "force (N)", "torque (N m)"]
    names = [line.name for line in scene.charts[3].lines]
    assert names == [f"{joint} {c}" for joint in ("hip", "ship") for c in ("qx", "qy", "qz", "qw")]
