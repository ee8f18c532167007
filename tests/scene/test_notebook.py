"""Robots in notebooks as text; tests/web opens them in a browser."""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import replace
from typing import Any

import robosym
from robosym.scene import scene
from robosym.scene.notebook import robot_page

HOSTILE = "</script><img src=x onerror=alert(1)>"


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
