"""Each stage as machine code does what the interpreter does, at odd counts and turns too."""

from __future__ import annotations

import numpy as np
import pytest
from program.routines import program
from runtime.batches import same

from robosym.program.routine import Collect, Copy, Fill, Newton, Record, Routine, Run, Slot, Take, When
from robosym.runtime import compile_program


def stacked(dicts):
    return {name: np.stack([one[name] for one in dicts]) for name in dicts[0]}


@pytest.mark.parametrize("start", [0.0, 2.0, 1.999, 4.0, -3.0, np.nan, np.inf, 1e300, -1e300])
def test_collect_begins_with_any_count(start):
    rows = np.array([[0.1, 1.0], [0.1 + 2 * np.pi, 1.0], [np.nan, 1.0], [np.nan, 1.0], [0.1, 1.1], [3.0, 3.0]])
    given = (Slot("rows", (6, 2)), Slot("flags", (6,)), Slot("kept", (4, 2)), Slot("total", ()))
    for within, turns in (((0.2, 0.05), (True, False)), ((), ()), ((0.0, 0.0), ())):
        routine = Routine("r", given, given[2:], (Collect("rows", "flags", "kept", "total", within, turns),))
        state = {"rows": rows, "flags": np.array([1, 1, np.nan, 2, -1, 0.0]), "kept": np.ones((4, 2)), "total": start}
        same(compile_program(routine)(**state), routine.call(**state))


@pytest.mark.parametrize("turn", [0.0, -0.0, 1.0, 2.0, 4.0, 6.0, 5.9999, 8.0, -2.0, np.nan, np.inf, 1e300])
def test_record_has_a_row_for_whole_numbers_alone(turn):
    given = (Slot("x", (2,)), Slot("log", (4, 2)), Slot("turn", ()))
    routine = Routine("r", given, given[1:2], (Record("x", "log", "turn", 2),))
    state = {"x": np.array([5.0, 6.0]), "log": np.zeros((4, 2)), "turn": np.array(turn)}
    same(compile_program(routine)(**state), routine.call(**state))


ODD_TURNS = (0.0, -0.0, 0.5, 1.0, 5.9999, 6.0, 9.0, 1e18, 2.0**63, 1e19, 1e300, np.inf, -np.inf, np.nan, -1.0, -1e300)


@pytest.mark.parametrize("shape", [(), (2,), (3, 4), (0,)])  # more than eight entries are moved, fewer go one by one
@pytest.mark.parametrize(("rows", "every"), [(4, 1), (4, 2), (1, 1), (700, 3)])
def test_take_has_a_row_for_every_turn(shape, rows, every):
    """Of a table that is given, and of one that is an output, large or not; alone, in a batch, and onto an input."""
    given = (Slot("table", (rows, *shape)), Slot("turn", ()), Slot("x", shape))
    stages = (Take("table", "turn", "row", every), Copy("table", "own"), Record("x", "own", "turn", every))
    outputs = (Slot("row", shape), Slot("own", (rows, *shape)), Slot("again", shape))
    routine = Routine("r", given, outputs, (*stages, Take("own", "turn", "again", every)))
    f, rng = compile_program(routine), np.random.default_rng(rows)
    turns = [*ODD_TURNS, every * (rows - 1.0), every * rows - 0.5, every * rows]
    states = [
        {"table": rng.standard_normal((rows, *shape)), "turn": np.array(turn), "x": rng.standard_normal(shape)}
        for turn in turns
    ]
    expected = [routine.call(**state) for state in states]
    for state, wanted in zip(states, expected, strict=True):
        same(f(**state), wanted)
    same(f(**stacked(states)), stacked(expected))
    shared = stacked(states) | {"table": states[0]["table"]}  # one table, many turns
    wanted = stacked([routine.call(**(state | {"table": shared["table"]})) for state in states])
    same(f(**shared), wanted)
    state, places = states[1], {slot.name: np.empty(slot.shape) for slot in outputs}
    x = state["x"].copy()
    same(f(table=state["table"], turn=state["turn"], x=x, out=places | {"row": x}), expected[1])


STEP = program("step", {"x": (2,)}, lambda x: {"dx": ((2,), [(x[0] * x[0] - 2) / (2 * x[0]), 0.5 * x[1]])})


@pytest.mark.parametrize("tolerance", [0.0, 1e-9, 0.4, -1.0])
def test_newton_ends_when_it_should(tolerance):
    routine = Routine("r", (Slot("x", (2,)),), (Slot("x", (2,)),), (Newton((Run(STEP),), 6, tolerance=tolerance),))
    f = compile_program(routine)
    for x in ([1.0, 1.0], [0.0, 1.0], [np.nan, 1.0], [1.0, np.inf], [2**0.5, 0.0]):
        np.testing.assert_allclose(f(x=np.array(x)), routine.call(x=x)["x"], 1e-12, 1e-12, err_msg=str(x))


def test_when_takes_nan_for_true():
    stages = (When("c", (Fill("y", (), 1.0),), (Fill("y", (), 2.0),)),)
    f = compile_program(Routine("r", (Slot("c", ()),), (Slot("y", ()),), stages))
    assert [float(f(c=np.array(c))) for c in (0.0, -0.0, np.nan, 1e-320, -1.0)] == [2.0, 2.0, 1.0, 1.0, 1.0]
