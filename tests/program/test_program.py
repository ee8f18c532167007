"""Programs as data: their shapes, counts and needs, and calls that do not fit."""

from __future__ import annotations

import numpy as np
import pytest
from program.random_graphs import random_graph, random_values
from sample_programs import arm, constant, every_function, local, vector

from robosym.expr import cos, evaluate, free_symbols, parameter, sin, variable
from robosym.expr.count import Operations
from robosym.program import Array, Program, ProgramError, Rate, lower
from robosym.program.program import Step, live_steps, symbols_of

x, y, v = variable("x"), variable("y"), variable("v")
L, K = parameter("L"), parameter("K")


def test_arrays_hold_as_many_entries_as_their_shape_says() -> None:
    Array("T", (2, 2), (x, y, x, y))
    Array("s", (), (x,))
    with pytest.raises(ProgramError, match=r"array 'T' of shape \(2, 2\) cannot hold 3 entries"):
        Array("T", (2, 2), (x, y, x))
    with pytest.raises(ProgramError, match="array 'q' has 2 entries and the rates of 1"):
        Array("q", (2,), (x, y), Rate(Array("qd", (1,), (v,)), (v,)))
    assert Array("q", (2,), (x, y), Rate(Array("qd", (1,), (v,)), (v, 2 * v))).rate is not None


def test_operations_count_each_node_once_wherever_it_stands() -> None:
    S, A = local("S"), constant("A")
    program = Program(
        "p",
        (vector("x", [x, y]),),
        (L, K),
        (Step(A, L * K + 1),),
        (Step(S, sin(x + y) * A),),
        (vector("o", [S * sin(x + y), S * x + cos(x), S * x]),),
    )
    assert program.operations == Operations(mul=3, add=2, trig=2, derived_angles=1)
    assert program.precompute_operations == Operations(mul=1, add=1)


def test_an_angle_that_is_a_step_is_looked_up() -> None:
    A = local("A")
    derived = Program("p", (vector("x", [x, y]),), (), (), (Step(A, x + y),), (vector("o", [sin(A), cos(A)]),))
    plain = Program("p", (vector("x", [x, y]),), (), (), (), (vector("o", [sin(x), cos(x)]),))
    assert (derived.operations.derived_angles, plain.operations.derived_angles) == (1, 0)


@pytest.mark.parametrize("seed", range(5))
def test_live_steps_are_those_that_results_depend_on(seed: int) -> None:
    program = lower(random_graph(seed))
    for wanted in (program.outputs[0].entries[:1], program.outputs[0].entries[-1:]):
        needed, grown = set(free_symbols(*wanted)), True
        while grown:
            more = {s for one in program.steps if one.symbol in needed for s in free_symbols(one.expr)}
            grown = not more <= needed
            needed |= more
        assert live_steps(program.steps, wanted) == [one for one in program.steps if one.symbol in needed]


def test_parameters_that_are_used() -> None:
    A = constant("A")
    program = Program("p", (vector("x", [x]),), (K, L), (Step(A, L + 1),), (), (vector("o", [A * x]),))
    assert program.used_parameters == (L,)
    assert program.roots == [A * x]
    assert symbols_of(arm().inputs) == [variable("q1"), variable("q2")]


@pytest.mark.parametrize("seed", range(4))
def test_values_by_symbol_or_name(seed: int) -> None:
    graph = random_graph(seed)
    program, values = lower(graph), random_values(seed)
    expected = evaluate(graph.roots, values)
    assert program.evaluate(values)["y"] == pytest.approx(expected, rel=1e-12)
    assert (
        program.evaluate({symbol.name: value for symbol, value in values.items()})["y"] == program.evaluate(values)["y"]
    )


def test_calls_give_arrays() -> None:
    found = arm().call(q=[0.4, -1.1], parameters={"L1": 0.5, "L2": 0.25})
    c, s = np.cos(-0.7), np.sin(-0.7)
    np.testing.assert_allclose(found["rotation"], [[c, -s], [s, c]])
    np.testing.assert_allclose(found["tip"][:2], [0.5 * np.cos(0.4) + 0.25 * c, 0.5 * np.sin(0.4) + 0.25 * s])
    names = list(every_function().call(x=[0.2, 0.3, 0.4]))
    assert len(names) == len(every_function().outputs)


@pytest.mark.parametrize(
    ("given", "parameters", "problem"),
    [
        ({}, {}, r"input 'q' of shape \(2,\) is not given"),
        ({"q": [1.0]}, {}, r"input 'q' has shape \(1,\), expected \(2,\)"),
        ({"q": [[1.0, 2.0]]}, {}, r"input 'q' has shape \(1, 2\)"),
        ({"q": [1.0, 2.0], "z": 1, "w": 2}, {}, r"unknown input 'z', 'w' \(inputs: q\)"),
        ({"q": [1.0, 2.0]}, {"L1": [1.0, 2.0]}, r"parameter 'L1' has shape \(2,\), expected a number"),
    ],
)
def test_calls_that_do_not_fit(given: dict[str, object], parameters: dict[str, object], problem: str) -> None:
    with pytest.raises(ProgramError, match=problem):
        arm().call(parameters={"L1": 1.0, "L2": 1.0} | parameters, **given)
