"""Routines: the verifier names what is wrong, the interpreter does what the stages say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robosym.expr import cos, expr, number, parameter, sin, variable
from robosym.generated.explain import stage_lines
from robosym.program import Array, Program, ProgramError
from robosym.program.json import dumps, loads
from robosym.program.kernels import KERNELS
from robosym.program.routine import (
    Collect,
    Copy,
    Each,
    Fill,
    Kernel,
    Newton,
    Record,
    Repeat,
    Routine,
    Run,
    Slot,
    Take,
    When,
    newton,
    relabelled,
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


def outputs(**shapes):
    return tuple(Slot(name, shape) for name, shape in shapes.items())


def roots_of_unity(steps=60):
    """The angles whose cosine is c: Newton from three starts, one of which leads to another's solution."""
    starts = program("starts", {"c": ()}, lambda c: {"x0": ((3,), [0.5 + c[0] * 0, 1.0, -1.0])})
    step = program("step", {"c": (), "x": ()}, lambda c, x: {"dx": ((), [(cos(x[0]) - c[0]) / -sin(x[0])])})
    row = program(
        "row", {"c": (), "x": ()}, lambda c, x: {"q": ((1,), [x[0]]), "ok": ((), [abs(cos(x[0]) - c[0]) < 1e-9])}
    )
    body = (newton(step, steps, tolerance=1e-15), Run(row), Collect("q", "ok", "found", "count", (1e-6,), (True,)))
    stages = (Run(starts), Fill("found", (4, 1)), Fill("count"), Each("x0", "x", body))
    return Routine("unity", (Slot("c", ()),), outputs(found=(4, 1), count=()), stages)


def test_each_newton_and_collect():
    made = verified_routine(roots_of_unity()).call(c=0.3)
    assert made["count"] == 2
    np.testing.assert_allclose(np.sort(made["found"][:2, 0]), [-math.acos(0.3), math.acos(0.3)], atol=1e-12)
    assert (made["found"][2:] == 0).all()


def test_newton_is_bounded_and_leaves_what_is_not_finite():
    assert roots_of_unity(steps=1).call(c=0.3)["count"] == 0
    blowup = program("p", {"x": ()}, lambda x: {"dx": ((), [1 / (x[0] - 2)])})
    stages = (Newton((Run(blowup),), 5),)
    assert Routine("r", (Slot("x", ()),), outputs(x=()), stages).call(x=2.0)["x"] == 2.0
    assert Routine("r", (Slot("x", ()),), outputs(x=()), stages).call(x=3.0)["x"] == 2.0  # one step, then 1/0


def rows(within, turns=(), most=8):
    stages = (Fill("kept", (most, 2)), Collect("rows", "there", "kept", "count", within, turns))
    inputs = (Slot("rows", (4, 2)), Slot("there", (4,)), Slot("count", ()))
    return verified_routine(Routine("rows", inputs, outputs(kept=(most, 2), count=()), stages))


def test_collect_takes_rows_once_and_angles_modulo_a_turn():
    given = [[0.1, 1.0], [0.1 + 2 * math.pi, 1.0 + 1e-9], [5.0, 5.0], [0.1, 1.0 + 2 * math.pi]]
    near = (1e-6, 1e-6)

    def count(routine, there=(1, 1, 1, 1), start=0.0):
        return routine.call(rows=given, there=there, count=start)["count"]

    made = rows(near, (True, True)).call(rows=given, there=[1, 1, 0, 1], count=0)
    assert (made["count"], made["kept"][0].tolist()) == (1, [0.1, 1.0])
    assert count(rows(near, (True, False)), (1, 1, 0, 1)) == 2
    assert count(rows(near)) == 4
    assert count(rows(near, most=3)) == 3
    assert count(rows(())) == 4  # whatever is there
    assert count(rows((1e-6, 7.0), (True, False))) == 2
    assert count(rows(near), (math.nan, 0, 0, -1)) == 2  # everything but zero is true


@pytest.mark.parametrize(("start", "rows_there"), [(math.nan, 0), (-3.0, 0), (2.9, 2), (99.0, 4), (math.inf, 4)])
def test_collect_takes_a_count_that_is_none_for_the_nearest(start, rows_there):
    made = rows((), most=4).call(rows=np.ones((4, 2)), there=[1, 0, 0, 0], count=start)
    assert made["count"] == min(rows_there + 1, 4)
    assert made["kept"][:, 0].sum() == (rows_there < 4)


