"""Cancelling: (a + b x)/x = a/x + b, where 1/x is computed once and multiplied with.

Systems that are solved by a shared inverse leave such quotients behind: what multiplies x inside a sum comes out of it as it
was. A product of 1/(x y) with y is one with 1/x, if that is there too.
"""

from __future__ import annotations

from ...expr import Expr, linear, power_product, step
from ...expr.algebra import split_coefficient
from ...expr.node import LIN, PROD, STEP, VARIABLE, Number
from ..graph import Graph
from .base import Pass, replaced

Powers = dict[Expr, int]
Term = tuple[Expr, Number]


def cancel(graph: Graph) -> Graph:
    """Bottom-up over the graph; one in which nothing is inverted is left as it is."""
    if all(_below(node) is None for node in graph.nodes):
        return graph
    known = _Known()
    done: dict[Expr, Expr] = {}
    for node in graph.nodes:
        new = replaced(node, done)
        if new.op == PROD and new.level == VARIABLE:
            new = _cancelled(new, known)
        done[node] = new
        known.add(new)
    return _as_steps(graph.rewritten(done))


def _as_steps(graph: Graph) -> Graph:
    """What a step stands for is that step wherever it stands: beside the step it cancels."""
    bodies = {node.args[0] for node in graph.nodes if node.op == STEP and node.level == VARIABLE}
    done: dict[Expr, Expr] = {}
    for node in graph.nodes:
        new = replaced(node, done)
        done[node] = step(new) if node in bodies else new
    return graph.rewritten(done)


class _Known:
    """What is computed anyway: inverses by what they divide by, and steps by what they stand for."""

    def __init__(self) -> None:
        self.inverses: dict[frozenset[tuple[Expr, int]], tuple[Expr, Number]] = {}
        self.steps: dict[Expr, Expr] = {}

    def add(self, node: Expr) -> None:
        if node.op != STEP:
            return
        self.steps.setdefault(node.args[0], node)
        if (below := _below(node)) is not None:
            self.inverses.setdefault(frozenset(below[0].items()), (node, below[1]))

    def step(self, node: Expr) -> Expr:
        """The step that stands for an expression, if there is one: it cancels where the step does."""
        return self.steps.get(node, node)


def _below(node: Expr) -> tuple[Powers, Number] | None:
    """What a step divides by, and its coefficient, if it is such an inverse and nothing else: c / (x y^2)."""
    if node.op != STEP or node.level < VARIABLE:
        return None
    coefficient, inner = split_coefficient(node.args[0])
    if inner.op != PROD or any(e > 0 for e in inner.value):
        return None
    return {base: -e for base, e in zip(inner.args, inner.value, strict=True)}, coefficient


def _cancelled(node: Expr, known: _Known) -> Expr:
    """A product with an inverse: the terms of its sum that hold what it divides by come out."""
    powers = _powers(node)
    for inverse in [base for base, e in powers.items() if e == 1 and _below(base) is not None]:
        found = _below(inverse)
        assert found is not None
        below, size = found
        others = {base: e for base, e in powers.items() if base is not inverse}
        shorter = _shortened(below, size, others, known)
        if shorter is not None:
            return _cancelled(shorter, known) if shorter.op == PROD else shorter
        for whole in [base for base, e in others.items() if base.op == LIN and e == 1 and len(base.args) > 1]:
            made = _split(node, whole, below, size, {b: e for b, e in others.items() if b is not whole}, known)
            if made is not None:
                return made
    return node


def _shortened(below: Powers, size: Number, others: Powers, known: _Known) -> Expr | None:
    """The product with a shorter inverse, if one is there, or with none."""
    shared = {base: min(e, others.get(base, 0)) for base, e in below.items()}
    if not any(e > 0 for e in shared.values()):
        return None
    left = {base: e - shared[base] for base, e in below.items() if e > shared[base]}
    rest = {base: e - max(shared.get(base, 0), 0) for base, e in others.items()}
    if not left:
        return power_product(list(rest.items()), size)
    found = known.inverses.get(frozenset(left.items()))
    if found is None or found[1] not in (1, -1):
        return None
    return power_product([*rest.items(), (found[0], 1)], size * found[1])


def _split(node: Expr, whole: Expr, below: Powers, size: Number, others: Powers, known: _Known) -> Expr | None:
    """The terms of a sum that hold all that is divided by, apart from the others."""
    constant, coefficients = whole.value
    kept: list[Term] = []
    out: list[Term] = []
    for term, coefficient in zip(whole.args, coefficients, strict=True):
        powers = _powers(term)
        total = {base: powers.get(base, 0) + others.get(base, 0) for base in {*powers, *others}}
        if all(total.get(base, 0) >= e for base, e in below.items()) and any(powers.get(base, 0) > 0 for base in below):
            left = {base: e - below.get(base, 0) for base, e in total.items()}
            out.append((known.step(power_product(list(left.items()))), coefficient * size))
        else:
            kept.append((term, coefficient))
    if not out:
        return None
    rest = power_product([(node, 1), (whole, -1), (linear(constant, kept), 1)])
    return linear(0, [(rest, 1), *out])


def _powers(node: Expr) -> Powers:
    return dict(zip(node.args, node.value, strict=True)) if node.op == PROD else {node: 1}


CANCEL = Pass("cancel", "(a + b*x)/x = a/x + b where 1/x is shared", cancel)
