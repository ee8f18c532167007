"""Parameters that follow from others: base parameters from the standard ones and the geometry.

When a caller changes a number they are made of, they change with it; a stale one would give wrong results in silence.
So would one that was made by dividing by zero: numbers that make a pivot vanish belong to another set of parameters, with
which the model is another one, and are refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..expr import Expr, evaluate, free_symbols, text
from .program import ProgramError

SMALLEST_PIVOT = 1e-6  # of the size of one: with a smaller one more than six digits of a result are lost


@dataclass(frozen=True)
class Derived:
    """How some parameters are made, the default numbers of what they are made of, what they are divided by, and which
    functions of parameters must have a value, or a positive one."""

    expressions: Mapping[str, Expr] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    pivots: tuple[Expr, ...] = ()
    limited: tuple[Expr, ...] = ()
    fixed: frozenset[str] = frozenset()  # what keeps its default number, because others were found with it
    positive: tuple[Expr, ...] = ()

    @property
    def restricts(self) -> bool:
        """Whether there are numbers that cannot be given."""
        return bool(self.pivots or self.limited or self.positive)

    @property
    def sources(self) -> set[str]:
        """The names that may be given instead of the parameters made of them."""
        made_of = free_symbols(*self.expressions.values(), *self.pivots, *self.limited, *self.positive)
        return {symbol.name for symbol in made_of} | self.fixed

    def completed(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The given values, with every parameter made of one of them (unless it is given itself)."""
        self.check(given)
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
            if not all(map(math.isfinite, _numbers(full[name]))):
                raise ProgramError(f"parameter '{name}' has no value with {_shown(needed, known)}")
        return full

    def check(self, given: Mapping[str, Any]) -> None:
        """Refuse values (each a number, or an array for a batch) with which a pivot vanishes or a function has no value."""
        known = {**self.values, **given}
        for name in sorted(self.fixed & set(given)):
            if any(amount != self.values.get(name) for amount in _numbers(given[name])):
                raise ProgramError(
                    f"this model was found with {name} = {self.values.get(name)}, and holds for no other value: "
                    "expected this one (or a model made of a robot that has another)"
                )
        for part in (*self.limited, *self.positive, *self.pivots):
            needed = {symbol.name for symbol in free_symbols(part)}
            if not needed & set(given) or not needed <= set(known):
                continue
            amounts = _numbers(evaluate([part], known)[0])
            if not all(map(math.isfinite, amounts)):
                raise ProgramError(f"{text(part)} has no value with {_shown(needed, known)}")
            if part in self.positive and not all(amount > 0 for amount in amounts):
                raise ProgramError(f"{text(part)}: expected a positive number, got {_shown(needed, known)}")
            if part in self.pivots and not all(abs(amount) > SMALLEST_PIVOT for amount in amounts):
                raise ProgramError(
                    f"the base parameters were made by dividing by {text(part)}, which is zero with "
                    f"{_shown(needed, known)}: expected values with which it is not (or a model made of a robot that has "
                    "these values)"
                )


def joined(parts: Iterable[Derived]) -> Derived:
    """What holds for code that is put together from several models of one robot."""
    found = Derived()
    for one in parts:
        found = Derived(
            {**found.expressions, **one.expressions},
            {**found.values, **one.values},
            tuple(dict.fromkeys((*found.pivots, *one.pivots))),
            tuple(dict.fromkeys((*found.limited, *one.limited))),
            found.fixed | one.fixed,
            tuple(dict.fromkeys((*found.positive, *one.positive))),
        )
    return found


def _shown(names: set[str], known: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {known[name]}" for name in sorted(names))


def _numbers(value: Any) -> list[float]:
    """The numbers of a number or of an array of them."""
    found: list[float] = value.ravel().tolist() if getattr(value, "ndim", 0) else [float(value)]
    return found
