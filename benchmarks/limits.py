"""An estimate of what this machine can do at best for a batch: its arithmetic, its trigonometry, its memory.

Arithmetic: the model's multiplications and additions at the rate at which independent ones go through the vector units.
Trigonometry: the sines and cosines it takes, at the rate at which a program of nothing else computes them in cache.
Memory: a loop of C that reads the same inputs and writes the same outputs, and does nothing but add.
Arithmetic and trigonometry share the vector units; memory works beside them. So the larger of the two sides is the limit,
as if nothing ever waited for anything else.
"""

from __future__ import annotations

import ctypes
import time
from dataclasses import dataclass

import numpy as np
from native import Compiler, pointer
from sizes import sized

import robosym
from robosym.codegen.targets.c import facts_of
from robosym.expr import cos, sin, variable
from robosym.program import Array, Program
from robosym.runtime.batch_ir import BLOCK, block_module
from robosym.runtime.engine import engine
from robosym.runtime.host import host

SOURCE = """
typedef double v __attribute__((vector_size(%(bytes)d)));

double arithmetic(long n)
{
    v a[12], m, c;
    for (int k = 0; k < 12; k++) a[k] = (v){0} + k;
    m = (v){0} + 0.999; c = (v){0} + 1e-3;
    for (long i = 0; i < n; i++)
        for (int k = 0; k < 12; k++) { a[k] = a[k] * m; a[k] = a[k] + c; }
    double total = 0;
    for (int k = 0; k < 12; k++) total += a[k][0];
    return total;
}

void traffic(long n, const double *a, const double *b, const double *c, double *out)
{
    for (long i = 0; i < n; i++) out[i] = a[i] + b[i] + c[i];
}
"""


@dataclass(frozen=True)
class Limits:
    """In ns a state."""

    arithmetic: float
    trigonometry: float
    memory: float

    @property
    def total(self) -> float:
        return max(self.arithmetic + self.trigonometry, self.memory)

    @property
    def text(self) -> str:
        return f"arithmetic {self.arithmetic:.1f} + trigonometry {self.trigonometry:.1f}, memory {self.memory:.1f}"


def limits_of(compiler: Compiler, model: robosym.Model, x: np.ndarray) -> Limits:
    """For a model of three inputs (3, states, n) with an output of the same shape as each."""
    lanes = host().lanes
    library = compiler.library("limits", SOURCE % {"bytes": 8 * lanes}, ["-ffp-contract=off"])
    steps = sized(200_000, 1000)
    library.arithmetic.restype = ctypes.c_double
    a_pair = _best(lambda: library.arithmetic(ctypes.c_long(steps))) / (steps * 24 * lanes)
    out = np.zeros(x[0].shape)
    arrays = [pointer(array) for array in (*x, out)]
    moved = _best(lambda: library.traffic(ctypes.c_long(x[0].size), *arrays))
    operations = model.operations
    angles = {node.args[0] for root in model.program.roots for node in _trigonometric(root)}
    return Limits(
        arithmetic=(operations.mul + operations.add) * a_pair * 1e9,
        trigonometry=len(angles) * _one_angle() * 1e9,
        memory=moved / x.shape[1] * 1e9,
    )


def _trigonometric(root: robosym.expr.Expr) -> list[robosym.expr.Expr]:
    return [node for node in robosym.expr.postorder([root]) if node.op in ("sin", "cos")]


def _one_angle() -> float:
    """Seconds for one sine and cosine of vectors, again and again in the nearest cache."""
    n, lanes = 8, host().lanes
    q = tuple(variable(f"q{i}") for i in range(n))
    outputs = (Array("s", (n,), tuple(map(sin, q))), Array("c", (n,), tuple(map(cos, q))))
    program = Program("trigonometry", (Array("q", (n,), q),), (), (), (), outputs)
    living = engine(block_module(facts_of(program), host(), lanes))
    pointers, rounds = [ctypes.c_void_p] * 4, sized(2000, 20)
    run = ctypes.CFUNCTYPE(None, *pointers, ctypes.c_int64)(living.address(BLOCK))
    given = np.random.default_rng(0).uniform(-3, 3, n * lanes)
    # One row after the other is done by asking for many groups: the buffer is as long as that takes.
    long_rows, made = np.resize(given, (2 * n * lanes + rounds * lanes,)), np.zeros(2 * n * lanes + rounds * lanes)
    taken = [pointer(long_rows), pointer(made), None, None]
    return _best(lambda: run(*taken, rounds * lanes), 50) / (rounds * lanes * n)


def _best(work: object, turns: int = 9) -> float:
    best = float("inf")
    for _ in range(sized(turns, 1)):
        start = time.perf_counter()
        work()  # type: ignore[operator]
        best = min(best, time.perf_counter() - start)
    return best
