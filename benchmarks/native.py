"""What the benchmarks of run time share: robots in files, C compiled here, and loops of C around any function.

CasADi's kernels (``casadi_kernels.py``) have their numbers in the code, and so have ours. A loop of C calls a function at one
state after the other, so that calling from Python is not what is timed.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sizes import installed

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))  # whose robots in files are those of the benchmarks
FLAGS = ["-O3", "-march=native", "-shared", "-fPIC"]

LOOPS = """
typedef int (*kernel)(const double **, double **, long long *, double *, int);
typedef void (*one)(const double *, double *);
typedef void (*three)(const double *, const double *, const double *, double *);

/* The inputs lie one after the other, each with all its states. */
void loop_kernel(kernel f, const double *x, int inputs, int n, int states, int rounds, double *out, long long *iw, double *w)
{
    double *res[1] = {out};
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < states; i++) {
            const double *arg[3];
            for (int k = 0; k < inputs; k++) arg[k] = x + ((long)k * states + i) * n;
            f(arg, res, iw, w, 0);
        }
}

void loop_1(one f, const double *x, int n, int states, int rounds, double *out)
{
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < states; i++) f(x + (long)i * n, out);
}

void loop_3(three f, const double *x, int n, int states, int rounds, double *out)
{
    const long all = (long)states * n;
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < states; i++) f(x + (long)i * n, x + all + (long)i * n, x + 2 * all + (long)i * n, out);
}
"""

Run = Callable[[np.ndarray, int], np.ndarray]  # inputs (inputs, states, n), rounds -> the output at the last state


def pointer(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def _sizes(x: np.ndarray, rounds: int) -> list[ctypes.c_int]:
    return [ctypes.c_int(k) for k in (x.shape[2], x.shape[1], rounds)]


class Compiler:
    """Turns C into functions of this process."""

    def __init__(self, command: str, folder: Path) -> None:
        self.command, self.folder = command, folder
        self.loops = self.library("loops", LOOPS)

    def library(self, name: str, source: str, flags: Sequence[str] = ()) -> ctypes.CDLL:
        return ctypes.CDLL(str(self.built(name, source, flags)))

    def built(self, name: str, source: str, flags: Sequence[str] = ()) -> Path:
        text, built = self.folder / f"{name}.c", self.folder / f"{name}.so"
        text.write_text(source, encoding="utf-8")
        subprocess.run([self.command, *FLAGS, *flags, str(text), "-o", str(built), "-lm"], check=True, cwd=self.folder)
        return built

    def ours(self, address: int, inputs: int, size: int) -> Run:
        """A function of ours, of one or three inputs."""

        def run(x: np.ndarray, rounds: int) -> np.ndarray:
            out = np.zeros(size)
            self.loops[f"loop_{inputs}"](ctypes.c_void_p(address), pointer(x), *_sizes(x, rounds), pointer(out))
            return out

        return run

    def casadis(self, name: str, size: int, source: str) -> Run:
        """A kernel of CasADi's, by its calling convention; what it gives is dense, column after column."""
        loaded = self.library(name, source)
        needed = [ctypes.c_longlong() for _ in range(4)]
        getattr(loaded, f"{name}_work")(*map(ctypes.byref, needed))
        integers, reals = np.zeros(needed[2].value + 1, dtype=np.int64), np.zeros(needed[3].value + 1)
        address = ctypes.cast(loaded[name], ctypes.c_void_p)

        def run(x: np.ndarray, rounds: int) -> np.ndarray:
            out = np.zeros(size)
            spare = (pointer(integers), pointer(reals))
            inputs = ctypes.c_int(x.shape[0])
            self.loops.loop_kernel(address, pointer(x), inputs, *_sizes(x, rounds), pointer(out), *spare)
            return out

        return run


def path_of(name: str) -> Path:
    """The URDF file of a robot: a real one of example-robot-data, or one of those that the tests write."""
    from real_robots import urdf_file

    return Path(urdf_file(name))


def with_compiler(work: Callable[[Compiler], Any]) -> None:
    """Do the work with gcc and CasADi, or say what is missing."""
    command = shutil.which("gcc") or shutil.which("cc")
    if command is None:
        print("no C compiler is installed: run times beside CasADi's kernels are left out")
        return
    if not installed("casadi", "run times beside its kernels are"):
        return
    with tempfile.TemporaryDirectory() as folder:
        work(Compiler(command, Path(folder)))
