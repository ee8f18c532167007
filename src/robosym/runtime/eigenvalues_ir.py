"""The eigenvalues of a matrix as assembly: reflections to Hessenberg form, then QR with double shifts.

The steps are those of ``codegen/targets/c/kernels/eigenvalues.template``. Eigenvalues that are not found after many turns
are given as (0, inf), and so are all of a matrix that is not finite.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from .code import Cells, Code, Number, Variable

SMALL = 2.2e-16  # beside one
MOST_TURNS = 90  # for one or two eigenvalues
UNUSUAL = 10  # every so many turns a shift out of the ordinary, should the ordinary ones go round in circles


def eigenvalues(c: Code, n: int, A: Cells, h: Cells, v: Cells, roots: Cells) -> None:
    """The instructions that fill ``roots`` (n, 2), with room for a matrix and a vector."""
    c.copy(A, h, n * n)
    given = _sum(c, 0, n * n, lambda i: abs(A[i]))  # of all entries: those below the form are not looked at again
    _to_hessenberg(c, h, v, n)
    norm = c.variable(given * 0.0)
    with c.span(0, n) as i:
        roots[i, 0], roots[i, 1] = 0.0, math.inf
        with c.span((i - 1).at_least(0), n) as j:
            norm.set(norm.get() + abs(h[i, j]))
    last, turn = c.variable((norm.get() < math.inf).choose(c.fixed(n - 1), -1)), c.variable(0)
    with c.forever():
        c.leave_if(last.get() < 0)
        low = _beginning(c, h, last.get(), norm.get())
        left = last.get() - low
        c.either(left < 2, lambda: _found(c, h, roots, left, last, turn), lambda: _go_on(c, h, low, last, turn, n))


def _sum(c: Code, start: Number | int, stop: Number | int, term: Callable[[Number], Number]) -> Number:
    """Of the terms of all i."""
    total = c.variable(0.0)
    with c.span(start, stop) as i:
        total.set(total.get() + term(i))
    return total.get()


def _to_hessenberg(c: Code, h: Cells, v: Cells, n: int) -> None:
    with c.span(0, n - 2) as k:
        first = k + 1
        size = _sum(c, first, n, lambda i: abs(h[i, k]))
        c.skip_if(~(size > 0.0))
        with c.span(first, n) as i:
            v[i] = h[i, k] / size
        length = _sum(c, first, n, lambda i: v[i] * v[i]).root()
        v[first] = v[first] + (v[first] >= 0.0).choose(length, -length)
        factor = c.fixed(2.0) / _sum(c, first, n, lambda i: v[i] * v[i])
        with c.span(k, n) as j:
            s = _sum(c, first, n, lambda i: v[i] * h[i, j]) * factor
            with c.span(first, n) as i:
                h[i, j] = h[i, j] - s * v[i]
        with c.span(0, n) as i:
            s = _sum(c, first, n, lambda j: v[j] * h[i, j]) * factor
            with c.span(first, n) as j:
                h[i, j] = h[i, j] - s * v[j]
        with c.span(k + 2, n) as i:
            h[i, k] = 0.0


def _beginning(c: Code, h: Cells, last: Number, norm: Number) -> Number:
    """Where the block begins that ends with ``last``: the entry below the diagonal before it is nothing."""
    low = c.variable(last)
    with c.forever():
        i = low.get()
        c.leave_if(i < 1)
        near = abs(h[i - 1, i - 1]) + abs(h[i, i])
        near = (near > 0.0).choose(near, norm)
        nothing = abs(h[i, i - 1]) <= near * SMALL
        with c.when(nothing.text):
            h[i, i - 1] = 0.0
        c.leave_if(nothing)
        low.set(i - 1)
    return low.get()


def _found(c: Code, h: Cells, roots: Cells, left: Number, last: Variable, turn: Variable) -> None:
    """A block of one or two rows."""
    end = last.get()

    def one() -> None:
        roots[end, 0], roots[end, 1] = h[end, end], 0.0

    def two() -> None:
        x, y, w = _corner(h, end)
        p = (y - x) * 0.5
        q = p * p + w
        z = abs(q).root()
        real = q >= 0.0
        far = (p >= 0.0).choose(p + z, p - z)
        other = far.differs(0.0).choose(x - w / far, x)
        roots[end - 1, 0], roots[end, 0] = real.choose(x + far, x + p), real.choose(other, x + p)
        roots[end - 1, 1], roots[end, 1] = real.choose(c.fixed(0.0), z), real.choose(c.fixed(0.0), -z)

    c.either(left < 1, one, two)
    last.set(end - left - 1)
    turn.set(0)


def _corner(h: Cells, end: Number) -> tuple[Number, Number, Number]:
    """The last two entries of the diagonal, and the product of those beside it."""
    return h[end, end], h[end - 1, end - 1], h[end, end - 1] * h[end - 1, end]


def _go_on(c: Code, h: Cells, low: Number, last: Variable, turn: Variable, n: int) -> None:
    """One turn, or no more of them."""

    def give_up() -> None:
        last.set(last.get() - 1)
        turn.set(0)

    def step() -> None:
        turn.set(turn.get() + 1)
        _double_step(c, h, low, last.get(), turn.get(), n)

    c.either(turn.get() >= MOST_TURNS, give_up, step)


def _double_step(c: Code, h: Cells, low: Number, last: Number, turn: Number, n: int) -> None:
    """A QR step with two shifts: the bulge is chased down by reflections of two or three rows."""
    x, y, w = _corner(h, last)
    unusual = (turn % UNUSUAL).equals(0)
    off = abs(h[last, last - 1]) + abs(h[last - 1, last - 2])
    total = unusual.choose(off * 1.5 + x * 2.0, x + y)
    product = unusual.choose(off * off + off * x * 1.5 + x * x, x * y - w)
    first, second = h[low, low], h[low + 1, low]
    start = (
        first * first + h[low, low + 1] * second - total * first + product,
        second * (first + h[low + 1, low + 1] - total),
        second * h[low + 2, low + 1],
    )
    v = c.cells(3)
    with c.span(low, last) as k:
        rows = (k + 2 <= last).choose(c.fixed(3), 2)
        begins = k.equals(low)
        for row in range(3):
            inside = k + row <= last
            entry = begins.choose(start[row], h[inside.choose(k + row, 0), (k - 1).at_least(0)])
            v[row] = inside.choose(entry, 0.0)
        size = abs(v[0]) + abs(v[1]) + abs(v[2])
        c.skip_if(~(size > 0.0))
        for row in range(3):
            v[row] = v[row] / size
        length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).root()
        turned = (v[0] >= 0.0).choose(-length, length)
        v[0] = v[0] - turned
        factor = c.fixed(2.0) / (v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
        with c.when((~begins).text):
            h[k, k - 1] = turned * size
            with c.span(1, rows) as i:
                h[k + i, k - 1] = 0.0
        with c.span(k, n) as j:
            s = _sum(c, 0, rows, lambda i: v[i] * h[k + i, j]) * factor
            with c.span(0, rows) as i:
                h[k + i, j] = h[k + i, j] - s * v[i]
        with c.span(0, (k + 3).at_most(last) + 1) as i:
            s = _sum(c, 0, rows, lambda j: v[j] * h[i, k + j]) * factor
            with c.span(0, rows) as j:
                h[i, k + j] = h[i, k + j] - s * v[j]
