"""Linear systems in the lanes of vectors: the steps of the kernel ``solve`` (``kernels_ir``), rows changing places in the lanes
that need it, so that each lane gets the numbers of one state alone."""

from __future__ import annotations

import math

from .assembly import Lanes, function
from .code import Number
from .lanes_places import Alive, LaneCode, Wide, copy, fill

Index = Number | int


def solve_name(n: int, k: int) -> str:
    return f"lanes_solve_{n}_{k}"


def solve_definition(n: int, k: int, lanes: Lanes) -> str:
    """``void lanes_solve(A, B, X, work)``, all by vectors: A (n, n), B and X (n, k), and n n numbers to work in."""
    c = LaneCode(lanes)
    A, B, X, a = (Wide(c, pointer) for pointer in ("%a", "%b", "%x", "%work"))
    _solve(c, n, k, A, B, _Rows(X, k), _Rows(a, n))
    taken = "ptr %a, ptr %b, ptr noalias %x, ptr noalias %work"
    return function(f"internal void @{solve_name(n, k)}({taken}) noinline nounwind optsize", c, "ret void")


class _Rows:
    """A matrix by rows; entries are vectors."""

    def __init__(self, flat: Wide, columns: int) -> None:
        self.flat, self.columns = flat, columns

    def __getitem__(self, place: tuple[Number, Number]) -> str:
        return self.flat.entry(place[0] * self.columns + place[1])

    def __setitem__(self, place: tuple[Number, Number], value: str) -> None:
        self.flat.put(place[0] * self.columns + place[1], value)


def _solve(c: LaneCode, n: int, k: int, A: Wide, B: Wide, X: _Rows, a: _Rows) -> None:
    """By elimination, the largest entry of a column as pivot; zeros where A is singular, or A or X not finite."""
    copy(c, A, a.flat, n * n)
    copy(c, B, X.flat, n * k)
    regular = Alive(c, None)
    with c.span(0, n) as column:
        pivot, largest = _largest_below(c, a, column, n)
        regular.narrow(c.compare("ogt", largest, c.number(0)))
        with c.span(column + 1, n) as i:
            here = c.add(f"icmp eq {c.wholes} {pivot}, {c.spread(i)}")
            with c.when(c.some(here).text):
                _swap_rows(c, here, a, column, i)
                _swap_rows(c, here, X, column, i)
        diagonal = a[column, column]
        with c.span(column + 1, n) as i:
            factor = c.over(a[i, column], diagonal)
            with c.span(column + 1, n) as j:
                a[i, j] = c.minus(a[i, j], c.times(factor, a[column, j]))
            with c.span(0, k) as j:
                X[i, j] = c.minus(X[i, j], c.times(factor, X[column, j]))
    with c.down(n - 1) as row, c.span(0, k) as j:
        total = c.room(c.lanes.real)
        c.store(X[row, j], total)
        with c.span(row + 1, n) as i:
            c.store(c.minus(c.load(total), c.times(a[row, i], X[i, j])), total)
        X[row, j] = found = c.over(c.load(total), a[row, row])
        regular.narrow(_is_finite(c, found))
    with c.span(0, n * n) as i:
        regular.narrow(_is_finite(c, A.entry(i)))
    fill(c, X.flat, n * k, 0.0, c.untrue(regular.get()))


def _is_finite(c: LaneCode, vector: str) -> str:
    return c.compare("olt", c.own("fabs", vector), c.number(math.inf))


def _largest_below(c: LaneCode, a: _Rows, column: Number, n: int) -> tuple[str, str]:
    """In each lane the row of the largest entry of a column, from the diagonal on, and how large it is."""
    pivot, largest = c.room(c.wholes), c.room(c.lanes.real)
    c.line(f"store {c.wholes} {c.spread(column)}, ptr {pivot}, align 8")
    c.store(c.own("fabs", a[column, column]), largest)
    with c.span(column + 1, n) as i:
        size, before = c.own("fabs", a[i, column]), c.load(largest)
        larger = c.compare("ogt", size, before)
        c.store(c.choose(larger, size, before), largest)
        place = c.add(f"load {c.wholes}, ptr {pivot}, align 8")
        place = c.add(f"select {c.truths} {larger}, {c.wholes} {c.spread(i)}, {c.wholes} {place}")
        c.line(f"store {c.wholes} {place}, ptr {pivot}, align 8")
    return c.add(f"load {c.wholes}, ptr {pivot}, align 8"), c.load(largest)


def _swap_rows(c: LaneCode, mask: str, a: _Rows, one: Number, other: Number) -> None:
    with c.span(0, a.columns) as j:
        first, second = a[one, j], a[other, j]
        a[one, j], a[other, j] = c.choose(mask, second, first), c.choose(mask, first, second)
