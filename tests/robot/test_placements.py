"""Where legs stand: points and geometric entries turned about z, as fixed frames."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from models.reference import dh_matrix
from parallel_robots import shift, turn

from robosym.expr import evaluate, number, parameter, pi
from robosym.robot.entries import Entries
from robosym.robot.parts import GEOMETRY
from robosym.robot.placements import Placement, placed, turned

ZERO = number(0)


def pose(rows: list[dict[str, Any]]) -> np.ndarray:
    T = np.eye(4)
    for row in rows:
        T = T @ dh_matrix(*(float(evaluate([row.get(key, ZERO)], {})[0]) for key in GEOMETRY))
    return T


@pytest.mark.parametrize("point", [(0.3, -0.2, 0.7), (0.3, 0.0, 0.7), (0.0, 0.4, 0.0), (-0.5, 0.0, 0.0)])
@pytest.mark.parametrize("phi", [0.0, 0.8, -2.5])
def test_points_turned_about_z(point: tuple[float, float, float], phi: float) -> None:
    placement = Placement(tuple(map(number, point)))
    expected = turn(2, phi) @ shift(*point)
    np.testing.assert_allclose(pose(turned(placement, number(phi), False)), expected, atol=1e-15)
    found = turned(placement, number(phi), True)
    np.testing.assert_allclose(pose(found)[:3, 3], expected[:3, 3], atol=1e-15)
    assert len(found) <= 1
    assert all(not entry.is_zero for row in found for entry in row.values())


@pytest.mark.parametrize("phi", [0.0, 1.1])
def test_frames_turned_about_z(phi: float) -> None:
    entries = np.random.default_rng(0).uniform(-1, 1, 6)
    placement = Placement(geometry=tuple(map(number, entries.tolist())))
    for point_only in (True, False):
        found = turned(placement, number(phi), point_only)
        np.testing.assert_allclose(pose(found), turn(2, phi) @ dh_matrix(*entries), atol=1e-15)


def test_nothing_moved_needs_no_frame_and_quarter_turns_are_exact() -> None:
    assert turned(Placement(), ZERO, False) == []
    assert turned(Placement(geometry=(ZERO,) * 6), ZERO, False) == []
    x, y = parameter("X"), parameter("Y")
    first, second = turned(Placement((x, y, ZERO)), pi / 3, False)
    assert first == {"gamma": pi / 3, "alpha": -pi / 2, "d": x, "r": y}
    assert second == {"alpha": pi / 2}


def test_one_for_each_leg_or_for_all() -> None:
    entries = Entries(())
    (point,) = set(placed(entries, "base", [1, "Y", 0], 3))
    assert point == Placement((number(1), parameter("Y"), ZERO))
    assert placed(entries, "base", [[1, 0, 0], {"gamma": "A", "r": 2}], 2) == [
        Placement((number(1), ZERO, ZERO)),
        Placement(geometry=(parameter("A"), ZERO, ZERO, ZERO, ZERO, number(2))),
    ]
    assert placed(entries, "base", {"d": 3}, 2) == [Placement(geometry=(ZERO, ZERO, ZERO, number(3), ZERO, ZERO))] * 2
    assert entries.problems == []


@pytest.mark.parametrize(
    ("raw", "where"),
    [
        ([[0, 0, 0]] * 2, "base"),
        ([1, 2], "base"),
        ("here", "base"),
        ([], "base"),
        ([1, "(", 2], "base 2"),
        ([[0, 0, 0], [0, 0], [0, 0, 0]], "base 2"),
        ([[0, 0, 0], [0, 0, 0], {"phi": 1}], "base 3, phi"),
        ({"d": "("}, "base, d"),
    ],
)
def test_what_is_no_placement(raw: Any, where: str) -> None:
    entries = Entries(())
    assert len(placed(entries, "base", raw, 3)) == 3
    assert [problem.where for problem in entries.problems] == [where]
