"""Kinematic models: how long generating them takes, what they cost, and how fast the compiled Jacobian is beside others.

Pinocchio is called from Python, as our function is. The C kernels that CasADi wrote from it (``../shared/anchors/kernels``)
and ours run in one loop of C. Every result must agree with ours to 1e-10 before it is timed; a wrong one ends the benchmark.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from timing import best_of

import robosym
from robosym import models
from robosym.robot import RobotWarning

SHARED = Path(os.environ.get("ROBOSYM_SHARED", Path(__file__).resolve().parents[2] / "shared"))

KINEMATIC = (
    "jacobian",
    "jacobian-rate",
    "jacobian-determinant",
    "jacobian-inverse",
    "inverse-kinematics-velocity",
    "static-torques",
    "velocities",
    "accelerations",
    "jdot-qdot",
    "centre-of-mass",
    "centre-of-mass-jacobian",
    "centroidal-momentum",
    "centroidal-momentum-rate",
)
ROBOTS = ("rx90", "puma560", "panda", "general-6r")

# The robots of the kernels, and the frame they are about: its origin, in the axes of the world.
KERNELS = {"puma": "l6", "iiwa": "l7", "hum30": "l30"}
TOLERANCE = 1e-10
STATES, BATCH = 256, 8192
ROUNDS, LOOP_ROUNDS = 9, 40


# --- generating ------------------------------------------------------------------------------------------------------


def generation() -> Table:
    table = Table("model", *ROBOTS, title="ms to generate: multiplications + additions (divisions)")
    loaded = {name: robosym.load(name) for name in ROBOTS}
    for name in KINEMATIC:
        row = []
        for robot in loaded.values():
            seconds, made = best_of(2, lambda name=name, robot=robot: models.MODELS[name](robot))  # type: ignore[misc]
            o = made.operations
            row.append(f"{seconds * 1e3:.0f}: {o.mul} + {o.add}" + (f" ({o.div})" if o.div else ""))
        table.add_row(name, *row)
    return table


# --- running ---------------------------------------------------------------------------------------------------------

FLAGS = ["-O3", "-march=native", "-shared", "-fPIC"]

# Every function over all states, many times, so that calling from Python is not what is timed.
LOOPS = """
typedef int (*kernel)(const double **, double **, long long *, double *, int);
typedef void (*function)(const double *, double *);

void loop_kernel(kernel f, const double *q, int n, int states, int rounds, double *out, long long *iw, double *w)
{
    double *res[1] = {out};
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < states; i++) {
            const double *arg[1] = {q + (long)i * n};
            f(arg, res, iw, w, 0);
        }
}

void loop_function(function f, const double *q, int n, int states, int rounds, double *out)
{
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < states; i++)
            f(q + (long)i * n, out);
}
"""


class Compiler:
    """Turns C into functions of this process."""

    def __init__(self, command: str, folder: Path) -> None:
        self.command, self.folder = command, folder
        self.loops = self.library("loops", LOOPS)

    def library(self, name: str, source: str) -> ctypes.CDLL:
        text, built = self.folder / f"{name}.c", self.folder / f"{name}.so"
        text.write_text(source, encoding="utf-8")
        subprocess.run([self.command, *FLAGS, str(text), "-o", str(built), "-lm"], check=True)
        return ctypes.CDLL(str(built))


Run = Callable[[np.ndarray, int], np.ndarray]  # over all states, so many rounds: the matrix at the last state


def address(function: Any) -> ctypes.c_void_p:
    return ctypes.cast(function, ctypes.c_void_p)


def pointer(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def sizes(q: np.ndarray, rounds: int) -> list[ctypes.c_int]:
    return [ctypes.c_int(k) for k in (q.shape[1], q.shape[0], rounds)]


def ours_in_c(compiler: Compiler, function: ctypes.c_void_p, nv: int) -> Run:
    def run(q: np.ndarray, rounds: int) -> np.ndarray:
        out = np.zeros((6, nv))
        compiler.loops.loop_function(function, pointer(q), *sizes(q, rounds), pointer(out))
        return out

    return run


def casadi_in_c(compiler: Compiler, name: str, nv: int) -> Run:
    """CasADi's calling convention; the matrix is dense, column after column."""
    loaded = compiler.library(name, (SHARED / "anchors" / "kernels" / f"{name}.c").read_text(encoding="utf-8"))
    needed = [ctypes.c_longlong() for _ in range(4)]
    getattr(loaded, f"{name}_work")(*map(ctypes.byref, needed))
    integers, reals = np.zeros(needed[2].value + 1, dtype=np.int64), np.zeros(needed[3].value + 1)

    def run(q: np.ndarray, rounds: int) -> np.ndarray:
        out = np.zeros((nv, 6))
        spare = (pointer(integers), pointer(reals))
        compiler.loops.loop_kernel(address(loaded[name]), pointer(q), *sizes(q, rounds), pointer(out), *spare)
        return out.T

    return run


