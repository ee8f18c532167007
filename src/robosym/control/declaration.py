"""How a control law declares itself: its name, and what it follows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec

from ..options.validate import validated
from .law import Law, Reference

P = ParamSpec("P")


@dataclass(frozen=True)
class Declaration:
    """A control law by its name; lists are in the order of ranks."""

    name: str
    rank: int
    reference: Reference
    function: Callable[..., Law]


DECLARED: list[Declaration] = []


def law(name: str, *, rank: int, reference: Reference = "joints") -> Callable[[Callable[P, Law]], Callable[P, Law]]:
    """Declare a function that makes a control law; its arguments are validated before each call."""

    def declared(function: Callable[P, Law]) -> Callable[P, Law]:
        checked = validated(function)
        DECLARED.append(Declaration(name, rank, reference, checked))
        return checked

    return declared
