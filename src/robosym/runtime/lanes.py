"""A routine on many inputs at once: its programs compiled, its kernels on stacks of matrices, its branches as masks.

Every array of the workspace has a first axis, the lanes. A loop over rows whose turns do not hang on each other gives each
row a lane of its own, so that all turns are taken at once; one whose turns do goes row by row. What a lane finds is
what ``Routine.call`` finds for its input alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..program.kernels import KERNELS
from ..program.program import Program
from ..program.routine import COUNT, Each, Emit, Kernel, Newton, Routine, Run, Stage, When
from .function import CompiledFunction, compile_program

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


class LanesOfRoutine:
    """``f(T=..., ...)`` with a batch axis on every input: a list of solutions (k, width) for each."""

    def __init__(self, routine: Routine, values: Mapping[str, float] | None = None) -> None:
        self.routine = routine
        self._values = dict(values or {})
        self._compiled: dict[int, CompiledFunction] = {}  # by identity: the routine holds the programs

    def __call__(self, *, parameters: Mapping[str, float] | None = None, **inputs: Floats) -> list[Floats]:
        count = len(next(iter(inputs.values())))
        run = _Run(self, dict(parameters or {}), count)
        with np.errstate(all="ignore"):
            run.all(self.routine.stages, _Lanes(dict(inputs), np.arange(count), np.zeros(count)))
        return run.solutions()

    def function(self, program: Program) -> CompiledFunction:
        if id(program) not in self._compiled:
            used = {symbol.name for symbol in program.parameters}
            values = {name: value for name, value in self._values.items() if name in used}
            self._compiled[id(program)] = compile_program(program, values=values)
        return self._compiled[id(program)]


@dataclass
class _Lanes:
    """The workspace of some lanes: which input each belongs to, and a rank that keeps the order of a loop's turns."""

    arrays: dict[str, Any]
    owner: Indices
    rank: Floats

    def some(self, which: Indices) -> _Lanes:
        return _Lanes({k: a[which] for k, a in self.arrays.items()}, self.owner[which], self.rank[which])

    def put_back(self, part: _Lanes, which: Indices) -> None:
        """What a part of the lanes has made of arrays that were there before."""
        for name, array in self.arrays.items():
            array[which] = part.arrays[name]


class _Run:
    def __init__(self, made: LanesOfRoutine, parameters: Mapping[str, float], count: int) -> None:
        self.made, self.routine, self.parameters = made, made.routine, parameters
        self.kept: list[list[Floats]] = [[] for _ in range(count)]

    def solutions(self) -> list[Floats]:
        return [np.array(rows).reshape(-1, self.routine.width) for rows in self.kept]

    def all(self, stages: Sequence[Stage], lanes: _Lanes) -> None:
        for stage in stages:
            if len(lanes.owner):
                self.one(stage, lanes)

    def one(self, stage: Stage, lanes: _Lanes) -> None:
        match stage:
            case Run():
                self.run(stage, lanes)
            case Kernel():
                results = _stacked(stage.name)(*(lanes.arrays[name] for name in stage.inputs))
                lanes.arrays.update(zip(stage.outputs, results, strict=True))
            case Emit():
                self.emit(stage, lanes)
            case Each():
                self.each(stage, lanes)
            case When():
                self.part(stage.stages, lanes, np.flatnonzero(lanes.arrays[stage.condition] != 0.0))
            case Newton():
                self.newton(stage, lanes)

    def part(self, stages: Sequence[Stage], lanes: _Lanes, which: Indices) -> None:
        if len(which) == len(lanes.owner):
            inner = _Lanes(dict(lanes.arrays), lanes.owner, lanes.rank)
            self.all(stages, inner)
            lanes.arrays.update({name: inner.arrays[name] for name in lanes.arrays})
        elif len(which):
            inner = lanes.some(which)
            self.all(stages, inner)
            for name in _written(stages):
                if name in lanes.arrays:
                    lanes.arrays[name] = lanes.arrays[name].copy()
                    lanes.arrays[name][which] = inner.arrays[name]

    def run(self, stage: Run, lanes: _Lanes) -> None:
        program = stage.program
        used = {symbol.name for symbol in program.parameters}
        changed = {key: value for key, value in self.parameters.items() if key in used}
        taken = {array.name: self.get(stage.place(array), lanes) for array in program.inputs}
        out = self.made.function(program)(**taken, parameters=changed or None)
        if len(program.outputs) == 1:
            out = {program.outputs[0].name: out}
        for array in program.outputs:
            made = np.asarray(out[array.name])
            if not taken:
                made = np.broadcast_to(made, (len(lanes.owner), *array.shape)).copy()
            lanes.arrays[stage.place(array)] = made

    def get(self, name: str, lanes: _Lanes) -> Any:
        if name == COUNT:
            return np.array([float(len(self.kept[i])) for i in lanes.owner])
        return lanes.arrays[name]

    def emit(self, stage: Emit, lanes: _Lanes) -> None:
        """The rows of each input after those it has, but for repetitions."""
        lane, row = np.nonzero(lanes.arrays[stage.where].reshape(len(lanes.owner), -1) != 0.0)
        values = lanes.arrays[stage.values].reshape(len(lanes.owner), -1, self.routine.width)[lane, row]
        order = np.lexsort((row, lanes.rank[lane], lanes.owner[lane]))
        values, owner = values[order], lanes.owner[lane][order]
        for part in np.split(np.arange(len(owner)), np.flatnonzero(np.diff(owner)) + 1):
            if len(part):
                self.keep(self.kept[owner[part[0]]], values[part], self.routine.tolerances(stage))

    def keep(self, kept: list[Floats], rows: Floats, same: Sequence[float]) -> None:
        for one in kept:
            rows = rows[~self._is_same(rows, one, same)]
        while len(rows) and len(kept) < self.routine.most:
            kept.append(rows[0].copy())
            rows = rows[1:][~self._is_same(rows[1:], rows[0], same)]

    def _is_same(self, rows: Floats, one: Floats, same: Sequence[float]) -> NDArray[np.bool_]:
        apart = np.abs(rows - one)
        whole = 2 * math.pi
        apart = np.where(self.routine.turns, np.abs(apart - whole * np.floor(apart / whole + 0.5)), apart)
        return np.asarray((apart <= same).all(axis=1))

    def each(self, stage: Each, lanes: _Lanes) -> None:
        rows = lanes.arrays[stage.array]
        count = rows.shape[1]
        upto = np.full(len(rows), count) if stage.count is None else lanes.arrays[stage.count].astype(np.intp)
        if _hang_together(stage, lanes.arrays):
            for k in range(count):
                lanes.arrays[stage.row] = rows[:, k].copy()
                self.part(stage.stages, lanes, np.flatnonzero(k < upto))
                rows = lanes.arrays[stage.array]
            lanes.arrays.pop(stage.row)
            return
        lane, turn = np.nonzero(np.arange(count) < upto[:, None])
        needed = _read(stage.stages)
        inner = _Lanes(
            {name: array[lane] for name, array in lanes.arrays.items() if name in needed},
            lanes.owner[lane],
            lanes.rank[lane] * count + turn,
        )
        inner.arrays[stage.row] = rows[lane, turn]
        self.all(stage.stages, inner)

    def newton(self, stage: Newton, lanes: _Lanes) -> None:
        active = np.arange(len(lanes.owner))
        unknown = lanes.arrays[stage.unknown].copy()
        needed = _read(stage.stages)
        given = {name: array for name, array in lanes.arrays.items() if name in needed or name == stage.unknown}
        inner = _Lanes(given, lanes.owner, lanes.rank)
        for _ in range(stage.steps):
            inner.arrays[stage.unknown] = unknown[active]
            self.all(stage.stages, inner)
            correction = inner.arrays[stage.correction]
            flat = np.abs(correction.reshape(len(active), -1))
            finite = np.isfinite(flat).all(axis=1)
            unknown[active[finite]] -= correction[finite]
            going = np.flatnonzero(finite & (flat.max(axis=1, initial=0.0) > stage.tolerance))
            if len(going) < len(active):
                active = active[going]
                inner = _Lanes({name: given[name][active] for name in given}, lanes.owner[active], lanes.rank[active])
            if not len(active):
                break
        lanes.arrays[stage.unknown] = unknown