def test_when_and_loops_over_the_first_rows():
    few = program("few", {"count": ()}, lambda count: {"few": ((), [count[0] < 2])})
    one = program("one", {"x": (2,)}, lambda x: {"q": ((2,), [1.0 * x[0], 2 * x[1]]), "ok": ((), [number(1)])})
    inner = (Run(few), When("few", (Run(one), Collect("q", "ok", "kept", "count"))))
    stages = (Fill("kept", (9, 2)), Fill("count"), Each("table", "x", inner, count="most"))
    inputs = (Slot("table", (5, 2)), Slot("most", ()))
    routine = verified_routine(Routine("r", inputs, outputs(kept=(9, 2), count=()), stages))
    table = np.arange(10.0).reshape(5, 2)
    assert routine.call(table=table, most=5)["count"] == 2  # not more, for the guard
    assert routine.call(table=table, most=1)["count"] == 1
    assert routine.call(table=table, most=math.nan)["count"] == 0
    np.testing.assert_allclose(routine.call(table=table, most=5)["kept"][:2], [[0, 2], [2, 6]])


def test_otherwise_makes_what_is_read_after_it():
    stages = (When("a", (Fill("x", (), 1.0),), (Fill("x", (), 2.0),)),)
    routine = verified_routine(Routine("r", (Slot("a", ()),), outputs(x=()), stages))
    assert [float(routine.call(a=a)["x"]) for a in (1, 0, -0.0, math.nan)] == [1, 2, 2, 1]


def counting(times, until=None):
    """x grows by one at each turn; every second x is recorded."""
    grow = program("grow", {"x": ()}, lambda x: {"x_now": ((), [x[0] + 1]), "done": ((), [x[0] + 1 >= 5])})
    loop = Repeat(times, (Run(grow, {"x_now": "x"}), Record("x", "seen", "k", 2)), "k", until)
    stages = (Fill("seen", (3,)), loop)
    given = (Slot("x", ()), *([Slot(times, ())] if isinstance(times, str) else []))
    return verified_routine(Routine("r", given, outputs(x=(), seen=(3,)), stages))


def test_repeat_records_and_keeps_state():
    made = counting(4).call(x=10.0)
    assert made["x"] == 14
    assert made["seen"].tolist() == [11, 13, 0]
    assert counting(9).call(x=0)["seen"].tolist() == [1, 3, 5]  # no row for the others
    assert counting(9, "done").call(x=0)["x"] == 5
    for times, turns in ((3.0, 3), (3.7, 3), (0.0, 0), (-1.0, 0), (math.nan, 0)):
        assert counting("n").call(x=0, n=times)["x"] == turns
    assert counting("n", "done").call(x=0, n=math.inf)["x"] == 5


@pytest.mark.parametrize(
    ("turn", "rows"),
    [  # the rows that a turn, and half of it, stand for in a table of three
        (0.0, (0, 0)),
        (-0.0, (0, 0)),
        (0.999, (0, 0)),
        (1.0, (1, 0)),
        (1.999, (1, 0)),
        (2.0, (2, 1)),
        (3.999, (2, 1)),
        (4.0, (2, 2)),
        (-0.5, (0, 0)),
        (-7.0, (0, 0)),
        (1e300, (2, 2)),
        (-1e300, (0, 0)),
        (math.inf, (2, 2)),
        (-math.inf, (0, 0)),
        (math.nan, (0, 0)),
    ],
)
def test_take_has_a_row_for_every_turn(turn, rows):
    """Scalars, vectors and matrices."""
    for shape in ((), (2,), (2, 3)):
        table = np.random.default_rng(0).standard_normal((3, *shape))
        stages = (Take("table", "turn", "one"), Take("table", "turn", "two", 2))
        given = (Slot("table", table.shape), Slot("turn", ()))
        routine = verified_routine(Routine("r", given, outputs(one=shape, two=shape), stages))
        made = routine.call(table=table, turn=turn)
        assert made["one"].tolist() == table[rows[0]].tolist()
        assert made["two"].tolist() == table[rows[1]].tolist()


