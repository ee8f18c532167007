"""The options of a function: every parameter after its first one, with kind, default and meaning."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from .docstrings import docstring_of, first_sentence
from .groups import groups_of
from .kinds import Kind, Plain, Word, has_text, kinds_of

REQUIRED = inspect.Parameter.empty
ANY_NAME = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)


@dataclass(frozen=True)
class Option:
    """One parameter of a function, as an option."""

    name: str
    kind: Kind
    default: Any
    meaning: str  # its entry in the docstring

    @property
    def required(self) -> bool:
        return self.default is REQUIRED

    @property
    def flag(self) -> str:
        """The option on a command line: ``--rotor-inertia``."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def help(self) -> str:
        """The first sentence of its meaning."""
        return first_sentence(self.meaning)

    @property
    def words(self) -> list[Any]:
        """The values that are listed by name."""
        return [one.value for one in self.kind.alternatives if isinstance(one, Word)]

    @property
    def is_flag(self) -> bool:
        """Whether it may be True or False."""
        return any(isinstance(one, Plain) and one.type is bool for one in self.kind.alternatives)

    @property
    def has_text(self) -> bool:
        """Whether a command line can express some of its values."""
        return has_text(self.kind)

    @property
    def shown_default(self) -> str:
        """The default in a table; empty where it is None."""
        if self.required:
            return "required"
        if isinstance(self.default, bool):
            return "yes" if self.default else "no"
        if isinstance(self.default, tuple):
            return ",".join(map(str, self.default))
        return "" if self.default is None else str(self.default)

    def as_dict(self) -> dict[str, str]:
        return {
            "name": self.flag.removeprefix("--"),
            "takes": self.kind.metavar,
            "default": self.shown_default,
            "meaning": self.meaning,
        }


@cache
def options_of(function: Callable[..., Any]) -> dict[str, Option]:
    """The options by name, those of groups among them, without what stands for options of any name."""
    parameters = list(inspect.signature(function).parameters.values())[1:]
    found: dict[str, Option] = {}
    for one in parameters:
        group = groups_of(function).get(one.name)
        if group is not None:
            found |= _options(group, list(inspect.signature(group).parameters.values()))
        elif one.kind not in ANY_NAME:
            found |= _options(function, [one])
    return found


def _options(function: Callable[..., Any], parameters: list[inspect.Parameter]) -> dict[str, Option]:
    kinds, meanings = kinds_of(function), docstring_of(function).parameters
    return {one.name: Option(one.name, kinds[one.name], one.default, meanings.get(one.name, "")) for one in parameters}
