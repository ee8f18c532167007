"""``robosym generate``: a model, the solver of inverse geometry or everything, as source code."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import RobosymError

# Whatever else stands on the line is an option of the model's Python function (or floating, mimic of load).
EXTRA = {"allow_extra_args": True, "ignore_unknown_options": True}
EPILOG = (
    "Further options are the keyword arguments of the model's Python function: --frame 4 --axes local ...; for "
    "inverse-geometric: --frame, --reference, --tool, --method, --task, --given JOINT,...; for all: --frame"
)
ALL, INVERSE_GEOMETRIC = "all", "inverse-geometric"
LANGUAGES = (
    "c, casadi, cpp (c++), fortran, javascript (js), jax, json, julia, latex, maple, mathematica (wolfram), "
    "matlab (octave), numpy, python or rust"
)

RobotArgument = Annotated[str, typer.Argument(metavar="ROBOT", help="A built-in robot or a .toml, .par or .urdf file.")]
What = Annotated[
    str,
    typer.Argument(
        metavar="MODEL", help="A model, such as inverse-dynamics; inverse-geometric; or all, a folder with every one."
    ),
]
To = Annotated[str, typer.Option("--to", metavar="LANGUAGE", help=f"The language: {LANGUAGES}.")]
Output = Annotated[
    str | None, typer.Option("-o", "--output", help="A file, or a folder for what comes in several files.")
]
NameOption = Annotated[str | None, typer.Option("--name", help="The name of the function, or of the package.")]
Precision = Annotated[str | None, typer.Option("--precision", help="In C: double or float; double by default.")]
Numeric = Annotated[bool, typer.Option("--numeric", help="Write the robot's values into the code as numbers.")]


def add_generate(app: typer.Typer) -> None:
    """The command of this file."""
    app.command(context_settings=EXTRA, epilog=EPILOG)(generate)


def generate(
    context: typer.Context,
    robot: RobotArgument,
    model: What,
    to: To = "c",
    output: Output = None,
    name: NameOption = None,
    precision: Precision = None,
    numeric: Numeric = False,
) -> None:
    """Write a model as source code.

    `generate ROBOT all -o FOLDER` writes every model the robot has; in C with CMake and a program that checks them.
    """
    language = _language(to)
    options = {key: value for key, value in (("name", name), ("precision", precision)) if value is not None}
    if model == ALL:
        _package(context, robot, language, output, numeric, options)
    elif model == INVERSE_GEOMETRIC:
        _solver(context, robot, language, output, numeric, options)
    else:
        _model(context, robot, model, language, output, numeric, options)


def _language(word: str) -> str:
    from .. import codegen

    try:
        return codegen.language_named(word)
    except codegen.CodegenError as error:
        raise typer.BadParameter(str(error)) from None


def _model(
    context: typer.Context,
    robot: str,
    model: str,
    language: str,
    output: str | None,
    numeric: bool,
    options: dict[str, Any],
) -> None:
    from ..models import MODELS
    from .app import build

    if model not in MODELS:
        known = ", ".join([*MODELS, INVERSE_GEOMETRIC, ALL])
        raise typer.BadParameter(f"there is no model '{model}' (models: {known})")
    _, built = build(context, robot, model)
    if _is_text(output):
        _write_text(output, built.source(language, numeric=numeric, **options))
    else:
        _write_files(output, built.generate(language, numeric=numeric, **options))


# --- inverse geometry ------------------------------------------------------------------------------------------------


def _solver(
    context: typer.Context, robot: str, language: str, output: str | None, numeric: bool, options: dict[str, Any]
) -> None:
    from .. import library, models
    from ..codegen import routines
    from ..models.inverse_geometry.solver.source import routine_of
    from .options import split
    from .show import busy

    if language not in routines.languages():
        known = ", ".join(routines.languages())
        raise typer.BadParameter(f"the solver of inverse geometry is not written in {language} (languages: {known})")
    if options.pop("precision", "double") != "double":
        raise typer.BadParameter("the solver of inverse geometry is written in double precision only")
    loading, chosen = split(context.args, _solver_options)
    if any("=" in str(joint) for joint in chosen.get("given", ())):
        raise typer.BadParameter("--given names joints: their positions are arguments of the generated function")
    with busy(f"deriving {INVERSE_GEOMETRIC}"):
        solver = models.inverse_geometric(library.load(robot, **loading), **chosen)
    values = solver.model.numbers() if numeric and solver.model is not None else None
    routine = routine_of(solver, values)
    if _is_text(output):
        _write_text(output, routines.source(routine, language, **options))
    else:
        _write_files(output, routines.generate(routine, language, **options))


def _solver_options(
    robot: Any,
    frame: int | str | None = None,
    reference: int | str = 0,
    tool: Any = None,
    method: str = "auto",
    task: str = "auto",
    given: Sequence[str | int] = (),
) -> None:
    """The options of ``models.inverse_geometric`` that a command line can say."""


# --- everything ------------------------------------------------------------------------------------------------------


def _package(
    context: typer.Context, robot: str, language: str, output: str | None, numeric: bool, options: dict[str, Any]
) -> None:
    from .. import library, packaging
    from .options import split
    from .show import with_progress

    if not output:
        raise typer.BadParameter("all models are written to a folder: say which, with -o FOLDER")
    loading, chosen = split(context.args, _package_options)
    order = packaging.order(library.load(robot, **loading), language, numeric=numeric, **options, **chosen)
    packaging.check_folder(output)
    work, steps = packaging.work(order)
    found = with_progress(work, steps, "writing models")
    files = packaging.assembled(order, found)
    packaging.write_folder(output, files)
    refused = packaging.left_out(found)
    for reason in dict.fromkeys(one.reason for one in refused):
        names = ", ".join(one.name for one in refused if one.reason == reason)
        print(f"left out {names}: {reason}")
    print(f"wrote {len(found) - len(refused)} models in {len(files)} files to {output}")


def _package_options(robot: Any, frame: int | str | None = None) -> None:
    """The options of a package beside those of every ``generate``."""


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


def _write_files(output: str | None, files: dict[str, str]) -> None:
    from ..files import write_text

    target = Path(output or ".")
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = "expected a folder, this is a file" if target.exists() else f"cannot be made: {error.strerror or error}"
        raise RobosymError(f"{target}: {what}") from error
    for name, text in files.items():
        write_text(target / name, text)
        print(f"wrote {target / name}")
