"""How fast a loop around a small program is: a million turns as a compiled routine, and the same loop written in C by hand.

Both run in this process, in turns; the best time of each counts, and their results must agree. The last column is what we ask
of ourselves. What compiling takes is printed too: of these routines, and of one that goes around a robot's model.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from sizes import sized
from timing import best_of

import robosym
from robosym import models
from robosym.expr import Expr, expr, maximum, minimum, sin, variable
from robosym.program import Array, Program
from robosym.program.routine import Fill, Record, Repeat, Routine, Run, Slot
from robosym.runtime import compile_program

TURNS = sized(1_000_000, 10_000)
ASKED = 1.2  # times the C loop
LONGEST_COMPILATION = 0.3  # seconds, six joints
BEST_OF = sized(15, 1)
COMPILATIONS = sized(5, 1)
ROBOT = sized("puma560", "planar-2r")

SOURCE = """
#include <math.h>

static inline double limited(double x, double most) { return x > most ? most : x < -most ? -most : x; }

/* A spring with damping that grows with the speed, explicit Euler. */
void spring(const double *n, const double *s, double *next)
{
    double x = s[0], v = s[1];
    for (long i = 0; i < (long)n[0]; i++) {
        const double a = -4.0 * x - 0.3 * v * (1.0 + v * v);
        x += 1e-3 * v;
        v += 1e-3 * a;
    }
    next[0] = x;
    next[1] = v;
}

/* A damped pendulum, semi-implicit Euler. */
void pendulum(const double *n, const double *s, double *next)
{
    double q = s[0], v = s[1];
    for (long i = 0; i < (long)n[0]; i++) {
        v += 1e-3 * (-9.81 * sin(q) - 0.001 * v);
        q += 1e-3 * v;
    }
    next[0] = q;
    next[1] = v;
}

