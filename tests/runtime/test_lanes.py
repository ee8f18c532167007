"""Routines on many inputs at once: every lane finds what ``Routine.call`` finds for its input alone, in that order."""

from __future__ import annotations

import numpy as np
import pytest
from codegen.conformance import RoutineCase, routine_cases
from codegen.odd_routines import eigenpairs, odd_routine_cases, program
from codegen.random_routines import random_routine

from robosym.expr import minimum, number, parameter, select, sin
from robosym.program.routine import Each, Emit, Kernel, Newton, Routine, Run, Slot, When, newton, verified_routine
from robosym.runtime.lanes import LanesOfRoutine

LANES = 7


def check(routine, parameters=None, **inputs):
    """All lanes together, backwards, and one alone, each against the interpreter; returns the numbers of solutions."""
    verified_routine(routine)
    lanes = LanesOfRoutine(routine)
    count = len(next(iter(inputs.values())))
    wanted = []
    for i in range(count):
        rows, total = routine.call(**{key: value[i] for key, value in inputs.items()}, parameters=parameters)
        wanted.append(rows[:total])
    together = lanes(**inputs, parameters=parameters)
    backwards = lanes(**{key: value[::-1] for key, value in inputs.items()}, parameters=parameters)[::-1]
    alone = [
        lanes(**{key: value[i : i + 1] for key, value in inputs.items()}, parameters=parameters)[0]
        for i in range(count)
    ]
    for found in (together, backwards, alone):
        assert len(found) == count
        for i, (got, expected) in enumerate(zip(found, wanted, strict=True)):
            assert got.shape == expected.shape, f"{routine.name}: lane {i}"
            np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-12, err_msg=f"{routine.name}: lane {i}")
    return [len(rows) for rows in wanted]


def simple(name, inputs, outputs, parameters=()):
    return Run(program(name, inputs, outputs, parameters))


def rows_of(seed, *shape):
    return np.random.default_rng(seed).uniform(-2, 2, (LANES, *shape))


# --- the routines of the printers ------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", odd_routine_cases(), ids=lambda case: case.name)
def test_the_routines_that_languages_run(case: RoutineCase):
    parameters = {s.name: value for s, value in zip(case.routine.parameter_symbols, case.parameters, strict=True)}
    inputs = {key: np.array([state[key] for state in case.states], dtype=float) for key in case.states[0]}
    check(case.routine, parameters, **inputs)


def test_closed_forms_with_special_poses():
    case = routine_cases(general=False)[1]
    parameters = {s.name: value for s, value in zip(case.routine.parameter_symbols, case.parameters, strict=True)}
    singular = np.eye(4)
    T = np.array([*(state["T"] for state in case.states), singular])
    found = LanesOfRoutine(case.routine)(T=T, parameters=parameters)
    for pose, got in zip(T, found, strict=True):
        rows, total = case.routine.call(T=pose, parameters=parameters)
        np.testing.assert_allclose(got, rows[:total], atol=1e-9)


def test_kernels_that_are_singular_in_some_lanes():
    A, b = rows_of(1, 3, 3), rows_of(2, 3)
    A[2] = np.ones((3, 3))
    A[4] = np.nan
    A[5] = 0.0
    stages = (Kernel("solve", ("A", "b"), ("x",)), simple("one", {"x": (3,)}, lambda x: {"ok": ((), [number(1)])}))
    routine = Routine("solved", (Slot("A", (3, 3)), Slot("b", (3,))), (*stages, Emit("x", "ok")), 1, (False,) * 3)
    assert check(routine, A=A, b=b) == [1] * LANES
    A[:] = A[:1]  # none is singular, one is not finite
    A[3] = np.inf
    check(routine, A=A, b=b)
    check(eigenpairs(3), A=rows_of(3, 3, 3), b=b)


# --- loops -----------------------------------------------------------------------------------------------------------


