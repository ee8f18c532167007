"""Groups of options: small frozen dataclasses that functions of many options take.

    @dataclass(frozen=True)
    class Sensors(OptionGroup):
        ""\"What the law measures.

        Parameters
        ----------
        noise
            ...
        ""\"

        noise: Mapping[str, float] | None = None

    @validated
    def simulate(robot: Robot, ..., sensors: Sensors = Sensors()) -> Run: ...

``simulate(robot, sensors=Sensors(noise=...))`` and ``simulate(robot, noise=...)`` are the same call, and the command line has ``--noise``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any

from .errors import ArgumentError, mismatch
from .kinds import Instance, Kind, kinds_of


class OptionGroup:
    """Base class of groups of options, whose fields are checked like arguments."""

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


def grouped(function: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments in which the options of groups are in their groups."""
    found = dict(given)
    for name, group in groups_of(function).items():
        options = {field.name: found.pop(field.name) for field in fields(group) if field.name in found}
        if options:
            found[name] = replace(found[name], **options) if isinstance(found.get(name), group) else group(**options)
    return found
