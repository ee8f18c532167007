"""The shapes that a description has for its links."""

from __future__ import annotations

from dataclasses import replace

import robosym
from robosym.notices import collected
from robosym.scene import described_scene, scene

SHAPES = """<robot name="r"><link name="base"/><link name="arm">
  <visual><geometry><cylinder radius="0.1" length="0.4"/></geometry></visual><visual><geometry>{}</geometry></visual></link>
  <joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>"""


def test_shapes_come_from_the_text_where_they_can_be_read() -> None:
    text = SHAPES.format('<sphere radius="0.2"/>')
    robot = robosym.loads(text, "urdf")
    assert [shape["kind"] for shape in described_scene(robot, text, "urdf")["shapes"]] == ["cylinder", "sphere"]
    assert described_scene(robot, text, "toml")["shapes"] == []
    damaged = SHAPES.format('<sphere radius="much"/>')
    assert described_scene(robot, damaged, "urdf")["shapes"] == []
    assert described_scene(robosym.load("rx90"))["shapes"] == []


def test_a_format_is_what_the_text_begins_with() -> None:
    """A text is read as what it is; "xml" leaves it open, another format has no shapes."""
    text = SHAPES.format('<box size="1 2 3"/>')
    robot = robosym.loads(text, "urdf")
    for format in ("urdf", "xml", None):
        assert len(described_scene(robot, text, format)["shapes"]) == 2
    assert described_scene(robot, text, "mjcf")["shapes"] == []
    assert described_scene(robot, "", "urdf")["shapes"] == []
    assert described_scene(robot, "<robot", None)["shapes"] == []  # no XML at all


def test_shapes_of_mjcf() -> None:
    text = """<mujoco><worldbody><body name="arm"><joint name="j" axis="0 0 1"/>
      <geom type="sphere" size="0.25" mass="1"/></body></worldbody></mujoco>"""
    with collected():  # a robot has no place for shapes
        robot = robosym.loads(text, "mjcf")
    (shape,) = described_scene(robot, text, "mjcf")["shapes"]
    assert (shape["kind"], shape["size"], shape["frame"]) == ("sphere", [0.25], robot.number("arm"))


def test_shapes_of_links_that_the_robot_has_not_are_left_out() -> None:
    """The description may be edited after its shapes were drawn: what is left is drawn."""
    text = SHAPES.format('<sphere radius="0.2"/>')
    robot = robosym.loads(text, "urdf")
    renamed = robot.replace(frames=(replace(robot.frames[0], name="other"), *robot.frames[1:]))
    assert described_scene(renamed, text, "urdf")["shapes"] == []


def test_a_scene_without_shapes_is_the_scene() -> None:
    robot = robosym.load("planar-2r")
    assert described_scene(robot) == scene(robot)
    assert described_scene(robot, "half a \ud800 letter <robot") == scene(robot)