def test_two_emits_in_a_loop_keep_the_order_of_turns():
    """Turn by turn, and the one with the wider tolerance sees what the other has kept in the turns before."""
    both = simple(
        "both", {"r": (2,)}, lambda r: {"a": ((2,), [r[0], r[1]]), "b": ((2,), [r[1], r[0]]), "ok": ((), [r[0] < 1])}
    )
    body = (both, Emit("a", "ok"), When("ok", (Emit("b", "ok", 0.5),)), Emit("r", "ok", -1.0))
    routine = Routine("two emits", (Slot("rows", (6, 2)),), (Each("rows", "r", body),), 9, (True, False))
    check(routine, rows=rows_of(4, 6, 2))


def test_nested_loops_in_the_order_of_turns():
    mixed = simple(
        "mixed",
        {"u": (3,), "v": (2,)},
        lambda u, v: {"q": ((2,), [u[0] + v[0], u[1] * v[1]]), "ok": ((), [u[2] < v[0]])},
    )
    outer = simple("outer", {"u": (3,)}, lambda u: {"p": ((2,), [u[0], u[1]]), "no": ((), [u[2] < 0])})
    inner = Each("V", "v", (mixed, Emit("q", "ok", 0.3)), "most")
    body = (outer, Emit("p", "no", 1.0), inner, Emit("p", "no"))
    routine = Routine(
        "nested", (Slot("U", (4, 3)), Slot("V", (3, 2)), Slot("most", ())), (Each("U", "u", body),), 30, (False, True)
    )
    most = np.array([0.0, 1.0, 2.0, 2.5, 3.0, 9.0, -1.0])
    check(routine, U=rows_of(5, 4, 3), V=rows_of(6, 3, 2), most=most)


SUM = simple("sum", {"s": (), "v": (2,)}, lambda s, v: {"s_now": ((), [s[0] + v[0] * v[1]])})
START = simple("start", {"U": (4, 2)}, lambda U: {"s": ((), [U[0] * 0]), "w": ((2,), [U[0], U[1]])})
SHOWN = simple("shown", {"s": (), "w": (2,)}, lambda s, w: {"q": ((3,), [s[0], *w]), "ok": ((), [number(1)])})
INPUTS = (Slot("U", (4, 2)), Slot("V", (3, 2)), Slot("most", ()))


def carried_sum(name="s"):
    return Run(SUM.program, {"s_now": name})


def test_loops_that_carry_an_array_and_loops_around_them():
    most = np.array([0.0, 1.0, 2.0, 3.0, 1.5, 9.0, -1.0])
    inner = Each("V", "v", (carried_sum(), SHOWN, Emit("q", "ok")), "most")
    around = Each("U", "w", (inner, SHOWN, Emit("q", "ok")))
    after = (SHOWN, Emit("q", "ok", -1.0))
    for stages in ((START, inner, *after), (START, around, *after)):
        check(Routine("carried", INPUTS, stages, 40, (False,) * 3), U=rows_of(7, 4, 2), V=rows_of(8, 3, 2), most=most)


def test_what_a_loop_leaves_behind_is_what_its_last_turn_made():
    most = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 9.0, -1.0])
    doubled = simple("doubled", {"v": (2,)}, lambda v: {"w": ((2,), [2 * v[0], v[1]]), "small": ((), [v[0] < 0.5])})
    now_and_then = (
        simple("try", {"v": (2,)}, lambda v: {"small": ((), [v[0] < 0.0])}),
        When("small", (simple("set", {"v": (2,)}, lambda v: {"w": ((2,), [3 * v[0], v[1]])}),)),
    )
    after = (SHOWN, Emit("q", "ok"))
    bodies = {
        "always": (doubled,),
        "now and then": now_and_then,
        "read after a choice": (*now_and_then, *after),
        "the row itself": (),
    }
    for name, body in bodies.items():
        row = "w" if not body else "v"
        stages = (START, Each("V", row, body, "most"), *after)
        routine = Routine(name, INPUTS, stages, 9, (False,) * 3)
        check(routine, U=rows_of(9, 4, 2), V=rows_of(10, 3, 2), most=most)
        outer = (START, Each("U", "u", (Each("V", row, body, "most"), *after)), *after)
        routine = Routine(name + ", twice", INPUTS, outer, 9, (False,) * 3)
        check(routine, U=rows_of(9, 4, 2), V=rows_of(10, 3, 2), most=most)


