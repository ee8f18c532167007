"""Loops and branches in assembly do what they read like."""

from __future__ import annotations

import numpy as np
import pytest
from runtime.written import executed

from robosym.runtime.assembly import Lanes
from robosym.runtime.loops import Looping


def computed(write, size=8, words=()):
    a = Looping(Lanes())
    write(a)
    made = np.zeros(size)
    executed(a, [made, np.array(words, dtype=np.int64)])
    return made.tolist()


def real(a, whole):
    return a.add(f"sitofp i64 {whole} to double")


@pytest.mark.parametrize(("stop", "step"), [(5, 1), (5, 2), (6, 3), (1, 4), (0, 1), (-2, 1)])
def test_loops(stop, step):
    def write(a):
        with a.loop(str(stop), step) as i:
            a.store(real(a, a.whole("add", i, 1)), a.at("%a0", i))

    expected = np.zeros(8)
    for i in range(0, stop, step):
        expected[i] = i + 1
    assert computed(write) == expected.tolist()


def test_loops_inside_loops():
    def write(a):
        with a.loop("2") as i, a.loop("3") as j:
            a.store(
                real(a, a.whole("add", a.whole("mul", i, 10), j)), a.at("%a0", a.whole("add", a.whole("mul", i, 3), j))
            )

    assert computed(write) == [0, 1, 2, 10, 11, 12, 0, 0]


def test_branches():
    def write(a):
        with a.loop("8") as i:
            with a.when(a.is_equal(a.whole("srem", i, 3), 1)):
                a.store(a.number(1), a.at("%a0", i))
            with a.when(a.is_equal(i, a.smaller("7", "5")), "ret void"):
                a.store(a.number(9), a.at("%a0", i))

    assert computed(write) == [0, 1, 0, 0, 1, 9, 0, 0]


@pytest.mark.parametrize(("a", "b"), [(3, 7), (7, 3), (-2, 1), (4, 4)])
def test_the_smaller_of_two(a, b):
    assert computed(lambda c: c.store(real(c, c.smaller(str(a), str(b))), "%a0"), 1) == [min(a, b)]


def test_fields_of_records_and_addresses():
    def write(a):
        for k in range(3):
            a.store(real(a, a.word("%a1", k)), a.at("%a0", k))
        a.store(real(a, a.add(f"load i64, ptr {a.at('%a1', 2, 'i64')}")), a.at("%a0", 4))

    assert computed(write, words=[5, -6, 7]) == [5, -6, 7, 0, 7, 0, 0, 0]
