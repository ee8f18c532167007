"""Small routines, built by hand, for the tests of routines."""

from __future__ import annotations

import math

from robosym.expr import cos, expr, sin, variable
from robosym.program import Array, Program
from robosym.program.routine import (
    Collect,
    Each,
    Fill,
    Record,
    Repeat,
    Routine,
    Run,
    Slot,
    When,
    newton,
    verified_routine,
)


def program(name, inputs, outputs, parameters=(), precompute=()):
    """Inputs as {name: shape}, outputs as a function of their symbols giving {name: (shape, entries)}."""
    arrays = {
        key: Array(key, shape, tuple(variable(f"{key}_{i}") for i in range(math.prod(shape))))
        for key, shape in inputs.items()
    }
    made = outputs(**{key: array.entries for key, array in arrays.items()})
    results = tuple(Array(key, shape, tuple(map(expr, entries))) for key, (shape, entries) in made.items())
    return Program(name, tuple(arrays.values()), tuple(parameters), tuple(precompute), (), results)


def outputs(**shapes):
    return tuple(Slot(name, shape) for name, shape in shapes.items())


def roots_of_unity(steps=60):
    """The angles whose cosine is c: Newton from three starts, one of which leads to another's solution."""
    starts = program("starts", {"c": ()}, lambda c: {"x0": ((3,), [0.5 + c[0] * 0, 1.0, -1.0])})
    step = program("step", {"c": (), "x": ()}, lambda c, x: {"dx": ((), [(cos(x[0]) - c[0]) / -sin(x[0])])})
    row = program(
        "row", {"c": (), "x": ()}, lambda c, x: {"q": ((1,), [x[0]]), "ok": ((), [abs(cos(x[0]) - c[0]) < 1e-9])}
    )
    body = (newton(step, steps, tolerance=1e-15), Run(row), Collect("q", "ok", "found", "count", (1e-6,), (True,)))
    stages = (Run(starts), Fill("found", (4, 1)), Fill("count"), Each("x0", "x", body))
    return Routine("unity", (Slot("c", ()),), outputs(found=(4, 1), count=()), stages)


def rows(within, turns=(), most=8):
    stages = (Fill("kept", (most, 2)), Collect("rows", "there", "kept", "count", within, turns))
    inputs = (Slot("rows", (4, 2)), Slot("there", (4,)), Slot("count", ()))
    return verified_routine(Routine("rows", inputs, outputs(kept=(most, 2), count=()), stages))


def counting(times, until=None):
    """x grows by one at each turn; every second x is recorded."""
    grow = program("grow", {"x": ()}, lambda x: {"x_now": ((), [x[0] + 1]), "done": ((), [x[0] + 1 >= 5])})
    loop = Repeat(times, (Run(grow, {"x_now": "x"}), Record("x", "seen", "k", 2)), "k", until)
    stages = (Fill("seen", (3,)), loop)
    given = (Slot("x", ()), *([Slot(times, ())] if isinstance(times, str) else []))
    return verified_routine(Routine("r", given, outputs(x=(), seen=(3,)), stages))


def nested(depth):
    stages = (Fill("o"),)
    for _ in range(depth - 1):
        stages = (When("o", stages),)
    return Routine("r", (), outputs(o=()), (Fill("o"), *stages))
