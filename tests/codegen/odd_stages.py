"""Routines that use each kind of stage in some odd way, and states to run them at."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from codegen.conformance import RoutineCase
from codegen.random_routines import program

from robosym.expr import atan2, cos, expr, number, select, sin
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
    Take,
    When,
)

ODD_TURNS = (5.999, 6.0, 8.0, 9.0, 13.0, -0.5, 2.0**31, 2.0**63, 2.0**64, -(2.0**63), 1e-320)
ODD_COUNTS = (0.0, -0.0, 1.0, 2.7, 3.0, 0.999, -1.0, -1e300, 7.0, 1e300, math.inf, -math.inf, math.nan)
SCALAR, PAIR, SQUARE = (), (2,), (2, 2)


def slots(**shapes):
    return tuple(Slot(name, shape, f"the {name}") for name, shape in shapes.items())


def case(routine, *states):
    arrays = tuple({name: np.array(value, dtype=float) for name, value in state.items()} for state in states)
    return RoutineCase(routine.name, routine, (), arrays)


TICK = program("tick", {"old": ()}, lambda old: {"new": ((), [old[0] + 1])})
ADD = program("add", {"u": PAIR, "v": PAIR}, lambda u, v: {"w": (PAIR, [u[0] + 2 * v[0], u[1] + v[1]])})
TURN = program("turn", {"old": PAIR}, lambda old: {"new": (PAIR, [old[1] + 0.25, -old[0]])})


def tick(name):
    return Run(TICK, {"old": name, "new": name})


def turned(name):
    return Run(TURN, {"old": name, "new": name})


# --- state -----------------------------------------------------------------------------------------------------------


def controller():
    """A state of two arrays, one of them changed only sometimes; an output beside it, and names that are swapped."""
    step = program(
        "step",
        {"error": PAIR, "integral": PAIR, "last": PAIR},
        lambda error, integral, last: {
            "summed": (PAIR, [i + 0.5 * e for i, e in zip(integral, error, strict=True)]),
            "effort": (PAIR, [3 * e + i + (e - o) for e, i, o in zip(error, integral, last, strict=True)]),
            "moved": ((), [error[0] < error[1]]),
        },
    )
    stages = (Run(step, {"summed": "integral"}), When("moved", (Copy("error", "last"),)))
    state = slots(integral=PAIR, last=PAIR)
    return Routine("controller", (*slots(error=PAIR), *state), (*state[::-1], *slots(effort=PAIR)), stages)


def swapped():
    """All that a program reads is read before it writes where its inputs are."""
    swap = program("swap", {"u": PAIR, "v": PAIR}, lambda u, v: {"p": (PAIR, v), "q": (PAIR, [u[1], u[0]])})
    names = {"u": "a", "v": "b", "p": "a", "q": "b"}
    state = slots(a=PAIR, b=PAIR)
    return Routine("swapped", state, state, (Repeat(3, (Run(swap, names),)),))


def untouched():
    """State that no stage looks at, of any number of axes, even none or without entries; an input that nobody reads."""
    state = slots(cube=(2, 1, 2), scalar=SCALAR, none=(0, 3))
    return Routine("untouched", (*state, *slots(idle=PAIR)), state, ())


def one_state():
    """A single output that is the state, a scalar; Newton works on it in place."""
    step = program("correct", {"x": (), "a": ()}, lambda x, a: {"dx": ((), [(x[0] * x[0] - a[0]) / (2 * x[0])])})
    return Routine("one state", slots(x=(), a=()), slots(x=()), (Newton((Run(step),), 20, tolerance=1e-13),))


# --- arrays that must not be each other's ----------------------------------------------------------------------------


def snapshots():
    """What was copied, recorded or collected stays as it was when what it came from is changed."""
    stages = (
        Copy("given", "table"),
        Copy("table", "before"),
        Fill("n", ()),
        Fill("log", (3, 2, 2)),
        Fill("seen", (4, 2)),
        Fill("count", ()),
        Fill("one", (), 1.0),
        Each("table", "row", (Copy("row", "kept"), Collect("row", "one", "seen", "count"), turned("row"))),
        Record("table", "log", "n"),
        Record("row", "table", "n"),
        Record("x", "table", "one"),
        Record("table", "log", "one"),
        turned("x"),
        Copy("x", "again"),
        Record("again", "before", "one"),
        turned("again"),
    )
    stages = (Fill("row", PAIR), Fill("kept", PAIR), *stages)
    state = slots(x=PAIR)
    made = slots(table=SQUARE, before=SQUARE, log=(3, 2, 2), seen=(4, 2), kept=PAIR, again=PAIR, row=PAIR)
    return Routine("snapshots", (*slots(given=SQUARE), *state), (*state, *made), stages)


def straight_through():
    """Inputs that go out as they are, one of them twice."""
    stages = (Copy("a", "b"), Copy("a", "c"), Copy("k", "l"))
    return Routine("straight", slots(a=SQUARE, k=()), slots(b=SQUARE, c=SQUARE, l=()), stages)


# --- fill, record, loops ---------------------------------------------------------------------------------------------


def filled():
    """Every number there is, in arrays of any number of axes; the sign of zero is seen by an arc tangent."""
    sign = program("sign of zero", {"m": ()}, lambda m: {"angle": ((), [atan2(m[0], number(-1))])})
    values = {
        "inf": math.inf,
        "low": -math.inf,
        "none": math.nan,
        "m": -0.0,
        "tiny": 5e-324,
        "huge": 1.7e308,
        "third": 1 / 3,
    }
    stages = (*(Fill(name, (), value) for name, value in values.items()), Run(sign), Fill("cube", (2, 1, 3), -7.0))
    made = slots(**dict.fromkeys(values, ()), angle=(), cube=(2, 1, 3), empty=(2, 0))
    return Routine("filled", (), made, (*stages, Fill("empty", (2, 0), 1.0)))


def recorded():
    """Every third turn; rows that are not there; a turn that is given."""
    stages = (
        Fill("log", (3, 2), -1.0),
        Fill("numbers", (4,), -1.0),
        Fill("cubes", (2, 2, 2), -1.0),
        Repeat("n", (turned("x"), Record("x", "log", "i", 3), Record("i", "numbers", "i", 2)), "i"),
        Record("at", "numbers", "at"),
        Record("x", "log", "at", 2),
        Copy("log", "rest"),
        Record("pair", "cubes", "at", 3),
    )
    made = slots(log=(3, 2), numbers=(4,), rest=(3, 2), cubes=(2, 2, 2), x=PAIR)
    return Routine("recorded", slots(x=PAIR, n=(), at=(), pair=SQUARE), made, stages)


def taken():
    """Rows that are numbers, vectors, matrices and nothing, one that is the only one; turns that are none; a row that is its
    own turn; a table that changes after a row of it was taken, and a row that changes after it was."""
    stages = (
        Take("table", "at", "row", 3),
        Record("one", "row", "zero"),
        Take("cubes", "at", "matrix", 2),
        Take("cubes", "zero", "before", 2),
        Take("before", "zero", "triple"),
        Record("triple", "matrix", "one"),
        Take("cubes", "at", "after", 2),
        Take("line", "at", "x"),
        Take("alone", "at", "only"),
        Take("alone", "at", "lonely", 2**53),
        Take("nothing", "at", "none"),
        Copy("at", "walk"),
        Repeat(3, (Take("next", "walk", "walk"),)),
        Copy("table", "changing"),
        Fill("sum", PAIR),
        Fill("log", (8, 2)),
        Repeat(
            8,
            (
                Take("changing", "i", "now", 2),
                Record("sum", "changing", "i", 3),
                turned("now"),
                Run(ADD, {"u": "sum", "v": "now", "w": "sum"}),
                Record("now", "log", "i"),
            ),
            "i",
        ),
        Take("given back", "at", "state"),
        Record("state", "given back", "zero"),
    )
    given = slots(
        table=(4, 2), cubes=(3, 2, 3), line=(5,), alone=(1, 2), nothing=(2, 0), next=(4,), at=(), zero=(), one=()
    )
    state = slots(**{"given back": (3, 2), "state": PAIR})
    made = slots(
        row=PAIR,
        matrix=(2, 3),
        after=(2, 3),
        x=(),
        only=PAIR,
        lonely=PAIR,
        none=(0,),
        walk=(),
        changing=(4, 2),
        log=(8, 2),
    )
    return Routine("taken", (*given, *state), (*state, *made), stages)


def repeated():
    """Given numbers of turns, one loop in another, ended early, or never begun."""
    enough = program("enough", {"n": (), "most": ()}, lambda n, most: {"done": ((), [most[0] <= n[0]])})
    inside = Repeat("k", (tick("inner"), tick("n"), Run(enough)), until="done")
    stages = (
        Fill("n", ()),
        Fill("inner", ()),
        Fill("done", ()),
        Fill("turn", (), -1.0),
        Repeat("times", (inside, Run(enough)), "turn", "done"),
        Repeat(2, (tick("inner"),)),
        Repeat(0, (Fill("inner", (), 99.0),), "never"),
        Repeat(5, (tick("inner"), Fill("stop", (), math.nan)), until="stop"),
    )
    return Routine("repeated", slots(times=(), k=(), most=()), slots(n=(), inner=(), turn=()), stages)


def rows_of_rows():
    """Loops over matrices of a cube, over their rows and over the entries of these."""
    add = program("add", {"total": (), "x": ()}, lambda total, x: {"sum": ((), [2 * total[0] + x[0]])})
    summed = Run(add, {"sum": "total"})
    innermost = Each("row", "x", (summed,), "few")
    stages = (
        Fill("total", ()),
        Each("cube", "matrix", (Each("matrix", "row", (innermost,)),), "n"),
        Each("line", "x", (summed,)),
    )
    return Routine("rows of rows", slots(cube=(3, 2, 2), n=(), few=(), line=(3,)), slots(total=()), stages)


# --- choices ---------------------------------------------------------------------------------------------------------


def either():
    """One way or the other, nothing on one side, one choice in another; nan is true."""
    stages = (
        When("a", (Fill("x", (), 1.0),), (Fill("x", (), 2.0), Fill("z", (), 4.0))),
        Fill("y", ()),
        When("b", (), (tick("y"),)),
        When("a", (When("b", (tick("y"),), (Copy("a", "y"),)),)),
        When("y", ()),
    )
    return Routine("either", slots(a=(), b=()), slots(x=(), y=()), stages)


# --- collect and sort ------------------------------------------------------------------------------------------------


def collected():
    """Rows, matrices and numbers after those that are there; more than there is room for."""
    stages = (
        Collect("values", "flags", "rows", "count"),
        Collect("values", "flags", "rows", "count", (1e-3, 0.5), (True, False)),
        Fill("other", (), 1.5),
        Collect("matrices", "flags", "cubes", "other", (0.5,) * 4, (False, True, True, False)),
        Collect("first", "one", "cubes", "other"),
        Copy("count", "third"),
        Collect("keys", "flags", "numbers", "third", (0.1,)),
        Collect("one", "one", "numbers", "third"),
    )
    stages = (Fill("one", (), 1.0), *stages)
    state = slots(rows=(4, 2), count=(), cubes=(3, 2, 2), numbers=(5,))
    given = slots(values=(3, 2), flags=(3,), keys=(3,), matrices=(3, 2, 2), first=SQUARE)
    return Routine("collected", (*given, *state), (*state, *slots(other=(), third=())), stages)


WITHIN, ANGLES = (0.1, 0.2, 0.3, 1e-3, 0.5, 0.05), (True, False, False, False, True, False)


def kept_matrices():
    """Matrices of which no two entries count alike: an order by columns is none by rows."""
    stages = (Collect("matrices", "flags", "kept", "count", WITHIN, ANGLES),)
    state = slots(kept=(12, 2, 3), count=())
    return Routine("kept matrices", (*slots(matrices=(19, 2, 3), flags=(19,)), *state), state, stages)


def large_arrays():
    """Too large for a stack that is already well filled."""
    stages = (
        Fill("log", (5000, 2)),
        Fill("work", (6000, 2), 0.5),
        Fill("sum", PAIR),
        Each("table", "row", (Run(TURN, {"old": "row", "new": "sum"}),), "n"),
        Repeat("n", (turned("x"), Record("x", "log", "t", 2), Record("x", "work", "t")), "t"),
        Each("work", "row", (Copy("row", "sum"),)),
        Fill("far", (), 4321.9),
        Take("table", "far", "last"),
        Take("work", "n", "worked"),
    )
    made = slots(log=(5000, 2), sum=PAIR, x=PAIR, last=PAIR, worked=PAIR)
    return Routine("large", slots(table=(4500, 2), n=(), x=PAIR), made, stages)


def sorted_rows():
    """By keys with and without numbers, some equal; rows of any kind, one row, and none."""
    stages = (
        Kernel("sort", ("rows", "keys", "count"), ("in order",)),
        Kernel("sort", ("cubes", "keys", "count"), ("cubes in order",)),
        Kernel("sort", ("keys", "keys", "count"), ("numbers",)),
        Kernel("sort", ("line", "key", "count"), ("alone",)),
        Kernel("sort", ("nothing", "none", "count"), ("still nothing",)),
    )
    given = slots(rows=(6, 2), keys=(6,), cubes=(6, 1, 2), line=(1, 2), key=(1,), nothing=(0, 2), none=(0,), count=())
    made = {"in order": (6, 2), "cubes in order": (6, 1, 2), "numbers": (6,), "alone": (1, 2), "still nothing": (0, 2)}
    return Routine("sorted", given, slots(**made), stages)


# --- names -----------------------------------------------------------------------------------------------------------


def awkward_names():
    """Arrays with the names that printers use themselves or a language keeps, programs with names that meet."""
    words = (
        "i",
        "k",
        "row",
        "total",
        "place",
        "largest",
        "len",
        "np",
        "math",
        "out",
        "result",
        "into",
        "apart",
        "self",
    )
    words += (
        "parameters",
        "constants",
        "made",
        "end",
        "in",
        "let",
        "fn",
        "x_next",
        "x",
        "kernel_solve",
        "awkward names",
    )
    sums = program("a b", {"i": (), "k": ()}, lambda i, k: {"x": ((), [i[0] + 2 * k[0]])})
    again = program("a_b", {"i": (), "k": ()}, lambda i, k: {"x": ((), [i[0] - k[0]])})
    runs = [
        Run((sums, again)[j % 2], {"i": one, "k": other, "x": one}) for j, (one, other) in enumerate(pairwise(words))
    ]
    loop = Repeat(2, (Each("table", "a row", tuple(runs)), Collect("a row", "k", "kept", "total", (0.1,))), "turn")
    solve = (Kernel("solve", ("A", "table"), ("X",)), Kernel("sort", ("X", "table", "i"), ("sorted",)))
    first = (
        Fill("kept", (3,)),
        Fill("a row", ()),
        loop,
        *solve,
        Record("x", "kept", "turn"),
        Take("kept", "place", "total", 2),
    )
    newton = Newton((Run(again, {"i": "x", "k": "x_next", "x": "dx"}),), 2, "x", "dx")
    state = slots(**dict.fromkeys(words, ()))
    made = {"kept": (3,), "X": PAIR, "sorted": PAIR, "turn": ()}
    given = (*state, *slots(table=PAIR, A=SQUARE))
    return Routine("awkward names", given, (*state, *slots(**made)), (*first, newton))


def kernel_newton():
    """Newton with an exact Jacobian and the kernel for the step: the reach of two links, some of it out of reach."""
    residual = program(
        "residual",
        {"q": PAIR, "goal": PAIR},
        lambda q, goal: {
            "f": (PAIR, [cos(q[0]) + cos(q[0] + q[1]) - goal[0], sin(q[0]) + sin(q[0] + q[1]) - goal[1]]),
            "J": (
                SQUARE,
                [-sin(q[0]) - sin(q[0] + q[1]), -sin(q[0] + q[1]), cos(q[0]) + cos(q[0] + q[1]), cos(q[0] + q[1])],
            ),
        },
    )
    near = program(
        "near", {"f": PAIR}, lambda f: {"ok": ((), [select(abs(f[0]) + abs(f[1]) < 1e-9, expr(1), expr(0))])}
    )
    step = (Run(residual), Kernel("solve", ("J", "f"), ("dq",)))
    stages = (Newton(step, 8, "q", "dq", 1e-14), Run(residual), Run(near))
    return Routine("reach", slots(q=PAIR, goal=PAIR), slots(q=PAIR, ok=()), stages)


# --- cases -----------------------------------------------------------------------------------------------------------


def stage_cases() -> tuple[RoutineCase, ...]:
    rng = np.random.default_rng(11)
    nan, inf = math.nan, math.inf
    errors = [{"error": e, "integral": [1.0, -2.0], "last": [0.5, 0.25]} for e in ([1.0, 2.0], [2.0, 1.0], [nan, 1.0])]
    cube = rng.uniform(-1, 1, (3, 2, 2))
    collect = {
        "values": [[0.1, 1.0], [0.1 + 2 * math.pi, 1.4], [3.0, 3.0]],
        "keys": [0.5, 0.55, nan],
        "matrices": [cube[0], cube[0] + [[0, 2 * math.pi], [0, 0]], cube[1]],
        "first": cube[2],
        "rows": rng.uniform(-1, 1, (4, 2)),
        "cubes": [cube[1], cube[2], cube[0]],
        "numbers": [1.0, 2.0, nan, inf, 0.5],
    }
    flags = ([1, 1, 1], [0, 0, 0], [nan, 0, -1], [0, 1, 1])
    keys = ([3.0, nan, -1.0, 3.0, -inf, inf], [nan] * 6, [1.0, 1.0, 0.0, -0.0, 0.0, 1.0], [6, 5, 4, 3, 2, 1])
    sort = {"rows": rng.uniform(-1, 1, (6, 2)), "cubes": rng.uniform(-1, 1, (6, 1, 2)), "line": [[1, 2]], "key": [3]}
    sort |= {"nothing": np.zeros((0, 2)), "none": np.zeros(0)}
    off = [np.eye(6)[k] * step for k in range(6) for step in (0.9 * WITHIN[k], 1.1 * WITHIN[k], 2 * math.pi)]
    matrices = rng.uniform(-1, 1, (2, 3)) + np.reshape([np.zeros(6), *off], (19, 2, 3))
    keep = {"matrices": matrices, "flags": np.ones(19), "kept": rng.uniform(-9, 9, (12, 2, 3))}
    take = {"table": rng.uniform(-1, 1, (4, 2)), "cubes": rng.uniform(-1, 1, (3, 2, 3)), "line": [1, nan, 3, -inf, 5]}
    take |= {"alone": [[6, 7]], "nothing": np.zeros((2, 0)), "next": [2.5, nan, 1e300, -7], "zero": 0, "one": 1}
    take |= {"given back": rng.uniform(-1, 1, (3, 2)), "state": [8, 9]}
    large = {"table": rng.uniform(-1, 1, (4500, 2)), "x": [1.0, 2.0]}
    awkward = awkward_names()
    names = {slot.name: rng.uniform(0.1, 0.3, slot.shape) for slot in awkward.inputs}
    return (
        case(controller(), *errors),
        case(swapped(), {"a": [1, 2], "b": [3, 4]}),
        case(untouched(), {"cube": cube[:1].reshape(2, 1, 2), "scalar": nan, "none": np.zeros((0, 3)), "idle": [1, 2]}),
        case(one_state(), {"x": 1.0, "a": 2.0}, {"x": 3.0, "a": 9.0}, {"x": 1.0, "a": nan}),
        case(snapshots(), {"given": [[1, 2], [3, 4]], "x": [7, 8]}),
        case(straight_through(), {"a": [[1, nan], [inf, 4]], "k": 5}),
        case(filled(), {}),
        case(
            recorded(),
            *(
                {"x": [1, 2], "n": n, "at": at, "pair": cube[0]}
                for n, at in zip((0, 1, 4, 30, nan, -2, 7.9) * 2, ODD_COUNTS, strict=False)
            ),
        ),
        case(taken(), *({**take, "at": at} for at in (*ODD_COUNTS, *ODD_TURNS))),
        case(
            repeated(),
            *(
                {"times": n, "k": k, "most": 10}
                for n in ODD_COUNTS
                for k in (0, 2.5, 1e18, nan)
                if not (n > 1e9 and not k > 1)
            ),
        ),
        case(
            rows_of_rows(),
            *({"cube": cube, "n": n, "few": few, "line": [1, 2, 3]} for n in ODD_COUNTS for few in (1, 9)),
        ),
        case(either(), *({"a": a, "b": b} for a in (0, -0.0, 1, nan, inf) for b in (0, nan, 1e-320))),
        case(collected(), *({**collect, "count": n, "flags": f} for n in ODD_COUNTS for f in flags)),
        case(kept_matrices(), *({**keep, "count": n} for n in (0, 5))),
        case(large_arrays(), *({**large, "n": n} for n in (3, 11))),
        case(sorted_rows(), *({**sort, "keys": k, "count": n} for k in keys for n in (6, 9, 4, 2.5, 0, nan, inf, -1))),
        case(awkward, names),
        case(
            kernel_newton(),
            *(
                {"q": q, "goal": goal}
                for q in ([0.3, 1.0], [0.0, 0.0], [0.1, -0.7])
                for goal in ([1.2, 0.8], [0.4, -1.0])
            ),
        ),
    )
