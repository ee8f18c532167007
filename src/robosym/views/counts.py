"""Operations of a model beside the published ones of the same model of the same robot."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ..expr import Operations
from ..library import is_built_in, load
from ..models.available import options_for
from ..published import Cell, cells
from ..robot import Robot
from .controls import keywords


def counts_of(operations: Operations) -> dict[str, int]:
    return {**operations.as_dict(), "total": operations.total}


def published_counts(robot: Robot, name: str, options: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every published figure; ``same`` says whether it is for these options, else ``options`` are what it is for."""
    if not is_built_in(robot.name) or robot != _built_in(robot.name):
        return []
    defaults = {one.name: one.default for one in options_for(robot, name).values()}
    own = _chosen(keywords(robot, name, options), defaults)
    found = [_figure(cell, own, defaults) for cell in cells() if (cell.robot, cell.model) == (robot.name, name)]
    return sorted(found, key=lambda one: (not one["same"], one["total"]))


@lru_cache(maxsize=64)
def _built_in(name: str) -> Robot:
    return load(name)


def _figure(cell: Cell, own: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    written_in = {} if cell.parameters == "none" else {"parameters": cell.parameters}
    asked = {**written_in, **cell.options}
    return {
        "mul": cell.mul,
        "add": cell.add,
        "total": cell.total,
        "div": cell.div,
        "functions": cell.functions,
        "source": cell.source,
        "numeric": cell.numeric,
        "options": asked,
        "same": not cell.numeric and _chosen(asked, defaults) == own,
    }


def _chosen(options: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are not as they are by default."""
    return {name: value for name, value in options.items() if value != defaults.get(name)}
