"""What is not in a format is an error or named in a warning: elements and attributes of MJCF, URDF and SDF, and their numbers."""

from __future__ import annotations

import re
import warnings

import mujoco
import numpy as np
import pytest
from formats.mutated import mujoco_model, pinocchio_model
from models.reference import frame_poses

import robosym
from robosym.formats.mjcf_schema import TABLE
from robosym.robot import RobotError, RobotWarning

INERTIAL = '<inertial pos="0.1 0 0" mass="1" diaginertia="1 1.2 1.1"/>'


def mjcf(joint: str = "", head: str = "", inside: str = INERTIAL) -> str:
    body = f'<body name="b"><joint name="j" axis="0 1 0" {joint}/>{inside}</body>'
    return f"<mujoco>{head}<worldbody>{body}</worldbody></mujoco>"


def urdf(link: str = "", joint: str = '<axis xyz="0 0 1"/>', beside: str = "") -> str:
    inertia = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
    inertial = link or f'<inertial><origin xyz="0 0 1"/><mass value="1"/>{inertia}</inertial>'
    arm = f'<joint name="j" type="continuous"><parent link="a"/><child link="b"/>{joint}</joint>'
    return f'<robot name="r"><link name="a"/><link name="b">{inertial}</link>{arm}{beside}</robot>'


def sdf(link: str = "<mass>2</mass>", joint: str = "<xyz>0 0 1</xyz>", more: str = "") -> str:
    bodies = f'<link name="a"/><link name="b"><inertial>{link}</inertial></link>'
    arm = f'<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis>{joint}</axis>{more}</joint>'
    return f'<sdf version="1.9"><model name="m">{bodies}{arm}</model></sdf>'


# --- MJCF ------------------------------------------------------------------------------------------------------------


