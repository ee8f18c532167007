"""Nodes built again from their operation: themselves on their own arguments, the same function on others."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from robosym.expr import Expr, evaluate, expr, postorder, step, variable
from robosym.expr.functions import FUNCTIONS, WITHIN
from robosym.expr.rebuild import REBUILD, rebuild

from .strategies import expressions, points


def test_every_function_can_be_rebuilt() -> None:
    assert set(REBUILD) == {*FUNCTIONS, *WITHIN}


@settings(max_examples=100)
@given(expressions)
def test_on_its_own_arguments_a_node_is_itself(e: Expr) -> None:
    for node in postorder([step(e)]):
        if node.args:
            assert rebuild(node, node.args) is node


@settings(max_examples=50)
@given(expressions, points)
def test_on_numbers_it_is_the_same_function(e: Expr, point: dict[str, float]) -> None:
    for node in postorder([e]):
        if not node.args or node.op in WITHIN:
            continue
        values = [float(v) for v in evaluate(node.args, point)]
        symbols = [variable(f"u{k}") for k in range(len(values))]
        again = rebuild(node, symbols)
        expected = float(evaluate([node], point)[0])
        found = float(evaluate([again], dict(zip(symbols, values, strict=True)))[0])
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True), node


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_constructor_is_its_function(name: str) -> None:
    function = FUNCTIONS[name]
    symbols = [variable(f"u{k}") for k in range(function.arity)]
    built = REBUILD[name](*symbols)
    for values in ((0.3, 0.8, -0.7), (0.9, 0.2, 0.4), (0.5, 0.5, 0.1)):
        at = dict(zip(symbols, values, strict=False))
        expected = function.on_floats(*values[: function.arity])
        assert float(evaluate([expr(built)], at)[0]) == pytest.approx(float(expected), abs=1e-15)
