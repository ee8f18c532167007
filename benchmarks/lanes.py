"""How fast a batch of simulations is: a closed loop of a PUMA at 1 kHz, written by hand as a routine.

Each tick takes a row of a reference that all rollouts share, computes the torques that would follow it (inverse dynamics at
the wanted acceleration, with errors fed back), integrates the forward dynamics by one step of Runge and Kutta, and records
the positions. It runs one rollout after the other, in the lanes of vector registers, and so in two threads; last, with
parameters of its own for each rollout. All must agree. The first table shows what vectors give the programs alone: scalar code
at states that hang on one another, as in a loop, at states that do not, and batches.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from sizes import sized
from timing import best_of

import robosym
from robosym import models
from robosym.program.of_arrays import program_of, run_over
from robosym.program.program import Program
from robosym.program.routine import Copy, Fill, Record, Repeat, Routine, Run, Slot, Stage, Take
from robosym.runtime import CompiledFunction, compile_program
from robosym.runtime.host import host
from robosym.runtime.routine_code import RoutineCode

ROBOT, CHANGED = sized(("puma560", "M6"), ("planar-2r", "M2"))  # and the parameter of which each rollout has its own
TICKS, EVERY, SAMPLES = sized((256, 4, 64), (8, 4, 2))
ROLLOUTS = sized((64, 250, 1000), (20,))
STATES = sized(2048, 40)
BEST_OF = 7
H = 0.001  # s


def closed_loop(n: int, inverse: Program, forward: Program) -> Routine:
    """Computed torque control with a reference (q, qd, qdd) in rows, RK4."""
    vector = (n,)
    law = program_of(
        "law",
        {"reference": (3 * n,), "q": vector, "qd": vector},
        lambda reference, q, qd: {
            "wanted": reference[2 * n :] + 400.0 * (reference[:n] - q) + 40.0 * (reference[n : 2 * n] - qd)
        },
    )
    half, whole = (
        program_of(
            name,
            {"q": vector, "qd": vector, "v": vector, "a": vector},
            lambda q, qd, v, a, h=h: {"q_then": q + h * v, "v_then": qd + h * a},
        )
        for name, h in (("half", H / 2), ("whole", H))
    )
    slopes = {f"{kind}{i}": vector for kind in "va" for i in range(4)}
    step = program_of(
        "step",
        {"q": vector, "qd": vector, **slopes},
        lambda q, qd, **k: {
            "q_now": q + H / 6 * (k["v0"] + 2 * k["v1"] + 2 * k["v2"] + k["v3"]),
            "qd_now": qd + H / 6 * (k["a0"] + 2 * k["a1"] + 2 * k["a2"] + k["a3"]),
        },
    )

    def slope(i: int) -> Run:
        place = "q" if i == 0 else "q_then"
        return Run(forward, {"q": place, "qd": f"v{i}", "qdd": f"a{i}"})

    def ahead(program: Program, i: int) -> Run:
        return Run(program, {"v": f"v{i - 1}", "a": f"a{i - 1}", "v_then": f"v{i}"})

    others = {array.name: array.shape for array in (*inverse.inputs, *forward.inputs)}
    rest = [Fill(name, shape) for name, shape in others.items() if name not in ("q", "qd", "qdd", "tau")]
    tick: tuple[Stage, ...] = (
        Take("references", "turn", "reference", EVERY),
        Run(law),
        Run(inverse, {"qdd": "wanted"}),
        Copy("qd", "v0"),
        slope(0),
        ahead(half, 1),
        slope(1),
        ahead(half, 2),
        slope(2),
        ahead(whole, 3),
        slope(3),
        run_over(step),
        Record("q", "path", "turn", EVERY),
    )
    state = tuple(Slot(name, vector) for name in ("q", "qd"))
    path = Slot("path", (SAMPLES, n))
    stages = (*rest, Fill("path", path.shape), Repeat(TICKS, tick, "turn"))
    return Routine("closed_loop", (*state, Slot("references", (SAMPLES, 3 * n))), (*state, path), stages)


def references(n: int) -> np.ndarray:
    """Slow sines."""
    t = EVERY * H * np.arange(SAMPLES)[:, None]
    w, size = 2.0 + np.arange(n), 0.3
    return np.hstack([size * np.sin(w * t), size * w * np.cos(w * t), -size * w**2 * np.sin(w * t)])


def programs(console: Console) -> None:
    table = Table(title=f"{ROBOT}: programs alone, ns a state, {host().lanes} lanes")
    for column in ("program", "scalar, one by one", "scalar, in a row", "batch", "ratios"):
        table.add_column(column, justify="left" if column == "program" else "right")
    robot = robosym.load(ROBOT)
    for name in ("inverse_dynamics", "forward_dynamics"):
        model = getattr(models, name)(robot)
        f = model.compile()
        draw = np.random.default_rng(0)
        given = {key: draw.uniform(-1, 1, (STATES, *shape)) for key, shape in f.inputs.items() if key != "wrench"}
        single = f.bind(**{key: array[0].copy() for key, array in given.items()})
        code = f._convention.code
        rows = [(given.get(a.array.name, np.zeros(a.array.shape)), a.array.name in given) for a in code.facts.inputs]
        rows += [(np.empty((STATES, *a.array.shape)), True) for a in code.facts.outputs]
        f(**given)
        work: list[Callable[[], Any]] = [
            lambda single=single: [single() for _ in range(STATES)],
            lambda code=code, rows=rows: code._loop(STATES, rows),
            lambda f=f, given=given: f(**given),
        ]
        times = [1e9 * best_of(4 * BEST_OF, one)[0] / STATES for one in work]
        ratios = f"{times[0] / times[2]:.1f}, {times[1] / times[2]:.1f}"
        table.add_row(name, *(f"{time:.0f}" for time in times), ratios)
    console.print(table)


def one_by_one(f: CompiledFunction, given: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The code of one state in a loop, as batches ran before there were lanes."""
    code = f._convention.code
    assert isinstance(code, RoutineCode)
    batch = len(given["q"])
    arrays = [(given[one.array.name], one.array.name != "references") for one in code.facts.inputs]
    results = [np.empty((batch, *one.array.shape)) for one in code.facts.outputs]
    chosen = f._convention.chosen(None)[1]
    code._state_by_state(arrays, chosen, results, 0, batch)
    return {one.array.name: array for one, array in zip(code.facts.outputs, results, strict=True)}


