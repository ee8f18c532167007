"""What computer algebra systems (Mathematica, Maple) write the same way: powers, and arrays as lists of lists."""

from __future__ import annotations

from ..expr.exact import Exact, exact
from ..expr.infix import POWER, PRODUCT
from ..expr.node import Expr, Number
from .interface import LISTED, Interface, arguments, costs, heading, precompute_arguments, results_listed
from .nested import nested
from .printer import ATOM, CodePrinter, Piece

INDENT = " " * 2


class AlgebraPrinter(CodePrinter):
    """Expressions whose symbols may stand for numbers or for expressions: x^2, not x*x; sqrt(3)/2, not its double."""

    def number(self, value: Number) -> str:
        constant = exact(value)
        return self.decimal(value) if constant is None else self.exact(constant)

    def decimal(self, value: Number) -> str:
        """A number in digits."""
        raise NotImplementedError

    def exact(self, constant: Exact) -> str:
        """A constant in the words of the language, with whole numbers."""
        raise NotImplementedError

    def _tightness(self, value: Number) -> int:
        return super()._tightness(value) if exact(value) is None else PRODUCT

    def power(self, base: Expr, exponent: int) -> tuple[list[Piece], int]:
        return [(base, ATOM), f"^{exponent}"], POWER

    def real_power(self, base: Expr, exponent: Expr) -> tuple[list[Piece], int]:
        return [(base, ATOM), "^", (exponent, ATOM)], POWER


def exact_product(constant: Exact, pi: str, call: str) -> str:
    """``sqrt(3)/2``: ``call`` has the place of the function's name and of its argument, ``pi`` is the language's name of it."""
    above, below = constant.factor.numerator, constant.factor.denominator
    core = pi
    if constant.core == "sqrt":
        core = call.format("sqrt", constant.of)
    elif constant.core == "sin":
        turn, parts = constant.of.numerator, constant.of.denominator
        core = call.format("sin", f"{f'{turn}*' if turn > 1 else ''}{pi}/{parts}")
    sign = "-" if above < 0 else ""
    factor = f"{abs(above)}*" if abs(above) > 1 else ""
    return f"{sign}{factor}{core}{f'/{below}' if below > 1 else ''}"


def list_of_lists(
    texts: tuple[str, ...], shape: tuple[int, ...], brackets: str, indent: str, head: str = "", tail: str = ""
) -> list[str]:
    """``head``, the entries in nested ``brackets``, ``tail``."""
    return nested(texts, shape, indent, head, tail, step=INDENT, brackets=brackets, last="")


def documentation(facts: Interface, width: int, several: str) -> list[str]:
    """What the file says of its functions, indices counted from 1."""
    lines = [*heading(facts), "", *costs(facts), ""]
    lines += arguments(facts, width, with_outputs=False, first=1, storage=LISTED)
    lines += ["", *results_listed(facts, width, several, first=1)]
    if facts.has_precompute and not facts.reads_parameters:  # then nothing above says what they are
        lines += ["", f"{facts.precompute_function}:", *precompute_arguments(facts, width, first=1)]
    return lines
