"""The runs: the kernel is called for some ticks of some rollouts at a time, and what it records is put together.

A call takes at most ``chunk`` ticks, whose samples stay in the cache; rollouts are taken in groups, so that noise and references of
their own need not lie in memory for all of them. Where parameters change on the way a call ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from ..reals import Floats
from ..robot.joint_entries import speed_entries, speed_names
from .batches import Batch
from .changing import node_times, nodes_of
from .grids import Grid
from .kernel import MEASURES, KernelCode
from .references import Sampler
from .result import Run, Runs

GROUP_BYTES = 2**27  # of samples and records of one call
CAME_APART = "the closed loops came apart: no position of the driven joints assembles them any more"


@dataclass(frozen=True)
class Inputs:
    """What a simulation is given, for each run or for all."""

    state: Mapping[str, Floats]  # of the plant at the start: (size,) or (B, size)
    samplers: list[Sampler]  # of the reference: one, or one for each run
    torque: Callable[[Floats], Floats] | None
    disturbance: Callable[[Floats], Floats] | None
    wrench: Callable[[Floats], Floats] | None
    noise: Mapping[str, Floats]  # standard deviations
    seeds: list[int]
    changes: list[tuple[int, dict[str, float]]]
    parameters: Mapping[str, Any]  # of the robot that are not numbers in the code: a number, or (B,)
    gains: Mapping[str, Any]


@dataclass
class Records:
    """Arrays of all runs, filled as they go on; those of one run have a first axis of one."""

    arrays: dict[str, Floats] = field(default_factory=dict)
    final: dict[str, Floats] = field(default_factory=dict)  # states and counters at the end

    def put(self, name: str, rows: slice, places: slice, values: Floats, shape: tuple[int, int]) -> None:
        if name not in self.arrays:
            self.arrays[name] = np.full((*shape, *values.shape[2:]), np.nan)
        self.arrays[name][rows, places] = values


def executed(
    kernel: KernelCode,
    grid: Grid,
    inputs: Inputs,
    many: Batch,
    threads: int,
    settings: dict[str, Any],
    notes: tuple[str, ...],
    progress: Callable[[float], None] | None,
) -> Run | Runs:
    size = many.size or 1
    records = Records()
    groups = list(_groups(kernel, inputs, size))
    for g, rows in enumerate(groups):
        _one_group(kernel, grid, inputs, rows, many, threads, records, _part(progress, g, len(groups)))
    return _result(kernel, grid, inputs, many, records, settings, notes)


def _part(progress: Callable[[float], None] | None, g: int, count: int) -> Callable[[float], None]:
    return (lambda share: None) if progress is None else (lambda share: progress((g + share) / count))


def _groups(kernel: KernelCode, inputs: Inputs, size: int) -> Iterator[slice]:
    """Rollouts that are taken together: as many as memory allows, evenly."""
    own = {slot.name: slot.size for slot in kernel.routine.inputs if slot.name.endswith("_samples")}
    shared = (
        {f"{name}_samples" for name in kernel.samples if not name.startswith("noise_")}
        if len(inputs.samplers) <= 1
        else set()
    )
    bytes_each = 8 * (
        sum(n for name, n in own.items() if name not in shared) + sum(slot.size for slot in kernel.routine.outputs)
    )
    most = max(64, GROUP_BYTES // max(1, bytes_each))
    count = -(-size // most)
    edges = [size * i // count for i in range(count + 1)]
    return (slice(a, b) for a, b in pairwise(edges))


def _one_group(
    kernel: KernelCode,
    grid: Grid,
    inputs: Inputs,
    rows: slice,
    many: Batch,
    threads: int,
    records: Records,
    progress: Callable[[float], None],
) -> None:
    batched, size = many.size is not None, many.size or 1
    state = _first_state(kernel, inputs, rows, batched)
    draws = [_Noise(inputs.noise, seed) for seed in inputs.seeds[rows]] if inputs.noise else []
    call = _Batched(kernel, threads) if batched else _Single(kernel)
    shape = (size, len(grid.recorded))
    for first, last, changed in _calls(kernel, grid, inputs.changes):
        given = _samples(kernel, grid, inputs, rows, batched, first, last, draws)
        given |= {
            "h": np.array(grid.step),
            "ticks": np.array(float(max(last - first, 1))),
            "substeps": np.array(float(grid.substeps if last > first else 0)),
        }
        made = call({**state, **given}, _parameters(inputs, rows, changed))
        state = {name: made[name] for name in state}
        places, kept = _kept(grid, first, last)
        for output in kernel.records.values():
            values = (
                made[output] if batched and made[output].ndim == len(_shape(kernel, output)) + 1 else made[output][None]
            )
            if places is not None:
                records.put(output.removeprefix("recorded_"), rows, places, values[:, kept], shape)
        progress(last / grid.ticks)
    for name in ("failed", "lasted", "bad", *MEASURES):
        if name in state:
            values = state[name] if batched else state[name][None]
            records.final.setdefault(name, np.zeros((size, *values.shape[1:])))[rows] = values


class _Batched:
    """Calls of the kernel for many rollouts."""

    def __init__(self, kernel: KernelCode, threads: int) -> None:
        self.function, self.threads = kernel.function, threads

    def __call__(self, inputs: dict[str, Floats], parameters: dict[str, Any]) -> dict[str, Floats]:
        found: dict[str, Floats] = self.function(**inputs, parameters=parameters or None, threads=self.threads)
        return found


class _Single:
    """Calls for one rollout, on arrays that stay where they are: nothing is looked at again at each call."""

    def __init__(self, kernel: KernelCode) -> None:
        self.function = kernel.function
        self.inputs = {slot.name: np.zeros(slot.shape) for slot in kernel.routine.inputs}
        self.parameters: dict[str, Any] | None = None
        self.bound: Callable[[], Any] = lambda: None

    def __call__(self, inputs: dict[str, Floats], parameters: dict[str, Any]) -> dict[str, Floats]:
        for name, place in self.inputs.items():
            place[...] = inputs[name]
        if self.parameters != parameters:
            self.parameters = parameters
            self.bound = self.function.bind(parameters=parameters or None, **self.inputs)
        found: dict[str, Floats] = self.bound()
        return found


def _shape(kernel: KernelCode, name: str) -> tuple[int, ...]:
    return next(slot.shape for slot in kernel.routine.outputs if slot.name == name)


def _first_state(kernel: KernelCode, inputs: Inputs, rows: slice, batched: bool) -> dict[str, Floats]:
    """All state of the kernel; that of the plant as given, the rest zero. Of a batch every array has its axis."""
    count = rows.stop - rows.start
    found = {}
    for slot in kernel.routine.state:
        given = inputs.state.get(slot.name, np.zeros(slot.shape))
        if batched:
            given = given[rows] if given.ndim > len(slot.shape) else np.broadcast_to(given, (count, *slot.shape))
        found[slot.name] = np.array(given, dtype=float, order="C")
    return found


# --- calls of the kernel -----------------------------------------------------------------------------------------------


def _calls(
    kernel: KernelCode, grid: Grid, changes: list[tuple[int, dict[str, float]]]
) -> Iterator[tuple[int, int, dict[str, float]]]:
    """The ticks of each call, and the parameters that have changed by then; the last call only records where all ends.

    A call begins where records do, or ends before the next of them.
    """
    every, chunk = grid.every, kernel.chunk
    changed: dict[str, float] = {}
    waiting = list(changes)
    first = 0
    while first < grid.ticks:
        while waiting and waiting[0][0] <= first:
            changed = {**changed, **waiting.pop(0)[1]}
        last = min(grid.ticks, first + chunk)
        if first % every or every > chunk:
            last = min(last, (first // every + 1) * every)
        if waiting:
            last = min(last, waiting[0][0])
        yield first, last, changed
        first = last
    yield grid.ticks, grid.ticks, changed


def _kept(grid: Grid, first: int, last: int) -> tuple[slice | None, slice]:
    """Where the records of a call go, if anywhere, and which of its rows they are."""
    if first == last:
        return slice(len(grid.recorded) - 1, len(grid.recorded)), slice(0, 1)
    if first % grid.every:
        return None, slice(0, 0)
    count = -(-(last - first) // grid.every)
    return slice(first // grid.every, first // grid.every + count), slice(0, count)


class _Noise:
    """The noise of one run: the same numbers however the ticks are cut into calls."""

    def __init__(self, deviations: Mapping[str, Floats], seed: int) -> None:
        self.deviations = deviations
        self.streams = {
            name: np.random.default_rng([seed, k]) for k, name in enumerate(("q", "qd")) if name in deviations
        }

    def __call__(self, name: str, count: int) -> Floats:
        own = self.deviations[name]
        return self.streams[name].normal(size=(count, len(own))) * own


def _samples(
    kernel: KernelCode,
    grid: Grid,
    inputs: Inputs,
    rows: slice,
    batched: bool,
    first: int,
    last: int,
    draws: list[_Noise],
) -> dict[str, Floats]:
    """What is sampled at the ticks of a call, filled up to the length of its arrays."""
    count = max(last - first, 1)
    t = grid.times(first, first + count)
    found: dict[str, Floats] = {}
    own = inputs.samplers[rows] if len(inputs.samplers) > 1 else inputs.samplers
    references = [sampler(t) for sampler in own]
    for name in kernel.samples:
        if name.startswith("noise_"):
            drawn = [draw(name.removeprefix("noise_"), count) for draw in draws]
            values = np.array(drawn) if batched else drawn[0]
        elif references and name in references[0]:
            values = np.array([one[name] for one in references]) if len(references) > 1 else references[0][name]
        else:
            function = {"command": inputs.torque, "disturbance": inputs.disturbance, "wrench": inputs.wrench}[name]
            assert function is not None
            values = function(t)
            if name in kernel.setup.changing:
                nodes = _nodes(name, function, kernel, grid, first, last)
                found[nodes_of(name)] = _filled(nodes, nodes_of(name), kernel)
        found[f"{name}_samples"] = _filled(values, f"{name}_samples", kernel)
    return found


def _nodes(
    name: str, function: Callable[[Floats], Floats], kernel: KernelCode, grid: Grid, first: int, last: int
) -> Floats:
    """Samples of a function of time within the steps of a call; commands arrive after the delay, and nothing before."""
    setup = kernel.setup
    times = node_times(grid.times(first, last), grid.step, grid.substeps, setup.integrator)
    moments = times.ravel() - (setup.delay * grid.period if name == "command" else 0.0)
    there = moments >= 0
    values = function(moments[there])
    found = np.zeros((times.size, *values.shape[1:]))
    found[there] = values
    return found.reshape(*times.shape, *values.shape[1:])


def _filled(values: Floats, name: str, kernel: KernelCode) -> Floats:
    """With as many rows as the kernel takes; those beyond are not read."""
    shape = next(slot.shape for slot in kernel.routine.inputs if slot.name == name)
    axis = values.ndim - len(shape)
    if values.shape[axis] == shape[0]:
        return np.ascontiguousarray(values)
    found = np.zeros((*values.shape[:axis], *shape))
    found[(slice(None),) * axis + (slice(0, values.shape[axis]),)] = values
    return found


def _parameters(inputs: Inputs, rows: slice, changed: Mapping[str, float]) -> dict[str, Any]:
    whole = {**inputs.parameters, **changed, **inputs.gains}
    return {name: x[rows] if np.ndim(x) else x for name, x in whole.items()}


# --- what came of it ---------------------------------------------------------------------------------------------------


def _result(
    kernel: KernelCode,
    grid: Grid,
    inputs: Inputs,
    many: Batch,
    records: Records,
    settings: dict[str, Any],
    notes: tuple[str, ...],
) -> Run | Runs:
    robot = kernel.setup.plant.robot
    time = grid.recorded * grid.period
    arrays = dict(records.arrays)
    failed, lasted = records.final["failed"], records.final["lasted"]
    for k in np.flatnonzero(failed):
        for values in arrays.values():
            values[k, grid.recorded > lasted[k]] = np.nan
    reasons = tuple(_reason(kernel, grid, records, k) if failed[k] else "" for k in range(len(failed)))
    when = np.where(failed != 0, lasted * grid.period, np.nan)
    references = {}
    if inputs.samplers:
        each = [sampler(time) for sampler in inputs.samplers]
        references = {
            name: np.array([one[name] for one in each]) if len(each) > 1 else np.array(each[0][name])
            for name in each[0]
        }
    own: dict[str, Any] = {name: arrays.pop(name) for name in ("q", "qd", "tau")}
    counted = _counted(grid, records)
    if grid.every > 1:
        all_the_same = f"; {', '.join(counted)} count all of them" if counted else ""
        notes = (*notes, f"one in {grid.every} instants is recorded{all_the_same}")
    more = {name.removeprefix("law_"): x for name, x in arrays.items()}
    shared: dict[str, Any] = {
        "robot": robot,
        "joints": speed_names(robot),
        "time": time,
        "settings": settings,
        "notes": notes,
    }
    if many.size is None:
        lost = None if np.isnan(when[0]) else float(when[0])
        single = {name: x[0] for name, x in own.items()}
        return Run(
            **shared,
            **single,
            reference=references,
            more={k: x[0] for k, x in more.items()},
            counted={name: x[0] for name, x in counted.items()},
            failed=lost,
            reason=reasons[0],
        )
    return Runs(
        **shared,
        **own,
        reference=references,
        more=more,
        counted=counted,
        failed=when,
        reasons=reasons,
        varied=many.varied,
    )


def _counted(grid: Grid, records: Records) -> dict[str, Floats]:
    """The measures that the kernel counted at every tick and at the end, (B, n); nan of runs that were lost."""
    final = records.final
    if not final.keys() >= {*MEASURES}:
        return {}
    found = {
        "rms error": np.sqrt(final["squared_error"] / (grid.ticks + 1)),
        "largest error": final["largest_error"],
        "peak torque": final["largest_torque"],
    }
    return {name: np.where(final["failed"][:, None] != 0, np.nan, x) for name, x in found.items()}


def _reason(kernel: KernelCode, grid: Grid, records: Records, k: int) -> str:
    robot = kernel.setup.plant.robot
    bad = records.final["bad"][k]
    entries = speed_entries(robot)
    base = robot.nv - len(entries)
    names = [entries[i - base].name for i in np.flatnonzero(bad) if i >= base]
    moment = records.final["lasted"][k] * grid.period
    if not names and not bad.any():
        return f"after {moment:.6g} s {CAME_APART}"
    if base and not names:
        names = ["the free base"]
    whose = names[0] if len(names) == 1 else f"{', '.join(names[:3])}{' and others' if len(names) > 3 else ''}"
    return (
        f"after {moment:.6g} s the position or speed of {whose} is no number any more: the loop is unstable, or the step of "
        f"{grid.step:g} s is too large"
    )
