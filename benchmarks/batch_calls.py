"""What a batch call costs beyond its work: the time of a call less that of its states, in every way of calling.

The work of a state is the slope of the time over the number of states, between two batches that fit into the cache; a call of
n states costs its time less n times that. All ways are timed in turns and the best of many runs counts, for others may use the
machine. Several threads cost what starting them costs, and are not asked to be cheap.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import robosym
from robosym.runtime import CompiledFunction

ROBOT, CHANGED = "puma560", "M6"  # the robot, and the parameter that calls give
SIZES = (1, 2, 16, 128, 1000)
SLOPE = (2000, 6000)  # states between which the time of one more is measured
ROUNDS, CALLS = 60, 4000  # calls of one round, divided by the number of states
ASKED = 15.0  # microseconds

Ways = dict[str, Callable[[int], Callable[[], Any]]]


def ways(f: CompiledFunction) -> Ways:
    """For each way of calling: from a number of states to a call of them."""
    draw = np.random.default_rng(0)
    names = [name for name in f.inputs if name != "wrench"]
    width = f.inputs[names[0]][0]

    def batch(n: int) -> dict[str, np.ndarray]:
        return {name: draw.uniform(-3, 3, (n, width)) for name in names}

    def across(n: int) -> dict[str, np.ndarray]:
        return {name: np.asfortranarray(array) for name, array in batch(n).items()}

    def call(given: dict[str, np.ndarray], **options: Any) -> Callable[[], Any]:
        q, qd, qdd = (given[name] for name in names)
        return lambda: f(q=q, qd=qd, qdd=qdd, **options)

    def sets(n: int) -> np.ndarray:
        return draw.uniform(1, 2, n)

    default = np.full(len(f.program.parameter_symbols), 1.5)
    return {
        "f(q=...)": lambda n: call(batch(n)),
        "entries together": lambda n: call(across(n)),
        'layout="soa"': lambda n: call(batch(n), layout="soa"),
        "out=": lambda n: call(batch(n), out=np.empty((n, width))),
        "a wrench for all": lambda n: call(batch(n), wrench=np.ones((1, 6))),
        "parameters by name": lambda n: call(batch(n), parameters={CHANGED: 1.5}),
        "parameters in order": lambda n: call(batch(n), parameters=default),
        "a set for each state, by name": lambda n: call(batch(n), parameters={CHANGED: sets(n)}),
        "a set for each state, in order": lambda n: call(batch(n), parameters=np.tile(default, (n, 1))),
        "float32": lambda n: call({name: array.astype(np.float32) for name, array in batch(n).items()}),
        "two threads": lambda n: call(batch(n), threads=2),
    }


def measured(made: Ways) -> dict[tuple[str, int], float]:
    """The best time of each call of each size, in microseconds."""
    works = {(way, n): make(n) for way, make in made.items() for n in (*SIZES, *SLOPE)}
    for work in works.values():
        work()
    best = dict.fromkeys(works, float("inf"))
    for _ in range(ROUNDS):
        for key, work in works.items():
            turns = max(1, min(100, CALLS // key[1]))
            start = time.perf_counter()
            for _ in range(turns):
                work()
            best[key] = min(best[key], (time.perf_counter() - start) / turns * 1e6)
    return best


def overheads() -> Table:
    f = robosym.models.inverse_dynamics(robosym.load(ROBOT)).compile()
    made = ways(f)
    best = measured(made)
    table = Table(
        "call", *map(str, SIZES), "ns a state", "asked", title=f"us beyond the work: {ROBOT}, inverse dynamics"
    )
    for way in made:
        few, many = (best[way, n] for n in SLOPE)
        state = (many - few) / (SLOPE[1] - SLOPE[0])
        beyond = [best[way, n] - n * state for n in SIZES]
        met = "[green]met" if max(beyond) <= ASKED else "[red]missed"
        asked = "" if way == "two threads" else f"at most {ASKED:g}: {met}"
        table.add_row(way, *(f"{one:.1f}" for one in beyond), f"{state * 1e3:.1f}", asked)
    return table


def main() -> None:
    Console(width=130).print(overheads())


if __name__ == "__main__":
    main()
