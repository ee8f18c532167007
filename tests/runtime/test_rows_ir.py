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

WIDTH = host().together
COUNTS = (1, WIDTH - 1, WIDTH, WIDTH + 1, 2 * WIDTH, 3 * WIDTH + 2)


def routine(count: int, every: int = 1, size: int = 3) -> Routine:
    """y = rows of a x1 + b / x2, x3 x1 - a, x2 and so on, and what the loop leaves behind."""
    a, b = variable("a"), variable("b")
    x = [variable(f"x{k}") for k in range(size)]
    shared, row = Array("shared", (2,), (a, b)), Array("row", (size,), tuple(x))
    mixed = [a * x[k] + b / x[k - 1] if k % 2 else x[k] * x[0] - a for k in range(size)]
    made = Array("made", (size,), (*mixed[:-1], x[-1]))
    program = optimised(Graph("row", (shared, row), (made,)))
    stages = (
        Fill("y", (count, size)),
        Repeat(count, (Take("x", "turn", "row", every), Run(program), Record("made", "y", "turn", every)), "turn"),
    )
    outputs = tuple(
        Slot(name, shape) for name, shape in (("y", (count, size)), ("row", (size,)), ("made", (size,)), ("turn", ()))
    )
    inputs = (Slot("shared", (2,)), Slot("x", (count, size)))
    return verified_routine(Routine("rows", inputs, outputs, stages, ("rows",)))


def even(one: Routine) -> bool:
    return is_even(one.stages[1], routine_facts(one, (), None), Lanes(WIDTH))


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize(("every", "size"), [(1, 3), (1, WIDTH), (1, 2 * WIDTH + 3), (2, 3)])
def test_the_same_as_one_turn_after_the_other(count: int, every: int, size: int) -> None:
    one = routine(count, every, size)
    assert even(one) == (every == 1 and WIDTH > 1 and count >= WIDTH)
    rng = np.random.default_rng(count)
    state = {"shared": rng.uniform(-1, 1, 2), "x": rng.uniform(0.5, 2, (count, size))}
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
