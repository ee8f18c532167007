"""Groups of options: small frozen dataclasses for functions with many options.

    @dataclass(frozen=True)
    class Sensing(OptionGroup):
        ""\"What a control law measures.

        Parameters
        ----------
        noise
            ...
        ""\"

        noise: Mapping[str, float] | None = None

    @validated
    def simulate(robot: Robot, *, sensing: Sensing = Sensing(), **options: Any) -> Run: ...

``simulate(robot, sensing=Sensing(noise=...))`` and ``simulate(robot, noise=...)`` are the same call, and the command line has ``--noise``.
``**options`` stands for the fields in the signature; the function receives groups, and no other names are valid.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any

from .errors import ArgumentError, mismatch
from .kinds import Instance, Kind, kinds_of


class OptionGroup:
    """Base class of groups of options, whose fields are validated like arguments."""

    def __post_init__(self) -> None:
        group: Any = type(self)
        for name, kind in kinds_of(group).items():
            if problem := mismatch(name, getattr(self, name), kind):
                raise ArgumentError(problem)


def group_in(kind: Kind) -> Any:
    """The class of the group that values of a kind are, or None."""
    types = [one.type for one in kind.alternatives if isinstance(one, Instance)]
    return next((one for one in types if issubclass(one, OptionGroup)), None)


@cache
def groups_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The classes of the groups that a function takes, by the names of its parameters."""
    return {name: group for name, kind in kinds_of(function).items() if (group := group_in(kind)) is not None}


def grouped(function: Callable[..., Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments with the fields of groups inside their groups."""
    result = dict(arguments)
    for name, group in groups_of(function).items():
        options = {field.name: result.pop(field.name) for field in fields(group) if field.name in result}
        if not options:
            continue
        base = result.get(name, inspect.signature(function).parameters[name].default)
        if isinstance(base, group):
            result[name] = replace(base, **options)
        elif name not in result:
            result[name] = group(**options)
    return result
