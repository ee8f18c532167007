"""Models for a page: what one is, its equations, counts and source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..codegen import language, languages
from ..generated import Model
from ..models.catalogue import declaration_of
from ..program import Program
from ..program.documentation import Documentation
from ..robot import Robot
from .controls import checked_options, controls
from .counts import counts_of, published_counts
from .equations import sections
from .made import known, made
from .menus import menus as menus
from .readings import reading
from .twins import twins_of


def languages_view() -> list[dict[str, Any]]:
    """The languages, their endings, and which can say loops and branches."""
    routines = languages(routines=True)
    every = {name: language(name) for name in languages()}
    return [
        {"name": name, "title": one.title, "ending": one.ending, "routines": name in routines}
        for name, one in every.items()
    ]


def model_view(robot: Robot, name: str, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Title, documentation, counts beside the published ones, and equations as sections of lines."""
    model, title = made(robot, name, options), declaration_of(name).title
    said = model.documentation
    parts = sections(model.code)
    return {
        "name": name,
        "title": title,
        "about": _about(said.about, title) if said else "",
        "made": list(said.made) if said else [],
        "notes": [note for note in model.documented.notes if note != model.code.name],
        "inputs": _arrays(model, model.code.inputs),
        "outputs": _arrays(model, model.code.outputs),
        "parameters": parameters_of(model),
        "counts": counts_of(model.operations),
        "precompute": counts_of(model.precompute_operations),
        "published": published_counts(robot, name, options or {}),
        "routine": not isinstance(model.code, Program),
        "sections": parts,
        "size": sum(len(part["lines"]) for part in parts),
        "options": controls(robot, name),
        "reading": reading(robot, model, name, options or {}),
    }


def fitting_view(robot: Robot, name: str, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The same with the options that this robot's model takes, ``asked``; ``left`` says what is wrong with the others. A page keeps the
    options of a model when the robot changes."""
    known(robot, name)
    _, problems = checked_options(robot, name, options or {})
    left = [problem.as_dict() for problem in problems]
    asked = {key: value for key, value in (options or {}).items() if key not in [one["where"] for one in left]}
    return {**model_view(robot, name, asked), "asked": asked, "left": left}


def _about(words: str, title: str) -> str:
    """Without the title before it."""
    rest = words.removeprefix(f"{title}: ")
    return rest[:1].upper() + rest[1:]


def _arrays(model: Model, arrays: Any) -> list[dict[str, Any]]:
    optional = {*model.optional, *model.defaults}
    shapes = [{"name": one.name, "shape": list(one.shape), "optional": one.name in optional} for one in arrays]
    return [one | described(model.documentation, one["name"]) for one in shapes]


def described(said: Documentation | None, name: str) -> dict[str, Any]:
    """An array in words: what it is, its unit, and its entries or rows and columns with theirs."""
    array = said.arrays.get(name) if said else None
    return {"about": "", "unit": "", "rows": [], "columns": [], **(array.as_dict() if array else {})}


def parameters_of(model: Model) -> list[dict[str, Any]]:
    """Every parameter with its value, or null, and its unit."""
    units = dict(described(model.documentation, "parameters")["rows"])
    names = [symbol.name for symbol in model.code.parameter_symbols]
    return [{"name": name, "value": model.values.get(name), "unit": units.get(name, "")} for name in names]


def model_source(robot: Robot, name: str, language: str, options: Mapping[str, Any] | None = None) -> str:
    """The model as source code, in one text."""
    return made(robot, name, options).source(language)


def source_view(robot: Robot, name: str, language: str, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The same with ``twins``: for each line of the equations, by its key, the lines of the source that hold it, from 0."""
    model = made(robot, name, options)
    text = model.source(language)
    return {"text": text, "twins": twins_of(model.code, text, language)}
