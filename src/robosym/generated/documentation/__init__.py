"""What a model computes, in words: what printers, ``explain``, the web app and JSON say of it.

Every model declares its own sentence and arrays (``declaration.py``); arrays that many models have are in ``arrays`` and
``platforms``. Derivatives follow from the model that was differentiated.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ...program.documentation import Described, Documentation, Entry
from .case import Case, Said
from .provenance import provenance
from .slopes import BY, slope
from .words import Words, words_of

if TYPE_CHECKING:
    from ..model import Model

NUMBERED = re.compile(r"([TRP])\d+")  # poses of several frames


def documentation_of(model: Model, numbers: Mapping[str, float] | None = None) -> Documentation | None:
    """What is known of a model, with ``numbers`` in place of parameters; None of one that nobody has described."""
    name, *ways = model.name.split(BY)
    words, case = words_of(model, name), Case(model, numbers=numbers or {})
    if words is None:
        return None
    about = words.sentence(case)
    if ways:
        about = f"Derivatives by {' and by '.join(ways)}, of: {about}"
    found: dict[str, Described] = {}
    for array in (*model.code.inputs, *model.code.outputs):
        described = _described(words, replace(case, array=array.name, shape=tuple(array.shape)), bool(ways))
        if described is not None:
            found[array.name] = described
    if model.code.parameter_symbols:
        found["parameters"] = _parameters(model, words)
    return Documentation(about, tuple(provenance(case, name, words)), found)


def _described(words: Words, case: Case, derived: bool) -> Described | None:
    if (describe := _found(words, case.array)) is not None:
        return describe(case)
    if words.other is not None:
        return words.other(case)
    if derived:
        return slope(case, lambda one: _described(words, one, derived))
    return None


def _found(words: Words, array: str) -> Said | None:
    numbered = NUMBERED.fullmatch(array)
    stem = numbered[1] if numbered is not None else array
    return words.arrays.get(array) or words.arrays.get(stem) or words.common.get(array)


def _parameters(model: Model, words: Words) -> Described:
    """The robot's own, with the units of its description."""
    units = {name: value.unit for name, value in model.robot.values.items()}
    names = [symbol.name for symbol in model.code.parameter_symbols]
    return Described(
        f"{words.parameters}, in SI units", tuple(Entry(name, _plain(units.get(name, ""))) for name in names)
    )


def _plain(unit: str) -> str:
    """A unit of a file in the letters that every language has: kg m2."""
    for sign, plain in (("^", ""), ("**", ""), ("\u00b2", "2"), ("\u00b3", "3"), ("\u00b7", " "), ("*", " ")):
        unit = unit.replace(sign, plain)
    return unit
