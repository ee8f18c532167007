"""The canonical constructors: sums, products, steps.

Only local simplification happens here (0, 1, signs, like terms); everything deeper is a pass over a ``Program``.
Canonical means: terms in structural order, the leading coefficient of a sum positive (so that ``a - b`` and ``b - a``
share one node and differ by a sign), numbers folded, nested sums and products opened. A sum times a number other than
-1 is not multiplied out: 2*(a + b) costs one multiplication, 2*a + 2*b two.
"""

from __future__ import annotations

import math
import sys
from bisect import bisect
from collections.abc import Iterable, Sequence
from fractions import Fraction
from operator import attrgetter
from typing import Any

from .node import CONST, LEVEL_OF_KIND, LIN, NUM, PROD, STEP, SYM, Expr, ExprError, Number, intern
from .numbers import magnitude, normal, tag_of, times_power

ExprLike = Expr | Number

# A sum or product that would have more parts than this keeps its longer arguments closed, so that adding to it again
# and again costs linear time. What stays closed depends on the arguments alone.
OPEN_LIMIT = 32
# x^5000 in the model of a robot is a mistake or an attack, and would be unrolled by printers.
LARGEST_EXPONENT = 4096

_by_key = attrgetter("key")


def number(value: Number) -> Expr:
    """The node of a number. A float that is a whole number is that integer, so 1.0 costs no multiplication."""
    value = normal(value)
    return intern(NUM, (), value, None if type(value) is int else tag_of((value,)))


ZERO, ONE, MINUS_ONE = number(0), number(1), number(-1)
pi = intern(CONST, (), "pi")


def symbol(name: str, kind: str) -> Expr:
    """The symbol of this name and kind: 'variable', 'parameter', 'constant' (precomputed) or 'local'."""
    if kind not in LEVEL_OF_KIND:
        raise ExprError(f"a symbol is one of {', '.join(LEVEL_OF_KIND)}, not {kind!r}")
    if not isinstance(name, str) or not name.isidentifier() or not name.isascii():
        raise ExprError(f"a symbol's name is a letter followed by letters, digits and _, got {name!r}")
    if name == "pi":
        raise ExprError("'pi' is the number 3.14159..., it cannot name a symbol")
    return intern(SYM, (), (name, kind))


def variable(name: str) -> Expr:
    """A symbol for the state of the robot: position, velocity, torque, wrench."""
    return symbol(name, "variable")


def parameter(name: str) -> Expr:
    """A symbol for a constant of the robot: length, inertia, gravity."""
    return symbol(name, "parameter")


def expr(value: ExprLike) -> Expr:
    """The expression of a number (or the expression itself)."""
    return value if isinstance(value, Expr) else number(value)


# --- sums ------------------------------------------------------------------------------------------------------------


def add(*terms: ExprLike) -> Expr:
    """The sum, canonical."""
    return linear(0, [(expr(term), 1) for term in terms])


def linear(constant: Number, terms: Iterable[tuple[Expr, Number]]) -> Expr:
    """constant + sum of coefficient * term, canonical."""
    total: dict[Expr, Number] = {}
    largest: dict[Expr, Number] = {}  # of the coefficients that were added up
    numbers = [constant]
    pending = terms
    try:
        while pending:
            nested = False
            for node, factor in pending:
                if node.op == NUM:
                    numbers.append(factor * node.value)
                    continue
                if node.op == LIN:
                    if is_scaled(node):
                        factor, node = factor * node.value[1][0], node.args[0]
                    nested = nested or node.op == LIN
                if node in total:
                    largest[node] = max(largest.get(node, 0), magnitude(total[node]), magnitude(factor))
                    factor = _without_noise(total[node] + factor, largest[node])
                total[node] = factor
            pending = _opened_sums(total) if nested else ()
        return _collected(_summed(numbers), total)
    except OverflowError as error:
        raise ExprError("a coefficient is too large for a number") from error


def _summed(numbers: Sequence[Number]) -> Number:
    """Their sum: of floats rounded once, so that no digit is lost where large ones cancel."""
    if not any(type(one) is float for one in numbers):
        return sum(numbers)
    total: Number = math.fsum(numbers) if len(numbers) > 2 else sum(numbers)
    largest = max(map(magnitude, numbers))
    if len(numbers) > 2 and float(magnitude(total)) < NOISE * float(largest) and all(map(_is_decimal, numbers)):
        return float(sum(Fraction(str(x)) for x in numbers))  # 1e9 + 1e-6 - 1e9: nothing in it is rounded
    return _without_noise(total, largest)