def paths_of_mujoco() -> dict[tuple[str, ...], tuple[str, set[str]]]:
    """Every element of MuJoCo's own schema by its path: how often it occurs, and its attributes."""
    found: dict[tuple[str, ...], tuple[str, set[str]]] = {}
    path: tuple[str, ...] = ()
    for line in mujoco.mj_printSchema(False, False).splitlines():
        match = re.match(r"( *)(\S+) \((.)\)\s*(.*)", line)
        if match:
            path = (*path[: len(match[1]) // 3], match[2].replace("(world)", ""))
            found[path] = (match[3], set(match[4].split()))
        elif line.strip():
            found[path][1].update(line.split())
    return found


def kind_of(path: tuple[str, ...]) -> str:
    """The kind of an element in the table; empty where it is not read."""
    kind = "mujoco"
    for tag in path[1:]:
        kind = "body" if (kind, tag) == ("mujoco", "body") else TABLE[kind].kinds[tag]
        if kind not in TABLE:
            return ""
    return kind


def test_the_table_is_mujoco_s_schema():
    beside: set[str] = set()
    read = {path: entry for path, entry in paths_of_mujoco().items() if kind_of(path)}
    assert len(read) > 40
    for path, (mark, names) in read.items():
        kind = kind_of(path)
        assert names <= TABLE[kind].names, (path, names - TABLE[kind].names)
        if path[1:2] != ("actuator",) and path[:2] != ("mujoco", "default"):
            beside |= TABLE[kind].names - names
        if mark == "?":
            assert path[-1] in TABLE[kind_of(path[:-1])].unique, path
    assert not beside


REFUSED_MJCF = {
    mjcf(head='<Compiler angle="radian"/>'): "mujoco: expected <compiler>, got <Compiler>",
    mjcf(head='<compiler Angle="radian"/>'): "compiler: expected the attribute 'angle', got 'Angle'",
    mjcf(head='<option Gravity="0 0 0"/>'): "option: expected the attribute 'gravity', got 'Gravity'",
    mjcf(head='<option><flag gravity="off"/></option>'): "flag, gravity: expected one of enable, disable, got 'off'",
    mjcf('DAMPING="1"'): "joint 'j': expected the attribute 'damping', got 'DAMPING'",
    mjcf('armature="-9"'): "joint 'j', armature: expected a number that is not negative, got -9",
    mjcf('frictionloss="-9"'): "joint 'j', frictionloss: expected a number that is not negative, got -9",
    mjcf('damping="\uff11\uff12"'): "joint 'j', damping: expected a number, got",
    mjcf('limited="true"'): "joint 'j', range: expected a smaller and a larger number, got nothing",
    mjcf(inside=INERTIAL * 2): "body 'b': expected one <inertial>, got 2",
    mjcf(inside=f"{INERTIAL}<frame>{INERTIAL}</frame>"): "body 'b', inertial: expected one, got 2",
    mjcf(inside='<inertial pos="0 0 0" mass="1" diagInertia="1 1 1"/>'): "expected the attribute 'diaginertia'",
    mjcf(inside='<inertial mass="1" diaginertia="1 1 1"/>'): "inertial: expected the attribute 'pos', got none",
    mjcf(inside='<inertial pos="0 0 0" mass="-1"/>'): "inertial, mass: expected a number that is not negative, got -1",
    mjcf(
        inside='<inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0" euler="1 2 3"/>'
    ): "fullinertia or euler, got",
    mjcf(inside='<inertial pos="0\u00a00\u00a00" mass="1"/>'): "inertial, pos: expected three numbers",
    mjcf(inside=f'<geom type="Box" size="1 1 1"/>{INERTIAL}'): "type: expected one of sphere, plane",
    mjcf(inside=f'<geom size="1" group="1.5"/>{INERTIAL}'): "group: expected a whole number, got '1.5'",
    mjcf(inside='<geom type="capsule" size=".1" pos="1 0 0" fromto="0 0 0 1 0 0"/>'): "fromto of one of .* without pos",
    mjcf(inside=f'{INERTIAL}<site name="s"/><site name="s"/>'): "site 's': two site elements have this name",
    mjcf(head="<default><joint/><joint/></default>"): "default: expected one <joint>, got 2",
    mjcf(head='<default><default class="x"/><default class="x"/></default>'): "a class of its own, got 'x' once more",
    mjcf(
        head='<default><geom zaxis="1 0 0" euler="1 2 3"/></default>'
    ): "expected one orientation, got euler and zaxis",
    mjcf(head='<default><geom zaxis="1"/></default>'): "default 'main', geom, zaxis: expected 3 numbers, got '1'",
    mjcf().replace("<worldbody>", f"<worldbody>{INERTIAL}"): "inertial: expected none",
    mjcf(inside=f'{INERTIAL}<body mocap="True"/>'): "mocap: expected one of false, true, got 'True'",
}
WARNED_MJCF = {
    mjcf('user_damping="1"'): "not in MJCF, and not read: joint 'j': attribute 'user_damping'",
    mjcf(inside=f"{INERTIAL}<wheel/>"): "not in MJCF, and not read: body 'b': <wheel>",
    mjcf('damping="-1"'): r"probably not meant: joint 'j', damping is negative \(-1\)",
    mjcf().replace("<worldbody>", '<worldbody pos="1 0 0">'): "not read: worldbody: attribute 'pos'",
    mjcf(inside=""): "bodies that move have no mass or inertia, which MuJoCo refuses: 'b'",
    mjcf(head='<option><flag spring="disable"/></option>'): 'a robot has no place for: flag spring="disable"',
    mjcf(
        inside=f'{INERTIAL}<body name="c"><inertial pos="0 0 0" mass="1" diaginertia="0 0 1"/></body>'
    ): "body 'c'.*imposs",
}


@pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
@pytest.mark.parametrize("text", REFUSED_MJCF)
def test_mjcf_that_changes_numbers_is_refused(text: str) -> None:
    with pytest.raises(RobotError, match=REFUSED_MJCF[text]):
        robosym.loads(text, "mjcf")


@pytest.mark.parametrize("text", WARNED_MJCF)
def test_mjcf_that_is_not_read_is_named(text: str) -> None:
    with pytest.warns(RobotWarning, match=WARNED_MJCF[text]):
        robosym.loads(text, "mjcf")


def test_ranges_with_equal_ends_are_none() -> None:
    """MuJoCo takes 0 0 and 1 1 as no range at all; a class is overridden by it."""
    for text in ('range="0 0"', 'range="10 10"'):
        loaded = mujoco_model(mjcf(text, '<default><joint range="-5 5"/></default>'))
        assert loaded is not None
        assert not loaded.jnt_limited[0]
        limits = robosym.loads(mjcf(text, '<default><joint range="-5 5"/></default>'), "mjcf").frame(1).joint.limits
        assert (limits.lower, limits.upper) == (None, None)


def test_a_polynomial_that_is_not_complete_keeps_its_slope() -> None:
    second = f'<body name="c" pos="1 0 0"><joint name="k" axis="0 1 0"/>{INERTIAL}</body>'
    pair = '<equality><joint joint1="j" joint2="k" polycoef="0.5"/></equality>'
    text = mjcf(head=pair, inside=INERTIAL + second)
    loaded = mujoco_model(text)
    assert loaded is not None
    mimic = robosym.loads(text, "mjcf").frame(1).joint.mimic
    assert mimic is not None
    assert [float(str(mimic.offset)), float(str(mimic.ratio))] == loaded.eq_data[0, :2].tolist()


# --- URDF ------------------------------------------------------------------------------------------------------------

MASS = '<mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
REFUSED_URDF = {
    urdf(f"<inertial>{MASS}</inertial>" * 2): "link 'b': expected one <inertial>, got 2",
    urdf(f'<inertial><origin xyz="0 0 1"/><origin/>{MASS}</inertial>'): "inertial: expected one <origin>, got 2",
    urdf(f'<inertial><Origin xyz="0 0 1"/>{MASS}</inertial>'): "inertial: expected <origin>, got <Origin>",
    urdf(f"<Inertial>{MASS}</Inertial>"): "link 'b': expected <inertial>, got <Inertial>",
    urdf(joint="<axis/>"): "joint 'j', axis: expected the attribute 'xyz', got none",
    urdf(joint='<axis XYZ="0 0 1"/>'): "joint 'j', axis: expected the attribute 'xyz', got 'XYZ'",
    urdf(joint='<axis xyz="0 0 1"/><axis xyz="1 0 0"/>'): "joint 'j': expected one <axis>, got 2",
    urdf(joint='<origin xyz="0 0 1"/><origin xyz="0 0 2"/>'): "joint 'j': expected one <origin>, got 2",
    urdf(joint='<dynamics Damping="1"/>'): "joint 'j', dynamics: expected the attribute 'damping', got 'Damping'",
    urdf(joint='<axis xyz="0 0 \uff11"/>'): "joint 'j', axis: expected a number, got",
    urdf(joint='<limit lower="" upper="1" effort="1" velocity="1"/>').replace("continuous", "revolute"): "limit lower",
    urdf(joint='<origin quat_xyzw="0 0 0 1"/>'): "expected quat_xyzw alone, from version 1.1 on, got version 1.0",
    urdf(beside='<Link name="c"/>'): "robot: expected <link>, got <Link>",
}
WARNED_URDF = {
    urdf(joint='<axis xyz="0 0 1"/><spring k="1"/>'): "not in URDF, and not read: joint 'j': <spring>",
    urdf(joint='<dynamics damping="1" spring_stiffness="2"/>'): "joint 'j', dynamics: attribute 'spring_stiffness'",
    urdf(joint='<dynamics damping="-1"/>'): r"probably not meant: joint 'j', dynamics damping is negative \(-1\)",
    urdf(joint='<limit effort="1" velocity="-1"/>'): "limit velocity is negative",
    urdf('<inertial><mass value="1"/></inertial>'): "there is no <inertia>, the mass is taken as a point",
    urdf().replace("<robot", '<robot version="3.0"'): "robot, version: expected one of 1.0, 1.1, 1.2, got '3.0'",
}
EXTENSIONS = (
    "<gazebo reference='b'><Link/><mu1>1</mu1></gazebo><ros2_control name='c'><joint name='j'/></ros2_control>"
    "<mujoco><compiler meshdir='x'/></mujoco><sensor name='s'/><group name='g'><joint name='j'/></group>"
)


@pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
@pytest.mark.parametrize("text", REFUSED_URDF)
def test_urdf_that_changes_numbers_is_refused(text: str) -> None:
    with pytest.raises(RobotError, match=REFUSED_URDF[text]):
        robosym.loads(text, "urdf")


@pytest.mark.parametrize("text", WARNED_URDF)
def test_urdf_that_is_not_read_is_named(text: str) -> None:
    with pytest.warns(RobotWarning, match=WARNED_URDF[text]):
        robosym.loads(text, "urdf")


def test_elements_of_other_tools_beside_links_and_joints_are_no_concern() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert robosym.loads(urdf(beside=EXTENSIONS), "urdf") == robosym.loads(urdf(), "urdf")


@pytest.mark.parametrize("seed", range(3))
def test_quaternions_of_newer_urdf_are_pinocchio_s(seed: int) -> None:
    quaternion = np.random.default_rng(seed).normal(size=4)
    text = urdf(joint=f'<origin xyz="1 2 3" quat_xyzw="{" ".join(map(repr, map(float, quaternion)))}"/>')
    text = text.replace("<robot", '<robot version="1.1"')
    loaded = pinocchio_model(text)
    assert loaded is not None
    robot = robosym.loads(text, "urdf")
    T = frame_poses(robot, np.zeros(1))[robot.number("b")]
    np.testing.assert_allclose(T, loaded.jointPlacements[1].homogeneous, rtol=0, atol=1e-12)


# --- SDF -------------------------------------------------------------------------------------------------------------

REFUSED_SDF = {
    sdf(link="<mass>1</mass><mass>2</mass>"): "link 'b', inertial: expected one <mass>, got 2",
    sdf(link="<Mass>2</Mass>"): "link 'b', inertial: expected <mass>, got <Mass>",
    sdf(joint="<xyz>0 0 1</xyz><xyz>1 0 0</xyz>"): "joint 'j', axis: expected one <xyz>, got 2",
    sdf(
        joint="<xyz>0 0 1</xyz><dynamics><Damping>1</Damping></dynamics>"
    ): "dynamics: expected <damping>, got <Damping>",
    sdf(more="<pose>0 0 1 0 0 0</pose><pose>0 0 2 0 0 0</pose>"): "joint 'j': expected one <pose>, got 2",
    sdf(link="<mass>\uff12</mass>"): "inertial, mass: expected a number",
}


@pytest.mark.parametrize("text", REFUSED_SDF)
def test_sdf_that_changes_numbers_is_refused(text: str) -> None:
    with pytest.raises(RobotError, match=REFUSED_SDF[text]):
        robosym.loads(text, "sdf")


def test_sdf_that_is_not_read_is_named() -> None:
    with pytest.warns(RobotWarning, match="not in SDF, and not read: joint 'j', axis, limit: <acceleration>"):
        robosym.loads(sdf(joint="<xyz>0 0 1</xyz><limit><acceleration>1</acceleration></limit>"), "sdf")
    with pytest.warns(RobotWarning, match="joint 'j', damping is negative"):
        robosym.loads(sdf(joint="<xyz>0 0 1</xyz><dynamics><damping>-1</damping></dynamics>"), "sdf")
