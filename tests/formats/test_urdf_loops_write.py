"""The file of closed loops beside a URDF: read back, the frames of every cut joint are where they were."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from formats.test_urdf_loops import CLOSED, plain, poses

import robosym
from robosym import models
from robosym.expr import number, pi
from robosym.formats import urdf, urdf_loops_write
from robosym.robot import FIXED, PRISMATIC, REVOLUTE, Actuator, Frame, Joint, Robot, RobotError, RobotWarning


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", CLOSED)
def test_written_and_read_back_the_torques_are_the_same(name: str, tmp_path: Path) -> None:
    robot = plain(robosym.load(name))
    files = robosym.save(robot, tmp_path / "robot.urdf")
    assert files == (tmp_path / "robot.urdf", tmp_path / "robot.loops.toml")
    again = robosym.load(files[0], loops=files[1])
    assert (again.joint_names, again.loops) == (robot.joint_names, robot.loops)
    f, g = (models.inverse_dynamics(one).compile() for one in (robot, again))
    for state in np.random.default_rng(1).uniform(0.3, 1.2, (10, 3, robot.nv)):
        given = dict(zip(("q", "qd", "qdd"), state, strict=True))
        expected, found = (f(**given), g(**given))
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-11 * np.abs(expected).max())


def test_friction_of_a_cut_joint_is_kept(tmp_path: Path) -> None:
    robot = plain(robosym.load("four-bar"))
    rubbing = replace(robot.frame(4), actuator=Actuator(Fv=number(0.25), Fs=number(0.75)))
    robot = robot.replace(frames=(*robot.frames[:3], rubbing, robot.frames[4]))
    files = robosym.save(robot, tmp_path / "robot.urdf")
    assert robosym.load(files[0], loops=files[1]).frame(4).actuator == rubbing.actuator
    geared = replace(rubbing, actuator=Actuator(Ia=number(1)))
    with pytest.warns(RobotWarning, match="a cut joint has no place for its rotor inertia"):
        urdf_loops_write.dumps(robot.replace(frames=(*robot.frames[:3], geared, robot.frames[4])))


def test_what_has_no_number_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(RobotError, match=r"these symbols have none: .*D2"):
        robosym.save(robosym.load("four-bar").replace(values={}), tmp_path / "robot.urdf")
    assert not list(tmp_path.iterdir())


# --- the text ---------------------------------------------------------------------------------------------------------


def table(robot: Robot) -> dict[str, object]:
    return tomllib.loads(urdf_loops_write.dumps(robot))


def test_the_file_of_a_four_bar() -> None:
    """Numbers as the description has them: the pin is at the end of the coupler and of the rocker."""
    robot = plain(robosym.load("four-bar"))
    lengths = {name: value.number for name, value in robot.values.items()}
    found = table(robot)
    assert found["passive"] == [robot.frame(j).joint.name for j in (2, 3)]
    (loop,) = found["loop"]  # type: ignore[misc]
    assert loop["name"] == robot.frame(4).joint.name
    assert (loop["type"], loop["axis"]) == ("revolute", [0, 0, 1])
    sides = {side: loop[side] for side in ("predecessor", "successor")}
    assert sides == {
        "predecessor": robot.frame(robot.frame(4).antecedent).name,
        "successor": robot.frame(robot.frame(5).antecedent).name,
    }
    assert loop["predecessor_origin"] == {"xyz": [lengths["D4"], 0, 0], "rpy": [0, 0, 0]}
    assert loop["successor_origin"] == {"xyz": [lengths["D5"], 0, 0], "rpy": [0, 0, 0]}
    positions = {f.joint.name: f.joint.position for f in robot.frames if f.joint.position is not None}
    assert found["positions"] == positions
    assert "damping" not in loop


def with_cut(sigma: int, rng: np.random.Generator, name: str = "closing") -> Robot:
    """Two arms on one base, joined anywhere by a joint of a kind."""
    rows = [
        {"joint": "a", "alpha": 0.3, "d": 0.2},
        {"joint": "b", "alpha": -0.7, "d": 0.5, "active": False},
        {"joint": "c", "antecedent": 0, "d": 1.0, "alpha": 1.1},
        {"joint": "d", "d": 0.4, "alpha": 0.5, "active": False},
    ]
    robot = Robot.from_table("two arms", rows)
    own = robosym.expr.variable("q5")
    ends = []
    for k, on in ((5, 2), (6, 4)):
        gamma, b, alpha, d, theta, r = map(number, rng.uniform(-1, 1, 6).round(3))
        if k == 5 and sigma == REVOLUTE:
            theta = theta + own
        if k == 5 and sigma == PRISMATIC:
            r = r + own
        moves = k == 5 and sigma != FIXED
        joint = Joint(name if k == 5 else "other", own if moves else None, active=False)
        ends.append(Frame(f"end{k}", on, joint, sigma if k == 5 else FIXED, gamma, b, alpha, d, theta, r))
    return robot.replace(frames=(*robot.frames, *ends), loops=1)


@pytest.mark.parametrize("sigma", [REVOLUTE, PRISMATIC, FIXED])
@pytest.mark.parametrize("seed", range(3))
def test_frames_of_cut_joints_are_where_they_were(sigma: int, seed: int, tmp_path: Path) -> None:
    """At random positions of all joints, closed or not: but for one motion of both together, which for a hinge is along and about its
    axis, and for a slide keeps the direction of that."""
    rng = np.random.default_rng(seed)
    robot = with_cut(sigma, rng)
    files = robosym.save(robot.replace(gravity=urdf.GRAVITY), tmp_path / "robot.urdf")
    again = robosym.load(files[0], loops=files[1])
    assert again.frame(again.n_links + 1).sigma == sigma
    assert [again.frame(j).joint.name for j in again.moving] == ["a", "c"]
    common = None
    for _ in range(3):
        q = dict(zip(("a", "b", "c", "d", "closing"), rng.uniform(-1, 1, 5), strict=True))
        before, after = poses(robot, q), poses(again, q)
        for old, new in (("end5", "closing"), ("end6", "closing_twin")):
            between = np.linalg.inv(before[old]) @ after[new]
            common = between if common is None else common
            np.testing.assert_allclose(between, common, atol=1e-12)
    assert common is not None
    if sigma != FIXED:
        np.testing.assert_allclose(common[:3, 2], [0, 0, 1], atol=1e-12)
    if sigma == REVOLUTE:
        np.testing.assert_allclose(common[:2, 3], [0, 0], atol=1e-12)


@pytest.mark.parametrize("name", ['a "b"\\', "straße 肘", "x = [1]", "[[loop]]", "a.b", "#", "tab\tnew\nline"])
def test_any_name_is_read_back(name: str, tmp_path: Path) -> None:
    """Of the robot, of a passive joint with a position and of the cut joint."""
    robot = with_cut(REVOLUTE, np.random.default_rng(1), name)
    second = replace(
        robot.frame(2), name=f"link {name}", joint=replace(robot.frame(2).joint, name=f"{name} 2", position=0.5)
    )
    robot = robot.replace(name=f"of {name}", frames=(robot.frame(1), second, *robot.frames[2:]))
    found = table(robot)
    assert found["passive"] == [f"{name} 2", "d"]
    assert found["positions"] == {f"{name} 2": 0.5}
    (loop,) = found["loop"]  # type: ignore[misc]
    assert (loop["name"], loop["predecessor"]) == (name, f"link {name}")


def test_no_negative_zeros() -> None:
    flat = with_cut(FIXED, np.random.default_rng(0))
    ends = [
        replace(f, gamma=number(0), b=number(0), alpha=number(-0.0), d=number(-0.0), theta=pi, r=number(0))
        for f in flat.frames[4:]
    ]
    (loop,) = table(flat.replace(frames=(*flat.frames[:4], *ends)))["loop"]  # type: ignore[misc]
    for origin in (loop["predecessor_origin"], loop["successor_origin"]):
        assert not any(np.signbit(x) for x in origin["xyz"])
        assert [x for x in origin["rpy"] if np.signbit(x) and x == 0] == []


def test_numbers_that_are_not_known_are_errors() -> None:
    robot = with_cut(REVOLUTE, np.random.default_rng(2))
    odd = replace(robot.frame(5), theta=2 * robosym.expr.variable("q5"))
    with pytest.raises(RobotError, match=r"frame 5, theta: expected q plus a constant, got 2\*q5"):
        urdf_loops_write.dumps(robot.replace(frames=(*robot.frames[:4], odd, robot.frame(6))))
