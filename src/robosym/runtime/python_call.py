"""Compiled functions as builtin functions of Python: ``call.ll`` made callable.

It looks into NumPy arrays where NumPy's interface for C says their fields are. That is checked once in each process, on
an array; where it does not hold (another Python, another layout), ``available`` is false and calls go through ctypes.
"""

from __future__ import annotations

import ctypes
import struct
import sys
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from ..reals import Floats
from .engine import Engine, engine

Shape = tuple[int, ...]
_METH_FASTCALL, _METH_KEYWORDS, _METH_NOARGS = 0x80, 0x02, 0x04
_FIELDS = struct.Struct("@qPPi4xPPPPi")  # of %Array in call.ll
_EMPTY = 184  # the place of PyArray_Empty in NumPy's table of functions, the same since NumPy 1.0


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
    return found == [[2, 3], [24, 8]] and owner in (0, id(probe.base)) and _empty_works()


def _empty_works() -> bool:
    """Whether NumPy's function for new arrays is where we look for it."""
    address = _empty()
    if not address:
        return False
    make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_int, ctypes.c_void_p, ctypes.py_object, ctypes.c_int)(address)
    double = np.dtype(np.float64)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(double))  # the new array keeps one
    lengths = _lengths((2, 3))
    made: Any = make(2, ctypes.addressof(lengths), double, 0)
    return type(made) is np.ndarray and made.shape == (2, 3) and made.dtype == double and bool(made.flags.c_contiguous)


@cache
def _empty() -> int:
    capsule = getattr(np._core._multiarray_umath, "_ARRAY_API", None) if hasattr(np, "_core") else None
    if capsule is None:
        return 0
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    table = pointer(capsule, None)
    return int(ctypes.c_void_p.from_address(table + 8 * _EMPTY).value or 0)


def address_of(array: Floats) -> int:
    """Where the numbers of an array lie. NumPy's own answer takes a microsecond, and a call asks for many."""
    return int(_word_at(id(array) + _DATA).value) if available() else int(array.ctypes.data)


_DATA, _word_at = 16, ctypes.c_uint64.from_address  # the field of %Array in call.ll


@cache
def _engine() -> Engine:
    return engine(files(__package__).joinpath("call.ll").read_text(encoding="ascii"))


def _builtin(entry: str, flags: int, name: str, doc: str, descriptor: Any, owned: Sequence[Any]) -> Callable[..., Any]:
    """A builtin function that owns its descriptor and whatever that points to."""
    code = _engine().address(entry)
    method = _MethodDef(name.encode(), code, flags, doc.encode())
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    myself = (ctypes.addressof(descriptor), descriptor, method, _engine(), *owned)
    made: Callable[..., Any] = make(ctypes.addressof(method), myself, None)
    return made


def _lengths(shape: Shape) -> Any:
    return (ctypes.c_int64 * max(len(shape), 1))(*shape)


def _words(values: Sequence[int]) -> Any:
    return (ctypes.c_int64 * max(len(values), 1))(*values)


def direct_call(
    name: str,
    run: int,
    inputs: Mapping[str, Shape],
    defaults: Mapping[str, Floats],
    others: Sequence[int],
    outputs: Mapping[str, Shape],
    fallback: Callable[..., Any],
    owned: Sequence[Any],
) -> Callable[..., Any]:
    """``f(q=..., ...)``; ``run`` is the address of a function of a table of arguments, ``others`` are the addresses of
    parameters and constants, ``owned`` is what has to live as long as the function."""
    names = [sys.intern(key) for key in (*inputs, *outputs)]
    sizes = [_lengths(shape) for shape in (*inputs.values(), *outputs.values())]
    taken: list[int] = []
    for key, size, shape in zip(names, sizes, inputs.values(), strict=False):
        default = defaults[key].ctypes.data if key in defaults else 0
        taken += [id(key), default, len(shape), ctypes.addressof(size)]
    made: list[int] = []
    for key, size, shape in zip(names[len(inputs) :], sizes[len(inputs) :], outputs.values(), strict=True):
        made += [id(key), len(shape), ctypes.addressof(size)]
    tables = [_words(taken), _words(others), _words(made)]
    counts = [len(inputs), len(others), len(outputs)]
    doubles = np.dtype(np.float64)
    where = [ctypes.addressof(table) for table in tables]
    call = _words([run, id(fallback), id(np.ndarray), id(doubles), _empty(), *counts, *where])
    kept = [names, sizes, tables, dict(defaults), fallback, doubles, *owned]
    flags = _METH_FASTCALL | _METH_KEYWORDS
    return _builtin("call", flags, name, "A compiled function of arrays by name.", call, kept)


def bound_call(name: str, run: int, addresses: Sequence[int], result: Any, owned: Sequence[Any]) -> Callable[[], Any]:
    """``step()``: run on these addresses; the result is the same object at each call."""
    table = _words(addresses)
    bound = _words([run, ctypes.addressof(table), id(result)])
    return _builtin(
        "bound", _METH_NOARGS, name, "A compiled function on its own arrays.", bound, [table, result, *owned]
    )
