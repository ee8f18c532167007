"""Modules of routines in lanes: where arrays lie, and groups of states."""

from __future__ import annotations

import numpy as np
import pytest
from codegen.random_routines import (
    program,
)
from runtime.lanes import always, check

from robosym.codegen.targets.c.routine import facts_of
from robosym.program.routine import (
    Copy,
    Fill,
    Record,
    Repeat,
    Routine,
    Run,
    Slot,
    Take,
    When,
)
from robosym.runtime import lanes_ir
from robosym.runtime.host import host
from robosym.runtime.lanes_ir import lanes_module


@pytest.fixture(autouse=True)
def in_lanes(monkeypatch):
    always(monkeypatch)


def test_long_arrays_of_programs(monkeypatch):
    """Programs read and write them by vectors, although they do not lie on the stack."""
    monkeypatch.setattr(lanes_ir, "LARGE", 8)
    monkeypatch.setattr(lanes_ir, "ROOM", 64)
    n = 30
    doubled = program("doubled", {"x": (n,)}, lambda x: {"y": ((n,), [2 * x[i] + x[n - 1 - i] for i in range(n)])})
    stages = (Run(doubled), When("flag", (Run(doubled, {"x": "y", "y": "x"}),)), Copy("x", "z"))
    routine = Routine("r", (Slot("x", (n,)), Slot("flag", ())), (Slot("x", (n,)), Slot("z", (n,))), stages)
    x = np.random.default_rng(6).uniform(-1, 1, (7, n))
    check(routine, {"x": x, "flag": np.arange(7.0) % 2})
    assert lanes_module(facts_of(routine), host(), ["x", "flag"], False).heap >= 3 * n * host().lanes


W = host().lanes
SQUARED = program("squared", {"x": (2,)}, lambda x: {"y": ((2,), [x[0] * x[0] - x[1], x[0] + 2 * x[1]])})


@pytest.mark.parametrize("count", [W, W + 1, 2 * W, 3 * W - 1])
@pytest.mark.parametrize("shared", [(), ("x",), ("k",), ("k", "kept")])
def test_groups_of_any_number_of_states(count, shared):
    """State, workspace and outputs; what some inputs of all states decide is done once."""
    stages = (Run(SQUARED, {"y": "z"}), Copy("z", "own"), When("k", (Run(SQUARED, {"x": "own", "y": "kept"}),)))
    routine = Routine(
        "r", (Slot("x", (2,)), Slot("k", ()), Slot("kept", (2,))), (Slot("z", (2,)), Slot("kept", (2,))), stages
    )
    rng = np.random.default_rng(count)
    batch = {
        "x": rng.uniform(-1, 1, (count, 2)),
        "k": rng.choice([0.0, 1.0], count),
        "kept": rng.uniform(-1, 1, (count, 2)),
    }
    check(routine, batch, shared)


@pytest.mark.parametrize(("large", "room"), [(512, 2**15), (4, 2**15), (512, 8), (4, 8)])
def test_places_of_arrays(large, room, monkeypatch):
    """On the stack or in the heap, by vectors or apart: results are the same."""
    monkeypatch.setattr(lanes_ir, "LARGE", large)
    monkeypatch.setattr(lanes_ir, "ROOM", room)
    stages = (
        Fill("log", (5, 2), 1.0),
        Repeat(7, (Take("table", "turn", "x", 2), Run(SQUARED), Record("y", "log", "turn", 2)), "turn"),
    )
    routine = Routine("r", (Slot("table", (3, 2)),), (Slot("log", (5, 2)), Slot("y", (2,))), stages)
    table = np.random.default_rng(1).uniform(-1, 1, (W + 2, 3, 2))
    check(routine, {"table": table})
    module = lanes_module(facts_of(routine), host(), ["table"], False)
    assert (module.heap > 0) == ((room < 512 and large == 512) or room == 8)