/* Two joints, each with a PID controller that has an integral with limits; every thousandth state is recorded. */
void control(const double *n, const double *s, double *next, double *log)
{
    double q[2] = {s[0], s[1]}, v[2] = {s[2], s[3]}, e[2] = {s[4], s[5]};
    const double goal[2] = {0.5, -0.3};
    for (long i = 0; i < (long)n[0]; i++) {
        for (int j = 0; j < 2; j++) {
            const double miss = goal[j] - q[j];
            e[j] = limited(e[j] + 1e-3 * miss, 0.2);
            const double tau = 40.0 * miss + 10.0 * e[j] - 8.0 * v[j];
            const double load = limited(tau, 5.0) - 0.4 * v[1 - j];
            v[j] += 1e-3 * load;
            q[j] += 1e-3 * v[j];
        }
        if (i % 1000 == 0 && i / 1000 < 1000) {
            double *row = log + 6 * (i / 1000);
            row[0] = q[0]; row[1] = q[1]; row[2] = v[0]; row[3] = v[1]; row[4] = e[0]; row[5] = e[1];
        }
    }
    next[0] = q[0]; next[1] = q[1]; next[2] = v[0]; next[3] = v[1]; next[4] = e[0]; next[5] = e[1];
}
"""


@dataclass(frozen=True)
class Loop:
    """``function`` is its name in C."""

    function: str
    routine: Routine
    state: tuple[float, ...]


def step(name: str, size: int, next_state: Callable[[Sequence[Expr]], Sequence[Any]]) -> Program:
    """The program of one turn, on a state ``s``."""
    s = tuple(variable(f"s{i}") for i in range(size))
    made = tuple(expr(entry) for entry in next_state(s))
    return Program(name, (Array("s", (size,), s),), (), (), (), (Array("next", (size,), made),))


def spring(s: Sequence[Expr]) -> Sequence[Any]:
    x, v = s
    return x + 1e-3 * v, v + 1e-3 * (-4.0 * x - 0.3 * v * (1 + v * v))


def pendulum(s: Sequence[Expr]) -> Sequence[Any]:
    q, v = s
    v = v + 1e-3 * (-9.81 * sin(q) - 0.001 * v)
    return q + 1e-3 * v, v


def control(s: Sequence[Expr]) -> Sequence[Any]:
    q, v, e = list(s[:2]), list(s[2:4]), list(s[4:])
    for j, goal in enumerate((0.5, -0.3)):
        miss = goal - q[j]
        e[j] = minimum(maximum(e[j] + 1e-3 * miss, -0.2), 0.2)
        tau = 40.0 * miss + 10.0 * e[j] - 8.0 * v[j]
        v[j] = v[j] + 1e-3 * (minimum(maximum(tau, -5.0), 5.0) - 0.4 * v[1 - j])
        q[j] = q[j] + 1e-3 * v[j]
    return *q, *v, *e


def loops() -> list[Loop]:
    n = Slot("n", ())
    found = []
    for name, program, state in (
        ("spring", step("spring", 2, spring), (1.0, 0.0)),
        ("pendulum", step("pendulum", 2, pendulum), (2.0, 0.0)),
    ):
        s = Slot("s", (2,))
        found.append(Loop(name, Routine(name, (n, s), (s,), (Repeat("n", (Run(program, {"next": "s"}),)),)), state))
    s, log = Slot("s", (6,)), Slot("log", (1000, 6))
    turn = Repeat("n", (Run(step("control", 6, control), {"next": "s"}), Record("s", "log", "turn", 1000)), "turn")
    stages = (Fill("log", (1000, 6)), turn)
    return [*found, Loop("control", Routine("control", (n, s), (s, log), stages), (0.0, 0.1, 0.0, 0.0, 0.0, 0.0))]


def by_hand(library: ctypes.CDLL, loop: Loop) -> Callable[[], Mapping[str, np.ndarray]]:
    n, s = np.array(float(TURNS)), np.array(loop.state)
    made = {slot.name: np.zeros(slot.shape) for slot in loop.routine.outputs}
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (n, s, *made.values())]
    run, owned = getattr(library, loop.function), (n, s)

    def work(owned: Any = owned) -> Mapping[str, np.ndarray]:
        run(*pointers)
        return made

    return work


def compiled(loop: Loop) -> Callable[[], Mapping[str, np.ndarray]]:
    function = compile_program(loop.routine)
    made = {slot.name: np.zeros(slot.shape) for slot in loop.routine.outputs}
    out: Any = made if len(made) > 1 else next(iter(made.values()))
    bound = function.bind(n=np.array(float(TURNS)), s=np.array(loop.state), out=out)

    def work() -> Mapping[str, np.ndarray]:
        bound()
        return made

    return work


def in_turns(ours: Callable[[], Any], theirs: Callable[[], Any]) -> tuple[float, float]:
    """The best time of each, in seconds."""
    pairs = [(best_of(1, ours)[0], best_of(1, theirs)[0]) for _ in range(BEST_OF)]
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def speeds(console: Console, library: ctypes.CDLL) -> None:
    table = Table(title=f"{TURNS} turns, cc -O2 in the same process")
    for column in ("loop", "routine, ns a turn", "C by hand, ns a turn", "ratio", "asked"):
        table.add_column(column, justify="left" if column == "loop" else "right")
    for loop in loops():
        ours, theirs = compiled(loop), by_hand(library, loop)
        for name, expected in theirs().items():
            if not np.allclose(ours()[name], expected, rtol=1e-6, atol=1e-9):
                sys.exit(f"{loop.function}: '{name}' differs from that of the loop in C")
        mine, other = in_turns(ours, theirs)
        numbers = [f"{1e9 * seconds / TURNS:.2f}" for seconds in (mine, other)]
        table.add_row(loop.function, *numbers, f"{mine / other:.2f}", f"{ASKED:.1f}")
    console.print(table)


def simulation() -> tuple[Routine, Mapping[str, float]]:
    """The forward dynamics of a robot, integrated."""
    robot = robosym.load(ROBOT)
    model = models.forward_dynamics(robot)
    n = len(robot.joint_names)
    q, v, a = (tuple(variable(f"{name}{i}") for i in range(n)) for name in ("q", "v", "a"))
    moved = tuple(x + 1e-3 * y for x, y in zip(q, v, strict=True))
    faster = tuple(x + 1e-3 * y for x, y in zip(v, a, strict=True))
    euler = Program(
        "euler",
        (Array("q", (n,), q), Array("qd", (n,), v), Array("qdd", (n,), a)),
        (),
        (),
        (),
        (Array("moved", (n,), moved), Array("faster", (n,), faster)),
    )
    inputs = [Slot(array.name, array.shape) for array in model.program.inputs]
    state = tuple(Slot(name, (n,)) for name in ("q", "qd"))
    stages = (Repeat("n", (Run(model.program), Run(euler, {"moved": "q", "faster": "qd"}))),)
    return Routine("simulation", (Slot("n", ()), *inputs), state, stages), model.values


def compile_times(console: Console) -> None:
    """Without the code on disk."""
    os.environ["ROBOSYM_CACHE"] = "off"
    table = Table(title="seconds to compile")
    for column in ("routine", "seconds", "asked"):
        table.add_column(column, justify="left" if column == "routine" else "right")
    work: list[tuple[str, Callable[[], Any]]] = [
        (loop.function, partial(compile_program, loop.routine)) for loop in loops()
    ]
    routine, values = simulation()
    work.append((f"{ROBOT} forward dynamics, integrated", partial(compile_program, routine, values=values)))
    model = models.inverse_geometric(robosym.load(ROBOT))
    model.code.operations  # noqa: B018 (the routine is made, which is not what is timed)
    work.append((f"{ROBOT} inverse geometry", model.compile))
    for name, compiling in work:
        seconds = min(best_of(1, lambda: bool(compiling()))[0] for _ in range(COMPILATIONS))  # noqa: B023 (nothing is kept)
        table.add_row(name, f"{seconds:.3f}", f"{LONGEST_COMPILATION:.1f}")
    console.print(table)


def library(command: str, folder: Path) -> ctypes.CDLL:
    """The loops written in C."""
    text, built = folder / "loops.c", folder / "loops.so"
    text.write_text(SOURCE, encoding="utf-8")
    subprocess.run([command, "-O2", "-shared", "-fPIC", str(text), "-o", str(built), "-lm"], check=True)
    return ctypes.CDLL(str(built))


def main() -> None:
    console = Console()
    compile_times(console)
    command = shutil.which("cc") or shutil.which("gcc")
    if command is None:
        console.print("no C compiler here: the loops written in C are not timed")
        return
    with tempfile.TemporaryDirectory() as folder:
        speeds(console, library(command, Path(folder)))


if __name__ == "__main__":
    main()
