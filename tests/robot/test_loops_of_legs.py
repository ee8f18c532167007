"""Loops inside legs: their cut joints and twins come last, those of the robot itself before those of its legs."""

from __future__ import annotations

from typing import Any

import pytest

from robosym.formats import toml
from robosym.robot import Robot, RobotError

ROWS: list[dict[str, Any]] = [
    {"name": "crank", "active": True},
    {"name": "rod", "d": 1},
    {"name": "bar", "antecedent": 0, "d": 0.2},
    {"name": "cut", "d": 1},
    {"name": "twin", "antecedent": "rod", "sigma": "fixed", "d": 0.2},
]


def robot(rows: list[dict[str, Any]] = ROWS, own: list[dict[str, Any]] | None = None, **more: Any) -> Robot:
    leg = {"repeat": 2, "angle": "pi", "base": [1, 0, 0], "seat": [1, 0, 0], "loops": 1, "end": "rod", "frame": rows}
    loops = 1 if own else 0
    return Robot.from_table("x", own or [], platform={"M": 1}, leg=[leg | more], loops=loops)


def test_cut_joints_come_last_and_then_their_twins() -> None:
    made = robot()
    assert (made.loops, [one.name for one in made.frames[made.n_links :]]) == (
        2,
        ["leg1_cut", "leg2_cut", "leg1_twin", "leg2_twin"],
    )
    for k in (1, 2):
        assert made.frame(made.frame(made.number(f"leg{k}_cut")).antecedent).name == f"leg{k}_bar"
        assert made.frame(made.frame(made.number(f"leg{k}_twin")).antecedent).name == f"leg{k}_rod"
    assert toml.loads(toml.dumps(made)) == made


def test_the_end_is_the_last_row_that_is_none_of_them() -> None:
    made = robot(end=3)
    leg = {"repeat": 2, "angle": "pi", "base": [1, 0, 0], "seat": [1, 0, 0], "loops": 1, "frame": ROWS}
    assert Robot.from_table("x", [], platform={"M": 1}, leg=[leg]) == made


def test_loops_of_the_robot_come_before_those_of_its_legs() -> None:
    own = [
        {"name": "hand", "d": 0.3},
        {"name": "other", "antecedent": "platform", "d": 0.4, "active": False},
        {"name": "closes", "d": 0.3, "active": False},
        {"name": "meets", "antecedent": "hand", "sigma": "fixed", "d": 0.4},
    ]
    made = robot(own=own)
    assert made.loops == 3
    names = [one.name for one in made.frames[made.n_links :]]
    assert names == ["closes", "leg1_cut", "leg2_cut", "meets", "leg1_twin", "leg2_twin"]
    assert made.frame(made.frame(made.number("closes")).antecedent).name == "other"


def test_a_twin_is_by_default_on_the_frame_before_it_as_written() -> None:
    own = [
        {"name": "hand", "d": 0.3},
        {"name": "closes", "d": 0.3, "active": False},
        {"name": "meets", "sigma": "fixed"},
    ]
    with pytest.raises(RobotError, match="frame 3"):  # on the cut joint itself: no loop
        robot(own=own)


@pytest.mark.parametrize(
    ("rows", "more", "where"),
    [
        (ROWS, {"loops": 3}, "leg 1, loops"),
        (ROWS, {"loops": -1}, "leg 1, loops"),
        (ROWS, {"loops": "one"}, "leg 1, loops"),
        (ROWS, {"end": "cut"}, "leg 1, end"),
        ([*ROWS[:3], {**ROWS[3], "sigma": "universal"}, ROWS[4]], {}, "leg 1, frame 4, sigma"),
    ],
)
def test_what_is_wrong_is_said_where_it_stands(rows: list[dict[str, Any]], more: dict[str, Any], where: str) -> None:
    with pytest.raises(RobotError) as caught:
        robot(rows, **more)
    assert where in [problem.where for problem in caught.value.problems]
