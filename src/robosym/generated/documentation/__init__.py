"""What a model computes, in words: one place that knows it for all models, printers, ``explain`` and JSON.

The tables have an entry for each model, with its arrays by name; what many models have is in ``arrays``. Derivatives follow from the
model that was differentiated. A new model needs an entry: the tests look for what nothing is said of.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ...program.documentation import Described, Documentation, Entry
from . import arrays, dynamics, kinematics, laws, platforms
from .case import Case, Said, Words
from .made import made
from .slopes import BY, slope

if TYPE_CHECKING:
    from ..model import Model

TABLE: Mapping[str, Words] = {**kinematics.TABLE, **dynamics.TABLE, **laws.TABLE}
NUMBERED = re.compile(r"([TRP])\d+")  # poses of several frames


def documentation_of(model: Model, numbers: Mapping[str, float] | None = None) -> Documentation | None:
    """What is known of a model, with ``numbers`` in place of parameters; None of one that is in no table."""
    name, *ways = model.name.split(BY)
    table = platforms.TABLE if model.robot.platforms and not laws.is_law(model) else TABLE
    if name not in table:
        return None
    words, case = table[name], Case(model, numbers=numbers or {})
    about = words.about(case)
    if ways:
        about = f"Derivatives by {' and by '.join(ways)}, of: {about}"
    found: dict[str, Described] = {}
    for array in (*model.code.inputs, *model.code.outputs):
        said = _described(words, replace(case, array=array.name, shape=tuple(array.shape)), bool(ways))
        if said is not None:
            found[array.name] = said
    if model.code.parameter_symbols:
        found["parameters"] = _parameters(model)
    return Documentation(about, tuple(made(case, name)), found)


def _described(words: Words, case: Case, derived: bool) -> Described | None:
    said = _said(words, case)
    if said is not None:
        return said(case)
    if laws.is_law(case.model):
        return laws.as_told(case)
    if derived:
        return slope(case, lambda one: _described(words, one, derived))
    return None


def _said(words: Words, case: Case) -> Said | None:
    if laws.is_law(case.model):
        return words.arrays.get(case.array)
    common = platforms.COMMON if case.robot.platforms else arrays.COMMON
    numbered = NUMBERED.fullmatch(case.array)
    stem = numbered[1] if numbered is not None else case.array
    return words.arrays.get(case.array) or words.arrays.get(stem) or common.get(case.array)


def _parameters(model: Model) -> Described:
    """The robot's own, with the units of its description."""
    units = {name: value.unit for name, value in model.robot.values.items()}
    names = [symbol.name for symbol in model.code.parameter_symbols]
    whose = "gains of the law, and parameters of the robot" if laws.is_law(model) else "of the robot"
    return Described(f"{whose}, in SI units", tuple(Entry(name, _plain(units.get(name, ""))) for name in names))


def _plain(unit: str) -> str:
    """A unit of a file in the letters that every language has: kg m2."""
    for sign, plain in (("^", ""), ("**", ""), ("\u00b2", "2"), ("\u00b3", "3"), ("\u00b7", " "), ("*", " ")):
        unit = unit.replace(sign, plain)
    return unit
