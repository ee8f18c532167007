"""Each pass keeps the values and the soundness of random programs, and the pipeline never raises the count."""

from __future__ import annotations

import pytest
from program.random_graphs import random_graph, random_values

from robosym.expr import cos, parameter, sin, variable
from robosym.program import Array, Program, lower, optimise_program, optimised, raise_program, verified
from robosym.program.passes import PASSES

a, b, c, d, e = (variable(name) for name in "abcde")
SEEDS = range(25)


def assert_same(first: Program, second: Program, seed: int) -> None:
    values = random_values(seed)
    before, after = first.evaluate(values)["y"], second.evaluate(values)["y"]
    assert after == pytest.approx(before, rel=1e-12, abs=1e-14)


@pytest.mark.mostly_slow(fast=23)
@pytest.mark.parametrize("name", PASSES)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_pass_keeps_values_and_soundness(name: str, seed: int) -> None:
    graph = random_graph(seed)
    assert_same(lower(graph), verified(lower(PASSES[name].run(graph))), seed)


@pytest.mark.mostly_slow(fast=10)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_pipeline_keeps_values(seed: int) -> None:
    graph = random_graph(seed)
    assert_same(lower(graph), verified(optimised(graph)), seed)


@pytest.mark.mostly_slow(fast=10)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_pipeline_never_costs_more(seed: int) -> None:
    graph = random_graph(seed)
    assert optimised(graph).operations.total <= lower(graph).operations.total


@pytest.mark.slow
def test_the_pipeline_finds_savings_on_random_programs() -> None:
    before = sum(lower(random_graph(seed)).operations.total for seed in SEEDS)
    after = sum(optimised(random_graph(seed)).operations.total for seed in SEEDS)
    assert after < 0.95 * before


def test_equal_and_unused_steps_of_a_foreign_program_fall_away() -> None:
    from robosym.expr import symbol
    from robosym.program import Step
    from robosym.program.program import ProgramError

    s, t, u = (symbol(name, "local") for name in ("s", "t", "u"))
    outputs = (Array("y", (1,), (s * t,)),)
    steps = (Step(s, sin(a) + b), Step(t, b + sin(a)), Step(u, cos(a)))
    program = Program("foreign", (Array("x", (2,), (a, b)),), (), (), steps, outputs)
    with pytest.raises(ProgramError, match="'u' is never used"):
        verified(program)
    better = verified(optimise_program(program))
    assert better.operations.as_dict() == {"mul": 1, "add": 1, "div": 0, "trig": 1, "other": 0, "strict": 2}


@pytest.mark.parametrize("seed", range(8))
def test_raising_and_lowering_changes_nothing_that_counts(seed: int) -> None:
    program = lower(random_graph(seed))
    again = verified(lower(raise_program(program)))
    assert again.operations == program.operations
    assert_same(program, again, seed)


def test_optimising_a_program_keeps_its_parameters_and_their_order() -> None:
    p, q = parameter("p"), parameter("q")
    program = Program(
        "kept", (Array("x", (1,), (a,)),), (q, p, parameter("unused")), (), (), (Array("y", (1,), (p * a + q * a,)),)
    )
    assert optimise_program(program).parameter_symbols == program.parameter_symbols
