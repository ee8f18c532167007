"""Equality constraints of MJCF: joints that follow, and loops whose closure and dynamics are those of MuJoCo's constraints."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import mujoco
import numpy as np
import pytest
from mujoco_compared import Beside, compiled, constrained

import robosym
from robosym.formats import mjcf
from robosym.robot import FIXED, REVOLUTE, Robot, RobotError, RobotWarning

BODY = '<inertial pos=".1 .02 0" mass="1.5" diaginertia=".02 .03 .04"/>'


def around(bodies: str, tail: str = "") -> str:
    return f'<mujoco model="m"><compiler angle="radian"/><worldbody>{bodies}</worldbody>{tail}</mujoco>'


def read(tmp_path: Path, text: str) -> Robot:
    (tmp_path / "robot.xml").write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RobotWarning)
        return robosym.load(tmp_path / "robot.xml")


FOLLOWING = f"""<body name="a"><joint name="j" ref=".2"/>{BODY}<body name="b" pos="1 0 0">
  <joint name="k" axis="1 0 0" ref="-.3"/>{BODY}<body name="c" pos="0 1 0"><joint name="l" type="slide"/>{BODY}</body></body></body>"""


def test_joints_that_follow(tmp_path: Path) -> None:
    tail = '<equality><joint joint1="k" joint2="j" polycoef=".1 -2 0 0 0"/><joint joint1="l" joint2="k" polycoef="0 .5"/></equality>'
    text = around(FOLLOWING, tail)
    robot, model = read(tmp_path, text), compiled(text)
    assert robot.joint_names == ("j",)
    beside = Beside(robot, model)
    beside.check(np.random.default_rng(2))
    assert np.abs(beside.data.efc_pos[beside.data.efc_type == 0]).max() < 1e-12  # MuJoCo agrees that they follow


def test_a_joint_held_by_a_constraint_is_fixed(tmp_path: Path) -> None:
    text = around(FOLLOWING, '<equality><joint joint1="k" polycoef=".4 0 0 0 0"/></equality>')
    robot, model = read(tmp_path, text), compiled(text)
    assert robot.joint_names == ("j", "l")
    data = mujoco.MjData(model)
    data.qpos[:] = [0.5, -0.3 + 0.4, 0.7]
    mujoco.mj_forward(model, data)
    assert np.abs(data.efc_pos[data.efc_type == 0]).max() < 1e-12
    T = np.asarray(robosym.models.transform(robot, frame="c").compile()(q=[0.5, 0.7]))
    np.testing.assert_allclose(T[:3, 3], data.body("c").xpos, atol=1e-12)


FOUR_BAR = f"""<body name="crank" euler="0 0 1.2"><joint name="crank" ref="1.2"/>{BODY}
  <body name="coupler" pos=".2 0 0" euler="0 0 -1"><joint name="coupler"/>{BODY}</body></body>
  <body name="rocker" pos=".5 0 0" euler="0 0 ROCKER"><joint name="rocker" damping=".3" armature=".01"/>{BODY}</body>"""


def four_bar(turned: str) -> str:
    """The rocker is drawn towards the end of the coupler, in a frame turned in space."""
    tip = 0.2 * np.exp(1.2j) + 0.4 * np.exp(0.2j)
    bodies = FOUR_BAR.replace("ROCKER", repr(float(np.angle(tip - 0.5))))
    tail = '<equality><connect name="pin" body1="coupler" body2="rocker" anchor=".4 0 0"/></equality>'
    motor = '<actuator><motor joint="crank"/></actuator>'
    return around(f'<body name="ground" euler="{turned}">{bodies}</body>', tail + motor)


@pytest.mark.parametrize("turned", ["0 0 0", ".3 -.5 1"])
def test_a_planar_connect_is_a_hinge(tmp_path: Path, turned: str) -> None:
    text = four_bar(turned)
    robot = read(tmp_path, text)
    assert (robot.loops, robot.joint_names) == (1, ("crank",))
    assert robot.frame(robot.n_links + 1).sigma == REVOLUTE
    assert robot.n_links == 3
    assert robosym.mobility(robot).mobility == 1
    for q in (1.2, 1.5):
        constrained(robot, compiled(text), [q])


def test_the_names_of_bodies_do_not_change_a_loop(tmp_path: Path) -> None:
    """Hinges along opposite directions: the axis of the hinge that closes the loop is one of them, always the same one."""
    rng = np.random.default_rng(4)
    text = four_bar("0 0 0").replace('<joint name="rocker"', '<joint name="rocker" axis="0 0 -1"')
    found = set()
    for _ in range(10):
        renamed = text
        for name in ("crank", "coupler", "rocker", "ground"):
            letters = "".join(rng.choice(list("abcdefgh"), size=6))
            renamed = re.sub(f'(body name|body1|body2)="{name}"', rf'\1="{letters}"', renamed)
        robot = read(tmp_path, renamed)
        found.add(tuple(robot.geometry(j) for j in robot.order))
    assert len(found) == 1


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(
    "weld", ['body1="pin" body2="rocker"', 'body1="rocker" body2="pin" anchor=".1 0 0"', "relpose"]
)
def test_a_four_bar_closed_by_a_weld(tmp_path: Path, weld: str) -> None:
    """A light link turns on the end of the coupler and is one with the rocker, as drawn or as ``relpose`` says."""
    tip = 0.2 * np.exp(1.2j) + 0.4 * np.exp(0.2j)
    pin = f'<body name="pin" pos=".4 0 0"><joint name="pin"/>{BODY}</body></body></body>'
    bodies = FOUR_BAR.replace("</body></body>", pin, 1).replace("ROCKER", repr(float(np.angle(tip - 0.5))))
    if weld == "relpose":
        weld = f'body1="rocker" body2="pin" relpose="{float(abs(tip - 0.5))!r} 0 0 .9 0 0 .3"'
    text = around(f'<body name="ground">{bodies}</body>', f"<equality><weld {weld}/></equality>")
    text = text.replace("</mujoco>", '<actuator><motor joint="crank"/></actuator></mujoco>')
    robot = read(tmp_path, text)
    assert (robot.loops, robot.frame(robot.n_links + 1).sigma) == (1, FIXED)
    for q in (1.2, 1.5):
        constrained(robot, compiled(text), [q])


def test_a_loop_closed_on_the_world(tmp_path: Path) -> None:
    """The rocker is left out: the end of the coupler slides on, tied to the world by a point of a body fixed to it."""
    leg = f'<body name="b" pos=".3 0 0"><joint name="k"/>{BODY}<body name="c" pos=".3 0 0"><joint name="l"/>{BODY}</body></body>'
    body = f'<body name="g" euler=".2 .3 .4" pos="1 2 3"><body name="a"><joint name="j"/>{BODY}{leg}</body></body>'
    tail = '<equality><connect body1="c" anchor=".1 .2 0"/></equality><actuator><motor joint="j"/></actuator>'
    robot = read(tmp_path, around(body, tail))
    assert (robot.loops, robot.base.name) == (1, "g")
    constrained(robot, compiled(around(body, tail)), [0.05])


def spatial(tail: str) -> str:
    """A crank and a rocker on skew axes, with a rod between them on a ball joint of its own."""
    rod = f'<body name="rod" pos=".2 0 0"><joint name="rod_a" axis="0 0 1"/><joint name="rod_b" axis="0 1 0"/>{BODY}</body>'
    crank = f'<body name="crank"><joint name="crank" axis="0 1 0"/>{BODY}{rod}</body>'
    rocker = f'<body name="rocker" pos=".8 0 .3"><joint name="rocker" axis="0 0 1"/>{BODY}</body>'
    return around(f'<body name="base">{crank}{rocker}</body>', tail + '<actuator><motor joint="crank"/></actuator>')


@pytest.mark.slow
def test_a_connect_in_space_is_a_ball(tmp_path: Path) -> None:
    text = spatial('<equality><connect name="ball" body1="rod" body2="rocker" anchor=".5 .1 .1"/></equality>')
    robot = read(tmp_path, text)
    assert (robot.loops, robot.joint_names) == (1, ("crank",))
    assert robosym.mobility(robot).mobility == 1
    with pytest.warns(RobotWarning, match="have become joints of the next body: rod_a$"):
        again = mjcf.dumps(robot)
    assert again.count("<connect") == 1
    for q in (0.0, 0.15):
        constrained(robot, compiled(text), [q])
    constrained(robot, compiled(again), [0.1])


def test_two_connects_are_a_hinge_and_a_weld_is_rigid(tmp_path: Path) -> None:
    two = '<equality><connect body1="rod" body2="rocker" anchor=".5 0 0"/><connect body1="rod" body2="rocker" anchor=".5 0 .2"/></equality>'
    robot = read(tmp_path, spatial(two))
    cut = robot.frame(robot.n_links + 1)
    assert (robot.loops, cut.sigma) == (1, REVOLUTE)
    weld = '<equality><weld name="w" body1="rod" body2="rocker"/></equality>'
    robot = read(tmp_path, spatial(weld))
    assert (robot.loops, robot.frame(robot.n_links + 1).sigma) == (1, FIXED)
    tree = robot.equivalent_tree
    at = Beside(tree, compiled(spatial(weld))).poses(np.zeros(tree.nq))
    assert set(at) >= {"rod", "rocker"}


@pytest.mark.parametrize("kind", ["connect", "weld"])
def test_loops_between_sites_and_keyframes(tmp_path: Path, kind: str) -> None:
    text = spatial(
        f'<equality><{kind} site1="one" site2="two"/></equality><keyframe><key qpos=".1 .2 .3 .4"/></keyframe>'
    )
    text = text.replace('<joint name="rod_a"', '<site name="one" pos=".5 0 0" euler=".1 .2 .3"/><joint name="rod_a"')
    text = text.replace('<joint name="rocker"', '<site name="two" pos=".1 .2 0"/><joint name="rocker"')
    robot = read(tmp_path, text)
    assert robot.loops == 1
    positions = {frame.joint.name: frame.joint.position for frame in robot.frames}
    assert [positions[name] for name in ("crank", "rod_a", "rod_b", "rocker")] == [0.1, 0.2, 0.3, 0.4]


WRONG = {
    '<joint joint1="k" joint2="j" polycoef="0 1 2 0 0"/>': "expected a joint that follows linearly",
    '<joint joint1="k" joint2="x"/>': "expected a hinge or slide joint, got 'x'",
    '<joint joint1="k" joint2="j"/><joint joint1="k" joint2="l"/>': "joint 'k' follows another joint already",
    '<joint joint1="k" joint2="l"/><joint joint1="l" joint2="k"/>': "the joint mimics itself",
    '<connect body1="c" body2="x" anchor="0 0 0"/>': "there is no body 'x'",
    '<connect body1="c" anchor="0 0"/>': "expected three numbers, got '0 0'",
    '<weld site1="s" site2="t"/>': "there is no site 's'",
    '<weld body1="c" relpose="0 0 0"/>': "expected 7 numbers",
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_constraints(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(RobotError, match=WRONG[wrong]):
        read(tmp_path, around(FOLLOWING, f"<equality>{wrong}</equality>"))


def test_constraints_that_are_left_out_are_named(tmp_path: Path) -> None:
    hand = '<body name="hand" mocap="true"/>'
    tail = '<equality><weld body1="hand" body2="c"/><weld body1="a" body2="c" active="false"/></equality>'
    (tmp_path / "robot.xml").write_text(around(FOLLOWING + hand, tail))
    with pytest.warns(
        RobotWarning, match=r"(?s)mocap.*weld to a body moved from outside, weld constraint that is not active"
    ):
        robot = robosym.load(tmp_path / "robot.xml")
    assert not robot.loops