EXACT_DIGITS = sys.float_info.dig  # of a decimal that no other has the double of
NOISE = 2.0**-49  # eight roundings: a sum that is smaller, over a term of it, is what rounding left of zero


def _is_decimal(value: Number) -> bool:
    """Whether a double has so few digits that it stands for them exactly; any other number is exact itself."""
    return type(value) is not float or float(f"{value:.{EXACT_DIGITS}g}") == value


def _without_noise(total: Number, largest: Number) -> Number:
    """A sum of terms of this size at the most: zero where floats cancel but for their rounding, as in 0.1 + 0.2 - 0.3."""
    return 0 if type(total) is float and abs(total) < NOISE * largest else total


def sum_of_terms(constant: Number, terms: Sequence[Expr], coefficients: Sequence[Number]) -> Expr:
    """``linear`` for numbers that stood in a node already; quicker where every term, sign apart, is a different one."""
    total: dict[Expr, Number] = {}
    for term, coefficient in zip(terms, coefficients, strict=True):
        if term.op == LIN and term.value == _MINUS:  # signs change often when arguments do
            term, coefficient = term.args[0], -coefficient
        if term.op == LIN or term.op == NUM:
            break
        total[term] = coefficient
    if len(total) < len(terms) or (len(terms) == 1 and constant == 0):
        return linear(constant, zip(terms, coefficients, strict=True))
    ordered = sorted(total, key=_by_key)
    numbers = [total[term] for term in ordered]
    negative = numbers[0] < 0
    if negative:
        constant = -constant
        numbers = [-c for c in numbers]
    node = intern(LIN, tuple(ordered), (constant, tuple(numbers)), tag_of((constant, *numbers)))
    return intern(LIN, (node,), _MINUS) if negative else node


def _opened_sums(total: dict[Expr, Number]) -> list[tuple[Expr, Number]]:
    """Take the sums that stand with +-1 out of a total; their terms."""
    terms: list[tuple[Expr, Number]] = []
    for node in _to_open(total, [n for n, factor in total.items() if n.op == LIN and factor in (1, -1)]):
        positive = total.pop(node) == 1
        constant, coefficients = node.value
        terms.append((ONE, constant if positive else -constant))
        terms += zip(node.args, coefficients if positive else [-c for c in coefficients], strict=True)
    return terms


