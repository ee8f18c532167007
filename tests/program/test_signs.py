"""Signs out of the steps: no step is minus something, and every result stays."""

from __future__ import annotations

import pytest
from program.random_graphs import random_graph, random_values
from sample_programs import local

from robosym.expr import Expr, evaluate, sin, variable
from robosym.expr.algebra import split_sign
from robosym.program import lower
from robosym.program.program import Step
from robosym.program.signs import without_signs

a, b, c = variable("a"), variable("b"), variable("c")
S, T, U = local("S"), local("T"), local("U")


def values_of(steps: list[Step], results: list[Expr], values: dict[Expr, float]) -> list[float]:
    known = dict(values)
    for one in steps:
        known[one.symbol] = evaluate([one.expr], known)[0]
    return evaluate(results, known)


def test_users_subtract_where_they_added() -> None:
    steps = [Step(S, -a * b), Step(T, c * S), Step(U, -T)]
    found, results = without_signs(steps, [S, U * S, sin(U) + T, a])
    assert found == [Step(S, a * b), Step(T, c * S), Step(U, T)]
    assert results == [-S, -U * S, sin(U) - T, a]


def test_steps_without_signs_stay() -> None:
    steps = [Step(S, a * b), Step(T, c + S)]
    assert without_signs(steps, [T, -S]) == (steps, [T, -S])


@pytest.mark.parametrize("seed", range(10))
def test_every_result_stays(seed: int) -> None:
    program, values = lower(random_graph(seed)), random_values(seed)
    constants = dict(values)
    for one in program.precompute:
        constants[one.symbol] = evaluate([one.expr], constants)[0]
    results = list(program.outputs[0].entries)
    steps = [Step(one.symbol, -one.expr) if k % 3 == 0 else one for k, one in enumerate(program.steps)]
    found, changed = without_signs(steps, results)
    assert [one.symbol for one in found] == [one.symbol for one in steps]
    assert all(split_sign(one.expr)[0] > 0 for one in found)
    assert values_of(found, changed, constants) == pytest.approx(values_of(steps, results, constants), rel=1e-12)
