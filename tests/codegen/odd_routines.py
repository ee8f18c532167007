"""The routines that every language runs: those of ``odd_stages``, of Newton, kernels and tolerances, and random ones."""

from __future__ import annotations

from functools import cache

import numpy as np
from codegen.conformance import (
    Arrays,
    RoutineCase,
    check_routine,
    closed_loop_cases,
    discrete_cases,
    inverse_geometry_cases,
    platform_routine_cases,
)
from codegen.odd_stages import stage_cases
from codegen.random_routines import PARAMETERS, empty_routine, program, random_routine, random_states
from sweeps import many

from robosym.expr import cos, expr, parameter, sin, symbol
from robosym.program import Step
from robosym.program.routine import Collect, Each, Fill, Kernel, Newton, Routine, Run, Slot, When, newton

__all__ = ["all_routine_cases", "angles", "check_routine", "kernel_cases", "odd_routine_cases", "program"]

SIZES = (1, 2, 3, 6, 16)
ONE = Fill("one", (), 1.0)


def rows_into(name: str, most: int, width: int) -> tuple[Fill, Fill]:
    """Room for rows, none of them there."""
    return Fill(name, (most, width)), Fill("count")


def eigenpairs(n):
    """The real eigenvalues of A, each with its eigenvector, and A^-1 b for each of all."""
    root = program("chosen", {"root": (2,)}, lambda root: {"real": ((), [abs(root[1]) < 1e-9])})
    row = program("row", {"root": (2,), "v": (n,)}, lambda root, v: {"q": ((n + 1,), [root[0] * 1.0, *v])})
    last = program("last", {"x": (n,), "count": ()}, lambda x, count: {"q": ((n + 1,), [count[0], *x])})
    keep = Collect("q", "one", "pairs", "count")
    body = (Run(root), When("real", (Kernel("eigenvector", ("A", "root"), ("v",)), Run(row), keep)))
    stages = (
        *rows_into("pairs", 3 * n, n + 1),
        ONE,
        Kernel("eigenvalues", ("A",), ("roots",)),
        Each("roots", "root", (*body, Kernel("solve", ("A", "b"), ("x",)), Run(last), keep)),
    )
    outputs = (Slot("pairs", (3 * n, n + 1)), Slot("count", ()))
    return Routine("pairs", (Slot("A", (n, n)), Slot("b", (n,))), outputs, stages)


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
    keep = Collect("q", "ok", "solutions", "count", (1e-6,), (True,))
    body = (newton(step, 50, tolerance=1e-14), Run(row), keep)
    return Routine(
        "a ngles",
        (Slot("for", (), "the cosine, by twice the length"),),
        (Slot("solutions", (4, 1), "an angle in each of the first rows"), Slot("count", (), "how many there are")),
        (*rows_into("solutions", 4, 1), Run(starts), Each("x0", "x", body)),
        ("the angles of a cosine", "By Newton from four starts; an angle is the same after a whole turn."),
    )


SPECIAL = {
    "zero": np.zeros((4, 4)),
    "identity": np.eye(4),
    "jordan": np.eye(4) + np.diag([1.0] * 3, 1),
    "cycle": np.roll(np.eye(4), 1, axis=0),  # ordinary shifts leave it as it is
    "triangle": np.triu(np.arange(16.0).reshape(4, 4)),
    "graded": np.diag([1e-12, 1.0, 1e6, 1e12]) + np.ones((4, 4)) * 1e-13,
    "nan": np.full((4, 4), np.nan),
    "one nan": np.eye(4) + np.diag([0.0, np.nan], -2),
    "one inf": np.eye(4) + np.diag([0.0, 0.0, -np.inf], 1),
}


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
    each = Each("x", "r", (Run(row), Collect("Q", "valid", "rows", "count", (1e-6,) * 3)), "most")
    stages = (*rows_into("rows", 9, 3), Run(start), Newton((Run(step),), 60, tolerance=1e-14), each)
    outputs = (Slot("x", (2, 2)), Slot("rows", (9, 3)), Slot("count", ()))
    return Routine("matrix newton", (Slot("a", (2, 2)), Slot("most", ())), outputs, stages)


def not_finite():
    """A correction that is not finite is not made."""
    start = program("start", {"a": (2,)}, lambda a: {"x": ((2,), [a[0] * 1.0, a[1] * 1.0])})
    step = program("step", {"x": (2,)}, lambda x: {"dx": ((2,), [1 / (x[0] - 2), x[1] * 1.0])})
    return Routine("not finite", (Slot("a", (2,)),), (Slot("x", (2,)),), (Run(start), Newton((Run(step),), 5)))


