"""Parameters that follow from others: base parameters from the standard ones and the geometry.

When a caller changes a number they are made of, they change with it; a stale one would give wrong results in silence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..expr import Expr, evaluate, free_symbols
from .program import ProgramError


@dataclass(frozen=True)
class Derived:
    """How some parameters are made, and the default numbers of what they are made of."""

    expressions: Mapping[str, Expr] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)

    @property
    def sources(self) -> set[str]:
        """The names that may be given instead of the parameters made of them."""
        return {symbol.name for made in self.expressions.values() for symbol in free_symbols(made)}

    def completed(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The given values, with every parameter made of one of them (unless it is given itself)."""
        full = dict(given)
        for name, made in self.expressions.items():
            needed = {symbol.name for symbol in free_symbols(made)}
            if name in given or not needed & set(given):
                continue
            known = {**self.values, **given}
            missing = sorted(needed - set(known))
            if missing:
                raise ProgramError(f"parameter '{name}' follows from {', '.join(missing)}, which has no value")
            full[name] = evaluate([made], known)[0]
        return full
