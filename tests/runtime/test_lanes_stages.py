"""Every stage in the lanes of vectors gives what it gives at one state: where lanes go the same way and where they do not."""

from __future__ import annotations

import numpy as np
import pytest
from codegen.random_routines import (
    MIXING,
    PARAMETERS,
    empty_routine,
    matrices_routine,
    matrices_states,
    program,
    random_routine,
    random_states,
)
from runtime.hosts import OTHERS, running_on
from runtime.lanes import Arrays, always, check, one_by_one, same, stacked, versions

from robosym.codegen.targets.c.routine import facts_of
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
    verified_routine,
)
from robosym.runtime import compile_program, routine_code
from robosym.runtime.host import host
from robosym.runtime.lanes_ir import lanes_module

COUNT = 2 * host().lanes + 3  # the last lanes have no state of their own
SHARED = ((), ("n", "table"), ("a", "s", "n", "kept", "total"))


@pytest.fixture(autouse=True)
def in_lanes(monkeypatch):
    always(monkeypatch)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("seed", range(500, 509))
def test_random_routines(seed):
    """Bits that agree with single calls, which other tests compare with the interpreter; one of them here too."""
    routine, batch = random_routine(seed), stacked(random_states(seed, COUNT))
    f = check(routine, batch, SHARED[seed % 3], values=PARAMETERS, known=PARAMETERS)
    state = {name: array[2] for name, array in batch.items()}
    expected, found = routine.call(**state, parameters=PARAMETERS), f(**batch)
    for name, array in expected.items():
        np.testing.assert_allclose(found[name][2], array, rtol=1e-12, atol=1e-12, equal_nan=True, err_msg=name)


def test_random_routines_of_which_nothing_differs_but_one_input():
    """What the shared inputs decide is worked out once, by single numbers."""
    for seed in (520, 521, 522):
        batch = stacked(random_states(seed, COUNT))
        check(
            random_routine(seed), batch, [name for name in batch if name != "kept"], values=PARAMETERS, known=PARAMETERS
        )


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("name", OTHERS)
def test_as_on_other_processors(name, monkeypatch):
    monkeypatch.setattr(routine_code, "host", lambda: OTHERS[name])
    with running_on(OTHERS[name]):
        check(random_routine(530), stacked(random_states(530, 19)), ("table",), values=PARAMETERS, known=PARAMETERS)


@pytest.mark.parametrize("options", [{"speed_level": 0}, {"speed_level": 3}])
def test_all_levels_of_optimisation_agree(options):
    check(random_routine(531), stacked(random_states(531, COUNT)), values=PARAMETERS, known=PARAMETERS, **options)


def test_kernels_on_matrices_that_are_singular_or_not_finite():
    check(matrices_routine(), stacked(matrices_states()))


def test_nothing_to_go_over():
    batch = {
        "none": np.zeros((COUNT, 0, 2)),
        "nothing": np.zeros((COUNT, 0)),
        "x": np.arange(2.0 * COUNT).reshape(-1, 2),
    }
    check(empty_routine(), batch)


# --- masks -----------------------------------------------------------------------------------------------------------

ODD = np.array([0.0, 1.0, 5.0, 2.5, -3.0, np.nan, 3.0, 7.0, 0.999, 4.0, 1.0, 6.0])
X = np.random.default_rng(2).uniform(-1, 1, (len(ODD), 2))
HALVED = program(
    "halved", {"x": (2,)}, lambda x: {"next": ((2,), [0.5 * x[0], x[1] + 1]), "small": ((), [abs(x[0]) < 0.1])}
)
HALVE = Run(HALVED, {"next": "x"})


def numbered(count: str) -> tuple[Routine, Arrays]:
    """A loop whose length differs, which says in the end how many turns each state made."""
    stages = (
        Fill("turn", (), -1.0),
        Fill("log", (6, 2), 9.0),
        Fill("small", (), 0.0),
        Repeat(count, (HALVE, Record("x", "log", "turn", 2)), "turn"),
    )
    inputs, outputs = (Slot("x", (2,)), Slot("n", ())), (Slot("x", (2,)), Slot("turn", ()), Slot("log", (6, 2)))
    return Routine("r", inputs, outputs, stages), {"x": X, "n": ODD}


def test_loops_of_different_lengths():
    routine, batch = numbered("n")
    f = check(routine, batch)
    turns = np.maximum(np.nan_to_num(np.trunc(ODD)), 0)
    np.testing.assert_array_equal(f(**batch)["turn"], turns - 1)
    np.testing.assert_array_equal(f(**batch)["x"][:, 1], X[:, 1] + turns)


@pytest.mark.parametrize("shared", [(), ("n",)])
def test_after_a_loop_its_turn_is_the_last(shared):
    """Not the number of turns, with which the loop ended."""
    stages = (
        Fill("turn"),
        Fill("log", (9, 2)),
        Fill("small"),
        Repeat("n", (HALVE,), "turn"),
        Record("x", "log", "turn"),
    )
    routine = Routine("r", (Slot("x", (2,)), Slot("n", ())), (Slot("x", (2,)), Slot("log", (9, 2))), stages)
    f = check(routine, {"x": X, "n": np.roll(ODD, -2)}, shared)
    assert (f(x=X, n=3.0)["log"][:, 2] == f(x=X, n=3.0)["x"]).all()


