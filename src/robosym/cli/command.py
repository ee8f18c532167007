"""Commands that also take the options of Python functions: read from the line, and listed in their help."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

import typer
from typer.core import TyperCommand

from ..options.errors import mismatch
from ..options.signatures import Option, options_of
from .options import EXTRA, split, taken

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
WORDS, CHOSEN = "robosym.words", "robosym.chosen"


class FunctionCommand(TyperCommand):
    """A command with the options of Python functions beside its own.

    Options of its own without a help text take that of the function's option of the same name.
    """

    sources: tuple[str, ...] = ()  # "module:function" below robosym, or "module:function:names of some of its options"

    def function_options(self) -> dict[str, Option]:
        """The options of the functions, by name. Sources without names give those that a command line can express."""
        found: dict[str, Option] = {}
        own = {param.name for param in self.params}
        for source in self.sources:
            module, function, *names = source.split(":")
            options = options_of(attrgetter(function)(import_module(f"robosym.{module}")))
            wanted = names[0].split() if names else [x for x in options if options[x].has_text or x in own]
            found |= {name: options[name] for name in wanted}
        return found

    def further_options(self) -> dict[str, Option]:
        """Those that are not options of the command itself, by name."""
        own = {param.name for param in self.params}
        return {name: one for name, one in self.function_options().items() if name not in own}

    def sections(self, words: list[str]) -> Iterator[Section]:
        """Titles and options for the help, beside those of the command itself."""
        yield "Further options", self.further_options()

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Further options are read first: they can be anywhere on the line, also before the arguments."""
        ctx.meta[WORDS] = list(args)
        if self.sources and not ctx.resilient_parsing and "--help" not in args:
            known = self.further_options()
            try:
                chosen, args = taken(args, known)
                _check(chosen, known)
            except typer.BadParameter as error:
                error.ctx = ctx
                raise
            ctx.meta[CHOSEN] = chosen
        return list(super().parse_args(ctx, args))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        described = self.function_options()
        for param in self.params:
            if getattr(param, "help", "") is None and param.name in described:
                param.help = described[param.name].help  # type: ignore[attr-defined]
        super().format_options(ctx, formatter)
        for title, options in self.sections(ctx.meta.get(WORDS, [])):
            if options:
                with formatter.section(title):
                    formatter.write_dl([_row(one) for one in options.values()])


class RobotCommand(FunctionCommand):
    """A command that loads a robot, with the options of ``library.load`` too."""

    def sections(self, words: list[str]) -> Iterator[Section]:
        from ..library import load

        yield from super().sections(words)
        yield "Options of the description", options_of(load)


def add(
    app: typer.Typer, function: Callable[..., None], *sources: str, kind: type[FunctionCommand] = RobotCommand
) -> None:
    """Add a command with the options of the functions that ``sources`` name."""
    cls = type(kind.__name__, (kind,), {"sources": sources})
    app.command(cls=cls, context_settings=EXTRA if issubclass(kind, RobotCommand) else {})(function)


def robot_command(*sources: str, kind: type[RobotCommand] = RobotCommand, name: str | None = None) -> Callable[[F], F]:
    """Add a command that loads a robot, with the options of the functions that ``sources`` name."""
    cls = type(kind.__name__, (kind,), {"sources": sources})
    return app.command(name, cls=cls, context_settings=EXTRA)


def further(context: typer.Context) -> dict[str, Any]:
    """The values of the further options of a line."""
    return dict(context.meta.get(CHOSEN, {}))


def load(context: typer.Context, robot: str) -> tuple[Robot, dict[str, Any]]:
    """The robot that a line names, and the values of the further options."""
    from .. import library

    loading, _ = split(context.args, lambda robot: None, also=names_of(context))
    return library.load(robot, **loading), further(context)


def names_of(context: typer.Context) -> list[str]:
    """The names of all options of a command, without dashes before them."""
    command: Any = context.command
    own = [word[2:] for param in command.params for word in param.opts if word.startswith("--")]
    return [*own, *command.further_options()]


def _check(chosen: Mapping[str, Any], known: Mapping[str, Option]) -> None:
    """An error for a value that does not fit, or that is missing."""
    for name, value in chosen.items():
        if problem := mismatch(known[name].flag, value, known[name].kind):
            raise typer.BadParameter(problem)
    missing = [one.flag for one in known.values() if one.required and one.name not in chosen]
    if missing:
        raise typer.BadParameter(f"expected {' and '.join(missing)} too: there is no default")


def _row(option: Option) -> tuple[str, str]:
    metavar, default = option.kind.metavar, option.shown_default
    head = f"{option.flag} / --no-{option.flag[2:]}" if metavar == "yes|no" else f"{option.flag} {metavar}"
    note = f"[{default}]" if option.required else f"[default: {default}]"
    return head, f"{option.help}  {note}" if default else option.help
