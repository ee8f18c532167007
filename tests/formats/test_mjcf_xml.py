"""Includes and classes of defaults, beside MuJoCo's own reader."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import mujoco
import numpy as np
import pytest
from formats.mjcf_texts import BODY, around, same
from formats.test_mjcf_bad import problem
from mujoco_compared import Beside

import robosym
from robosym.formats import mjcf, mjcf_xml
from robosym.formats.mjcf_xml import Defaults, odd_numbers, read_elements
from robosym.formats.xml_read import Numbers
from robosym.robot import RobotError


def test_classes_of_defaults(tmp_path: Path) -> None:
    head = """<default><joint damping=".1" armature=".02"/><geom density="300"/>
      <default class="leg"><joint axis="0 1 0" damping=".5"/><default class="foot"><joint armature=".3"/>
      <geom type="box" size=".1 .2 .3"/></default></default>
      <default class="rail"><joint type="slide"/></default></default>"""
    body = f"""<body name="a" childclass="leg"><joint name="p"/>{BODY}
      <body name="b" pos="1 0 0"><joint name="q" class="foot"/><geom class="foot"/>
        <body name="c" childclass="rail" pos="0 1 0"><joint name="r"/><geom size=".2"/></body></body>
      <body name="d" pos="0 0 1" childclass="foot"><joint name="s"/><geom pos="1 0 0"/></body></body>"""
    robot = same(tmp_path, around(body, head))
    armatures = {f.joint.name: f.actuator.Ia.value for f in robot.frames if f.joint.variable is not None}
    assert armatures == {"p": 0.02, "q": 0.3, "r": 0.02, "s": 0.3}


def test_includes(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    leaf = f'<mujoco><body name="a"><joint name="j" axis="1 0 0"/>{BODY}</body></mujoco>'
    (tmp_path / "parts" / "leaf.xml").write_text(leaf)
    (tmp_path / "robot.mjcf").write_text(around('<include file="parts/arm.xml"/>'))
    for inner in ("leaf.xml", "parts/leaf.xml"):  # from its own folder, or from that of the first file
        (tmp_path / "parts" / "arm.xml").write_text(f'<mujocoinclude><include file="{inner}"/></mujocoinclude>')
        robot = robosym.load(tmp_path / "robot.mjcf")
        Beside(robot, mujoco.MjModel.from_xml_path(str(tmp_path / "robot.mjcf"))).check(np.random.default_rng(1))


def test_includes_stay_in_their_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.xml").write_text(f"<mujoco><worldbody><body><joint/>{BODY}</body></worldbody></mujoco>")
    inner = tmp_path / "inner"
    inner.mkdir()
    for name in ("../secret.xml", str(tmp_path / "secret.xml"), "/etc/passwd", "x/../../secret.xml"):
        message = problem(inner, f'<mujoco><include file="{name}"/></mujoco>')
        assert "only files in the folder of robot.xml and below are read" in message
    (inner / "link.xml").symlink_to(tmp_path / "secret.xml")
    assert "only files in the folder" in problem(inner, '<mujoco><include file="link.xml"/></mujoco>')


def test_includes_that_do_not_work(tmp_path: Path) -> None:
    assert "the file is included twice" in problem(tmp_path, '<mujoco><include file="robot.xml"/></mujoco>')
    assert "expected the name of a file" in problem(tmp_path, "<mujoco><include/></mujoco>")
    (tmp_path / "robot.xml").write_text('<mujoco><include file="none.xml"/></mujoco>')
    with pytest.raises(RobotError, match=r"none\.xml: cannot be read: No such file"):
        mjcf.read(tmp_path / "robot.xml")
    (tmp_path / "loop.xml").write_text('<mujoco><include file="loop.xml"/></mujoco>')
    assert "included twice" in problem(tmp_path, '<mujoco><include file="loop.xml"/></mujoco>')


def test_deep_nesting_is_an_error_and_no_overflow(tmp_path: Path) -> None:
    assert "nested more than 500 deep" in problem(tmp_path, around("<body>" * 600 + "</body>" * 600))
    frames = "<frame>" * 450 + f'<body name="a"><joint name="j"/>{BODY}</body>' + "</frame>" * 450
    (tmp_path / "robot.xml").write_text(around(frames))
    assert robosym.load(tmp_path / "robot.xml").joint_names == ("j",)


# --- includes --------------------------------------------------------------------------------------------------------


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.xml").write_text(text)
    return folder / "first.xml"


def test_an_include_stands_for_what_is_in_its_file(tmp_path: Path) -> None:
    """In place and in order, also where a file begins or ends with an include, or is empty."""
    path = write(
        tmp_path,
        first='<mujoco model="m"><a/><include file="second.xml"/><b><include file="fourth.xml"/></b><c/></mujoco>',
        second='<mujoco model="other"><include file="third.xml"/><d/><include file="empty.xml"/></mujoco>',
        third='<mujocoinclude><e x="1"/><f/></mujocoinclude>',
        fourth="<mujoco><g/></mujoco>",
        empty="<mujoco/>",
    )
    root = read_elements(path)
    assert (
        ET.tostring(root, encoding="unicode")
        == '<mujoco model="m"><a /><e x="1" /><f /><d /><b><g /></b><c /></mujoco>'
    )


def test_a_text_has_no_folder(tmp_path: Path) -> None:
    write(tmp_path, second="<mujoco/>")
    with pytest.raises(RobotError, match="include: a text has no folder to read from: load the file instead"):
        read_elements(tmp_path / "first.xml", b'<mujoco><include file="second.xml"/></mujoco>')
    assert read_elements(tmp_path / "first.xml", b"<mujoco><a/></mujoco>")[0].tag == "a"


def test_so_many_files_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mjcf_xml, "MOST_FILES", 3)
    path = write(
        tmp_path, first='<mujoco><include file="b.xml"/><include file="c.xml"/></mujoco>', b="<mujoco/>", c="<mujoco/>"
    )
    assert len(read_elements(path)) == 0
    path = write(tmp_path, c='<mujoco><include file="d.xml"/></mujoco>', d="<mujoco/>")
    with pytest.raises(RobotError, match=r"include 'd\.xml': more than 3 files"):
        read_elements(path)


def test_what_is_wrong_in_an_included_file_is_said_of_that_file(tmp_path: Path) -> None:
    path = write(tmp_path, first='<mujoco><include file="second.xml"/></mujoco>', second="<mujoco>\n<a></mujoco>")
    with pytest.raises(RobotError, match=r"second\.xml: line 2, column 6: not XML: mismatched tag"):
        read_elements(path)
    write(tmp_path, second="<robot/>")
    with pytest.raises(RobotError, match=r"second\.xml: expected <mujoco> as the outermost element, got <robot>"):
        read_elements(path)


# --- classes of defaults ----------------------------------------------------------------------------------------------


def defaults(text: str) -> tuple[Defaults, Numbers]:
    numbers = Numbers()
    return Defaults(ET.fromstring(f"<mujoco>{text}</mujoco>"), numbers), numbers


def of(classes: Defaults, text: str, childclass: str = "") -> dict[str, str]:
    found = dict(classes.of(ET.fromstring(text), "here", childclass))
    found.pop("class", None)
    return found


NESTED = """<default><joint damping="1 2 3" axis="1 0 0"/><geom euler="1 2 3" rgba="1 0 0 1"/><motor gear="1 2 3 4 5 6"/>
  <default class="inner"><joint armature="4"/><geom quat="1 0 0 0"/>
    <default class="deep"><joint damping="9" armature="5"/></default></default>
  <default class="beside"><joint axis="0 1 0"/></default></default>"""


def test_a_class_has_what_those_around_it_have() -> None:
    classes, numbers = defaults(NESTED)
    assert numbers.problems == []
    assert of(classes, "<joint/>") == {"damping": "1 2 3", "axis": "1 0 0"}
    assert of(classes, '<joint class="inner"/>') == {"damping": "1 2 3", "axis": "1 0 0", "armature": "4"}
    assert of(classes, '<joint class="deep"/>') == {"damping": "9 2 3", "axis": "1 0 0", "armature": "5"}
    assert of(classes, '<joint class="beside"/>') == {"damping": "1 2 3", "axis": "0 1 0"}
    assert of(classes, "<joint/>", "deep") == of(classes, '<joint class="deep"/>')
    assert of(classes, '<joint class="main"/>', "deep") == of(classes, "<joint/>")
    assert of(classes, '<site name="s"/>', "deep") == {"name": "s"}


def test_what_an_element_says_itself_holds() -> None:
    """An orientation of any kind in place of another; the first of several numbers, and the others stay."""
    classes, _ = defaults(NESTED)
    assert of(classes, '<geom zaxis="0 0 1"/>') == {"zaxis": "0 0 1", "rgba": "1 0 0 1"}
    assert of(classes, '<geom class="inner"/>') == {"quat": "1 0 0 0", "rgba": "1 0 0 1"}
    assert of(classes, '<joint damping="7"/>')["damping"] == "7 2 3"
    assert of(classes, '<joint damping="7 8 9 10"/>')["damping"] == "7 8 9 10"
    assert of(classes, '<joint axis="0 0 1"/>')["axis"] == "0 0 1"
    assert of(classes, '<position gear="5"/>')["gear"] == "5 2 3 4 5 6"  # actuators of all kinds have one set


def test_two_sections_are_one() -> None:
    classes, numbers = defaults('<default><joint damping="1"/></default><default><joint armature="2"/></default>')
    assert (of(classes, "<joint/>"), numbers.problems) == ({"damping": "1", "armature": "2"}, [])


def test_the_outermost_class_may_have_a_name() -> None:
    classes, numbers = defaults('<default class="all"><joint damping="1"/><default class="in"/></default>')
    assert numbers.problems == []
    assert (
        of(classes, "<joint/>")
        == of(classes, '<joint class="all"/>')
        == of(classes, '<joint class="in"/>')
        == {"damping": "1"}
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("<default><default><joint/></default></default>", "default: expected a class: only the outermost has none"),
        (
            '<default><default class="a"/><default class="a"/></default>',
            "default: expected a class of its own, got 'a' once more",
        ),
        ('<default><default class="main"/></default>', "default: expected a class of its own, got 'main' once more"),
        (
            '<default><geom quat="1 0 0 0" euler="0 0 0"/></default>',
            "default 'main', geom: expected one orientation, got quat and euler",
        ),
        ('<default><joint damping="x"/></default>', "default 'main', joint, damping: expected a number, got 'x'"),
        (
            '<default class="k"><joint damping="1 2 3 4"/></default>',
            "default 'k', joint, damping: expected at most 3 numbers, got 4",
        ),
        ('<default><joint range="1"/></default>', "default 'main', joint, range: expected 2 numbers, got '1'"),
    ],
)
def test_what_is_wrong_in_a_class(text: str, problem: str) -> None:
    assert list(map(str, defaults(text)[1].problems)) == [problem]


def test_a_class_that_is_not_there() -> None:
    classes, numbers = defaults(NESTED)
    assert of(classes, '<joint class="none"/>') == of(classes, "<joint/>")
    assert list(map(str, numbers.problems)) == ["here: there is no default class 'none'"]


# --- numbers that are not read ----------------------------------------------------------------------------------------


def test_numbers_that_are_not_read_and_that_mujoco_refuses() -> None:
    text = around(
        f'<geom rgba="1 0 0 1 5" friction="1 1 1" solref="a"/><body>{BODY}</body>',
        '<option timestep="0.1 0.2" wind="1 2 3"/>',
    )
    assert odd_numbers(ET.fromstring(text)) == [
        "<option>, timestep: expected at most 1 numbers, got '0.1 0.2'",
        "<geom>, rgba: expected at most 4 numbers, got '1 0 0 1 5'",
        "<geom>, solref: expected at most 2 numbers, got 'a'",
    ]
    good = around(
        f'<geom rgba="1 0 0 1" solref="1e300 1"/><body>{BODY}</body>', '<visual><map x="a" rgba="a"/></visual>'
    )
    assert odd_numbers(ET.fromstring(good)) == []  # sections that are not looked into
