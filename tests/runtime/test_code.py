"""Assembly written with numbers, variables, arrays and loops does what it reads like."""

from __future__ import annotations

import math

import numpy as np
import pytest
from runtime.written import computed

from robosym.runtime.code import WHOLE


def test_loops_go_up_and_down():
    def write(c, y):
        place = c.variable(0)
        with c.span(2, 5) as i:
            y[place.get()] = i.real()
            place.set(place.get() + 1)
        with c.down(2) as i:
            y[place.get()] = i.real()
            place.set(place.get() + 1)
        with c.span(3, 3):
            y[7] = 9.0
        with c.down(-1):
            y[7] = 9.0

    assert computed(write) == [2, 3, 4, 2, 1, 0, 0, 0]


def test_loops_are_left_and_turns_skipped():
    def write(c, y):
        with c.span(0, 8) as i:
            c.skip_if((i % 2).equals(0))
            c.leave_if(i > 5)
            with c.span(0, 3) as j:  # leaves the inner loop alone
                c.leave_if(j.equals(2))
                y[i] = y[i] + 1.0
        with c.forever():
            c.leave_if(y[0] >= 4.0)
            y[0] = y[0] + 1.0

    assert computed(write) == [4, 2, 0, 2, 0, 2, 0, 0]


def test_branches():
    def write(c, y, x):
        for i in range(3):

            def yes(i=i):
                y[i] = 1.0

            def no(i=i):
                y[i] = 2.0

            c.either(x[i].differs(0.0), yes, no if i != 2 else None)

    assert computed(write, [math.nan, 0.0, 0.0]) == [1, 2, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("number", "whole"),
    [(2.9, 2), (-2.9, -2), (math.nan, 0), (math.inf, 2.0**63), (-math.inf, -(2.0**63)), (1e300, 2.0**63), (-0.0, 0)],
)
def test_whole_numbers(number, whole):
    def write(c, y, x):
        y[0] = x[0].whole().real()
        y[1] = x[0].whole().at_least(0).at_most(3).real()

    assert computed(write, [number])[:2] == [whole, min(max(whole, 0), 3)]


def test_arithmetic_and_comparisons():
    def write(c, y, x):
        a, b = x[0], x[1]
        y[0], y[1], y[2], y[3] = a + b * 2.0, a - b, a / b, (-a).floor()
        y[4] = abs(b).root()
        one, none = c.fixed(1.0), 0.0
        y[5] = ((a < b) & (a <= a) & (b > a) & ~(a >= b)).choose(one, none)
        y[6] = (a.equals(b) | x[2].equals(x[2]) | (x[2] < a) | (x[2] >= a)).choose(one, none)
        y[7] = x[2].differs(x[2]).choose(one, none)

    assert computed(write, [2.5, 4.0, math.nan]) == [10.5, -1.5, 0.625, -3.0, 2.0, 1.0, 0.0, 1.0]


def test_arrays_are_copied_filled_and_looked_at_in_other_ways():
    def write(c, y, x):
        own = c.cells(12)
        c.copy(x, own, 12)
        c.copy(own.after(2), own, 9)  # onto itself
        matrix = own.part(0, 3)
        y[0], y[1] = matrix[1, 2], matrix[c.fixed(2), 0]
        words = own.part(9, kind=WHOLE)
        words[0] = 7
        y[2] = words[c.fixed(0)].real()
        c.fill(y.after(3), 2, -1.0)

    assert computed(write, np.arange(12.0)) == [7, 8, 7, -1, -1, 0, 0, 0]
