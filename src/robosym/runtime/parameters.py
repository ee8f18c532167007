"""Sets of parameter values: the numbers, and what the precompute function makes of them, computed once per set."""

from __future__ import annotations

import ctypes
import math
import struct
from array import array as array_of
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from ..program.batches import common, in_a_row, leading
from ..program.derived import Derived
from ..program.program import Program
from ..program.routine import Routine
from ..reals import Floats, plain_array
from .arguments import numeric, unknown
from .errors import CallError
from .python_call import address_of

REMEMBERED = 32  # how many sets given in calls keep their precomputed constants
PLAIN = (float, np.float64)  # types of numbers that are doubles already


@dataclass(frozen=True, eq=False)
class Parameters:
    """One set of values, or one per state; ``arrays`` are those the main function reads, in its order."""

    arrays: tuple[Floats, ...]
    lead: tuple[int, ...] = ()  # how the states lie that have a set each; their sets are in a row

    @property
    def batch(self) -> int | None:
        """How many sets there are, if not one for all states."""
        return math.prod(self.lead) if self.lead else None

    def spread(self, whole: tuple[int, ...]) -> Parameters:
        """The same for states that lie in this arrangement, in a row."""
        if not self.lead:
            return self
        lead = self.lead
        sets = (in_a_row(array.reshape(*lead, array.shape[-1]), lead, whole) for array in self.arrays)
        return Parameters(tuple(map(np.ascontiguousarray, sets)), (math.prod(whole),))

    @property
    def addresses(self) -> tuple[int, ...]:
        return tuple(map(address_of, self.arrays))


NONE = Parameters(())  # for a program whose parameters are numbers


class BatchCall:
    """A compiled loop over states, ``run_batch`` or ``precompute_batch`` of ``ir``."""

    def __init__(self, address: int) -> None:
        self._function = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_char_p)(address)

    def __call__(self, batch: int, arrays: Sequence[tuple[Floats, bool]]) -> None:
        """Contiguous arrays, each with whether its first axis is the batch."""
        flat: list[int] = []
        for array, batched in arrays:
            flat += [address_of(array), array.size // batch if batched and batch else 0]
        self._function(batch, struct.pack(f"{len(flat)}q", *flat))


class ParameterSets:
    """Makes ``Parameters`` from what a caller gives and remembers the latest."""

    def __init__(
        self,
        program: Program | Routine,
        values: Mapping[str, float],
        derived: Derived,
        known: Iterable[str],
        precompute: BatchCall | None,
        constants: int,
        reads_parameters: bool,
    ) -> None:
        self._names = [symbol.name for symbol in program.parameter_symbols]
        self._places = {name: i for i, name in enumerate(self._names)}
        self._without_value = [name for name in self._names if name not in values]
        self._values = values
        self._derived = derived
        self._sources = derived.sources
        self._known = {*self._names, *values, *self._sources, *known}
        self._precompute = precompute
        self._constants = constants
        self._reads_parameters = reads_parameters
        self._remembered = lru_cache(REMEMBERED)(self._from_bytes)
        self._remembered_by_name = lru_cache(REMEMBERED)(self._from_names)
        self._checked = lru_cache(REMEMBERED)(self._check)

    @cached_property
    def default(self) -> Parameters:
        """The set of the default values."""
        return self.given({})

    def given(self, parameters: Any) -> Parameters:
        if not isinstance(parameters, Mapping):
            array = self._in_order(parameters)
        elif all(type(value) in PLAIN for value in parameters.values()):
            return self._remembered_by_name(tuple(parameters), array_of("d", parameters.values()).tobytes())
        else:
            array = self._by_name(parameters)
        return self._prepared(array) if array.ndim > 1 else self._remembered(array.tobytes())

    def _from_names(self, names: tuple[str, ...], data: bytes) -> Parameters:
        """A set by name, from its bytes: numbers that are equal may still be different, as 0.0 and -0.0 are."""
        return self._remembered(self._by_name(dict(zip(names, array_of("d", data), strict=True))).tobytes())

    def _by_name(self, given: Mapping[str, Any]) -> Floats:
        """Given values over default ones; a number for each name, or an array of them, which broadcast."""
        if not self._known.issuperset(given):
            problems = [unknown("parameter", name, self._names) for name in given if name not in self._known]
            raise CallError("; ".join(problems))
        numbers = {name: plain_array(f"parameter '{name}'", value, CallError) for name, value in given.items()}
        lead = common({name: value.shape for name, value in numbers.items()}, CallError)
        full = self._derived.completed(numbers)
        missing = [name for name in self._without_value if name not in full]
        if missing:
            raise CallError(f"parameters without a value: {', '.join(missing)}")
        found = np.empty((*lead, len(self._names)))
        found[...] = self._row
        for name, value in full.items():
            if name in self._places:
                found[..., self._places[name]] = numeric("parameter", name, value)
        return found

    @cached_property
    def _row(self) -> Floats:
        """The default values in order, 0 where there is none."""
        row = np.zeros(len(self._names))
        for i, name in enumerate(self._names):
            if name in self._values:
                row[i] = numeric("parameter", name, self._values[name])
        return row

    def _in_order(self, given: Any) -> Floats:
        array = plain_array("array 'parameters'", given, CallError)
        count = len(self._names)
        leading("parameters", array, (count,), CallError)
        if not self._derived.restricts:
            return array
        if array.ndim == 1:
            self._checked(array.tobytes())
        else:
            self._derived.check(
                dict(zip(self._names, array.reshape(math.prod(array.shape[:-1]), count).T, strict=True))
            )
        return array

    def _check(self, data: bytes) -> None:
        self._derived.check(dict(zip(self._names, np.frombuffer(data), strict=True)))

    def _from_bytes(self, data: bytes) -> Parameters:
        return self._prepared(np.frombuffer(data).copy())

    def _prepared(self, array: Floats) -> Parameters:
        lead, count = array.shape[:-1], array.shape[-1]
        batch = math.prod(lead)
        array = np.ascontiguousarray(array).reshape((batch, count) if lead else (count,))
        arrays = [array] if self._reads_parameters else []
        if self._precompute is not None:
            constants = np.empty((*array.shape[:-1], self._constants))
            self._precompute(batch, [(array, bool(lead)), (constants, bool(lead))])
            arrays.append(constants)
        return Parameters(tuple(arrays), lead)