def matrix_solve():
    """A^-1 B and A^-1 b, right from what is given, and zeros where A is singular; an input that is not needed."""
    stages = (Kernel("solve", ("A", "B"), ("X",)), Kernel("solve", ("A", "b"), ("x",)))
    inputs = (Slot("A", (3, 3)), Slot("B", (3, 2)), Slot("b", (3,)), Slot("unused", (3,)))
    return Routine("matrix solve", inputs, (Slot("X", (3, 2)), Slot("x", (3,))), stages)


def given_rows():
    """What is given goes through loops, choices and out; two that differ by a turn are one."""
    first = program("first", {"r": (2,)}, lambda r: {"odd name": ((), [r[0] < 3]), "s": ((2,), [r[1], r[0]])})
    kept = tuple(Collect(name, "let", "kept", "count", (1e-6, 1e-6), (True, False)) for name in ("r", "s"))
    body = (Run(first, {"odd name": "let"}), When("let", kept))
    stages = (*rows_into("kept", 5, 2), Each("rows", "r", body, "most"), Each("rows", "r", body))
    outputs = (Slot("kept", (5, 2)), Slot("count", ()))
    return Routine("given", (Slot("rows", (3, 2)), Slot("most", ())), outputs, stages)


def kept_once():
    """The rows given, at most three: the same one once, and one that is not a number each time."""
    keep = Collect("rows", "ones", "kept", "count", (1e-6, 1e-6), (True, False))
    outputs = (Slot("kept", (3, 2)), Slot("count", ()))
    stages = (*rows_into("kept", 3, 2), Fill("ones", (5,), 1.0), keep)
    return Routine("kept", (Slot("rows", (5, 2)),), outputs, stages)


UNITS = (1.0, 1024.0, 1e-3)
FINE, COARSE = 2.0**-20, 0.0625


def coarse_then_fine(units=UNITS, sames=(COARSE, FINE, 0.0, -1.0), turns=(True, False, True)):
    """The rows given, once for each tolerance: those kept by a coarser one are known to the finer ones after it."""
    stages = [*rows_into("kept", 40, 3), Fill("all", (14,), 1.0), ONE]
    for i, same in enumerate(sames):
        within = tuple(same * unit for unit in units)
        single = Collect("r", "one", "kept", "count", within, turns)
        stages.append(Collect("rows", "all", "kept", "count", within, turns) if i % 2 else Each("rows", "r", (single,)))
    outputs = (Slot("kept", (40, 3)), Slot("count", ()))
    return Routine("sames", (Slot("rows", (14, 3)),), outputs, tuple(stages))


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
    """The eigenvalues of A, and what A - 1/4 takes to next to nothing."""
    vector = (Fill("root", (2,), 0.25), Kernel("eigenvector", ("A", "root"), ("v",)))
    outputs = (Slot("roots", (4, 2)), Slot("v", (4,)))
    return Routine("four roots", (Slot("A", (4, 4)),), outputs, (Kernel("eigenvalues", ("A",), ("roots",)), *vector))


# --- cases -----------------------------------------------------------------------------------------------------------


@cache
def odd_routine_cases() -> tuple[RoutineCase, ...]:
    rng = np.random.default_rng(5)
    squares = np.array([[4.0, 9.0], [2.0, 0.25]])
    A, B = rng.standard_normal((3, 3)), rng.standard_normal((3, 2))
    systems = [(A, B), (np.ones((3, 3)), B), (A * np.nan, B), (np.roll(np.eye(3), 1, axis=0), B)]
    for place in np.ndindex(3, 3):  # of what is not finite nothing comes out, wherever it stands
        for value in (np.inf, -np.inf, np.nan):
            odd = np.where(np.arange(9).reshape(3, 3) == 3 * place[0] + place[1], value, np.eye(3) + A * (A > 0))
            systems.append((odd, B))
    systems.append((A, B * [[1.0, np.inf], [1.0, 1.0], [np.nan, 1.0]]))
    rows = np.array([[1.0, 2.0], [1.0 + 2 * np.pi, 2.0], [4.0, 1.0]])
    half_turns = np.array([[3.1415926, 1.0], [-3.1415926, 1.0], [3.1415926, 1.0 + 2 * np.pi], [9.0, 9.0], [8.0, 8.0]])
    no_numbers = np.array([[1.0, np.nan], [1.0, np.nan], [1.0, 2.0], [1.0, 2.0], [3.0, 4.0]])
    counts = (1, 2.5, 1.5, 0.9, 0, -1, 7)
    solved = tuple({"A": a, "B": b, "b": b[:, 1], "unused": np.zeros(3)} for a, b in systems)
    nothing = {"none": np.zeros((0, 2)), "nothing": np.zeros(0), "x": np.array([1.0, 2.0])}
    return (
        RoutineCase("angles", angles(), (0.45,), tuple({"for": np.array(k)} for k in (0.3, -0.9, 2.0))),
        RoutineCase("newton", matrix_newton(), (), tuple({"a": squares, "most": np.array(n)} for n in counts)),
        RoutineCase("finite", not_finite(), (), ({"a": np.array([2.0, 3.0])}, {"a": np.array([3.0, 3.0])})),
        RoutineCase("solve", matrix_solve(), (), solved),
        RoutineCase("given", given_rows(), (), ({"rows": rows, "most": np.array(1.0)},)),
        RoutineCase("sames", coarse_then_fine(), (), tuple({"rows": near_rows(same)} for same in (FINE, COARSE))),
        RoutineCase("no turns", coarse_then_fine(turns=(False,) * 3), (), ({"rows": near_rows(COARSE)},)),
        RoutineCase("units of one", coarse_then_fine((1.0,) * 3), (), ({"rows": near_rows(COARSE)},)),
        RoutineCase("kept", kept_once(), (), ({"rows": half_turns}, {"rows": no_numbers})),
        RoutineCase("empty", empty_routine(), (), (nothing,)),
        *stage_cases(),
        *map(_random, range(100, 100 + many(8))),
    )


