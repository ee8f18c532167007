"""``robosym generate``: a model, or every one, as source code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import Annotated, Any

import typer

from ..codegen import CodegenError, language_named, languages
from ..errors import RobosymError
from ..options.signatures import Option, options_of
from .arguments import RobotArgument
from .build import ModelCommand, build, is_model, model_names
from .command import Section, robot_command
from .completion import complete_generated, complete_languages
from .guesses import no_model
from .options import split
from .overwrite import Force, ask, check_place

ALL = "all"

What = Annotated[
    str,
    typer.Argument(
        metavar="MODEL",
        help="Model, controller, or all: every model of the robot. --help after a model lists its options.",
        autocompletion=complete_generated,
    ),
]
To = Annotated[
    str,
    typer.Option(
        "--to",
        metavar="LANGUAGE",
        help=f"Target language: {', '.join(languages())}.",
        autocompletion=complete_languages,
    ),
]
Output = Annotated[
    str | None, typer.Option("-o", "--output", help="Output file, or folder if the code has several files.")
]
NameOption = Annotated[
    str | None, typer.Option("--name", help="Name of the function or package; by default that of the model or robot.")
]
Precision = Annotated[
    str | None, typer.Option("--precision", help="Floating-point type, in C only: double (default) or float.")
]
Package = Annotated[
    str | None,
    typer.Option(
        "--package", metavar="FOLDER", help="Folder for a package that builds by itself, with one or several models."
    ),
]
As = Annotated[
    str | None,
    typer.Option("--as", metavar="KIND", help="Kind of package: cmake (default), ros2-control or python."),
]
Numeric = Annotated[bool, typer.Option("--numeric", help="Parameter values of the robot as numbers in the code.")]


class GenerateCommand(ModelCommand):
    """Packages have options of their own."""

    def sections(self, words: list[str]) -> Iterator[Section]:
        yield from super().sections(words)
        yield "Options of packages and of all", _package_options()


def _package_options() -> dict[str, Option]:
    from .. import packaging

    options = options_of(packaging.export)
    return {name: options[name] for name in ("frame", "mode", "near", "structure", "coordinates")}


@robot_command(kind=GenerateCommand)
def generate(
    context: typer.Context,
    robot: RobotArgument,
    model: What,
    to: To = "c",
    output: Output = None,
    name: NameOption = None,
    precision: Precision = None,
    numeric: Numeric = False,
    package: Package = None,
    kind: As = None,
    force: Force = False,
) -> None:
    """Generate source code of a model.

    `generate ROBOT all -o FOLDER` writes all models of the robot; in C with CMake and a program that checks them.
    `generate ROBOT MODEL MODEL ... --package FOLDER --as ros2-control` (or python) writes a package with these models.
    """
    try:
        language = language_named(to)
    except CodegenError as error:
        raise typer.BadParameter(str(error)) from None
    options = {"numeric": numeric} | {k: v for k, v in (("name", name), ("precision", precision)) if v is not None}
    if model == ALL or package is not None or kind is not None:
        if package is not None and output is not None:
            raise typer.BadParameter("--package and -o both name a folder: give one of them")
        if kind is not None and language != "c":
            raise typer.BadParameter(f"--as {kind}: such a package is made of C, not of {language}")
        chosen = options | ({"kind": kind} if kind else {})
        _package(context, robot, model, language, package or output, chosen, force)
    else:
        _model(context, robot, model, language, output, options, force)


def _model(
    context: typer.Context,
    robot: str,
    model: str,
    language: str,
    output: str | None,
    options: dict[str, Any],
    force: bool,
) -> None:
    if not is_model(model):
        raise typer.BadParameter(no_model(model, [*model_names(), ALL]))
    if output is not None and _is_text(output):  # before the work
        check_place(output)
        ask([output], force)
    _, built = build(context, robot, model)
    if _is_text(output):
        _write_text(output, built.source(language, **options))
    else:
        _write_files(output, built.generate(language, **options), force)


# --- everything ------------------------------------------------------------------------------------------------------


def _package(
    context: typer.Context,
    robot: str,
    model: str,
    language: str,
    output: str | None,
    options: dict[str, Any],
    force: bool,
) -> None:
    from .. import library, packaging
    from .show import with_progress

    if not output:
        many = "all models are" if model == ALL else "a package is"
        raise typer.BadParameter(
            f"{many} written to a folder: say which, with {'-o' if model == ALL else '--package'} FOLDER"
        )
    more = list(takewhile(lambda word: not word.startswith("-"), context.args))
    if model == ALL and more:
        raise typer.BadParameter(f"unexpected argument '{more[0]}': all models are requested already")
    loading, chosen = split(context.args[len(more) :], lambda robot: None, _package_options())
    try:
        wanted = {"models": () if model == ALL else packaging.chosen([model, *more]), **options}
        kind = packaging.kind_named(wanted.pop("kind", packaging.CMAKE), language, wanted.get("precision", "double"))
    except CodegenError as error:
        raise typer.BadParameter(str(error)) from None
    order = packaging.order(library.load(robot, **loading), language, kind=kind, **wanted, **chosen)
    certain = ["README.md", *(["CMakeLists.txt"] if language == "c" and kind == packaging.CMAKE else [])]
    with _naming_force():
        packaging.check_folder(output, () if force else certain, alone=order.alone and not force)
    work, steps = packaging.work(order)
    found = with_progress(work, steps, "writing models")
    files = packaging.assembled(order, found)
    with _naming_force():
        packaging.write_folder(output, files, force)
    refused = packaging.left_out(found)
    for reason in dict.fromkeys(one.reason for one in refused):
        names = ", ".join(one.name for one in refused if one.reason == reason)
        print(f"left out {names}: {reason}")
    print(f"wrote {len(found) - len(refused)} models in {len(files)} files to {output}")


@contextmanager
def _naming_force() -> Iterator[None]:
    """An error about files of others says which option writes over them."""
    try:
        yield
    except RobosymError as error:
        if "would be written over" not in str(error):
            raise
        raise RobosymError(f"{error} (--force writes over it)") from error


# --- files -----------------------------------------------------------------------------------------------------------


def _is_text(output: str | None) -> bool:
    """Whether one text is requested: on the screen, or in a file."""
    return output is None or (bool(Path(output).suffix) and not Path(output).is_dir())


def _write_text(output: str | None, text: str) -> None:
    from ..files import write_text

    if output is None:
        print(text, end="")
        return
    write_text(output, text)
    print(f"wrote {output}")


def _write_files(output: str | None, files: dict[str, str], force: bool) -> None:
    from ..files import write_text

    target = Path(output or ".")
    ask({target / name: text for name, text in files.items()}, force)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = "expected a folder, this is a file" if target.exists() else f"cannot be made: {error.strerror or error}"
        raise RobosymError(f"{target}: {what}") from error
    for name, text in files.items():
        write_text(target / name, text)
        print(f"wrote {target / name}")
