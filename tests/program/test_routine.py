"""Routines: the verifier names what is wrong, the interpreter does what the stages say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robosym.expr import cos, expr, number, parameter, sin, variable
from robosym.program import Array, Program, ProgramError
from robosym.program.kernels import KERNELS
from robosym.program.routine import (
    Each,
    Emit,
    Kernel,
    Newton,
    Routine,
    Run,
    Slot,
    When,
    newton,
    routine_violations,
    verified_routine,
)


def program(name, inputs, outputs, parameters=()):
    """Inputs as {name: shape}, outputs as a function of their symbols giving {name: (shape, entries)}."""
    arrays = {
        key: Array(key, shape, tuple(variable(f"{key}_{i}") for i in range(math.prod(shape))))
        for key, shape in inputs.items()
    }
    made = outputs(**{key: array.entries for key, array in arrays.items()})
    results = tuple(Array(key, shape, tuple(map(expr, entries))) for key, (shape, entries) in made.items())
    return Program(name, tuple(arrays.values()), tuple(parameters), (), (), results)


def roots_of_unity(steps=60):
    """The angles whose cosine is c: Newton from three starts, one of which leads to another's solution."""
    starts = program("starts", {"c": ()}, lambda c: {"x0": ((3,), [0.5 + c[0] * 0, 1.0, -1.0])})
    step = program("step", {"c": (), "x": ()}, lambda c, x: {"dx": ((), [(cos(x[0]) - c[0]) / -sin(x[0])])})
    row = program(
        "row", {"c": (), "x": ()}, lambda c, x: {"q": ((1,), [x[0]]), "ok": ((), [abs(cos(x[0]) - c[0]) < 1e-9])}
    )
    body = (newton(step, steps, tolerance=1e-15), Run(row), Emit("q", "ok"))
    return Routine("unity", (Slot("c", ()),), (Run(starts), Each("x0", "x", body)), 4, (True,))


def test_each_newton_and_emit():
    solutions, count = verified_routine(roots_of_unity()).call(c=0.3)
    assert count == 2
    np.testing.assert_allclose(np.sort(solutions[:2, 0]), [-math.acos(0.3), math.acos(0.3)], atol=1e-12)
    assert (solutions[2:] == 0).all()


def test_newton_is_bounded_and_leaves_what_is_not_finite():
    assert roots_of_unity(steps=1).call(c=0.3)[1] == 0
    blowup = program("p", {"x": ()}, lambda x: {"dx": ((), [1 / (x[0] - x[0] * 1.0 + 0 * x[0] + (x[0] - 2))])})
    show = program("show", {"x": ()}, lambda x: {"q": ((1,), [x[0]]), "ok": ((), [number(1)])})
    start = program("start", {"a": ()}, lambda a: {"x": ((), [a[0]])})
    stages = (Run(start), Newton((Run(blowup),), 5), Run(show), Emit("q", "ok"))
    solutions, count = Routine("r", (Slot("a", ()),), stages, 1, (False,)).call(a=2.0)
    assert (count, solutions[0, 0]) == (1, 2.0)


def rows(turns, most=8):
    copy = program(
        "copy",
        {"rows": (4, 2), "there": (4,)},
        lambda rows, there: {"Q": ((4, 2), [1.0 * x for x in rows]), "valid": ((4,), [1.0 * x for x in there])},
    )
    return Routine("rows", (Slot("rows", (4, 2)), Slot("there", (4,))), (Run(copy), Emit()), most, turns)


def test_emit_takes_valid_rows_once_and_angles_modulo_a_turn():
    given = [[0.1, 1.0], [0.1 + 2 * math.pi, 1.0 + 1e-9], [5.0, 5.0], [0.1, 1.0 + 2 * math.pi]]
    solutions, count = rows((True, True)).call(rows=given, there=[1, 1, 0, 1])
    assert count == 1
    assert solutions[0].tolist() == [0.1, 1.0]
    assert rows((True, False)).call(rows=given, there=[1, 1, 0, 1])[1] == 2
    assert rows((False, False)).call(rows=given, there=[1, 1, 1, 1])[1] == 4
    assert rows((False, False), most=3).call(rows=given, there=[1, 1, 1, 1])[1] == 3


def test_when_counts_and_loops_over_the_first_rows():
    few = program("few", {"count": ()}, lambda count: {"few": ((), [count[0] < 2])})
    one = program("one", {"x": (2,)}, lambda x: {"q": ((2,), [1.0 * x[0], 2 * x[1]]), "ok": ((), [number(1)])})
    inner = (Run(few), When("few", (Run(one), Emit("q", "ok"))))
    stages = (Each("table", "x", inner, count="most"),)
    routine = verified_routine(Routine("r", (Slot("table", (5, 2)), Slot("most", ())), stages, 9, (False, False)))
    table = np.arange(10.0).reshape(5, 2)
    assert routine.call(table=table, most=5)[1] == 2  # not more, for the guard
    assert routine.call(table=table, most=1)[1] == 1
    np.testing.assert_allclose(routine.call(table=table, most=5)[0][:2], [[0, 2], [2, 6]])


