"""Derivatives, forward mode: one sweep over the graph gives d/dx of every root, sharing all that can be shared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .algebra import ONE, ZERO, ExprLike, expr, linear, mul, power_product, step
from .functions import FUNCTIONS
from .node import LIN, PROD, STEP, Expr, ExprError
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


def _rate(node: Expr, rate: Mapping[Expr, Expr]) -> Expr:
    moving = [rate[arg] for arg in node.args]
    if node.op == LIN:
        return linear(0, zip(moving, node.value[1], strict=True))
    if node.op == STEP:
        return step(moving[0])
    if node.op == PROD:
        factors = list(zip(node.args, node.value, strict=True))
        terms = []
        for i, (base, exponent) in enumerate(factors):
            if not moving[i].is_zero:
                others = [*factors[:i], (base, exponent - 1), *factors[i + 1 :]]
                terms.append((power_product([*others, (moving[i], 1)]), exponent))
        return linear(0, terms)
    partials = FUNCTIONS[node.op].partials
    if partials is None:
        return ZERO  # flat between its jumps
    try:
        slopes = partials(*node.args)
    except ExprError as error:
        raise ExprError(f"the derivative of {node!r} does not exist: {error}") from error
    return linear(0, [(mul(slope, dx), 1) for slope, dx in zip(slopes, moving, strict=True) if not dx.is_zero])
