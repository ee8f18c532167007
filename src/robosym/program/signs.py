"""Signs out of the steps: a name in the text has the sign its quantity has, a processor need not follow."""

from __future__ import annotations

from collections.abc import Sequence

from ..expr import Expr
from ..expr.algebra import split_sign
from .graph import raised
from .program import Step


def without_signs(steps: Sequence[Step], results: Sequence[Expr]) -> tuple[list[Step], list[Expr]]:
    """The same computation where no step is minus something: its users subtract where they added."""
    if all(split_sign(one.expr)[0] > 0 for one in steps):
        return list(steps), list(results)
    meaning: dict[Expr, Expr] = {}
    found: list[Step] = []
    for one in steps:
        sign, body = split_sign(raised(one.expr, meaning))
        meaning[one.symbol] = one.symbol if sign > 0 else -one.symbol
        found.append(Step(one.symbol, body))
    return found, [raised(result, meaning) for result in results]
