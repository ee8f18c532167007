"""Options of commands that take one of several words: those that a parameter of a Python function declares.

The words are read when a line or its help needs them, so that the command line starts without the functions.
"""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand

from ..options.guesses import guess
from ..options.signatures import options_of

CHOICES: dict[str, Choice] = {}  # by what stands for their words in the options of a command


class Choice:
    """The words of a parameter of a function, such as "trajectory.point_to_point"."""

    def __init__(self, function: str, parameter: str) -> None:
        self.function, self.parameter = function, parameter

    @cached_property
    def words(self) -> dict[str, Any]:
        """The values by the words that stand for them."""
        module, _, name = self.function.rpartition(".")
        function = getattr(import_module(f"robosym.{module}"), name)
        return {str(value): value for value in options_of(function)[self.parameter].words}

    def __call__(self, value: Any) -> Any:
        """The value of a word."""
        if value is None or str(value) in self.words:
            return self.words.get(str(value))
        near = guess(str(value), self.words)
        hint = f" (did you mean {near}?)" if near else ""
        raise typer.BadParameter(f"got '{value}', expected {', '.join(self.words)}{hint}")


def choice(flag: str, function: str, parameter: str, help: str, **more: Any) -> Any:
    """An option of a command. Its command needs the class ``ChoiceCommand`` for its help."""
    key = f"{function}.{parameter}"
    CHOICES[key] = Choice(function, parameter)
    return typer.Option(flag, parser=CHOICES[key], metavar=key, help=help, **more)


class ChoiceCommand(TyperCommand):
    """A command whose help lists the words of its choices."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        for one in self.params:
            if one.metavar in CHOICES:
                one.metavar = "|".join(CHOICES[one.metavar].words)
        super().format_options(ctx, formatter)
