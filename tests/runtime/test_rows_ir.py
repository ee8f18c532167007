"""A loop that runs a program on every row of an array gives what one turn after the other gives, to the last bit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from robosym.codegen.routines.facts import routine_facts
from robosym.expr import variable
from robosym.program import Array, Graph, optimised
from robosym.program.routine import Fill, Record, Repeat, Routine, Run, Slot, Take, verified_routine
from robosym.runtime.assembly import Lanes
from robosym.runtime.function import compile_program
from robosym.runtime.host import host
from robosym.runtime.rows_ir import is_even

WIDTH = host().lanes
COUNTS = (1, WIDTH - 1, WIDTH, WIDTH + 1, 2 * WIDTH, 3 * WIDTH + 2)


def routine(count: int, every: int = 1) -> Routine:
    """y = rows of (a x1 + b / x2, x3 x1 - a, x2), and what the loop leaves behind."""
    a, b = variable("a"), variable("b")
    x = [variable(f"x{k}") for k in (1, 2, 3)]
    shared, row = Array("shared", (2,), (a, b)), Array("row", (3,), tuple(x))
    made = Array("made", (3,), (a * x[0] + b / x[1], x[2] * x[0] - a, x[1]))
    program = optimised(Graph("row", (shared, row), (made,)))
    stages = (
        Fill("y", (count, 3)),
        Repeat(count, (Take("x", "turn", "row", every), Run(program), Record("made", "y", "turn", every)), "turn"),
    )
    outputs = tuple(Slot(name, shape) for name, shape in (("y", (count, 3)), ("row", (3,)), ("made", (3,)), ("turn", ())))
    inputs = (Slot("shared", (2,)), Slot("x", (count, 3)))
    return verified_routine(Routine("rows", inputs, outputs, stages, ("rows",)))


def even(one: Routine) -> bool:
    return is_even(routine_facts(one, (), None), one.stages[1], Lanes(WIDTH))


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("every", [1, 2])
def test_the_same_as_one_turn_after_the_other(count: int, every: int) -> None:
    one = routine(count, every)
    assert even(one) == (every == 1 and WIDTH > 1 and count >= WIDTH)
    rng = np.random.default_rng(count)
    state = {"shared": rng.uniform(-1, 1, 2), "x": rng.uniform(0.5, 2, (count, 3))}
    expected, found = one.call(**state), compile_program(one)(**state)
    for name, x in expected.items():
        np.testing.assert_array_equal(found[name], x, err_msg=name)


def test_a_loop_that_ends_early_or_reads_what_it_makes_is_not_even() -> None:
    one = routine(2 * WIDTH)
    loop = one.stages[1]
    assert isinstance(loop, Repeat)
    assert not even(replace(one, stages=(one.stages[0], replace(loop, until="turn"))))
    take, run, record = loop.stages
    assert isinstance(run, Run)
    other = replace(run, names={"shared": "made"})
    assert not even(replace(one, stages=(Fill("made", (2,)), replace(loop, stages=(take, other, record)))))
