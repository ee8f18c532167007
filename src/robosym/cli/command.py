"""Commands that also take the options of Python functions: read by ``options.split``, listed in their help."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import typer
from typer.core import TyperCommand

from ..options.signatures import Option, options_of
from .options import EXTRA, split

if TYPE_CHECKING:
    from ..robot import Robot

Section = tuple[str, Mapping[str, Option]]
F = TypeVar("F", bound=Callable[..., None])
app = typer.Typer(
    help="Derive symbolic robot models and generate fast, verified code.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


class RobotCommand(TyperCommand):
    """A command that loads a robot, with the options of ``library.load`` and of other functions beside its own.

    An option of its own that has no help text takes the one of the function's option of the same name.
    """

    sources: tuple[str, ...] = ()  # "module:function" below robosym, or "module:function: names of some of its options"

    def function_options(self) -> dict[str, Option]:
        """The options of the functions, by name."""
        found: dict[str, Option] = {}
        for source in self.sources:
            module, function, *names = source.split(":")
            options = options_of(getattr(import_module(f"robosym.{module}"), function))
            found |= {name: options[name] for name in names[0].split()} if names else options
        return found

    def further_options(self) -> dict[str, Option]:
        """Those that are not options of the command itself."""
        own = {param.name for param in self.params}
        return {name: one for name, one in self.function_options().items() if name not in own}

    def sections(self, words: list[str]) -> Iterator[Section]:
        """Titles and options for the help, beside those of the command itself."""
        from ..library import load

        yield "Further options", self.further_options()
        yield "Options of the description", options_of(load)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta["robosym.words"] = list(args)
        return list(super().parse_args(ctx, args))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        options = self.function_options()
        for param in self.params:
            if getattr(param, "help", "") is None and param.name in options:
                param.help = options[param.name].help  # type: ignore[attr-defined]
        super().format_options(ctx, formatter)
        for title, further in self.sections(ctx.meta.get("robosym.words", [])):
            if further:
                with formatter.section(title):
                    formatter.write_dl([_row(one) for one in further.values()])


def robot_command(*sources: str, kind: type[RobotCommand] = RobotCommand, name: str | None = None) -> Callable[[F], F]:
    """Add a command that loads a robot, with the options of the functions that ``sources`` name."""
    cls = type(kind.__name__, (kind,), {"sources": sources})
    return app.command(name, cls=cls, context_settings=EXTRA)


def load(context: typer.Context, robot: str) -> tuple[Robot, dict[str, Any]]:
    """The robot that a line names, and the values of the further options."""
    from .. import library

    command: Any = context.command
    loading, chosen = split(context.args, lambda robot: None, command.further_options())
    return library.load(robot, **loading), chosen


def _row(option: Option) -> tuple[str, str]:
    metavar, default = option.kind.metavar, option.shown_default
    head = f"{option.flag} / --no-{option.flag[2:]}" if metavar == "yes|no" else f"{option.flag} {metavar}"
    note = f"[{default}]" if option.required else f"[default: {default}]"
    return head, f"{option.help}  {note}" if default else option.help
