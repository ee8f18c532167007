"""What functions are given, judged by their annotations: misuse becomes an error that names the argument.

A function that cannot work with what it was given fails with whatever error of Python's comes first. ``judged`` looks at the
arguments then, and only then: where one does not fit its annotation, or there is no such argument, that is what is said. An
error with arguments that fit is a fault of ours and passes through as it is.
"""

from __future__ import annotations

import inspect
import math
import operator
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import cache, wraps
from numbers import Real
from typing import Any, Literal, ParamSpec, TypeVar, Union

import numpy as np

from .errors import RobosymError

P = ParamSpec("P")
Made = TypeVar("Made")

FAILURES = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RecursionError, AssertionError)
DEEPEST = 3  # levels of lists and mappings whose entries are looked at
MOST = 200  # entries of each


class ArgumentError(RobosymError, TypeError):
    """An argument of another kind than a function takes, or one that it does not have."""


def judged(function: Callable[P, Made], *, strict: bool = False) -> Callable[P, Made]:
    """The same function, whose failures name the argument that is to blame.

    ``strict``: an argument that does not fit is an error also where the function had no use for it.
    """

    @wraps(function)
    def judging(*args: P.args, **given: P.kwargs) -> Made:
        try:
            made = function(*args, **given)
        except RobosymError:
            raise
        except FAILURES as error:
            problem = misuse(judging, args, given)
            if not problem:
                raise
            raise ArgumentError(problem) from error
        if strict and (problem := _unfit(judging, args, given)):
            raise ArgumentError(problem)
        return made

    return judging


def strictly(function: Callable[P, Made]) -> Callable[P, Made]:
    """``judged``, with every argument looked at."""
    return judged(function, strict=True)


def misuse(function: Callable[..., Any], args: tuple[Any, ...], given: Mapping[str, Any]) -> str:
    """What is wrong with the arguments of a call: the first problem, "" if they fit."""
    signature = inspect.signature(function)
    try:
        signature.bind(*args, **given)
    except TypeError as error:
        return _not_bound(function, signature, given, str(error))
    return _unfit(function, args, given)


def _unfit(function: Callable[..., Any], args: tuple[Any, ...], given: Mapping[str, Any]) -> str:
    """The first argument that is not of the kind its annotation says, "" if all are."""
    signature, hints = inspect.signature(function), _hints(function)
    own = {name: value for name, value in given.items() if name in signature.parameters}
    for name, value in signature.bind_partial(*args, **own).arguments.items():
        kind, hint = signature.parameters[name].kind, hints.get(name, Any)
        several = kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        values: Mapping[str, Any] = {name: value}
        if several:
            values = value if isinstance(value, Mapping) else {f"{name}[{k}]": one for k, one in enumerate(value)}
        for called, one in values.items():
            if called != "self" and not fits(one, hint):
                return f"{called}: got {shown(one)}, expected {words(hint)}"
    return ""


def _not_bound(function: Callable[..., Any], signature: inspect.Signature, given: Mapping[str, Any], why: str) -> str:
    """Arguments that do not exist, or are missing."""
    known = [name for name in signature.parameters if name != "self"]
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"expected {', '.join(known)}"
            return f"{name}: {function.__name__} has no such argument ({hint})"
    return f"{function.__name__}: {why}"


@cache
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """The annotations as types; one that names what is only known to type checkers says nothing, unless that is a robot."""
    places = getattr(inspect.unwrap(function), "__globals__", {})
    found: dict[str, Any] = {}
    for name, text in getattr(function, "__annotations__", {}).items():
        try:  # the annotations of our own functions, as they stand in the source: nothing that anybody gives
            found[name] = eval(text, {"Robot": _Named, **places}) if isinstance(text, str) else text
        except (NameError, TypeError):
            found[name] = Any
    return found


_Named = type("Robot", (), {"__doc__": "Stands for Robot where it is imported for type checkers only."})


# --- whether a value is of the kind an annotation says -----------------------------------------------------------------


