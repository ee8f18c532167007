"""Parallel robots as robots with closed loops: the loops close wherever the platform is, and nothing is lost."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from built_in import PARALLEL
from parallel_robots import closed, frames, home, pose

import robosym
from robosym.formats import toml
from robosym.robot import FIXED, Robot, RobotError

# Poses of the platforms at home, and how far from there they may go: position and rotation.
HOME = {
    "delta": pose((0, 0, -0.9876)),
    "gough-stewart": pose((-1.5, 0, 1)),
    "gough-stewart-general": pose((-1.5, 0, 1)),
    "orthoglide": pose(),
    "planar-3rrr": pose(),
}


def fitted(robot: Robot) -> np.ndarray:
    """The pose of the platform that brings its seats to where the legs end at home (Kabsch 1976)."""
    platform = robot.platforms[0]
    at = frames(robot, home(robot), {platform.frame: np.eye(4)})
    ends, seats = (
        np.array([at[j][:3, 3] for j in places])
        for places in zip(*((leg.end, leg.seat) for leg in platform.legs), strict=True)
    )
    U, _, Vt = np.linalg.svd((seats - seats.mean(0)).T @ (ends - ends.mean(0)))
    R = Vt.T @ np.diag([1, 1, np.sign(np.linalg.det(U @ Vt))]) @ U.T
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, ends.mean(0) - R @ seats.mean(0)
    return T


HOME["gough-stewart-40"] = fitted(robosym.load("gough-stewart-40"))  # one of its forty modes
SPATIAL, TRANSLATIONS, PLANE = (1, 1, 1, 1, 1, 1), (1, 1, 1, 0, 0, 0), (1, 1, 0, 0, 0, 1)
FREEDOM = {"delta": TRANSLATIONS, "orthoglide": TRANSLATIONS, "planar-3rrr": PLANE}


def near(name: str, draw: random.Random) -> np.ndarray:
    """A pose near home that the platform can take."""
    x = [0.05 * draw.uniform(-1, 1) * free for free in FREEDOM.get(name, SPATIAL)]
    return HOME[name] @ pose((x[0], x[1], x[2]), (x[3], x[4], x[5]))


def ball(R: np.ndarray) -> tuple[float, float, float]:
    """The angles of Rx Ry Rz."""
    return math.atan2(-R[1, 2], R[2, 2]), math.asin(R[0, 2]), math.atan2(-R[0, 1], R[0, 0])


def with_balls(robot: Robot, at: dict[str, float], free: dict[int, np.ndarray]) -> dict[str, float]:
    """The positions of the revolute joints that stand for spherical ones, by the names ``closed_loops`` gives them."""
    poses, found = frames(robot, at, free), dict(at)
    for leg in (leg for platform in robot.platforms for leg in platform.legs if leg.joint == "spherical"):
        angles = ball(poses[leg.end][:3, :3].T @ poses[leg.seat][:3, :3])
        found |= {f"{leg.name}_{axis}": angle for axis, angle in zip("xyz", angles, strict=True)}
    return found


def assert_closes(robot: Robot, free: dict[int, np.ndarray]) -> None:
    """All loops close, and every frame is where it is on the platform."""
    at = closed(robot, free)
    expected = frames(robot, at, free)
    loops = robot.closed_loops()
    found = frames(loops, with_balls(robot, at, free))
    for k in range(loops.n_links + 1, loops.n_links + loops.loops + 1):
        assert found[k] == pytest.approx(found[k + loops.loops], abs=1e-9)
    for j, T in expected.items():
        if j:
            assert found[loops.number(robot.frame(j).name)] == pytest.approx(T, abs=1e-9)


@pytest.mark.parametrize("name", PARALLEL)
class TestBuiltIn:
    @pytest.mark.mostly_slow(fast=5)
    def test_has_the_mobility_of_the_platform(self, name: str) -> None:
        robot = robosym.load(name).closed_loops()
        expected = 3 if name in FREEDOM else 6
        found = robosym.mobility(robot)
        assert (found.mobility, found.controlled) == (expected, expected)

    def test_keeps_motors_bodies_and_frames(self, name: str) -> None:
        robot = robosym.load(name)
        loops = robot.closed_loops()
        assert loops.joint_names == robot.joint_names
        assert loops.loops == len(robot.platforms[0].legs) - 1
        assert loops.structure == "closed"
        for frame in robot.frames:
            same = loops.frame(loops.number(frame.name))
            assert (same.link, same.actuator, same.joint.name) == (frame.link, frame.actuator, frame.joint.name)
        assert toml.loads(toml.dumps(loops)) == loops

    def test_closes_at_random_poses(self, name: str) -> None:
        robot, draw = robosym.load(name), random.Random(7)
        for _ in range(3):
            assert_closes(robot, {robot.platforms[0].frame: near(name, draw)})


def test_a_tree_is_returned_as_it_is() -> None:
    robot = robosym.load("rx90")
    assert robot.closed_loops() is robot


# --- what the built-in robots do not have --------------------------------------------------------------------------------


def planar(**more: Any) -> dict[str, Any]:
    """The tables of the planar robot with three legs."""
    at = 2.3005
    rows = [
        {"name": "crank", "joint": "motor", "active": True, "position": at, "M": 1},
        {"name": "rod", "d": 0.3, "position": 1.6821, "M": 2},
        {"name": "end", "d": 0.3, "position": at},
    ]
    leg = {"repeat": 3, "angle": "2*pi/3", "base": [0.5, 0, 0], "seat": [0.1, 0, 0], "joint": "rigid", "frame": rows}
    return {"platform": {"M": 3}, "leg": [leg], "gravity": [0, -9.81, 0], **more}


def made(data: dict[str, Any]) -> Robot:
    rows = data.get("frame", [])
    return Robot.from_table("x", rows, **{key: value for key, value in data.items() if key != "frame"})


def test_an_end_with_a_body_is_cut_where_it_is_fixed_to_the_seat() -> None:
    data = planar()
    data["leg"][0]["frame"][2]["M"] = 0.5
    robot = made(data)
    loops = robot.closed_loops()
    assert [loops.frame(k).sigma for k in range(loops.n_links + 1, len(loops.frames) + 1)] == [FIXED] * 4
    assert float(loops.frame(loops.number("leg2_end")).link.M.value) == 0.5
    assert robosym.mobility(loops).mobility == 3
    assert_closes(robot, {robot.platforms[0].frame: pose((0.02, -0.03, 0), (0, 0, 0.1))})


def test_a_passive_end_is_the_cut_joint() -> None:
    loops = made(planar()).closed_loops()
    cuts = [loops.frame(k).name for k in range(loops.n_links + 1, loops.n_links + loops.loops + 1)]
    assert cuts == ["leg2_end", "leg3_end"]


@pytest.mark.parametrize("joint", ["universal", "revolute", "prismatic"])
def test_the_last_joint_with_the_platform_is_cut(joint: str) -> None:
    data = planar()
    data["leg"][0] |= {"joint": joint}
    loops = made(data).closed_loops()
    cuts = [loops.frame(k).name for k in range(loops.n_links + 1, loops.n_links + loops.loops + 1)]
    assert cuts == ["leg2_joint", "leg3_joint"]


def test_own_loops_of_legs_stay() -> None:
    """A leg whose elbow is also held by two more bars: its loop is closed as before, beside those of the legs."""
    more = [
        {"name": "bar1", "antecedent": "leg1_base", "d": -0.1, "active": False, "position": 2.0},
        {"name": "bar2", "d": 0.3, "active": False, "position": -1.0},
        {"name": "cut", "d": 0.2, "active": False},
        {"name": "twin", "antecedent": "leg1_rod", "sigma": "fixed", "d": 0.1},
    ]
    robot = made(planar(loops=1, frame=more))
    loops = robot.closed_loops()
    cuts = [loops.frame(k).name for k in range(loops.n_links + 1, len(loops.frames) + 1)]
    assert cuts == ["cut", "leg2_end", "leg3_end", "twin", "leg2_twin", "leg3_twin"]
    assert robosym.mobility(loops).mobility == 3


def test_a_chain_on_the_platform_goes_along() -> None:
    more = [
        {"name": "spindle", "r": 0.1, "M": 1},
        {"name": "finger", "d": 0.1, "mimic": {"frame": "spindle", "ratio": 2}},
        {"name": "tool", "d": 0.05, "motor": {"Jm": 0.1, "axis": [0, 0, 1], "link": "spindle"}},
    ]
    coupling = [{"frames": ["spindle", "tool"], "matrix": [[1, 0], [1, 1]]}]
    robot = made(planar(frame=more, coupling=coupling))
    loops = robot.closed_loops()
    assert loops.joint_names == robot.joint_names
    assert len(loops.joint_names) == 5
    mimic, stator = (
        loops.frame(loops.number("finger")).joint.mimic,
        loops.frame(loops.number("tool")).actuator.motor.link,
    )
    assert mimic is not None
    assert (loops.frame(mimic.frame).name, loops.frame(stator or 0).name) == ("spindle", "spindle")
    assert [loops.frame(j).name for j in loops.couplings[0].frames] == ["spindle", "tool"]
    assert robosym.mobility(loops).mobility == 5
    assert_closes(robot, {robot.platforms[0].frame: pose((0.02, -0.03, 0), (0, 0, 0.1))})


def test_a_module_on_a_module() -> None:
    data = planar()
    rods = data["leg"][0]
    data["platform"] = [{"name": "low", "M": 3}, {"name": "high", "antecedent": "low", "M": 2}]
    data["leg"] = [{**rods, "platform": "low", "name": "a"}, {**rods, "platform": "high", "name": "b"}]
    robot = made(data)
    loops = robot.closed_loops()
    assert loops.loops == 4
    assert loops.joint_names == robot.joint_names
    assert robosym.mobility(loops).mobility == 6
    low, high = (platform.frame for platform in robot.platforms)
    assert_closes(robot, {low: pose((0.02, -0.03, 0), (0, 0, 0.1)), high: pose((-0.01, 0.02, 0), (0, 0, 0.2))})


def test_an_order_of_motors_that_no_tree_has_is_refused() -> None:
    """A motor on a platform that is described before the legs comes first; in the tree it comes after the leg."""
    rows: list[dict[str, Any]] = [
        {"name": "hand", "antecedent": 0, "sigma": "free"},
        {"name": "spindle", "antecedent": "hand"},
        *({"name": f"{s}_seat", "antecedent": "hand", "sigma": "fixed"} for s in "ab"),
        *({"name": s, "antecedent": 0} for s in "ab"),
    ]
    legs = [{"name": s, "end": s, "seat": f"{s}_seat"} for s in "ab"]
    robot = Robot.from_table("x", rows, module=[{"platform": "hand", "legs": legs}])
    with pytest.raises(RobotError, match="expected legs before the motors that stand on their platforms"):
        robot.closed_loops()


def test_new_names_give_way_to_those_that_are_taken() -> None:
    robot = robosym.load("gough-stewart")
    frame = robot.frame(1)
    renamed = robot.replace(frames=(replace(frame, name="leg2_twin"), *robot.frames[1:]))
    assert {"leg2_twin", "leg2_twin_"} <= {one.name for one in renamed.closed_loops().frames}


def test_the_home_of_every_robot_closes_its_legs() -> None:
    """`position` says where the robot stands, to four digits."""
    for name in HOME:
        robot = robosym.load(name)
        at = closed(robot, {robot.platforms[0].frame: HOME[name]})
        told = home(robot)
        assert all(abs(at[v] - told[v]) < 2e-4 for v in at), name
