"""Expression nodes: immutable, interned, with a structural order.

Two equal expressions are one object, so equality is identity and a shared subexpression costs nothing. A node is one of

=========  ==============================================  =========================================
op         meaning                                         ``args`` / ``value``
=========  ==============================================  =========================================
num        an exact rational or a float                    () / int, Fraction or float
const      an exact constant with a name (pi)              () / its name
sym        a variable, a parameter or a local name         () / (name, kind)
lin        c0 + c1 t1 + c2 t2 + ...                        terms / (c0, (c1, c2, ...))
prod       b1^e1 b2^e2 ... with integer exponents          bases / (e1, e2, ...)
step       its argument, kept apart as a step of a program (x,) / None
others     a function of ``functions.py``                  arguments / None
=========  ==============================================  =========================================

A single-term ``lin`` is a scaled expression: ``-x`` is ``lin`` with the coefficient -1. The constructors that keep these
forms canonical are in ``algebra.py``; nothing else may call :func:`intern`.
"""

from __future__ import annotations

import re
import threading
import weakref
from fractions import Fraction
from typing import TYPE_CHECKING, Any
from zlib import crc32

from ..errors import RobosymError

Number = int | float | Fraction

NUM, CONST, SYM, LIN, PROD, STEP = "num", "const", "sym", "lin", "prod", "step"

# What an expression depends on: nothing, parameters only, or the state of the robot.
CONSTANT, PARAMETER, VARIABLE = 0, 1, 2
LEVEL_OF_KIND = {"parameter": PARAMETER, "constant": PARAMETER, "variable": VARIABLE, "local": VARIABLE}

# The coarse part of the structural order: symbols first, then products, functions, sums.
_RANK = {SYM: 0, PROD: 1, STEP: 3, LIN: 4, CONST: 5, NUM: 6}
_FUNCTION_RANK = 2


class ExprError(RobosymError):
    """An expression that cannot be built or understood; the message says why."""


class Expr:
    """One node. Build nodes with operators and the functions of ``robosym.expr``; never call this class."""

    __slots__ = ("__weakref__", "args", "key", "level", "op", "value")

    op: str
    args: tuple[Expr, ...]
    value: Any
    level: int  # CONSTANT, PARAMETER or VARIABLE
    key: tuple[int, str, int]  # structural sort key, the same in every process

    if TYPE_CHECKING:  # arithmetic lives in algebra.py, which installs the operators when the package is imported

        def __add__(self, other: Any) -> Expr: ...
        def __radd__(self, other: Any) -> Expr: ...
        def __sub__(self, other: Any) -> Expr: ...
        def __rsub__(self, other: Any) -> Expr: ...
        def __mul__(self, other: Any) -> Expr: ...
        def __rmul__(self, other: Any) -> Expr: ...
        def __truediv__(self, other: Any) -> Expr: ...
        def __rtruediv__(self, other: Any) -> Expr: ...
        def __pow__(self, other: Any) -> Expr: ...
        def __rpow__(self, other: Any) -> Expr: ...
        def __lt__(self, other: Any) -> Expr: ...
        def __le__(self, other: Any) -> Expr: ...
        def __gt__(self, other: Any) -> Expr: ...
        def __ge__(self, other: Any) -> Expr: ...
        def __neg__(self) -> Expr: ...
        def __pos__(self) -> Expr: ...

    @property
    def name(self) -> str:
        """The name of a symbol or constant."""
        if self.op == SYM:
            return str(self.value[0])
        if self.op == CONST:
            return str(self.value)
        raise ExprError(f"only symbols have a name, and this is {self}")

    @property
    def kind(self) -> str | None:
        """'variable', 'parameter', 'constant' (precomputed) or 'local' for a symbol, else None."""
        return self.value[1] if self.op == SYM else None

    @property
    def is_number(self) -> bool:
        return self.op == NUM

    @property
    def is_zero(self) -> bool:
        return self.op == NUM and self.value == 0

    @property
    def is_atom(self) -> bool:
        return not self.args

    def __bool__(self) -> bool:
        if self.op == NUM:
            return bool(self.value != 0)
        raise ExprError(f"'{self}' is symbolic: it is neither true nor false (use select(condition, a, b))")

    def __repr__(self) -> str:
        from .text import abbreviated

        return abbreviated(self)

    def __str__(self) -> str:
        from .text import text

        return text(self)

    def __copy__(self) -> Expr:
        return self

    def __deepcopy__(self, memo: object) -> Expr:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        from .serial import from_table, to_table

        return from_table, (to_table([self]), 0)


class _Entry(weakref.ref[Expr]):
    """A weak reference that remembers under which key its node is interned."""

    __slots__ = ("table_key",)
    table_key: tuple[Any, ...]


_table: dict[tuple[Any, ...], _Entry] = {}
# Re-entrant because a garbage collection may run _forget while this thread is inserting.
_lock = threading.RLock()


def _forget(entry: weakref.ref[Expr]) -> None:
    key = entry.table_key  # type: ignore[attr-defined]
    with _lock:
        if _table.get(key) is entry:
            del _table[key]


def interned_count() -> int:
    """How many expressions are alive: for tests and for the curious."""
    return len(_table)


def intern(op: str, args: tuple[Expr, ...], value: Any, tag: Any, level: int) -> Expr:
    """The one node with this operation, arguments and value.

    ``tag`` tells apart values that Python finds equal (1/2 and 0.5); it is part of the identity and of the order.
    """
    table_key = (op, args, value, tag)
    entry = _table.get(table_key)
    if entry is not None:
        node = entry()
        if node is not None:
            return node
    node = Expr.__new__(Expr)
    node.op = op
    node.args = args
    node.value = value
    node.level = level
    node.key = _compound_key(op, args, value, tag) if args else _leaf_key(op, value, tag)
    with _lock:
        entry = _table.get(table_key)
        if entry is not None:
            other = entry()
            if other is not None:
                return other
        entry = _Entry(node, _forget)
        entry.table_key = table_key
        _table[table_key] = entry
    return node


# The order must not depend on the process, so only hashes of numbers and tuples of numbers are used: those of strings
# are seeded. hash(-1) == hash(-2), hence the stand-in for the commonest coefficient of all.
_MINUS_ONE = 0x5DEECE66D


def _compound_key(op: str, args: tuple[Expr, ...], value: Any, tag: Any) -> tuple[int, str, int]:
    parts = [_stable_id(op)]
    for arg in args:
        parts.append(arg.key[2])
    if value is not None:
        if op == LIN:
            parts.append(_MINUS_ONE if value[0] == -1 else value[0])
            value = value[1]
        for number in value:
            parts.append(_MINUS_ONE if number == -1 else number)
    if tag is not None:
        parts.append(_stable_id(tag))
    return (_RANK.get(op, _FUNCTION_RANK), args[0].key[1], hash(tuple(parts)))


_stable_ids: dict[str, int] = {}


def _stable_id(text: str) -> int:
    known = _stable_ids.get(text)
    if known is None:
        known = _stable_ids[text] = crc32(text.encode())
    return known


def _leaf_key(op: str, value: Any, tag: Any) -> tuple[int, str, int]:
    if op == NUM:
        return (_RANK[NUM], "", hash((1, _MINUS_ONE if value == -1 else value, _stable_id(tag or ""))))
    name = value[0] if op == SYM else value
    # "q10" after "q9": digits are compared as numbers.
    natural = re.sub(r"\d+", lambda digits: digits.group().rjust(8, "0"), name)
    encoded = repr(value).encode()
    return (_RANK[op], natural, hash((2, crc32(encoded), crc32(encoded[::-1]))))
