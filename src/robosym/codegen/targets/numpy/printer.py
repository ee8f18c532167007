"""How NumPy spells expressions on arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ....expr.functions import CONDITIONS, FUNCTIONS
from ....expr.infix import CONDITION
from ....expr.node import Expr
from ...printer import ATOM, PRODUCT, CodePrinter, Piece


class NumpyPrinter(CodePrinter):
    widest = 200
    # FUNCTIONS knows the NumPy function of each: the same that evaluates expressions on arrays.
    calls: ClassVar[Mapping[str, str]] = {
        name: f"np.{f.on_arrays}" for name, f in FUNCTIONS.items() if name not in CONDITIONS
    }
    where = "np.where"
    joints: ClassVar[Mapping[str, str]] = {"and": " & ", "or": " | "}
    negation = "np.logical_not"

    def truth_as_number(self, truth: list[Piece]) -> tuple[list[Piece], int]:
        return ["1.0*(", *truth, ")"], PRODUCT

    def choice(self, condition: list[Piece], yes: Expr, no: Expr) -> tuple[list[Piece], int]:
        return [f"{self.where}(", *condition, ", ", (yes, CONDITION), ", ", (no, CONDITION), ")"], ATOM
