"""Models that hold no more than their arrays and options, for the tests of what is said of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from copy import copy
from typing import Any

from robosym.expr import number, variable
from robosym.generated import Model
from robosym.generated.declaration import Declaration
from robosym.generated.documentation.case import Case
from robosym.generated.documentation.words import WORDS, Words
from robosym.models.catalogue import declarations
from robosym.program import Array, Program
from robosym.robot import Robot

Shapes = Mapping[str, tuple[int, ...]]


def arm(**settings: Any) -> Robot:
    """Two joints that turn and one that slides, of different names."""
    rows = [
        {"name": "upper", "joint": "hip"},
        {"name": "lower", "joint": "knee", "d": "L"},
        {"name": "foot", "joint": "slide", "sigma": 1},
    ]
    return Robot.from_table("arm", rows, **settings)


def floating() -> Robot:
    return arm(base={"name": "trunk", "floating": True})


def bare_model(
    name: str, robot: Robot, inputs: Shapes | None = None, outputs: Shapes | None = None, **fields: Any
) -> Model:
    """A model of this name whose program takes and gives arrays of these shapes, all zero."""
    taken, given = (
        tuple(
            Array(key, shape, tuple(entry(f"{key}_{k}") for k in range(math.prod(shape))))
            for key, shape in (arrays or {}).items()
        )
        for arrays, entry in ((inputs, variable), (outputs, lambda name: number(0)))
    )
    return Model(name, robot, Program(name, taken, (), (), (), given), **fields)


def case_of(
    array: str = "",
    shape: tuple[int, ...] = (),
    robot: Robot | None = None,
    name: str = "model",
    inputs: Shapes | None = None,
    outputs: Shapes | None = None,
    **options: Any,
) -> Case:
    """An array of such a model with these options."""
    return Case(bare_model(name, arm() if robot is None else robot, inputs, outputs, options=options), array, shape)


def declared(*families: str) -> dict[str, Words]:
    """The words of all models of these families, by name."""
    return {one.name: WORDS[one.name] for one in declarations() if one.family in families and one.name in WORDS}


def with_function(declared: Declaration, function: Callable[..., Any]) -> Declaration:
    """The declaration with another function."""
    changed = copy(declared)
    changed.function = function
    return changed