def fits(value: Any, hint: Any, depth: int = 0) -> bool:
    """Whether a value is of the kind an annotation says; one that says nothing fits everything."""
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if hint is None or hint is type(None):
        return value is None
    if origin in (Union, types.UnionType):
        return any(fits(value, one, depth) for one in inside)
    if origin is Literal:
        return any(type(value) is type(one) and value == one for one in inside)
    if hint in _PLAIN:
        return _PLAIN[hint](value)
    kind = origin or hint
    if kind is _Named:
        return any(one.__name__ == kind.__name__ for one in type(value).__mro__)
    if kind is np.ndarray:
        return _is_numbers(value)
    if not isinstance(kind, type):
        return True
    if issubclass(kind, Mapping):
        return isinstance(value, Mapping) and _entries_fit(value, inside, depth)
    if kind in (set, frozenset):
        return isinstance(value, (set, frozenset)) and (depth >= DEEPEST or _all_fit(value, inside, depth))
    if issubclass(kind, Iterable) and kind.__module__ in ("collections.abc", "builtins") and inside:
        if isinstance(value, str):  # which is a sequence of texts
            return depth < DEEPEST and fits(value, inside[0], DEEPEST)
        return _is_list(value) and (depth >= DEEPEST or _all_fit(value, inside, depth))
    if getattr(kind, "_is_protocol", False):
        return all(hasattr(value, name) for name in vars(kind) if not name.startswith("_"))
    return isinstance(value, kind)


def _entries_fit(value: Mapping[Any, Any], inside: tuple[Any, ...], depth: int) -> bool:
    if len(inside) != 2 or depth >= DEEPEST:
        return True
    entries = list(value.items())[:MOST]
    return all(fits(key, inside[0], depth + 1) and fits(one, inside[1], depth + 1) for key, one in entries)


def _all_fit(value: Any, inside: tuple[Any, ...], depth: int) -> bool:
    entries = list(value)[:MOST] if hasattr(value, "__len__") else []
    if len(inside) > 1 and inside[-1] is not Ellipsis:
        return len(entries) == len(inside) and all(
            fits(one, hint, depth + 1) for one, hint in zip(entries, inside, strict=True)
        )
    return not inside or all(fits(one, inside[0], depth + 1) for one in entries)


def _is_list(value: Any) -> bool:
    """A row of entries: no text, and no array without a dimension."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping))


def _is_whole(value: Any) -> bool:
    if isinstance(value, (bool, np.bool_, np.ndarray)):
        return False
    try:
        operator.index(value)
    except TypeError:
        return False
    return True


def _is_number(value: Any) -> bool:
    """A real number: no truth value, no text, not nan."""
    if isinstance(value, np.ndarray):
        return value.ndim == 0 and value.dtype.kind in "fiu" and not math.isnan(float(value))
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        return False
    try:
        return not math.isnan(float(value))
    except OverflowError:
        return False


def _is_numbers(value: Any) -> bool:
    try:
        return np.asarray(value).dtype.kind in "fiu"
    except (TypeError, ValueError):
        return False


_PLAIN: dict[Any, Callable[[Any], bool]] = {
    Any: lambda value: True,
    object: lambda value: True,
    bool: lambda value: isinstance(value, bool),
    int: _is_whole,
    float: _is_number,
    complex: _is_number,
    Callable: callable,
}


# --- in words ------------------------------------------------------------------------------------------------------------

_WORDS = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a text",
    bytes: "bytes",
    Any: "a value",
}
_MANY = {bool: "truth values", int: "whole numbers", float: "numbers", str: "texts", Any: "values"}
LOAD = "a Robot (load it first: robosym.load(...))"


def words(hint: Any, many: bool = False) -> str:
    """What an annotation asks for, in words."""
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if hint is None or hint is type(None):
        return "None"
    if origin in (Union, types.UnionType):
        return _either([words(one, many) for one in inside])
    if origin is Literal:
        return _either([repr(one) for one in inside])
    if hint in (_MANY if many else _WORDS):
        return (_MANY if many else _WORDS)[hint]
    kind = origin or hint
    if kind is np.ndarray:
        return "numbers"
    if kind is Callable or not isinstance(kind, type):
        return "a function" if kind is Callable or origin else "another value"
    if issubclass(kind, Mapping):
        of = f" of {words(inside[0], True)} to {words(inside[1], True)}" if len(inside) == 2 else ""
        return f"a mapping{of}"
    if issubclass(kind, Iterable) and inside:
        return f"a list of {words(inside[0], True)}"
    return LOAD if kind.__name__ == "Robot" else f"{'an' if kind.__name__[0] in 'AEIOU' else 'a'} {kind.__name__}"


def _either(parts: list[str]) -> str:
    parts = list(dict.fromkeys(parts))
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"


def shown(value: Any, longest: int = 60) -> str:
    """A value in a message, on one line."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # a representation may fail in any way, and the message must not
        text = f"a {type(value).__name__}"
    return text if len(text) <= longest else text[: longest - 1] + "…"
