"""Models by name and options, and those that are kept."""

from __future__ import annotations

import re

import pytest

from robosym import load, models
from robosym.errors import RobosymError
from robosym.models import models_of
from robosym.views.made import known, made
from robosym.views.models import model_view


def test_a_model_that_is_not_there_is_named() -> None:
    with pytest.raises(RobosymError, match="there is no model 'loop-geometry' of this robot"):
        model_view(load("rx90"), "loop-geometry")
    with pytest.raises(RobosymError, match="did you mean jacobian"):
        model_view(load("rx90"), "jacobain")


def test_a_model_is_derived_once_whatever_the_order_of_its_options() -> None:
    robot = load("planar-2r")
    first = made(robot, "jacobian", {"frame": "link1", "axes": "local"})
    assert made(robot, "jacobian", {"axes": "local", "frame": "link1"}) is first
    assert made(load("planar-2r"), "jacobian", {"axes": "local", "frame": "link1"}) is first
    assert made(robot, "jacobian", {"axes": "local", "frame": "link2"}) is not first
    assert made(robot, "geometric", None) is made(robot, "geometric", {})
    assert made(robot, "geometric").operations == models.geometric(robot).operations


def test_the_same_name_on_another_robot_is_another_model() -> None:
    robot = load("planar-2r")
    assert made(robot, "geometric") is not made(robot.replace(values={}), "geometric")
    assert made(robot.replace(values={}), "geometric").values == {}


@pytest.mark.parametrize(
    ("robot", "name", "why"),
    [
        ("planar-2r", "loop-geometry", "planar-2r is serial"),
        ("gough-stewart", "hybrid-dynamics", "gough-stewart is parallel"),
        ("planar-2r", "gravty", "did you mean gravity"),
        ("planar-2r", "dragon", "unknown"),
        ("planar-2r", 7, "unknown"),
    ],
)
def test_why_there_is_no_model(robot: str, name: object, why: str) -> None:
    found = load(robot)
    with pytest.raises(RobosymError, match=re.escape(f"there is no model {name!r} of this robot ({why}); there are ")):
        known(found, name)  # type: ignore[arg-type]
    for one in models_of(found):
        known(found, one)
