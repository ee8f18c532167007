"""What a person writes: +, -, *, /, ** and < between expressions and numbers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from .algebra import add2, divide, mul2, negate, number, subtract2
from .functions import absolute, less, less_equal, power
from .node import Expr, ExprError


def _operand(value: Any) -> Expr | None:
    """The node of a number; None when someone else (NumPy, SymPy) may know what to do with the value."""
    try:
        return number(value)
    except ExprError:
        if isinstance(value, (int, float, Fraction)):
            raise
        return None


def _forward(operation: Callable[[Expr, Expr], Expr]) -> Any:
    def method(self: Expr, other: Any) -> Any:
        right = other if other.__class__ is Expr else _operand(other)
        return NotImplemented if right is None else operation(self, right)

    return method


def _reflected(operation: Callable[[Expr, Expr], Expr]) -> Any:
    def method(self: Expr, other: Any) -> Any:
        left = _operand(other)
        return NotImplemented if left is None else operation(left, self)

    return method


def install() -> None:
    """Give the nodes their operators."""
    arithmetic: dict[str, Callable[[Any, Any], Expr]] = {
        "add": add2,
        "sub": subtract2,
        "mul": mul2,
        "truediv": divide,
        "pow": power,
    }
    methods: dict[str, Any] = {
        "__lt__": _forward(less),
        "__le__": _forward(less_equal),
        "__gt__": _forward(lambda a, b: less(b, a)),
        "__ge__": _forward(lambda a, b: less_equal(b, a)),
        "__neg__": negate,
        "__pos__": lambda self: self,
        "__abs__": absolute,
    }
    for name, operation in arithmetic.items():
        methods[f"__{name}__"] = _forward(operation)
        methods[f"__r{name}__"] = _reflected(operation)
    for name, method in methods.items():
        setattr(Expr, name, method)
