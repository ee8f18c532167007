"""The square part of a Jacobian matrix: its rows by name, its columns, and what cannot be asked for."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

import robosym
from robosym import RobosymError
from robosym.expr import number, variable
from robosym.models import inverse_kinematics_velocity, jacobian_determinant, jacobian_inverse
from robosym.models.kinematic.task import ROWS, at_random, moved_by, rows_named, task_rows, velocity_names
from robosym.robot import FIXED, Robot, RobotError


@cache
def planar() -> Robot:
    return robosym.load("planar-3r")


MODELS = (jacobian_inverse, inverse_kinematics_velocity, jacobian_determinant)


@pytest.mark.parametrize("rows", [["vy", "vx"], ("vy", "vx"), {"vy": 1, "vx": 2}, (row for row in ("vy", "vx"))])
def test_rows_are_any_names_in_their_order(rows: Any) -> None:
    assert rows_named(planar(), rows) == (1, 0)


def test_one_name_and_none() -> None:
    assert rows_named(planar(), "wz") == (5,)  # type: ignore[arg-type]
    assert rows_named(planar(), None) == tuple(range(6))
    assert jacobian_inverse(planar(), rows=(row for row in ROWS[:2])).options["rows"] == ["vx", "vy"]


@pytest.mark.parametrize("rows", [5, "v", [["vx"]], [None], ["vx", 1], {}])
@pytest.mark.parametrize("model", MODELS)
def test_what_is_no_row_is_refused(model: Any, rows: Any) -> None:
    expected = f"rows: got {re.escape(repr(rows))}, expected a list of 'vx', 'vy', 'vz', 'wx', 'wy' or 'wz'"
    with pytest.raises(RobosymError, match=expected):
        model(planar(), rows=rows)


@pytest.mark.parametrize("rows", [[], ["vx", "vx"]])
@pytest.mark.parametrize("model", MODELS)
def test_rows_are_different_ones(model: Any, rows: Any) -> None:
    with pytest.raises(RobotError, match=r"rows: got .*, expected different ones of vx, vy, vz, wx, wy, wz"):
        model(planar(), rows=rows)


def test_independent_rows_come_first() -> None:
    x, y = variable("x"), variable("y")
    zero = number(0)
    matrix = [[zero, zero], [x, y], [2 * x, 2 * y], [y, x], [x, zero], [zero, zero]]
    assert task_rows(planar(), None, matrix) == (1, 3)
    assert task_rows(planar(), ("wx", "vy"), matrix) == (1, 3)
    with pytest.raises(RobotError, match="3 rows are more than the 2 velocities"):
        task_rows(planar(), ("vx", "vy", "vz"), matrix)


def test_a_frame_that_nothing_moves() -> None:
    still = Robot.from_table("still", [{"sigma": FIXED, "d": 1}])
    for robot, frame in ((planar(), 0), (still, 1)):
        with pytest.raises(RobotError, match="no joint moves this frame"):
            jacobian_determinant(robot, frame=frame)


def test_columns_and_their_names() -> None:
    assert moved_by(planar(), 2) == (0, 1)
    free = robosym.load("planar-3r", floating=True)
    assert moved_by(free, 1) == tuple(range(7))
    assert velocity_names(free)[5:7] == ("base wz", free.joint_names[0])


def test_random_numbers_are_those_of_the_symbols() -> None:
    x = variable("x")
    (first, twice), (other, _) = at_random(planar(), [[x, 2 * x], [number(3), number(1)]], (0, 3))
    assert twice == 2 * first != 0
    assert other == 1  # over the largest of its half


@pytest.mark.parametrize("order", [1.0, True, 3, "2", [1], None])
def test_an_order_is_one_or_two(order: Any) -> None:
    with pytest.raises(RobosymError, match=r"order: got .*, expected 1 or 2"):
        inverse_kinematics_velocity(planar(), order=order)


@pytest.mark.parametrize("option", ["weighted", "null_space"])
def test_options_are_true_or_false(option: str) -> None:
    with pytest.raises(RobosymError, match=f"{option}: got 'no', expected True or False"):
        inverse_kinematics_velocity(planar(), **{option: "no"})  # type: ignore[arg-type]
    with pytest.raises(RobosymError, match="weighted: got 'yes'"):
        jacobian_inverse(planar(), weighted="yes")  # type: ignore[arg-type]
