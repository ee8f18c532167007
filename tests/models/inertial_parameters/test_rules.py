"""The rules of regrouping: what the papers say of single joints, and as few parameters as the regressor has rank."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from random_robots import random_robot
from sweeps import many

from robosym.models.inertial_parameters.base_parameters import base_parameters
from robosym.models.inertial_parameters.numeric import base_parameters_numeric
from robosym.robot import INERTIA, Robot


def kept(rows: list[Mapping[str, Any]], gravity: list[Any]) -> dict[int, set[str]]:
    """The names of what stays, by link."""
    symbolic = [{**row, "inertia": "symbolic"} for row in rows]
    robot = Robot.from_table("arm", symbolic, gravity=gravity)
    found: dict[int, set[str]] = {j: set() for j in range(1, len(rows) + 1)}
    for name in base_parameters(robot).names:
        stem = name.rstrip("0123456789R")
        found[int("".join(c for c in name if c.isdigit()))].add(stem)
    return found


@pytest.mark.parametrize(
    ("rows", "gravity", "expected"),
    [
        ([{}], [0, 0, "G"], {1: {"ZZ"}}),  # an upright axis: only the inertia about it
        ([{}], [0, "G", 0], {1: {"ZZ", "MX", "MY"}}),
        ([{"sigma": 1}], [0, 0, "G"], {1: {"M"}}),
        ([{}, {"d": 0.5}], [0, 0, "G"], {1: {"ZZ"}, 2: {"ZZ", "MX", "MY"}}),
        ([{}, {"alpha": "pi/2"}], [0, 0, "G"], {1: {"ZZ"}, 2: {"XX", "XY", "XZ", "YZ", "ZZ", "MX", "MY"}}),
    ],
)
def test_single_joints(rows: list[Mapping[str, Any]], gravity: list[Any], expected: dict[int, set[str]]) -> None:
    assert kept(rows, gravity) == expected


@pytest.mark.parametrize("seed", range(many(4)))
def test_as_many_as_the_rank(seed: int) -> None:
    robot = random_robot(np.random.default_rng(seed), 5)  # without rotors
    rank = base_parameters_numeric(robot, rotor_inertia=False).count
    assert len(base_parameters(robot).names) == rank < len(INERTIA) * len(robot.moving)
