"""The interpolation functions: the closed forms of Table 8.1, and properties on random limits."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sweeps import many
from trajectory.motions import KA, KJ, KV, PROFILES, ZERO, D, joins, kept, meets

from robosym.options.signatures import options_of
from robosym.trajectory import point_to_point, to_moving_target
from robosym.trajectory.profiles import PROFILES as FORMS
from robosym.trajectory.profiles import Bounds

TABLE = {"linear": 1.0, "cubic": 1.549193338, "quintic": 1.875, "bang-bang": 2.0, "trapeze": 1.4, "continuous": 1.6}
CONTINUOUS = {"linear": 0, "cubic": 1, "quintic": 2, "bang-bang": 1, "trapeze": 1, "continuous": 2, "jerk-limited": 2}


@pytest.mark.parametrize(("profile", "expected"), [*TABLE.items(), ("jerk-limited", 1.6)])
def test_published_durations(profile: str, expected: float) -> None:
    jerk = KJ if profile == "jerk-limited" else None
    move = point_to_point(ZERO, D, profile, velocity=KV, acceleration=KA, jerk=jerk)
    assert move.duration == pytest.approx(expected, abs=1e-9)


def test_phases_of_the_homothetic_trapeze() -> None:
    trapeze = point_to_point(ZERO, D, "trapeze", velocity=KV, acceleration=KA)
    continuous = point_to_point(ZERO, D, "continuous", velocity=KV, acceleration=KA)
    np.testing.assert_allclose(trapeze.times, [0, 0.4, 1.0, 1.4], rtol=0, atol=1e-12)
    np.testing.assert_allclose(continuous.times, [0, 0.6, 1.0, 1.6], rtol=0, atol=1e-12)


def least(profile: str, V: float, A: float) -> float:
    """Table 8.1, and [8.22], [8.35], [8.45], [8.47]."""
    if profile == "trapeze":
        return 1 / V + V / A if V * V <= A else 2 / math.sqrt(A)
    if profile == "continuous":
        return 1 / V + 1.5 * V / A if 1.5 * V * V <= A else 2 / math.sqrt(2 * A / 3)
    return {
        "linear": 1 / V,
        "cubic": max(1.5 / V, math.sqrt(6 / A)),
        "quintic": max(15 / (8 * V), math.sqrt(10 / (math.sqrt(3) * A))),
        "bang-bang": max(2 / V, 2 / math.sqrt(A)),
    }[profile]


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("profile", PROFILES)
def test_least_durations_and_limits_on_random_joints(profile: str) -> None:
    rng = np.random.default_rng(1)
    jerky = profile == "jerk-limited"
    for _ in range(many(250)):
        n = int(rng.integers(1, 5))
        q0, q1 = rng.normal(size=(2, n))
        q1 = np.where(rng.random(n) < 0.2, q0, q1)
        kv, ka, kj = np.exp(rng.normal(size=(3, n)))
        move = point_to_point(q0, q1, profile, velocity=kv, acceleration=ka, jerk=kj if jerky else None)
        meets(move, [q0] if profile == "linear" else [q0, 0 * q0], [q1] if profile == "linear" else [q1, 0 * q0], 1e-12)
        kept(move, kv, None if profile == "linear" else ka, kj if jerky else None)
        joins(move, CONTINUOUS[profile])
        distance = np.abs(q1 - q0)
        if not distance.any():
            assert move.duration == 0
            continue
        with np.errstate(divide="ignore"):
            V, A, J = ((k / distance).min() for k in (kv, ka, kj))
        if jerky:
            assert move.duration >= least("trapeze", V, A) - 1e-12
            unit = FORMS[profile].of(Bounds(V, A, J))
            assert move.duration == pytest.approx(unit.duration, rel=1e-14)
        else:
            assert move.duration == pytest.approx(least(profile, V, A), rel=1e-12)
        way = move(np.linspace(0, move.duration, 7))[0] - q0  # on the line from q0 to q1
        far = int(distance.argmax())
        assert (np.abs(way - way[:, [far]] * (q1 - q0) / (q1 - q0)[far]) <= 1e-12).all()


def test_jerk_of_a_quintic_and_of_continuous_acceleration() -> None:
    for profile in ("quintic", "continuous"):
        rng = np.random.default_rng(2)
        for _ in range(many(60)):
            kv, ka, kj = np.exp(rng.normal(size=3))
            move = point_to_point([0.0], [rng.normal()], profile, velocity=kv, acceleration=ka, jerk=kj)
            kept(move, kv, ka, kj)
            reached = [np.abs(move.ranges(order)).max() / k for order, k in enumerate((kv, ka, kj), 1)]
            assert max(reached) == pytest.approx(1, abs=1e-9)  # and cannot be faster in this form


def test_profiles_declare_themselves() -> None:
    """The functions that take a profile, and their docstrings, know all names."""
    assert tuple(FORMS) == PROFILES
    for name, form in FORMS.items():
        assert form.name == name
        assert form.meaning.endswith(".")
    for function in (point_to_point, to_moving_target):
        option = options_of(function)["profile"]
        assert option.words == list(FORMS)
        assert [name for name in FORMS if f'"{name}"' not in option.meaning] == []
