"""Derivatives, forward mode: one sweep over the graph gives d/dx of every root, sharing all that can be shared."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from .algebra import ONE, OPEN_LIMIT, ZERO, ExprLike, expr, linear, mul, mul2, power_product, step
from .functions import ALL_FUNCTIONS, less_equal, select
from .node import LIN, PROD, STEP, Expr, ExprError, Number
from .walk import postorder


def derivative(root: Expr, by: Expr) -> Expr:
    """d root / d by."""
    return tangents([root], {by: ONE})[0]


def tangents(roots: Sequence[Expr], seeds: Mapping[Expr, ExprLike]) -> list[Expr]:
    """The directional derivatives of the roots: each seed node moves at its rate (dq/dt = qd, say).

    A step's derivative is a step again, so that the structure of a recursive algorithm survives differentiation.
    """
    rate: dict[Expr, Expr] = {node: expr(value) for node, value in seeds.items()}
    for node in postorder(roots):
        if node not in rate:
            rate[node] = _rate(node, rate) if any(not rate[a].is_zero for a in node.args) else ZERO
    return [rate[root] for root in roots]


def gradient(root: Expr, by: Sequence[Expr]) -> list[Expr]:
    """d root / d each symbol, in reverse mode: one sweep back over the graph for all of them.

    For what does not branch: behind a branch that is not taken a slope may be infinite, and 0 times it is no number.
    """
    order = postorder([root])
    parts: dict[Expr, list[tuple[Expr, Number]]] = {node: [] for node in order}
    parts[root].append((ONE, 1))
    moving = set(by)
    for node in order:
        if node in moving or any(arg in moving for arg in node.args):
            moving.add(node)
    found: dict[Expr, Expr] = {}
    for node in reversed(order):
        if node not in moving:
            continue
        back = found[node] = linear(0, parts[node])
        for arg, slope, factor in _partials(node, moving):
            parts[arg].append((mul(slope, back), factor))
    return [found.get(symbol, ZERO) for symbol in by]


def _partials(node: Expr, moving: Collection[Expr]) -> Iterator[tuple[Expr, Expr, Number]]:
    """The arguments that move, with the slope of the node by each."""
    if node.op == LIN:
        yield from ((arg, ONE, c) for arg, c in zip(node.args, node.value[1], strict=True) if arg in moving)
    elif node.op == STEP:
        yield node.args[0], ONE, 1
    elif node.op == PROD:
        factors = list(zip(node.args, node.value, strict=True))
        for i, (base, exponent) in enumerate(factors):
            if base in moving:
                yield base, power_product([*factors[:i], (base, exponent - 1), *factors[i + 1 :]]), exponent
    elif node.op in _BRANCH:
        raise ExprError(f"{node.op} branches: it has no derivative in reverse mode")
    elif node.args and (partials := ALL_FUNCTIONS[node.op].partials) is not None:
        for arg, slope in zip(node.args, partials(*node.args), strict=True):
            if arg in moving:
                yield arg, slope, 1


def _rate(node: Expr, rate: Mapping[Expr, Expr]) -> Expr:
    moving = [rate[arg] for arg in node.args]
    if node.op == LIN:
        return linear(0, zip(moving, node.value[1], strict=True))
    if node.op == STEP:
        return step(moving[0])
    if node.op == PROD:
        return _product_rate(node, moving)
    if node.op in _BRANCH:
        # The slope of the other branch may be infinite, and 0 * inf is nan: choose between slopes, do not add them.
        return select(_BRANCH[node.op](*node.args), moving[-2], moving[-1])
    partials = ALL_FUNCTIONS[node.op].partials
    if partials is None:
        return ZERO
    try:
        slopes = partials(*node.args)
    except ExprError as error:
        raise ExprError(f"the derivative of {node!r} does not exist: {error}") from error
    return linear(0, [(mul(slope, dx), 1) for slope, dx in zip(slopes, moving, strict=True) if not dx.is_zero])


# Which of the last two arguments a branching function follows: the condition for the first of them.
_BRANCH: dict[str, Callable[..., Expr]] = {
    "select": lambda condition, a, b: condition,
    "min": lambda a, b: less_equal(a, b),
    "max": lambda a, b: less_equal(b, a),
}


def _product_rate(node: Expr, moving: Sequence[Expr]) -> Expr:
    """Sum over the factors of e b^(e-1) db times the others."""
    factors = list(zip(node.args, node.value, strict=True))
    if len(factors) > OPEN_LIMIT:
        return _long_product_rate(factors, moving)
    terms = []
    for i, (base, exponent) in enumerate(factors):
        if not moving[i].is_zero:
            others = [*factors[:i], (base, exponent - 1), *factors[i + 1 :]]
            terms.append((power_product([*others, (moving[i], 1)]), exponent))
    return linear(0, terms)


def _long_product_rate(factors: Sequence[tuple[Expr, int]], moving: Sequence[Expr]) -> Expr:
    """The same with the products before and after each factor built up and shared, in linear time."""
    after = [ONE]
    for factor in reversed(factors):
        after.append(mul2(after[-1], power_product([factor])))
    after.reverse()
    before = ONE
    terms = []
    for i, (base, exponent) in enumerate(factors):
        if not moving[i].is_zero:
            terms.append((mul(before, power_product([(base, exponent - 1)]), moving[i], after[i + 1]), exponent))
        before = mul2(before, power_product([(base, exponent)]))
    return linear(0, terms)