def test_parameters_are_handed_to_every_program():
    L = parameter("L")
    one = program("p", {"a": ()}, lambda a: {"q": ((1,), [a[0] * L]), "ok": ((), [number(1)])}, (L,))
    routine = Routine("r", (Slot("a", ()),), (Run(one), Emit("q", "ok")), 1, (False,))
    assert routine.parameter_symbols == (L,)
    assert routine.call(a=2.0, parameters={"L": 0.25})[0][0, 0] == 0.5


def test_kernels_keep_their_word():
    rng = np.random.default_rng(1)
    A = rng.standard_normal((5, 5))
    (roots,) = KERNELS["eigenvalues"].reference(A)
    np.testing.assert_allclose(np.prod(roots[:, 0] + 1j * roots[:, 1]), np.linalg.det(A), rtol=1e-10)
    real = roots[np.abs(roots[:, 1]) < 1e-12][0]
    (v,) = KERNELS["eigenvector"].reference(A, real)
    np.testing.assert_allclose(A @ v, real[0] * v, atol=1e-12)
    assert np.abs(v).max() == 1
    (x,) = KERNELS["solve"].reference(A, A @ np.ones(5))
    np.testing.assert_allclose(x, 1)
    assert (KERNELS["solve"].reference(np.zeros((2, 2)), np.ones((2, 3)))[0] == np.zeros((2, 3))).all()


TWO = program("two", {"x": (2,)}, lambda x: {"Q": ((1, 2), [1.0 * x[0], 1.0 * x[1]]), "valid": ((1,), [number(1)])})


@pytest.mark.parametrize(
    ("stages", "inputs", "problem"),
    [
        ([Run(TWO)], [], "program 'two' uses 'x' before it is defined"),
        ([Run(TWO)], [Slot("x", (3,))], r"expects 'x' of shape \(2,\), it is of shape \(3,\)"),
        ([Run(TWO, {"x": "y", "zz": "x"})], [Slot("y", (2,))], "has no array 'zz'"),
        ([Run(TWO, {"Q": "x"})], [Slot("x", (2,))], "writes over 'x', which is given"),
        ([Run(TWO), Emit("Q", "x")], [Slot("x", (2,))], "Emit expects 'x' of shape"),
        ([Emit("x", "s")], [Slot("x", (3,)), Slot("s", ())], "expected rows of 2"),
        ([Kernel("eig", ("x",), ("y",))], [Slot("x", (2,))], "no kernel 'eig'.*eigenvalues"),
        ([Kernel("eigenvalues", ("x",), ("y",))], [Slot("x", (2,))], r"takes A \(n, n\)"),
        ([Each("s", "r", ())], [Slot("s", ())], "is a scalar and has no rows"),
        ([Each("x", "r", (Run(TWO),)), Emit()], [Slot("x", (2,))], "Emit uses 'Q' before it is defined"),
        ([When("x", ())], [Slot("x", (2,))], "When expects 'x' of shape"),
        ([Each("t", "u", (Newton((), 3, "u", "t"),))], [Slot("t", (3, 2))], "Newton expects 't' of shape"),
        ([Each("t", "u", (Newton((), 0, "u", "u"),))], [Slot("t", (3, 2))], "got 0 steps"),
        ([], [Slot("count", ())], "must differ from each other and from 'count'"),
        ([Each("t", "u", (Newton((), 2, "u", "u"),))], [Slot("t", (3, 2))], "'u' is the unknown and its correction"),
        ([Run(TWO), Each("Q", "r", (Run(TWO),))], [Slot("x", (2,))], "its stages change 'Q', which says what it goes"),
        (
            [Run(TWO), Each("x", "r", (Emit(),), "count")],
            [Slot("x", (2,))],
            "its stages change 'count', which says what it goes over",
        ),
        ([Run(TWO), Emit(same=math.inf)], [Slot("x", (2,))], "Emit: same is inf, expected a finite number"),
    ],
)
def test_the_verifier_names_what_is_wrong(stages, inputs, problem):
    routine = Routine("r", tuple(inputs), tuple(stages), 4, (True, True))
    with pytest.raises(ProgramError, match=problem):
        verified_routine(routine)


@pytest.mark.parametrize("units", [(1.0,), (1.0, 0.0), (1.0, -1.0), (1.0, math.nan), (math.inf, 1.0)])
def test_units_are_positive_and_one_for_each_column(units):
    routine = Routine("r", (Slot("x", (2,)),), (Run(TWO), Emit()), 4, (True, True), units=units)
    with pytest.raises(ProgramError, match="expected none or 2 positive numbers"):
        verified_routine(routine)


def test_a_sound_routine_has_no_violations():
    assert routine_violations(roots_of_unity()) == []
    assert [slot.name for slot in roots_of_unity().workspace] == ["x0", "x", "dx", "q", "ok"]


def test_calls_that_do_not_fit_are_named():
    with pytest.raises(ProgramError, match="input 'c' of shape"):
        roots_of_unity().call()
    with pytest.raises(ProgramError, match="has shape"):
        roots_of_unity().call(c=[1.0])
    with pytest.raises(ProgramError, match="unknown input 'd'"):
        roots_of_unity().call(c=0.1, d=2)
