"""Very large sweeps: a batch in parts, one after another in this process or by the workers of a Dask cluster.

A worker makes the kernel once and works on a part with all of its threads; what goes out are robot, law and reference, what comes
back are the arrays of its runs. The parts know the whole of which they are (instants, numbers of the runs for their noise), so that
the result is that of ``simulate``.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from threading import Lock
from typing import Any

import numpy as np

from ..control.law import Law
from ..errors import RobosymError
from ..options.markers import Count
from ..options.validate import checked, validated
from ..reals import Floats
from ..robot import Robot
from ..robot.joint_entries import speed_names
from .batches import Batch, batch_of
from .grids import grid_of, lasting
from .options import Integration, Sensing
from .plant import SimulationError
from .result import Runs
from .simulator import known_plant, simulate

HERE = 4096  # runs of a part in this process
PARTS = 4  # for each worker of a cluster: the quick ones take more
Given = dict[str, Any]  # keyword arguments of ``simulate``


@validated
def sweep(
    robot: Robot,
    law: Law | None = None,
    reference: Any = None,
    *,
    batch: Mapping[str, Any],
    client: Any = None,
    parts: Count | None = None,
    progress: Callable[[float], None] | None = None,
    **options: Any,
) -> Runs:
    """Simulate a very large batch in parts: one after another, or by the workers of a cluster.

    The result is that of ``simulate(robot, law, reference, batch=batch, **options)``.

    Parameters
    ----------
    robot
        Robot to simulate.
    law
        Control law. None: no control.
    reference
        Reference that the control law follows.
    batch
        Values that differ between the runs, as of ``simulate``.
    client
        Client of a Dask cluster, a ``distributed.Client``. None: this process.
    parts
        Number of parts. None: parts of 4096 runs, or four for each worker of a cluster.
    progress
        Function that is called with the completed part, from 0 to 1.
    **options
        Further options of ``simulate``. A worker of a cluster uses as many threads as it has, or ``threads``.

    Returns
    -------
    Runs
        All runs together.

    Raises
    ------
    SimulationError
        If the batch is empty, or an option does not fit the robot.
    """
    options = checked(simulate, (robot, law, reference), options)
    many = batch_of(batch, robot, law)
    if many.size is None:
        raise SimulationError("batch: expected what differs by name, such as {'bandwidth': [10, 20, 30]}")
    if client is not None and not hasattr(client, "submit"):
        raise SimulationError(f"client: got {client!r:.60}, expected a distributed.Client")
    chosen = {**options, **_of_the_whole(robot, law, reference, many, options)}
    rows = list(_rows(many.size, _count(parts, many.size, client)))
    given = [{**chosen, **_of_a_part(batch, one, options)} for one in rows]
    whole = _Whole(robot, many)
    told = progress or (lambda share: None)
    if client is None:
        for k, (one, words) in enumerate(zip(rows, given, strict=True)):

            def share(x: float, k: int = k) -> None:
                told((k + x) / len(rows))

            whole.put(one, _packed(simulate(robot, law, reference, progress=share, **words), many))
        return whole.runs()
    made = _on_workers(client, pickled(robot, law, reference), given)
    for done, (k, found) in enumerate(made, 1):
        whole.put(rows[k], found)
        told(done / len(rows))
    return whole.runs()


# --- parts -------------------------------------------------------------------------------------------------------------


def _of_the_whole(robot: Robot, law: Law | None, reference: Any, many: Batch, options: Given) -> Given:
    """What all runs together decide: how long they last and which instants are recorded."""
    closing = {key: options[key] for key in ("mode", "near") if options.get(key) is not None}
    plant = known_plant(robot, options.get("friction", "stick"), **closing)
    step = options.get("integration", Integration()).step
    moves = many.references if many.references is not None else [reference]
    duration = lasting(options.get("duration"), moves)
    every = options.get("every")
    assert many.size is not None
    return {
        "duration": duration,
        "every": grid_of(duration, step, law, many.size, every, plant).every,
    }


def _count(parts: int | None, size: int, client: Any) -> int:
    if parts is None:
        found = -(-size // HERE) if client is None else PARTS * max(1, len(client.nthreads()))
        return min(size, found)
    return min(size, parts)


def _rows(size: int, count: int) -> Iterator[slice]:
    return (slice(a, b) for a, b in pairwise(size * k // count for k in range(count + 1)))


def _of_a_part(batch: Mapping[str, Any], rows: slice, options: Given) -> Given:
    """The part of the batch; runs without seeds of their own have theirs by their number in the whole."""
    cut = {name: list(value)[rows] if name == "reference" else np.asarray(value)[rows] for name, value in batch.items()}
    sensing = options.get("sensing", Sensing())
    first = 0 if "seed" in batch else rows.start
    return {"batch": cut, "sensing": replace(sensing, seed=sensing.seed + first)}


# --- workers -----------------------------------------------------------------------------------------------------------


def _on_workers(client: Any, sent: bytes, given: list[Given]) -> Iterator[tuple[int, Given]]:
    """The parts as they come, each with its number; one that fails ends them all."""
    try:
        import distributed
    except ImportError as error:
        raise RobosymError("clusters need dask and distributed: pip install robosym[cluster]") from error
    completed: Any = distributed.as_completed
    whole = client.scatter(sent, broadcast=True, hash=False)
    futures = [client.submit(simulated_part, whole, words, pure=False) for words in given]
    numbers = {future.key: k for k, future in enumerate(futures)}
    try:
        for future in completed(futures):
            yield numbers[future.key], future.result()
            future.release()
    finally:
        client.cancel(futures)


def pickled(robot: Robot, law: Law | None, reference: Any) -> bytes:
    """Laws and references hold functions, which only cloudpickle (that comes with Dask) can send."""
    try:
        import cloudpickle
    except ImportError as error:
        raise RobosymError("clusters need dask and distributed: pip install robosym[cluster]") from error
    found: bytes = cloudpickle.dumps((robot, law, reference))
    return found


_ONE_PART_AT_A_TIME = Lock()  # in a process: a part has all its threads


def simulated_part(sent: bytes, given: Given) -> Given:
    """What a worker does."""
    with _ONE_PART_AT_A_TIME:
        robot, law, reference = _unpickled(sent)
        found = simulate(robot, law, reference, **{"threads": _threads(), **given})
        return _packed(found, batch_of(given["batch"], robot, law))


@lru_cache(maxsize=2)
def _unpickled(sent: bytes) -> tuple[Robot, Law | None, Any]:
    found: tuple[Robot, Law | None, Any] = pickle.loads(sent)
    return found


def _threads() -> int:
    import distributed

    worker: Any = distributed.get_worker
    return int(worker().state.nthreads)


# --- together ----------------------------------------------------------------------------------------------------------


OWN = ("q", "qd", "tau", "failed")  # arrays with a row for each run
GROUPS = ("reference", "more", "counted")  # and mappings of such arrays


def _packed(runs: Any, many: Batch) -> Given:
    """A part as plain arrays; a reference that all runs share once."""
    found: Given = {"own": {name: getattr(runs, name) for name in OWN}}
    found |= {group: dict(getattr(runs, group)) for group in GROUPS}
    if many.references is None:
        found["reference"] = {name: x[0] for name, x in runs.reference.items()}
    return found | {name: getattr(runs, name) for name in ("time", "reasons", "settings", "notes")}


@dataclass
class _Whole:
    """The arrays of all runs, filled part by part in any order."""

    robot: Robot
    many: Batch
    arrays: dict[str, dict[str, Floats]] = field(default_factory=lambda: {group: {} for group in ("own", *GROUPS)})
    reasons: dict[int, tuple[str, ...]] = field(default_factory=dict)  # by the first run of a part, as what follows
    notes: dict[int, tuple[str, ...]] = field(default_factory=dict)
    settings: dict[int, Given] = field(default_factory=dict)
    time: Floats = field(default_factory=lambda: np.empty(0))

    def put(self, rows: slice, part: Given) -> None:
        assert self.many.size is not None
        for group, whole in self.arrays.items():
            if group == "reference" and self.many.references is None:
                whole.update(part[group])
                continue
            for name, values in part[group].items():
                whole.setdefault(name, np.full((self.many.size, *values.shape[1:]), np.nan))[rows] = values
        first = rows.start
        self.reasons[first], self.notes[first], self.settings[first] = part["reasons"], part["notes"], part["settings"]
        self.time = part["time"]

    def runs(self) -> Runs:
        own: dict[str, Any] = self.arrays.pop("own")
        groups: dict[str, Any] = self.arrays
        return Runs(
            robot=self.robot,
            joints=speed_names(self.robot),
            time=self.time,
            settings=self.settings[0],
            notes=tuple(dict.fromkeys(note for _, notes in sorted(self.notes.items()) for note in notes)),
            reasons=tuple(reason for _, reasons in sorted(self.reasons.items()) for reason in reasons),
            varied=self.many.varied,
            **own,
            **groups,
        )
