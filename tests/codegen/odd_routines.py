"""Routines that use every kind of stage and kernel in some odd way, as cases, and what must come out of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from codegen.conformance import RoutineCase, check_solutions, routine_cases
from codegen.test_routines import ONES, SPECIAL, angles, eigenpairs, program, same_rows

from robosym.program.routine import Each, Emit, Kernel, Newton, Routine, Run, Slot, When

SIZES = (1, 2, 3, 6, 16)


def matrix_newton() -> Routine:
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


def not_finite() -> Routine:
    """A correction that is not finite is not made."""
    start = program("start", {"a": (2,)}, lambda a: {"x": ((2,), [a[0] * 1.0, a[1] * 1.0])})
    step = program("step", {"x": (2,)}, lambda x: {"dx": ((2,), [1 / (x[0] - 2), x[1] * 1.0])})
    show = program("show", {"x": (2,)}, lambda x: {"ok": ((), [x[0] == x[0]])})
    stages = (Run(start), Newton((Run(step),), 5), Run(show), Emit("x", "ok"))
    return Routine("not finite", (Slot("a", (2,)),), stages, 1, (False, False))


def matrix_solve() -> Routine:
    """The rows of A^-1 B, right from what is given."""
    ones = program("ones", {"X": (3, 2)}, lambda X: {"one": ((3,), [1.0] * 3)})
    stages = (Kernel("solve", ("A", "B"), ("X",)), Run(ones), Emit("X", "one"))
    return Routine("matrix solve", (Slot("A", (3, 3)), Slot("B", (3, 2))), stages, 3, (False, False), same=-1.0)


def given_rows() -> Routine:
    """What is given goes through loops, choices and out; two that differ by a turn are one."""
    first = program("first", {"r": (2,)}, lambda r: {"odd name": ((), [r[0] < 3]), "s": ((2,), [r[1], r[0]])})
    body = (Run(first, {"odd name": "let"}), When("let", (Emit("r", "let"), Emit("s", "let"))))
    stages = (Each("rows", "r", body, "most"), Each("rows", "r", body))
    return Routine("given", (Slot("rows", (3, 2)), Slot("most", ())), stages, 5, (True, False))


def four_roots() -> Routine:
    stages = (Kernel("eigenvalues", ("A",), ("roots",)), Run(ONES), Emit("roots", "one"))
    return Routine("four roots", (Slot("A", (4, 4)),), stages, 4, (False, False), same=-1.0)  # no two are the same


def _pairs(n: int) -> RoutineCase:
    rng = np.random.default_rng(n)
    states = tuple({"A": rng.standard_normal((n, n)), "b": rng.standard_normal(n)} for _ in range(10))
    return RoutineCase(f"pairs {n}", eigenpairs(n), (), states)


def odd_routine_cases() -> list[RoutineCase]:
    rng = np.random.default_rng(5)
    squares = np.array([[4.0, 9.0], [2.0, 0.25]])
    A, B = rng.standard_normal((3, 3)), rng.standard_normal((3, 2))
    systems = [(A, B), (np.ones((3, 3)), B), (A * np.nan, B), (np.roll(np.eye(3), 1, axis=0), B)]
    rows = np.array([[1.0, 2.0], [1.0 + 2 * np.pi, 2.0], [4.0, 1.0]])
    return [
        RoutineCase("angles", angles(), (0.45,), tuple({"for": np.array(k)} for k in (0.3, -0.9, 2.0))),
        RoutineCase(
            "newton", matrix_newton(), (), tuple({"a": squares, "most": np.array(n)} for n in (1, 2.5, 0, -1, 7))
        ),
        RoutineCase("finite", not_finite(), (), ({"a": np.array([2.0, 3.0])}, {"a": np.array([3.0, 3.0])})),
        RoutineCase("solve", matrix_solve(), (), tuple({"A": a, "B": b} for a, b in systems)),
        RoutineCase("given", given_rows(), (), ({"rows": rows, "most": np.array(1.0)},)),
    ]


def kernel_cases() -> list[RoutineCase]:
    special = RoutineCase("special", four_roots(), (), tuple({"A": matrix} for matrix in SPECIAL.values()))
    return [special, *map(_pairs, SIZES)]


def all_routine_cases() -> list[RoutineCase]:
    return [*routine_cases(), *odd_routine_cases(), *kernel_cases()]


def check_routine(case: RoutineCase, found: Sequence[np.ndarray]) -> None:
    assert len(found) == len(case.states)
    if case.name == "special":
        for matrix, roots in zip(SPECIAL.values(), found, strict=True):
            _check_roots(matrix, roots)
    elif case.name.startswith("pairs"):
        for state, rows in zip(case.states, found, strict=True):
            _check_pairs(state["A"], state["b"], rows)
    else:
        check_solutions(case, found)


def _check_roots(matrix: np.ndarray, roots: np.ndarray) -> None:
    assert len(roots) == 4
    if np.isnan(matrix).any():
        assert np.isinf(roots[:, 1]).all()
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