def _random(seed: int) -> RoutineCase:
    routine = random_routine(seed)
    numbers = tuple(PARAMETERS[symbol.name] for symbol in routine.parameter_symbols)
    return RoutineCase(routine.name, routine, numbers, tuple(random_states(seed)))


@cache
def kernel_cases() -> tuple[RoutineCase, ...]:
    """Eigenvalues come in any order: what is known of them is looked at."""
    matrices = tuple({"A": matrix} for matrix in SPECIAL.values())
    return (RoutineCase("special", four_roots(), (), matrices, compared=_check_roots), *map(_pairs, SIZES))


def _pairs(n: int) -> RoutineCase:
    rng = np.random.default_rng(n)
    states = tuple({"A": rng.standard_normal((n, n)), "b": rng.standard_normal(n)} for _ in range(10))
    return RoutineCase(f"pairs {n}", eigenpairs(n), (), states, compared=_check_pairs)


# What makes the cases, group by group: to make them takes seconds, so a test makes those that it runs.
ROUTINE_CASES = (
    odd_routine_cases,
    kernel_cases,
    inverse_geometry_cases,
    closed_loop_cases,
    platform_routine_cases,
    discrete_cases,
)


def all_routine_cases() -> tuple[RoutineCase, ...]:
    return tuple(case for made in ROUTINE_CASES for case in made())


# --- comparison ------------------------------------------------------------------------------------------------------


def _check_roots(state: Arrays, outputs: Arrays) -> None:
    matrix, roots = state["A"], outputs["roots"]
    if not np.isfinite(matrix).all():
        assert (roots[:, 1] >= np.finfo(float).max).all()  # not real
        assert not outputs["v"].any()
        return
    expected = np.linalg.eigvals(matrix)
    scale = np.abs(matrix).max() if matrix.any() else 1.0
    defective = matrix[0, 1] == 1  # a fourfold root is known to the fourth root of the rounding
    same_rows(roots / scale, np.stack([expected.real, expected.imag], axis=1) / scale, 1e-3 if defective else 1e-12)


def _check_pairs(state: Arrays, outputs: Arrays) -> None:
    A, b, total = state["A"], state["b"], int(outputs["count"])
    rows, more = outputs["pairs"][:total], outputs["pairs"][total:]
    roots = [x.real for x in np.linalg.eigvals(A) if abs(x.imag) < 1e-12]
    solved = np.linalg.solve(A, b)
    one_each = [row for row in rows if np.allclose(row[1:], solved, rtol=1e-9)]
    pairs = [row for row in rows if np.abs(row[1:]).max() == 1]
    assert len(one_each) == len(b)
    assert not more.any()
    np.testing.assert_allclose(sorted(row[0] for row in pairs), sorted(roots), atol=1e-11)
    for row in pairs:
        np.testing.assert_allclose(A @ row[1:], row[0] * row[1:], atol=1e-8)


def same_rows(a, b, atol=1e-9):
    a, b = np.asarray(a), np.asarray(b)
    assert a.shape == b.shape
    left = list(range(len(b)))
    for row in a:
        near = [i for i in left if np.abs(b[i] - row).max() < atol]
        assert near, f"{row} is not among\n{b}"
        left.remove(near[0])
