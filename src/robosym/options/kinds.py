"""Kinds of values: the one place that reads annotations.

``kind_of(annotation)`` gives a small tree of kinds. Each kind knows which values fit it, and how an error message and a command line
name it.
"""

from __future__ import annotations

import inspect
import math
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, Union

from .markers import Format, Note, OneOf, Range
from .numbers import is_array, is_number, is_whole, without_dtype

DEEPEST = 3  # levels of lists and mappings whose entries are checked
MOST = 200  # entries of each


@dataclass(frozen=True)
class Kind:
    """Any value."""

    def fits(self, value: Any, depth: int = 0) -> bool:
        """Whether a value is of this kind; ``depth`` counts the lists and mappings around it."""
        return True

    def misfit(self, value: Any) -> Misfit | None:
        """The entry of a value that does not fit, the first one; None if all of it fits."""
        return None if self.fits(value) else Misfit("", value, self)

    def phrase(self, many: bool = False) -> str:
        """The kind in an error message."""
        return "values" if many else "a value"

    @property
    def metavar(self) -> str:
        """The kind on a command line."""
        return "VALUE"

    @property
    def alternatives(self) -> tuple[Kind, ...]:
        """The kinds that this one consists of, without None."""
        return (self,)

    @property
    def is_number(self) -> bool:
        """Whether it is a number, within bounds or not."""
        return False


@dataclass(frozen=True)
class Misfit:
    """An entry that does not fit: where it is in the value, ``, NAME`` for an entry of a mapping, and what was expected."""

    where: str
    value: Any
    kind: Kind


@dataclass(frozen=True)
class Nothing(Kind):
    """None."""

    def fits(self, value: Any, depth: int = 0) -> bool:
        return value is None

    def phrase(self, many: bool = False) -> str:
        return "None"

    @property
    def metavar(self) -> str:
        return ""

    @property
    def alternatives(self) -> tuple[Kind, ...]:
        return ()


@dataclass(frozen=True)
class Word(Kind):
    """One value of a ``Literal``."""

    value: Any

    def fits(self, value: Any, depth: int = 0) -> bool:
        value = without_dtype(value)
        same = isinstance(value, str) if isinstance(self.value, str) else type(value) is type(self.value)
        return same and bool(value == self.value)

    def phrase(self, many: bool = False) -> str:
        return repr(self.value)

    @property
    def metavar(self) -> str:
        return "none" if self.value is False else str(self.value)


@dataclass(frozen=True)
class Plain(Kind):
    """A builtin type: bool, int, float, complex, str or bytes; numbers may have bounds."""

    type: type
    range: Range | None = None
    note: str = ""  # in error messages

    def fits(self, value: Any, depth: int = 0) -> bool:
        if self.type is bool:
            return isinstance(value, bool)
        if self.type in (int, float, complex):
            number = is_whole(value) if self.type is int else is_number(value)
            return number and (self.range is None or (math.isfinite(value) and self.range.holds(value)))
        return isinstance(value, self.type)

    def phrase(self, many: bool = False) -> str:
        one, several = {
            bool: ("True or False", "truth values"),
            int: ("a whole number", "whole numbers"),
            str: ("a text", "texts"),
            bytes: ("bytes", "bytes"),
        }.get(self.type, ("a number", "numbers"))
        if self.range == Range():
            one, several = "a finite number", "finite numbers"
        phrase = several if many else one
        if self.note:
            phrase += f" ({self.note})"
        return phrase if self.range is None else f"{phrase} {self.range}".rstrip()

    @property
    def is_number(self) -> bool:
        return self.type in (int, float)

    @property
    def metavar(self) -> str:
        return {bool: "yes|no", int: "INTEGER", str: "NAME"}.get(self.type, "NUMBER")


@dataclass(frozen=True)
class Named(Kind):
    """The name of something that declares itself: a control law, an integrator."""

    names: Callable[[], Iterable[str]]

    def fits(self, value: Any, depth: int = 0) -> bool:
        return isinstance(value, str) and value in self.names()

    def phrase(self, many: bool = False) -> str:
        *first, last = map(repr, self.names())
        return f"{', '.join(first)} or {last}"

    @property
    def metavar(self) -> str:
        return "|".join(self.names())

    @property
    def alternatives(self) -> tuple[Kind, ...]:
        return tuple(map(Word, self.names()))


@dataclass(frozen=True)
class Numbers(Kind):
    """A NumPy array."""

    def fits(self, value: Any, depth: int = 0) -> bool:
        import numpy as np  # here, so that a command line starts without it

        try:
            return np.asarray(value).dtype.kind in "fiu"
        except (TypeError, ValueError):
            return False

    def phrase(self, many: bool = False) -> str:
        return "numbers"


