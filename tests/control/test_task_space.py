"""Which components of a pose a law controls, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from control.task_plants import arm

import robosym
from robosym.control import ControlError, task_pid
from robosym.control.task_space import task_space
from robosym.options.errors import ArgumentError
from robosym.robot import RobotError


def rows(robot: robosym.Robot, **options: object) -> str:
    given = {"frame": None, "tool": None, "task": None, **options}
    return " ".join(task_space(robot, "task_pid", **given).names)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("rx90", "vx vy vz wx wy wz"),
        ("scara", "vx vy vz wz"),
        ("planar-3r", "vx vy wz"),
        ("planar-2r", "vx vy"),
    ],
)
def test_by_default_what_the_joints_can_make(name: str, expected: str) -> None:
    assert rows(robosym.load(name)) == expected


def test_of_an_orientation_all_that_turns_or_nothing() -> None:
    """Five joints that turn about three directions cannot make an orientation, and three components of a pose are its position."""
    rng = np.random.default_rng(2)
    assert rows(arm(rng, "RRRRR")) == "vx vy vz"
    assert rows(arm(rng, "PPP")) == "vx vy vz"
    space = task_space(arm(rng, "RRRRRRR"), "task_pid", None, None, None)
    assert (space.rank, space.free) == (6, 1)


def test_named_components() -> None:
    robot = robosym.load("rx90")
    assert rows(robot, task="planar") == "vx vy wz"
    assert rows(robot, task="orientation") == "wx wy wz"
    assert rows(robot, task=("wz", "vx")) == "vx wz"
    assert rows(robot, task="vy") == "vy"


@pytest.mark.parametrize("task", ["all", [], ["vx", "vx"], ["vx", "x"], 3, {"vx"}])
def test_components_that_are_none_are_refused(task: object) -> None:
    with pytest.raises(ControlError, match=r"task: got .* expected 'pose', 'position'"):
        rows(robosym.load("scara"), task=task)


def test_what_no_motor_moves_is_refused() -> None:
    with pytest.raises(ControlError, match=r"task_pid needs a motor for every coordinate, and base"):
        rows(robosym.load("eel-3"))
    with pytest.raises(ControlError, match="no joint moves it"):
        rows(robosym.load("scara"), frame=0)
    with pytest.raises(RobotError, match="wrist9"):
        rows(robosym.load("scara"), frame="wrist9")
    with pytest.raises(ArgumentError, match="expected a Robot"):
        task_pid("scara", Kp=1, Kd=1)  # type: ignore[arg-type]
