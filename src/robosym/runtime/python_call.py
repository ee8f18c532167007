"""Compiled functions as builtin functions of Python: ``call.ll`` made callable.

It looks into NumPy arrays where NumPy's interface for C says their fields are. That is checked once in each process, on
an array; where it does not hold (another Python, another layout), ``available`` is false and calls go through ctypes.
"""

from __future__ import annotations

import ctypes
import math
import struct
import sys
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from ..program.outputs import Outputs
from ..reals import Floats
from .engine import Engine, engine

Shape = tuple[int, ...]
MODULE = ("call.ll", "call_places.ll", "call_work.ll")
_METH_FASTCALL, _METH_KEYWORDS, _METH_NOARGS = 0x80, 0x02, 0x04
_FIELDS = struct.Struct("@qPPi4xPPPPi")  # of %Array in call.ll
_TRANSPOSE, _EMPTY = 123, 184  # places in NumPy's table of functions, the same since NumPy 1.0


class _MethodDef(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("code", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


@cache
def available() -> bool:
    """Whether arrays look as ``call.ll`` expects."""
    plain = sys.implementation.name == "cpython" and struct.calcsize("P") == 8 and not hasattr(sys, "getobjects")
    if not plain or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return False
    probe = np.arange(6.0).reshape(2, 3)
    fields = _FIELDS.unpack(ctypes.string_at(id(probe), _FIELDS.size))
    _, kind, data, axes, lengths, strides, owner, entries, flags = fields
    expected = (id(np.ndarray), probe.ctypes.data, 2, id(np.dtype(np.float64)))
    if (kind, data, axes, entries) != expected or flags & 257 != 257:
        return False
    found = [list((ctypes.c_int64 * 2).from_address(where)) for where in (lengths, strides)]
    looked = found == [[2, 3], [24, 8]] and owner in (0, id(probe.base))
    return looked and _objects_as_expected() and _functions_work()


def _objects_as_expected() -> bool:
    """Whether tuples and objects of ctypes have their fields where we look, and a dict may become one of the type of results."""
    record = _words([1, 2, 3])
    pair = (record, None)
    length, first, second = (_word_at(id(pair) + place).value for place in (16, 24, 32))
    tuples = (length, first, second) == (2, id(record), id(None))
    records = _word_at(id(record) + 16).value == ctypes.addressof(record)
    fields = ("__basicsize__", "__itemsize__", "__dictoffset__", "__weakrefoffset__")
    return tuples and records and all(getattr(Outputs, field) == getattr(dict, field) for field in fields)


def _functions_work() -> bool:
    """Whether NumPy's functions for new arrays and turned ones are where we look for them."""
    empty, transpose = _numpy_function(_EMPTY), _numpy_function(_TRANSPOSE)
    if not empty or not transpose:
        return False
    make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_int, ctypes.c_void_p, ctypes.py_object, ctypes.c_int)(empty)
    turn = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object, ctypes.c_void_p)(transpose)
    double = np.dtype(np.float64)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(double))  # the new array keeps one
    lengths, order = _lengths((2, 3, 4)), _lengths((2, 0, 1))
    made: Any = make(3, ctypes.addressof(lengths), double, 0)
    if type(made) is not np.ndarray or made.shape != (2, 3, 4) or made.dtype != double or not made.flags.c_contiguous:
        return False
    axes = _words([ctypes.addressof(order), 3])
    turned: Any = turn(made, ctypes.addressof(axes))
    return type(turned) is np.ndarray and turned.strides == (8, 96, 32) and turned.base is made


@cache
def _numpy_function(place: int) -> int:
    capsule = getattr(np._core._multiarray_umath, "_ARRAY_API", None) if hasattr(np, "_core") else None
    if capsule is None:
        return 0
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    table = pointer(capsule, None)
    return int(ctypes.c_void_p.from_address(table + 8 * place).value or 0)


def address_of(array: Floats) -> int:
    """Where the numbers of an array lie. NumPy's own answer takes a microsecond, and a call asks for many."""
    return int(_word_at(id(array) + _DATA).value) if available() else int(array.ctypes.data)


_DATA, _word_at = 16, ctypes.c_uint64.from_address  # the field of %Array in call.ll


