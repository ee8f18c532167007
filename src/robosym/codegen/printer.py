"""What the printers of all programming languages share, on top of infix notation.

A language is a table of function names, a spelling of truth values and of the choice ``select``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ..expr import evaluate
from ..expr import number as number_node
from ..expr.evaluate import CONSTANTS
from ..expr.infix import ATOM, CONDITION, PRODUCT, SUM, Infix, Piece
from ..expr.node import CONSTANT, PROD, Expr, Number
from .errors import CodegenError


class CodePrinter(Infix):
    """Expressions on doubles. ``names`` says how every symbol and every node computed before is called.

    Bases of powers must be named or atoms (``straight_line`` sees to it), so that x^2 can be written x*x.
    """

    calls: ClassVar[Mapping[str, str]] = {}  # the language's name of each function of expr.FUNCTIONS
    helpers: ClassVar[Mapping[str, str]] = {}  # functions the language lacks: name in ``calls`` -> definition
    widest: ClassVar[int | None] = None  # longer sums and products are written in groups: for parsers that recurse
    joints: ClassVar[Mapping[str, str]] = {"and": " && ", "or": " || "}
    negation = "!"
    largest: ClassVar[int | None] = None  # how many nodes a line may hold, if statements have a limit of length

    def __init__(self, names: Mapping[Expr, str] | None = None) -> None:
        self.names: dict[Expr, str] = dict(names or {})
        self.used_helpers: set[str] = set()

    # What a language spells its own way.

    def truth_as_number(self, truth: list[Piece]) -> tuple[list[Piece], int]:
        """1.0 for a condition that holds, 0.0 otherwise."""
        raise NotImplementedError

    def choice(self, condition: list[Piece], yes: Expr, no: Expr) -> tuple[list[Piece], int]:
        """yes if the condition holds, else no."""
        raise NotImplementedError

    # What they share.

    def number(self, value: Number) -> str:
        """The nearest double, in digits that read back as exactly that double."""
        return repr(float(value))

    def _tightness(self, value: Number) -> int:
        return ATOM

    def constant(self, name: str) -> str:
        return self.number(CONSTANTS[name])

    def layout(self, node: Expr) -> tuple[list[Piece], int]:
        if node.level == CONSTANT and node.args:  # sqrt(2)/2 is not computed again in every call
            node = number_node(evaluate([node], {})[0])
        return super().layout(node)

    def scaled(self, coefficient: Number, term: Expr) -> list[Piece]:
        if term.op == PROD and term not in self.names and all(exponent < 0 for exponent in term.value):
            below = [(base, -exponent) for base, exponent in zip(term.args, term.value, strict=True)]
            return self.quotient([self.number(coefficient)], self._factors(below), term.value == (-1,))[0]
        return super().scaled(coefficient, term)

    def _terms(self, terms: Sequence[tuple[Expr, Number]], first: bool) -> list[Piece]:
        size = self._group_size(len(terms))
        if size is None:
            return super()._terms(terms, first)
        pieces: list[Piece] = []
        for start in range(0, len(terms), size):
            group = self._terms(terms[start : start + size], first=True)
            pieces += [" + (" if start or not first else "(", *group, ")"]
        return pieces

    def _factors(self, factors: Sequence[tuple[Expr, int]]) -> list[Piece]:
        size = self._group_size(len(factors))
        if size is None:
            return super()._factors(factors)
        pieces: list[Piece] = []
        for start in range(0, len(factors), size):
            group = self._factors(factors[start : start + size])
            pieces += [f"{self.times}(" if start else "(", *group, ")"]
        return pieces

    def _group_size(self, count: int) -> int | None:
        """How many of so many terms go into a group, should they need to: there are not too many groups either."""
        if self.widest is None or count <= self.widest:
            return None
        return max(self.widest, -(-count // self.widest))

    def symbol(self, node: Expr) -> str:
        raise CodegenError(f"'{node.name}' is used but is neither an input, a parameter nor an earlier step")

    def power(self, base: Expr, exponent: int) -> tuple[list[Piece], int]:
        """By repeated squaring, x^5 = (x*x)*(x*x)*x: compilers compute each square once."""
        return [self._power_text(self.write(base, ATOM), exponent)], PRODUCT

    def _power_text(self, base: str, exponent: int) -> str:
        if exponent <= 3:
            return self.times.join([base] * exponent)
        half = self._power_text(base, exponent // 2)
        square = f"({half}){self.times}({half})"
        return f"{square}{self.times}{base}" if exponent % 2 else square

    def function(self, node: Expr) -> tuple[list[Piece], int]:
        if self._is_condition(node):
            return self.truth_as_number(self.truth(node))
        if node.op == "select":
            return self.choice(self.truth(node.args[0]), node.args[1], node.args[2])
        called = self.calls.get(node.op)
        if called is None:
            raise CodegenError(f"{type(self).__name__} cannot write the function '{node.op}'")
        if called in self.helpers:
            self.used_helpers.add(called)
        return self.call(called, node.args), ATOM

    def helper_definitions(self) -> list[str]:
        """The helpers that what was written needs, in the order of the table."""
        return [text for name, text in self.helpers.items() if name in self.used_helpers]

    def _is_condition(self, node: Expr) -> bool:
        return node.op in self.comparisons or node.op in self.joints or node.op == "not"

    def truth(self, node: Expr) -> list[Piece]:
        """The node as a truth value of the language; nesting is bounded by ``straight_line``."""
        if node not in self.names:
            if node.op in self.comparisons:
                return self.comparison(node)[0]
            if node.op in self.joints:
                left, right = (self.truth(arg) for arg in node.args)
                return ["(", *left, ")", self.joints[node.op], "(", *right, ")"]
            if node.op == "not":
                return [self.negation, "(", *self.truth(node.args[0]), ")"]
        return self.nonzero(node)

    def nonzero(self, node: Expr) -> list[Piece]:
        """That a number is not zero, as a truth value of the language."""
        return [(node, SUM), f" {self.comparisons['ne']} ", self.number(0)]


__all__ = ["ATOM", "CONDITION", "PRODUCT", "SUM", "CodePrinter", "Piece"]
