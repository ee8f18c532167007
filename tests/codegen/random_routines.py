"""Routines of stages drawn at random, which read and write a handful of arrays in every order, and states to run them at.

Every array that is used is there from the start, so that any stage may stand anywhere. Programs keep numbers small and make
matrices that are far from singular or exactly so: rounding is not blown up, and results agree to nearly the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from program.routines import program

from robosym.expr import cos, expr, floor, number, parameter, select, sin, symbol
from robosym.program import Step
from robosym.program.routine import (
    Collect,
    Copy,
    Each,
    Fill,
    Kernel,
    Newton,
    Record,
    Repeat,
    Routine,
    Run,
    Slot,
    Stage,
    Take,
    When,
)
from robosym.program.uses import written

VECTORS, FLAGS = ["w0", "w1", "w2", "s"], ["flag", "number"]
SCALARS = ["n", "number", "total", "flag"]
TABLES = ["table", "kept", "ordered"]
PARAMETERS = {"L": 0.45, "M": 1.3}
COUNTS = (0.0, 1.0, 2.0, 2.5, 3.0, 5.0, 0.999, -2.0, math.nan)


# --- programs --------------------------------------------------------------------------------------------------------

L, M, K = parameter("L"), parameter("M"), symbol("K", "constant")


def mixing(k):
    """A vector of two others, a number 0, 1, 2 or 3 and a flag; one has a parameter, another a constant made of one."""
    c = [number(round(float(x), 3)) for x in np.random.default_rng(k).uniform(-1, 1, 4)]
    factor, parameters, precompute = [
        (number(0.75), (), ()),
        (expr(L), (L,), ()),
        (expr(K), (M, L), (Step(K, cos(M) * L * 2),)),
    ][k]
    return program(
        f"mix{k}",
        {"u": (2,), "v": (2,)},
        lambda u, v: {
            "x": ((2,), [sin(c[0] * u[0] + c[1] * v[1]), c[2] * u[1] + factor * sin(c[3] * v[0])]),
            "flag": ((), [u[0] < v[0]]),
            "number": ((), [(u[0] < 0.3) + 2 * (v[1] < 0)]),
        },
        parameters,
        precompute,
    )


MIXING = [mixing(k) for k in range(3)]
FIRST = program(
    "first",
    {"a": (2,), "s": (2,)},
    lambda a, s: {
        **{f"w{i}": ((2,), [a[0] + i, a[1] * (i - 1) + s[0]]) for i in range(3)},
        "flag": ((), [a[0] < 0]),
        "number": ((), [number(1) + (a[1] < 0)]),
    },
)
# Infinite or not a number where floor(v1) is zero (of either sign, which languages do not agree on); the condition that goes with
# it is then nan, which is true.
BROKEN = program(
    "broken",
    {"u": (2,), "v": (2,)},
    lambda u, v: {"x": ((2,), [u[0] / abs(floor(v[1])), 0.5 * v[0]]), "flag": ((), [u[0] / abs(floor(v[1])) * 0])},
)


def _matrix(u, v):
    """Eigenvalues near 3 and -3, or a row of zeros: singular however it is reckoned."""
    a, b = 3 + sin(u[0]), sin(v[1])
    singular = u[1] < -0.6
    rows = [a, b, select(singular, 0, sin(u[1])), select(singular, 0, sin(v[0]) - 3)]
    return {"A": ((2, 2), rows), "b": ((2,), [u[1] + 1, v[0]])}


MATRIX = program("matrix", {"u": (2,), "v": (2,)}, _matrix)


def _chosen(roots):
    """The larger root, and sums in which the order of the roots is not seen."""
    first = roots[2] < roots[0]
    root = [select(first, roots[0], roots[2]), select(first, roots[1], roots[3])]
    return {"root": ((2,), root), "sums": ((2,), [roots[0] + roots[2], roots[1] * roots[1] + roots[3] * roots[3]])}


CHOSEN = program("chosen", {"roots": (2, 2)}, _chosen)
KEYS = program(
    "keys",
    {"table": (3, 2), "u": (2,)},
    lambda table, u: {"keys": ((3,), [table[0], sin(table[2] * 3 + u[0]), select(u[1] < 0, table[0], table[4])])},
)
FLAGGED = program(
    "flagged", {"table": (3, 2)}, lambda table: {"flags": ((3,), [table[0] < table[3], 1, table[5] - 0.5])}
)


# --- routines --------------------------------------------------------------------------------------------------------

INPUTS = (
    Slot("a", (2,)),
    Slot("table", (3, 2)),
    Slot("n", ()),
    Slot("s", (2,)),
    Slot("kept", (4, 2)),
    Slot("total", ()),
)
MADE = {"log": (5, 2), "ordered": (3, 2), "keys": (3,), "flags": (3,), "A": (2, 2), "b": (2,), "X": (2,)}
MADE |= {"roots": (2, 2), "root": (2,), "sums": (2,), "vector": (2,)}
OUTPUTS = (
    Slot("s", (2,)),
    Slot("kept", (4, 2)),
    Slot("total", ()),
    *(Slot(name, (2,)) for name in ("w0", "w1", "w2", "X", "sums", "vector")),
    Slot("log", (5, 2)),
    Slot("ordered", (3, 2)),
    Slot("flag", ()),
    Slot("number", ()),
)


def random_routine(seed: int) -> Routine:
    """Of the INPUTS, of which s, kept and total are state; it needs the PARAMETERS."""
    rng = np.random.default_rng(seed)
    start = tuple(Fill(name, shape, round(float(rng.uniform(-1, 1)), 2)) for name, shape in MADE.items())
    return Routine(f"random{seed}", INPUTS, OUTPUTS, (Run(FIRST), *start, *random_stages(rng, 3)))


def random_stages(rng: np.random.Generator, depth: int, turns: Sequence[str] = ()) -> tuple[Stage, ...]:
    """``turns`` are the counters of the loops around them."""
    found: list[Stage] = []
    for _ in range(int(rng.integers(2, 5))):
        drawn = _COMPOUND if depth and rng.random() < 0.4 else _SIMPLE
        found += drawn[rng.integers(len(drawn))](rng, depth, turns)
    return tuple(found)


def _one_of(rng, names):
    return str(names[rng.integers(len(names))])


def _vectors(rng, count):
    return (_one_of(rng, VECTORS) for _ in range(count))


def _mix(rng, depth, turns):
    u, v, x = _vectors(rng, 3)
    return [Run(MIXING[rng.integers(len(MIXING))], {"u": u, "v": v, "x": x})]


def _break(rng, depth, turns):
    u, v, x = _vectors(rng, 3)
    return [Run(BROKEN, {"u": u, "v": v, "x": x, "flag": _one_of(rng, FLAGS)})]


def _solve(rng, depth, turns):
    u, v = _vectors(rng, 2)
    return [Run(MATRIX, {"u": u, "v": v}), Kernel("solve", ("A", "b"), ("X",))]


def _eigen(rng, depth, turns):
    u, v = _vectors(rng, 2)
    return [
        Run(MATRIX, {"u": u, "v": v}),
        Kernel("eigenvalues", ("A",), ("roots",)),
        Run(CHOSEN),
        Kernel("eigenvector", ("A", "root"), ("vector",)),
    ]


def _sort(rng, depth, turns):
    keys = Run(KEYS, {"u": _one_of(rng, VECTORS)})
    return [keys, Kernel("sort", ("table", "keys", _one_of(rng, SCALARS)), ("ordered",))]


def _fill(rng, depth, turns):
    value = (0.0, -0.0, 2.5, math.inf, math.nan)[rng.integers(5)]
    if rng.random() < 0.3:
        return [Fill("total", (), float(rng.integers(5)))]
    return [Fill(_one_of(rng, VECTORS), (2,), value)]


def _copy(rng, depth, turns):
    if rng.random() < 0.3:
        return [Copy("table", "ordered")]
    source, target = _vectors(rng, 2)
    return [Copy(source, target)] if source != target else []


def _collect(rng, depth, turns):
    within, angles = [((), ()), ((0.2, 0.1), ()), ((0.2, 0.3), (True, False)), ((-1.0, 0.5), ())][rng.integers(4)]
    if rng.random() < 0.3:
        return [Run(FLAGGED), Collect("table", "flags", "kept", "total", within, angles)]
    return [Collect(_one_of(rng, VECTORS), _one_of(rng, FLAGS), "kept", "total", within, angles)]


def _record(rng, depth, turns):
    turn = _one_of(rng, turns) if turns and rng.random() < 0.8 else _one_of(rng, SCALARS)
    return [Record(_one_of(rng, VECTORS), "log", turn, int(rng.integers(1, 4)))]


def _take(rng, depth, turns):
    turn = _one_of(rng, turns) if turns and rng.random() < 0.7 else _one_of(rng, SCALARS)
    every = int(rng.integers(1, 4))
    if rng.random() < 0.2:
        return [Take(_one_of(rng, ["keys", "flags"]), turn, _one_of(rng, FLAGS), every)]
    return [Take(_one_of(rng, [*TABLES, "log"]), turn, _one_of(rng, VECTORS), every)]


def _when(rng, depth, turns):
    otherwise = random_stages(rng, depth - 1, turns) if rng.random() < 0.5 else ()
    return [When(_one_of(rng, FLAGS), random_stages(rng, depth - 1, turns), otherwise)]


def _each(rng, depth, turns):
    body = random_stages(rng, depth - 1, turns)
    changed = written(body)
    count = _one_of(rng, [name for name in SCALARS if name not in changed])  # n never is
    table = _one_of(rng, [name for name in TABLES if name not in changed])
    row = _one_of(rng, VECTORS) if rng.random() < 0.5 else f"row{depth}"
    return [Each(table, row, body, count if rng.random() < 0.6 else None)]


def _repeat(rng, depth, turns):
    turn = f"turn{depth}"
    body = random_stages(rng, depth - 1, (*turns, turn))
    named = _one_of(rng, [name for name in SCALARS if name not in written(body)])
    times = named if rng.random() < 0.6 else int(rng.integers(4))
    return [Repeat(times, body, turn, _one_of(rng, FLAGS) if rng.random() < 0.4 else None)]


def _newton(rng, depth, turns):
    unknown = _one_of(rng, VECTORS)
    correction = _one_of(rng, [other for other in VECTORS if other != unknown])
    last = (_break if rng.random() < 0.3 else _mix)(rng, depth, turns)
    body = (*random_stages(rng, depth - 1, turns), *last)
    return [Newton(body, int(rng.integers(1, 4)), unknown, correction, (0.3, 0.0)[rng.integers(2)])]


_SIMPLE = (_mix, _mix, _break, _solve, _eigen, _sort, _fill, _copy, _collect, _collect, _record, _record, _take, _take)
_COMPOUND = (_when, _each, _repeat, _newton)


def random_states(seed: int, count: int = 6) -> list[dict[str, np.ndarray]]:
    """Inputs: ordinary numbers, odd counts, and in some of them what is not a number."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        state = {slot.name: np.asarray(rng.uniform(-2, 2, slot.shape)) for slot in INPUTS}
        state |= {name: np.array(COUNTS[rng.integers(len(COUNTS))]) for name in ("n", "total")}
        if rng.random() < 0.3:
            state["table"][1] = state["table"][0]
        if rng.random() < 0.3:
            name = ("a", "s", "table", "kept")[rng.integers(4)]
            state[name].flat[rng.integers(state[name].size)] = (math.nan, math.inf, -math.inf)[rng.integers(3)]
        found.append(state)
    return found


