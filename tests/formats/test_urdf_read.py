"""Elements of a URDF as plain data, beside SciPy's rotations; and every kind of bad file."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from formats.urdf_texts import joint, robot_of
from real_robots import urdf_file
from scipy.spatial.transform import Rotation

from robosym.errors import RobosymError
from robosym.formats import urdf
from robosym.formats.mdh import SNAP, Tolerance
from robosym.formats.urdf_read import read_document, rotation_of_origin
from robosym.formats.urdf_tree import Document, MimicTag
from robosym.formats.xml_read import Numbers
from robosym.robot import Limits, Robot, RobotError, RobotWarning

Loader = Callable[..., Robot]


@pytest.fixture
def load(tmp_path: Path) -> Loader:
    def from_text(text: str | bytes, **options: bool) -> Robot:
        path = tmp_path / "small.urdf"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return urdf.read(path, **options)

    return from_text


def test_limits_of_acceleration_and_jerk(load: Loader) -> None:
    tag = '<limit lower="-1" upper="2" velocity="3" effort="4" acceleration="5" jerk="60"/>'
    spin = '<limit effort="0" velocity="0" acceleration="7" jerk="0"/>'  # 0: not known
    robot = load(robot_of(joint("p", "a", "b", inside=tag), joint("c", "b", "c", "continuous", spin)))
    first, second = (robot.frame(j).joint.limits for j in robot.moving)
    assert first == Limits(-1.0, 2.0, 3.0, 4.0, 5.0, 60.0)
    assert (second.acceleration, second.jerk) == (7.0, None)
    again = load(urdf.dumps(robot))
    assert [again.frame(j).joint.limits for j in again.moving] == [first, second]


def test_a_robot_without_a_name_is_called_after_its_file(load: Loader) -> None:
    with pytest.warns(RobotWarning, match="small.urdf: <robot> has no name, 'small' is used"):
        robot = load('<robot><link name="a"/></robot>')
    assert (robot.name, robot.frames) == ("small", ())


BAD = {
    "joint 'j', parent: there is no link 'x'": robot_of(joint("j", "x", "b")),
    "joint 'j', child: there is no link 'y'": robot_of(joint("j", "a", "y")),
    "expected one root link, got 2: 'a', 'c'": robot_of(joint("j", "a", "b")),
    "the links 'b', 'c' form a cycle": robot_of(joint("j", "b", "c"), joint("k", "c", "b")),
    "joint 'k', child: link 'c' already has a parent through joint 'j'": robot_of(
        joint("i", "a", "b"), joint("j", "a", "c"), joint("k", "b", "c")
    ),
    "link 'a': two <link> have this name": robot_of(links="a a"),
    "joint 'j': two <joint> have this name": robot_of(joint("j", "a", "b"), joint("j", "b", "c")),
    "joint 1: <joint> has no name": robot_of(joint("", "a", "b")),
    "joint 'j', axis: the axis is zero": robot_of(joint("j", "a", "b", inside='<axis xyz="0 0 0"/>')),
    "joint 'j', axis: expected three numbers, got '0 1'": robot_of(joint("j", "a", "b", inside='<axis xyz="0 1"/>')),
    "joint 'j', origin xyz: expected a number, got 'nan'": robot_of(
        joint("j", "a", "b", inside='<origin xyz="0 nan 0"/>')
    ),
    "joint 'j', origin rpy: expected a number, got '${pi/2}' (a xacro expression": robot_of(
        joint("j", "a", "b", inside='<origin rpy="${pi/2} 0 0"/>')
    ),
    "joint 'j', origin xyz: expected a number within": robot_of(
        joint("j", "a", "b", inside='<origin xyz="1e99 0 0"/>')
    ),
    "joint 'j', type: expected one of revolute, continuous": robot_of(joint("j", "a", "b", "hinge")),
    "joint 'j', axis: the axis is zero, expected a direction": robot_of(
        joint("j", "a", "b", "planar", '<axis xyz="0 0 0"/>'), joint("k", "b", "c")
    ),
    "joint 'k', mimic: joint 'j' is planar: expected a revolute or prismatic joint to follow": robot_of(
        joint("j", "a", "b", "planar"), joint("k", "b", "c", "revolute", '<mimic joint="j"/>')
    ),
    "joint 'j', mimic: there is no joint 'm'": robot_of(joint("j", "a", "b", inside='<mimic joint="m"/>')),
    "joint 'j', mimic: the joint mimics itself": robot_of(joint("j", "a", "b", inside='<mimic joint="j"/>')),
    "joint 'j', mimic: joint 'k' is fixed": robot_of(
        joint("j", "a", "b", inside='<mimic joint="k"/>'), joint("k", "b", "c", "fixed")
    ),
    "joint 'j': there is no <child link=\"...\">": '<robot name="r"><link name="a"/><joint name="j" type="fixed">'
    '<parent link="a"/></joint></robot>',
    "link 'd', inertial, ixx: expected a number, got 'x'": robot_of(
        '<link name="d"><inertial><mass value="1"/><inertia ixx="x" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>'
        "</inertial></link>"
    ),
    "link 'd', inertial, mass value: expected a number, got nothing": robot_of('<link name="d"><inertial/></link>'),
    "there is no <link>": '<robot name="r"/>',
    "expected <robot> as the outermost element, got <sdf>": "<sdf/>",
    "line 2, column 3: not XML: mismatched tag": '<robot name="r">\n</link>',
    "not XML": "",
    "a document type declaration (DOCTYPE, ENTITY) is not accepted": '<!DOCTYPE r [<!ENTITY a "b">]><robot>&a;</robot>',
    "the elements are nested more than 100 deep": "<robot>" + "<a>" * 100_000,
}


@pytest.mark.parametrize("message", BAD)
def test_a_bad_file_says_what_is_wrong(load: Loader, message: str) -> None:
    with pytest.raises(RobotError) as raised:
        load(BAD[message])
    assert message in str(raised.value)
    assert "small.urdf: " in str(raised.value)


def test_all_problems_come_at_once(load: Loader) -> None:
    with pytest.raises(RobotError) as raised:
        load(
            robot_of(
                joint("j", "x", "b", inside='<axis xyz="0 0 0"/><mimic joint="m"/>'),
                joint("k", "b", "c", "wheel", '<origin xyz="1 2"/>'),
            )
        )
    assert len(raised.value.problems) == 5


def test_a_missing_file_and_strange_encodings(load: Loader, tmp_path: Path) -> None:
    with pytest.raises(RobotError, match=r"none.urdf: cannot be read: No such file"):
        urdf.read(tmp_path / "none.urdf")
    for text in (b"\xff\xfe\x00", b'<?xml version="1.0" encoding="klingon"?><robot/>', b"\x00" * 50):
        with pytest.raises(RobotError, match="not XML"):
            load(text)


def test_mutated_files_load_or_fail_cleanly(load: Loader) -> None:
    """Cut, shuffled and overwritten files: a robot or one of our errors, nothing else."""
    rng = np.random.default_rng(5)
    source = urdf_file("z1").read_bytes()
    junk = [
        b"1e308",
        b"-1e-308",
        b"nan",
        b"\xff",
        b"<",
        b'"',
        b"<a>" * 50,
        b"0",
        b"${x}",
        b"fixed",
        b"&#0;",
        b"9" * 400,
    ]
    failures = 0
    for _ in range(150):
        text = source[: rng.integers(len(source))] if rng.random() < 0.2 else source
        for _ in range(rng.integers(1, 4)):
            at, length = int(rng.integers(len(text) + 1)), int(rng.integers(30))
            text = text[:at] + junk[rng.integers(len(junk))] + text[at + length :]
        try:
            load(text)
        except RobosymError:
            failures += 1
        except RobotWarning:
            pass
    assert failures > 50


# --- as plain data ----------------------------------------------------------------------------------------------------


def document(text: str, snap: float = SNAP) -> Document:
    return read_document(Path("small.urdf"), Tolerance(snap), text=text.encode())


def one_joint(inside: str, kind: str = "revolute", **attributes: str) -> Document:
    text = robot_of(joint("j", "a", "b", kind, inside), links="a b")
    for key, value in attributes.items():
        text = text.replace("<robot", f'<robot {key}="{value}"')
    return document(text)


@pytest.mark.parametrize("seed", range(5))
def test_origins_are_those_of_scipy(seed: int) -> None:
    """Roll, pitch and yaw about axes that stand still; a quaternion of any length."""
    rng = np.random.default_rng(seed)
    xyz, rpy, quaternion = rng.uniform(-3, 3, 3), rng.uniform(-3, 3, 3), rng.normal(size=4)
    texts = [" ".join(map(repr, map(float, x))) for x in (xyz, rpy, quaternion)]
    (first,) = one_joint(f'<origin xyz="{texts[0]}" rpy="{texts[1]}"/>').joints
    np.testing.assert_allclose(first.origin[:3, :3], Rotation.from_euler("xyz", rpy).as_matrix(), atol=1e-14)
    np.testing.assert_array_equal(first.origin[:3, 3], xyz)
    (second,) = one_joint(f'<origin xyz="{texts[0]}" quat_xyzw="{texts[2]}"/>', version="1.1").joints
    np.testing.assert_allclose(second.origin[:3, :3], Rotation.from_quat(quaternion).as_matrix(), atol=1e-14)
    np.testing.assert_array_equal(second.origin[:3, 3], xyz)


def test_quarter_turns_are_exact() -> None:
    (turned,) = one_joint('<origin rpy="1.5707963267948966 0 -3.141592653589793"/>').joints
    np.testing.assert_array_equal(turned.origin[:3, :3], [[-1, 0, 0], [0, 0, 1], [0, 1, 0]])
    text = robot_of(joint("j", "a", "b", inside='<origin rpy="1.5707963 0 0"/>'), links="a b")
    assert document(text, 1e-6).joints[0].origin[1, 1] == 0
    assert document(text).joints[0].origin[1, 1] != 0


@pytest.mark.parametrize(
    ("origin", "version", "problem"),
    [
        (
            'quat_xyzw="0 0 0 1" rpy="0 0 0"',
            "1.1",
            "joint 'j', origin: expected quat_xyzw alone, from version 1.1 on, got rpy beside it",
        ),
        ('quat_xyzw="0 0 0 1"', "1.0", "got version 1.0 of <robot>"),
        ('quat_xyzw="0 0 0 0"', "1.2", "joint 'j', origin quat_xyzw: expected a quaternion x y z w, got '0 0 0 0'"),
        ('quat_xyzw="0 0 1"', "1.1", "joint 'j', origin quat_xyzw: expected a quaternion x y z w, got '0 0 1'"),
        ('quat_xyzw="0 0 0 w"', "1.1", "joint 'j', origin quat_xyzw: expected a number, got 'w'"),
        ('xyz="1 2"', "1.0", "joint 'j', origin xyz: expected three numbers, got '1 2'"),
        ('xyz="1 2 3"', "1.0", "joint 'j', origin xyz: expected three numbers"),
        ('xyz="1 2 0x3"', "1.0", "joint 'j', origin xyz: expected a number, got '0x3'"),
        ('xyz="1_0 2 3"', "1.0", "joint 'j', origin xyz: expected a number, got '1_0'"),
        ('rpy="0 inf 0"', "1.0", "joint 'j', origin rpy: expected a number within ±1e+12, got 'inf'"),
    ],
)
def test_origins_that_are_wrong(origin: str, version: str, problem: str) -> None:
    with pytest.raises(RobotError) as raised:
        one_joint(f"<origin {origin}/>", version=version)
    assert problem in str(raised.value)


def test_a_wrong_quaternion_is_replaced_so_that_reading_goes_on() -> None:
    numbers = Numbers()
    tag = ET.fromstring('<origin quat_xyzw="0 0 0 0"/>')
    np.testing.assert_array_equal(rotation_of_origin(numbers, "here", tag, "1.1"), np.eye(3))
    assert len(numbers.problems) == 1


def test_axes() -> None:
    (long,) = one_joint('<axis xyz="3 0 -4"/>').joints
    np.testing.assert_allclose(long.axis, [0.6, 0, -0.8], atol=1e-16)
    (noisy,) = one_joint('<axis xyz="1e-17 1e-30 2"/>').joints
    np.testing.assert_array_equal(noisy.axis, [0, 0, 1])
    (huge,) = one_joint('<axis xyz="1e12 1e12 0"/>').joints
    np.testing.assert_allclose(huge.axis, np.array([1, 1, 0]) / math.sqrt(2))
    np.testing.assert_array_equal(one_joint("").joints[0].axis, [1, 0, 0])
    (fixed,) = one_joint('<axis xyz="0 0 0"/>', "fixed").joints  # says nothing there
    np.testing.assert_array_equal(fixed.axis, [1, 0, 0])


LIMITS = {
    "": Limits(),
    '<limit lower="-1" upper="2" velocity="3" effort="4"/>': Limits(-1, 2, 3, 4),
    '<limit upper="2"/>': Limits(0, 2),
    '<limit lower="-2"/>': Limits(-2, 0),
    "<limit/>": Limits(),
    '<limit effort="inf" velocity="1e300" lower="-1e9" upper="1e9"/>': Limits(),
    '<limit effort="0" velocity="0"/>': Limits(velocity=0, effort=0),
    '<limit acceleration="0" jerk="7"/>': Limits(jerk=7),
}


@pytest.mark.parametrize("tag", LIMITS)
def test_limits(tag: str) -> None:
    """One end alone leaves the other at 0, which is URDF's default; what is very wide is none."""
    assert one_joint(tag).joints[0].limits == LIMITS[tag]
    round_ = one_joint(tag, "continuous").joints[0].limits
    expected = LIMITS[tag]
    assert (round_.lower, round_.upper, round_.velocity, round_.effort) == (
        None,
        None,
        expected.velocity,
        expected.effort,
    )


