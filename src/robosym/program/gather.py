"""Bringing parameters together: the parameters of every product and of every sum become one unit.

Such a unit depends on parameters alone, is computed once, off-line, and costs nothing at run time. Constant expressions
become numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from operator import is_

from ..expr import Expr, evaluate, linear, number, power_product, step
from ..expr.algebra import split_coefficient
from ..expr.node import CONSTANT, LIN, PARAMETER, PROD, STEP, VARIABLE, Number
from ..expr.walk import rebuild, transform
from .graph import Graph

LONGEST = 60  # terms of a sum that is multiplied out with all sums in it


def gather(graph: Graph, open_steps: bool = False, settled: Collection[Expr] = ()) -> Graph:
    """Group the parameters of every product and sum, and turn constant expressions into numbers.

    ``open_steps`` dissolves the steps used once on the way (see passes/dissolve.py). ``settled`` nodes are known to be
    gathered already, with all that is below them.
    """
    done: dict[Expr, Expr] = {}
    times = graph.uses if open_steps else {}
    for node in graph.nodes:
        if node in settled:
            done[node] = node
            continue
        if times.get(node) == 1 and node.op == STEP and node.level == VARIABLE:
            done[node] = done[node.args[0]]
            continue
        if node.level < VARIABLE:
            done[node] = number(evaluate([node], {})[0]) if node.level == CONSTANT and node.args else node
            continue
        args = [done[a] for a in node.args]
        same = all(map(is_, args, node.args))
        new = node if same else rebuild(node, args)
        if new.level == VARIABLE:
            # A changed argument may have turned the node into a signed one: look behind the sign.
            sign, inner = split_coefficient(new)
            if sign == -1 and inner.op == LIN:
                new = -_gathered_sum(inner)
            elif new.op == PROD:
                new = _gathered_product(new)
            elif new.op == LIN:
                new = _gathered_sum(new)
        done[node] = new
    return graph.rewritten(done)


def _closed(node: Expr) -> Expr:
    """A parameter expression as a unit that sums and products around it leave alone."""
    return step(node) if node.args else node


def _gathered_product(node: Expr) -> Expr:
    for base in node.args:
        if base.level < VARIABLE:
            break
    else:
        return node  # the common case
    fixed = [(b, e) for b, e in zip(node.args, node.value, strict=True) if b.level < VARIABLE]
    moving = [(b, e) for b, e in zip(node.args, node.value, strict=True) if b.level == VARIABLE]
    if not moving or not fixed or (len(fixed) == 1 and fixed[0][1] == 1):
        return node
    return power_product([*moving, (_closed(power_product(_open(fixed))), 1)])


def _gathered_sum(node: Expr) -> Expr:
    """c0 + sum of parameter terms as one; a numeric coefficient joins the parameter factor of its term."""
    constant, coefficients = node.value
    if len(coefficients) > 1 and _SIGNS.issuperset(coefficients) and min([t.level for t in node.args]) == VARIABLE:
        return node  # the common case; the products in it were gathered before it
    fixed, moving = [], []
    for old, coefficient in zip(node.args, coefficients, strict=True):
        term = _gathered_product(old) if old.op == PROD else old
        if term.level < VARIABLE:
            fixed.append((term, coefficient))
        elif coefficient == 1 or coefficient == -1:
            moving.append((term, coefficient))
        else:
            moving.append(_with_coefficient(term, coefficient))
    if not fixed and all(term is old for (term, _), old in zip(moving, node.args, strict=True)):
        return node
    if fixed and (len(fixed) > 1 or constant != 0 or fixed[0][1] not in (1, -1)):
        offset = linear(constant, [(t.args[0] if t.op == STEP else t, c) for t, c in fixed])
        constant = 0
        fixed = [(_closed(offset), 1)] if not offset.is_number else []
        if offset.is_number:
            constant = offset.value
    return linear(constant, [*moving, *fixed])


_SIGNS = frozenset((1, -1))


def _with_coefficient(term: Expr, coefficient: int | float) -> tuple[Expr, int | float]:
    """Move a coefficient other than a sign into the term's parameter factor, if it has one."""
    if term.op != PROD:
        return term, coefficient
    parts = list(zip(term.args, term.value, strict=True))
    fixed = [(b, e) for b, e in parts if b.level == PARAMETER]
    if not fixed:
        return term, coefficient
    sign = -1 if coefficient < 0 else 1
    unit = _closed(power_product(_open(fixed), abs(coefficient)))
    return power_product([*[(b, e) for b, e in parts if b.level != PARAMETER], (unit, 1)]), sign


def _open(parts: Iterable[tuple[Expr, int]]) -> list[tuple[Expr, int]]:
    return [(base.args[0] if base.op == STEP else base, exponent) for base, exponent in parts]


def without_cancellation(roots: Sequence[Expr]) -> list[Expr]:
    """Parameter expressions in which no sum takes away what a multiple of a sum inside it has brought in.

    (a + b)/2 - (a - b)/2 is b: computed as it stands, it would lose the digits of b where a is large.
    """
    return transform(roots, _multiplied_out)


def _multiplied_out(node: Expr) -> Expr | None:
    """A sum with the sums in it (multiples of them, steps) multiplied out, if that makes it shorter; else with all sums in these."""
    if node.op != LIN or not any(arg.op in (LIN, STEP) for arg in node.args):
        return None
    for deep in (False, True):
        if deep and _terms(node) > LONGEST:
            return None
        constant, terms = _opened(node, deep)
        flat = linear(constant, terms)
        kept = len(flat.args) if flat.op == LIN else 1
        if kept < len(terms) and flat is not node:
            return flat
    return None


def _terms(node: Expr) -> int:
    """How many terms a sum has with all sums in it multiplied out; beyond LONGEST it does not matter."""
    total = 0
    for arg in node.args:
        inner = split_coefficient(arg.args[0] if arg.op == STEP else arg)[1]
        total += _terms(inner) if inner.op == LIN else 1
        if total > LONGEST:
            break
    return total


def _opened(node: Expr, deep: bool) -> tuple[Number, list[tuple[Expr, Number]]]:
    """The terms of a sum, those of the sums in it in their place."""
    constant, coefficients = node.value
    terms: list[tuple[Expr, Number]] = []
    for arg, factor in zip(node.args, coefficients, strict=True):
        multiple, inner = split_coefficient(arg.args[0] if arg.op == STEP else arg)
        if inner.op != LIN:
            terms.append((inner, factor * multiple))
            continue
        own, more = (
            _opened(inner, True) if deep else (inner.value[0], list(zip(inner.args, inner.value[1], strict=True)))
        )
        constant = constant + factor * multiple * own
        terms += [(term, factor * multiple * c) for term, c in more]
    return constant, terms
