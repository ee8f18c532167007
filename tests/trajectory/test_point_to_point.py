"""From point to point as a person asks for it: limits, durations, names, and what is refused."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from trajectory.motions import KA, KJ, KV, PROFILES, SHORT, V0, VF, ZERO, D, kept, meets

import robosym
from robosym.errors import RobosymError
from robosym.robot import Frame, Joint, Limits, Robot
from robosym.trajectory import TrajectoryError, point_to_point

LIMITS: dict[str, Any] = {"velocity": KV, "acceleration": KA, "jerk": KJ}


@pytest.mark.parametrize(
    ("distance", "profile", "ends", "expected"),
    [
        (D, "jerk-limited", {}, 1.575),
        (D, "trapeze", {}, 1.375),
        (D, "continuous", {}, 1.5625),
        (SHORT, "jerk-limited", {}, 0.683990379),
        (SHORT, "trapeze", {}, 0.447213595),
        (D, "jerk-limited", {"v0": V0, "vf": VF}, 1.515),
        (D, "trapeze", {"v0": V0, "vf": VF}, 1.328333333),
    ],
)
def test_published_durations_in_time(distance: Any, profile: str, ends: Any, expected: float) -> None:
    given = LIMITS if profile == "jerk-limited" else {**LIMITS, "jerk": None}
    move = point_to_point(ZERO, distance, profile, synchronise="time", **given, **ends)
    assert move.duration == pytest.approx(expected, abs=1e-9)
    meets(move, [ZERO, ends.get("v0", ZERO)], [distance, ends.get("vf", ZERO)])
    kept(move, KV, KA, KJ if profile == "jerk-limited" else None)


def test_none_lets_each_joint_be_as_fast_as_it_can() -> None:
    move = point_to_point(ZERO, SHORT, "trapeze", velocity=KV, acceleration=KA, synchronise="none")
    assert move.duration == pytest.approx(0.447213595, abs=1e-9)
    alone = 2 * math.sqrt(0.05 / 3)
    q, qd, _ = move(np.array([alone - 1e-3, alone]))
    assert q[0, 0] < 0.05 - 1e-9
    assert (q[1, 0], qd[1, 0]) == (pytest.approx(0.05, abs=1e-12), pytest.approx(0, abs=1e-12))


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("synchronise", ["homothetic", "time", "phase"])
def test_a_given_duration(profile: str, synchronise: str) -> None:
    move = point_to_point(ZERO, D, profile, duration=3.0, synchronise=synchronise, **LIMITS)
    assert move.duration == 3.0
    meets(move, [ZERO], [D])
    kept(move, KV, None if profile == "linear" else KA)
    with pytest.raises(TrajectoryError, match=r"duration: 0.5 s are too short for q\d: a .* takes [\d.]+ s at least"):
        point_to_point(ZERO, D, profile, duration=0.5, synchronise=synchronise, **LIMITS)
    least = point_to_point(ZERO, D, profile, synchronise=synchronise, **LIMITS).duration
    assert point_to_point(ZERO, D, profile, synchronise=synchronise, duration=least, **LIMITS).duration == least


@pytest.mark.parametrize("profile", ["linear", "cubic", "quintic", "bang-bang"])
def test_a_duration_instead_of_limits(profile: str) -> None:
    move = point_to_point([0, 1], [1, 1], profile, duration=2)
    assert move.duration == 2
    np.testing.assert_allclose(move.end, [1, 1], rtol=0, atol=1e-15)


def test_a_duration_with_states_at_the_ends_and_no_limits() -> None:
    move = point_to_point([0, 1], [1, 1], "quintic", duration=2, v0=[1, 0], af=[0, 3])
    meets(move, [[0, 1], [1, 0], [0, 0]], [[1, 1], [0, 0], [0, 3]])


@pytest.mark.parametrize("profile", PROFILES)
def test_nothing_to_do(profile: str) -> None:
    still = point_to_point([1, 2], [1, 2], profile)  # which needs no limits
    assert still.duration == 0
    np.testing.assert_array_equal(still(0.3)[0], [1, 2])
    assert point_to_point([1, 2], [1, 2], profile, duration=2).duration == 2


def arm() -> Robot:
    one, two = Limits(-2, 2, 1.5, None, 3.0, 15.0), Limits(None, None, 1.2, None, None, 10.0)
    joints = [Joint(name, robosym.expr.variable(name), limits=k) for name, k in (("a", one), ("b", two))]
    frames = [Frame(f"f{j}", j - 1, joint, theta=joint.variable) for j, joint in enumerate(joints, 1)]
    return Robot("arm", tuple(frames))


def test_limits_of_the_description() -> None:
    move = point_to_point({"b": 0, "a": 0}, {"a": 1.2, "b": 0}, "jerk-limited", robot=arm())
    assert move.joints == ("a", "b")
    kept(move, 1.5, 3, 15)
    assert np.abs(move.ranges(2)).max() == pytest.approx(3)
    given = point_to_point([0, 0], [1.2, 1.2], "trapeze", robot=arm(), acceleration={"b": 2.0})
    kept(given, [1.5, 1.2], [3, 2])


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("profile", {"profile": "trapez"}, "'jerk-limited' (did you mean 'trapeze'?)"),
    ("joints", {"qf": [1]}, "q0 has 2 joints and qf 1"),
    ("nan", {"q0": [0, math.nan]}, "q0: holds numbers that are not finite"),
    ("text", {"q0": ["a", "b"]}, "q0: expected real numbers"),
    ("complex", {"q0": [1j, 0]}, "q0: expected real numbers"),
    ("matrix", {"q0": [[0, 1]]}, "q0: expected a number for each joint, got the shape (1, 2)"),
    ("nothing", {"q0": [], "qf": []}, "q0: expected a number for each joint"),
    ("no limits", {"velocity": None}, "needs a limit of velocity (rad/s or m/s), and there is none for joints q1, q2"),
    ("limit of one", {"velocity": {"q1": 1}}, "there is none for joint q2"),
    ("zero limit", {"velocity": [1, 0]}, "velocity: 'q2' has the limit 0, expected a number above zero"),
    ("nan limit", {"acceleration": math.nan}, "acceleration: 'q1' has the limit nan"),
    ("limits", {"velocity": [1, 1, 1]}, "velocity: expected one limit, or 2, got the shape (3,)"),
    ("limit name", {"velocity": {"elbow": 1}}, "velocity: there is no joint 'elbow' (joints: q1, q2)"),
    ("duration", {"duration": -1}, "duration: got -1, expected a number above 0"),
    ("endless", {"duration": math.inf}, "duration: got inf"),
    ("word", {"duration": "2"}, "duration: got '2', expected a number above 0"),
    (
        "synchronise",
        {"synchronise": "all"},
        "synchronise: got 'all', expected 'homothetic', 'time', 'phase', 'none' or None",
    ),
    ("none", {"synchronise": "none", "duration": 9}, "joints that are not synchronised have each their own"),
    (
        "linear v0",
        {"profile": "linear", "v0": [1, 0]},
        "v0, vf: a linear motion has no velocity at its ends; those that",
    ),
    ("trapeze a0", {"profile": "trapeze", "a0": [1, 0]}, "a0, af: a trapeze motion has no acceleration at its ends"),
    ("v0", {"v0": [1, 2, 3]}, "v0: expected 2 numbers, got the shape (3,)"),
    ("jerk", {"profile": "jerk-limited"}, "needs a limit of jerk"),
    ("names", {"joints": ["a", "a"]}, "joints: a name is there twice"),
    ("too many names", {"joints": ["a"]}, "expected 1 positions, one for each joint, got 2"),
    ("by name", {"q0": {"a": 1}}, "q0: positions by name need joints= or robot="),
    ("missing", {"q0": {"a": 1}, "joints": ["a", "b"]}, "q0: no number for b"),
    ("outside", {"robot": arm(), "qf": [3, 0]}, "qf: 'a' is at 3, outside its limits from -2 to 2"),
    ("other robot", {"robot": arm(), "q0": [0], "qf": [1]}, "expected 2 positions, one for each joint of arm, got 1"),
    ("too fast", {"profile": "trapeze", "v0": [1.2, 0]}, "v0: q1 has 1.2 and the limit 1"),
    (
        "no way",
        {"profile": "jerk-limited", "jerk": 1, "v0": [0.9, 0], "a0": [0.9, 0]},
        "q1 cannot keep its limit of velocity, 1, after v0 and a0",
    ),
    (
        "not on a line",
        {"profile": "trapeze", "v0": [0.5, 0], "synchronise": "phase"},
        "the joints cannot move in step: v0 of q",
    ),
    ("not together", {"profile": "trapeze", "vf": [0.5, 0], "synchronise": "none"}, "must end at the same time"),
]


@pytest.mark.parametrize(("changes", "message"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_refused(changes: dict[str, Any], message: str) -> None:
    given = {"q0": [0, 0], "qf": [1, -1], "velocity": 1.0, "acceleration": 2.0, **changes}
    with pytest.raises(RobosymError, match=re.escape(message)):
        point_to_point(given.pop("q0"), given.pop("qf"), **given)


def test_a_free_base_is_refused() -> None:
    robot = arm().replace(base=robosym.robot.Base(floating=True))
    with pytest.raises(TrajectoryError, match="the base is free"):
        point_to_point([0, 0], [1, 1], robot=robot, duration=1)