def matrices_routine() -> Routine:
    """Every kernel on a matrix (3, 3) as it is given: singular, with nan or inf anywhere."""
    sums = program(
        "sums",
        {"roots": (3, 2)},
        lambda roots: {"sums": ((2,), [roots[0] + roots[2] + roots[4], sum(roots[i] ** 2 for i in (1, 3, 5))])},
    )
    stages = (
        Kernel("eigenvalues", ("A",), ("roots",)),
        Run(sums),
        Kernel("solve", ("A", "b"), ("x",)),
        Kernel("solve", ("A", "B"), ("X",)),
    )
    outputs = (Slot("sums", (2,)), Slot("x", (3,)), Slot("X", (3, 2)))
    return Routine("matrices", (Slot("A", (3, 3)), Slot("b", (3,)), Slot("B", (3, 2))), outputs, stages)


def matrices_states() -> list[dict[str, np.ndarray]]:
    rng = np.random.default_rng(4)
    plain = rng.standard_normal((3, 3)) + 4 * np.diag([1.0, 2.0, -3.0])
    found = [plain, np.zeros((3, 3)), np.roll(np.eye(3), 1, axis=0), np.diag([1.0, 0.0, 2.0])]
    for place in range(9):
        found.append(plain.copy())
        found[-1].flat[place] = math.nan
    return [{"A": A, "b": rng.standard_normal(3), "B": rng.standard_normal((3, 2))} for A in found]


def empty_routine() -> Routine:
    """Arrays without rows or entries: nothing to go over, nothing to collect, nothing to correct."""
    inputs = (Slot("none", (0, 2)), Slot("nothing", (0,)), Slot("x", (2,)))
    stages = (
        Fill("x0", (0,)),
        Copy("nothing", "dx"),
        Fill("kept", (0, 2)),
        Fill("count", (), 3.0),
        Fill("y", (2,), 1.0),
        Fill("one", (), 1.0),
        Each("none", "row", (Copy("row", "y"),)),
        Repeat(0, (Copy("x", "y"),)),
        Newton((), 3, "x0", "dx"),
        Collect("x", "one", "kept", "count"),
        Record("y", "kept", "count"),
    )
    return Routine("empty", inputs, (Slot("y", (2,)), Slot("kept", (0, 2)), Slot("count", ())), stages)
