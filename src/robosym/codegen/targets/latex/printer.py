"""How the steps of a program are typeset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import ClassVar

from ....expr.infix import ATOM, CONDITION, POWER, PRODUCT, SUM, Infix, Piece
from ....expr.latex import LatexPrinter
from ....expr.node import PROD, Expr, Number
from ...printer import CodePrinter
from .measure import PAGE, sized_parentheses, widest_group

MANY_FACTORS = 6
MOST = 10**20  # larger numerators and denominators become decimals


class LatexProgramPrinter(LatexPrinter, CodePrinter):
    """The formulas of ``LatexPrinter`` with names for what was computed before; numbers stay exact.

    An expression with a part too wide for a page is written ``flat``, so that TeX can break it: a/b, not a fraction.
    """

    comma = r", \allowbreak "  # where TeX may break a line: it breaks none after a comma
    joints: ClassVar[Mapping[str, str]] = {"and": r" \land ", "or": r" \lor "}
    negation = r"\lnot "

    def __init__(self, names: Mapping[Expr, str] | None = None) -> None:
        CodePrinter.__init__(self, names)
        self.flat = False
        self.has_brackets = False  # whether a condition was written as a number

    def write(self, root: Expr, around: int = CONDITION) -> str:
        text = sized_parentheses(super().write(root, around))
        if widest_group(text) <= PAGE:
            return text
        self.flat = True
        text = sized_parentheses(super().write(root, around))
        self.flat = False
        return text

    def layout(self, node: Expr) -> tuple[list[Piece], int]:
        return Infix.layout(self, node)

    def number(self, value: Number) -> str:
        """Exact, unless that would be unreadably long."""
        digits = max(value.numerator, value.denominator, key=abs) if isinstance(value, Fraction) else 0
        return super().number(float(value) if abs(digits) >= MOST else value)

    def symbol(self, node: Expr) -> str:
        return CodePrinter.symbol(self, node)

    def quotient(self, above: list[Piece], below: list[Piece], single: bool) -> tuple[list[Piece], int]:
        if self.flat:
            return [*above, " / ", *(below if single else ["(", *below, ")"])], PRODUCT
        return super().quotient(above, below, single)

    def scaled(self, coefficient: Number, term: Expr) -> list[Piece]:
        """(1/3)/x is one fraction."""
        if isinstance(coefficient, Fraction) and term.op == PROD and term not in self.names and max(term.value) < 0:
            below = self._factors([(base, -exponent) for base, exponent in zip(term.args, term.value, strict=True)])
            above: list[Piece] = [self.number(coefficient.numerator)]
            return self.quotient(above, [self.number(coefficient.denominator), self.times, *below], False)[0]
        return super().scaled(coefficient, term)

    def function(self, node: Expr) -> tuple[list[Piece], int]:
        if node.op == "select" or self._is_condition(node):
            return CodePrinter.function(self, node)
        if node.op == "exp":  # e may be a symbol
            return [r"\exp", "(", (node.args[0], CONDITION), ")"], ATOM
        if self.flat:
            return self._flat_function(node)
        return super().function(node)

    def _flat_function(self, node: Expr) -> tuple[list[Piece], int]:
        inside: list[Piece] = [(arg, CONDITION) for arg in node.args]
        if node.op == "sqrt":
            return ["(", *inside, ")^{1/2}"], POWER
        if node.op == "abs":
            return ["|", *inside, "|"], ATOM
        if node.op == "floor":
            return [r"\lfloor ", *inside, r" \rfloor"], ATOM
        if node.op == "pow":
            return [r"\operatorname{pow}(", inside[0], self.comma, inside[1], ")"], ATOM
        return super().function(node)

    def truth_as_number(self, truth: list[Piece]) -> tuple[list[Piece], int]:
        """[condition], as Iverson wrote it."""
        self.has_brackets = True
        return (["[", *truth, "]"] if self.flat else [r"\left[", *truth, r"\right]"]), ATOM

    def choice(self, condition: list[Piece], yes: Expr, no: Expr) -> tuple[list[Piece], int]:
        if self.flat:
            words: list[Piece] = [r"(\text{if } ", *condition, r" \text{ then } ", (yes, SUM), r" \text{ else } "]
            return [*words, (no, SUM), ")"], ATOM
        rows: list[Piece] = [(yes, CONDITION), r" & \text{if } ", *condition, r" \\ ", (no, CONDITION)]
        return [r"\begin{cases} ", *rows, r" & \text{otherwise} \end{cases}"], ATOM

    def _factors(self, factors: Sequence[tuple[Expr, int]]) -> list[Piece]:
        pieces = super()._factors(factors)
        if len(factors) <= MANY_FACTORS:
            return pieces
        return [r" \, \allowbreak " if piece == self.times else piece for piece in pieces]