def test_the_number_of_solutions_is_read_by_programs_loops_and_choices():
    few = simple("few", {"count": (), "u": (2,)}, lambda count, u: {"few": ((), [count[0] < 2 + u[0]])})
    one = simple("one", {"u": (2,), "count": ()}, lambda u, count: {"q": ((2,), [u[0], count[0]]), "ok": ((), [1])})
    guarded = Each("U", "u", (few, When("few", (one, Emit("q", "ok"))), When("count", (one, Emit("q", "count")))))
    again = Each("U", "u", (one,), "count")
    shown = (
        simple("now", {"count": (), "k": ()}, lambda count, k: {"q": ((2,), [count[0], k[0]])}),
        Emit("q", "count"),
    )
    inputs = (Slot("U", (4, 2)), Slot("k", ()))
    routine = Routine("counts", inputs, (guarded, *shown, again, *shown), 12, (False, False))
    assert len(set(check(routine, U=rows_of(11, 4, 2), k=rows_of(12)))) > 1


# --- choices and iterations ------------------------------------------------------------------------------------------


def test_choices_that_hold_in_some_lanes():
    first = simple("first", {"a": (2,)}, lambda a: {"q": ((2,), [a[0], a[1]]), "low": ((), [a[0] < 0])})
    second = program("second", {"q": (2,)}, lambda q: {"to": ((2,), [q[1], q[0] * 2]), "lower": ((), [q[1] < 0])})
    second = Run(second, {"to": "q"})
    stages = (
        first,
        When("low", (second, When("lower", (second, Emit("q", "low"))), Emit("q", "low"))),
        simple("always", {"a": (2,)}, lambda a: {"ok": ((), [number(1)])}),
        Emit("q", "ok"),
    )
    check(Routine("choices", (Slot("a", (2,)),), stages, 5, (False, False)), a=rows_of(13, 2))
    check(Routine("choices", (Slot("a", (2,)),), stages, 5, (False, False)), a=np.full((LANES, 2), np.nan))


def test_newton_ends_early_fails_and_is_not_finite_in_some_lanes():
    start = simple("start", {"a": ()}, lambda a: {"x": ((), [a[0]])})
    step = program("step", {"a": (), "x": ()}, lambda a, x: {"dx": ((), [(x[0] * x[0] - 2) / (2 * x[0])])})
    shown = simple("shown", {"x": ()}, lambda x: {"q": ((1,), [x[0]]), "ok": ((), [number(1)])})
    a = np.array([0.0, 1.4142, 1e9, -3.0, np.nan, np.inf, 1e-300])
    for steps in (1, 4, 60):
        routine = Routine(
            "root", (Slot("a", ()),), (start, newton(step, steps, tolerance=1e-6), shown, Emit("q", "ok")), 1, (False,)
        )
        check(routine, a=a)


