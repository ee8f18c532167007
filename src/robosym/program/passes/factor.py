"""Factoring: a b + a c = a (b + c), wherever the products are used nowhere else."""

from __future__ import annotations

from collections.abc import Mapping

from ...expr import Expr, linear, power_product
from ...expr.algebra import split_coefficient
from ...expr.node import LIN, PROD, VARIABLE, Number
from ..graph import Graph
from .base import Pass, replaced

Term = tuple[Expr, Number]


def factor(graph: Graph) -> Graph:
    """Bottom-up over the graph; a product that something else uses too is left whole, since it is computed anyway."""
    times = graph.uses
    done: dict[Expr, Expr] = {}
    shared: set[Expr] = set()
    for node in graph.nodes:
        new = replaced(node, done)
        if new.op == LIN and len(new.args) > 1 and new.level == VARIABLE:
            new = factored_sum(new, shared)
        done[node] = new
        if times[node] > 1:
            shared.add(split_coefficient(new)[1])
    return graph.rewritten(done)


def factored_sum(node: Expr, shared: set[Expr]) -> Expr:
    """Take the factor that saves most out of a sum, again and again, then out of the sums that arise."""
    while True:
        constant, coefficients = node.value
        terms: list[Term] = list(zip(node.args, coefficients, strict=True))
        products: list[Term] = []
        while len(terms) > 1:
            best, members = _best_factor(terms, shared)
            if best is None:
                break
            chosen = {term for term, _ in members}
            terms = [(term, coefficient) for term, coefficient in terms if term not in chosen]
            products.append((_factored_out(best, members, shared), 1))
        if not products:
            return node
        sign, whole = split_coefficient(linear(constant, [*terms, *products]))
        if sign != 1 or whole.op != LIN or len(whole.args) < 2:
            return linear(0, [(whole, sign)])
        node = whole


def _factored_out(best: Factor, members: list[Term], shared: set[Expr]) -> Expr:
    """The members as product: all they have in common, times what is left, factored in its turn."""
    base, size = best
    common = dict(_bases(members[0][0])) if base is not None else {}
    for term, _ in members[1:]:
        theirs = _bases(term)
        common = {b: min(e, theirs[b]) for b, e in common.items() if b in theirs}
    below = [(b, -e) for b, e in common.items()]
    inside = [(power_product([(term, 1), *below]), _reduced(coefficient, base)) for term, coefficient in members]
    sign, inner = split_coefficient(linear(0, inside))
    if inner.op == LIN and len(inner.args) > 1 and inner.level == VARIABLE:
        inner = factored_sum(inner, shared)
    return power_product([(inner, 1), *common.items()], size * sign)


def _reduced(coefficient: Number, base: Expr | None) -> Number:
    """A numeric factor leaves its sign behind."""
    if base is not None:
        return coefficient
    return 1 if coefficient > 0 else -1


Factor = tuple[Expr | None, Number]  # a base, or None and the size of a numeric coefficient


def _best_factor(terms: list[Term], shared: set[Expr]) -> tuple[Factor | None, list[Term]]:
    groups: dict[Factor, list[Term]] = {}
    for term, coefficient in terms:
        if term in shared and term.op == PROD:
            continue
        for base in _bases(term):
            groups.setdefault((base, 1), []).append((term, coefficient))
        if coefficient not in (1, -1):
            size = coefficient if coefficient > 0 else -coefficient
            groups.setdefault((None, size), []).append((term, coefficient))
    best, members, saving = None, [], 0
    for key, group in groups.items():
        gain = _gain(key, group) if len(group) > 1 else 0
        if gain > saving:
            best, members, saving = key, group, gain
    return best, members


def _bases(term: Expr) -> Mapping[Expr, int]:
    if term.op == PROD:
        return {b: e for b, e in zip(term.args, term.value, strict=True) if e > 0}
    return {term: 1}


def _gain(key: Factor, group: list[Term]) -> int:
    """Operations saved: one multiplication a term but one, and the additions that move off-line."""
    base, _ = key
    if base is None:
        return len(group) - 1
    # x + x y = x (1 + y) saves nothing: the lone x had no multiplication.
    products = sum(1 for term, coefficient in group if term.op == PROD or coefficient not in (1, -1))
    fixed = sum(1 for term, _ in group if base.level == VARIABLE and _is_fixed_beside(term, base))
    return products - 1 + max(0, fixed - 1)


def _is_fixed_beside(term: Expr, base: Expr) -> bool:
    return all(b.level < VARIABLE for b in _bases(term) if b is not base)


FACTOR = Pass("factor", "a*b + a*c = a*(b + c) where the products are not shared", factor)