@pytest.mark.parametrize("times", [9, "n"])
def test_a_turn_may_be_the_last_for_some(times):
    stages = (
        Fill("log", (3, 2)),
        Repeat(times, (HALVE, Record("x", "log", "turn", 3)), "turn", "small"),
    )
    start = () if times == 9 else (Fill("small"), Fill("turn"))
    outputs = (Slot("x", (2,)), Slot("log", (3, 2)), Slot("turn", ()))
    check(Routine("r", (Slot("x", (2,)), Slot("n", ())), outputs, (*start, *stages)), {"x": X, "n": ODD})


def test_branches_and_both_ways_at_once():
    """The condition is changed by what it guards, nan is true, and branches lie in one another."""
    inner = When("small", (Fill("x", (2,), 3.0),), (Copy("y", "x"), Fill("small", (), 1.0)))
    stages = (Copy("n", "small"), Fill("y", (2,), -1.0), When("small", (HALVE, inner), (Fill("y", (2,), 5.0),)))
    outputs = (Slot("x", (2,)), Slot("small", ()), Slot("y", (2,)))
    check(Routine("r", (Slot("x", (2,)), Slot("n", ())), outputs, stages), {"x": X, "n": ODD})


def test_rows_up_to_different_counts():
    stages = (
        Fill("z", (2,)),
        Fill("last", (2,)),
        Each("table", "row", (Copy("row", "last"), Run(MIXING[0], NAMES)), "n"),
    )
    outputs = (Slot("z", (2,)), Slot("last", (2,)))
    tables = np.random.default_rng(3).uniform(-1, 1, (len(ODD), 4, 2))
    for shared in ((), ("table",), ("n",), ("n", "table")):
        extra = {"unused": X}
        inputs = (Slot("table", (4, 2)), Slot("n", ()), Slot("unused", (2,)))
        check(Routine("r", inputs, outputs, stages), {"table": tables, "n": ODD, **extra}, shared)


NAMES = {"u": "row", "v": "z", "x": "z"}
STEP = program("step", {"x": (2,)}, lambda x: {"dx": ((2,), [(x[0] * x[0] - 2) / (2 * x[0]), 0.5 * x[1]])})


@pytest.mark.parametrize("tolerance", [0.0, 1e-9, 0.4, -1.0])
def test_newton_ends_where_it_should(tolerance):
    starts = [[1.0, 1.0], [0.0, 1.0], [np.nan, 1.0], [1.0, np.inf], [2**0.5, 0.0], [3.0, 1e-9], [-1.0, 0.3]]
    routine = Routine(
        "r", (Slot("x", (2,)),), (Slot("x", (2,)), Slot("dx", (2,))), (Newton((Run(STEP),), 6, tolerance=tolerance),)
    )
    check(routine, {"x": np.array(starts)})


def test_newton_with_a_correction_that_all_share():
    """It is given, and what it corrects differs."""
    routine = Routine("r", (Slot("x", (2,)), Slot("dx", (2,))), (Slot("x", (2,)),), (Newton((), 3, tolerance=-1.0),))
    f = check(routine, {"x": X, "dx": X}, ("dx",))
    np.testing.assert_allclose(f(x=X, dx=np.ones(2)), X - 3, rtol=1e-14)


@pytest.mark.parametrize("every", [1, 2])
@pytest.mark.parametrize("shared", [(), ("turn",), ("table",), ("turn", "table")])
def test_rows_at_turns_that_differ(shared, every):
    turns = np.array([0.0, -0.0, 1.0, 2.0, 4.0, 6.0, 5.9999, 8.0, -2.0, np.nan, np.inf, 1e300, -np.inf, 3.0])
    tables = np.random.default_rng(4).uniform(-1, 1, (len(turns), 4, 2))
    stages = (Take("table", "turn", "row", every), Record("row", "log", "turn", every), Take("log", "turn", "again", 3))
    inputs = (Slot("table", (4, 2)), Slot("turn", ()), Slot("log", (4, 2)))
    outputs = (Slot("row", (2,)), Slot("log", (4, 2)), Slot("again", (2,)))
    logs = np.zeros((len(turns), 4, 2))
    check(Routine("r", inputs, outputs, stages), {"table": tables, "turn": turns, "log": logs}, shared)


# --- long tables -----------------------------------------------------------------------------------------------------

ROWS = 600  # times 5 entries: such arrays stay where a caller has them


