"""What every kinematic model asks for: a robot, a target, a convention by any of its names."""

from __future__ import annotations

import re
from typing import Any

import pytest

import robosym
from robosym.models import MODELS, accelerations, jdot_qdot, velocities
from robosym.models.kinematic.frames import about_middle, convention_named, target, truth
from robosym.models.kinematic.jacobian import asked, jacobian
from robosym.robot import RobotError

KINEMATIC = [name for name, function in MODELS.items() if ".kinematic." in function.__module__]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("local", "local"),
        ("body", "local"),
        ("LOCAL", "local"),
        ("Spatial", "world"),
        ("WORLD", "world"),
        ("mixed", "local-world-aligned"),
        ("LOCAL_WORLD_ALIGNED", "local-world-aligned"),
        ("local_world-aligned", "local-world-aligned"),
    ],
)
def test_a_convention_has_several_names(word: str, meant: str) -> None:
    robot = robosym.load("planar-2r")
    assert convention_named(robot, word) == meant
    assert asked(robot, None, word, None) == asked(robot, None, meant, None)
    assert jacobian(robot, convention=word).options["convention"] == meant
    assert velocities(robot, convention=word).options["convention"] == meant


@pytest.mark.parametrize("word", ["", "bodies", 5, ["local"], None])
def test_other_words_are_refused(word: Any) -> None:
    with pytest.raises(RobotError, match=r"convention: got .*, expected 'local', 'world' or 'local-world-aligned'"):
        convention_named(robosym.load("planar-2r"), word)


@pytest.mark.parametrize("name", KINEMATIC)
def test_every_model_wants_a_robot_without_loops(name: str) -> None:
    with pytest.raises(RobotError, match=r"expected a Robot \(load it first"):
        MODELS[name]("rx90")
    with pytest.raises(RobotError, match="closed loops"):
        MODELS[name](robosym.load("four-bar"))


def test_the_target() -> None:
    robot = robosym.load("rx90")
    assert target(robot, None) == target(robot, "link6") == target(robot, 6) == 6
    with pytest.raises(RobotError, match="the world does not move"):
        target(robot, "world")
    with pytest.raises(RobotError, match="closed loops"):
        jdot_qdot(robosym.load("five-bar"))  # before its several terminal frames


@pytest.mark.parametrize("frames", [None, [None], [1, None], []])
@pytest.mark.parametrize("model", [velocities, accelerations])
def test_frames_that_are_none(model: Any, frames: Any) -> None:
    with pytest.raises(RobotError, match=r"frames: got .*, expected at least one frame"):
        model(robosym.load("planar-2r"), frames)


@pytest.mark.parametrize("value", ["yes", "no", 1, None])
def test_a_word_is_no_truth(value: Any) -> None:
    robot = robosym.load("planar-2r")
    with pytest.raises(RobotError, match=re.escape(f"weighted: got {value!r}, expected True or False")):
        truth(robot, "weighted", value)
    assert truth(robot, "weighted", True)
    assert not truth(robot, "weighted", False)


def test_the_middle_of_a_way() -> None:
    assert about_middle(list(range(10)), 4) == [3, 4, 5, 6]
    assert about_middle(list(range(3)), 4) == [0, 1, 2]
