"""What the fields of a robot and of its parts hold: plain numbers become expressions, and any other kind raises an error."""

from __future__ import annotations

import types
import typing
from dataclasses import fields
from functools import cache
from typing import Any, NamedTuple, Union

from ..expr import Expr, ExprError, number
from ..options.kinds import fits, kind_of
from ..options.validate import shown
from .frozen import FrozenDict
from .problems import Problem, RobotError


class Part:
    """A part of a robot. Entries given as plain numbers become expressions; lists and arrays become tuples."""

    def __post_init__(self) -> None:
        check_fields(self)


class Field(NamedTuple):
    """A field of a part: ``plain`` are types that fit as they are, ``length`` is that of a vector."""

    name: str
    hint: Any
    plain: tuple[Any, ...]
    length: int


def check_fields(part: Any, source: str = "") -> None:
    """Convert the numbers and lists of a frozen dataclass, and raise an error that names a field of another kind."""
    kind: Any = type(part)
    for name, hint, plain, length in _fields(kind):
        value = getattr(part, name)
        if type(value) in plain or type(value) is FrozenDict:  # a robot has checked what it froze
            continue
        if length and type(value) is tuple and len(value) == length and all(type(entry) is Expr for entry in value):
            continue
        try:
            converted = _converted(value, hint)
            misfit = not fits(converted, hint) or bool(length and converted is not None and len(converted) != length)
        except ExprError:  # a number that is not finite
            misfit = True
        if misfit:
            raise RobotError([Problem(name, f"expected {_expected(hint, length)}, got {shown(value)}")], source)
        object.__setattr__(part, name, converted)


@cache
def _fields(kind: Any) -> tuple[Field, ...]:
    hints = typing.get_type_hints(kind)
    return tuple(
        Field(one.name, hint, tuple(x for x in _alternatives(hint) if isinstance(x, type)), _length(hint, one.default))
        for one in fields(kind)
        for hint in (hints[one.name],)
    )


def _length(hint: Any, default: Any) -> int:
    """The number of entries of a vector of expressions, 0 if it may have any."""
    if isinstance(default, tuple) and default:
        return len(default)
    vectors = [typing.get_args(one) for one in _alternatives(hint) if typing.get_origin(one) is tuple]
    return next((len(entries) for entries in vectors if all(entry is Expr for entry in entries)), 0)


def _alternatives(hint: Any) -> tuple[Any, ...]:
    return typing.get_args(hint) if typing.get_origin(hint) in (Union, types.UnionType) else (hint,)


def _converted(value: Any, hint: Any) -> Any:
    """The value with its numbers as expressions where the type has such, and with tuples for lists and arrays."""
    if getattr(value, "ndim", 0) and hasattr(value, "tolist"):
        value = value.tolist()
    for one in _alternatives(hint):
        inside = typing.get_args(one)
        if one is Expr and not isinstance(value, Expr) and fits(value, float):
            return number(value)
        if typing.get_origin(one) is tuple and isinstance(value, (tuple, list)):
            return tuple(_converted(entry, inside[0]) for entry in value)
    return value


def _expected(hint: Any, length: int) -> str:
    if length:
        return f"{length} numbers or expressions (robosym.expr)"
    if Expr in _alternatives(hint):
        return "a number or an expression (robosym.expr)"
    return kind_of(hint).phrase()
