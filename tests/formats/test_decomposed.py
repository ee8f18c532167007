"""Joints of several axes as formats without them hold them: the same mechanism, read back."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from mujoco_compared import Beside

import robosym
from robosym import models
from robosym.formats.decomposed import decomposed
from robosym.robot import FIXED, Robot, RobotError, RobotWarning
from robosym.robot.joints import Ball, Free, Planar

BODY = {"M": 2, "XX": 0.31, "YY": 0.32, "ZZ": 0.33, "MX": 0.1, "MY": 0.2}
PLACE = {"gamma": 0.2, "alpha": "pi/2", "d": 0.3, "theta": 0.4, "r": 0.1}
MORE = {"screw": {"pitch": "P", "Fv": 0.2}}
KINDS = ["screw", "ball", "universal", "cylindrical", "planar", "floating"]


def tree(kind: str) -> Robot:
    """A joint of the kind between revolute joints, and another branch after it."""
    rows = [
        {"name": "f", **BODY},
        {"name": "g", "antecedent": "f", "sigma": kind, "variable": "hip", **PLACE, **BODY, **MORE.get(kind, {})},
        {"name": "h", "antecedent": "g", "alpha": 0.3, "d": 0.2, **BODY},
        {"name": "k", "antecedent": "f", "alpha": 0.5, "d": 0.2, **BODY},
    ]
    values = {"P": 0.3} if kind == "screw" else {}
    return Robot.from_table("tree", rows, gravity=[0, 0, -9.81], values=values)


def torques(robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    return np.asarray(models.inverse_dynamics(robot, friction=True).evaluate(q=q, qd=qd, qdd=qdd))


def state(robot: Robot) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(robot.nq)
    q = rng.uniform(-1, 1, robot.nq)
    at = [k for k, symbol in enumerate(robot.coordinates) if symbol.name.endswith(("_qx", "_qy", "_qz", "_qw"))]
    q[at] /= np.linalg.norm(q[at]) or 1
    return q, rng.uniform(-1, 1, robot.nv), rng.uniform(-1, 1, robot.nv)


def again(robot: Robot, path: Path) -> Robot:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RobotWarning)
        robosym.save(robot, path)
        return robosym.load(path)


@pytest.mark.parametrize("suffix", [".urdf", ".xml"])
@pytest.mark.parametrize("kind", KINDS)
def test_round_trip(tmp_path: Path, kind: str, suffix: str) -> None:
    robot = tree(kind)
    if (kind, suffix) == ("ball", ".urdf"):
        with pytest.raises(RobotError, match="frame 2, sigma: URDF has no ball joint: write it as"):
            again(robot, tmp_path / "tree.urdf")
        return
    back = again(robot, tmp_path / f"tree{suffix}")
    assert (back.nq, back.nv) == (robot.nq, robot.nv)
    q, qd, qdd = state(robot)
    for name in "gh":
        T = models.transform(robot, frame=name, reference=0).evaluate(q=q)
        np.testing.assert_allclose(models.transform(back, frame=name, reference=0).evaluate(q=q), T, atol=1e-13)
    assert all(back.frame(j).joint.active for j in back.moving)
    if (kind, suffix) == (
        "floating",
        ".xml",
    ):  # slides are along the axes before the joint, in which its velocity is not
        return
    expected = torques(robot, q, qd, qdd)
    np.testing.assert_allclose(torques(back, q, qd, qdd), expected, rtol=0, atol=1e-12 * np.abs(expected).max())


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_is_accepted_by_mujoco(tmp_path: Path, kind: str) -> None:
    """And has the motion of what is read back; a screw holds by a constraint there."""
    mujoco = pytest.importorskip("mujoco")
    back = again(tree(kind), tmp_path / "tree.xml")
    Beside(back, mujoco.MjModel.from_xml_path(str(tmp_path / "tree.xml"))).check(np.random.default_rng(1))


@pytest.mark.parametrize(("kind", "kept"), [("planar", Planar()), ("floating", Free())])
def test_urdf_has_planar_and_floating_joints(tmp_path: Path, kind: str, kept: object) -> None:
    path = tmp_path / "tree.urdf"
    with warnings.catch_warnings():
        warnings.simplefilter("error", RobotWarning)
        robosym.save(tree(kind), path)
        back = robosym.load(path)
    assert [back.kind(j) for j in back.moving] == [None, kept, None, None]


def test_mjcf_has_balls(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", RobotWarning)
        robosym.save(tree("ball"), tmp_path / "tree.xml")
    back = again(tree("floating"), tmp_path / "tree.xml")
    assert back.joint_names == ("q1", "hip_x", "hip_y", "hip_z", "hip", "q3", "q4")
    assert back.kind(back.moving[4]) == Ball()


def test_a_massless_ball_has_a_body(tmp_path: Path) -> None:
    """MuJoCo accepts no rotation of a body after its ball, so that what is on the ball gets a body too."""
    rows = [{"name": "g", "sigma": "ball"}, {"name": "h", "d": 0.2, **BODY}]
    robot = Robot.from_table("arm", rows, gravity=[0, 0, -9.81])
    back = again(robot, tmp_path / "arm.xml")
    pytest.importorskip("mujoco").MjModel.from_xml_path(str(tmp_path / "arm.xml"))
    q, qd, qdd = state(robot)
    np.testing.assert_allclose(torques(back, q, qd, qdd), torques(robot, q, qd, qdd), atol=1e-6)


def test_names_and_numbers() -> None:
    robot, lost = decomposed(tree("planar"), (), "X")
    assert [frame.name for frame in robot.frames] == ["f", "g_place", "g_x", "g_y", "g", "h", "k"]
    assert [frame.antecedent for frame in robot.frames] == [0, 1, 2, 3, 4, 5, 1]
    assert robot.joint_names == ("q1", "hip_x", "hip_y", "hip_angle", "q3", "q4")
    assert lost == ["the planar joint 'hip', which is written as hip_x, hip_y, hip_angle"]
    assert robot.frame(2).sigma == FIXED
    screw, _ = decomposed(tree("screw"), (), "X")
    mimic = screw.frame("g_slide").joint.mimic
    assert mimic is not None
    assert (mimic.frame, str(mimic.ratio)) == (3, "P/pi/2")
    plain = Robot.from_table("plain", [{}, {"d": 1}])
    assert decomposed(plain, (), "X") == (plain, [])
    same = tree("ball")
    assert decomposed(same, (Ball,), "X") == (same, [])


def test_a_dependent_joint_follows_the_frame_with_its_new_number() -> None:
    rows = [{"sigma": "universal"}, {"name": "leader"}, {"mimic": {"frame": "leader", "ratio": 2}}]
    robot, _ = decomposed(Robot.from_table("x", rows), (), "X")
    mimic = robot.frames[-1].joint.mimic
    assert mimic is not None
    assert robot.frame(mimic.frame).name == "leader"


@pytest.mark.parametrize("kind", KINDS)
def test_par_has_none_of_them(tmp_path: Path, kind: str) -> None:
    with pytest.raises(
        RobotError, match=f"frame 2, sigma: a .par file has no {kind} joint: write it as revolute"
    ) as raised:
        robosym.save(tree(kind), tmp_path / "tree.par")
    assert len(raised.value.problems) == 1
