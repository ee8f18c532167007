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

    Options of its groups (``groups.py``) may be given as arguments of the function. NumPy numbers arrive as numbers of Python.
    """

    @wraps(function)
    def validating(*args: P.args, **given: P.kwargs) -> R:
        if groups_of(function):
            given = grouped(function, given)  # type: ignore[assignment]
        if problem := misuse(function, args, given):
            raise ArgumentError(problem)
        plain = {name: without_dtype(value) for name, value in given.items()}
        return function(*map(without_dtype, args), **plain)

    return validating


def misuse(function: Callable[..., Any], args: tuple[Any, ...], given: Mapping[str, Any]) -> str:
    """The first problem with the arguments of a call; empty if they fit."""
    signature = _signature(function)
    kinds = kinds_of(function)
    try:
        bound = signature.bind(*args, **given)
    except TypeError as error:
        return _not_bound(function, signature, given, str(error))
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


def _not_bound(function: Callable[..., Any], signature: inspect.Signature, given: Mapping[str, Any], why: str) -> str:
    """Arguments that do not exist, or are missing."""
    known = [name for name in signature.parameters if name != "self"]
    known += [name for group in groups_of(function).values() for name in kinds_of(group)]
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"expected {', '.join(known)}"
            return f"{name}: {function.__name__} has no such argument ({hint})"
    return f"{function.__name__}: {why}"
