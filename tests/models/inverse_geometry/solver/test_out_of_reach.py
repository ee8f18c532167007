"""The distance between an arm and a pose out of its reach, against the distance of known shapes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from models.inverse_geometry.solver.solvers import pose_of, solver_of
from sweeps import some

import robosym
from robosym.models import inverse_geometric, transform
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.solver.forward_geometry import Forward
from robosym.models.inverse_geometry.solver.out_of_reach import missed
from robosym.robot import Robot


@pytest.mark.parametrize(
    ("place", "distance"),
    [((1.5, 0, 0), 0.6), ((0, -2.0, 0), 1.1), ((0.03, 0.04, 0), 0.05), ((0, 0, 0), 0.1), ((0.5, 0.3, 0.2), 0.2)],
)
def test_out_of_reach_by_how_much(place: tuple[float, float, float], distance: float) -> None:
    found = solver_of("planar-2r")(place)
    assert found.status == "out of reach"
    assert found.solutions.shape == (0, 2)
    assert not found
    assert found.distance == pytest.approx(distance, abs=1e-6)
    assert f"{distance:.3g}" in found.message


def test_out_of_reach_of_a_wrist_the_orientation_is_held() -> None:
    """RX-90: the wrist's centre is the frame's origin, reached within D3 + RL4."""
    D3, RL4 = (robosym.load("rx90").values[key].number for key in ("D3", "RL4"))
    T = pose_of("rx90", [0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    T[:3, 3] = [2.0, 1.0, 2.0]
    found = solver_of("rx90")(T)
    assert found.distance == pytest.approx(3 - D3 - RL4, abs=1e-5)
    assert found.angle == 0


@pytest.mark.slow
@pytest.mark.parametrize("unit", some([1e-6, 1.0, 1e6], 2))
def test_out_of_reach_in_any_unit(unit: float) -> None:
    """The axis of the slide stays away from the waist; in general the distance is found from random positions."""
    rows: list[dict[str, Any]] = [
        {"r": 0.4 * unit},
        {"alpha": -math.pi / 2, "r": 0.15 * unit},
        {"alpha": math.pi / 2, "sigma": "prismatic"},
        {},
        {"alpha": -math.pi / 2},
        {"alpha": math.pi / 2, "r": 0.1 * unit},
    ]
    robot = Robot.from_table("slide", rows)
    T = transform(robot).compile()(q=[0.3, 0.5, 0.4 * unit, 0.2, 0.7, -0.4])
    T[:3, 3] = [0.05 * unit, 0.02 * unit, 0.4 * unit]
    for method in ("auto", "general"):
        found = inverse_geometric(robot, method=method)(T)
        assert found.status == "out of reach"
        assert found.distance == pytest.approx(0.1107 * unit, rel=0.03)


def test_an_orientation_no_joint_makes_is_out_of_reach() -> None:
    T = pose_of("scara", [0.3, 0.4, 0.5, 0.1])
    c, s = math.cos(0.2), math.sin(0.2)
    tilted = T @ np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1]])
    found = solver_of("scara")(tilted)
    assert found.status == "out of reach"
    assert found.angle == pytest.approx(0.2, abs=1e-6)
    assert "degrees" in found.message


def test_the_nearest_of_the_branches_or_of_random_positions() -> None:
    """Two links of one metre: a point at three is one metre away, from any branch, and from none."""
    forward = Forward(chain_for(Robot.from_table("two", [{}, {"d": 1.0}, {"d": 1.0, "sigma": "fixed"}])), 3, 0)
    T = np.eye(4)
    T[:3, 3] = [0, 3.0, 0]
    nan = np.full((1, 2), np.nan)
    for branches in (np.array([[0.1, 0.2], [1.2, 0.4]]), np.vstack([nan, [[2.0, -1.0]]]), nan, np.zeros((0, 2))):
        distance, angle = missed(forward, branches, T, slice(3, 4))
        assert distance == pytest.approx(1.0, abs=1e-6)
        assert angle == 0


def test_the_orientation_is_held_before_the_position() -> None:
    """A slide along z and a turn about it: a tilted pose is missed by its tilt, and reached along the slide."""
    rows: list[dict[str, Any]] = [{"sigma": "prismatic"}, {}]
    forward = Forward(chain_for(Robot.from_table("screw", rows)), 2, 0)
    c, s = math.cos(0.3), math.sin(0.3)
    T = np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0.7], [0, 0, 0, 1]])
    distance, angle = missed(forward, np.zeros((0, 2)), T, slice(0, 4))
    assert angle == pytest.approx(0.3, abs=1e-6)
    assert distance == pytest.approx(0, abs=1e-6)
    T[:3, :3] = np.eye(3)
    T[0, 3] = 0.25
    assert missed(forward, np.zeros((0, 2)), T, slice(0, 4)) == (pytest.approx(0.25, abs=1e-6), 0)
    assert missed(forward, np.zeros((0, 2)), T, slice(3, 4)) == (pytest.approx(0.25, abs=1e-6), 0)
