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
    Routine,
    Run,
    Slot,
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
