"""The functions an expression may hold, as data: arity, float and array evaluation, derivative.

Adding a function is one line of ``FUNCTIONS`` (and one in each printer's table).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .algebra import ONE, ZERO, ExprLike, add, expr, is_scaled, linear, negate, number, pi, power, split_coefficient
from .node import CONSTANT, LIN, NUM, Expr, ExprError, Number, intern

Partials = Callable[..., tuple[Expr, ...]]


@dataclass(frozen=True)
class Function:
    """One elementary function: how many arguments, how to evaluate it, its partial derivatives."""

    arity: int
    on_floats: Callable[..., float]
    on_arrays: str  # the name of the NumPy function
    partials: Partials | None  # given the arguments, d f / d each; None for a function without slope (sign, <)
    commutative: bool = False


def _or_nan(function: Callable[..., float]) -> Callable[..., float]:
    """IEEE behaviour for Python's math functions: a point outside the domain gives nan, as compiled code does."""

    def guarded(*values: float) -> float:
        try:
            return function(*values)
        except (ValueError, ZeroDivisionError):
            return math.nan
        except OverflowError:
            return math.inf

    return guarded


def _sign(x: float) -> float:
    return float((x > 0) - (x < 0)) if x == x else x


def _float_pow(x: float, y: float) -> float:
    result = x**y
    return math.nan if isinstance(result, complex) else result


FUNCTIONS: dict[str, Function] = {
    "sin": Function(1, _or_nan(math.sin), "sin", lambda x: (cos(x),)),
    "cos": Function(1, _or_nan(math.cos), "cos", lambda x: (-sin(x),)),
    "tan": Function(1, _or_nan(math.tan), "tan", lambda x: (1 + tan(x) ** 2,)),
    "asin": Function(1, _or_nan(math.asin), "arcsin", lambda x: (1 / sqrt(1 - x**2),)),
    "acos": Function(1, _or_nan(math.acos), "arccos", lambda x: (-1 / sqrt(1 - x**2),)),
    "atan": Function(1, math.atan, "arctan", lambda x: (1 / (1 + x**2),)),
    "atan2": Function(2, math.atan2, "arctan2", lambda y, x: (x / (x**2 + y**2), -y / (x**2 + y**2))),
    "sqrt": Function(1, _or_nan(math.sqrt), "sqrt", lambda x: (Fraction(1, 2) / sqrt(x),)),
    "abs": Function(1, abs, "abs", lambda x: (sign(x),)),
    "sign": Function(1, _sign, "sign", None),
    "exp": Function(1, _or_nan(math.exp), "exp", lambda x: (exp(x),)),
    "log": Function(1, _or_nan(math.log), "log", lambda x: (1 / x,)),
    "floor": Function(1, lambda x: float(math.floor(x)) if math.isfinite(x) else x, "floor", None),
    "min": Function(2, min, "minimum", lambda a, b: (select(a <= b, 1, 0), select(a <= b, 0, 1)), commutative=True),
    "max": Function(2, max, "maximum", lambda a, b: (select(b <= a, 1, 0), select(b <= a, 0, 1)), commutative=True),
    "pow": Function(2, _or_nan(_float_pow), "power", lambda x, y: (y * power(x, y - 1), power(x, y) * log(x))),
    "lt": Function(2, lambda a, b: float(a < b), "less", None),
    "le": Function(2, lambda a, b: float(a <= b), "less_equal", None),
    "eq": Function(2, lambda a, b: float(a == b), "equal", None, commutative=True),
    "ne": Function(2, lambda a, b: float(a != b), "not_equal", None, commutative=True),
    "and": Function(2, lambda a, b: float(bool(a) and bool(b)), "logical_and", None, commutative=True),
    "or": Function(2, lambda a, b: float(bool(a) or bool(b)), "logical_or", None, commutative=True),
    "not": Function(1, lambda a: float(not a), "logical_not", None),
    "select": Function(
        3, lambda c, a, b: a if c else b, "where", lambda c, a, b: (ZERO, select(c, 1, 0), select(c, 0, 1))
    ),
}

CONDITIONS = frozenset(("lt", "le", "eq", "ne", "and", "or", "not"))


