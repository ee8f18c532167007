"""``CompiledFunction``: the calling convention. Arrays by name in, arrays out, one state or a batch of them."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..codegen.interface import Argument
from ..codegen.targets.c import facts_of, signature
from ..program.derived import Derived
from ..program.optional import with_optional
from ..program.program import Program
from . import ir
from .arguments import Floats, as_floats, batch_of, check_inputs, common_batch
from .engine import SPEED_LEVEL, engine
from .host import host
from .parameters import Parameters, ParameterSets


def compile_program(
    program: Program,
    *,
    values: Mapping[str, float] | None = None,
    optional: Mapping[str, tuple[str, ...]] | None = None,
    derived: Derived | None = None,
    speed_level: int = SPEED_LEVEL,
) -> CompiledFunction:
    """Compile a program in this process.

    ``values`` are the parameters' numbers used when a call gives none; ``optional`` the inputs that are zero when a call
    gives none, with the names of their rows; ``derived`` the parameters that follow from others when those are given.
    """
    return CompiledFunction(program, dict(values or {}), dict(optional or {}), derived or Derived(), speed_level)


class CompiledFunction:
    """A program as machine code; threads may call it at the same time.

    ``f(q=..., parameters=...)``: every input has its own shape, or that shape after a batch axis; inputs without the
    batch axis are shared by all states. ``parameters`` is a mapping of some names to numbers (the others keep their
    default values) or an array in the order of ``program.parameters``; either may have a batch axis too.
    One output comes back as an array, several as a dict by name.
    """

    def __init__(
        self,
        program: Program,
        values: Mapping[str, float],
        optional: Mapping[str, tuple[str, ...]],
        derived: Derived,
        speed_level: int = SPEED_LEVEL,
    ) -> None:
        facts = facts_of(program)
        self.program = program
        self._optional = optional
        self.signature = signature(facts)  # of the function at ``address``, in C
        self._engine = engine(ir.module(facts, host()), speed_level)
        self.address = self._engine.address(ir.RUN)
        self._inputs = facts.inputs
        self._outputs = facts.outputs
        self._input_names = {argument.array.name for argument in facts.inputs}
        self._expected = [(argument, argument.array.shape) for argument in facts.inputs]
        self._run = _callable(self.address, len(facts.read) + len(facts.outputs))
        self._run_batch = BatchCall(self._engine.address(f"{ir.RUN}_batch"), len(facts.read) + len(facts.outputs))
        precompute = BatchCall(self._engine.address(f"{ir.PRECOMPUTE}_batch"), 2) if facts.has_precompute else None
        self._sets = ParameterSets(program, values, derived, precompute, facts.constants.size, facts.reads_parameters)
        self._spare: list[_Workspace] = []  # pop and append are atomic: a workspace serves one call at a time

    @property
    def inputs(self) -> dict[str, tuple[int, ...]]:
        """The shape of each input, without a batch axis."""
        return {argument.array.name: argument.array.shape for argument in self._inputs}

    @property
    def outputs(self) -> dict[str, tuple[int, ...]]:
        return {argument.array.name: argument.array.shape for argument in self._outputs}

    def __repr__(self) -> str:
        taken = ", ".join(f"{name} {shape}" for name, shape in self.inputs.items())
        given = ", ".join(f"{name} {shape}" for name, shape in self.outputs.items())
        return f"<compiled {self.program.name!r}: {taken} -> {given}>"

    def __call__(self, *, parameters: Any = None, **given: Any) -> Any:
        chosen = self._sets.default if parameters is None else self._sets.given(parameters)
        if self._optional:
            given = with_optional(self.program, self._optional, given)
        if given.keys() != self._input_names:
            check_inputs(given, self._inputs)
        batched = chosen.batch is not None
        arrays = []
        for argument, shape in self._expected:
            array = as_floats(argument, given)
            batched = batched or array.shape != shape
            arrays.append(array)
        results = self._many(arrays, chosen) if batched else self._one(arrays, chosen)
        if len(results) == 1:
            return results[0]
        return {argument.array.name: array for argument, array in zip(self._outputs, results, strict=True)}

    def _one(self, arrays: Sequence[Floats], parameters: Parameters) -> list[Floats]:
        """One state. Addresses of NumPy arrays are slow to ask for, so workspaces with known addresses are reused."""
        try:
            work = self._spare.pop()
        except IndexError:
            work = _Workspace(self._inputs, self._outputs)
        if work.parameters is not parameters:
            work.bind(parameters)
        places = work.inputs
        for i, array in enumerate(arrays):
            places[i][...] = array
        self._run(*work.addresses)
        results = list(map(np.ndarray.copy, work.outputs))
        self._spare.append(work)
        return results

    def _many(self, arrays: Sequence[Floats], parameters: Parameters) -> list[Floats]:
        batches = [batch_of(argument, array) for argument, array in zip(self._inputs, arrays, strict=True)]
        named = {argument.array.name: size for argument, size in zip(self._inputs, batches, strict=True)}
        batch = common_batch({**named, "parameters": parameters.batch})
        results = [np.empty((batch, *argument.array.shape)) for argument in self._outputs]
        taken = [(np.ascontiguousarray(a), size is not None) for a, size in zip(arrays, batches, strict=True)]
        taken += [(array, parameters.batch is not None) for array in parameters.arrays]
        self._run_batch(batch, [*taken, *((array, True) for array in results)])
        return results


class BatchCall:
    """A compiled loop over states: ``(n, pointer, stride, pointer, stride, ...)``."""

    def __init__(self, address: int, count: int) -> None:
        self._function = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p, ctypes.c_int64] * count)(address)

    def __call__(self, batch: int, arrays: Sequence[tuple[Floats, bool]]) -> None:
        """Contiguous arrays, each with whether its first axis is the batch."""
        flat: list[int] = []
        for array, batched in arrays:
            flat += [array.ctypes.data, array.size // batch if batched and batch else 0]
        self._function(batch, *flat)


class _Workspace:
    """Arrays for one call, and where they are."""

    def __init__(self, inputs: Sequence[Argument], outputs: Sequence[Argument]) -> None:
        self.inputs = [np.empty(argument.array.shape) for argument in inputs]
        self.outputs = [np.empty(argument.array.shape) for argument in outputs]
        self.parameters: Parameters | None = None
        self.addresses: tuple[int, ...] = ()

    def bind(self, parameters: Parameters) -> None:
        """Take these parameters for the calls to come (and keep them alive)."""
        own = [[array.ctypes.data for array in arrays] for arrays in (self.inputs, self.outputs)]
        self.addresses = (*own[0], *parameters.addresses, *own[1])
        self.parameters = parameters


def _callable(address: int, count: int) -> Any:
    return ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * count)(address)
