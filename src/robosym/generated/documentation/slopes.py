"""Derivatives of models, dtau_dq: rows are what is differentiated, columns what it is differentiated by."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from ...program.documentation import Described, Entry
from .case import Case
from .units import POSITION, moving, six

BY = "-by-"
PARAMETERS = "parameters"


def slope(case: Case, known: Callable[[Case], Described | None]) -> Described | None:
    """The array of such a name, where what it is the derivative of is known."""
    for of, by in _parts(case):
        if not any(by in (way, *way.split("-")) for way in case.model.name.split(BY)[1:]):
            continue
        columns = _columns(case, by, known)
        shape = case.shape[: len(case.shape) - (columns is not None)] if case.shape else ()
        found = known(replace(case, array=of, shape=shape))
        if found is None:
            continue
        about = f"derivatives by {by} of: {found.about}"
        plain = len(shape) == 1 and not found.columns and columns is not None
        if plain and len(found.rows) == shape[0] and len(columns or ()) == case.shape[-1]:
            return Described(about, found.rows, columns or ())
        if columns is None and len(shape) == 1 and len(found.rows) == shape[0]:
            return Described(f"{about}, in the units of these per unit of {by}", found.rows)
        units = f", in {found.unit}" if found.unit else ", in the unit of that"
        names = ", ".join(f"{one.name}{f' ({one.unit})' if one.unit else ''}" for one in columns or ())
        return Described(f"{about}{units} per unit of {by}{f'; the last index: {names}' if names else ''}")
    return None


def _parts(case: Case) -> Iterator[tuple[str, str]]:
    """What such a name may be made of: names may hold underscores too."""
    name = case.array
    for match in re.finditer("_d", name):
        if name.startswith("d") and match.start() > 1:
            yield name[1 : match.start()], name[match.end() :]


def _columns(case: Case, by: str, known: Callable[[Case], Described | None]) -> tuple[Entry, ...] | None:
    """The entries of what is differentiated by; None of a single parameter, which adds no index."""
    arrays = {array.name: array for array in case.model.code.inputs}
    if by == PARAMETERS and by not in arrays:
        given = case.option("by")
        names = [given] if isinstance(given, str) else [name for name in given if name not in arrays]
        units = {name: value.unit for name, value in case.robot.values.items()}
        return tuple(Entry(name, units.get(name, "")) for name in names)
    if by not in arrays:
        return None
    if by == "pose":
        return six(POSITION, ("along x", "along y", "along z", "about x", "about y", "about z"))
    if by == "q" and not case.robot.platforms:
        return moving(case.robot, POSITION)
    found = known(replace(case, array=by, shape=tuple(arrays[by].shape)))
    return found.rows if found is not None and not found.columns else ()
