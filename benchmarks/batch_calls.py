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
from sizes import sized

import robosym
from robosym.runtime import CompiledFunction

ROBOT, CHANGED = "puma560", "M6"  # the robot, and the parameter that calls give
SIZES = sized((1, 2, 16, 128, 1000), (1, 2, 16))
SLOPE = sized((2000, 6000), (20, 60))  # states between which the time of one more is measured
# Few states of a routine are done one after the other; of more, its programs run in vectors.
ROUTINE_SLOPES = sized({(32, 120): (1, 2, 16, 100), (512, 1536): (128, 500, 1000)}, {(2, 6): (1,), (128, 256): (200,)})
ROUNDS, CALLS = sized((60, 4000), (1, 1))  # calls of one round, divided by the number of states
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


def solver_ways() -> Ways:
    """The same for a routine, inverse geometry."""
    robot = robosym.load(ROBOT)
    f, geometric = robosym.models.inverse_geometric(robot).compile(), robosym.models.transform(robot).compile()
    draw = np.random.default_rng(0)

    def call(n: int) -> Callable[[], Any]:
        poses = geometric(q=draw.uniform(-3, 3, (n, 6)))
        return lambda: f(T=poses)

    return {"f(T=...)": call}


def measured(made: Ways, sizes: tuple[int, ...]) -> dict[tuple[str, int], float]:
    """The best time of each call of each size, in microseconds."""
    works = {(way, n): make(n) for way, make in made.items() for n in sizes}
    for work in works.values():
        work()
        work()  # the first call may compile what the second needs
    best = dict.fromkeys(works, float("inf"))
    for _ in range(ROUNDS):
        for key, work in works.items():
            turns = max(1, min(100, CALLS // key[1]))
            start = time.perf_counter()
            for _ in range(turns):
                work()
            best[key] = min(best[key], (time.perf_counter() - start) / turns * 1e6)
    return best


def overheads(title: str, made: Ways, parts: dict[tuple[int, int], tuple[int, ...]]) -> Table:
    """``parts``: between which sizes the slope is taken, and for which sizes it holds."""
    sizes = [n for own in parts.values() for n in own]
    best = measured(made, (*sizes, *(n for pair in parts for n in pair)))
    table = Table("call", *map(str, sizes), "ns a state", "asked", title=f"us beyond the work: {ROBOT}, {title}")
    for way in made:
        beyond, slopes = [], []
        for (small, large), own in parts.items():
            slopes.append((best[way, large] - best[way, small]) / (large - small))
            beyond += [best[way, n] - n * slopes[-1] for n in own]
        met = "[green]met" if max(beyond) <= ASKED else "[red]missed"
        asked = "" if way == "two threads" else f"at most {ASKED:g}: {met}"
        table.add_row(way, *(f"{one:.1f}" for one in beyond), ", ".join(f"{s * 1e3:.0f}" for s in slopes), asked)
    return table


def main() -> None:
    console = Console(width=130)
    f = robosym.models.inverse_dynamics(robosym.load(ROBOT)).compile()
    console.print(overheads("inverse dynamics", ways(f), {SLOPE: SIZES}))
    console.print(overheads("inverse geometry (a routine)", solver_ways(), ROUTINE_SLOPES))


if __name__ == "__main__":
    main()
