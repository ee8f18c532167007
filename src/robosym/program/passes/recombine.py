"""Recombining: P (a + b) + Q (a - b) = (P + Q) a + (P - Q) b, the new coefficients being found off-line.

Sums of parameter times sum of variables are written out and collected by variable wherever that saves operations: sums
used nowhere else disappear, and parameters of the same variable meet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...expr import Expr, Number, linear, number, power_product
from ...expr.node import LIN, PROD, STEP, VARIABLE
from ..graph import Graph
from .base import Pass, replaced


class _Term(NamedTuple):
    """parameters * (sum of coefficient * variable), as it stands in a sum."""

    whole: Expr
    coefficient: Number
    fixed: tuple[tuple[Expr, int], ...]  # the parameters, as powers
    parts: Mapping[Expr, Number]
    cost: int  # what it costs now: its multiplication, and the additions of a sum that is used nowhere else

    @property
    def factor(self) -> Expr:
        """What stands in front of the sum."""
        opened = [(base.args[0] if base.op == STEP else base, exponent) for base, exponent in self.fixed]
        return power_product(opened, self.coefficient)


def recombine(graph: Graph) -> Graph:
    times = graph.uses
    done: dict[Expr, Expr] = {}
    for node in graph.nodes:
        body = _recombined(node, times) if node.op == LIN and node.level == VARIABLE and len(node.args) > 1 else None
        if body is None:
            done[node] = replaced(node, done)
            continue
        constant, terms = body
        done[node] = linear(constant, [(power_product([(done.get(v, v), 1), (p, 1)]), 1) for v, p in terms])
    return graph.rewritten(done)


def _recombined(node: Expr, times: Mapping[Expr, int]) -> tuple[Number, list[tuple[Expr, Expr]]] | None:
    """The node's terms as (variable, coefficient) pairs, if recombining some of them pays; None if nothing does."""
    if not any(term.op == PROD and min([base.level for base in term.args]) < VARIABLE for term in node.args):
        return None  # no parameter to collect: the common case
    constant, coefficients = node.value
    terms = [_term(t, c, times) for t, c in zip(node.args, coefficients, strict=True)]
    if sum(len(term.parts) for term in terms) == len({part for term in terms for part in term.parts}):
        return None  # no variable stands twice
    result: list[tuple[Expr, Expr]] = []
    changed = False
    for group in _connected(terms):
        collected = _collected(group) if len(group) > 1 else None
        if collected is not None and _cost(collected) < sum(term.cost for term in group) + len(group):
            result += list(collected.items())
            changed = True
        else:
            result += [(term.whole, number(term.coefficient)) for term in group]
    return (constant, result) if changed else None


def _term(term: Expr, coefficient: Number, times: Mapping[Expr, int]) -> _Term:
    plain = 0 if coefficient in (1, -1) else 1
    if term.op != PROD or times[term] > 1:  # a product used elsewhere is computed anyway
        return _Term(term, coefficient, (), {term: 1}, plain)
    fixed: list[tuple[Expr, int]] = []
    moving: list[tuple[Expr, int]] = []
    for base, exponent in zip(term.args, term.value, strict=True):
        (fixed if base.level < VARIABLE else moving).append((base, exponent))
    if not fixed:
        return _Term(term, coefficient, (), {term: 1}, plain)
    core = moving[0][0] if len(moving) == 1 and moving[0][1] == 1 else power_product(moving)
    body = core.args[0] if core.op == STEP else core
    if body.op == LIN and body.value[0] == 0 and all(t.level == VARIABLE for t in body.args):
        parts = dict(zip(body.args, body.value[1], strict=True))
        return _Term(term, coefficient, tuple(fixed), parts, 1 + (len(parts) - 1 if times[core] == 1 else 0))
    return _Term(term, coefficient, tuple(fixed), {core: 1}, 1)


def _connected(terms: list[_Term]) -> list[list[_Term]]:
    """Terms that have variables in common, directly or through others."""
    groups: list[tuple[set[Expr], list[_Term]]] = []
    for term in terms:
        variables, members = set(term.parts), [term]
        apart = []
        for other, theirs in groups:
            if other & variables:
                variables, members = variables | other, theirs + members
            else:
                apart.append((other, theirs))
        groups = [*apart, (variables, members)]
    return [members for _, members in groups]


def _collected(group: list[_Term]) -> dict[Expr, Expr]:
    total: dict[Expr, Expr] = {}
    for term in group:
        factor = term.factor
        for variable, coefficient in term.parts.items():
            share = linear(0, [(factor, coefficient)])
            total[variable] = total[variable] + share if variable in total else share
    return {variable: factor for variable, factor in total.items() if not factor.is_zero}


def _cost(collected: Mapping[Expr, Expr]) -> int:
    """Multiplications and additions of the collected terms (the additions of a group count one a term)."""
    products = sum(0 if factor.is_number and factor.value in (1, -1) else 1 for factor in collected.values())
    return products + len(collected)


RECOMBINE = Pass("recombine", "P*(a + b) + Q*(a - b) = (P + Q)*a + (P - Q)*b, coefficients found off-line", recombine)
