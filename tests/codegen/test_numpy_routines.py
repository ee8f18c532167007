"""Generated NumPy routines: run, and compared with the interpreter and with NumPy."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from codegen.conformance import RoutineCase, check_solutions, routine_cases
from codegen.test_routines import ONES, SPECIAL, angles, eigenpairs, program, same_rows

import robosym.codegen.interface
import robosym.codegen.routines.facts
from robosym.codegen import routines
from robosym.codegen.routines.facts import routine_facts
from robosym.program.routine import Each, Emit, Kernel, Newton, Routine, Run, Slot


def load(routine: Routine) -> dict[str, Any]:
    space: dict[str, Any] = {}
    exec(compile(routines.source(routine, "numpy", name="tested"), "generated", "exec"), space)
    return space


def run(case: RoutineCase) -> list[np.ndarray]:
    space, facts = load(case.routine), routine_facts(case.routine, [], "tested")
    more = [case.parameters] if facts.reads_parameters else []
    more += [space["tested_precompute"](case.parameters)] if facts.constants else []
    given = [[state[slot.name].tolist() for slot in case.routine.inputs] for state in case.states]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a division by zero that is looked after is not worth a warning
        return [space["tested_solve"](*state, *more) for state in given]


def solved(routine: Routine, *inputs: Any) -> np.ndarray:
    return load(routine)["tested_solve"](*inputs)


def test_it_is_written_as_agreed(golden, monkeypatch):
    for module in (robosym.codegen.interface, robosym.codegen.routines.facts):
        monkeypatch.setattr(module, "__version__", "0.0.0")
    ((name, text),) = routines.generate(angles(), "numpy").items()
    assert name == "a_ngles.py"
    golden("angles.numpy", text)


@pytest.mark.parametrize("case", routine_cases(), ids=lambda case: case.name)
def test_inverse_geometry_agrees_with_the_interpreter(case):
    found = run(case)
    assert all(rows.shape[1:] == (case.routine.width,) for rows in found)
    check_solutions(case, found)


@pytest.mark.parametrize("n", [1, 2, 3, 6, 16])
def test_kernels(n):
    routine = eigenpairs(n)
    solve = load(routine)["tested_solve"]
    rng = np.random.default_rng(n)
    for _ in range(5):
        A, b = rng.standard_normal((n, n)), rng.standard_normal(n)
        expected, count = routine.call(A=A, b=b)
        same_rows(solve(A, b), expected[:count], 1e-8)


@pytest.mark.parametrize("matrix", SPECIAL.values(), ids=SPECIAL)
def test_eigenvalues_of_special_matrices(matrix):
    stages = (Kernel("eigenvalues", ("A",), ("roots",)), Run(ONES), Emit("roots", "one"))
    found = solved(Routine("e", (Slot("A", (4, 4)),), stages, 4, (False, False), same=-1.0), matrix)
    assert found.shape == (4, 2)
    if np.isnan(matrix).any():
        assert np.isinf(found[:, 1]).all()
    else:
        expected = np.linalg.eigvals(matrix)
        same_rows(found, np.stack([expected.real, expected.imag], axis=1))


@pytest.mark.parametrize("A", [np.zeros((2, 2)), np.ones((2, 2)), np.full((2, 2), np.nan)])
@pytest.mark.parametrize("shape", [(2,), (2, 3)])
def test_a_singular_system_gives_zero(A, shape):
    flat = program("flat", {"X": shape}, lambda X: {"q": ((1,), [abs(X[0]) + abs(X[-1])]), "one": ((), [1.0])})
    stages = (Kernel("solve", ("A", "B"), ("X",)), Run(flat), Emit("q", "one"))
    routine = Routine("s", (Slot("A", (2, 2)), Slot("B", shape)), stages, 1, (False,))
    assert solved(routine, A, np.ones(shape)).tolist() == [[0.0]]
    assert solved(routine, np.eye(2), np.ones(shape)).tolist() == [[2.0]]


def test_newton_parameters_and_hostile_names():
    space, routine = load(angles()), angles()
    for k in (0.3, -0.9, 2.0):
        expected, count = routine.call(**{"for": k}, parameters={"L": 0.45})
        made = space["tested_precompute"]([0.45])
        assert made.tolist() == [0.9]
        np.testing.assert_allclose(space["tested_solve"](k, [0.45], made), expected[:count], atol=1e-12)


def test_newton_leaves_what_is_not_finite():
    start = program("start", {"a": (2,)}, lambda a: {"x": ((2,), [a[0] * 1.0, a[1] * 1.0])})
    step = program("step", {"x": (2,)}, lambda x: {"dx": ((2,), [1 / (x[0] - 2), x[1] * 1.0])})
    show = program("show", {"x": (2,)}, lambda x: {"ok": ((), [x[0] == x[0]])})
    stages = (Run(start), Newton((Run(step),), 5), Run(show), Emit("x", "ok"))
    routine = Routine("r", (Slot("a", (2,)),), stages, 1, (False, False))
    assert solved(routine, [2.0, 3.0]).tolist() == [[2.0, 3.0]]


def test_only_the_first_rows_and_no_more_than_most():
    flag = program("flag", {"row": (2,)}, lambda row: {"one": ((), [1.0])})
    each = Each("rows", "row", (Run(flag), Emit("row", "one")), count="n")
    routine = Routine("f", (Slot("rows", (4, 2)), Slot("n", ())), (each,), 3, (False, False))
    rows = np.arange(8.0).reshape(4, 2)
    for n in (-1, 0, 2, 4):
        assert solved(routine, rows, n).tolist() == rows[: min(max(n, 0), 3)].tolist()


def test_what_is_the_same_is_kept_once():
    """Angles just below and above half a turn are one solution; lengths a whole turn apart are two."""
    flags = program("flags", {"rows": (3, 2)}, lambda rows: {"one": ((3,), [1.0] * 3)})
    routine = Routine("k", (Slot("rows", (3, 2)),), (Run(flags), Emit("rows", "one")), 3, (True, False))
    rows = [[3.1415926, 1.0], [-3.1415926, 1.0], [3.1415926, 1.0 + 2 * np.pi]]
    assert solved(routine, rows).tolist() == [rows[0], rows[2]]


def test_solutions_are_kept_when_the_input_changes_later():
    flag = program("flag", {"a": (2,)}, lambda a: {"one": ((), [1.0])})
    routine = Routine("c", (Slot("a", (2,)),), (Run(flag), Emit("a", "one")), 1, (False, False))
    given = np.array([1.0, 2.0])
    found = solved(routine, given)
    given[:] = 0.0
    assert found.tolist() == [[1.0, 2.0]]


def test_lines_are_short_and_plain_and_the_same_each_time():
    for routine in (angles(), eigenpairs(6), *(case.routine for case in routine_cases())):
        text = routines.source(routine, "numpy")
        assert text.isascii()
        assert max(map(len, text.splitlines())) <= 120
        assert text == routines.source(routine, "numpy")
