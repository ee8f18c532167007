"""The entries of a description: numbers and expressions read one by one, every problem collected with its place."""

from __future__ import annotations

import difflib
import math
import operator
from collections.abc import Collection, Iterable
from numbers import Real
from typing import Any, cast

import numpy as np

from ..errors import RobosymError
from ..expr import (
    CONSTANT,
    Expr,
    ExprError,
    evaluate,
    free_symbols,
    number,
    parameter,
    parse,
    substitute,
    text,
    variable,
)
from ..expr.functions import FUNCTIONS
from ..options.numbers import is_bool, is_whole
from .physics import RIGID_TOLERANCE, orthonormal
from .problems import Problem

ROUNDING = 1e-15  # how far the columns of a rotation in doubles may be from orthonormal
RESERVED = frozenset(("pi", "deg", *FUNCTIONS))
NO_NUMBERS = frozenset(("nan", "inf", "infinity"))  # in any case: what a program writes where it has no number

FLEXIBLE = (
    "flexible links are out of scope: a joint can be flexible (flexibility = {stiffness, damping}), a link is rigid"
)
STIFFNESS = (
    "expected spring = {stiffness, damping, rest}, which acts on the joint, or flexibility = {stiffness, damping}, "
    "which is between its motor and its link"
)
ROLLING = (
    "rolling wheels are out of scope: they tie speeds and not positions, which no coordinates of the joints can say"
)
HINTS = {  # keys that a person may expect
    **dict.fromkeys(("flexible", "beam", "flexible_link", "elastic_link"), FLEXIBLE),
    **dict.fromkeys(("stiffness", "damping", "rest", "elasticity"), STIFFNESS),
    **dict.fromkeys(("rolling", "wheel", "nonholonomic"), ROLLING),
}


