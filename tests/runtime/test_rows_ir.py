"""A loop that runs a program on every row of an array gives what one turn after the other gives, to the last bit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from robosym.codegen.routines.facts import routine_facts
from robosym.expr import variable
from robosym.program import Array, Graph, optimised
from robosym.program.routine import Fill, Record, Repeat, Routine, Run, Slot, Take, verified_routine, walk
from robosym.runtime.assembly import Lanes
from robosym.runtime.function import compile_program
from robosym.runtime.host import host
from robosym.runtime.rows_ir import is_even, lying_by_columns

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


def through_programs(count: int, size: int, often: bool) -> Routine:
    """x twice as large by one program, its rows in a loop, the results gathered by columns by another, which may run once more."""
    one = routine(count, 1, size)
    x = [variable(f"x{k}") for k in range(count * size)]
    z = [variable(f"z{k}") for k in range(count * size)]
    shape = (count, size)
    doubled = optimised(
        Graph("doubled", (Array("given", shape, tuple(x)),), (Array("x", shape, tuple(2 * e for e in x)),))
    )
    turned = tuple(z[i * size + j] for j in range(size) for i in range(count))
    gathered = optimised(Graph("gathered", (Array("y", shape, tuple(z)),), (Array("out", (size, count), turned),)))
    again = (Run(gathered, {"y": "x", "out": "more"}),) if often else ()
    kept = tuple(slot for slot in one.outputs if slot.name != "y")
    outputs = (Slot("out", (size, count)), *kept, *([Slot("more", (size, count))] if often else []))
    inputs = (one.inputs[0], Slot("given", shape))
    return verified_routine(Routine("through", inputs, outputs, (Run(doubled), *one.stages, Run(gathered), *again)))


@pytest.mark.mostly_slow(fast=31)
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("size", [2, WIDTH, 2 * WIDTH + 3])
@pytest.mark.parametrize("often", [False, True])
def test_arrays_between_programs_and_loops_lie_by_columns(count: int, size: int, often: bool) -> None:
    """A program that runs on two arrays takes both as they are described."""
    one = through_programs(count, size, often)
    facts = routine_facts(one, (), None)
    loops = [stage for stage in walk(one.stages) if is_even(stage, facts, Lanes(WIDTH))]
    expected_across = ({"x", "y"} - ({"x", "y"} if often else set())) if loops else set()
    assert lying_by_columns(facts, loops) == expected_across
    rng = np.random.default_rng(size)
    state = {"shared": rng.uniform(-1, 1, 2), "given": rng.uniform(0.5, 2, (count, size))}
    expected, found = one.call(**state), compile_program(one)(**state)
    for name, x in expected.items():
        np.testing.assert_array_equal(found[name], x, err_msg=name)
