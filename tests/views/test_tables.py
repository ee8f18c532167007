"""Tables and back: the same robot, the same tables; and every problem at the cell it belongs to."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from real_robots import URDFS, real_robot

import robosym
from robosym.errors import RobosymError
from robosym.library import robot_names
from robosym.notices import collected
from robosym.robot import Robot, RobotError
from robosym.robot.joints import KINDS
from robosym.views.columns import BY_ID
from robosym.views.table_checks import checked_tables
from robosym.views.tables import from_tables, tables

OWN = """
name = "everything"
gravity = [0, "G2", "-9.81"]
par_type = 1
source = "a drawing"
[base]
name = "cart"
location = [[0, -1, 0, "X"], [1, 0, 0, 0], [0, 0, 1, 0.5], [0, 0, 0, 1]]
velocity = [0, "V0", 0]
mobile = true
M = 4
wrench = ["CX"]
[[frame]]
name = "a"
limits = {lower = -1, upper = 2, velocity = 3, effort = 4, acceleration = 5, jerk = 6}
inertia = "symbolic"
actuator = ["Fv"]
spring = {stiffness = "K", damping = 0.5, rest = 0.1}
flexibility = {stiffness = 900, damping = 2}
motor = {Jm = 1e-4, KT = "KT1", Ka = 2, Fv = 0.1, Fs = 0.2, axis = [0, 0, 1], link = 0, limits = {torque = 1, speed = 2, current = 3}}
friction = {Fst = 3, B = 10, points = [[0.1, 1], ["max(2, W)", 3]], points_negative = [[0.2, 2]], offset = 0.3, width = 0.01, Fv_negative = 1, Fs_negative = 2, Fst_negative = 4}
[[frame]]
name = "b"
d = "L"
theta = "q2 + pi/3"
FX = "FX2"
[[frame]]
alpha = "90 deg"
variable = "x"
joint = "slide"
sigma = "prismatic"
velocity = "xd"
torque = 0
[[frame]]
active = false
mimic = {frame = "b", ratio = "-1/2", offset = 0.2}
[[coupling]]
frames = [2, 3]
matrix = [[1, 0], ["max(1, C)", "1/2"]]
[values]
L = {value = 0.3, unit = "m", source = "drawing 2"}
G2 = 0.1
"""


def problems(given: dict[str, Any]) -> list[tuple[Any, Any, Any]]:
    return [(one["table"], one["row"], one["column"]) for one in checked_tables(given)["problems"]]


def test_a_robot_of_everything_is_the_same_after_its_tables() -> None:
    robot = robosym.loads(OWN, "toml")
    made = tables(robot)
    assert from_tables(made) == robot
    assert tables(from_tables(made)) == made
    assert made["friction"][0]["points"] == "0.1: 1; max(W, 2): 3"
    assert made["couplings"] == [{"frames": "2, 3", "matrix": "1, 0; max(C, 1), 1/2"}]
    assert made["values"][0] == {"symbol": "L", "value": "0.3", "unit": "m", "source": "drawing 2"}
    unvalued = [row["symbol"] for row in made["values"] if not row["value"]]
    assert {"XX1", "FV1", "K", "C", "W"} <= set(unvalued)


@pytest.mark.mostly_slow(fast=12)
@pytest.mark.parametrize("name", [*robot_names(), "general-12r", "eel-4"])
def test_built_in_robots_are_the_same_after_their_tables(name: str) -> None:
    robot = robosym.load(name)
    made = tables(robot)
    assert from_tables(made) == robot
    assert tables(from_tables(made)) == made


@pytest.mark.parametrize("name", URDFS)
def test_robots_from_urdf_are_the_same_after_their_tables(name: str) -> None:
    robot = real_robot(name)
    with collected():
        assert from_tables(tables(robot)) == robot


@pytest.mark.parametrize(
    ("table", "row", "column", "cell"),
    [
        ("frames", 1, "alpha", "pi/"),
        ("frames", 1, "antecedent", "nobody"),
        ("frames", 2, "sigma", "round"),
        ("frames", 0, "theta", "q2"),
        ("frames", 1, "name", "a"),
        ("joints", 0, "lower", "L"),
        ("joints", 0, "acceleration", "-1"),
        ("joints", 1, "mimic", "9"),
        ("joints", 3, "ratio_of_mimic", "1 +"),
        ("joints", 0, "position", "nan"),
        ("joints", 2, "variable", "3x"),
        ("inertia", 0, "M", "1 kg"),
        ("inertia", 2, "XX", "("),
        ("wrench", 2, "FX", "=("),
        ("state", 2, "velocity", "*"),
        ("actuators", 1, "Fs", "sin("),
        ("actuators", 0, "spring_stiffness", "-1"),
        ("actuators", 0, "flexibility_stiffness", "0"),
        ("motors", 0, "torque", "-1"),
        ("motors", 0, "axis_y", "?"),
        ("motors", 0, "Fvm", "?"),
        ("friction", 0, "width", "0"),
        ("friction", 0, "points", "1: 2: 3"),
        ("friction", 0, "points", "1: ?"),
        ("couplings", 0, "frames", "2"),
        ("couplings", 0, "matrix", "1, 0"),
        ("couplings", 0, "matrix", "1, 0; ?, 1"),
        ("general", 0, "name", ""),
        ("general", 0, "gravity_y", "down"[:1] + "+"),
        ("general", 0, "par_type", "7"),
        ("location", 1, "p", "?"),
        ("motion", 2, "y", "?"),
        ("loops", 0, "loops", "x"),
        ("values", 0, "value", "much"),
        ("values", 0, "symbol", "pi"),
        ("values", 1, "symbol", "L"),
    ],
)
def test_a_problem_is_at_its_cell(table: str, row: int, column: str, cell: str) -> None:
    made = copy.deepcopy(tables(robosym.loads(OWN, "toml")))
    made[table][row][column] = cell
    places = problems(made)
    expected = ("values", 0, "value") if (table, cell) == ("values", "pi") else (table, row, column)
    assert expected in places, checked_tables(made)["problems"]


def test_problems_of_legs_are_at_their_rows() -> None:
    made = tables(robosym.load("gough-stewart"))
    made["legs"][3]["seat"] = "nobody"
    assert problems(made)[0] == ("legs", 3, "seat")
    made = tables(robosym.load("gough-stewart"))
    made["legs"][5]["joint"] = "glued"
    assert ("legs", 5, "joint") in problems(made)


def test_tables_that_are_right_come_back_as_a_text_and_as_they_were_understood() -> None:
    made = tables(robosym.load("rx90"))
    made["frames"][1]["alpha"] = "90 deg"
    found = checked_tables(made)
    assert found["problems"] == []
    assert found["tables"]["frames"][1]["alpha"] == "pi/2"
    assert robosym.loads(found["text"], "toml") == from_tables(made)


def test_warnings_are_at_their_cells_too() -> None:
    made = tables(robosym.load("planar-2r"))
    made["values"].append({"symbol": "unused", "value": "1", "unit": "", "source": ""})
    assert checked_tables(made)["warnings"][0]["row"] == len(made["values"]) - 1


@pytest.mark.parametrize(
    "wrong", [[], {"nothing": []}, {"frames": {}}, {"frames": [1]}, {"frames": [{"x": 1}]}, {"frames": [{"d": []}]}, {"joints": [{}]}]
)  # fmt: skip
def test_what_is_no_table_gets_words(wrong: Any) -> None:
    with pytest.raises(RobosymError, match="table"):
        from_tables(wrong)
    with pytest.raises(RobotError, match="expected the robot's name"):
        from_tables({})


def test_kinds_of_joints_are_the_same_after_their_tables() -> None:
    rows = [{"sigma": kind, "d": 1, **({"pitch": "P"} if kind == "screw" else {})} for kind in KINDS]
    robot = Robot.from_table("kinds", rows, values={"P": 0.01})
    made = tables(robot)
    assert from_tables(made) == robot
    assert [row["pitch"] for row in made["joints"]] == ["P" if kind == "screw" else "" for kind in KINDS]
    assert {*KINDS} <= set(next(one for one in BY_ID["frames"].columns if one.key == "sigma").choices)