# --- what stages read and write --------------------------------------------------------------------------------------


def _uses(stages: Sequence[Stage]) -> Iterator[tuple[str, bool]]:
    """The arrays that stages read (False) and write (True), in their order."""
    for stage in stages:
        match stage:
            case Run():
                yield from ((stage.place(array), False) for array in stage.program.inputs)
                yield from ((stage.place(array), True) for array in stage.program.outputs)
            case Kernel():
                yield from ((name, False) for name in stage.inputs)
                yield from ((name, True) for name in stage.outputs)
            case Emit():
                yield from ((stage.values, False), (stage.where, False))
            case Each():
                yield from ((name, False) for name in (stage.array, stage.count) if name is not None)
                yield stage.row, True
                yield from _uses(stage.stages)
            case When():
                yield stage.condition, False
                yield from _uses(stage.stages)
            case Newton():
                yield stage.unknown, False
                yield from _uses(stage.stages)
                yield stage.unknown, True


def _read(stages: Sequence[Stage]) -> set[str]:
    return {name for name, writes in _uses(stages) if not writes}


def _written(stages: Sequence[Stage]) -> set[str]:
    return {name for name, writes in _uses(stages) if writes}


def _hang_together(stage: Each, known: Mapping[str, Any]) -> bool:
    """Whether a turn of a loop reads what another has written, or the number of solutions so far."""
    written: set[str] = {stage.row}
    changed = _written(stage.stages)
    for name, writes in _uses(stage.stages):
        if writes:
            written.add(name)
        elif name == COUNT or (name in changed and name in known and name not in written):
            return True
    return False


# --- kernels on stacks -----------------------------------------------------------------------------------------------


def _stacked(name: str) -> Callable[..., list[Any]]:
    return _solved if name == "solve" else lambda *taken: _one_by_one(name, taken)


def _one_by_one(name: str, taken: Sequence[Any]) -> list[Any]:
    made = [KERNELS[name].reference(*row) for row in zip(*taken, strict=True)]
    return [np.array(column) for column in zip(*made, strict=True)]


def _solved(A: Floats, B: Floats) -> list[Any]:
    """Zero where A is singular; what one matrix gives does not depend on the others."""
    try:
        X = np.linalg.solve(A, B if B.ndim == 3 else B[:, :, None]).reshape(B.shape)
    except np.linalg.LinAlgError:
        return _one_by_one("solve", (A, B))
    finite = np.isfinite(X.reshape(len(X), -1)).all(axis=1)
    X[~finite] = 0.0
    return [X]
