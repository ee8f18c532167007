"""The canonical constructors: sums, products, powers, steps.

Only local simplification happens here (0, 1, signs, like terms); everything deeper is a pass over a ``Program``.
Canonical means: terms in structural order, the leading coefficient of a sum positive (so that ``a - b`` and ``b - a``
share one node and differ by a sign), numbers folded, nested sums and products opened.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from .node import CONST, CONSTANT, LEVEL_OF_KIND, LIN, NUM, PROD, STEP, SYM, Expr, ExprError, Number, intern

if TYPE_CHECKING:
    ExprLike = Expr | Number
else:
    ExprLike = object

# A sum or product of more than this many parts keeps its longer arguments closed, so that adding to it again and again
# costs linear time. What stays closed depends on the arguments alone.
OPEN_LIMIT = 32

_LARGEST_EXACT = 1 << 4096  # beyond this an exact number is a mistake or an attack
_by_key = attrgetter("key")


def number(value: Number) -> Expr:
    """The node of a number. A float that is a whole number is that integer, so 1.0 costs no multiplication."""
    value = _normal(value)
    return intern(NUM, (), value, _tag((value,)), CONSTANT)


def _normal(value: Any) -> Number:
    kind = type(value)
    if kind is int:
        result: Number = value
    elif kind is float:
        if not math.isfinite(value):
            raise ExprError(f"a number must be finite, got {value}")
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    elif kind is Fraction:
        result = value.numerator if value.denominator == 1 else value
    elif isinstance(value, bool):
        result = int(value)
    elif isinstance(value, int):
        result = int(value)
    elif isinstance(value, Fraction):
        return _normal(Fraction(value))
    elif hasattr(value, "__index__"):
        result = int(value.__index__())
    elif hasattr(value, "__float__") and not hasattr(value, "free_symbols"):
        return _normal(float(value))
    else:
        raise ExprError(f"expected a number or an expression, got {type(value).__name__} {value!r}")
    if abs(result) > _LARGEST_EXACT or (type(result) is Fraction and result.denominator > _LARGEST_EXACT):
        raise ExprError("an exact number in the expression has more than 1200 digits")
    return result


def _tag(numbers: Iterable[Number]) -> str | None:
    """Tells 1/2 from 0.5, which Python finds equal; None when all are integers."""
    for value in numbers:
        if type(value) is not int:
            return "".join("i" if type(v) is int else "f" if type(v) is float else "r" for v in numbers)
    return None


ZERO, ONE, MINUS_ONE = number(0), number(1), number(-1)
pi = intern(CONST, (), "pi", None, CONSTANT)


def symbol(name: str, kind: str) -> Expr:
    if kind not in LEVEL_OF_KIND:
        raise ExprError(f"a symbol is one of {', '.join(LEVEL_OF_KIND)}, not {kind!r}")
    if not name.isidentifier() or not name.isascii():
        raise ExprError(f"a symbol's name is a letter followed by letters, digits and _, got {name!r}")
    return intern(SYM, (), (name, kind), None, LEVEL_OF_KIND[kind])


def variable(name: str) -> Expr:
    """A symbol for the state of the robot: position, velocity, torque, wrench."""
    return symbol(name, "variable")


def parameter(name: str) -> Expr:
    """A symbol for a constant of the robot: length, inertia, gravity."""
    return symbol(name, "parameter")


def expr(value: ExprLike) -> Expr:
    """The expression of a number (or the expression itself)."""
    return value if isinstance(value, Expr) else number(value)  # type: ignore[arg-type]


# --- sums ------------------------------------------------------------------------------------------------------------


def add(*terms: ExprLike) -> Expr:
    """The sum, canonical."""
    nodes = [t if t.__class__ is Expr else expr(t) for t in terms]
    return _linear([(node, 1) for node in nodes])


def _add2(a: Expr, b: Expr) -> Expr:
    """The common case of two simple, different terms; the rest goes to the general sum."""
    if _is_term(a) and _is_term(b) and a is not b:
        pair = (a, b) if a.key <= b.key else (b, a)
        return intern(LIN, pair, _PLUS_PLUS, None, a.level if a.level >= b.level else b.level)
    return _linear([(a, 1), (b, 1)])


def _subtract2(a: Expr, b: Expr) -> Expr:
    if _is_term(a) and _is_term(b) and a is not b:
        level = a.level if a.level >= b.level else b.level
        if a.key <= b.key:
            return intern(LIN, (a, b), _PLUS_MINUS, None, level)
        return _scaled(-1, intern(LIN, (b, a), _PLUS_MINUS, None, level))
    return _linear([(a, 1), (b, -1)])


def _is_term(node: Expr) -> bool:
    """Whether the node is a term of its own in a sum: all but numbers and sums."""
    return node.op != LIN and node.op != NUM


_PLUS_PLUS = (0, (1, 1))
_PLUS_MINUS = (0, (1, -1))


def linear(constant: Number, terms: Iterable[tuple[Expr, Number]]) -> Expr:
    """constant + sum of coefficient * term, canonical."""
    return _linear(list(terms), constant)


def _linear(parts: list[tuple[Expr, Number]], constant: Number = 0) -> Expr:
    opened = 0
    for node, _ in parts:
        opened += len(node.args) if node.op == LIN else 1
    longest = OPEN_LIMIT // 2 if opened > OPEN_LIMIT else OPEN_LIMIT
    total: dict[Expr, Number] = {}
    for node, factor in parts:
        if node.op == LIN and len(node.args) == 1 and node.value[0] == 0:
            # A scaled node: only its sign may go into a sum inside it, 2*(a+b) stays as it is.
            inner, coefficient = node.args[0], node.value[1][0]
            if inner.op == LIN and coefficient in (1, -1):
                node, factor = inner, factor * coefficient
        if node.op == NUM:
            constant = constant + factor * node.value
        elif node.op == LIN and len(node.args) <= longest and (factor in (1, -1) or len(node.args) == 1):
            constant = constant + factor * node.value[0]
            for term, coefficient in zip(node.args, node.value[1], strict=True):
                total[term] = total.get(term, 0) + factor * coefficient
        else:
            total[node] = total.get(node, 0) + factor
    return _collected(constant, total)


def _collected(constant: Number, total: dict[Expr, Number]) -> Expr:
    terms = sorted((term for term, coefficient in total.items() if coefficient), key=_by_key)
    constant = _normal(constant)
    if not terms:
        return number(constant)
    coefficients = [_normal(total[term]) for term in terms]
    if len(terms) == 1 and constant == 0:
        return _scaled(coefficients[0], terms[0])
    negative = coefficients[0] < 0
    if negative:
        constant = -constant
        coefficients = [-c for c in coefficients]
    value = (constant, tuple(coefficients))
    node = intern(LIN, tuple(terms), value, _tag((constant, *coefficients)), max(t.level for t in terms))
    return _scaled(-1, node) if negative else node


def _scaled(coefficient: Number, node: Expr) -> Expr:
    """coefficient * node, for a node that is neither a number nor itself scaled."""
    if coefficient == 1:
        return node
    if coefficient == 0:
        return ZERO
    return intern(LIN, (node,), (0, (coefficient,)), _tag((0, coefficient)), node.level)


def is_scaled(node: Expr) -> bool:
    """Whether the node is coefficient * term."""
    return node.op == LIN and len(node.args) == 1 and node.value[0] == 0


def split_coefficient(node: Expr) -> tuple[Number, Expr]:
    """(c, x) with node = c * x and x free of a numeric factor."""
    if is_scaled(node):
        return node.value[1][0], node.args[0]
    if node.op == NUM:
        return node.value, ONE
    return 1, node


# --- products --------------------------------------------------------------------------------------------------------


def mul(*factors: ExprLike) -> Expr:
    """The product, canonical."""
    return power_product([(f if f.__class__ is Expr else expr(f), 1) for f in factors])  # type: ignore[misc]


def _mul2(a: Expr, b: Expr) -> Expr:
    if a.op in _PLAIN_FACTOR and b.op in _PLAIN_FACTOR and a is not b:
        pair = (a, b) if a.key <= b.key else (b, a)
        return intern(PROD, pair, _ONE_ONE, None, a.level if a.level >= b.level else b.level)
    return power_product([(a, 1), (b, 1)])


_PLAIN_FACTOR = frozenset((SYM, STEP, CONST, "sin", "cos"))
_ONE_ONE = (1, 1)


def power_product(parts: Iterable[tuple[Expr, int]], coefficient: Number = 1) -> Expr:
    """coefficient * product of base^exponent, canonical."""
    parts = list(parts)
    opened = 0
    for node, _ in parts:
        opened += len(node.args) if node.op == PROD else 1
    longest = OPEN_LIMIT // 2 if opened > OPEN_LIMIT else OPEN_LIMIT
    total: dict[Expr, int] = {}
    for node, exponent in parts:
        if node.op == NUM:
            coefficient = coefficient * _number_power(node.value, exponent)
            continue
        if is_scaled(node):
            coefficient = coefficient * _number_power(node.value[1][0], exponent)
            node = node.args[0]
        if node.op == PROD and len(node.args) <= longest:
            for base, inner in zip(node.args, node.value, strict=True):
                total[base] = total.get(base, 0) + inner * exponent
        else:
            total[node] = total.get(node, 0) + exponent
    if coefficient == 0:
        return ZERO
    roots = [base for base, exponent in total.items() if base.op == "sqrt" and abs(exponent) > 1]
    if roots:  # sqrt(x)^2 = x
        again: list[tuple[Expr, int]] = []
        for base in roots:
            exponent = total.pop(base)
            half, odd = divmod(abs(exponent), 2)
            sign = 1 if exponent > 0 else -1
            again.append((base.args[0], sign * half))
            total[base] = sign * odd
        return power_product([*total.items(), *again], coefficient)
    bases = sorted((base for base, exponent in total.items() if exponent), key=_by_key)
    coefficient = _normal(coefficient)
    if not bases:
        return number(coefficient)
    exponents = tuple([total[base] for base in bases])
    if exponents == (1,):
        body = bases[0]
    else:
        body = intern(PROD, tuple(bases), exponents, None, max(b.level for b in bases))
    return _scaled(coefficient, body)


def _number_power(value: Number, exponent: int) -> Number:
    if exponent == 1:
        return value
    if value == 0 and exponent < 0:
        raise ExprError("division by zero")
    if type(value) is float:
        try:
            return value**exponent
        except OverflowError as error:
            raise ExprError(f"{value}^{exponent} is too large for a number") from error
    size = max(abs(value.numerator).bit_length(), value.denominator.bit_length())
    if size * abs(exponent) > 8192:
        raise ExprError(f"an exact power with exponent {exponent} is too large")
    return Fraction(value) ** exponent


def power(base: ExprLike, exponent: ExprLike) -> Expr:
    """base^exponent; half-integer exponents become square roots."""
    from .functions import apply, sqrt

    base, exponent = expr(base), expr(exponent)
    if exponent.op == NUM:
        value = exponent.value
        if value == 0:
            return ONE
        if type(value) is int:
            return power_product([(base, value)])
        if (type(value) is Fraction and value.denominator == 2) or value in (0.5, -0.5):
            return power_product([(sqrt(base), int(2 * value))])
    if base is ONE:
        return ONE
    return apply("pow", base, exponent)


def divide(a: ExprLike, b: ExprLike) -> Expr:
    return power_product([(expr(a), 1), (expr(b), -1)])


def negate(a: Expr) -> Expr:
    return _linear([(a, -1)]) if a.op == LIN or a.op == NUM else _scaled(-1, a)


# --- steps -----------------------------------------------------------------------------------------------------------


def step(node: ExprLike) -> Expr:
    """Mark an intermediate result: a Program computes it once, under a name, and sums and products do not open it.

    Atoms are left alone and a sign stays outside, so that x and -x share one step.
    """
    node = expr(node)
    if not node.args or node.op == STEP:
        return node
    if is_scaled(node):
        coefficient, inner = node.value[1][0], node.args[0]
        if coefficient == -1:
            return negate(step(inner))
        if coefficient < 0:
            return negate(step(negate(node)))
    return intern(STEP, (node,), None, None, node.level)


# --- operators -------------------------------------------------------------------------------------------------------


def _operand(value: Any) -> Expr | None:
    if value.__class__ is Expr:
        return value  # type: ignore[no-any-return]
    try:
        return number(value)
    except ExprError:
        if isinstance(value, (int, float, Fraction)):
            raise
        return None


def _binary(operation: Any, reflected: bool = False) -> Any:
    if reflected:

        def method(self: Expr, other: Any) -> Any:
            left = _operand(other)
            return NotImplemented if left is None else operation(left, self)

    else:

        def method(self: Expr, other: Any) -> Any:
            right = other if other.__class__ is Expr else _operand(other)
            return NotImplemented if right is None else operation(self, right)

    return method


def _install_operators() -> None:
    from .functions import apply

    table: dict[str, Any] = {
        "__add__": _binary(_add2),
        "__radd__": _binary(_add2, reflected=True),
        "__sub__": _binary(_subtract2),
        "__rsub__": _binary(_subtract2, reflected=True),
        "__mul__": _binary(_mul2),
        "__rmul__": _binary(_mul2, reflected=True),
        "__truediv__": _binary(divide),
        "__rtruediv__": _binary(divide, reflected=True),
        "__pow__": _binary(power),
        "__rpow__": _binary(power, reflected=True),
        "__lt__": _binary(lambda a, b: apply("lt", a, b)),
        "__le__": _binary(lambda a, b: apply("le", a, b)),
        "__gt__": _binary(lambda a, b: apply("lt", b, a)),
        "__ge__": _binary(lambda a, b: apply("le", b, a)),
        "__neg__": negate,
        "__pos__": lambda self: self,
    }
    for name, method in table.items():
        setattr(Expr, name, method)