def _to_open(total: dict[Expr, Any], nested: Sequence[Expr]) -> list[Expr]:
    """Which nested sums (products) to open: all while the result is short, else the short ones; the outermost first."""
    inside = {arg for node in nested for arg in node.args}
    parts = inside.union([node for node, factor in total.items() if factor])
    if len(parts) - len(nested) > OPEN_LIMIT:
        nested = [node for node in nested if len(node.args) <= OPEN_LIMIT // 2]
        inside = {arg for node in nested for arg in node.args}
    return [node for node in nested if node not in inside]


def _collected(constant: Number, total: dict[Expr, Number]) -> Expr:
    terms = sorted([term for term, coefficient in total.items() if coefficient], key=_by_key)
    constant = normal(constant)
    if not terms:
        return number(constant)
    coefficients = [normal(total[term]) for term in terms]
    if len(terms) == 1 and constant == 0:
        return _scaled(coefficients[0], terms[0])
    negative = coefficients[0] < 0
    if negative:
        constant = -constant
        coefficients = [-c for c in coefficients]
    node = intern(LIN, tuple(terms), (constant, tuple(coefficients)), tag_of((constant, *coefficients)))
    return _scaled(-1, node) if negative else node


def _scaled(coefficient: Number, node: Expr) -> Expr:
    """coefficient * node, for a node that is neither a number nor itself scaled."""
    if coefficient == 1:
        return node
    if coefficient == -1:
        return intern(LIN, (node,), _MINUS)
    return intern(LIN, (node,), (0, (coefficient,)), tag_of((0, coefficient)))


_MINUS = (0, (-1,))
_PLUS_PLUS = (0, (1, 1))
_PLUS_MINUS = (0, (1, -1))


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


def split_sign(node: Expr) -> tuple[int, Expr]:
    """(-1, x) for the node of -x, else (1, node)."""
    return (-1, node.args[0]) if is_scaled(node) and node.value[1][0] == -1 else (1, node)


def add2(a: Expr, b: Expr) -> Expr:
    """a + b."""
    if a.op != LIN and b.op != LIN and a.op != NUM and b.op != NUM and a is not b:
        return intern(LIN, (a, b) if a.key <= b.key else (b, a), _PLUS_PLUS)
    return _add_scaled(a, b, 1)


def subtract2(a: Expr, b: Expr) -> Expr:
    """a - b."""
    if a.op != LIN and b.op != LIN and a.op != NUM and b.op != NUM and a is not b:
        if a.key <= b.key:
            return intern(LIN, (a, b), _PLUS_MINUS)
        return _scaled(-1, intern(LIN, (b, a), _PLUS_MINUS))
    return _add_scaled(a, b, -1)


def _add_scaled(a: Expr, b: Expr, sign: int) -> Expr:
    """a + sign * b, with short ways for the commonest sums; ``linear`` gives the same, slower."""
    if a is ZERO:
        return b if sign > 0 else negate(b)
    (ca, xa), (cb, xb) = split_coefficient(a), split_coefficient(b)
    cb = sign * cb
    if _is_term(xa) and _is_term(xb) and xa is not xb:
        if xb.key < xa.key:
            xa, ca, xb, cb = xb, cb, xa, ca
        if ca < 0:
            return _scaled(-1, intern(LIN, (xa, xb), (0, (-ca, -cb)), tag_of((0, -ca, -cb))))
        return intern(LIN, (xa, xb), (0, (ca, cb)), tag_of((0, ca, cb)))
    if _takes(a, xb):
        return _with_term(a, xb, cb)
    if _takes(b, xa):
        return _with_term(b, xa, ca) if sign > 0 else negate(_with_term(b, xa, -ca))
    return linear(0, ((a, 1), (b, sign)))


def _is_term(node: Expr) -> bool:
    """Whether the node, coefficient apart, is a term of its own in a sum."""
    return node.op != LIN and node.op != NUM


def _takes(total: Expr, term: Expr) -> bool:
    """Whether adding the term to the node is just a matter of inserting it into a short sum."""
    return total.op == LIN and 1 < len(total.args) < OPEN_LIMIT and _is_term(term) and term not in total.args


def _with_term(total: Expr, term: Expr, factor: Number) -> Expr:
    """total + factor * term."""
    args, (constant, coefficients) = total.args, total.value
    at = bisect(args, term.key, key=_by_key)
    negative = at == 0 and factor < 0
    if negative:
        constant, coefficients, factor = -constant, tuple([-c for c in coefficients]), -factor
    coefficients = (*coefficients[:at], factor, *coefficients[at:])
    node = intern(LIN, (*args[:at], term, *args[at:]), (constant, coefficients), tag_of((constant, *coefficients)))
    return _scaled(-1, node) if negative else node


def negate(a: Expr) -> Expr:
    """-a."""
    if a.op == NUM:
        return number(-a.value)
    if is_scaled(a):
        return _scaled(-a.value[1][0], a.args[0])
    return _scaled(-1, a)


# --- products --------------------------------------------------------------------------------------------------------


def mul(*factors: ExprLike) -> Expr:
    """The product, canonical."""
    return power_product([(expr(factor), 1) for factor in factors])


def power_product(parts: Iterable[tuple[Expr, int]], coefficient: Number = 1) -> Expr:
    """coefficient * product of base^exponent, canonical."""
    total: dict[Expr, int] = {}
    pending = parts
    try:
        while pending:
            nested = False
            for node, exponent in pending:
                if node.op == NUM:
                    coefficient = times_power(coefficient, node.value, exponent)
                    continue
                if is_scaled(node):
                    coefficient = times_power(coefficient, node.value[1][0], exponent)
                    node = node.args[0]
                nested = nested or node.op == PROD or node.op == "sqrt"
                total[node] = total[node] + exponent if node in total else exponent
            pending = (_opened_products(total) or _opened_roots(total)) if nested else ()
    except OverflowError as error:
        raise ExprError("a coefficient is too large for a number") from error
    coefficient = normal(coefficient)
    bases = sorted([base for base, exponent in total.items() if exponent], key=_by_key)
    if not bases or coefficient == 0:
        return number(coefficient)
    exponents = tuple([total[base] for base in bases])
    if exponents == (1,):
        return _scaled(coefficient, bases[0]) if coefficient != 1 else bases[0]
    if max(exponents) > LARGEST_EXPONENT or min(exponents) < -LARGEST_EXPONENT:
        raise ExprError(f"an exponent is beyond {LARGEST_EXPONENT}")
    return _scaled(coefficient, intern(PROD, tuple(bases), exponents))


def product_of_bases(bases: Sequence[Expr], exponents: Sequence[int]) -> Expr:
    """``power_product`` for exponents that stood in a node already; quicker where every base, sign apart, is a different one."""
    total: dict[Expr, int] = {}
    sign = 1
    for base, exponent in zip(bases, exponents, strict=True):
        if base.op == LIN and base.value == _MINUS:
            base, sign = base.args[0], -sign if exponent % 2 else sign
        if not _is_factor(base):
            break
        total[base] = exponent
    if len(total) < len(bases):
        return power_product(zip(bases, exponents, strict=True))
    ordered = sorted(total, key=_by_key)
    return _scaled(sign, intern(PROD, tuple(ordered), tuple([total[base] for base in ordered])))


def _opened_products(total: dict[Expr, int]) -> list[tuple[Expr, int]]:
    """Take the products out of a total; their factors."""
    factors: list[tuple[Expr, int]] = []
    for node in _to_open(total, [n for n, exponent in total.items() if n.op == PROD and exponent]):
        exponent = total.pop(node)
        factors += [(base, inner * exponent) for base, inner in zip(node.args, node.value, strict=True)]
    return factors


def _opened_roots(total: dict[Expr, int]) -> list[tuple[Expr, int]]:
    """sqrt(x)^2 = x, and 1/sqrt(2) = sqrt(2)/2: take whole powers out of the square roots of a total."""
    factors: list[tuple[Expr, int]] = []
    for node in [n for n in total if n.op == "sqrt"]:
        inside, exponent = node.args[0], total[node]
        whole = exponent // 2 if exponent > 0 or inside.op == NUM else -(-exponent // 2)
        if whole:
            total[node] = exponent - 2 * whole
            factors.append((inside, whole))
    return factors


def mul2(a: Expr, b: Expr) -> Expr:
    """a * b, with short ways for atoms and their multiples; ``power_product`` gives the same, slower."""
    if a.op in PLAIN_FACTOR and b.op in PLAIN_FACTOR and a is not b:
        return intern(PROD, (a, b) if a.key <= b.key else (b, a), _ONE_ONE)
    (ca, xa), (cb, xb) = split_coefficient(a), split_coefficient(b)
    coefficient = normal(ca * cb)
    if coefficient == 0:
        return ZERO
    if _is_factor(xa) and _is_factor(xb) and xa is not xb:
        return _scaled(coefficient, intern(PROD, (xa, xb) if xa.key <= xb.key else (xb, xa), _ONE_ONE))
    if xa is ONE or xb is ONE:
        inner = xb if xa is ONE else xa
        return number(coefficient) if inner is ONE else _scaled(coefficient, inner)
    return power_product(((xa, 1), (xb, 1)), coefficient)


def _is_factor(node: Expr) -> bool:
    """Whether a product holds the node as it is."""
    return node.op in PLAIN_FACTOR or (node.op == LIN and len(node.args) > 1)


PLAIN_FACTOR = frozenset((SYM, STEP, CONST, "sin", "cos"))
_ONE_ONE = (1, 1)


def divide(a: ExprLike, b: ExprLike) -> Expr:
    """a / b."""
    return power_product(((expr(a), 1), (expr(b), -1)))


# --- steps -----------------------------------------------------------------------------------------------------------


def step(node: ExprLike) -> Expr:
    """Mark an intermediate result: a Program computes it once, under a name, and sums and products do not open it.

    Atoms are left alone and a sign stays outside, so that x and -x share one step.
    """
    node = expr(node)
    if not node.args or node.op == STEP:
        return node
    if node.op == LIN and node.value[1][0] < 0:  # only a scaled node leads with a minus
        return negate(step(negate(node)))
    return intern(STEP, (node,))
