"""``robosym models``: which there are, what each takes and gives, and its options; and ``--help`` after a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..options.docstrings import docstring_of
from ..options.signatures import Option
from .arguments import Json, print_json
from .command import app
from .completion import complete_models

if TYPE_CHECKING:
    from ..generated.declaration import Declaration

Name = Annotated[
    str | None,
    typer.Argument(metavar="[MODEL]", help="Model to explain in detail.", autocompletion=complete_models),
]


@app.command()
def models(model: Name = None, as_json: Json = False) -> None:
    """List the models, or explain one of them."""
    from ..models import MODELS
    from ..models.catalogue import declaration_of, declarations
    from .guesses import no_model

    if model is not None and model not in MODELS:
        raise typer.BadParameter(no_model(model, MODELS))
    if as_json:
        found: Any = list(map(_as_dict, declarations())) if model is None else _as_dict(declaration_of(model))
        print_json(found)
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
