"""Functions written in assembly by hand, on arrays of doubles."""

from __future__ import annotations

import ctypes

import numpy as np

from robosym.runtime import lanes_places
from robosym.runtime.assembly import Assembly, Lanes, function
from robosym.runtime.code import DECLARATIONS, Cells, Code
from robosym.runtime.emitter import declarations
from robosym.runtime.engine import engine
from robosym.runtime.lanes_places import LaneCode


def called(text, arrays):
    """The function ``f`` of an assembly on the addresses of arrays."""
    living = engine(text)
    kind = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(arrays))
    kind(living.address("f"))(*(array.ctypes.data for array in arrays))


def executed(body: Assembly, arrays, *before):
    """The instructions of a function of %a0, %a1, ..., after the functions that they call."""
    taken = ", ".join(f"ptr %a{i}" for i in range(len(arrays)))
    width = body.lanes.width
    known = [*declarations({1, width}), *DECLARATIONS, *(lanes_places.declarations(width) if width > 1 else [])]
    called("\n".join([*known, *before, function(f"void @f({taken})", body, "ret void")]), arrays)


def run(write, *arrays):
    """The function that ``write(code, cells...)`` writes, on arrays of doubles."""
    code = Code()
    write(code, *(Cells(code, f"%a{i}") for i in range(len(arrays))))
    executed(code, arrays)


def computed(write, *given, size=8):
    """What it leaves in an array of zeros, beside arrays that are given."""
    made = np.zeros(size)
    run(write, made, *(np.array(array, dtype=float) for array in given))
    return made.tolist()


def in_lanes(write, width, *arrays):
    """The function that ``write(code)`` writes for vectors of so many lanes; arrays are %a0, %a1, ..."""
    code = LaneCode(Lanes(width))
    write(code)
    executed(code, arrays)