def tables() -> Routine:
    """Long arrays that are read, written, copied, collected and sorted by rows, some of them in some lanes alone."""
    mixed = program(
        "mixed", {"x": (5,), "row": (5,)}, lambda x, row: {"next": ((5,), [x[i] * 0.5 + row[4 - i] for i in range(5)])}
    )
    keys = program("keys", {"x": (5,)}, lambda x: {"keys": ((ROWS,), [x[i % 5] * (i % 7) for i in range(ROWS)])})
    first = (
        Fill("log", (ROWS, 5), 2.0),
        Fill("kept", (ROWS, 5)),
        Fill("count"),
        Fill("spare", (ROWS, 5), -1.0),
        Run(keys),
    )
    turn = (
        Take("table", "turn", "row", 3),
        Run(mixed, {"next": "x"}),
        Record("x", "log", "turn", 2),
        Record("x", "state", "n"),
        Collect("x", "n", "kept", "count"),
    )
    last = (
        Each("table", "row", (Run(mixed, {"next": "x"}),), "n"),
        When("n", (Copy("log", "spare"), Record("x", "spare", "n"), Fill("log", (ROWS, 5), 7.0))),
        Copy("spare", "whole"),
        Kernel("sort", ("table", "keys", "n"), ("sorted",)),
        Each("table", "row", (Record("row", "log", "n"),), "n"),
    )
    names = ("state", "log", "kept", "whole", "sorted")
    inputs = (Slot("table", (ROWS, 5)), Slot("x", (5,)), Slot("n", ()), Slot("state", (ROWS, 5)))
    outputs = (*(Slot(name, (ROWS, 5)) for name in names), Slot("x", (5,)), Slot("count", ()))
    return verified_routine(Routine("tables", inputs, outputs, (*first, Repeat(20, turn, "turn"), *last)))


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("shared", [(), ("table",), ("table", "state"), ("n", "table", "state")])
def test_long_tables(shared):
    draw = np.random.default_rng(5)
    batch = {slot.name: draw.uniform(-1, 1, (len(ODD), *slot.shape)) for slot in tables().inputs} | {"n": ODD}
    f = check(tables(), batch, shared)
    given = {name: array[0] if name in shared else array for name, array in batch.items()}
    state = {name: array if name in shared else array[2] for name, array in given.items()}
    same({name: array[2] for name, array in f(**given).items()}, tables().call(**state))


# --- lanes do not disturb one another ------------------------------------------------------------------------------------


def test_what_is_not_a_number_stays_in_its_lane():
    routine, _ = numbered("n")
    f = compile_program(routine)
    plain = {"x": np.vstack([X, X]), "n": np.full(2 * len(X), 4.0)}
    expected = f(**plain)
    for lane in range(host().lanes):
        odd = {name: array.copy() for name, array in plain.items()}
        odd["x"][lane] = np.nan
        odd["n"][lane] = (np.nan, np.inf, -1.0)[lane % 3] if lane % 3 != 1 else 1e3
        found = f(**odd)
        for name, array in expected.items():
            np.testing.assert_array_equal(np.delete(found[name], lane, 0), np.delete(array, lane, 0))


def test_where_all_lanes_go_the_same_way_there_are_no_masks():
    """A loop of a length that all states share, references taken from a table of all, rows recorded at its turns."""
    stages = (
        Fill("log", (9, 2)),
        Repeat(
            "n",
            (Take("table", "turn", "row", 2), Run(MIXING[0], {"u": "row", "v": "x"}), Record("x", "log", "turn")),
            "turn",
        ),
        When("n", (Copy("x", "y"),), (Fill("y", (2,)),)),
    )
    inputs = (Slot("x", (2,)), Slot("n", ()), Slot("table", (5, 2)))
    routine = Routine("r", inputs, (Slot("x", (2,)), Slot("log", (9, 2)), Slot("y", (2,))), stages)
    facts, width = facts_of(verified_routine(routine)), host().lanes

    def masks(*batched: str) -> list[str]:
        group = lanes_module(facts, host(), batched, False).text.split("@group(", 1)[1]
        return [line for line in group.splitlines() if f"<{width} x i1>" in line and "store" not in line]

    assert not masks("x")
    assert masks("x", "n")
    batch = {"x": X, "n": np.full(len(X), 7.0), "table": np.ones((len(X), 5, 2))}
    check(routine, batch, ("n", "table"))


def test_parameters_of_all_and_of_each():
    for seed in (540, 541, 542):
        routine, batch = random_routine(seed), stacked(random_states(seed, COUNT))
        f = compile_program(routine, known=PARAMETERS)
        same(
            f(**batch, parameters=PARAMETERS),
            one_by_one(f, batch, (), parameters={k: np.full(COUNT, v) for k, v in PARAMETERS.items()}),
        )
        own = {"L": np.linspace(-1, 1, COUNT), "M": np.linspace(0.2, 2, COUNT)}
        same(f(**batch, parameters=own), one_by_one(f, batch, (), parameters=own), seed)
        shared = {name: array[0] for name, array in batch.items()}  # the parameters alone differ
        expected = stacked([f(**shared, parameters={k: v[i] for k, v in own.items()}) for i in range(COUNT)])
        same(f(**shared, parameters=own), expected, seed)
        assert versions(f) == 3