def pinocchio_jacobian(path: Path, frame: str) -> Callable[[np.ndarray], np.ndarray]:
    import pinocchio as pin  # type: ignore[import-untyped]

    model = pin.buildModelFromUrdf(str(path))
    data, number = model.createData(), model.getFrameId(frame)
    axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    return lambda q: np.asarray(pin.computeFrameJacobian(model, data, q, number, axes))


def agree(name: str, ours: np.ndarray, theirs: np.ndarray) -> None:
    worst = float(np.abs(ours - theirs).max())
    if not worst <= TOLERANCE:
        raise SystemExit(f"{name}: differs from our Jacobian by {worst:.1e}, expected at most {TOLERANCE}")


def python_times(name: str, function: Any, path: Path, frame: str, q: np.ndarray) -> list[str]:
    """Called one state after another: ours, Pinocchio; then ours for a batch."""

    def each(work: Callable[[np.ndarray], Any]) -> float:
        states = list(q)
        return best_of(ROUNDS, lambda: [work(state) for state in states])[0] / len(q) * 1e9

    theirs = "-"
    if importlib.util.find_spec("pinocchio") is not None:
        pinocchio = pinocchio_jacobian(path, frame)
        for state in q[:20]:
            agree(f"{name}, Pinocchio", function(q=state), pinocchio(state))
        theirs = f"{each(pinocchio):.0f}"
    many = np.repeat(q, BATCH // len(q), axis=0)
    batch = best_of(ROUNDS, lambda: function(q=many))[0] / len(many) * 1e9
    return [f"{each(lambda state: function(q=state)):.0f}", theirs, f"{batch:.0f}"]


def c_times(name: str, model: robosym.Model, function: Any, q: np.ndarray, compiler: Compiler) -> list[str]:
    """In a loop of C: ours compiled in process, ours as C, CasADi's."""
    nv = q.shape[1]
    source = compiler.library(f"ours_{name}", model.source("c"))
    runs = {
        "in process": ours_in_c(compiler, ctypes.c_void_p(function.address), nv),
        "as C": ours_in_c(compiler, address(source[function.signature.split("(")[0].split()[-1]]), nv),
        "CasADi": casadi_in_c(compiler, f"jac_{name}", nv),
    }
    found = []
    for label, run in runs.items():
        for state in q[:20]:
            agree(f"{name}, {label}", function(q=state), run(state[None, :], 1))
        found.append(best_of(ROUNDS, lambda run=run: run(q, LOOP_ROUNDS))[0] / (len(q) * LOOP_ROUNDS) * 1e9)  # type: ignore[misc]
    return [*(f"{nanoseconds:.0f}" for nanoseconds in found), f"{found[0] / found[2]:.2f}"]


def running(compiler: Compiler | None) -> Table:
    heads = ["ours, Python", "Pinocchio, Python", "ours, batch", "ours, in process", "ours, C", "CasADi, C", "ratio"]
    table = Table("robot", "operations", *heads, title="the Jacobian in the axes of the world: ns a state")
    for name, frame in KERNELS.items():
        path = SHARED / "data" / "urdf" / f"{name}.urdf"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RobotWarning)  # about inertias, which no Jacobian reads
            robot = robosym.load(path)
        model = models.jacobian(robot, frame)
        function, o = model.compile(), model.operations
        q = np.random.default_rng(0).uniform(-3, 3, (STATES, robot.nq))
        row = python_times(name, function, path, frame, q)
        row += c_times(name, model, function, q, compiler) if compiler else ["-"] * 4
        table.add_row(name, f"{o.mul} + {o.add}", *row)
    return table


def main() -> None:
    console = Console(width=150)
    console.print(generation())
    if not SHARED.is_dir():
        console.print(
            f"run times skipped: the robots and kernels are not in {SHARED} (ROBOSYM_SHARED names the folder)"
        )
        return
    command = shutil.which("gcc")
    if command is None:
        console.print("no gcc here: the loops in C are skipped")
    if importlib.util.find_spec("pinocchio") is None:
        console.print("no Pinocchio here: its times are skipped")
    with tempfile.TemporaryDirectory() as folder:
        console.print(running(Compiler(command, Path(folder)) if command else None))


if __name__ == "__main__":
    main()