def apply(name: str, *arguments: ExprLike) -> Expr:
    """The node of a function of FUNCTIONS, with numbers folded when one of them is a float."""
    args = tuple([expr(a) for a in arguments])
    function = FUNCTIONS[name]
    if len(args) != function.arity:
        raise ExprError(f"{name} takes {function.arity} argument(s), got {len(args)}")
    if all(a.op == NUM for a in args):
        values = [a.value for a in args]
        if name in CONDITIONS or name in ("select", "sign", "abs", "min", "max", "floor"):
            return _exact(name, values)
        if any(type(v) is float for v in values):
            return _folded(name, [float(v) for v in values])
    if function.commutative and args[1].key < args[0].key:
        args = (args[1], args[0])
    return intern(name, args, None, None, max(a.level for a in args))


def _exact(name: str, values: list[Number]) -> Expr:
    if name == "floor":
        return number(math.floor(values[0]))
    if name == "sign":
        return number((values[0] > 0) - (values[0] < 0))
    result: Any = FUNCTIONS[name].on_floats(*values)
    return number(int(result) if name in CONDITIONS else result)


def _folded(name: str, values: list[float]) -> Expr:
    result = FUNCTIONS[name].on_floats(*values)
    if not math.isfinite(result):
        raise ExprError(f"{name}({', '.join(map(str, values))}) has no finite value")
    return number(result)


# --- trigonometry ----------------------------------------------------------------------------------------------------


def _split_angle(angle: Expr) -> tuple[bool, int, Expr]:
    """(negated, quarters, rest) with angle = +-(rest + quarters pi/2), rest of canonical sign and free of pi/2 turns."""
    negated = False
    if is_scaled(angle) and angle.value[1][0] < 0:
        negated, angle = True, negate(angle)
    quarters = 0
    if angle is pi:
        return negated, 2, ZERO
    if angle.op == LIN and pi in angle.args:
        turns = angle.value[1][angle.args.index(pi)]  # in half turns
        if type(turns) is not float:
            quarters = math.floor(2 * turns)
            angle = add(angle, linear(0, [(pi, Fraction(-quarters, 2))]))
    return negated, quarters, angle


# sin(k pi) for the k in (0, 1/2) whose value is a short radical; cos(k pi) = sin((1/2 - k) pi).
_EXACT_SINE: dict[Fraction, Callable[[], Expr]] = {
    Fraction(1, 6): lambda: number(Fraction(1, 2)),
    Fraction(1, 4): lambda: sqrt(2) * Fraction(1, 2),
    Fraction(1, 3): lambda: sqrt(3) * Fraction(1, 2),
}


def _sine(rest: Expr) -> Expr:
    """sin of an angle without quarter turns."""
    if rest.is_zero:
        return ZERO
    if is_scaled(rest) and rest.value[1][0] < 0:
        return negate(_sine(negate(rest)))
    turns, of = split_coefficient(rest)
    if of is pi and type(turns) is not float and turns in _EXACT_SINE:
        return _EXACT_SINE[Fraction(turns)]()
    return apply("sin", rest)


def _cosine(rest: Expr) -> Expr:
    if rest.is_zero:
        return ONE
    if is_scaled(rest) and rest.value[1][0] < 0:
        return _cosine(negate(rest))
    turns, of = split_coefficient(rest)
    if of is pi and type(turns) is not float and Fraction(1, 2) - turns in _EXACT_SINE:
        return _EXACT_SINE[Fraction(1, 2) - turns]()
    return apply("cos", rest)


def sin(angle: ExprLike) -> Expr:
    """Exact at multiples of pi/2, pi/4 and pi/6; whole quarter turns and signs are taken out of the angle."""
    negated, quarters, rest = _split_angle(expr(angle))
    value = _sine(rest) if quarters % 2 == 0 else _cosine(rest)
    return negate(value) if (quarters % 4 >= 2) != negated else value


def cos(angle: ExprLike) -> Expr:
    _, quarters, rest = _split_angle(expr(angle))
    value = _cosine(rest) if quarters % 2 == 0 else _sine(rest)
    return negate(value) if quarters % 4 in (1, 2) else value


def tan(angle: ExprLike) -> Expr:
    negated, quarters, rest = _split_angle(expr(angle))
    turns, of = split_coefficient(rest)
    if rest.is_zero or (of is pi and type(turns) is not float and Fraction(turns) in _EXACT_SINE):
        below = cos(angle)
        if below.is_zero:
            raise ExprError(f"tan({angle}) is infinite")
        return sin(angle) / below
    value = apply("tan", rest) if quarters % 2 == 0 else negate(1 / apply("tan", rest))
    return negate(value) if negated else value


