"""Robots in notebooks as text, clouds of points, and the shapes of a description; tests/web opens them in a browser."""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import robosym
from robosym.scene import described_scene, scene, workspace_points
from robosym.scene.notebook import robot_page

HOSTILE = "</script><img src=x onerror=alert(1)>"
SHAPES = """<robot name="r"><link name="base"/><link name="arm">
  <visual><geometry><cylinder radius="0.1" length="0.4"/></geometry></visual><visual><geometry>{}</geometry></visual></link>
  <joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>"""


def unpacked(page: str) -> dict[str, Any]:
    found = re.search(r'id="packed">([A-Za-z0-9+/=]+)</script>', page)
    assert found
    made: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(found[1])))
    return made


def test_a_page_holds_all_modules_it_imports() -> None:
    robot = robosym.load("rx90")
    held = unpacked(robot_page(robot, q=[0.1] * 6))
    assert held["scene"] == scene(robot)
    assert held["x"] == [0.1] * 6
    asked = {name for text in held["modules"].values() for name in re.findall(r'(?:from|import)\s*"([^"]+)"', text)}
    assert asked
    assert asked <= set(held["modules"])


def test_a_hostile_name_is_text() -> None:
    robot = replace(robosym.load("planar-2r"), name=HOSTILE)
    shown = robot.show()
    assert "<img" not in shown.page
    assert "<img" not in shown._repr_html_()
    assert unpacked(shown.page)["scene"]["name"] == HOSTILE


@pytest.mark.parametrize("name", ["planar-2r", "five-bar", "delta"])
def test_points_are_where_the_tip_can_be(name: str) -> None:
    robot = robosym.load(name)
    points = np.frombuffer(workspace_points(robot, samples=300), "<f4").reshape(-1, 3)
    found = robosym.workspace(robot, samples=300).points
    assert points == pytest.approx(found, abs=1e-6)


def test_shapes_come_from_the_text_where_they_can_be_read() -> None:
    text = SHAPES.format('<sphere radius="0.2"/>')
    robot = robosym.loads(text, "urdf")
    assert [shape["kind"] for shape in described_scene(robot, text, "urdf")["shapes"]] == ["cylinder", "sphere"]
    assert described_scene(robot, text, "toml")["shapes"] == []
    damaged = SHAPES.format('<sphere radius="much"/>')
    assert described_scene(robot, damaged, "urdf")["shapes"] == []
    assert described_scene(robosym.load("rx90"))["shapes"] == []
