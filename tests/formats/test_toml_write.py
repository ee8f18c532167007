"""Values and robots as TOML, read back by the standard library."""

from __future__ import annotations

import math
import tomllib
from fractions import Fraction

import numpy as np
import pytest
from random_robots import random_robot

from robosym.expr import number, parameter, pi
from robosym.formats import toml
from robosym.formats.toml_write import _group, _string, dumps, toml_key, toml_value
from robosym.robot import Limits, Mimic, Robot, Spring, Value


@pytest.mark.parametrize(
    ("value", "back"),
    [
        (True, True),
        (3, 3),
        (2**63 - 1, 2**63 - 1),
        (2**63, str(2**63)),
        (-(2**63), -(2**63)),
        (0.1, 0.1),
        (-math.inf, -math.inf),
        ('a "b"\\ \n\t\x01\x7f é', 'a "b"\\ \n\t\x01\x7f é'),
        ([1, "a", [0.5]], [1, "a", [0.5]]),
        (number(2), 2),
        (number(0.25), 0.25),
        (number(Fraction(1, 3)), "1/3"),
        (pi / 2, "pi/2"),
        (2 * parameter("L"), "2*L"),
        (Limits(-1.0, None, 2.0), {"lower": -1.0, "velocity": 2.0}),
        (Spring(number(3), number(0), number(0.5)), {"stiffness": 3, "rest": 0.5}),
        (Mimic(2, number(-1), number(0)), {"frame": 2, "ratio": -1}),
        (Mimic(2, number(-1), number(0.5)), {"frame": 2, "ratio": -1, "offset": 0.5}),
        (Value(0.5), 0.5),
        (Value(0.5, "m"), {"value": 0.5, "unit": "m"}),
        (Value(0.5, "", "x"), {"value": 0.5, "source": "x"}),
    ],
)
def test_values_come_back(value: object, back: object) -> None:
    assert tomllib.loads(f"x = {toml_value(value)}")["x"] == back
    assert type(tomllib.loads(f"x = {toml_value(value)}")["x"]) is type(back)


def test_keys_and_strings() -> None:
    assert toml_key("a-b_1") == "a-b_1"
    assert toml_key("é") == '"é"'
    assert _string("a\x00") == '"a\\u0000"'
    assert math.isnan(tomllib.loads(f"x = {toml_value(math.nan)}")["x"])


def test_groups_of_default_symbols() -> None:
    names = ("Ia", "Fv")
    assert list(_group("actuator", names, (parameter("IA3"), parameter("FV3")), "3")) == [("actuator", "symbolic")]
    some = list(_group("actuator", names, (parameter("IA3"), number(2)), "3"))
    assert some == [("actuator", ["Ia"]), ("Fv", number(2))]
    assert list(_group("actuator", names, (number(0), parameter("IA3")), "3")) == [("Fv", parameter("IA3"))]


@pytest.mark.parametrize("seed", range(3))
def test_robots_come_back(seed: int) -> None:
    robot: Robot = random_robot(np.random.default_rng(seed), 5, symbolic=True, rich=True)
    assert toml.loads(dumps(robot)) == robot