def test_inertia_is_turned_into_the_axes_of_the_link() -> None:
    rpy = [0.3, -0.5, 0.9]
    own = np.array([[3, 0.1, 0.2], [0.1, 4, 0.3], [0.2, 0.3, 5]])
    entries = " ".join(f'i{"xyz"[i]}{"xyz"[k]}="{own[i, k]}"' for i in range(3) for k in range(i, 3))
    text = (
        f'<link name="c"><inertial><origin xyz="1 2 3" rpy="{" ".join(map(str, rpy))}"/><mass value="7"/><inertia {entries}/>'
        "</inertial></link>"
    )
    part = document(robot_of(text, joint("j", "a", "c"), links="a")).links["c"]
    assert part is not None
    R = Rotation.from_euler("xyz", rpy).as_matrix()
    np.testing.assert_allclose(part.inertia, R @ own @ R.T, atol=1e-14)
    assert (part.mass, *part.centre) == (7, 1, 2, 3)
    assert document(robot_of(links="a")).links == {"a": None}


def test_friction_and_mimic() -> None:
    (moving,) = one_joint('<dynamics damping="2" friction="0.5"/>').joints
    assert (moving.damping, moving.friction, moving.mimic) == (2, 0.5, None)
    text = robot_of(joint("j", "a", "b"), joint("k", "b", "c", inside='<mimic joint="j" multiplier="-2.5"/>'))
    assert document(text).joints[1].mimic == MimicTag("j", -2.5, 0)
    assert document(text.replace(' multiplier="-2.5"', ' offset="1"')).joints[1].mimic == MimicTag("j", 1, 1)
    (fixed,) = one_joint('<dynamics damping="x"/><limit lower="x"/>', "fixed").joints  # says nothing there
    assert (fixed.damping, fixed.limits) == (0, Limits())


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        (
            robot_of(joint("j", "a", "b", inside='<dynamics damping="-2"/>'), links="a b"),
            "joint 'j', dynamics damping is negative (-2)",
        ),
        (
            robot_of(joint("j", "a", "b", inside='<limit lower="0" upper="1" effort="-5"/>'), links="a b"),
            "joint 'j', limit effort is negative (-5)",
        ),
        (
            robot_of(joint("j", "a", "b", inside='<dynamics damping="2 "/>'), links="a b"),
            "joint 'j', dynamics damping: blanks after the number '2 ', which urdfdom refuses",
        ),
        (
            robot_of('<link name="b"><inertial><mass value="1"/></inertial></link>', joint("j", "a", "b"), links="a"),
            "link 'b', inertial: there is no <inertia>, the mass is taken as a point",
        ),
        (
            robot_of(links="a").replace("<robot", '<robot version="2"'),
            "robot, version: expected one of 1.0, 1.1, 1.2, got '2'",
        ),
    ],
)
def test_what_is_probably_not_meant(text: str, doubt: str) -> None:
    with pytest.warns(RobotWarning) as caught:
        document(text)
    assert [str(one.message) for one in caught] == [f"small.urdf: probably not meant: {doubt}"]


@pytest.mark.parametrize("name", [" a ", "ä/ö:肘", "a&lt;&quot;&#10;b", "0"])
def test_names_stay_as_they_are(name: str) -> None:
    made = document(f'<robot name="{name}"><link name="base"/><link name="{name}"/>{joint(name, "base", name)}</robot>')
    expected = ET.fromstring(f'<x name="{name}"/>').get("name") or ""
    assert list(made.links) == ["base", expected]
    assert (made.joints[0].name, made.joints[0].child) == (expected, expected)
    assert made.name == expected.strip()


@pytest.mark.parametrize("name", ["", " ", "&#9;"])
def test_links_without_a_name(name: str) -> None:
    with pytest.raises(RobotError, match="link 2: <link> has no name"):
        document(f'<robot name="r"><link name="a"/><link name="{name}"/></robot>')
