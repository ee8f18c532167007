"""The kernels of ``program/kernels.py`` as assembly: a function of the addresses of inputs and outputs for each size.

They take the same steps as the kernels of generated C (``codegen/targets/c/kernels``), so that both give the same answers.
Their loops are not unrolled (``optsize``): that would take longer to compile and run no faster.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from ..program.kernels import Shape
from .assembly import function
from .code import WHOLE, Cells, Code, Number
from .eigenvalues_ir import eigenvalues

SMALL = 2.2e-16  # beside one
FAR = 1e200


def kernel_name(name: str, shapes: Sequence[Shape]) -> str:
    """The name of the function for inputs of these shapes."""
    return "_".join([f"kernel_{name}", *("x".join(map(str, shape)) or "0" for shape in shapes)])


def kernel_workspace(name: str, shapes: Sequence[Shape]) -> int:
    """How many words of memory it works in, beside its inputs and outputs."""
    n = shapes[0][0]
    return n if name == "sort" else n * n if name == "solve" else n * n + n


def kernel_definition(name: str, shapes: Sequence[Shape], outputs: int) -> str:
    """The assembly of the function: of the addresses of inputs, outputs and its workspace."""
    taken = ", ".join(f"ptr %a{i}" for i in range(len(shapes) + outputs))
    code = Code()
    cells = [Cells(code, f"%a{i}") for i in range(len(shapes) + outputs)]
    _KERNELS[name](code, shapes, Cells(code, "%work"), *cells)
    head = f"internal void @{kernel_name(name, shapes)}({taken}, ptr noalias %work) noinline nounwind optsize"
    return function(head, code, "ret void")


# --- linear systems --------------------------------------------------------------------------------------------------


def _solve(c: Code, shapes: Sequence[Shape], work: Cells, A: Cells, B: Cells, X: Cells) -> None:
    """By elimination, the largest entry of a column as pivot; zeros if A is singular, or A or X not finite."""
    n, k = shapes[0][0], math.prod(shapes[1][1:])
    a, X = work.part(0, n), X.part(0, k)
    c.copy(A, a, n * n)
    c.copy(B, X, n * k)
    regular = c.variable(1)
    with c.span(0, n) as column:
        pivot = _largest_below(c, a, column, n)
        ends = ~(abs(a[pivot, column]) > 0.0)
        regular.set(ends.choose(c.fixed(0), 1))
        c.leave_if(ends)
        with c.when(pivot.differs(column).text):
            _swap_rows(c, a, column, pivot, n)
            _swap_rows(c, X, column, pivot, k)
        with c.span(column + 1, n) as i:
            factor = a[i, column] / a[column, column]
            with c.span(column + 1, n) as j:
                a[i, j] = a[i, j] - factor * a[column, j]
            with c.span(0, k) as j:
                X[i, j] = X[i, j] - factor * X[column, j]
    with c.when(regular.get().differs(0).text), c.down(n - 1) as row, c.span(0, k) as j:
        total = c.variable(X[row, j])
        with c.span(row + 1, n) as i:
            total.set(total.get() - a[row, i] * X[i, j])
        found = total.get() / a[row, row]
        X[row, j] = found
        with c.when((~(abs(found) < math.inf)).text):
            regular.set(0)
    with c.span(0, n * n) as i, c.when((~(abs(A[i]) < math.inf)).text):
        regular.set(0)
    with c.when(regular.get().equals(0).text):
        c.fill(X, n * k, 0.0)


def _largest_below(c: Code, a: Cells, column: Number, n: int) -> Number:
    """The row of the largest entry of a column, from the diagonal on."""
    pivot = c.variable(column)
    with c.span(column + 1, n) as i:
        larger = abs(a[i, column]) > abs(a[pivot.get(), column])
        pivot.set(larger.choose(i, pivot.get()))
    return pivot.get()


def _swap_rows(c: Code, a: Cells, one: Number, other: Number, columns: int) -> None:
    with c.span(0, columns) as j:
        first, second = a[one, j], a[other, j]
        a[one, j], a[other, j] = second, first


# --- eigenvectors ----------------------------------------------------------------------------------------------------


def _eigenvector(c: Code, shapes: Sequence[Shape], work: Cells, A: Cells, root: Cells, v: Cells) -> None:
    """By inverse iteration: three times v = (A - root)^-1 v, on a factorisation with pivots."""
    n = shapes[0][0]
    a, order, norm, finite = work.part(0, n), work.part(n * n, kind=WHOLE), c.variable(0.0), c.variable(1)
    with c.span(0, n) as i, c.span(0, n) as j:
        entry = A[i * n + j] - i.equals(j).choose(root[0], 0.0)
        a[i, j] = entry
        norm.set((abs(entry) > norm.get()).choose(abs(entry), norm.get()))
        finite.set((abs(entry) < math.inf).choose(finite.get(), 0))
    c.fill(v, n, 0.0)
    with c.when(finite.get().differs(0).text):
        least = (norm.get() > 0.0).choose(norm.get() * SMALL, 1.0)
        _factor(c, a, order, least, n)
        with c.span(0, n) as i:
            v[i] = 1.0
        with c.span(0, 3) as turn:
            with c.when((turn > 0).text):  # the first v is any: as if this had been done
                _forwards(c, a, order, v, n)
            _backwards(c, a, v, n)
            _scale(c, v, n)


def _factor(c: Code, a: Cells, order: Cells, least: Number, n: int) -> None:
    """A = P L U in place; a pivot that vanishes becomes as small as rounding."""
    with c.span(0, n) as column:
        pivot = _largest_below(c, a, column, n)
        order[column] = pivot
        _swap_rows(c, a, column, pivot, n)
        diagonal = a[column, column]
        diagonal = (abs(diagonal) > least).choose(diagonal, least)
        a[column, column] = diagonal
        with c.span(column + 1, n) as i:
            factor = a[i, column] / diagonal
            a[i, column] = factor
            with c.span(column + 1, n) as j:
                a[i, j] = a[i, j] - factor * a[column, j]


def _forwards(c: Code, a: Cells, order: Cells, v: Cells, n: int) -> None:
    with c.span(0, n) as i:
        other = order[i]
        first, second = v[i], v[other]
        v[i], v[other] = second, first
    with c.span(1, n) as i:
        _take_off(c, a, v, i, 0, i)


def _backwards(c: Code, a: Cells, v: Cells, n: int) -> None:
    with c.down(n - 1) as i:
        _take_off(c, a, v, i, i + 1, n)
        v[i] = v[i] / a[i, i]
        with c.when((abs(v[i]) > FAR).text), c.span(0, n) as j:  # only the direction matters
            v[j] = v[j] * (1 / FAR)


def _take_off(c: Code, a: Cells, v: Cells, i: Number, start: Number | int, stop: Number | int) -> None:
    """What the known entries contribute to a row."""
    with c.span(start, stop) as j:
        v[i] = v[i] - a[i, j] * v[j]


def _scale(c: Code, v: Cells, n: int) -> None:
    """The largest entry becomes one; zeros if there is none."""
    largest = c.variable(0.0)
    with c.span(0, n) as i:
        largest.set((abs(v[i]) > abs(largest.get())).choose(v[i], largest.get()))
    size = abs(largest.get())
    fine = (size > 0.0) & (size < math.inf)
    with c.span(0, n) as i:
        v[i] = (fine & v[i].equals(v[i])).choose(v[i] / largest.get(), 0.0)


# --- sorting ---------------------------------------------------------------------------------------------------------


def _sort(c: Code, shapes: Sequence[Shape], work: Cells, values: Cells, keys: Cells, count: Cells, made: Cells) -> None:
    """By insertion: rows with equal keys stay in their order; nan is after all numbers."""
    n, k = shapes[0][0], math.prod(shapes[0][1:])
    order = work.part(0, kind=WHOLE)
    with c.span(0, n) as i:
        order[i] = i
    with c.span(1, count[0].whole().at_most(n)) as i:
        key, place = keys[i], c.variable(i)
        with c.forever():
            c.leave_if(place.get().equals(0))
            before = keys[order[place.get() - 1]]
            earlier = (key < before) | (before.differs(before) & key.equals(key))
            c.leave_if(~earlier)
            order[place.get()] = order[place.get() - 1]
            place.set(place.get() - 1)
        order[place.get()] = i
    with c.span(0, n) as i, c.span(0, k) as j:
        made[i * k + j] = values[order[i] * k + j]


def _eigenvalues(c: Code, shapes: Sequence[Shape], work: Cells, A: Cells, roots: Cells) -> None:
    n = shapes[0][0]
    eigenvalues(c, n, A, work.part(0, n), work.part(n * n), roots.part(0, 2))


_KERNELS: Mapping[str, Callable[..., None]] = {
    "eigenvalues": _eigenvalues,
    "eigenvector": _eigenvector,
    "solve": _solve,
    "sort": _sort,
}