def rollouts(console: Console) -> None:
    robot = robosym.load(ROBOT)
    inverse, forward = models.inverse_dynamics(robot), models.forward_dynamics(robot)
    n = len(robot.joint_names)
    routine = closed_loop(n, inverse.program, forward.program)
    compiling, f = best_of(1, lambda: compile_program(routine, values=inverse.values | forward.values))
    table = Table(title=f"{ROBOT}: closed loop at 1 kHz with RK4, ns a rollout and tick")
    for column in ("rollouts", "one by one", "in lanes", "ratio", "2 threads", "ratio", "own parameters"):
        table.add_column(column, justify="right")
    draw = np.random.default_rng(1)
    for batch in ROLLOUTS:
        given = {name: draw.uniform(-0.3, 0.3, (batch, n)) for name in ("q", "qd")} | {"references": references(n)}
        own = {CHANGED: draw.uniform(0.9, 1.1, batch) * (inverse.values | forward.values)[CHANGED]}
        first = best_of(1, lambda: f(**given))[0]  # noqa: B023
        ways: list[Callable[[], Any]] = [
            lambda: one_by_one(f, given),  # noqa: B023
            lambda: f(**given),  # noqa: B023
            lambda: f(**given, threads=2),  # noqa: B023
            lambda: f(**given, parameters=own),  # noqa: B023
        ]
        found = [best_of(BEST_OF, way) for way in ways]
        for name, expected in found[0][1].items():
            for _, other in found[1:3]:
                if not np.allclose(other[name], expected, rtol=1e-12, atol=1e-12):
                    sys.exit(f"'{name}' in lanes differs from that of one rollout after the other")
        scalar, lanes, threads, sets = (1e9 * seconds / batch / TICKS for seconds, _ in found)
        ratios = f"{scalar / lanes:.2f}", f"{scalar / threads:.2f}"
        table.add_row(
            str(batch), f"{scalar:.0f}", f"{lanes:.0f}", ratios[0], f"{threads:.0f}", ratios[1], f"{sets:.0f}"
        )
        if batch == ROLLOUTS[0]:
            console.print(f"seconds to compile: one state {compiling:.2f}, lanes with the first batch {first:.2f}")
    console.print(table)


if __name__ == "__main__":
    os.environ["ROBOSYM_CACHE"] = "off"
    programs(Console())
    rollouts(Console())
