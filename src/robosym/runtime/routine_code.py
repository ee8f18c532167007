"""A routine as machine code. A batch of a routine that is mostly programs in loops runs in vectors as a whole (``lanes_code``).
Of other routines the programs that they begin with run in vectors on all states, as a program alone does; the rest runs state
by state on what they made."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from ..codegen.routines.facts import RoutineFacts
from ..codegen.targets.c.routine import facts_of, signature
from ..program.routine import Each, Newton, Repeat, Routine, Run, Stage, When
from ..reals import Floats
from . import ir
from .direct import direct
from .engine import LIGHT, SPEED_LEVEL, Engine, engine
from .host import host
from .lanes_code import PATIENCE as WORTH_COMPILING
from .lanes_code import LanesCode, Work, parts_of, work
from .leading import leading_runs, rest_of
from .machine_code import FEW, MachineCode, Worker, is_even
from .parameters import REMEMBERED, BatchCall, Parameters
from .python_call import ALWAYS, Callee, batches_record
from .routine_ir import LONG, routine_module

TOGETHER = 2048  # states between the programs and the rest: what the former make stays in the cache
WORTHWHILE = 100  # multiplications and additions in the programs at the beginning
FEWEST = 64  # states for a thread
PATIENCE = 1000  # turns of loops for which other threads may wait


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

    @cached_property
    def long(self) -> bool:
        return turns(self.facts.routine, self.facts.routine.stages) > PATIENCE

    @cached_property
    def _work(self) -> Work:
        return work(self.facts.routine, self.facts.routine.stages)

    def _few(self) -> int:
        """Of what runs in lanes, as many states as give enough work."""
        if not self._work.in_lanes:
            return FEW
        return max(host().lanes, min(FEW, math.ceil(WORTH_COMPILING / max(self._work.together, 1.0))))

    @cached_property
    def callee_of_sets(self) -> Callee:
        callee = super().callee_of_sets
        return replace(callee, batches=batches_record(self._few())) if self._work.in_lanes else callee

    @cached_property
    def _in_lanes(self) -> LanesCode:
        return LanesCode(self.facts, host(), self._flags, self._engine)

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
        few = self._few()
        if self._work.in_lanes and batch >= few:
            given = [(np.ascontiguousarray(array), batched) for array, batched in arrays]
            self._in_lanes.version(tuple(batched for _, batched in arrays), parameters.batch is not None)
            ends = parts_of(batch, host().lanes, max(1, min(threads, batch // few)))
            _in_threads(self._in_lanes, [(given, parameters, plain, *pair) for pair in pairwise(ends)])
            _finished(results, plain)
            return
        in_vectors = (
            parameters.batch is None and batch >= FEW and self._first and self._rest
        )  # compiled before threads run
        way = self._first_in_vectors if in_vectors else self._state_by_state
        parts = max(1, min(threads, batch // FEWEST))
        ends = [batch * i // parts for i in range(parts + 1)]
        _in_threads(way, [(arrays, parameters, plain, *pair) for pair in pairwise(ends)])
        _finished(results, plain)

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
        if sum(run.program.operations.total for run in runs) < WORTHWHILE or not runs:
            self._batches[0] = ALWAYS  # from now on direct calls do all batches, one state after the other
            return []
        programs = self.facts.programs
        return [(run, MachineCode(programs[run.program].program, self._speed_level, self._flags)) for run in runs]

    @cached_property
    def _rest(self) -> tuple[RoutineFacts, BatchCall, Any, list[str]]:
        """The rest: its arguments, its loop over states, who owns that, and which array of the whole each of its inputs
        is. Parameters and constants are those of the whole."""
        rest, sources = rest_of(self.facts.routine)
        whole, own = self.facts, facts_of(rest)
        facts = replace(
            own,
            programs={program: whole.programs[program] for program in own.programs},
            offsets=whole.offsets,
            parameters=whole.parameters,
            constants=whole.constants,
            reads_parameters=whole.reads_parameters,
        )
        owner = self._engine(routine_module(facts, host(), self._flags))
        return facts, BatchCall(owner.address(f"{ir.RUN}_batch")), owner, sources

    def _first_in_vectors(
        self,
        arrays: Sequence[tuple[Floats, bool]],
        parameters: Parameters,
        results: Sequence[Floats],
        first: int,
        last: int,
    ) -> None:
        _, rest = self._directs(parameters)
        for start in range(first, last, TOGETHER):
            stop = min(start + TOGETHER, last)
            taken = [array[start:stop] if batched else array for array, batched in arrays]
            place = self._programs(stop - start, taken, parameters)
            self._finish(rest, place, parameters, [array[start:stop] for array in results])

    def answer(self, batch: int, arrays: Sequence[Floats], parameters: Parameters) -> Any:
        if not FEW <= batch <= TOGETHER or parameters.batch is not None or self._work.in_lanes or not self._first:
            return NotImplemented
        place = self._programs(batch, arrays, parameters)
        taken, axes = self._rest_wires
        if not any(place[source].ndim > n for (_, source), n in zip(taken, axes, strict=True)):
            return NotImplemented  # nothing says how many states there are
        return self._directs(parameters)[1](**{name: place[source] for name, source in taken})

    def _programs(self, count: int, arrays: Sequence[Floats], parameters: Parameters) -> dict[str, Floats]:
        """All arrays by name, once the programs have run at these states."""
        place = dict(zip(self._input_names, arrays, strict=True))
        calls = self._directs(parameters)[0]
        for k, (taken, given) in enumerate(self._wires):
            found = calls[k](**{name: place[source] for name, source in taken})
            if found is NotImplemented:  # the first time, or arrays that lie in an odd way
                place.update(zip(given, self._run(*self._first[k], place, parameters, count), strict=True))
            elif len(given) == 1:
                place[given[0]] = found
            else:
                place.update(zip(given, found.values(), strict=True))
        return place

    @cached_property
    def _rest_wires(self) -> tuple[list[tuple[str, str]], list[int]]:
        """Of the rest: its inputs and where they are, and how many axes they have at one state. A direct call knows them
        by numbers: an array of the workspace may have the name of an option."""
        facts, _, _, sources = self._rest
        wires = [(sys.intern(str(i)), source) for i, source in enumerate(sources)]
        return wires, [len(argument.array.shape) for argument in facts.inputs]

    @cached_property
    def _input_names(self) -> list[str]:
        return [argument.array.name for argument in self.facts.inputs]

    @cached_property
    def _wires(self) -> list[tuple[list[tuple[str, str]], list[str]]]:
        """Of each program at the beginning: its inputs and where they are, and where its outputs go."""
        return [
            (
                [(sys.intern(array.name), run.place(array)) for array in run.program.inputs],
                [run.place(array) for array in run.program.outputs],
            )
            for run, _ in self._first
        ]

    def _run(
        self, run: Run, code: MachineCode, place: Mapping[str, Floats], parameters: Parameters, count: int
    ) -> list[Floats]:
        """What a program makes at these states."""
        program = run.program
        taken = [(place[run.place(array)], array.shape) for array in program.inputs]
        given = [
            (
                array if is_even(argument, array, array.shape != shape) else np.ascontiguousarray(array),
                array.shape != shape,
            )
            for argument, (array, shape) in zip(code.facts.inputs, taken, strict=True)
        ]
        made = [np.empty((count, *array.shape)) for array in program.outputs]
        code.many(count, given, self._part(run, code, parameters), made, 1)
        return made

    def _finish(
        self, rest: Callable[..., Any], place: Mapping[str, Floats], parameters: Parameters, results: list[Floats]
    ) -> None:
        """What comes after the programs, from what they made into the results."""
        facts, loop, _, _ = self._rest
        out = {argument.array.name: array for argument, array in zip(facts.outputs, results, strict=True)}
        taken = {name: place[source] for name, source in self._rest_wires[0]}
        if rest(**taken, out=out) is not NotImplemented:
            return
        shapes = [argument.array.shape for argument in facts.inputs]
        given = [
            (np.ascontiguousarray(array), array.shape != shape)
            for array, shape in zip(taken.values(), shapes, strict=True)
        ]
        given += [(array, False) for array in parameters.arrays]
        loop(len(results[0]), [*given, *((array, True) for array in results)])

    @cached_property
    def _directs(self) -> Callable[[Parameters], tuple[list[Callable[..., Any]], Callable[..., Any]]]:
        """With a set of parameters: the direct calls of the programs, and that of the rest."""
        return lru_cache(REMEMBERED)(self._made_directs)

    def _made_directs(self, parameters: Parameters) -> tuple[list[Callable[..., Any]], Callable[..., Any]]:
        parts = [(code, self._part(run, code, parameters)) for run, code in self._first]
        facts, _, owner, _ = self._rest
        taken = [
            (name, argument.array.shape, 0)
            for (name, _), argument in zip(self._rest_wires[0], facts.inputs, strict=True)
        ]
        made = [(argument.array.name, argument.array.shape, 0) for argument in facts.outputs]
        callee = Callee(
            facts.function, owner.address(f"{ir.RUN}_table"), batches_record(ALWAYS), taken, made, self.long
        )
        calls = [direct(code.callee, part, code.shared(part), [code, part]) for code, part in parts]
        return calls, direct(callee, parameters, self.shared(parameters), [owner, parameters])

    def _part(self, run: Run, code: MachineCode, parameters: Parameters) -> Parameters:
        """Of the parameters and constants of the whole, those that a program reads."""
        others = iter(parameters.arrays)
        shared = next(others) if self.facts.reads_parameters else None
        constants = next(others) if self.facts.has_precompute else None
        arrays = [shared] if shared is not None and code.facts.reads_parameters else []
        if constants is not None and code.facts.has_precompute:
            start = self.facts.offsets[run.program]
            arrays.append(constants[start : start + code.facts.constants.size])
        return Parameters(tuple(arrays))


def turns(routine: Routine, stages: Sequence[Stage]) -> float:
    """How many turns the loops of a call may make at most; infinite if a call says how many."""
    total = 0.0
    for stage in stages:
        match stage:
            case Repeat():
                times = math.inf if isinstance(stage.times, str) else stage.times
                total += times * (1 + turns(routine, stage.stages)) if times else 0
            case Each():
                rows = routine.shape(stage.array)[0]
                total += rows * (1 + turns(routine, stage.stages)) if rows else 0
            case When():
                total += max(turns(routine, stage.stages), turns(routine, stage.otherwise))
            case Newton():
                total += stage.steps * (1 + turns(routine, stage.stages))
    return total


def _finished(results: Sequence[Floats], computed: Sequence[Floats]) -> None:
    """Results that do not lie by rows were computed elsewhere."""
    for array, found in zip(results, computed, strict=True):
        if array is not found:
            array[...] = found


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