@dataclass(frozen=True)
class ListOf(Kind):
    """A list, or anything that is iterated over; ``entries`` are the kinds of a tuple of fixed length."""

    entry: Kind
    entries: tuple[Kind, ...] = ()

    def fits(self, value: Any, depth: int = 0) -> bool:
        if isinstance(value, str):  # a sequence of texts
            return depth < DEEPEST and self.entry.fits(value, DEEPEST)
        if not _is_list(value):
            return False
        if depth >= DEEPEST:
            return True
        found = list(value)[:MOST] if hasattr(value, "__len__") else []
        if self.entries:
            return len(found) == len(self.entries) and all(
                kind.fits(one, depth + 1) for one, kind in zip(found, self.entries, strict=True)
            )
        return all(self.entry.fits(one, depth + 1) for one in found)

    def phrase(self, many: bool = False) -> str:
        return f"a list of {self.entry.phrase(True)}"

    @property
    def metavar(self) -> str:
        if formats := formats_in(self.entry):
            return formats[0].plural
        words = [one.metavar for one in self.entry.alternatives if isinstance(one, Word)]
        if words:
            return f"{'|'.join(words)},..."
        plain = {one.type for one in self.entry.alternatives if isinstance(one, Plain)}
        return "NUMBER,..." if float in plain and str not in plain else "NAME,..."


@dataclass(frozen=True)
class SetOf(Kind):
    """A set."""

    entry: Kind

    def fits(self, value: Any, depth: int = 0) -> bool:
        if not isinstance(value, (set, frozenset)):
            return False
        return depth >= DEEPEST or all(self.entry.fits(one, depth + 1) for one in list(value)[:MOST])

    def phrase(self, many: bool = False) -> str:
        return f"a list of {self.entry.phrase(True)}"


@dataclass(frozen=True)
class MappingOf(Kind):
    """A mapping."""

    key: Kind
    value: Kind

    def fits(self, value: Any, depth: int = 0) -> bool:
        if not isinstance(value, Mapping):
            return False
        if depth >= DEEPEST:
            return True
        entries = list(value.items())[:MOST]
        return all(self.key.fits(key, depth + 1) and self.value.fits(one, depth + 1) for key, one in entries)

    def misfit(self, value: Any) -> Misfit | None:
        if self.fits(value) or not isinstance(value, Mapping):
            return super().misfit(value)
        for key, entry in value.items():
            if self.key.fits(key, 1) and not self.value.fits(entry, 1):
                inner = self.value.misfit(entry) or Misfit("", entry, self.value)
                return Misfit(f", {key}{inner.where}", inner.value, inner.kind)
        return super().misfit(value)

    def phrase(self, many: bool = False) -> str:
        plain = type(self.key) is Kind and type(self.value) is Kind
        return "a mapping" if plain else f"a mapping of {self.key.phrase(True)} to {self.value.phrase(True)}"

    @property
    def metavar(self) -> str:
        return "NAME=VALUE,..."


@dataclass(frozen=True)
class Function(Kind):
    """A function."""

    def fits(self, value: Any, depth: int = 0) -> bool:
        return callable(value)

    def phrase(self, many: bool = False) -> str:
        return "a function"


@dataclass(frozen=True)
class Instance(Kind):
    """An object of a class, or of a class with the methods of a protocol."""

    type: type

    def fits(self, value: Any, depth: int = 0) -> bool:
        if getattr(self.type, "_is_protocol", False):
            return all(hasattr(value, name) for name in vars(self.type) if not name.startswith("_"))
        return isinstance(value, self.type)

    def phrase(self, many: bool = False) -> str:
        name = self.type.__name__
        if name == "Robot":
            return "a Robot (load it first: robosym.load(...))"
        return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


@dataclass(frozen=True)
class Either(Kind):
    """One of several kinds."""

    kinds: tuple[Kind, ...]

    def fits(self, value: Any, depth: int = 0) -> bool:
        return any(kind.fits(value, depth) for kind in self.kinds)

    def misfit(self, value: Any) -> Misfit | None:
        if self.fits(value):
            return None
        deeper = (kind.misfit(value) for kind in self.kinds)
        return next((one for one in deeper if one is not None and one.where), Misfit("", value, self))

    def phrase(self, many: bool = False) -> str:
        inner = [
            one for kind in self.kinds for one in (kind.alternatives if isinstance(kind, (Either, Named)) else (kind,))
        ]
        phrases = [kind.phrase(many) for kind in inner]
        truth = "True or False"
        parts = [part for one in phrases for part in (("True", "False") if one == truth else (one,))]
        parts = list(dict.fromkeys(parts))
        return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"

    @property
    def metavar(self) -> str:
        words = list(dict.fromkeys(word for kind in self.kinds for word in kind.metavar.split("|") if word))
        if "NAME" in words and "INTEGER" in words:
            words = ["NAME", *(word for word in words if word not in ("NAME", "INTEGER"))]
        return "|".join(words)

    @property
    def alternatives(self) -> tuple[Kind, ...]:
        return tuple(one for kind in self.kinds for one in kind.alternatives)


