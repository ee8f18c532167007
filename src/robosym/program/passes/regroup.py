"""Regrouping: the pair of terms (or factors) that most sums (or products) have in common is computed once.

a + b + c and a + b + d share nothing as nodes, yet a + b can serve both. The most frequent pair is taken out first,
until no pair occurs twice (greedy, after Breuer 1969). Signs do not matter: a - b and b - a are one pair.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from ...expr import Expr, linear, power_product, step
from ...expr.algebra import split_coefficient
from ...expr.node import LIN, PROD, VARIABLE, Number
from ..graph import Graph
from .base import Pass, replaced

Pair = tuple[Expr, Expr, int]  # two terms and the sign between them, or two factors and 1

# Longer sums and products are not searched for pairs: the search is quadratic in their length.
LONGEST = 48


def regroup(graph: Graph) -> Graph:
    """Share pairs of factors and pairs of terms; then rebuild what holds one."""
    tables = {op: _Table(op, graph.nodes) for op in (PROD, LIN)}
    for table in tables.values():
        while table.share_best():
            pass
    if not any(table.made for table in tables.values()):
        return graph
    done: dict[Expr, Expr] = {}
    for node in graph.nodes:
        found = tables.get(node.op)
        if found is not None and node in found.touched:
            parts = [(found.replaced(part, done), number) for part, number in found.parts[node].items()]
            done[node] = _assembled(node.op, node.value[0] if node.op == LIN else 0, parts)
        else:
            done[node] = replaced(node, done)
    return graph.rewritten(done)


def _assembled(op: str, constant: Number, parts: list[tuple[Expr, Number]]) -> Expr:
    if op == LIN:
        return linear(constant, parts)
    return power_product([(base, int(exponent)) for base, exponent in parts])


def _inverse(number: Number) -> Number:
    return Fraction(1) / number if isinstance(number, int | Fraction) else 1 / number


class _Table:
    """The sums (or products) as sets of parts, and which of them hold each pair."""

    def __init__(self, op: str, nodes: list[Expr]) -> None:
        self.op = op
        self.parts: dict[Expr, dict[Expr, Number]] = {}
        self.holders: dict[Pair, dict[Expr, None]] = {}
        self.made: dict[Expr, tuple[Pair, Number]] = {}  # a new step -> the pair that is a coefficient times it
        self.queue: list[tuple[int, int, Pair]] = []  # (-holders, age, pair), checked when it is taken
        self.age = 0
        self.touched: set[Expr] = set()  # the nodes a pair was taken out of
        nodes = [n for n in nodes if n.op == op and n.level == VARIABLE and 2 <= len(n.args) <= LONGEST]
        times = Counter(arg for node in nodes for arg in node.args)
        self.lonely = {arg for arg, count in times.items() if count == 1}  # in one sum only: in no common pair
        for node in nodes:
            if sum([arg not in self.lonely for arg in node.args]) < 2:
                continue
            numbers = node.value[1] if op == LIN else node.value
            self.parts[node] = dict(zip(node.args, numbers, strict=True))
            self._enter(node)

    def _pairs(self, node: Expr) -> Iterator[Pair]:
        """The pairs a node holds: factors of positive power, or terms whose coefficients differ in sign at most."""
        items = [
            (part, number)
            for part, number in self.parts[node].items()
            if part not in self.lonely and part.level == VARIABLE and (self.op == LIN or number > 0)
        ]
        items.sort(key=lambda item: item[0].key)
        for (a, m), (b, n) in combinations(items, 2):
            if self.op == PROD or m == n:
                yield a, b, 1
            elif m == -n:
                yield a, b, -1

    def _enter(self, node: Expr) -> None:
        for pair in self._pairs(node):
            holders = self.holders.setdefault(pair, {})
            holders[node] = None
            if len(holders) > 1:
                self.age += 1  # pairs themselves have no order
                heapq.heappush(self.queue, (-len(holders), self.age, pair))

    def share_best(self) -> bool:
        """Take out the pair held most often; False when every pair is held once."""
        while self.queue:
            count, age, pair = heapq.heappop(self.queue)
            now = len(self.holders.get(pair, ()))
            if now == -count:
                self._take_out(pair)
                return True
            if now > 1:
                heapq.heappush(self.queue, (-now, age, pair))
        return False

    def _take_out(self, pair: Pair) -> None:
        a, b, _ = pair
        coefficient, core = split_coefficient(self._body(pair, a, b))  # any number: much of a pair may cancel
        unit = step(core)
        self.made[unit] = (pair, coefficient)
        for node in list(self.holders[pair]):
            self.touched.add(node)
            for old in self._pairs(node):
                self.holders[old].pop(node, None)
            parts = self.parts[node]
            if self.op == LIN:
                size = parts[a] * coefficient
                del parts[a], parts[b]
            else:
                size = 1
                for base in (a, b):
                    parts[base] -= 1
                    if parts[base] == 0:
                        del parts[base]
            parts[unit] = parts.get(unit, 0) + size
            if parts[unit] == 0:
                del parts[unit]
            self._enter(node)

    def _body(self, pair: Pair, a: Expr, b: Expr) -> Expr:
        return linear(0, [(a, 1), (b, pair[2])]) if self.op == LIN else power_product([(a, 1), (b, 1)])

    def replaced(self, part: Expr, done: dict[Expr, Expr]) -> Expr:
        """A part after the rewriting of what is below it; the steps made here are built from their own parts."""
        waiting = [part]
        while waiting:
            top = waiting[-1]
            if top in done:
                waiting.pop()
                continue
            pair, coefficient = self.made[top]
            below = [p for p in pair[:2] if p not in done]
            if below:
                waiting.extend(below)
            else:
                body = self._body(pair, done[pair[0]], done[pair[1]])
                done[top] = step(linear(0, [(body, _inverse(coefficient))]))
        return done[part]


REGROUP = Pass("regroup", "compute once what several sums or products have in common", regroup)