@cache
def _engine() -> Engine:
    folder = files(__package__)
    return engine("\n".join(folder.joinpath(name).read_text(encoding="ascii") for name in MODULE), speed_level=2)


def _builtin(entry: str, flags: int, name: str, doc: str, descriptor: Any, owned: Sequence[Any]) -> Callable[..., Any]:
    """A builtin function that owns its descriptor and whatever that points to."""
    code = _engine().address(entry)
    method = _MethodDef(name.encode(), code, flags, doc.encode())
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    myself = (descriptor, method, _engine(), *owned)
    made: Callable[..., Any] = make(ctypes.addressof(method), myself, None)
    return made


def _lengths(shape: Shape) -> Any:
    return (ctypes.c_int64 * max(len(shape), 1))(*shape)


def _words(values: Sequence[int]) -> Any:
    return (ctypes.c_int64 * max(len(values), 1))(*values)


ALWAYS = 2**62  # more states than there are


def batches_record(few: int) -> Any:
    """``%Batches`` of call_work.ll for a code without a function of blocks, or before it is compiled: batches of fewer
    states than these are done one state after the other, the others in Python."""
    return (ctypes.c_int64 * 7)(few)


@dataclass(frozen=True)
class Callee:
    """What a direct call runs: the address of a function of a table of arguments, the record of its batches
    (``%Batches`` in call_work.ll), and for each argument its name, its shape and its first row in the buffers. While one
    that may take ``long`` at one state works, other threads run."""

    name: str
    run: int
    batches: Any
    inputs: Sequence[tuple[str, Shape, int]]
    outputs: Sequence[tuple[str, Shape, int]]
    long: bool = False


def direct_call(
    callee: Callee,
    defaults: Mapping[str, Floats],
    others: Sequence[int],
    shared: Sequence[int],
    fallback: Callable[..., Any],
    owned: Sequence[Any],
    result: Callable[[dict[str, Any]], Any] | None = None,
) -> Callable[..., Any]:
    """``f(q=..., ...)``; ``others`` are the addresses of the parameters and constants that the function reads, ``shared``
    those of both, 0 for what it does not read; ``owned`` is what has to live as long as the function. ``result`` makes of all
    outputs what a call gives; without it that is the only output, or ``Outputs``."""
    kept: list[Any] = [dict(defaults), fallback, *owned, callee.batches, result]

    def held(words: Any) -> int:
        kept.append(words)
        return ctypes.addressof(words)

    def word(text: str) -> int:
        kept.append(sys.intern(text))
        return id(kept[-1])

    taken: list[int] = []
    for key, shape, row in callee.inputs:
        default = address_of(defaults[key]) if key in defaults else 0
        taken += [word(key), default, len(shape), held(_lengths(shape)), math.prod(shape), row]
    made: list[int] = []
    for key, shape, row in callee.outputs:
        batch_last = (len(shape), *range(len(shape)))
        made += [word(key), len(shape), held(_lengths(shape)), math.prod(shape), row, held(_lengths(batch_last))]
    doubles, one = np.dtype(np.float64), 1
    kept += [doubles, one]
    functions = [callee.run, id(fallback), id(np.ndarray), id(doubles), id(dict)]
    functions += [_numpy_function(_EMPTY), _numpy_function(_TRANSPOSE)]
    counts = [len(callee.inputs), len(others), len(callee.outputs)]
    where = [held(_words(taken)), held(_words(others)), held(_words(made)), ctypes.addressof(callee.batches)]
    options = [word(text) for text in ("out", "layout", "threads", "aos", "soa")]
    results = [id(Outputs), 0 if result is None else id(result)]
    call = _words([*functions, *counts, *where, *shared, *options, id(one), id(None), int(callee.long), *results])
    flags = _METH_FASTCALL | _METH_KEYWORDS
    return _builtin("call", flags, callee.name, "A compiled function of arrays by name.", call, kept)


def bound_call(
    name: str, run: int, addresses: Sequence[int], result: Any, owned: Sequence[Any], long: bool = False
) -> Callable[[], Any]:
    """``step()``: run on these addresses; the result is the same object at each call."""
    table = _words(addresses)
    bound = _words([run, ctypes.addressof(table), id(result), int(long)])
    return _builtin(
        "bound", _METH_NOARGS, name, "A compiled function on its own arrays.", bound, [table, result, *owned]
    )