def test_newton_carries_what_its_stages_make():
    """A damping that grows from step to step, a choice inside, and arrays that are read after the iteration."""
    start = simple("start", {"a": ()}, lambda a: {"x": ((2,), [a[0], 1.0]), "g": ((), [0.5 + a[0] * 0])})
    step = simple(
        "step",
        {"a": (), "x": (2,), "g": ()},
        lambda a, x, g: {
            "dx": (
                (2,),
                [
                    g[0] * (x[0] - sin(a[0])),
                    select(a[0] > 1.5, 1 / (minimum(a[0], 1) - 1), x[1] / 3),
                ],
            ),
            "far": ((), [x[0] * x[0] > 0.1]),
            "g_now": ((), [g[0] * 1.1]),
        },
    )
    step = Run(step.program, {"g_now": "g"})
    slower = When("far", (Run(program("slower", {"g": ()}, lambda g: {"to": ((), [g[0] * 0.7])}), {"to": "g"}),))
    shown = simple("shown", {"x": (2,), "g": ()}, lambda x, g: {"q": ((3,), [*x, g[0]]), "ok": ((), [number(1)])})
    stages = (start, Newton((step, slower), 25, tolerance=1e-3), shown, Emit("q", "ok"))
    routine = Routine("carrying", (Slot("a", ()),), stages, 20, (False,) * 3)
    check(routine, a=np.linspace(-2, 2, LANES))
    inside = Newton((step, slower, shown, Emit("q", "ok")), 5, tolerance=1e-3)
    loop = Each("A", "a", (start, inside, Emit("q", "ok", 0.2)))
    opened = simple("first", {"A": (3,)}, lambda A: {"q": ((3,), list(A)), "ok": ((), [number(1)])})
    routine = Routine("in a loop", (Slot("A", (3,)),), (opened, loop, Emit("q", "ok")), 20, (False,) * 3)
    check(routine, A=rows_of(14, 3))


def test_newton_with_a_correction_that_is_given():
    start = simple("start", {"a": (2,)}, lambda a: {"x": ((2,), [a[0], a[1]]), "dx": ((2,), [a[1], a[0]])})
    shown = simple("shown", {"x": (2,)}, lambda x: {"ok": ((), [number(1)])})
    routine = Routine(
        "given", (Slot("a", (2,)),), (start, Newton((), 4, tolerance=0.5), shown, Emit("x", "ok")), 1, (False,) * 2
    )
    check(routine, a=rows_of(15, 2))
    nested = (start, Each("rows", "r", (Newton((), 3), Emit("x", "ok"))))
    flagged = simple("flags", {"a": (2,)}, lambda a: {"ok": ((), [number(1)])})
    inputs = (Slot("a", (2,)), Slot("rows", (3, 1)))
    routine = Routine("given, nested", inputs, (flagged, *nested), 9, (False,) * 2)
    check(routine, a=rows_of(15, 2), rows=rows_of(16, 3, 1))


# --- the rest --------------------------------------------------------------------------------------------------------


def test_parameters_defaults_and_programs_without_inputs():
    L, M = parameter("L"), parameter("M")
    table = simple("table", {}, lambda: {"rows": ((3, 2), [L, 1, 2, M, 5, L])}, (L, M))
    row = simple(
        "row", {"a": (), "r": (2,)}, lambda a, r: {"q": ((2,), [a[0] * r[0] * L, r[1]]), "ok": ((), [a[0] < 1])}, (L,)
    )
    routine = Routine("table", (Slot("a", ()),), (table, Each("rows", "r", (row, Emit("q", "ok")))), 4, (False, False))
    a = rows_of(17)
    check(routine, {"L": 0.25, "M": -1.0}, a=a)
    found = LanesOfRoutine(routine, {"L": 0.5, "M": 3.0})
    rows, total = routine.call(a=a[0], parameters={"L": 0.5, "M": 7.0})
    np.testing.assert_allclose(found(a=a, parameters={"M": 7.0})[0], rows[:total])
    assert found(a=a[:0]) == []


def test_no_more_than_most_are_kept():
    flags = simple("flags", {"rows": (6, 2)}, lambda rows: {"ok": ((6,), [row < 1.5 for row in rows[::2]])})
    routine = Routine(
        "most", (Slot("rows", (6, 2)),), (flags, Emit("rows", "ok"), Emit("rows", "ok", -1.0)), 4, (True,) * 2
    )
    assert max(check(routine, rows=rows_of(18, 6, 2))) == 4


@pytest.mark.parametrize("seed", range(30))
def test_random_routines(seed):
    """Stages drawn at random that read and write a handful of arrays."""
    routine = random_routine(seed)
    check(routine, a=rows_of(100 + seed, 2), table=rows_of(200 + seed, 3, 2))
