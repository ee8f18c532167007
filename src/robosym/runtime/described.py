"""Compiled functions as ``help`` and ``inspect.signature`` show them."""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Mapping
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

import numpy as np

from ..program.outputs import Outputs
from ..program.program import Array
from ..program.routine import Slot
from ..program.status import OutputArray

if TYPE_CHECKING:
    from .function import CompiledFunction

OPTIONS: dict[str, Any] = {
    "parameters": None,
    "out": None,
    "threads": 1,
    "layout": "aos",
}  # of a call, beside the inputs
MOST_VALUES = 40  # parameters that are listed
WIDTH = 100  # letters of a line of them


class OfEach:
    """A value of a class, and another one of each of its objects."""

    def __init__(self, of_class: Any, of_object: Any) -> None:
        self._of_class, self._of_object = of_class, of_object

    def __get__(self, function: Any, owner: Any = None) -> Any:
        return self._of_class if function is None else self._of_object(function)


def signature_of(function: CompiledFunction) -> Signature:
    """Inputs by name, those that may be left out with the default None, then the options of a call."""
    inputs = [array.name for array in function.program.inputs]
    named = [name for name in inputs if name.isidentifier() and not keyword.iskeyword(name)]
    may_lack = {*function.defaults, *(name for name, shape in function.inputs.items() if 0 in shape)}
    kind = Parameter.KEYWORD_ONLY
    listed = [Parameter(name, kind, default=None if name in may_lack else Parameter.empty) for name in named]
    listed += [Parameter(name, kind, default=value) for name, value in OPTIONS.items()]
    if len(named) < len(inputs):
        listed.append(Parameter("others", Parameter.VAR_KEYWORD))
    single = OutputArray if function.status else np.ndarray
    made = single if len(values_of(function)) == 1 else Outputs
    return Signature(listed, return_annotation=made)


def values_of(function: CompiledFunction) -> list[Array | Slot]:
    """The outputs that are not status."""
    return [array for array in function.program.outputs if array.name not in function.status]


def documented(function: CompiledFunction) -> str:
    """What it takes and gives, with shapes, defaults and values."""
    return "\n".join(_lines(function)) + "\n"


def _lines(function: CompiledFunction) -> Iterator[str]:
    program = function.program
    yield f"{function.__name__}{signature_of(function)}"
    yield ""
    yield f"{program.name}, compiled. Every input has its own shape, or that shape after the axes of a batch."
    notes = [" ".join(note.split()) for note in program.notes]
    yield from (note for note in notes if note and note != program.name)
    status = [array for array in program.outputs if array.name in function.status]
    parts = [("Inputs", program.inputs), ("Outputs", values_of(function))]
    for what, arrays in [*parts, ("Status, attributes of the result", status)][: 3 if status else 2]:
        yield ""
        yield f"{what}:" if arrays else f"{what}: none"
        width = max((len(array.name) for array in arrays), default=0)
        for array in arrays:
            about = array.about if isinstance(array, Slot) else ""
            default = _default(function.defaults, array.name) if what == "Inputs" else ""
            yield f"    {array.name:{width}}  {array.shape}{default}{f': {about}' if about else ''}"
    values = {symbol.name: function.values.get(symbol.name) for symbol in program.parameter_symbols}
    if values:
        yield ""
        yield "Parameters and their values, which parameters={...} changes:"
        yield from _values(values)


def _default(defaults: Mapping[str, Any], name: str) -> str:
    if name not in defaults:
        return ""
    return ", by default zero" if not np.any(defaults[name]) else ", may be left out"


def _values(values: Mapping[str, float | None]) -> Iterator[str]:
    line = "   "
    for name, value in list(values.items())[:MOST_VALUES]:
        word = f" {name}=" + ("?" if value is None else f"{float(value):.6g}") + ","
        if len(line) + len(word) > WIDTH:
            yield line
            line = "   "
        line += word
    yield line.removesuffix(",") if len(values) <= MOST_VALUES else f"{line} and {len(values) - MOST_VALUES} more"