class Entries:
    """Reads entries and remembers what was wrong.

    A name is a variable when it is a joint's; in an entry of the state (velocity, torque, wrench ...) also when no
    entry of the robot proper uses it and it has no value. Everything else is a parameter. So the entries of the state
    are read last.
    """

    def __init__(self, variables: Iterable[str], with_value: Iterable[str] = ()) -> None:
        self.variables = frozenset(variables)
        self.parameter_names = set(with_value)
        self.problems: list[Problem] = []
        # Of the row being read: what its entries call something else, and what all its parameters end with. ``renamed`` are the
        # parameters that got an ending, by their new names.
        self.local: dict[str, Expr] = {}
        self.ending = ""
        self.renamed: dict[str, str] = {}

    def problem(self, where: str, message: str) -> None:
        self.problems.append(Problem(where, message))

    def expression(self, where: str, raw: Any, default: Expr, state: bool = False) -> Expr:
        """The expression of a number or a text; ``default`` when it is none, which is then a problem."""
        if isinstance(raw, Expr):
            return self._ended(raw)
        if is_bool(raw) or not isinstance(raw, (Real, str)):
            self.problem(where, f"expected a number or an expression as text, got {shown(raw)}")
            return default
        try:
            if isinstance(raw, str):
                return parse(raw, self._state_symbol if state else self._symbol)
            return number(cast(float, raw))
        except ExprError as error:
            self.problem(where, str(error))
            return default

    def vector(self, where: str, raw: Any, default: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """As many expressions as ``default`` has."""
        if not isinstance(raw, (list, tuple)) or len(raw) != len(default):
            self.problem(where, f"expected a list of {len(default)} entries, got {shown(raw)}")
            return default
        return tuple(self.expression(f"{where} {i + 1}", raw[i], default[i]) for i in range(len(default)))

    def placement(self, where: str, raw: Any, default: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """The 16 entries of [R p; 0 0 0 1] by rows. An R in rounded numbers (0.7071) becomes the rotation it means."""
        entries = list(self.vector(where, raw, default))
        turn = [entries[4 * i + k] for i in range(3) for k in range(3)]
        if any(entry.level != CONSTANT for entry in turn):
            return tuple(entries)
        R = np.array(evaluate(turn, {}), dtype=float).reshape(3, 3)
        with np.errstate(all="ignore"):
            error = float(np.abs(R.T @ R - np.eye(3)).max())
        if ROUNDING < error <= RIGID_TOLERANCE:  # else it is clean, or no rotation at all, and the checks say so
            for (i, k), entry in np.ndenumerate(orthonormal(R)):
                entries[4 * i + k] = number(float(entry))
        return tuple(entries)

    def number(self, where: str, raw: Any) -> float | None:
        """A finite number, perhaps written as an expression without symbols ("170 deg")."""
        entry = self.expression(where, raw, number(0))
        if entry.level != CONSTANT:
            self.problem(where, f"expected a number, got {shown(raw)}")
            return None
        amount = float(evaluate([entry], {})[0])
        if not math.isfinite(amount):
            self.problem(where, f"expected a finite number, got {shown(raw)}")
            return None
        return amount

    def integer(self, where: str, raw: Any, default: int) -> int:
        if not is_whole(raw):
            self.problem(where, f"expected a whole number, got {shown(raw)}")
            return default
        return operator.index(raw)

    def truth(self, where: str, raw: Any, default: bool) -> bool:
        if not isinstance(raw, bool):
            self.problem(where, f"expected true or false, got {shown(raw)}")
            return default
        return raw

    def text(self, where: str, raw: Any, default: str) -> str:
        if not isinstance(raw, str):
            self.problem(where, f"expected a text, got {shown(raw)}")
            return default
        return raw

    def table(self, where: str, raw: Any, known: Collection[str]) -> dict[str, Any]:
        """The known keys of a table; each other key is a problem that suggests the nearest known one."""
        if not isinstance(raw, dict):
            self.problem(where, f"expected a table, got {shown(raw)}")
            return {}
        for key in raw:
            if key not in known:
                near = difflib.get_close_matches(str(key)[:40], known, 1, 0.5)
                hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(known)}"
                hint = HINTS.get(str(key), hint)
                self.problem(f"{where}, {key}" if where else str(key), f"unknown key ({hint})")
        return {key: value for key, value in raw.items() if key in known}

    def _symbol(self, name: str) -> Expr:
        if name in self.local:
            return self.local[name]
        if name in self.variables:
            return variable(name)
        symbol = self._ended(_parameter(name))
        self.parameter_names.add(symbol.name)
        return symbol

    def _ended(self, entry: Expr) -> Expr:
        """With the ending of its row at each parameter."""
        if not self.ending:
            return entry
        old = [s for s in free_symbols(entry) if s.kind == "parameter"]
        new = {s: parameter(s.name + self.ending) for s in old}
        self.renamed.update({new[s].name: s.name for s in old})
        return substitute([entry], new)[0]

    def _state_symbol(self, name: str) -> Expr:
        return _parameter(name) if name in self.parameter_names else variable(allowed(name))


def _parameter(name: str) -> Expr:
    return parameter(allowed(name))


def allowed(name: str) -> str:
    """The name itself, unless the language of expressions has taken it."""
    if name in RESERVED:
        raise ExprError(f"'{name}' is the name of a function or constant: expected a symbol")
    if name.lower() in NO_NUMBERS:
        raise ExprError(f"'{name}' is not a finite number, and no name of a symbol")
    return name


def is_symbol_name(name: str) -> bool:
    return name.isidentifier() and name.isascii() and name not in RESERVED and name.lower() not in NO_NUMBERS


def shown(raw: Any) -> str:
    """A value as an error message shows it: short, and a large structure by its kind."""
    if isinstance(raw, (dict, list, tuple)):
        return f"a {'table' if isinstance(raw, dict) else 'list'} of {len(raw)}"
    if isinstance(raw, int) and abs(raw) > 10**30:
        return "a very large number"
    written = repr(raw)
    return written if len(written) <= 60 else written[:59] + "…"


def written(entry: Expr) -> str:
    """An entry as text that the parser reads back."""
    line = text(entry)
    if "\n" in line:
        raise RobosymError(f"the expression {entry!r} is too long to be written in a description")
    return line
