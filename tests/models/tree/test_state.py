"""The inputs of a model: what each array holds."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import robosym
from robosym.expr import number, variable
from robosym.models.resolve import resolve
from robosym.models.tree.coordinates import coordinates
from robosym.models.tree.state import state_inputs, wrench_frames, wrench_option, wrench_symbols, zero_unless_given
from robosym.robot import Robot, RobotError


@cache
def planar() -> Robot:
    return robosym.load("planar-2r")


def with_joint(robot: Robot, j: int, **changes: object) -> Robot:
    frames = list(robot.frames)
    frames[j - 1] = replace(frames[j - 1], joint=replace(frames[j - 1].joint, **changes))
    return robot.replace(frames=tuple(frames))


def test_arrays_of_the_state() -> None:
    q, qd, tau = state_inputs(planar(), ("q", "qd", "tau"))
    assert q.entries == planar().coordinates
    assert [x.name for x in (*qd.entries, *tau.entries)] == ["qd1", "qd2", "tau1", "tau2"]
    free = state_inputs(robosym.load("planar-2r", floating=True), ("q", "qd"))
    assert [array.shape for array in free] == [(9,), (8,)]


def test_a_speed_that_is_a_number_keeps_its_place() -> None:
    robot = with_joint(planar(), 1, velocity=number(0))
    assert coordinates(robot).speed(1) == number(0)
    assert state_inputs(robot, ("qd",))[0].entries == (variable("qd1"), variable("qd2"))


def test_one_symbol_for_two_things_is_refused() -> None:
    with pytest.raises(RobotError, match="'qd2' stands for two things"):
        state_inputs(with_joint(planar(), 1, velocity=variable("qd2")), ("qd",))
    with pytest.raises(RobotError, match=r"frame 1, velocity: .*expected one symbol or a number"):
        state_inputs(with_joint(planar(), 1, velocity=2 * variable("w")), ("qd",))


def test_wrenches_of_which_links() -> None:
    assert wrench_frames(planar(), "terminal") == (2,)
    assert wrench_frames(planar(), "all") == (1, 2)
    assert wrench_frames(planar(), "none") == ()
    with pytest.raises(RobotError, match="expected 'terminal', 'all' or 'none'"):
        wrench_frames(planar(), "some")  # type: ignore[arg-type]


def test_wrenches_of_frames_by_name() -> None:
    """tip is fixed to link2; rows are in the order of the names, and a name is that of a frame, whatever joints are called."""
    assert wrench_frames(planar(), ("tip", "link1")) == (3, 1)
    assert wrench_frames(planar(), np.array(["link2"])) == (2,)
    assert state_inputs(planar(), (), ["tip", "link1"])[0].entries == (*wrench_symbols(3), *wrench_symbols(1))
    assert zero_unless_given(planar(), [3, "link1"]) == {"wrench": ("tip", "link1")}
    assert wrench_option(planar(), [3, "link1"]) == ("tip", "link1")
    assert wrench_option(planar(), "all") == "all"
    floating = robosym.load("planar-2r", floating=True)
    assert wrench_frames(floating, ["tip", "base"]) == (3, 0)


FRAMES = "'terminal', 'all' or 'none', or a list of frame names .'link1', 'link2', 'tip'.$"


@pytest.mark.parametrize(
    ("which", "message"),
    [
        ("", FRAMES),
        ("tip", "got 'tip', expected .*; for one frame give .'tip'.$"),
        ((), f"got no frame, expected {FRAMES}"),
        (np.array([]), f"got no frame, expected {FRAMES}"),
        ({"tip"}, f"got .'tip'., expected {FRAMES}"),
        ({"tip": [0] * 6}, FRAMES),
        (b"tip", FRAMES),
        (3, f"got 3, expected {FRAMES}"),
        (iter(["tip"]), FRAMES),
        (("tip", "tip"), "got 'tip' twice, expected each frame once"),
        (("tip", 3), "got 3 twice, expected each frame once"),
        (("tipp",), "there is no frame 'tipp' .did you mean 'tip'. frames: base, link1, link2, tip.$"),
        (("all",), "there is no frame 'all'"),
        ((True,), "there is no frame True"),
        ((["tip"],), "there is no frame .'tip'."),
        (("base",), "got 'base', which does not move: .* expected frames that move .'link1', 'link2', 'tip'.$"),
    ],
)
def test_frames_that_no_wrench_can_be_on(which: Any, message: str) -> None:
    with pytest.raises(RobotError, match=f"^planar-2r: wrench: .*{message}"):
        wrench_frames(planar(), which)


def test_a_frame_on_the_base_and_one_of_a_cut_joint() -> None:
    socket = Robot.from_table("arm", [{}, {"name": "socket", "antecedent": 0, "sigma": "fixed", "d": 1}])
    with pytest.raises(RobotError, match="got 'socket', which does not move"):
        wrench_frames(socket, ["socket"])
    loop = resolve(robosym.load("four-bar")).tree
    for name in ("cut4", "cut5"):
        with pytest.raises(
            RobotError, match=f"got '{name}', where a loop is cut: no link is there, .*'link1', 'link2', 'link3'"
        ):
            wrench_frames(loop, [name])


def test_a_list_of_many_frames_is_shortened() -> None:
    with pytest.raises(RobotError, match=r"'frame11', 'frame12' and 18 more\)$"):
        wrench_frames(Robot.from_table("long", [{"d": 1}] * 30), [])
