"""Options of commands that take one of several words: those that a parameter of a Python function declares."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import Any

import click

from ..options.guesses import guess
from ..options.signatures import options_of


class Choice(click.ParamType):  # type: ignore[type-arg]
    """The words of a parameter. They are read when they are needed, so that the command line starts without the function.

    Parameters
    ----------
    function
        Function, as "trajectory.point_to_point".
    parameter
        Parameter of the function.
    """

    name = "choice"

    def __init__(self, function: str, parameter: str) -> None:
        self.function, self.parameter = function, parameter

    @cached_property
    def words(self) -> dict[str, Any]:
        """The values by the words that stand for them."""
        module, _, name = self.function.rpartition(".")
        function = getattr(import_module(f"robosym.{module}"), name)
        return {str(value): value for value in options_of(function)[self.parameter].words}

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return "|".join(self.words)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value) in self.words:
            return self.words[str(value)]
        near = guess(str(value), self.words)
        hint = f" (did you mean {near}?)" if near else ""
        self.fail(f"got '{value}', expected {', '.join(self.words)}{hint}", param, ctx)
