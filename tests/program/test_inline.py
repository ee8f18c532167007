"""Routines written out as one program: what the interpreter gives for the same stages."""

from __future__ import annotations

import random

import numpy as np
import pytest
from program.routines import outputs, program

from robosym.expr import cos, parameter, sin, variable
from robosym.program import Array, ProgramError
from robosym.program.inline import straight_line
from robosym.program.routine import (
    Copy,
    Fill,
    Newton,
    Record,
    Repeat,
    Routine,
    Run,
    Slot,
    Stage,
    Take,
    When,
    verified_routine,
)
from robosym.program.verify import verified

K = parameter("k")
TURN = program(
    "turn", {"x": (2,), "u": ()}, lambda x, u: {"x_now": ((2,), [x[0] * cos(u[0]) - K * x[1], sin(u[0]) + x[1]])}, (K,)
)
SCALE = program(
    "scale", {"x": (2,), "y": (2,)}, lambda x, y: {"y_now": ((2,), [x[0] * y[1], x[1] - y[0]]), "u": ((), [y[0]])}
)


def symbols_of(routine: Routine) -> tuple[Array, ...]:
    return tuple(
        Array(slot.name, slot.shape, tuple(variable(f"{slot.name}_{k}") for k in range(slot.size)))
        for slot in routine.inputs
    )


def random_stages(rng: random.Random, depth: int = 2) -> tuple[Stage, ...]:
    """Stages on x, y (2,), u (), table (5, 2) and seen (4, 2); the turns of loops are called after their depth."""
    stages: list[Stage] = []
    turn = f"turn{depth + 1}"
    for _ in range(rng.randint(2, 4)):
        kind = rng.randrange(7 if depth < 2 else 5)
        if kind == 0:
            stages.append(Run(TURN, {"x_now": "x"}))
        elif kind == 1:
            stages.append(Run(SCALE, {"x": "y", "y": "x", "y_now": "y"}))
        elif kind == 2:
            stages.append(Copy(*rng.sample(["x", "y"], 2)))
        elif kind == 3:
            stages.append(Fill("u", (), rng.choice([0.5, -0.25])))
        elif kind == 4 and depth:
            inner = random_stages(rng, depth - 1)
            stages.append(Repeat(rng.randint(0, 3), inner, f"turn{depth}"))
        elif kind == 5:
            stages.append(Take("table", turn, rng.choice(["x", "y"])))
        elif kind == 6:
            stages.append(Record(rng.choice(["x", "y"]), "seen", turn))
    return tuple(stages)


@pytest.mark.parametrize("seed", range(12))
def test_the_program_does_what_the_stages_do(seed: int) -> None:
    rng = random.Random(seed)
    begin = (Fill("u", (), 0.125), Fill("seen", (4, 2), -1.0), Copy("x0", "x"), Copy("y0", "y"))
    given = (Slot("x0", (2,)), Slot("y0", (2,)), Slot("table", (5, 2)))
    routine = verified_routine(
        Routine("r", given, outputs(x=(2,), y=(2,), u=(), seen=(4, 2)), (*begin, *random_stages(rng)))
    )
    line = verified(straight_line(routine, symbols_of(routine)))
    numbers = np.random.default_rng(seed)
    inputs = {"x0": numbers.uniform(-1, 1, 2), "y0": numbers.uniform(-1, 1, 2), "table": numbers.uniform(-1, 1, (5, 2))}
    expected = routine.call(parameters={"k": 0.7}, **inputs)
    found = line.call(parameters={"k": 0.7}, **inputs)
    for name, array in expected.items():
        np.testing.assert_allclose(found[name], array, rtol=1e-12, atol=1e-13)


def test_rows_of_tables_and_records() -> None:
    """Each turn takes a row and leaves one: the table turned over in two matrices of rows of two."""
    double = program("double", {"row": (2, 2)}, lambda row: {"row_now": ((2, 2), [2 * row[k] for k in (3, 2, 1, 0)])})
    stages = (
        Fill("seen", (4, 2, 2), 9.0),
        Repeat(3, (Take("table", "k", "row"), Run(double, {"row_now": "row"}), Record("row", "seen", "k")), "k"),
    )
    given = (Slot("table", (3, 2, 2)),)
    routine = verified_routine(Routine("r", given, outputs(seen=(4, 2, 2)), stages, ("a name", "a note")))
    assert straight_line(routine, symbols_of(routine)).notes == ("a note",)
    table = np.random.default_rng(0).normal(size=(3, 2, 2))
    found = straight_line(routine, symbols_of(routine)).call(table=table)["seen"]
    np.testing.assert_allclose(found[:3], 2 * table[:, ::-1, ::-1])
    assert (found[3] == 9).all()


@pytest.mark.parametrize(
    "stage",
    [
        When("s", (Fill("o"),), (Fill("o"),)),
        Repeat("s", (Fill("o"),)),
        Repeat(3, (Fill("o"),), None, "s"),
        Repeat(2, (Take("t", "k", "o", 2),), "k"),
        Repeat(2, (Record("s", "t_out", "k", 2),), "k"),
        Take("t", "s", "o"),
        Newton((Fill("dx"),), 2, "o", "dx"),
    ],
)
def test_what_is_no_straight_line_is_refused(stage: Stage) -> None:
    stages = (Fill("o"), Fill("t_out", (3,)), stage)
    routine = Routine("branches", (Slot("s", ()), Slot("t", (3,))), outputs(o=()), stages)
    with pytest.raises(ProgramError, match="routine 'branches' has loops and branches"):
        straight_line(routine, symbols_of(routine))
