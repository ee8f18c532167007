"""Checking and converting what a caller gives: names, numbers, shapes, batch sizes."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import combinations
from typing import Any

import numpy as np

from ..codegen.interface import Argument
from ..reals import DOUBLE, Floats, overlap, overlaps_itself, real_array
from .errors import CallError

MOST_LISTED = 20  # names in a message
MOST_THREADS = 4 * (os.cpu_count() or 1)  # more of them only wait for each other


def numeric(kind: str, name: str, value: Any) -> Floats:
    """The value as an array of doubles where the machine wants them; integers are converted, all else is refused."""
    return real_array(f"{kind} '{name}'", value, CallError)


def as_floats(argument: Argument, given: Mapping[str, Any]) -> Floats:
    """The array given for an input; one without entries need not be given."""
    name = argument.array.name
    return numeric("input", name, given[name]) if name in given else np.empty(argument.array.shape)


def check_inputs(given: Mapping[str, Any], inputs: Sequence[Argument]) -> None:
    """Every problem with the names of the inputs at once."""
    known = {argument.array.name: argument for argument in inputs}
    missing = [name for name, argument in known.items() if name not in given and argument.size]
    problems = [f"input '{name}' of shape {known[name].array.shape} is not given" for name in missing]
    problems += [unknown("input", name, known) for name in given if name not in known]
    if problems:
        raise CallError("; ".join(problems))


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """The message for an unknown name, with the nearest one that is known."""
    known = list(known)
    near = get_close_matches(str(name), known, n=1, cutoff=0.5)  # names are short: L1 for L3 is near
    listed = ", ".join(known[:MOST_LISTED]) + (", …" if len(known) > MOST_LISTED else "")
    hint = f"did you mean '{near[0]}'?" if near else f"known: {listed or 'none'}"
    return f"unknown {what} '{name}' ({hint})"


def check_options(threads: Any, layout: Any) -> int:
    """The number of threads, if it and the layout make sense."""
    try:
        count = 0 if isinstance(threads, bool) else operator.index(threads)
    except TypeError:
        count = 0
    if count < 1:
        raise CallError(f"threads: got {threads!r}, expected a whole number of at least 1")
    if layout not in ("aos", "soa"):
        raise CallError(f"layout: got {layout!r}, expected 'aos' (states one after the other) or 'soa'")
    return min(count, MOST_THREADS)


def given_outputs(outputs: Sequence[Argument], out: Any, front: tuple[int, ...]) -> list[Floats]:
    """The arrays to be filled: one, or a mapping with one for each output. ``front`` are the axes of a batch."""
    names = [argument.array.name for argument in outputs]
    if not isinstance(out, Mapping):
        if len(outputs) != 1:
            raise CallError(f"out: expected a dict with the outputs {', '.join(names)}")
        out = {names[0]: out}
    problems = [f"out: output '{name}' is missing" for name in names if name not in out]
    problems += [unknown("output", name, names) for name, _ in out.items() if name not in names]
    if problems:
        raise CallError("; ".join(problems))
    for argument in outputs:
        array, shape = out[argument.array.name], (*front, *argument.array.shape)
        if not is_plain(array) or array.dtype != DOUBLE or array.shape != shape:
            got = f"{array.dtype} of shape {array.shape}" if is_plain(array) else type(array).__name__
            raise CallError(f"out: '{argument.array.name}' must be an array of float64 of shape {shape}, got {got}")
        if not array.flags.writeable:
            raise CallError(f"out: the array for '{argument.array.name}' cannot be written")
        if overlaps_itself(array):
            raise CallError(f"out: entries of the array for '{argument.array.name}' share their place in memory")
    for one, other in combinations(names, 2):
        if overlap(out[one], out[other]):
            raise CallError(f"out: the arrays for '{one}' and '{other}' share memory")
    return [out[name] for name in names]


def is_plain(array: Any) -> bool:
    """An array that is only its numbers: what is written into a masked one may stay masked."""
    return isinstance(array, np.ndarray) and not isinstance(array, np.ma.MaskedArray)


def check_bound(kind: str, name: str, array: Any, shape: tuple[int, ...]) -> None:
    """Arrays that are read and written in place."""
    plain = is_plain(array) and array.dtype == np.float64 and array.dtype.isnative
    if not (plain and array.flags.c_contiguous and array.flags.aligned and array.shape == shape):
        what = f"array of {array.dtype} of shape {array.shape}" if is_plain(array) else type(array).__name__
        raise CallError(f"bind: {kind} '{name}' must be an array of float64 of shape {shape}, by rows, got {what}")


def check_apart(
    inputs: Sequence[Argument], taken: Sequence[Floats], outputs: Sequence[Argument], made: Sequence[Floats]
) -> None:
    """A routine writes outputs while it still reads inputs: only state may be changed where it is."""
    for output, place in zip(outputs, made, strict=True):
        for given, array in zip(inputs, taken, strict=True):
            same = given.array.name == output.array.name and place.ctypes.data == array.ctypes.data
            if not same and overlap(place, array):
                names = f"output '{output.array.name}' and input '{given.array.name}'"
                raise CallError(f"bind: the arrays for {names} of a routine share memory")
