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

A single-term ``lin`` is a scaled expression: ``-x`` is ``lin`` with the coefficient -1. The constructors that keep
these forms canonical are in ``algebra.py`` and ``functions.py``; nothing else may call :func:`intern`.
"""

from __future__ import annotations

import re
import threading
import weakref
from fractions import Fraction
from functools import lru_cache
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

    if TYPE_CHECKING:  # arithmetic lives in operators.py, which is installed when the package is imported

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
        def __abs__(self) -> Expr: ...

    @property
    def name(self) -> str:
        """The name of a symbol or constant."""
        if self.op == SYM:
            return str(self.value[0])
        if self.op == CONST:
            return str(self.value)
        raise ExprError(f"only symbols have a name, and this is {self!r}")

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

    def __bool__(self) -> bool:
        if self.op == NUM:
            return bool(self.value != 0)
        raise ExprError(f"'{self!r}' is symbolic: it is neither true nor false (use select(condition, a, b))")

    def __repr__(self) -> str:
        from .text import abbreviated

        return abbreviated(self)

    def _repr_latex_(self) -> str | None:
        """The expression in a notebook; one that has to be written in several lines stays text."""
        from .latex import latex

        found = latex(self).replace("<", r" \lt ")
        return None if "\n" in found else rf"$\displaystyle {found}$"

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


_new = object.__new__
_table: dict[tuple[Any, ...], _Entry] = {}
# Entering a new key is one step of the dictionary and needs no lock; whoever replaces or removes an entry holds it.
# Re-entrant because a garbage collection may run _forget while this thread is inserting.
_lock = threading.RLock()


def _forget(entry: weakref.ref[Expr]) -> None:
    key = entry.table_key  # type: ignore[attr-defined]
    with _lock:
        if _table.get(key) is entry:  # else the same expression was built again meanwhile
            del _table[key]


def interned_count() -> int:
    """How many expressions are alive: for tests and measurements."""
    return len(_table)


def intern(op: str, args: tuple[Expr, ...], value: Any = None, tag: str | None = None) -> Expr:
    """The one node with this operation, arguments and value.

    ``tag`` tells apart values that Python finds equal (1/2 and 0.5); it is part of the identity and of the order.
    """
    table_key = (op, args, value, tag)
    entry = _table.get(table_key)
    if entry is not None:
        node = entry()
        if node is not None:
            return node
    node = _new(Expr)
    node.op = op
    node.args = args
    node.value = value
    if args:
        node.key, node.level = _compound(op, args, value, tag)
    else:
        node.key, node.level = _leaf(op, value, tag)
    entry = _Entry(node, _forget)
    entry.table_key = table_key
    if _table.setdefault(table_key, entry) is entry:  # one step, whatever other threads do
        return node
    with _lock:
        present = _table.setdefault(table_key, entry)
        if present is not entry:
            other = present()
            if other is not None:
                return other  # another thread was faster
            _table[table_key] = entry
    return node


# --- the structural order --------------------------------------------------------------------------------------------
#
# A node's key is its rank, the name of its first symbol, and a fingerprint of all it holds. It must not depend on the
# process, so the fingerprint is made of hashes of numbers and of tuples of numbers: those of strings are seeded.

Key = tuple[int, str, int]


class _Places(dict[str, tuple[int, int]]):
    """The rank of an operation in the order, and a number for its name."""

    def __missing__(self, op: str) -> tuple[int, int]:
        self[op] = place = (_RANK.get(op, _FUNCTION_RANK), crc32(op.encode()))
        return place


_places = _Places()


def _compound(op: str, args: tuple[Expr, ...], value: Any, tag: str | None) -> tuple[Key, int]:
    rank, name = _places[op]
    if value is None:
        mark = 0
    elif len(args) <= 4:
        mark = _short_mark(op, value, tag)
    else:
        mark = _mark(op, value, tag)
    first = args[0]
    if len(args) == 1:
        return (rank, first.key[1], hash((name, mark, first.key[2]))), first.level
    if len(args) == 2:
        second = args[1]
        level = first.level if first.level >= second.level else second.level
        return (rank, first.key[1], hash((name, mark, first.key[2], second.key[2]))), level
    prints = [arg.key[2] for arg in args]
    return (rank, first.key[1], hash((name, mark, *prints))), max([arg.level for arg in args])


_FAITHFUL = 1 << 60


def _mark(op: str, value: Any, tag: str | None) -> int:
    """The fingerprint of coefficients or exponents."""
    numbers = (value[0], *value[1]) if op == LIN else value
    if tag is None and min(numbers) > -1 and max(numbers) < _FAITHFUL:
        return hash(numbers)
    return hash((*map(_print_of_number, numbers), crc32((tag or "").encode())))


_short_mark = lru_cache(maxsize=1024)(_mark)


def _print_of_number(number: Number) -> int:
    """Python's hash where it is faithful; hash(-1) == hash(-2), and large numbers wrap around."""
    if isinstance(number, int) and -1 < number < _FAITHFUL:
        return number
    written = repr(number).encode()
    return hash((crc32(written), crc32(written[::-1])))


def _leaf(op: str, value: Any, tag: str | None) -> tuple[Key, int]:
    if op == NUM:
        return (_RANK[NUM], "", hash((1, _print_of_number(value), crc32((tag or "").encode())))), CONSTANT
    name, kind = value if op == SYM else (value, "")
    # "q10" after "q9": digits are compared as numbers.
    natural = _DIGITS.sub(lambda digits: digits.group().rjust(8, "0"), name)
    written = f"{op} {name} {kind}".encode()
    fingerprint = hash((2, crc32(written), crc32(written[::-1])))
    return (_RANK[op], natural, fingerprint), LEVEL_OF_KIND.get(kind, CONSTANT)


_DIGITS = re.compile(r"\d+")
