"""Motions: their derivatives, the rest they begin and end in, bounds at all times, and the same in C."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from sweeps import many

from robosym import RobosymError
from robosym.identification.excitation import FourierMotion, Motion, SplineMotion, as_c, as_csv
from robosym.identification.excitation.families import Family, FourierFamily, SplineFamily

FAMILIES = [
    FourierFamily(anchored, harmonics, rest)
    for anchored in (False, True)
    for harmonics, rest in ((2, True), (5, True), (3, False))
] + [SplineFamily(anchored, segments) for anchored in (False, True) for segments in (3, 10)]


def a_motion(family: Family, seed: int = 0, duration: float = 3.7) -> Motion:
    random = np.random.default_rng(seed)
    centre = random.normal(size=3)
    return family.motion(("a", "b", "c"), duration, centre, family.draw(random, 3))


@pytest.mark.parametrize("family", FAMILIES)
def test_derivatives_are_those_of_differences(family: Family) -> None:
    motion = a_motion(family)
    t = np.linspace(0.1, 3.5, 101)
    h = 1e-5
    q, qd, qdd = motion(t)
    assert q.shape == (101, 3)
    np.testing.assert_allclose((motion(t + h)[0] - motion(t - h)[0]) / (2 * h), qd, atol=1e-6)
    np.testing.assert_allclose((motion(t + h)[1] - motion(t - h)[1]) / (2 * h), qdd, atol=1e-5)
    for order in (2, 3):
        change = (motion.derivative(t + h, order) - motion.derivative(t - h, order)) / (2 * h)
        if order == 2 or isinstance(motion, FourierMotion):
            np.testing.assert_allclose(change, motion.derivative(t, order + 1), rtol=1e-5, atol=1e-2)


@pytest.mark.parametrize("family", FAMILIES)
def test_shapes_are_those_of_the_motion(family: Family) -> None:
    random = np.random.default_rng(1)
    coefficients, centre = family.draw(random, 3), random.normal(size=3)
    motion = family.motion(("a", "b", "c"), 2.0, centre, coefficients)
    s = np.linspace(0, 1, 57)
    for order in range(3):
        made = family.shapes(s, order) @ coefficients.T / 2.0**order + (centre if order == 0 else 0)
        np.testing.assert_allclose(made, motion.derivative(2 * s, order), atol=1e-10)
    if family.anchored:
        np.testing.assert_allclose(motion.start, centre, atol=1e-13)
    else:
        fine = motion(np.linspace(0, 2, 20001))[0]
        np.testing.assert_allclose((fine[1:] + fine[:-1]).mean(axis=0) / 2, centre, atol=1e-6)


@pytest.mark.parametrize("family", FAMILIES)
def test_rest_at_both_ends(family: Family) -> None:
    motion = a_motion(family)
    resting = not isinstance(family, FourierFamily) or family.rest
    for t in (0.0, motion.duration):
        _, qd, qdd = motion(t)
        assert (np.abs(qd).max() < 1e-11) == resting
        assert (np.abs(qdd).max() < 1e-10) == resting


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("seed", range(many(2)))
@pytest.mark.parametrize("family", FAMILIES)
def test_ranges_hold_everywhere_and_are_tight(family: Family, seed: int) -> None:
    motion = a_motion(family, seed)
    t = np.random.default_rng(seed).uniform(0, motion.duration, 50_000)
    for order in range(3):
        low, high = motion.ranges(order)
        found = motion.derivative(t, order)
        assert (found >= low).all()
        assert (found <= high).all()
        assert (high - found.max(axis=0) < 1e-3 * (high - low)).all()
        assert (np.abs(motion.derivative(t, order + 1)) <= motion.bound(order + 1) + 1e-9).all()


def test_scaled_about_positions() -> None:
    for family in FAMILIES:
        motion = a_motion(family)
        about = np.array([0.3, -1.0, 2.0])
        smaller = motion.scaled([0.5, 1.0, 0.1], about)
        t = np.linspace(0, 3, 11)
        np.testing.assert_allclose(smaller(t)[0], about + (motion(t)[0] - about) * [0.5, 1.0, 0.1], atol=1e-12)
        np.testing.assert_allclose(smaller(t)[2], motion(t)[2] * [0.5, 1.0, 0.1], atol=1e-10)


def test_after_its_end() -> None:
    series, spline = a_motion(FAMILIES[0]), a_motion(FAMILIES[-1])
    np.testing.assert_allclose(series(4.7)[0], series(1.0)[0], atol=1e-12)
    np.testing.assert_array_equal(spline(9.0)[0], spline(spline.duration)[0])
    assert not spline(9.0)[1].any()
    with pytest.raises(RobosymError, match="repeats: a spline ends elsewhere"):
        spline.sampled(100, repeats=2)
    with pytest.raises(RobosymError, match="rate: got 0"):
        spline.sampled(0)


def test_samples_and_csv() -> None:
    motion = a_motion(FAMILIES[1])
    made = motion.sampled(10, repeats=2)
    assert made.time[-1] == pytest.approx(7.4)
    lines = as_csv(motion, 10, 2).splitlines()
    assert lines[0] == "t,q.a,q.b,q.c,qd.a,qd.b,qd.c,qdd.a,qdd.b,qdd.c"
    table = np.array([[float(x) for x in line.split(",")] for line in lines[1:]])
    np.testing.assert_array_equal(table, np.column_stack([made.time, made.q, made.qd, made.qdd]))


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")
@pytest.mark.parametrize("family", FAMILIES)
def test_c_gives_the_same(family: Family, tmp_path: Path) -> None:
    motion = a_motion(family)
    source, library = tmp_path / "motion.c", tmp_path / "motion.so"
    source.write_text(as_c(motion))
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
    subprocess.run(["gcc", *strict, "-shared", "-fPIC", source, "-o", library, "-lm"], check=True)
    function = ctypes.CDLL(str(library)).motion
    buffers = [(ctypes.c_double * 3)() for _ in range(3)]
    for t in (-1.0, 0.0, 0.4, 1.85, 3.699999, 3.7, 5.0):
        function(ctypes.c_double(t), *buffers)
        for mine, theirs in zip(buffers, motion(t), strict=True):
            np.testing.assert_allclose(list(mine), theirs, atol=1e-10)


def test_a_name_that_c_does_not_have() -> None:
    with pytest.raises(RobosymError, match="expected a name of C"):
        as_c(a_motion(FAMILIES[0]), "no name")
    hostile = FourierMotion(("*/ int x; /*",), 1.0, np.zeros(1), np.zeros((1, 2)), np.zeros((1, 2)))
    assert "*/ int" not in as_c(hostile)


def test_a_spline_within_its_control_points() -> None:
    control = np.random.default_rng(0).normal(size=(2, 12))
    motion = SplineMotion(("a", "b"), 2.0, control)
    found = motion(np.linspace(0, 2, 999))[0]
    assert (found <= control.max(axis=1)).all()
    assert (found >= control.min(axis=1)).all()