@dataclass(frozen=True)
class Marked(Kind):
    """A kind whose text on a command line has a form of its own."""

    kind: Kind
    format: Format

    def fits(self, value: Any, depth: int = 0) -> bool:
        return self.kind.fits(value, depth)

    def phrase(self, many: bool = False) -> str:
        return (many and self.format.phrases) or self.format.phrase or self.kind.phrase(many)

    @property
    def metavar(self) -> str:
        return self.format.metavar


def has_text(kind: Kind) -> bool:
    """Whether a command line can express some values of a kind."""
    for one in kind.alternatives:
        if isinstance(one, (Plain, Word, Marked)) or (isinstance(one, ListOf) and has_text(one.entry)):
            return True
        if isinstance(one, MappingOf) and any(isinstance(value, Plain) for value in one.value.alternatives):
            return True
    return False


def formats_in(kind: Kind) -> list[Format]:
    """The forms of their own that a kind, or one of its alternatives, has."""
    return [one.format for one in kind.alternatives if isinstance(one, Marked)]


# --- from annotations ---------------------------------------------------------------------------------------------------


def fits(value: Any, annotation: Any) -> bool:
    """Whether a value is of the kind that an annotation stands for."""
    return kind_of(annotation).fits(value)


@cache
def kind_of(annotation: Any) -> Kind:
    """The kind that an annotation stands for; ``Kind()`` where it says nothing."""
    origin, inside = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        kind = kind_of(inside[0])
        for marker in inside[1:]:
            if isinstance(marker, Format):
                kind = Marked(kind, marker)
            elif isinstance(marker, Range) and isinstance(kind, Plain):
                kind = Plain(kind.type, marker)
            elif isinstance(marker, Note) and isinstance(kind, Plain):
                kind = Plain(kind.type, kind.range, marker.text)
            elif isinstance(marker, OneOf):
                kind = Named(marker.names)
        return kind
    if annotation is None or annotation is type(None):
        return Nothing()
    if origin in (Union, types.UnionType):
        return Either(tuple(map(kind_of, inside)))
    if origin is Literal:
        return Either(tuple(map(Word, inside))) if len(inside) > 1 else Word(inside[0])
    kind = origin or annotation
    if kind in (bool, int, float, complex, str, bytes):
        return Plain(kind)
    if getattr(kind, "__module__", "") == "numpy" and kind.__name__ == "ndarray":
        return Numbers()
    if kind is Callable:
        return Function()
    if kind in (Any, object) or not isinstance(kind, type):
        return Kind()
    if issubclass(kind, Mapping):
        key, value = map(kind_of, inside) if len(inside) == 2 else (Kind(), Kind())
        return MappingOf(key, value)
    if kind in (set, frozenset):
        return SetOf(kind_of(inside[0]) if inside else Kind())
    if issubclass(kind, Iterable) and kind.__module__ in ("collections.abc", "builtins") and inside:
        fixed = len(inside) > 1 and inside[-1] is not Ellipsis
        return ListOf(kind_of(inside[0]), tuple(map(kind_of, inside)) if fixed else ())
    return Instance(kind)


@cache
def kinds_of(function: Callable[..., Any]) -> dict[str, Kind]:
    """The kinds of all parameters of a function, by name."""
    hints = _hints_of(inspect.unwrap(function))
    return {name: kind_of(hints.get(name, Any)) for name in inspect.signature(function).parameters}


def _hints_of(function: Callable[..., Any]) -> dict[str, Any]:
    if isinstance(function, type):
        return typing.get_type_hints(function, include_extras=True)
    # Without the type of the result, which may be known to type checkers only.
    given = {name: one for name, one in function.__annotations__.items() if name != "return"}
    parameters: Any = types.SimpleNamespace(__annotations__=given, __globals__=function.__globals__)
    return typing.get_type_hints(parameters, include_extras=True)


# --- values -------------------------------------------------------------------------------------------------------------


def _is_list(value: Any) -> bool:
    """A row of entries: no text, and no array without a dimension."""
    if is_array(value):
        return bool(value.ndim > 0)
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping))
