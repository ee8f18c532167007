"""The files of a package from its parts: the printed models, the values, a page for people; in C a library around it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import import_module
from textwrap import fill

from .. import __version__
from ..codegen.errors import CodegenError
from ..codegen.layout import WIDTH, render
from ..codegen.words import one_line
from . import c_library
from .pages import how_assembled, refusals
from .parts import CMAKE, Order, Part, Refused
from .samples import robot_values


def assembled(order: Order, found: Sequence[Part | Refused]) -> dict[str, str]:
    """Files of a package by their paths in its folder.

    Parameters
    ----------
    order
        Checked options.
    found
        Parts of the package.
    """
    parts = [one for one in found if isinstance(one, Part)]
    if not parts:
        raise CodegenError(f"{order.robot.name}: there is no model to write: {_refusals(found)}")
    if order.kind != CMAKE:
        around = import_module(f".{order.kind.replace('-', '_')}", __package__)
        made: dict[str, str] = around.files(order, parts, refusals(found))
        return made
    files = c_library.files(order, parts) if order.language == "c" else _plain(parts)
    if order.robot.payload_names if order.numeric else robot_values(order.robot):
        files["parameters.json"] = _parameters(order, parts)
    files["README.md"] = _readme(order, parts, found)
    return files


def _plain(parts: Sequence[Part]) -> dict[str, str]:
    files: dict[str, str] = {}
    for part in parts:
        for name, text in part.files.items():
            if files.setdefault(name, text) != text:
                raise CodegenError(f"two models would be written to '{name}': {part.name} and one before it")
    return files


def _parameters(order: Order, parts: Sequence[Part]) -> str:
    """The parameters of every model in the order its function takes them, with value, unit and source."""
    values = order.robot.values
    known = {
        part.name: [
            {
                "name": symbol.name,
                "value": part.values.get(symbol.name),
                "unit": values[symbol.name].unit if symbol.name in values else "",
                "source": values[symbol.name].source if symbol.name in values else "",
            }
            for symbol in part.printed.parameter_symbols
        ]
        for part in parts
    }
    return json.dumps({"robot": order.robot.name, "models": known}, indent=1) + "\n"


# --- for people ------------------------------------------------------------------------------------------------------


def _readme(order: Order, parts: Sequence[Part], found: Sequence[Part | Refused]) -> str:
    rows = [f"| {part.name} | `{part.function}` | {part.cost} |" for part in parts]
    missing = sorted({name for part in parts for name in part.missing})
    return render(
        __package__,
        "readme.template",
        robot=one_line(order.robot.name),
        language={"c": "C99", "cpp": "C++17"}.get(order.language, order.language),
        version=__version__,
        mode=how_assembled(order),
        rows="\n".join(rows),
        parameters=_about_parameters(order, parts, missing),
        refused=refusals(found),
        building=c_library.building(order) if order.language == "c" else "",
    )


def _about_parameters(order: Order, parts: Sequence[Part], missing: Sequence[str]) -> str:
    if not any(part.printed.parameter_symbols for part in parts):
        return "The robot's values stand in the code as numbers: no function takes parameters."
    where = "`parameters.json`" if robot_values(order.robot) else "its comment"
    said = f"The order of a function's parameters stands in its comment; their values in {where}."
    if order.language == "c":
        said += " A model whose parameters all have values has them as `NAME_parameters` too."
    if not missing:
        return fill(said, WIDTH)
    without = f"Without a value: {', '.join(map(one_line, missing))}."
    if order.checked:
        without += " The self-check puts a made-up number in the place of each, and nothing else does."
    return f"{fill(said, WIDTH)}\n\n{fill(without, WIDTH)}"


def _refusals(found: Sequence[Part | Refused]) -> str:
    return "; ".join(f"{one.name}: {one.reason}" for one in found if isinstance(one, Refused))
