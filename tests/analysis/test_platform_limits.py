"""Limits of leg joints, whole turns apart, and the box that the legs can reach."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import robosym
from robosym.analysis import PlatformMotion
from robosym.analysis.platform_limits import LegRanges, leg_ranges, reach_box
from robosym.robot import RobotError

INF = math.inf


@cache
def motion(name: str) -> PlatformMotion:
    return PlatformMotion(robosym.load(name))


def test_angles_are_counted_from_their_limit_on() -> None:
    """By whole turns; slides and free joints stay as they are."""
    lower, upper = np.array([3.0, -INF, 3.0, -INF]), np.array([4.0, -3.0, 4.0, INF])
    ranges = LegRanges(("a", "b", "c", "d"), lower, upper, np.array([True, True, False, True]))
    x = np.array([[-2.5, 2.5, -2.5, 9.0], [3.0, -3.0, 3.0, 0.0], [2.9, -2.9, 2.9, 0.0]])
    turn = 2 * math.pi
    expected = [[-2.5 + turn, 2.5 - turn, -2.5, 9.0], [3.0, -3.0, 3.0, 0.0], [2.9 + turn, -2.9 - turn, 2.9, 0.0]]
    before = x.copy()
    np.testing.assert_allclose(ranges.wrapped(x), expected, atol=1e-12)
    np.testing.assert_array_equal(x, before)
    assert ranges.within(x).tolist() == [[True, True, False, True], [True] * 4, [False, True, False, True]]
    slight = np.array([[3.0 - 1e-10, -3.0 + 1e-10, 4.0 + 1e-10, 0.0]])
    assert ranges.within(slight).all()
    assert not ranges.within(np.array([[4.0 + 1e-6, 0.0, 4.0 + 1e-6, 0.0]]))[0, [0, 2]].any()
    assert ranges.as_dict() == {"a": [3.0, 4.0], "b": [None, -3.0], "c": [3.0, 4.0]}


def test_limits_given_before_those_described() -> None:
    """By the name of a joint before the name without that of the leg."""
    own = motion("orthoglide")
    found = leg_ranges(own)
    k = found.names.index("leg2_motor")
    assert (found.lower[k], found.upper[k]) == (0.2, 0.52)
    given = leg_ranges(own, {"motor": (0.1, 0.3), "leg3_motor": (0.0, 0.4)})
    places = [given.names.index(f"leg{i}_motor") for i in (1, 2, 3)]
    assert given.lower[places].tolist() == [0.1, 0.1, 0.0]
    assert given.upper[places].tolist() == [0.3, 0.3, 0.4]
    others = [i for i in range(len(given.names)) if i not in places]
    np.testing.assert_array_equal(given.lower[others], found.lower[others])
    assert np.isneginf(leg_ranges(motion("planar-3rrr")).lower).all()


@pytest.mark.parametrize(
    ("limits", "word"),
    [
        (3, "limits: got 3"),
        ({"knee": (0, 1)}, "there is no leg joint 'knee'"),
        ({"motor": (1, 0)}, "'motor': expected finite lower <= upper"),
        ({"motor": (0, INF)}, "'motor': expected finite lower <= upper"),
        ({"motor": 3}, "'motor': expected finite"),
    ],
)
def test_what_is_no_limit(limits: Any, word: str) -> None:
    with pytest.raises(RobotError, match=word):
        leg_ranges(motion("orthoglide"), limits)


def test_the_box_of_a_planar_platform() -> None:
    """Each seat is within 0.6 m of its foot on a circle of 0.5 m, the seats are 0.1 m from the centre."""
    own = motion("planar-3rrr")
    ranges = leg_ranges(own)
    angles = 2 * np.pi * np.arange(3) / 3
    feet = 0.5 * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    low, high = reach_box(own, ranges, np.eye(3)[None])
    centres = feet * (0.5 - 0.1) / 0.5
    np.testing.assert_allclose(low[:2], (centres - 0.6).max(axis=0)[:2], atol=1e-9)
    np.testing.assert_allclose(high[:2], (centres + 0.6).min(axis=0)[:2], atol=1e-9)
    turned = Rotation.from_rotvec([[0, 0, 0], [0, 0, 0.7]]).as_matrix()
    seats = 0.1 * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    both = np.array([feet - seats @ R.T for R in turned])  # orientations, legs, 3
    low, high = reach_box(own, ranges, turned)
    np.testing.assert_allclose(low[:2], (both.min(axis=0) - 0.6).max(axis=0)[:2], atol=1e-9)
    np.testing.assert_allclose(high[:2], (both.max(axis=0) + 0.6).min(axis=0)[:2], atol=1e-9)
    low, high = reach_box(own, ranges, None)
    np.testing.assert_allclose(low[:2], (feet - 0.7).max(axis=0)[:2], atol=1e-9)
    np.testing.assert_allclose(high[:2], (feet + 0.7).min(axis=0)[:2], atol=1e-9)


def test_slides_need_limits_and_count_with_the_farther_one() -> None:
    own = motion("gough-stewart")
    with pytest.raises(RobotError, match=r"the prismatic joint .* has no limits: .*'length' is the name for all legs"):
        reach_box(own, leg_ranges(own), None)
    low, high = reach_box(own, leg_ranges(own, {"length": (1.0, 1.5)}), np.eye(3)[None])
    wide = reach_box(own, leg_ranges(own, {"length": (-1.75, 1.5)}), np.eye(3)[None])
    np.testing.assert_allclose(wide[0], low - 0.25, atol=1e-12)
    np.testing.assert_allclose(wide[1], high + 0.25, atol=1e-12)
    home = own.home.T[:3, 3]
    assert (low < home).all()
    assert (home < high).all()
