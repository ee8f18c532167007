"""Routines that use every kind of stage and kernel in some odd way, the same for all languages, and how to check them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from codegen.conformance import RoutineCase, check_solutions, routine_cases
from codegen.random_routines import program, random_routine

from robosym.expr import cos, expr, parameter, sin, symbol
from robosym.program import Step
from robosym.program.routine import Each, Emit, Kernel, Newton, Routine, Run, Slot, When, newton

SIZES = (1, 2, 3, 6, 16)


def eigenpairs(n):
    """The real eigenvalues of A and A^-1 b, each with its eigenvector or zero."""
    root = program(
        "chosen",
        {"root": (2,)},
        lambda root: {"real": ((), [abs(root[1]) < 1e-9]), "one": ((), [root[0] * 0 + 1])},
    )
    row = program("row", {"root": (2,), "v": (n,)}, lambda root, v: {"q": ((n + 1,), [root[0] * 1.0, *v])})
    last = program("last", {"x": (n,), "count": ()}, lambda x, count: {"q": ((n + 1,), [count[0], *x])})
    body = (Run(root), When("real", (Kernel("eigenvector", ("A", "root"), ("v",)), Run(row), Emit("q", "one"))))
    stages = (
        Kernel("eigenvalues", ("A",), ("roots",)),
        Each("roots", "root", (*body, Kernel("solve", ("A", "b"), ("x",)), Run(last), Emit("q", "one"))),
    )
    return Routine("pairs", (Slot("A", (n, n)), Slot("b", (n,))), stages, 3 * n, (False,) * (n + 1))


def angles():
    """cos(x) = k L from four starts, by Newton, with a parameter, a constant and hostile names."""
    L, K = parameter("L"), symbol("K", "constant")
    starts = program("double", {"for": ()}, lambda **c: {"x0": ((4,), [0.5 + c["for"][0] * 0, 1.0, -1.0, 7.0])})
    step = program(
        "solve",
        {"for": (), "x": ()},
        lambda x, **c: {"free": ((), [(cos(x[0]) - c["for"][0] * expr(K)) / -sin(x[0])])},
        (L,),
        (Step(K, L * 2),),
    )
    row = program(
        "keep",
        {"for": (), "x": ()},
        lambda x, **c: {"q": ((1,), [x[0] * 1.0]), "ok": ((), [abs(cos(x[0]) - 2 * L * c["for"][0]) < 1e-9])},
        (L,),
    )
    body = (newton(step, 50, tolerance=1e-14), Run(row), Emit("q", "ok"))
    return Routine("a ngles", (Slot("for", ()),), (Run(starts), Each("x0", "x", body)), 4, (True,))


SPECIAL = {
    "zero": np.zeros((4, 4)),
    "identity": np.eye(4),
    "jordan": np.eye(4) + np.diag([1.0] * 3, 1),
    "cycle": np.roll(np.eye(4), 1, axis=0),  # ordinary shifts leave it as it is
    "triangle": np.triu(np.arange(16.0).reshape(4, 4)),
    "graded": np.diag([1e-12, 1.0, 1e6, 1e12]) + np.ones((4, 4)) * 1e-13,
    "nan": np.full((4, 4), np.nan),
}


ONES = program("ones", {"roots": (4, 2)}, lambda roots: {"one": ((4,), [1.0] * 4)})


def matrix_newton():
    """Square roots of the entries of a matrix; the first rows of it, each with the number of those before."""
    start = program("start", {"a": (2, 2)}, lambda a: {"x": ((2, 2), [e + 1 for e in a])})
    step = program(
        "step",
        {"a": (2, 2), "x": (2, 2)},
        lambda a, x: {"dx": ((2, 2), [(u * u - v) / (2 * u) for u, v in zip(x, a, strict=True)])},
    )
    row = program(
        "row",
        {"r": (2,), "count": ()},
        lambda r, count: {"Q": ((3,), [*r, count[0]]), "valid": ((), [r[0] == r[0]])},
    )
    stages = (Run(start), Newton((Run(step),), 60, tolerance=1e-14), Each("x", "r", (Run(row), Emit()), "most"))
    return Routine("matrix newton", (Slot("a", (2, 2)), Slot("most", ())), stages, 9, (False,) * 3)


def not_finite():
    """A correction that is not finite is not made."""
    start = program("start", {"a": (2,)}, lambda a: {"x": ((2,), [a[0] * 1.0, a[1] * 1.0])})
    step = program("step", {"x": (2,)}, lambda x: {"dx": ((2,), [1 / (x[0] - 2), x[1] * 1.0])})
    show = program("show", {"x": (2,)}, lambda x: {"ok": ((), [x[0] == x[0]])})
    stages = (Run(start), Newton((Run(step),), 5), Run(show), Emit("x", "ok"))
    return Routine("not finite", (Slot("a", (2,)),), stages, 1, (False, False))


def matrix_solve():
    """The rows of A^-1 B, right from what is given, and zeros where A is singular; an input that is not needed."""
    ones = program("ones", {"X": (3, 2)}, lambda X: {"one": ((3,), [1.0] * 3)})
    stages = (Kernel("solve", ("A", "B"), ("X",)), Run(ones), Emit("X", "one"))
    inputs = (Slot("A", (3, 3)), Slot("B", (3, 2)), Slot("unused", (3,)))
    return Routine("matrix solve", inputs, stages, 3, (False, False), same=-1.0)


def solve_in_place():
    """X = A^-1 X of one matrix, up to a computed number of rows."""
    start = program("start", {"n": ()}, lambda n: {"X": ((2, 3), [1, 2, 3, 4, 5, 6]), "number": ((), [n[0] + 0.5])})
    show = program("show", {"row": (3,)}, lambda row: {"ok": ((), [row[1] == row[1]])})
    each = Each("X", "row", (Run(show), Emit("row", "ok")), count="number")
    stages = (Run(start), Kernel("solve", ("A", "X"), ("X",)), each)
    return Routine("in place", (Slot("n", ()), Slot("A", (2, 2))), stages, 4, (False, True, False))


def given_rows():
    """What is given goes through loops, choices and out; two that differ by a turn are one."""
    first = program("first", {"r": (2,)}, lambda r: {"odd name": ((), [r[0] < 3]), "s": ((2,), [r[1], r[0]])})
    body = (Run(first, {"odd name": "let"}), When("let", (Emit("r", "let"), Emit("s", "let"))))
    stages = (Each("rows", "r", body, "most"), Each("rows", "r", body))
    return Routine("given", (Slot("rows", (3, 2)), Slot("most", ())), stages, 5, (True, False))


def kept_once():
    """The rows given, at most three: the same one once, and one that is not a number each time."""
    flags = program("flags", {"rows": (5, 2)}, lambda rows: {"one": ((5,), [1.0] * 5)})
    return Routine("kept", (Slot("rows", (5, 2)),), (Run(flags), Emit("rows", "one")), 3, (True, False))


UNITS = (1.0, 1024.0, 1e-3)
FINE, COARSE = 2.0**-20, 0.0625


def coarse_then_fine(units=UNITS, sames=(COARSE, None, 0.0, -1.0), turns=(True, False, True)):
    """The rows given, once for each tolerance: those kept by a coarser one are known to the finer ones after it."""
    flags = program("flags", {"rows": (14, 3)}, lambda rows: {"all": ((14,), [1.0] * 14)})
    single = program("single", {"r": (3,)}, lambda r: {"one": ((), [r[0] == r[0]])})
    emitted = [
        Emit("rows", "all", same) if i % 2 else Each("rows", "r", (Run(single), Emit("r", "one", same)))
        for i, same in enumerate(sames)
    ]
    return Routine("sames", (Slot("rows", (14, 3)),), (Run(flags), *emitted), 40, turns, FINE, units=units)


def near_rows(same):
    """A row, and others that are from it by what is just the same in a column, and just not; some after a turn."""
    row, apart = np.array([3.0, 2.0, -3.0]), np.array([1.0, -1.0])
    inside = [row + np.eye(3)[k] * same * UNITS[k] * (1 - 1e-3) * side for k in range(3) for side in apart]
    beyond = [row + np.eye(3)[k] * same * UNITS[k] * (1 + 1e-3) * side for k in range(3) for side in apart]
    limit = row + np.array([0.0, same * UNITS[1], 0.0])  # to the last bit
    rows = np.array([row, *inside, *beyond, limit])
    rows[::2, 0] -= 2 * np.pi
    rows[1::3, 2] += 4 * np.pi
    return rows


def four_roots():
    stages = (Kernel("eigenvalues", ("A",), ("roots",)), Run(ONES), Emit("roots", "one"))
    return Routine("four roots", (Slot("A", (4, 4)),), stages, 4, (False, False), same=-1.0)  # no two are the same


# --- cases -----------------------------------------------------------------------------------------------------------


@cache
def odd_routine_cases() -> tuple[RoutineCase, ...]:
    rng = np.random.default_rng(5)
    squares = np.array([[4.0, 9.0], [2.0, 0.25]])
    A, B = rng.standard_normal((3, 3)), rng.standard_normal((3, 2))
    systems = [(A, B), (np.ones((3, 3)), B), (A * np.nan, B), (np.roll(np.eye(3), 1, axis=0), B)]
    rows = np.array([[1.0, 2.0], [1.0 + 2 * np.pi, 2.0], [4.0, 1.0]])
    regular = np.array([[2.0, 1.0], [1.0, 3.0]])
    half_turns = np.array([[3.1415926, 1.0], [-3.1415926, 1.0], [3.1415926, 1.0 + 2 * np.pi], [9.0, 9.0], [8.0, 8.0]])
    no_numbers = np.array([[1.0, np.nan], [1.0, np.nan], [1.0, 2.0], [1.0, 2.0], [3.0, 4.0]])
    return (
        RoutineCase("angles", angles(), (0.45,), tuple({"for": np.array(k)} for k in (0.3, -0.9, 2.0))),
        RoutineCase(
            "newton",
            matrix_newton(),
            (),
            tuple({"a": squares, "most": np.array(n)} for n in (1, 2.5, 1.5, 0.9, 0, -1, 7)),
        ),
        RoutineCase("finite", not_finite(), (), ({"a": np.array([2.0, 3.0])}, {"a": np.array([3.0, 3.0])})),
        RoutineCase("solve", matrix_solve(), (), tuple({"A": a, "B": b, "unused": np.zeros(3)} for a, b in systems)),
        RoutineCase(
            "in place", solve_in_place(), (), tuple({"n": np.array(n), "A": regular} for n in (-1, 0, 1, 1.6, 5))
        ),
        RoutineCase("given", given_rows(), (), ({"rows": rows, "most": np.array(1.0)},)),
        RoutineCase("sames", coarse_then_fine(), (), tuple({"rows": near_rows(same)} for same in (FINE, COARSE))),
        RoutineCase("no turns", coarse_then_fine(turns=(False,) * 3), (), ({"rows": near_rows(COARSE)},)),
        RoutineCase("units of one", coarse_then_fine((1.0,) * 3), (), ({"rows": near_rows(COARSE)},)),
        RoutineCase("kept", kept_once(), (), ({"rows": half_turns}, {"rows": no_numbers})),
        *(
            RoutineCase(
                f"random {seed}",
                random_routine(seed),
                (),
                tuple({"a": rng.uniform(-2, 2, 2), "table": rng.uniform(-2, 2, (3, 2))} for _ in range(4)),
            )
            for seed in range(100, 108)
        ),
    )


@cache
def kernel_cases() -> tuple[RoutineCase, ...]:
    special = RoutineCase("special", four_roots(), (), tuple({"A": matrix} for matrix in SPECIAL.values()))
    return (special, *map(_pairs, SIZES))


def _pairs(n: int) -> RoutineCase:
    rng = np.random.default_rng(n)
    states = tuple({"A": rng.standard_normal((n, n)), "b": rng.standard_normal(n)} for _ in range(10))
    return RoutineCase(f"pairs {n}", eigenpairs(n), (), states)


def all_routine_cases() -> tuple[RoutineCase, ...]:
    return (*routine_cases(), *odd_routine_cases(), *kernel_cases())


# --- comparison ------------------------------------------------------------------------------------------------------


def check_routine(case: RoutineCase, found: Sequence[np.ndarray]) -> None:
    rows = [np.asarray(one, dtype=float).reshape(-1, case.routine.width) for one in found]
    assert len(rows) == len(case.states)
    if case.name == "special":
        for matrix, roots in zip(SPECIAL.values(), rows, strict=True):
            _check_roots(matrix, roots)
    elif case.name.startswith("pairs"):
        for state, pairs in zip(case.states, rows, strict=True):
            _check_pairs(state["A"], state["b"], pairs)
    elif any(
        case is odd for odd in odd_routine_cases()
    ):  # no kernel with an order of its own: the interpreter's order, row by row
        for got, wanted in zip(rows, case.expected, strict=True):
            np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-9, err_msg=case.name)
    else:
        check_solutions(case, rows)


def _check_roots(matrix: np.ndarray, roots: np.ndarray) -> None:
    assert len(roots) == 4
    if np.isnan(matrix).any():
        assert (roots[:, 1] >= np.finfo(float).max).all()  # not real
        return
    expected = np.linalg.eigvals(matrix)
    scale = np.abs(matrix).max() if matrix.any() else 1.0
    defective = matrix[0, 1] == 1  # a fourfold root is known to the fourth root of the rounding
    same_rows(roots / scale, np.stack([expected.real, expected.imag], axis=1) / scale, 1e-3 if defective else 1e-12)


def _check_pairs(A: np.ndarray, b: np.ndarray, rows: np.ndarray) -> None:
    roots = [x.real for x in np.linalg.eigvals(A) if abs(x.imag) < 1e-12]
    pairs = [row for row in rows if np.abs(row[1:]).max() == 1]
    np.testing.assert_allclose(sorted(row[0] for row in pairs), sorted(roots), atol=1e-11)
    for row in pairs:
        np.testing.assert_allclose(A @ row[1:], row[0] * row[1:], atol=1e-8)
    assert any(np.allclose(row[1:], np.linalg.solve(A, b), rtol=1e-9) for row in rows)


def same_rows(a, b, atol=1e-9):
    a, b = np.asarray(a), np.asarray(b)
    assert a.shape == b.shape
    left = list(range(len(b)))
    for row in a:
        near = [i for i in left if np.abs(b[i] - row).max() < atol]
        assert near, f"{row} is not among\n{b}"
        left.remove(near[0])
