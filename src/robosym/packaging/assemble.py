"""The files of a package from its parts: the printed models, the values, a page for people; in C a library around it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from textwrap import fill

from .. import __version__
from ..codegen.errors import CodegenError
from ..codegen.layout import WIDTH, render
from ..codegen.words import one_line
from ..models.closing import mode_text
from . import c_library
from .parts import Order, Part, Refused
from .samples import robot_values


def assembled(order: Order, found: Sequence[Part | Refused]) -> dict[str, str]:
    """All files by their path inside the folder."""
    parts = [one for one in found if isinstance(one, Part)]
    if not parts:
        raise CodegenError(f"{order.robot.name}: there is no model to write: {_refusals(found)}")
    files = c_library.files(order, parts) if order.language == "c" else _plain(parts)
    if robot_values(order.robot) and not order.numeric:
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
    refused = [f"- {one.name}: {one_line(one.reason)}" for one in found if isinstance(one, Refused)]
    missing = sorted({name for part in parts for name in part.missing})
    return render(
        __package__,
        "readme.template",
        robot=one_line(order.robot.name),
        language={"c": "C99", "cpp": "C++17"}.get(order.language, order.language),
        version=__version__,
        mode="".join(f"\n{one_line(said)}.\n" for said in _how_assembled(order)),
        rows="\n".join(rows),
        parameters=_about_parameters(order, parts, missing),
        refused="\n".join(["Left out:", "", *refused]) if refused else "",
        building=c_library.building(order) if order.language == "c" else "",
    )


def _how_assembled(order: Order) -> list[str]:
    if not order.robot.platforms:
        return [] if order.mode is None else [mode_text(order.mode)]
    taken = "the positions of its motors" if order.coordinates == "motors" else "its pose, twist and twist_rate"
    legs = "" if order.mode is None else f"; its legs are in working mode: {order.mode}"
    return [f"A platform on legs: the models take {taken}{legs}"]


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
