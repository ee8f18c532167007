"""A generic place: numbers for symbols that have nothing to do with each other. What vanishes there vanishes everywhere.

That holds for analytic functions only. max(L - 5, 0) is zero for half of all L, and sqrt(L - 5) has no value there: a
function with pieces, branches or a limited domain is taken as a number of its own, whatever it is a function of. So a
zero is never found that is one for some values only; some that hold for all may be missed, which costs operations.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from .algebra import symbol
from .evaluate import evaluate
from .functions import ALL_FUNCTIONS
from .node import CONSTANT, PARAMETER, PROD, SYM, Expr
from .walk import postorder, substitute

# Every other function is opaque: known at one place, it is not known elsewhere.
ANALYTIC = frozenset(("sin", "cos", "tan", "atan", "exp", "tanh"))
OPAQUE = frozenset(ALL_FUNCTIONS) - ANALYTIC
LIMITED = frozenset(("asin", "acos", "sqrt", "log", "pow", "tan"))  # without a value for some arguments
LEAST, MOST = 0.5, 1.5  # what is drawn: neither small nor special, as an angle or a length

# What is zero in exact arithmetic is at most some 1e-13 of the size of the terms it is made of, on long chains too; what
# is there at a random place is seldom below a millionth of it. Between the two is room on either side of this.
NEGLIGIBLE = 1e-10


def negligible(value: float, size: float = 1.0, tolerance: float = NEGLIGIBLE) -> bool:
    """Whether a number computed at a random place is rounding, and the true one zero.

    ``size`` is that of the terms which may cancel: the largest entry of the same unit, the parts of the sum. Numbers
    drawn here, sines and lengths divided by the longest are of the size of one. What has no value is not negligible.
    """
    return abs(value) <= tolerance * abs(size)


class Generic:
    """A generic place, the same in every run. Symbols and opaque functions get their numbers when they are first met."""

    def __init__(self, seed: int = 1, given: Mapping[Expr, Any] | None = None) -> None:
        self._draw = random.Random(seed)
        self._known: dict[Expr, Any] = dict(given or {})
        self._stands_for: dict[Expr, Expr] = {}

    def __call__(self, roots: Sequence[Expr]) -> list[Any]:
        """The numbers of expressions at this place."""
        nodes = postorder(roots)
        for node in sorted((n for n in nodes if n.op == SYM and n not in self._known), key=lambda n: n.key):
            self._known[node] = self._draw.uniform(LEAST, MOST)
        opaque = opaque_functions(nodes)
        for node in opaque:
            if node not in self._stands_for:
                own = symbol(f"opaque_{len(self._stands_for)}", "local")
                self._stands_for[node] = own
                self._known[own] = self._draw.uniform(LEAST, MOST)
        if opaque:
            roots = substitute(roots, self._stands_for)
        return evaluate(roots, self._known)


def opaque_functions(nodes: Sequence[Expr]) -> list[Expr]:
    """Those among the nodes that are opaque functions of symbols."""
    return [node for node in nodes if node.op in OPAQUE and node.level != CONSTANT]


def limited_functions(nodes: Sequence[Expr]) -> list[Expr]:
    """Those among the nodes that have no value for some values of the parameters they are functions of."""
    return [n for n in nodes if n.level == PARAMETER and (n.op in LIMITED or (n.op == PROD and min(n.value) < 0))]