def test_take_reads_the_turn_before_it_writes_over_it():
    stages = (Repeat(2, (Take("next", "x", "x"),)),)
    routine = verified_routine(Routine("r", (Slot("next", (3,)), Slot("x", ())), outputs(x=()), stages))
    assert [float(routine.call(next=[2.0, 0.0, 1.0], x=x)["x"]) for x in (0, 1, 2)] == [1, 2, 0]


def test_take_is_relabelled_and_read_back():
    stage = Take("t", "k", "x", 4)
    assert relabelled([stage], "a_{}".format) == (Take("a_t", "a_k", "a_x", 4),)
    routine = Routine("r", (Slot("t", (3, 2)), Slot("k", ())), outputs(x=(2,)), (stage, Take("t", "k", "x")))
    assert loads(dumps(routine)) == routine
    assert list(stage_lines(routine.stages, 1)) == ["  x = row k / 4 of t", "  x = row k of t"]


def test_copy_leaves_what_was_copied():
    grow = program("grow", {"x": ()}, lambda x: {"x_now": ((), [x[0] + 1])})
    stages = (Copy("x", "before"), Run(grow, {"x_now": "x"}))
    made = verified_routine(Routine("r", (Slot("x", ()),), outputs(before=(), x=()), stages)).call(x=1)
    assert (made["before"], made["x"]) == (1, 2)


def test_operations_are_those_of_every_call():
    grow = program("grow", {"x": ()}, lambda x: {"x_now": ((), [3 * x[0] + 1])})
    run = Run(grow, {"x_now": "x"})
    once = Routine("r", (Slot("x", ()),), outputs(x=()), (run, Repeat(5, (run,)), When("x", (run,))))
    assert (once.operations.mul, once.operations.add) == (6, 6)
    table = Routine("r", (Slot("x", ()), Slot("t", (4,))), outputs(x=()), (Each("t", "row", (run,)),))
    assert table.operations.mul == 4


def test_parameters_are_handed_to_every_program():
    L = parameter("L")
    one = program("p", {"a": ()}, lambda a: {"q": ((), [a[0] * L])}, (L,))
    routine = Routine("r", (Slot("a", ()),), outputs(q=()), (Run(one),))
    assert routine.parameter_symbols == (L,)
    assert routine.call(a=2.0, parameters={"L": 0.25})["q"] == 0.5


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


@pytest.mark.parametrize(
    ("count", "order"),
    [(4.0, [2, 0, 3, 1]), (3.0, [2, 0, 1, 3]), (math.nan, [0, 1, 2, 3]), (99.0, [2, 0, 3, 1]), (-1.0, [0, 1, 2, 3])],
)
def test_sort_is_stable_and_puts_nan_last(count, order):
    (made,) = KERNELS["sort"].reference(np.arange(4.0)[:, None], np.array([1.0, math.nan, 0.5, 1.0]), np.array(count))
    assert made[:, 0].tolist() == order


TWO = program("two", {"x": (2,)}, lambda x: {"Q": ((1, 2), [1.0 * x[0], 1.0 * x[1]]), "valid": ((1,), [number(1)])})
X2, S, T32 = Slot("x", (2,)), Slot("s", ()), Slot("t", (3, 2))


