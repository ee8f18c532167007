"""``robosym compare``: the ways to write one model, by their operations, and its size in every language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

import typer

from ..errors import RobosymError
from ..options.signatures import options_of
from .arguments import Json, ModelArgument, RobotArgument, print_json
from .build import ModelCommand, chosen
from .command import robot_command
from .options import split

if TYPE_CHECKING:
    from ..generated import Model

# Options that say how a model is written, and not what it gives.
WAYS = ("parameters", "method")


@robot_command(kind=ModelCommand)
def compare(context: typer.Context, robot: RobotArgument, model: ModelArgument, as_json: Json = False) -> None:
    """Compare the ways to write a model, and their code size.

    Operations by method and set of parameters; lines and bytes by language.
    """
    from .. import library
    from .show import with_progress

    function, words = chosen(context.args, model)
    loading, options = split(words, function)
    loaded = library.load(robot, **loading)
    ways = list(_ways(function, options))
    made = with_progress(((way, _made(function, loaded, options, way)) for way in ways), len(ways), f"writing {model}")
    rows = [_counted(way, built) for way, built in made]
    best = next((built for _, built in made if not isinstance(built, str)), None)
    if best is None:
        raise RobosymError(str(made[0][1]))
    sizes = list(_sizes(best))
    if as_json:
        facts = {"robot": loaded.name, "model": model, "options": _plain(options)}
        print_json({**facts, "ways": rows, "languages": sizes})
    else:
        _show(loaded.name, model, rows, sizes)


def _ways(function: Callable[..., Any], options: dict[str, Any]) -> Iterator[dict[str, str]]:
    """Every combination of what the line leaves open; the default of each first."""
    known = options_of(function)
    choices: list[list[tuple[str, str]]] = []
    for name in WAYS:
        words = [word for word in known[name].words if isinstance(word, str)] if name in known else []
        if name in options or not words:
            continue
        choices.append([(name, word) for word in sorted(words, key=lambda word: word != known[name].default)])
    for combination in product(*choices):
        yield dict(combination)


def _made(function: Callable[..., Model], robot: Any, options: dict[str, Any], way: dict[str, str]) -> Model | str:
    """The model written in one way, or why it cannot be."""
    try:
        model = function(robot, **options, **way)
        _ = model.operations
        return model
    except RobosymError as error:
        return str(error)


def _counted(way: dict[str, str], built: Model | str) -> dict[str, Any]:
    if isinstance(built, str):
        return {"way": way, "refused": built}
    return {"way": way, "operations": built.operations.as_dict(), "total": built.operations.total}


def _sizes(model: Model) -> Iterator[dict[str, Any]]:
    """Of the source in every language that has it."""
    from .. import codegen
    from ..program import Program

    for language in codegen.languages(routines=not isinstance(model.code, Program)):
        try:
            text = model.source(language)
        except codegen.CodegenError as error:
            yield {"language": language, "refused": str(error)}
        else:
            yield {"language": language, "lines": text.count("\n"), "bytes": len(text.encode("utf-8"))}


def _plain(options: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value if isinstance(value, (str, int, float, bool, list, dict)) else str(value)
        for name, value in options.items()
    }


def _show(robot: str, model: str, rows: list[dict[str, Any]], sizes: list[dict[str, Any]]) -> None:
    from .screen import say
    from .tables import table

    names = list(rows[0]["way"])
    done = [row for row in rows if "refused" not in row]
    least = min(row["total"] for row in done)
    body = []
    for row in done:
        counts = [str(row["operations"][name]) for name in ("mul", "add", "div", "trig", "other")]
        counts.insert(2, str(row["total"]))
        more = f"+{100 * (row['total'] / least - 1):.0f} %" if least else ""
        body.append([*row["way"].values(), *counts, "fewest" if row["total"] == least else more])
    table(
        [*names, "mul", "add", "total", "div", "sin/cos", "other", ""],
        body,
        f"{model} of {robot}: operations of each call",
    )
    for row in rows:
        if "refused" in row:
            say(f"{', '.join(row['way'].values())}: {row['refused']}")
    table(
        ["language", "lines", "bytes"],
        [[one["language"], str(one["lines"]), str(one["bytes"])] for one in sizes if "refused" not in one],
        f"source, {', '.join(done[0]['way'].values()) or 'as it is'}",
    )
