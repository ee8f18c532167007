"""The model that a command line names: a model function or a control law, with its options, and derivatives of it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import typer

from ..options.signatures import Option, options_of
from .command import RobotCommand, Section
from .guesses import no_model, no_such
from .options import split, value_of

if TYPE_CHECKING:
    from ..generated import Model
    from ..robot import Robot

CONTROLLER = "controller"  # in place of a model: the control law that --law names
LAW = "computed-torque"


def build(context: typer.Context, robot: str, model: str, snap: float | None = None) -> tuple[Robot, Model]:
    """The robot and the model that a command line names; with another ``snap`` than there, if it is given."""
    from .. import library
    from ..models.derivatives.generic import derivative
    from .show import busy

    function, line = chosen(context.args, model)
    derived, words = derivative_options(line, options_of(function))
    loading, options = split(words, function)
    if snap is not None:
        loading["snap"] = snap
    with busy(f"deriving {model}"):
        loaded = library.load(robot, **loading)
        built = function(loaded, **options)
        return loaded, derivative(built, **derived) if derived else built


def model_names() -> list[str]:
    from ..models import MODELS

    return [*MODELS, CONTROLLER]


def is_model(word: str) -> bool:
    """Whether a word names a model, or stands for a control law."""
    from ..models import MODELS

    return word == CONTROLLER or word in MODELS


def chosen(words: Sequence[str], model: str) -> tuple[Callable[..., Model], list[str]]:
    """The function that makes a model, and the words of the line that are its options."""
    from ..models import MODELS

    if model == CONTROLLER:
        return named_law(words)
    if model not in MODELS:
        raise typer.BadParameter(no_model(model, model_names()))
    return MODELS[model], list(words)


def named_law(words: Sequence[str]) -> tuple[Callable[..., Model], list[str]]:
    """The function that makes a model of the law that ``--law`` names, and the other words of the line."""
    from ..control import LAWS

    values, rest = _taken(words, {"law"})
    name = values.get("law", LAW)
    if name not in LAWS:
        raise typer.BadParameter(no_such("law", name, LAWS, f"laws: {', '.join(LAWS)}"))
    law = LAWS[name]

    @functools.wraps(law)
    def model_of_law(*args: Any, **options: Any) -> Any:
        return law(*args, **options).model

    return model_of_law, rest


def derivative_options(words: Sequence[str], own: Collection[str] = ()) -> tuple[dict[str, Any], list[str]]:
    """The options of the derivative of a model, if ``--by`` is among the words, and the other words. Options of the model itself,
    ``own``, stay with it, except for the outputs."""
    from ..models.derivatives.generic import derivative

    if not any(word.partition("=")[0] == "--by" for word in words):
        return {}, list(words)
    known = options_of(derivative)
    values, rest = _taken(words, {name for name in known if name in ("by", "of") or name not in own}, {"value"})
    return {name: _value(known[name], text) for name, text in values.items()}, rest


def _value(option: Option, text: str) -> Any:
    if option.name in ("by", "of"):
        names = [name.strip() for name in text.split(",")]
        return names[0] if len(names) == 1 else names
    if option.name == "order" and text not in ("1", "2", "3"):
        raise typer.BadParameter(f"option --order: got '{text}', expected 1, 2 or 3")
    return value_of(option, text)


def _taken(
    words: Sequence[str], names: Collection[str], flags: Collection[str] = ()
) -> tuple[dict[str, str], list[str]]:
    """The values of these options, ``--name value`` or ``--name=value``, and the other words; ``flags`` may stand alone."""
    values: dict[str, str] = {}
    rest: list[str] = []
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        key, equals, attached = word.removeprefix("--").partition("=")
        if not word.startswith("--") or key not in names:
            rest.append(word)
        elif key in flags and not equals:
            values[key] = "true"
        elif not equals and not waiting:
            raise typer.BadParameter(f"option --{key} needs a value")
        else:
            values[key] = attached if equals else waiting.pop(0)
    return values, rest


class ModelCommand(RobotCommand):
    """A command that takes a model: ``--help`` after the name of one lists the options of that model too."""

    def sections(self, words: list[str]) -> Iterator[Section]:
        from ..control.laws import controller
        from ..models.derivatives.generic import derivative

        name = next(filter(is_model, words), None)
        if name is not None:
            law = [word for k, word in enumerate(words) if word.startswith("--law") or words[k - 1 : k] == ["--law"]]
            law = law if name == CONTROLLER else []
            yield " ".join(["Options of", name, *law]), options_of(chosen(law, name)[0])
        if name in (None, CONTROLLER):
            yield f"Options of {CONTROLLER}", {"law": options_of(controller)["law"]}
        yield "Options of derivatives", options_of(derivative)
        yield from super().sections(words)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        from ..options.docstrings import docstring_of

        words = ctx.meta.get("robosym.words", [])
        name = next(filter(is_model, words), None)
        if name is not None and name != CONTROLLER:
            with formatter.section("Result"):
                formatter.write_text(docstring_of(chosen([], name)[0]).summary)
        super().format_epilog(ctx, formatter)