@pytest.mark.parametrize(
    ("stages", "inputs", "problem"),
    [
        ([Run(TWO)], [], "program 'two' uses 'x' before it is defined"),
        ([Run(TWO)], [Slot("x", (3,))], r"expects 'x' of shape \(2,\), it is of shape \(3,\)"),
        ([Run(TWO, {"x": "y", "zz": "x"})], [Slot("y", (2,))], "has no array 'zz'"),
        ([Run(TWO, {"Q": "x"})], [X2], "writes over 'x', which is given"),
        ([Run(TWO, {"Q": "same", "valid": "same"})], [X2], "'same', 'same' must be different arrays"),
        ([Run(TWO), Run(TWO, {"valid": "Q", "Q": "o"})], [X2], r"makes 'Q' of shape \(1,\), it is of shape \(1, 2\)"),
        ([Kernel("eig", ("x",), ("y",))], [X2], "no kernel 'eig'.*eigenvalues"),
        ([Kernel("eigenvalues", ("x",), ("y",))], [X2], r"takes A \(n, n\)"),
        ([Fill("A", (2, 2)), Kernel("solve", ("A", "x"), ("A",))], [X2], "must be different arrays"),
        ([Copy("x", "x")], [X2], "Copy: 'x', 'x' must be different arrays"),
        ([Fill("x", (2,))], [X2], "Fill writes over 'x', which is given"),
        ([Collect("x", "s", "into", "s")], [X2, S], "Collect uses 'into' before it is defined"),
        ([Fill("o", (3, 3)), Fill("c"), Collect("x", "s", "o", "c")], [X2, S], "are no rows of 'o'"),
        ([Fill("o", (3, 2)), Fill("c"), Collect("x", "x", "o", "c")], [X2], "Collect expects 'x' of shape"),
        ([Fill("o", (3, 2)), Fill("c"), Collect("x", "s", "o", "c", (1.0,))], [X2, S], "within has 1 entries"),
        ([Fill("o", (3, 2)), Fill("c"), Collect("x", "s", "o", "c", (1.0, math.inf))], [X2, S], "finite numbers"),
        ([Fill("o", (3, 2)), Collect("x", "s", "o", "s")], [X2, S], "Collect writes over 's', which is given"),
        ([Fill("o", (3, 3)), Record("x", "o", "s")], [X2, S], "is no row of 'o'"),
        ([Fill("o", (3, 2)), Record("x", "o", "s", 0)], [X2, S], "Record: every must be a whole number from 1"),
        ([Take("u", "s", "o")], [S], "Take uses 'u' before it is defined"),
        ([Take("t", "u", "o")], [T32], "Take uses 'u' before it is defined"),
        ([Take("t", "x", "o")], [T32, X2], r"Take expects 'x' of shape \(\), it is of shape \(2,\)"),
        ([Take("s", "s", "o")], [S], r"Take: 's' of shape \(\) has no rows, expected at least one"),
        ([Take("e", "s", "o")], [S, Slot("e", (0,))], r"Take: 'e' of shape \(0,\) has no rows, expected at least one"),
        ([Take("t", "s", "x")], [S, T32, X2], "Take writes over 'x', which is given"),
        ([Fill("o"), Take("t", "s", "o")], [S, T32], r"Take makes 'o' of shape \(2,\), it is of shape \(\)"),
        ([Fill("w", (2, 2)), Take("w", "s", "w")], [S], "Take: 'w', 'w' must be different arrays"),
        ([Take("x", "s", "o", 0)], [X2, S], "Take: every must be a whole number from 1 to 9007199254740992"),
        ([Take("x", "s", "o", 2.0)], [X2, S], "Take: every must be a whole number from 1"),
        ([Repeat(3, (Take("x", "k", "k"),), "k")], [X2], "its stages change 'k', which says what it goes over"),
        ([When("s", (Take("x", "s", "o"),))], [X2, S], "an output uses 'o' before it is defined"),
        ([Each("s", "r", ())], [S], "is a scalar and has no rows"),
        ([Each("x", "r", (Fill("o"),))], [X2], "an output uses 'o' before it is defined"),
        ([Repeat("s", (Fill("o"),))], [S], "an output uses 'o' before it is defined"),
        ([Repeat(-1, ())], [], "Repeat: times must be a whole number from 0"),
        ([Repeat(2**63, ())], [], "Repeat: times must be a whole number from 0 to 9007199254740992"),
        ([Repeat(np.int64(3), ())], [], "Repeat: times must be a whole number"),
        ([Repeat(True, ())], [], "Repeat: times must be a whole number"),
        ([Fill("a", (2, -1))], [], r"'a' of shape \(2, -1\): expected whole numbers of at least 0"),
        ([Fill("a", (2.0,))], [], "expected whole numbers of at least 0"),
        ([Fill("a", (2**20, 2**12))], [], "has more than 2147483647 entries"),
        ([], [Slot("a", (2**31,))], "has more than 2147483647 entries"),
        ([Fill("n"), Repeat("n", (Fill("n"),))], [], "its stages change 'n', which says what it goes over"),
        ([Repeat(3, (Fill("k"),), "k")], [], "its stages change 'k', which says what it goes over"),
        ([Repeat(3, (), None, "d")], [], "Repeat uses 'd' before it is defined"),
        ([When("x", ())], [X2], "When expects 'x' of shape"),
        ([When("s", (Fill("o"),))], [S], "an output uses 'o' before it is defined"),
        ([Each("t", "u", (Newton((), 3, "u", "t"),))], [T32], "Newton expects 't' of shape"),
        ([Each("t", "u", (Newton((), 0, "u", "u"),))], [T32], "Newton: steps must be a whole number from 1"),
        ([Each("t", "u", (Newton((), 2**31, "u", "t"),))], [T32], "Newton: steps must be a whole number from 1"),
        ([Each("t", "u", (Newton((), 2, "u", "u"),))], [T32], "'u' is the unknown and its correction"),
        ([Run(TWO), Each("Q", "r", (Run(TWO),))], [X2], "its stages change 'Q', which says what it goes over"),
        ([], [X2, X2], "the names of inputs must differ"),
    ],
)
def test_the_verifier_names_what_is_wrong(stages, inputs, problem):
    routine = Routine("r", tuple(inputs), outputs(o=()), tuple(stages))
    with pytest.raises(ProgramError, match=problem):
        verified_routine(routine)


