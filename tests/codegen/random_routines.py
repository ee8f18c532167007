"""Routines of stages drawn at random, which read and write a handful of arrays in every order."""

from __future__ import annotations

import math

import numpy as np

from robosym.expr import expr, number, sin, variable
from robosym.program import Array, Program
from robosym.program.routine import Each, Emit, Newton, Routine, Run, Slot, Stage, When, walk

VECTORS, FLAGS = ["w0", "w1", "w2"], ["flag", "number"]


def program(name, inputs, outputs, parameters=(), precompute=()):
    """Inputs as {name: shape}, outputs as a function of their symbols giving {name: (shape, entries)}."""
    arrays = {
        key: Array(key, shape, tuple(variable(f"{key}_{i}") for i in range(math.prod(shape))))
        for key, shape in inputs.items()
    }
    made = outputs(**{key: array.entries for key, array in arrays.items()})
    results = tuple(Array(key, shape, tuple(map(expr, entries))) for key, (shape, entries) in made.items())
    return Program(name, tuple(arrays.values()), tuple(parameters), tuple(precompute), (), results)


def mixing(k):
    """A vector of two others, a number 0, 1, 2 or 3 and a flag."""
    c = [number(round(float(x), 3)) for x in np.random.default_rng(k).uniform(-1, 1, 4)]
    return program(
        f"mix{k}",
        {"u": (2,), "v": (2,)},
        lambda u, v: {
            "x": ((2,), [sin(c[0] * u[0] + c[1] * v[1]), c[2] * u[1] + sin(c[3] * v[0])]),
            "flag": ((), [u[0] < v[0]]),
            "number": ((), [(u[0] < 0.3) + 2 * (v[1] < 0)]),
        },
    )


MIXING = [mixing(k) for k in range(3)]
FIRST = program(
    "first",
    {"a": (2,)},
    lambda a: {
        **{f"w{i}": ((2,), [a[0] + i, a[1] * (i - 1)]) for i in range(3)},
        "flag": ((), [a[0] < 0]),
        "number": ((), [number(1) + (a[1] < 0)]),
    },
)


def random_routine(seed: int) -> Routine:
    """Of a vector ``a`` of two and a ``table`` (3, 2)."""
    rng = np.random.default_rng(seed)
    stages = (Run(FIRST), *random_stages(rng, 3))
    units = (0.5, 3.0) if seed % 2 else ()
    return Routine("random", (Slot("a", (2,)), Slot("table", (3, 2))), stages, 60, (True, False), units=units)


def random_stages(rng: np.random.Generator, depth: int) -> tuple[Stage, ...]:
    def mix():
        u, v, x = map(str, rng.choice(VECTORS, 3))
        return Run(MIXING[rng.integers(len(MIXING))], {"u": u, "v": v, "x": x})

    found = []
    for _ in range(int(rng.integers(2, 5))):
        kind = rng.integers(8 if depth else 4)
        name, flag = str(rng.choice(VECTORS)), str(rng.choice(FLAGS))
        if kind <= 1:
            found.append(mix())
        elif kind <= 3:
            found.append(Emit(name, flag, [None, 0.2, -1.0][rng.integers(3)]))
        elif kind <= 5:
            found.append(When(flag, random_stages(rng, depth - 1)))
        elif kind == 6:
            body = random_stages(rng, depth - 1)
            count = "count" if not any(isinstance(stage, Emit) for stage in walk(body)) else None
            found.append(Each("table", name if rng.random() < 0.5 else f"row{depth}", body, count))
        else:
            body = (*random_stages(rng, depth - 1), mix())
            correction = str(rng.choice([other for other in VECTORS if other != name]))
            found.append(Newton(body, int(rng.integers(1, 4)), name, correction, 0.3))
    return tuple(found)
