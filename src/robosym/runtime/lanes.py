"""A routine on many inputs at once: its programs compiled, its kernels on stacks of matrices, its branches as masks.

Every array of the workspace has a first axis, the lanes. A loop over rows whose turns do not hang on each other gives each
row a lane of its own, so that all turns are taken at once, and what they find is put in the order of the turns
afterwards; one whose turns do goes row by row. What a lane finds is what ``Routine.call`` finds for its input alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..program.kernels import KERNELS
from ..program.program import Program
from ..program.routine import COUNT, Each, Emit, Kernel, Newton, Routine, Run, Stage, When
from ..program.uses import reads, surely_written, taken_over, written
from ..reals import real_array
from .function import CompiledFunction, compile_program

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


class LanesOfRoutine:
    """``f(T=..., ...)`` with a batch axis on every input: a list of solutions (k, width) for each."""

    def __init__(self, routine: Routine, values: Mapping[str, float] | None = None) -> None:
        self.routine = routine
        self._values = dict(values or {})
        self._compiled: dict[int, CompiledFunction] = {}  # by identity: the routine holds the programs
        self._uses: dict[int, _Uses] = {}  # by identity of the stages
        self._reads = reads(routine.stages)

    def __call__(self, *, parameters: Mapping[str, float] | None = None, **inputs: Any) -> list[Floats]:
        arrays = {name: real_array(f"input '{name}'", value) for name, value in inputs.items()}
        count = len(next(iter(arrays.values())))
        run = _Run(self, dict(parameters or {}), count)
        with np.errstate(all="ignore"):
            run.all(self.routine.stages, _Lanes(arrays, np.arange(count), np.zeros((count, 0), dtype=np.intp)))
        return run.solutions()

    def function(self, program: Program) -> CompiledFunction:
        if id(program) not in self._compiled:
            used = {symbol.name for symbol in program.parameter_symbols}
            values = {name: value for name, value in self._values.items() if name in used}
            self._compiled[id(program)] = compile_program(program, values=values)
        return self._compiled[id(program)]

    def uses(self, stages: tuple[Stage, ...]) -> _Uses:
        if id(stages) not in self._uses:
            inside, made = reads(stages), written(stages)
            wanted = {name for name in made if self._reads[name] > inside[name]}
            self._uses[id(stages)] = _Uses(
                frozenset(inside), made, surely_written(stages), taken_over(stages), frozenset(wanted)
            )
        return self._uses[id(stages)]


@dataclass(frozen=True)
class _Uses:
    """What stages read, write, surely write, take over, and write that is read elsewhere too."""

    read: frozenset[str]
    written: frozenset[str]
    surely: frozenset[str]
    taken: frozenset[str]
    wanted: frozenset[str]


@dataclass
class _Lanes:
    """The workspace of some lanes, and the input each belongs to. ``turn`` tells the lanes of one input apart that are
    turns of loops: when each loop began and which turn it is, the outermost first."""

    arrays: dict[str, Any]
    owner: Indices
    turn: Indices

    def some(self, which: Indices, names: frozenset[str]) -> _Lanes:
        if len(which) == len(self.owner):
            return _Lanes({k: a for k, a in self.arrays.items() if k in names}, self.owner, self.turn)
        arrays = {k: a[which] for k, a in self.arrays.items() if k in names}
        return _Lanes(arrays, self.owner[which], self.turn[which])

    def put(self, name: str, values: Any, which: Indices) -> None:
        """Values of some lanes, if all of them have the array."""
        if name not in self.arrays:
            return
        if len(which) < len(self.owner):
            whole = self.arrays[name].copy()
            whole[which] = values
            values = whole
        self.arrays[name] = values


@dataclass
class _Found:
    """Rows that lanes have emitted, with what they may differ by from others, and when."""

    owner: Indices
    when: Indices
    rows: Floats
    same: Floats


class _Run:
    def __init__(self, made: LanesOfRoutine, parameters: Mapping[str, float], count: int) -> None:
        self.made, self.routine, self.parameters = made, made.routine, parameters
        self.kept: list[list[Floats]] = [[] for _ in range(count)]
        self.waiting: list[_Found] = []  # what the turns of a loop have found
        self.clock = 0  # of stages, in the order in which a lane goes through them

    def solutions(self) -> list[Floats]:
        return [np.array(rows).reshape(-1, self.routine.width) for rows in self.kept]

    def all(self, stages: Sequence[Stage], lanes: _Lanes) -> None:
        for stage in stages:
            if len(lanes.owner):
                self.clock += 1
                self.one(stage, lanes)

    def one(self, stage: Stage, lanes: _Lanes) -> None:
        match stage:
            case Run():
                self.run(stage, lanes)
            case Kernel():
                results = _stacked(stage.name)(*(self.get(name, lanes) for name in stage.inputs))
                lanes.arrays.update(zip(stage.outputs, results, strict=True))
            case Emit():
                self.emit(stage, lanes)
            case Each():
                self.each(stage, lanes)
            case When():
                self.part(stage.stages, lanes, np.flatnonzero(self.get(stage.condition, lanes) != 0.0))
            case Newton():
                self.newton(stage, lanes)

    def get(self, name: str, lanes: _Lanes) -> Any:
        if name == COUNT:
            return np.array([float(len(self.kept[i])) for i in lanes.owner])
        return lanes.arrays[name]

    def run(self, stage: Run, lanes: _Lanes) -> None:
        program = stage.program
        used = {symbol.name for symbol in program.parameter_symbols}
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

    def part(self, stages: tuple[Stage, ...], lanes: _Lanes, which: Indices, **given: Any) -> None:
        """The stages on some lanes, with more arrays given; what they make of arrays that are there stays."""
        if not len(which):
            return
        uses = self.made.uses(stages)
        inner = lanes.some(which, uses.read | uses.written)
        inner.arrays |= given
        self.all(stages, inner)
        for name in uses.written | given.keys():
            if name in inner.arrays:
                lanes.put(name, inner.arrays[name], which)

    # --- solutions ---------------------------------------------------------------------------------------------------

    def emit(self, stage: Emit, lanes: _Lanes) -> None:
        """The rows of each lane that are wanted: kept at once, or once the loops are over that lanes are turns of."""
        lane, row = np.nonzero(self.get(stage.where, lanes).reshape(len(lanes.owner), -1) != 0.0)
        values = lanes.arrays[stage.values].reshape(len(lanes.owner), -1, self.routine.width)[lane, row]
        when = np.column_stack([lanes.turn[lane], np.full(len(lane), self.clock), row])
        same = np.broadcast_to(self.routine.tolerances(stage), values.shape)
        self.waiting.append(_Found(lanes.owner[lane], when, values, same))
        if not lanes.turn.shape[1]:
            self.keep_waiting()

    def keep_waiting(self) -> None:
        """What has been found, in the order in which each input alone finds it, but for repetitions."""
        found, self.waiting = self.waiting, []
        if not found:
            return
        longest = max(one.when.shape[1] for one in found)
        when = np.vstack([np.pad(one.when, ((0, 0), (0, longest - one.when.shape[1]))) for one in found])
        owner = np.concatenate([one.owner for one in found])
        order = np.lexsort((*when.T[::-1], owner))
        rows = np.concatenate([one.rows for one in found])[order]
        same = np.concatenate([one.same for one in found])[order]
        owner = owner[order]
        for part in np.split(np.arange(len(owner)), np.flatnonzero(np.diff(owner)) + 1):
            if len(part):
                self.keep(self.kept[owner[part[0]]], rows[part], same[part])

    def keep(self, kept: list[Floats], rows: Floats, same: Floats) -> None:
        for one in kept:
            new = ~self._is_same(rows, one, same)
            rows, same = rows[new], same[new]
        while len(rows) and len(kept) < self.routine.most:
            one, rows, same = rows[0].copy(), rows[1:], same[1:]
            kept.append(one)
            new = ~self._is_same(rows, one, same)
            rows, same = rows[new], same[new]

    def _is_same(self, rows: Floats, one: Floats, same: Floats) -> NDArray[np.bool_]:
        apart = np.abs(rows - one)
        whole = 2 * math.pi
        apart = np.where(self.routine.turns, np.abs(apart - whole * np.floor(apart / whole + 0.5)), apart)
        return np.asarray((apart <= same).all(axis=1))

    # --- loops -------------------------------------------------------------------------------------------------------

    def each(self, stage: Each, lanes: _Lanes) -> None:
        rows = lanes.arrays[stage.array]
        wanted = np.full(rows.shape[:2], True)
        if stage.count is not None:
            wanted = np.arange(1, rows.shape[1] + 1) <= self.get(stage.count, lanes)[:, None]
        if self.hangs_together(stage, lanes):
            for k in range(rows.shape[1]):
                which = np.flatnonzero(wanted[:, k])
                self.part(stage.stages, lanes, which, **{stage.row: rows[which, k]})
            return
        lane, turn = np.nonzero(wanted)
        uses = self.made.uses(stage.stages)
        began = np.full(len(lane), self.clock)
        inner = _Lanes(
            {name: array[lane] for name, array in lanes.arrays.items() if name in uses.read},
            lanes.owner[lane],
            np.column_stack([lanes.turn[lane], began, turn]),
        )
        inner.arrays[stage.row] = rows[lane, turn]
        self.all(stage.stages, inner)
        last = np.flatnonzero(np.diff(lane, append=-1))  # turn of each lane
        for name in lanes.arrays.keys() & (uses.surely | {stage.row}) if len(lane) else ():
            lanes.put(name, inner.arrays[name][last], lane[last])
        if not lanes.turn.shape[1]:
            self.keep_waiting()

    def hangs_together(self, stage: Each, lanes: _Lanes) -> bool:
        """Whether a turn of a loop reads what another has written, or the number of solutions so far, or if not every
        turn writes what is read after the loop."""
        uses = self.made.uses(stage.stages)
        if COUNT in uses.read:
            return True
        carried = (uses.taken & uses.written - {stage.row}) | (uses.wanted - uses.surely)
        return bool(carried & lanes.arrays.keys())

    def newton(self, stage: Newton, lanes: _Lanes) -> None:
        uses = self.made.uses(stage.stages)
        changed = (uses.written | {stage.unknown}) & lanes.arrays.keys()
        made = {name: lanes.arrays[name].copy() for name in changed}
        needed = uses.read | changed | {stage.correction}
        active = np.arange(len(lanes.owner))
        inner = lanes.some(active, needed)
        for k in range(stage.steps):
            self.all(stage.stages, inner)
            correction = inner.arrays[stage.correction]
            size = np.abs(correction.reshape(len(active), -1))
            finite = np.isfinite(size).all(axis=1)
            mask = finite.reshape(-1, *[1] * (correction.ndim - 1))
            inner.arrays[stage.unknown] = inner.arrays[stage.unknown] - np.where(mask, correction, 0.0)
            goes_on = finite & (size.max(axis=1, initial=0.0) > stage.tolerance) & (k + 1 < stage.steps)
            going, ended = np.flatnonzero(goes_on), np.flatnonzero(~goes_on)
            for name in changed:
                made[name][active[ended]] = inner.arrays[name][ended]
            if not len(going):
                break
            active, inner = active[going], inner.some(going, needed)
        lanes.arrays.update(made)


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
