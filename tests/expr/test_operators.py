"""Operators between expressions and numbers on either side."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from robosym.expr import Expr, ExprError, evaluate, variable

x, y = variable("x"), variable("y")
AT = {"x": 1.75, "y": -0.4}
ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.truediv]
COMPARISONS = [operator.lt, operator.le, operator.gt, operator.ge]


def value(e: Expr, at: dict[str, float]) -> float:
    return float(evaluate([e], at)[0])


@pytest.mark.parametrize("other", [3, 2.5, Fraction(-7, 4), np.float64(0.75), np.int64(-2)])
@pytest.mark.parametrize("operation", ARITHMETIC)
def test_arithmetic(operation: Callable[[Any, Any], Any], other: Any) -> None:
    assert value(operation(x, y), AT) == pytest.approx(operation(1.75, -0.4))
    assert value(operation(x, other), AT) == pytest.approx(operation(1.75, float(other)))
    assert value(operation(other, x), AT) == pytest.approx(operation(float(other), 1.75))


def test_powers_and_signs() -> None:
    assert value(x**3, AT) == pytest.approx(1.75**3)
    assert value(x**y, AT) == pytest.approx(1.75**-0.4)
    assert value(2**x, AT) == pytest.approx(2**1.75)
    assert +x is x
    assert operator.neg(-x) is x
    assert value(-y, AT) == 0.4
    assert value(abs(y), AT) == 0.4


@pytest.mark.parametrize("operation", COMPARISONS)
def test_comparisons(operation: Callable[[Any, Any], Any]) -> None:
    for a, b in ((1.0, 2.0), (2.0, 1.0), (2.0, 2.0)):
        at = {"x": a, "y": b}
        assert value(operation(x, y), at) == operation(a, b)
        assert value(operation(x, 2), at) == operation(a, 2)
        assert value(operation(2, x), at) == operation(2, a)


def test_what_is_no_number_is_left_to_the_other_side() -> None:
    class Other:
        def __radd__(self, left: object) -> str:
            return "added"

        def __rsub__(self, left: object) -> str:
            return "subtracted"

    assert x + Other() == "added"  # type: ignore[comparison-overlap]
    assert x - Other() == "subtracted"  # type: ignore[comparison-overlap]
    with pytest.raises(TypeError):
        x + "1"
    with pytest.raises(TypeError):
        "1" * x
    assert (x * np.array([1, 2])).tolist() == [x, 2 * x]
    with pytest.raises(ExprError, match="finite"):
        x + float("nan")