def asin(x: ExprLike) -> Expr:
    x = expr(x)
    exact = {0: ZERO, 1: pi / 2, -1: -pi / 2}
    if x.op == NUM and x.value in exact:
        return exact[x.value]
    return apply("asin", x)


def acos(x: ExprLike) -> Expr:
    x = expr(x)
    exact = {0: pi / 2, 1: ZERO, -1: pi}
    if x.op == NUM and x.value in exact:
        return exact[x.value]
    return apply("acos", x)


def atan(x: ExprLike) -> Expr:
    x = expr(x)
    return ZERO if x.is_zero else apply("atan", x)


def atan2(y: ExprLike, x: ExprLike) -> Expr:
    """The angle of the point (x, y), between -pi and pi; atan2(0, 0) = 0."""
    y, x = expr(y), expr(x)
    if y.op == NUM and x.op == NUM and 0 in (x.value, y.value):
        if y.value == 0:
            return ZERO if x.value >= 0 else pi
        return pi / 2 if y.value > 0 else -pi / 2
    return apply("atan2", y, x)


# --- the others ------------------------------------------------------------------------------------------------------


def sqrt(x: ExprLike) -> Expr:
    x = expr(x)
    if x.op == NUM and type(x.value) is not float:
        value = Fraction(x.value)
        if value < 0:
            raise ExprError(f"sqrt({value}) is not real")
        above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if above**2 == value.numerator and below**2 == value.denominator:
            return number(Fraction(above, below))
    return apply("sqrt", x)


def absolute(x: ExprLike) -> Expr:
    coefficient, inner = split_coefficient(expr(x))
    if inner is ONE:
        return number(abs(coefficient))
    return abs(coefficient) * apply("abs", inner)


def sign(x: ExprLike) -> Expr:
    """-1, 0 or 1; sign(0) = 0."""
    coefficient, inner = split_coefficient(expr(x))
    if inner is ONE:
        return apply("sign", number(coefficient))
    value = apply("sign", inner)
    return negate(value) if coefficient < 0 else value


def exp(x: ExprLike) -> Expr:
    x = expr(x)
    return ONE if x.is_zero else apply("exp", x)


def log(x: ExprLike) -> Expr:
    x = expr(x)
    if x.op == NUM and x.value <= 0:
        raise ExprError(f"log({x}) is not real")
    return ZERO if x is ONE else apply("log", x)


def floor(x: ExprLike) -> Expr:
    return apply("floor", x)


def minimum(a: ExprLike, b: ExprLike) -> Expr:
    a, b = expr(a), expr(b)
    return a if a is b else apply("min", a, b)


def maximum(a: ExprLike, b: ExprLike) -> Expr:
    a, b = expr(a), expr(b)
    return a if a is b else apply("max", a, b)


def equal(a: ExprLike, b: ExprLike) -> Expr:
    """The condition a = b (Python's == compares the expressions themselves)."""
    a, b = expr(a), expr(b)
    return ONE if a is b else apply("eq", a, b)


def not_equal(a: ExprLike, b: ExprLike) -> Expr:
    a, b = expr(a), expr(b)
    return ZERO if a is b else apply("ne", a, b)


def select(condition: ExprLike, a: ExprLike, b: ExprLike) -> Expr:
    """a where the condition holds, else b."""
    condition, a, b = expr(condition), expr(a), expr(b)
    if condition.level == CONSTANT and condition.op == NUM:
        return a if condition.value else b
    return a if a is b else apply("select", condition, a, b)


# How a function is called from its name alone: the parser, the SymPy bridge and substitution rebuild nodes with this.
REBUILD: dict[str, Callable[..., Expr]] = {
    **{name: (lambda *args, name=name: apply(name, *args)) for name in FUNCTIONS},
    "sin": sin,
    "cos": cos,
    "tan": tan,
    "asin": asin,
    "acos": acos,
    "atan": atan,
    "atan2": atan2,
    "sqrt": sqrt,
    "abs": absolute,
    "sign": sign,
    "exp": exp,
    "log": log,
    "min": minimum,
    "max": maximum,
    "pow": power,
    "eq": equal,
    "ne": not_equal,
    "select": select,
}
