"""A model inside a law: its stages, and what it remembers where its loops are closed by iteration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from models.loops.iterated_linkages import stephenson

import robosym
from robosym import models
from robosym.control.dynamics import FOUND_ONCE, Inside, inside
from robosym.program.routine import Routine, Slot, verified_routine
from robosym.runtime import compile_program

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")


def compiled(own: Inside, count: int) -> Callable[..., Any]:
    """The stages alone, as a routine that measures positions."""
    inputs = (Slot("measured", (count,)), *own.inputs, *own.state)
    outputs = (Slot("weight", (count,)), *own.outputs, *own.state)
    made = verified_routine(Routine("inside", inputs, outputs, own.stages))
    return compile_program(made, values=own.model.values)


def test_a_tree_needs_nothing_more() -> None:
    model = models.gravity(robosym.load("planar-2r"))
    own = inside(model, {"q": "measured", "Q": "weight"})
    assert own.inputs == own.state == own.outputs == ()
    q = np.array([0.3, -0.8])
    np.testing.assert_allclose(compiled(own, 2)(measured=q), model.evaluate(q=q))


def test_closed_loops_say_whether_they_are_assembled() -> None:
    model = models.gravity(robosym.load("five-bar-general"))
    own = inside(model, {"q": "measured", "Q": "weight"})
    assert [slot.name for slot in own.outputs] == ["assembled"]
    assert own.inputs == own.state == ()
    q = np.random.default_rng(0).uniform(-3, 3, (300, 2))
    found, alone = compiled(own, 2)(measured=q), model.compile()(q=q)
    np.testing.assert_array_equal(found["assembled"], alone["assembled"])
    there = alone["assembled"] == 1
    assert 0 < there.sum() < 300
    np.testing.assert_allclose(found["weight"][there], alone["Q"][there], rtol=1e-12)


def test_an_iteration_begins_where_the_last_one_ended() -> None:
    """At the first call at the description; where the loops did not close, the state stays as it was."""
    model = models.gravity(stephenson())
    own = inside(model, {"q": "measured", "Q": "weight"})
    f, alone = compiled(own, 1), model.compile()
    names = [slot.name for slot in own.state]
    assert names == ["passive", FOUND_ONCE]
    q = np.asarray(model.centre["q"], float)
    nothing = {"passive": np.zeros(own.state[0].shape), FOUND_ONCE: 0.0}
    first = f(measured=q, **nothing)
    here = alone(q=q)
    assert first["assembled"] == first[FOUND_ONCE] == 1
    np.testing.assert_allclose(first["weight"], here["Q"], rtol=1e-9)
    np.testing.assert_allclose(first["passive"], here["passive"], rtol=1e-9)
    kept = {name: first[name] for name in names}
    near = f(measured=q + 1e-3, **kept)
    np.testing.assert_allclose(near["weight"], alone(q=q + 1e-3)["Q"], rtol=1e-8)
    assert 0 < np.abs(near["passive"] - first["passive"]).max() < 0.1
    wrong = {"passive": kept["passive"] + 0.5, FOUND_ONCE: 0.0}  # not read before the first were found
    np.testing.assert_allclose(f(measured=q, **wrong)["passive"], first["passive"], rtol=1e-9)
    lost = f(measured=np.full(1, np.nan), **kept)
    assert lost["assembled"] == 0
    assert lost[FOUND_ONCE] == 1
    np.testing.assert_array_equal(lost["passive"], kept["passive"])
