"""Routines run stage by stage: the interpreter does what the stages say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from program.routines import counting, outputs, program, roots_of_unity, rows

from robosym.expr import number, variable
from robosym.program import Array, Program, ProgramError
from robosym.program.routine import (
    Collect,
    Copy,
    Each,
    Fill,
    Newton,
    Repeat,
    Routine,
    Run,
    Slot,
    Take,
    When,
    verified_routine,
)

S = Slot("s", ())


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


def test_copy_leaves_what_was_copied():
    grow = program("grow", {"x": ()}, lambda x: {"x_now": ((), [x[0] + 1])})
    stages = (Copy("x", "before"), Run(grow, {"x_now": "x"}))
    made = verified_routine(Routine("r", (Slot("x", ()),), outputs(before=(), x=()), stages)).call(x=1)
    assert (made["before"], made["x"]) == (1, 2)


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
