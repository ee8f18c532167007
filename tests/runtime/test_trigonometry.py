"""Our sine and cosine against numbers of sixty digits, in scalar code and in batches, with and without fused products."""

from __future__ import annotations

import ctypes
import math
from dataclasses import replace

import numpy as np
import pytest

from robosym.codegen.targets.c import facts_of
from robosym.expr import cos, sin, variable
from robosym.program import Array, Program
from robosym.runtime import ir
from robosym.runtime.engine import engine
from robosym.runtime.host import host

mpmath = pytest.importorskip("mpmath")

ANGLES = 8
WORST = 2  # units in the last place


def program() -> Program:
    x = tuple(variable(f"x{i}") for i in range(ANGLES))
    outputs = (Array("s", (ANGLES,), tuple(map(sin, x))), Array("c", (ANGLES,), tuple(map(cos, x))))
    return Program("trigonometry", (Array("x", (ANGLES,), x),), (), (), (), outputs)


def computed(x: np.ndarray, lanes: int, fused: bool) -> tuple[np.ndarray, np.ndarray]:
    """Sines and cosines by the function of one state, with so many angles in a vector."""
    described = replace(host(), lanes=lanes, fused=fused and host().fused)
    living = engine(ir.module(facts_of(program()), described))
    pointers = [ctypes.c_void_p] * 3
    run = ctypes.CFUNCTYPE(None, *pointers)(living.address(ir.RUN))
    padded = np.concatenate([x, np.zeros(-len(x) % ANGLES)]).reshape(-1, ANGLES)
    s, c = np.empty_like(padded), np.empty_like(padded)
    for row in range(len(padded)):
        run(*(array[row].ctypes.data for array in (padded, s, c)))
    return s.ravel()[: len(x)], c.ravel()[: len(x)]


def units_off(found: float, exact: object) -> float:
    nearest = float(exact)  # type: ignore[arg-type]
    return abs(float((mpmath.mpf(found) - exact) / math.ulp(nearest)))


def near_multiples() -> list[float]:
    """The doubles on both sides of multiples of pi/4, where digits cancel; among them the worst up to 1e5."""
    multiples = [*range(1, 400), *range(1000, 127_000, 331)]
    found = [float(k * mpmath.pi / 4) for k in multiples]
    return [value for x in found for value in (x, math.nextafter(x, 0), math.nextafter(x, 1e9))]


def hardest() -> list[float]:
    """The doubles up to 1e5 that are nearest to a multiple of pi/2."""
    k = np.arange(1, 63_000)
    half_pi = np.longdouble(mpmath.nstr(mpmath.pi / 2, 40))
    x = (k * half_pi).astype(float)
    rest = np.abs(x - k * half_pi)
    return x[np.argsort(rest)[:300]].tolist()  # type: ignore[no-any-return]


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(("lanes", "fused"), [(1, False), (4, False), (1, True), (4, True), (2, True)])
def test_within_two_units_in_the_last_place(lanes: int, fused: bool) -> None:
    rng = np.random.default_rng(0)
    with mpmath.workdps(60):
        x = np.concatenate(
            [
                rng.uniform(-7, 7, 1500),
                rng.uniform(-1e5, 1e5, 1500),
                10.0 ** rng.uniform(-300, -1, 300),
                near_multiples(),
                hardest(),
                [0.0, -0.0, 1e5, -1e5, 5e-324, math.pi, -math.pi / 2],
            ]
        )
        s, c = computed(x, lanes, fused)
        for angle, sine, cosine in zip(x.tolist(), s.tolist(), c.tolist(), strict=True):
            assert units_off(sine, mpmath.sin(angle)) <= WORST, angle
            assert units_off(cosine, mpmath.cos(angle)) <= WORST, angle


def test_zero_of_either_sign() -> None:
    s, c = computed(np.array([0.0, -0.0]), 4, True)
    assert s.tolist() == [0.0, 0.0]
    assert c.tolist() == [1.0, 1.0]


def test_far_angles_infinities_and_nan_are_the_librarys() -> None:
    x = np.array([1.0000001e5, -2e5, 1e15, 1e22, -1e300, math.inf, -math.inf, math.nan, 0.5])
    for lanes in (1, 4):
        s, c = computed(x, lanes, True)
        np.testing.assert_allclose(
            s, np.where(np.isfinite(x), np.sin(np.where(np.isfinite(x), x, 0)), np.nan), rtol=1e-15
        )
        np.testing.assert_allclose(
            c, np.where(np.isfinite(x), np.cos(np.where(np.isfinite(x), x, 0)), np.nan), rtol=1e-15
        )
