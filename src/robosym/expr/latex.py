"""LaTeX for people: ``D_{3} \\cos q_{2}`` with the usual short forms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from .exact import exact
from .infix import ATOM, CONDITION, POWER, PRODUCT, SUM, Infix, Piece
from .node import Expr, Number
from .sharing import write_out

_GREEK = frozenset(
    re.findall(
        r"\w+",
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi rho sigma tau phi chi psi omega "
        "Gamma Delta Theta Lambda Xi Sigma Phi Psi Omega",
    )
)
_NAMED = {
    "asin": r"\arcsin",
    "acos": r"\arccos",
    "atan": r"\arctan",
    "min": r"\min",
    "max": r"\max",
    "sign": r"\operatorname{sgn}",
}
_DOTTED = {"qd": r"\dot{q}", "qdd": r"\ddot{q}"}


class LatexPrinter(Infix):
    times = r" \, "
    comma = ", "  # between the arguments of a function
    comparisons: Mapping[str, str] = {"lt": "<", "le": r"\le", "eq": "=", "ne": r"\ne"}

    def number(self, value: Number) -> str:
        if isinstance(value, Fraction):
            sign = "-" if value < 0 else ""
            return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"
        if (constant := exact(value)) is not None:
            return LatexPrinter().write(constant.expr)
        if isinstance(value, float) and "e" in repr(value):
            mantissa, exponent = repr(value).split("e")
            return rf"{mantissa} \cdot 10^{{{int(exponent)}}}"
        return repr(value)

    def _tightness(self, value: Number) -> int:
        return ATOM if exact(value) is None else PRODUCT

    def constant(self, name: str) -> str:
        return rf"\{name}"

    def symbol(self, node: Expr) -> str:
        return latex_name(node.name)

    def part(self, index: int) -> str:
        return f"t_{{{index}}}"

    def power(self, base: Expr, exponent: int) -> tuple[list[Piece], int]:
        if base.op in ("sin", "cos", "tan") and base not in self.names:
            return [rf"\{base.op}^{{{exponent}}}", r"\left(", (base.args[0], CONDITION), r"\right)"], POWER
        return [(base, ATOM), f"^{{{exponent}}}"], POWER

    def quotient(self, above: list[Piece], below: list[Piece], single: bool) -> tuple[list[Piece], int]:
        return [r"\frac{", *above, "}{", *below, "}"], PRODUCT

    def function(self, node: Expr) -> tuple[list[Piece], int]:
        op, args = node.op, node.args
        if op in self.comparisons:
            return self.comparison(node)
        if op == "sqrt":
            return [r"\sqrt{", (args[0], CONDITION), "}"], ATOM
        if op == "abs":
            return [r"\left|", (args[0], CONDITION), r"\right|"], ATOM
        if op == "floor":
            return [r"\left\lfloor ", (args[0], CONDITION), r" \right\rfloor"], ATOM
        if op == "pow":
            return [(args[0], ATOM), "^{", (args[1], CONDITION), "}"], POWER
        if op == "exp":
            return ["e^{", (args[0], CONDITION), "}"], POWER
        if op == "select":
            condition, yes, no = [(arg, CONDITION) for arg in args]
            return [
                r"\begin{cases} ",
                yes,
                r" & \text{if } ",
                condition,
                r" \\ ",
                no,
                r" & \text{else} \end{cases}",
            ], ATOM
        if op in ("and", "or"):
            return [(args[0], SUM), rf" \{'land' if op == 'and' else 'lor'} ", (args[1], SUM)], CONDITION
        if op == "not":
            return [r"\lnot ", (args[0], ATOM)], ATOM
        name = _NAMED.get(op, rf"\operatorname{{{op}}}" if op == "atan2" else rf"\{op}")
        pieces: list[Piece] = [name, r"\left("]
        for i, arg in enumerate(args):
            pieces += [self.comma, (arg, CONDITION)] if i else [(arg, CONDITION)]
        return [*pieces, r"\right)"], ATOM


def latex_name(name: str) -> str:
    """q12 -> q_{12}, alpha3 -> \\alpha_{3}, qd1 -> \\dot{q}_{1}, M_tool -> M_{tool}, U313_2 -> U_{313,2}, C2q2 -> C_{2q_{2}}."""
    stem, rest = re.fullmatch(r"([^\d_]*)(.*)", name, re.DOTALL).groups()  # type: ignore[union-attr]
    if not stem:
        return rf"\mathit{{{name}}}" if name else ""
    subscript = _index([part for part in rest.split("_") if part])
    if stem in _DOTTED:
        stem = _DOTTED[stem]
    elif stem in _GREEK:
        stem = rf"\{stem}"
    elif len(stem) > 1:
        stem = rf"\mathit{{{stem}}}"
    return rf"{stem}_{{{subscript}}}" if subscript else stem


def _index(parts: list[str]) -> str:
    """Numbers and words with commas between them; of a sum of angles 2m3 is 2-3, and 2q2 is twice an angle."""
    found = ""
    for k, part in enumerate(parts):
        words = part.isalpha() and k > 0 and parts[k - 1].isalpha()
        found += (r"\_" if words else ",") if k else ""
        found += part if part.isalpha() else re.sub(r"([A-Za-z])(\d+)", r"\1_{\2}", _MINUS.sub("-", part))
    return found


_MINUS = re.compile(r"(?<=\d)m(?=\d)")


def latex(root: Expr, names: Mapping[Expr, str] | None = None) -> str:
    """The expression in LaTeX, without surrounding dollars; very long ones as lines ``t_{1} = ...`` and a last line."""
    return write_out(root, LatexPrinter, names)