def nested(depth):
    stages = (Fill("o"),)
    for _ in range(depth - 1):
        stages = (When("o", stages),)
    return Routine("r", (), outputs(o=()), (Fill("o"), *stages))


def test_stages_inside_each_other_are_as_deep_as_json_reads_them():
    assert loads(dumps(verified_routine(nested(60)))) == nested(60)
    for depth in (61, 5000):
        with pytest.raises(ProgramError, match="more than 60 stages inside each other"):
            verified_routine(nested(depth))


def test_a_routine_has_outputs():
    with pytest.raises(ProgramError, match="there is no output"):
        verified_routine(Routine("r", (), (), ()))
    with pytest.raises(ProgramError, match=r"an output expects 'x' of shape \(3,\)"):
        verified_routine(Routine("r", (), outputs(x=(3,)), (Fill("x", (2,)),)))


def test_a_sound_routine_has_no_violations():
    assert routine_violations(roots_of_unity()) == []
    assert [slot.name for slot in roots_of_unity().workspace] == ["x0", "x", "dx", "q", "ok"]
    assert [slot.name for slot in counting(3).state] == ["x"]


def test_calls_that_do_not_fit_are_named():
    with pytest.raises(ProgramError, match="input 'c' of shape"):
        roots_of_unity().call()
    with pytest.raises(ProgramError, match="has shape"):
        roots_of_unity().call(c=[1.0])
    with pytest.raises(ProgramError, match="unknown input 'd'"):
        roots_of_unity().call(c=0.1, d=2)


@pytest.mark.parametrize("name", ["self", "parameters", "out", "x, y"])
def test_arrays_of_programs_have_any_name(name):
    double = Program(
        "double", (Array(name, (), (variable("v"),)),), (), (), (), (Array("y", (), (2 * variable("v"),)),)
    )
    assert Routine("r", (Slot("a", ()),), outputs(y=()), (Run(double, {name: "a"}),)).call(a=3)["y"] == 6
    if name != "parameters":
        assert double.call(**{name: 3})["y"] == 6
        assert Routine("r", (Slot(name, ()),), outputs(y=()), (Run(double),)).call(**{name: 3})["y"] == 6


def test_outputs_are_arrays_apart_from_each_other():
    made = Routine("r", (S,), outputs(s=(), o=(), x=(2,)), (Copy("s", "o"), Fill("x", (2,)))).call(s=1.0)
    made["o"][...] = 5.0
    assert made["s"] == 1.0
    step = Routine("r", (S,), outputs(s=()), (Newton((Fill("dx", (), 0.5),), 1, "s"),))
    assert isinstance(step.call(s=2.0)["s"], np.ndarray)


def test_an_input_without_entries_need_not_be_given():
    routine = Routine("r", (Slot("A", (0, 3)), S), outputs(s=()), (Each("A", "row", (Fill("s"),)),))
    assert routine.call(s=4.0)["s"] == 4.0
    none = Program("none", (Array("A", (0,), ()),), (), (), (), (Array("y", (), (number(1),)),))
    assert none.call()["y"] == 1
