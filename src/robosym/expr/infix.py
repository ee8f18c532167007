"""Infix notation, written once: readable text, LaTeX and every C-like language are small variations of this printer.

Writing is a loop over a stack of pieces, so a graph of any depth prints, in time linear in the length of the result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from .node import CONST, LIN, NUM, PROD, STEP, SYM, Expr, Number
from .numbers import magnitude

# How tightly a written form binds; a form inside a tighter one gets parentheses.
CONDITION, SUM, PRODUCT, POWER, ATOM = range(5)

Piece = str | tuple[Expr, int]


class Infix:
    """A printer. A subclass says how its language spells numbers, symbols, powers and functions."""

    times = "*"
    comparisons: Mapping[str, str] = {"lt": "<", "le": "<=", "eq": "==", "ne": "!="}

    def __init__(self, names: Mapping[Expr, str] | None = None) -> None:
        self.names = names or {}  # nodes computed elsewhere, by the name they have there

    # What a language spells its own way.

    def number(self, value: Number) -> str:
        raise NotImplementedError

    def constant(self, name: str) -> str:
        return name

    def symbol(self, node: Expr) -> str:
        return node.name

    def part(self, index: int) -> str:
        """The name of a part of an expression too long to be written in one piece."""
        return f"t{index}"

    def power(self, base: Expr, exponent: int) -> tuple[list[Piece], int]:
        """base^exponent for exponent >= 2, and how tightly it binds."""
        raise NotImplementedError

    def function(self, node: Expr) -> tuple[list[Piece], int]:
        return self.call(node.op, node.args), ATOM

    def quotient(self, above: list[Piece], below: list[Piece], single: bool) -> tuple[list[Piece], int]:
        return [*above, "/", *(below if single else ["(", *below, ")"])], PRODUCT

    def scaled(self, coefficient: Number, term: Expr) -> list[Piece]:
        """coefficient * term for a positive coefficient other than 1."""
        if term.op == PROD and term not in self.names and max(term.value) < 0:  # 2/x rather than 2*1/x
            return self._over([self.number(coefficient)], list(zip(term.args, term.value, strict=True)))[0]
        return [self.number(coefficient), self.times, (term, PRODUCT)]

    # What they share.

    def write(self, root: Expr, around: int = CONDITION) -> str:
        out: list[str] = []
        stack: list[Piece] = [(root, around)]
        while stack:
            piece = stack.pop()
            if isinstance(piece, str):
                out.append(piece)
                continue
            node, outer = piece
            pieces, own = self.layout(node)
            stack.extend(reversed(pieces if own >= outer else ["(", *pieces, ")"]))
        return "".join(out)

    def layout(self, node: Expr) -> tuple[list[Piece], int]:
        """The pieces of a node and how tightly they bind together."""
        name = self.names.get(node)
        if name is not None:
            return [name], ATOM
        if node.op == LIN:
            return self._sum(node)
        if node.op == PROD:
            return self._product(node)
        if node.op == SYM:
            return [self.symbol(node)], ATOM
        if node.op == NUM:
            negative = node.value < 0
            return [self.number(node.value)], SUM if negative else self._tightness(node.value)
        if node.op == CONST:
            return [self.constant(node.value)], ATOM
        if node.op == STEP:
            return self.layout(node.args[0])
        return self.function(node)

    def _tightness(self, value: Number) -> int:
        return PRODUCT if isinstance(value, Fraction) else ATOM

    def call(self, function: str, args: Sequence[Expr]) -> list[Piece]:
        pieces: list[Piece] = [function, "("]
        for i, arg in enumerate(args):
            pieces += [", ", (arg, CONDITION)] if i else [(arg, CONDITION)]
        return [*pieces, ")"]

    def comparison(self, node: Expr) -> tuple[list[Piece], int]:
        left, right = node.args
        return [(left, SUM), f" {self.comparisons[node.op]} ", (right, SUM)], CONDITION

    def _sum(self, node: Expr) -> tuple[list[Piece], int]:
        constant, coefficients = node.value
        terms = list(zip(node.args, coefficients, strict=True))
        inner = node.args[0]
        if len(terms) == 1 and constant == 0:
            if coefficients[0] == -1 and inner.op == LIN and inner not in self.names and self._mixed(inner):
                # -(a - b) reads b - a
                terms = [(t, -c) for t, c in zip(inner.args, inner.value[1], strict=True)]
                terms.sort(key=lambda term: term[1] < 0)
                constant = -inner.value[0]
                if terms[0][1] < 0 < constant:
                    rest = self._terms(terms, first=False)
                    return [self.number(constant), *rest], SUM
            elif coefficients[0] > 0:
                return self.scaled(coefficients[0], inner), PRODUCT
        pieces = self._terms(terms, first=True)
        if constant != 0:
            pieces += [" + " if constant > 0 else " - ", self.number(abs(constant))]
        return pieces, SUM

    @staticmethod
    def _mixed(node: Expr) -> bool:
        return node.value[0] < 0 or any(c < 0 for c in node.value[1])

    def _terms(self, terms: Sequence[tuple[Expr, Number]], first: bool) -> list[Piece]:
        pieces: list[Piece] = []
        for term, coefficient in terms:
            if first:
                pieces.append("-" if coefficient < 0 else "")
            else:
                pieces.append(" - " if coefficient < 0 else " + ")
            first = False
            size = magnitude(coefficient)
            pieces += [(term, PRODUCT)] if size == 1 else self.scaled(size, term)
        return pieces

    def _product(self, node: Expr) -> tuple[list[Piece], int]:
        above = [(b, e) for b, e in zip(node.args, node.value, strict=True) if e > 0]
        below = [(b, -e) for b, e in zip(node.args, node.value, strict=True) if e < 0]
        if not below and len(above) == 1:
            return self.power(*above[0])
        top: list[Piece] = self._factors(above) if above else [self.number(1)]
        if not below:
            return top, PRODUCT
        return self._over(top, below)

    def _over(self, above: list[Piece], below: Sequence[tuple[Expr, int]]) -> tuple[list[Piece], int]:
        """The pieces above the bar over factors with exponents of any sign."""
        factors = [(base, abs(exponent)) for base, exponent in below]
        return self.quotient(above, self._factors(factors), len(factors) == 1 and factors[0][1] == 1)

    def _factors(self, factors: Sequence[tuple[Expr, int]]) -> list[Piece]:
        pieces: list[Piece] = []
        for base, exponent in factors:
            if pieces:
                pieces.append(self.times)
            if exponent == 1:
                pieces.append((base, POWER))
            else:
                inner, own = self.power(base, exponent)
                pieces += inner if own >= PRODUCT else ["(", *inner, ")"]
        return pieces
