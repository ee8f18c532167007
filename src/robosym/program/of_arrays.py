"""Programs written as functions of arrays: the shortest way to the parts of a routine.

::

    step = program_of("step", {"x": (2,), "v": (2,)}, lambda x, v: {"x_now": x + 0.001 * v})
    Repeat(1000, (run_over(step),))
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from ..expr import expr, variable
from .graph import Graph
from .lower import lower
from .program import Array, Program
from .routine import Run

NOW = "_now"


def program_of(name: str, inputs: Mapping[str, tuple[int, ...]], body: Callable[..., Mapping[str, Any]]) -> Program:
    """A program from a function of arrays of symbols (a scalar is a symbol) that gives arrays of expressions by name."""
    import numpy as np

    arrays = [
        Array(key, shape, tuple(variable(f"{key}_{i}") for i in range(math.prod(shape))))
        for key, shape in inputs.items()
    ]
    given: dict[str, Any] = {
        array.name: np.array(array.entries, dtype=object).reshape(array.shape) if array.shape else array.entries[0]
        for array in arrays
    }
    outputs = []
    for key, value in body(**given).items():
        made = np.asarray(value, dtype=object)
        outputs.append(Array(key, made.shape, tuple(expr(x) for x in made.ravel())))
    return lower(Graph(name, tuple(arrays), tuple(outputs), {}))


def run_over(program: Program, **names: str) -> Run:
    """The program with each output ``name_now`` in place of the array ``name``, which it may read."""
    outputs = [array.name for array in program.outputs]
    return Run(program, {name: name.removesuffix(NOW) for name in outputs if name.endswith(NOW)} | names)
