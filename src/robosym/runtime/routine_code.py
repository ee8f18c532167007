"""A routine as machine code. Of a batch, the programs that a routine begins with run in vectors on all states, as a program
alone does; the rest runs state by state on what they made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from ..codegen.routines.facts import RoutineFacts
from ..codegen.targets.c.routine import facts_of, signature
from ..program.routine import Run
from ..reals import Floats
from . import ir
from .engine import LIGHT, SPEED_LEVEL, Engine, engine
from .host import host
from .leading import leading_runs, made_name, rest_of
from .machine_code import FEW, MachineCode, Worker
from .parameters import BatchCall, Parameters
from .routine_ir import routine_module

TOGETHER = 2048  # states between the programs and the rest: what the former make stays in the cache
WORTHWHILE = 100  # multiplications and additions in the programs at the beginning
LONG = 3000  # lines of assembly that all of LLVM's passes would take too long for
FEWEST = 64  # states for a thread


class RoutineCode(MachineCode):
    """What ``MachineCode`` is for a program."""

    facts: RoutineFacts

    def _described(self, program: Any) -> RoutineFacts:
        return facts_of(program)

    def _signature(self) -> str:
        return signature(self.facts)

    def _assembly(self) -> str:
        return routine_module(self.facts, host(), self._flags)

    def _engine(self, assembly: str) -> Engine:
        is_long = self._speed_level == SPEED_LEVEL and assembly.count("\n") > LONG
        return engine(assembly, self._speed_level, LIGHT if is_long else ())

    def many(
        self,
        batch: int,
        arrays: Sequence[tuple[Floats, bool]],
        parameters: Parameters,
        results: Sequence[Floats],
        threads: int,
    ) -> None:
        """Fill the results at many states, as ``MachineCode.many`` does."""
        if batch == 0:
            return
        plain = [array if array.flags.c_contiguous else np.empty(array.shape) for array in results]
        in_vectors = (
            parameters.batch is None and batch >= FEW and self._first and self._rest
        )  # compiled before threads run
        work = self._first_in_vectors if in_vectors else self._state_by_state
        parts = max(1, min(threads, batch // FEWEST))
        ends = [batch * i // parts for i in range(parts + 1)]
        _in_threads(work, [(arrays, parameters, plain, *ends[i : i + 2]) for i in range(parts)])
        for array, computed in zip(results, plain, strict=True):
            if array is not computed:
                array[...] = computed

    def _state_by_state(
        self,
        arrays: Sequence[tuple[Floats, bool]],
        parameters: Parameters,
        results: Sequence[Floats],
        first: int,
        last: int,
    ) -> None:
        taken = [_some(array, batched, first, last) for array, batched in arrays]
        taken += [_some(array, parameters.batch is not None, first, last) for array in parameters.arrays]
        self._loop(last - first, [*taken, *((array[first:last], True) for array in results)])

    # --- programs in vectors -----------------------------------------------------------------------------------------

    @cached_property
    def _first(self) -> list[tuple[Run, MachineCode]]:
        """The programs at the beginning, if they are worth a function of their own."""
        runs = leading_runs(self.facts.routine)
        if sum(run.program.operations.total for run in runs) < WORTHWHILE:
            return []
        programs = self.facts.programs
        return [(run, MachineCode(programs[run.program].program, self._speed_level, self._flags)) for run in runs]

    @cached_property
    def _rest(self) -> tuple[RoutineFacts, BatchCall, Any]:
        """The rest: its arguments, its loop over states, and who owns that. Parameters and constants are those of the whole."""
        whole, own = self.facts, facts_of(rest_of(self.facts.routine))
        facts = replace(
            own,
            programs={program: whole.programs[program] for program in own.programs},
            offsets=whole.offsets,
            parameters=whole.parameters,
            constants=whole.constants,
            reads_parameters=whole.reads_parameters,
        )
        owner = self._engine(routine_module(facts, host(), self._flags))
        return facts, BatchCall(owner.address(f"{ir.RUN}_batch")), owner

    def _first_in_vectors(
        self,
        arrays: Sequence[tuple[Floats, bool]],
        parameters: Parameters,
        results: Sequence[Floats],
        first: int,
        last: int,
    ) -> None:
        facts, loop, _ = self._rest
        names = [argument.array.name for argument in self.facts.inputs]
        for start in range(first, last, TOGETHER):
            stop = min(start + TOGETHER, last)
            place = {
                name: (array[start:stop] if batched else array, batched)
                for name, (array, batched) in zip(names, arrays, strict=True)
            }
            made: set[str] = set()
            for run, code in self._first:
                fresh = self._run(run, code, place, parameters, stop - start)
                place.update(fresh)
                made.update(fresh)
            place.update({made_name(name): place[name] for name in made})
            taken = [place[argument.array.name] for argument in facts.inputs]
            taken = [(np.ascontiguousarray(array), batched) for array, batched in taken]
            taken += [(array, False) for array in parameters.arrays]
            loop(stop - start, [*taken, *((array[start:stop], True) for array in results)])

    def _run(
        self,
        run: Run,
        code: MachineCode,
        place: Mapping[str, tuple[Floats, bool]],
        parameters: Parameters,
        count: int,
    ) -> dict[str, tuple[Floats, bool]]:
        """What a program makes at these states."""
        taken = [place[run.place(array)] for array in run.program.inputs]
        results = [np.empty((count, *array.shape)) for array in run.program.outputs]
        code.many(count, taken, self._part(run, code, parameters), results, 1)
        return {run.place(array): (result, True) for array, result in zip(run.program.outputs, results, strict=True)}

    def _part(self, run: Run, code: MachineCode, parameters: Parameters) -> Parameters:
        """Of the parameters and constants of the whole, those that a program reads."""
        others = iter(parameters.arrays)
        shared = next(others) if self.facts.reads_parameters else None
        constants = next(others) if self.facts.has_precompute else None
        arrays = [shared] if shared is not None and code.facts.reads_parameters else []
        if constants is not None and code.facts.has_precompute:
            start = self.facts.offsets[run.program]
            arrays.append(constants[start : start + code.facts.constants.size])
        return Parameters(tuple(arrays), None)


def _some(array: Floats, batched: bool, first: int, last: int) -> tuple[Floats, bool]:
    """The part of some states, entries one after the other."""
    return np.ascontiguousarray(array[first:last] if batched else array), batched


def _in_threads(work: Callable[..., None], tasks: Sequence[tuple[Any, ...]]) -> None:
    """All tasks at once: the first in this thread, a thread for each of the others."""
    others: list[Worker] = []
    try:
        for task in tasks[1:]:
            others.append(Worker(task, work, *task))
        work(*tasks[0])
    finally:
        for worker in others:
            worker.join()
    for worker in others:
        if worker.error is not None:
            raise worker.error
