"""``robosym models``: which there are, what each takes and gives, and its options; and ``--help`` after a model."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from ..options.docstrings import docstring_of
from ..options.signatures import Option, options_of
from .completion import complete_models

if TYPE_CHECKING:
    from ..generated.declaration import Declaration

Name = Annotated[
    str | None,
    typer.Argument(metavar="[MODEL]", help="One model, in detail.", autocompletion=complete_models),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def add_models(app: typer.Typer) -> None:
    """The command of this file."""
    app.command()(models)


def models(model: Name = None, as_json: Json = False) -> None:
    """List the models: what each gives, its inputs, outputs and options; or one of them in detail."""
    from ..models import MODELS
    from ..models.catalogue import declaration_of, declarations
    from .guesses import no_model

    if model is not None and model not in MODELS:
        raise typer.BadParameter(no_model(model, MODELS))
    if as_json:
        found: Any = list(map(_as_dict, declarations())) if model is None else _as_dict(declaration_of(model))
        print(json.dumps(found, indent=1))
    elif model is None:
        _show_all()
    else:
        _show(declaration_of(model))


def _as_dict(declared: Declaration) -> dict[str, Any]:
    return {
        "name": declared.name,
        "title": declared.title,
        "family": declared.family,
        "gives": declared.summary,
        "inputs": list(declared.inputs),
        "optional": [name for name in declared.inputs if name in declared.optional],
        "outputs": list(declared.outputs),
        "options": [one.as_dict() for one in declared.options.values()],
        "section": declared.section,
        "about": docstring_of(declared.function).body,
    }


def _inputs(declared: Declaration) -> str:
    return ", ".join(f"{name}{'?' if name in declared.optional else ''}" for name in declared.inputs)


def _show_all() -> None:
    from ..models.catalogue import declarations
    from ..models.resolve import ASSEMBLY
    from .screen import say
    from .tables import table

    rows = []
    for one in declarations():
        options = ", ".join(
            option.flag.removeprefix("--") for name, option in one.options.items() if name not in ASSEMBLY
        )
        rows.append([one.name, one.summary, _inputs(one), ", ".join(one.outputs), options])
    table(["model", "gives", "inputs", "outputs", "options"], rows)
    say(
        "You may leave out an input with a question mark. Closed loops and parallel robots also: mode, near, structure, coordinates."
    )
    say("robosym models MODEL explains the options of one model.")


def _show(declared: Declaration) -> None:
    from .screen import say
    from .tables import table

    say(f"{declared.name}: {_inputs(declared) or 'no input'} -> {', '.join(declared.outputs)}\n")
    say(f"{docstring_of(declared.function).body}\n")
    if declared.section:
        say(f"Source: {declared.section}\n")
    table(["option", "takes", "default", "meaning"], [_row(one) for one in declared.options.values()])


def _row(option: Option) -> list[str]:
    return [option.flag, option.kind.metavar.replace("|", " | "), option.shown_default or "-", option.meaning]


# --- help after a model ----------------------------------------------------------------------------------------------


class ModelCommand(TyperCommand):
    """A command that takes a model: ``--help`` after the name of one shows the options of that model too."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta["robosym.words"] = list(args)
        return list(super().parse_args(ctx, args))

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        named = _named_in(ctx.meta.get("robosym.words", []))
        if named is not None:
            with formatter.section(f"Options of {named[0]}"):
                formatter.write_dl([_written(one) for one in options_of(named[1]).values()])
            with formatter.section("What it gives"):
                formatter.write_text(docstring_of(named[1]).summary)
        super().format_epilog(ctx, formatter)


def _named_in(words: list[str]) -> tuple[str, Callable[..., Any]] | None:
    """The model, or the law of a controller, that a line names."""
    from .app import CONTROLLER, chosen, is_model

    name = next(filter(is_model, words), None)
    if name is None:
        return None
    laws = [word for k, word in enumerate(words) if word.startswith("--law") or words[k - 1 : k] == ["--law"]]
    return (" ".join([name, *laws]) if name == CONTROLLER else name), chosen(laws if name == CONTROLLER else [], name)[
        0
    ]


def _written(option: Option) -> tuple[str, str]:
    takes = option.kind.metavar
    head = f"{option.flag} / --no-{option.flag.removeprefix('--')}" if takes == "yes|no" else f"{option.flag} {takes}"
    default = option.shown_default
    known = f"[{default}]" if option.required else f"[default: {default}]"
    return head, f"{option.help}  {known}" if default else option.help
