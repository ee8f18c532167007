"""Planning as a program: the same phases as the object."""

from __future__ import annotations

import numpy as np
import pytest
from sweeps import many
from trajectory.motions import KA, KJ, KV, ZERO, D, kept, meets

from robosym import codegen, runtime
from robosym.options.errors import ArgumentError
from robosym.trajectory import planner, point_to_point
from robosym.trajectory.pieces import phased, together

PATTERN = np.array([1, 0, -1, 0, -1, 0, 1.0])


@pytest.mark.parametrize(("synchronise", "expected"), [("homothetic", 1.6), ("time", 1.575)])
def test_published_duration(synchronise: str, expected: float) -> None:
    found = planner(6, synchronise).call(distance=D, velocity=KV, acceleration=KA, jerk=KJ)
    assert found["duration"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("synchronise", ["homothetic", "time"])
def test_random_motions_all_at_once(synchronise: str) -> None:
    rng = np.random.default_rng(1)
    count, n = many(2000), 3
    distance = rng.normal(size=(count, n)) * np.exp(2 * rng.normal(size=(count, 1))) * (rng.random((count, n)) < 0.8)
    kv, ka, kj = np.exp(rng.normal(size=(3, count, n)))
    found = runtime.compile_program(planner(n, synchronise))(distance=distance, velocity=kv, acceleration=ka, jerk=kj)
    phases = np.broadcast_to(found["phases"].reshape(count, -1, 7), (count, n, 7))
    np.testing.assert_allclose(phases.sum(axis=2), np.tile(found["duration"][:, None], n), rtol=1e-13)
    for k in range(count):
        limits = {"velocity": kv[k], "acceleration": ka[k], "jerk": kj[k]}
        move = point_to_point(np.zeros(n), distance[k], "jerk-limited", synchronise=synchronise, **limits)
        assert found["duration"][k] == pytest.approx(move.duration, rel=1e-13, abs=1e-300)
        if k % 10 == 0 and move.duration:
            every = [
                phased([0.0] * 3, own, rate * PATTERN) for own, rate in zip(phases[k], found["rate"][k], strict=True)
            ]
            made = together(move.joints, every, "")
            meets(made, [np.zeros(n)] * 3, [distance[k], np.zeros(n), np.zeros(n)])
            kept(made, kv[k], ka[k], kj[k])


def test_nothing_to_do() -> None:
    found = planner(6).call(distance=ZERO, velocity=KV, acceleration=KA, jerk=KJ)
    for value in found.values():
        np.testing.assert_array_equal(value, 0 * value)


def test_every_language_prints_it() -> None:
    for language in codegen.languages():
        assert codegen.source(planner(2), language)


@pytest.mark.parametrize("joints", [0, -1, 2.0, True, 10**6, "6"])
def test_refused(joints: object) -> None:
    with pytest.raises(ArgumentError, match=r"joints: got .*, expected a whole number from 1 to 1000"):
        planner(joints)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="synchronise: got 'none', expected 'homothetic' or 'time'"):
        planner(2, "none")
