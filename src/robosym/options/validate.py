"""Checks of arguments before a function is called: misuse is an error that names the argument."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

from .errors import ArgumentError as ArgumentError
from .errors import mismatch as mismatch
from .errors import shown as shown
from .groups import grouped, groups_of
from .kinds import kinds_of
from .numbers import without_dtype

P = ParamSpec("P")
R = TypeVar("R")


def validated(function: Callable[P, R]) -> Callable[P, R]:
    """The same function, which raises ArgumentError for arguments that do not fit their annotations, before it does anything.

    Fields of its groups (``groups.py``) are also valid as arguments of the function. NumPy numbers arrive as numbers of Python.
    """

    @wraps(function)
    def validating(*args: P.args, **given: P.kwargs) -> R:
        arguments: Any = checked(function, args, given)
        return function(*map(without_dtype, args), **{name: without_dtype(value) for name, value in arguments.items()})

    return validating


def checked(function: Callable[..., Any], args: tuple[Any, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """The keyword arguments of a call, with fields inside their groups; ArgumentError if an argument does not fit."""
    arguments = grouped(function, given) if groups_of(function) else dict(given)
    if problem := misuse(function, args, arguments):
        raise ArgumentError(problem)
    return arguments


def misuse(function: Callable[..., Any], args: tuple[Any, ...], given: Mapping[str, Any]) -> str:
    """The first problem with the arguments of a call; empty if they fit."""
    signature = _signature(function)
    kinds = kinds_of(function)
    names = _names(function)
    if groups_of(function) and (unknown := [name for name in given if name not in names]):
        return _no_such(function, unknown[0], names)
    try:
        bound = signature.bind(*args, **given)
    except TypeError as error:
        return _not_bound(function, given, str(error))
    for name, value in bound.arguments.items():
        if name == "self":
            continue
        of_all = signature.parameters[name].kind
        values: Mapping[str, Any] = {name: value}
        if of_all is inspect.Parameter.VAR_POSITIONAL:
            values = {f"{name}[{k}]": one for k, one in enumerate(value)}
        elif of_all is inspect.Parameter.VAR_KEYWORD:
            values = value
        for called, one in values.items():
            if problem := mismatch(called, one, kinds[name]):
                return problem
    return ""


_signature = cache(inspect.signature)


@cache
def _names(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of arguments, with the fields of groups and without what stands for arguments of any name."""
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    names = [name for name, one in _signature(function).parameters.items() if one.kind not in several]
    return (
        *(name for name in names if name != "self"),
        *(x for g in groups_of(function).values() for x in kinds_of(g)),
    )


def _not_bound(function: Callable[..., Any], given: Mapping[str, Any], why: str) -> str:
    """Arguments that do not exist, or are missing."""
    names = _names(function)
    unknown = [name for name in given if name not in names]
    return _no_such(function, unknown[0], names) if unknown else f"{function.__name__}: {why}"


def _no_such(function: Callable[..., Any], name: str, names: tuple[str, ...]) -> str:
    near = get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]}?" if near else f"expected {', '.join(names)}"
    return f"{name}: {function.__name__} has no such argument ({hint})"
