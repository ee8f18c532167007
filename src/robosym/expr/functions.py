"""The functions an expression may hold, as data: arity, float and array evaluation, derivative.

Adding a function is one line of ``FUNCTIONS`` (and one in each printer's table). The trigonometric constructors, which
take whole turns and signs out of angles, are in ``trig.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from . import floats
from .algebra import (
    LARGEST_EXPONENT,
    ONE,
    PLAIN_FACTOR,
    ZERO,
    ExprLike,
    divide,
    expr,
    mul,
    negate,
    number,
    power_product,
    split_coefficient,
    subtract2,
)
from .node import NUM, PROD, Expr, ExprError, intern
from .numbers import magnitude, pull_squares


@dataclass(frozen=True)
class Function:
    """One elementary function: how many arguments, how to evaluate it, its partial derivatives."""

    arity: int
    on_floats: Callable[..., float]
    on_arrays: str  # the name of the NumPy function
    partials: Callable[..., tuple[Expr, ...]] | None = None  # d f / d each argument; None: flat between its jumps
    commutative: bool = False


def _inverse_sine_slope(x: Expr) -> Expr:
    return divide(1, sqrt(subtract2(ONE, power(x, 2))))


def _squared_norm(x: Expr, y: ExprLike) -> Expr:
    return power(x, 2) + power(y, 2)


FUNCTIONS: dict[str, Function] = {
    "sin": Function(1, floats.or_nan(math.sin), "sin", lambda x: (apply("cos", x),)),
    "cos": Function(1, floats.or_nan(math.cos), "cos", lambda x: (negate(apply("sin", x)),)),
    "tan": Function(1, floats.or_nan(math.tan), "tan", lambda x: (1 + power(apply("tan", x), 2),)),
    "asin": Function(1, floats.or_nan(math.asin), "arcsin", lambda x: (_inverse_sine_slope(x),)),
    "acos": Function(1, floats.or_nan(math.acos), "arccos", lambda x: (negate(_inverse_sine_slope(x)),)),
    "atan": Function(1, math.atan, "arctan", lambda x: (divide(1, _squared_norm(x, 1)),)),
    "atan2": Function(
        2, math.atan2, "arctan2", lambda y, x: (x / _squared_norm(x, y), negate(y / _squared_norm(x, y)))
    ),
    "sqrt": Function(1, floats.or_nan(math.sqrt), "sqrt", lambda x: (divide(Fraction(1, 2), sqrt(x)),)),
    "abs": Function(1, abs, "abs", lambda x: (sign(x),)),
    "sign": Function(1, floats.sign, "sign"),
    "exp": Function(1, floats.or_nan(math.exp), "exp", lambda x: (exp(x),)),
    "log": Function(1, floats.log, "log", lambda x: (divide(1, x),)),
    "tanh": Function(1, math.tanh, "tanh", lambda x: (1 - power(tanh(x), 2),)),
    "floor": Function(1, floats.floor, "floor"),
    "min": Function(2, floats.minimum, "minimum", commutative=True),
    "max": Function(2, floats.maximum, "maximum", commutative=True),
    "pow": Function(2, floats.power, "power", lambda x, y: (y * power(x, y - 1), power(x, y) * log(x))),
    "lt": Function(2, lambda a, b: float(a < b), "less"),
    "le": Function(2, lambda a, b: float(a <= b), "less_equal"),
    "eq": Function(2, lambda a, b: float(a == b), "equal", commutative=True),
    "ne": Function(2, lambda a, b: float(a != b), "not_equal", commutative=True),
    "and": Function(2, lambda a, b: float(bool(a) and bool(b)), "logical_and", commutative=True),
    "or": Function(2, lambda a, b: float(bool(a) or bool(b)), "logical_or", commutative=True),
    "not": Function(1, lambda a: float(not a), "logical_not"),
    "select": Function(3, lambda c, a, b: a if c else b, "where"),
}
# What is in graphs and in no text or program: the angle of a sine and a cosine, whose squares must add up to one. Programs take
# atan2 for it.
WITHIN: dict[str, Function] = {"angle": Function(2, math.atan2, "arctan2", lambda s, c: (c, negate(s)))}
ALL_FUNCTIONS: dict[str, Function] = FUNCTIONS | WITHIN

# The functions whose value is 0 or 1.
CONDITIONS = frozenset(("lt", "le", "eq", "ne", "and", "or", "not"))
# The functions of exact numbers that are exact.
_EXACT = CONDITIONS | {"select", "sign", "abs", "min", "max", "floor"}


def apply(name: str, *arguments: ExprLike) -> Expr:
    """The node of a function of FUNCTIONS, with numbers folded when the value is exact or one of them is a float."""
    args = tuple([expr(a) for a in arguments])
    function = FUNCTIONS[name]
    if len(args) != function.arity:
        raise ExprError(f"{name} takes {function.arity} argument(s), got {len(args)}")
    if all(a.op == NUM for a in args):
        values = [a.value for a in args]
        if name in _EXACT:
            return number(_exact(name, values))
        if any(type(v) is float for v in values):
            return _folded(name, [float(v) for v in values])
    if function.commutative and args[1].key < args[0].key:
        args = (args[1], args[0])
    return intern(name, args)


def _exact(name: str, values: list[Any]) -> Any:
    if name == "floor":
        return math.floor(values[0])
    return FUNCTIONS[name].on_floats(*values)


def _folded(name: str, values: list[float]) -> Expr:
    result = FUNCTIONS[name].on_floats(*values)
    if not math.isfinite(result):
        raise ExprError(f"{name}({', '.join(map(str, values))}) has no finite value")
    return number(result)


# --- powers ----------------------------------------------------------------------------------------------------------


def power(base: ExprLike, exponent: ExprLike) -> Expr:
    """base^exponent; integer exponents become products, half-integer ones square roots; x^0 = 1."""
    base, exponent = expr(base), expr(exponent)
    if exponent.op == NUM:
        value = exponent.value
        if type(value) is int:
            if base.op in PLAIN_FACTOR and 1 < value <= LARGEST_EXPONENT:
                return intern(PROD, (base,), (value,))
            return power_product(((base, value),))
        if abs(value) <= LARGEST_EXPONENT and 2 * value == int(2 * value):
            return power_product(((sqrt(base), int(2 * value)),))
    if base is ONE:
        return ONE
    return apply("pow", base, exponent)


def sqrt(x: ExprLike) -> Expr:
    """The square root; of an exact number with its square factors taken out: sqrt(8) = 2 sqrt(2)."""
    x = expr(x)
    if x.op == NUM and type(x.value) is not float:
        if x.value < 0:
            raise ExprError(f"sqrt({x}) is not real")
        outside, inside = pull_squares(x.value)
        return number(outside) if inside == 1 else mul(outside, apply("sqrt", inside))
    return apply("sqrt", x)


def exp(x: ExprLike) -> Expr:
    """e^x."""
    x = expr(x)
    return ONE if x is ZERO else apply("exp", x)


def log(x: ExprLike) -> Expr:
    """The natural logarithm."""
    x = expr(x)
    if x.op == NUM and x.value <= 0:
        raise ExprError(f"log({x}) is not real")
    return ZERO if x is ONE else apply("log", x)


def tanh(x: ExprLike) -> Expr:
    """The hyperbolic tangent: odd, so that a sign stands outside."""
    x = expr(x)
    coefficient, _ = split_coefficient(x)
    if x is ZERO:
        return ZERO
    return negate(apply("tanh", negate(x))) if coefficient < 0 else apply("tanh", x)


# --- piecewise functions ---------------------------------------------------------------------------------------------


def absolute(x: ExprLike) -> Expr:
    """|x|."""
    coefficient, inner = split_coefficient(expr(x))
    return mul(magnitude(coefficient), apply("abs", inner))


def sign(x: ExprLike) -> Expr:
    """-1, 0 or 1; sign(0) = 0."""
    coefficient, inner = split_coefficient(expr(x))
    return mul(apply("sign", coefficient), apply("sign", inner))


def floor(x: ExprLike) -> Expr:
    """The largest integer that is not above x."""
    return apply("floor", x)


def minimum(a: ExprLike, b: ExprLike) -> Expr:
    """The smaller of a and b."""
    a, b = expr(a), expr(b)
    return a if a is b else apply("min", a, b)


def maximum(a: ExprLike, b: ExprLike) -> Expr:
    """The larger of a and b."""
    a, b = expr(a), expr(b)
    return a if a is b else apply("max", a, b)


# --- conditions: 1 where they hold, else 0 ---------------------------------------------------------------------------


def less(a: ExprLike, b: ExprLike) -> Expr:
    """The condition a < b."""
    a, b = expr(a), expr(b)
    return ZERO if a is b else apply("lt", a, b)


def less_equal(a: ExprLike, b: ExprLike) -> Expr:
    """The condition a <= b."""
    a, b = expr(a), expr(b)
    return ONE if a is b else apply("le", a, b)


def equal(a: ExprLike, b: ExprLike) -> Expr:
    """The condition a = b (Python's == compares the expressions themselves)."""
    a, b = expr(a), expr(b)
    return ONE if a is b else apply("eq", a, b)


def not_equal(a: ExprLike, b: ExprLike) -> Expr:
    """The condition a != b (Python's != compares the expressions themselves)."""
    a, b = expr(a), expr(b)
    return ZERO if a is b else apply("ne", a, b)


def as_condition(x: ExprLike) -> Expr:
    """x as something that holds or not: a condition itself, or else x != 0."""
    x = expr(x)
    return x if x.op in CONDITIONS else not_equal(x, ZERO)


def logical_and(a: ExprLike, b: ExprLike) -> Expr:
    """Both conditions hold."""
    a, b = as_condition(a), as_condition(b)
    if a is ZERO or b is ZERO:
        return ZERO
    return b if a is ONE or a is b else a if b is ONE else apply("and", a, b)


def logical_or(a: ExprLike, b: ExprLike) -> Expr:
    """One of the conditions holds, or both."""
    a, b = as_condition(a), as_condition(b)
    if a is ONE or b is ONE:
        return ONE
    return b if a is ZERO or a is b else a if b is ZERO else apply("or", a, b)


def logical_not(a: ExprLike) -> Expr:
    """The condition does not hold."""
    a = as_condition(a)
    return a.args[0] if a.op == "not" else apply("not", a)


def select(condition: ExprLike, a: ExprLike, b: ExprLike) -> Expr:
    """a where the condition holds (is not 0), else b."""
    condition, a, b = as_condition(condition), expr(a), expr(b)
    if condition.op == NUM:
        return a if condition.value else b
    if a is b:
        return a
    if condition.op == "not":
        condition, a, b = condition.args[0], b, a
    if a is ONE and b is ZERO:
        return condition
    return logical_not(condition) if a is ZERO and b is ONE else apply("select", condition, a, b)
