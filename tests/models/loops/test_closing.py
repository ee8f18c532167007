"""Models of robots with closed loops in batches, with values given late, as C, and with the loops left open."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np
import pytest
from c_calls import call_c
from models.loops.closed_states import clear_states, modes, named, output
from models.loops.random_mechanisms import random_mechanism
from models.reference import relative_error
from sweeps import some

import robosym
from robosym import models


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["four-bar/2", "sr400", "six-bar/1"])
def test_batches_and_single_calls_are_one(name: str) -> None:
    robot = named(name)
    states = clear_states(robot, None, 5)
    forward = models.forward_dynamics(robot, friction=True).compile()
    batch = {key: np.array([getattr(state, key) for state in states]) for key in ("q", "qd", "tau")}
    together = output(forward(**batch), "qdd")
    for k, state in enumerate(states):
        assert np.array_equal(together[k], output(forward(q=state.q, qd=state.qd, tau=state.tau), "qdd"))


def test_a_batch_says_which_of_its_states_cannot_be_assembled() -> None:
    robot = named("four-bar/0")
    f = models.inverse_dynamics(robot).compile()
    q = np.linspace(-np.pi, np.pi, 50)[:, None] + np.zeros(robot.nv)
    found = f(q=q, qd=np.ones_like(q), qdd=np.ones_like(q))
    alone = [f(q=row, qd=np.ones(robot.nv), qdd=np.ones(robot.nv)) for row in q]
    assert np.array_equal(found["assembled"], [one["assembled"] for one in alone])
    assert {0.0, 1.0} == set(np.asarray(found["assembled"]).tolist())
    assert np.isfinite(found["tau"][found["assembled"] == 1]).all()


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["four-bar/3", "palletizer/1"])
def test_values_given_late_are_those_of_the_description(name: str) -> None:
    """The same mechanism with numbers, and with symbols that get their values in the call."""
    kind, seed = name.split("/")
    plain, symbolic = (random_mechanism(kind, int(seed), one) for one in (False, True))
    late = {key: value.number for key, value in symbolic.values.items()}
    bare = symbolic.replace(values={})
    found = models.loop_geometry(plain).modes
    for mode in some((found[-1], found[0]), every=2):
        state = clear_states(plain, mode, 1)[0]
        inputs = {"q": state.q, "qd": state.qd, "qdd": state.qdd}
        expected = output(models.inverse_dynamics(plain, mode=mode, friction=True).evaluate(**inputs), "tau")
        for robot, given in ((symbolic, None), (bare, late)):
            f = models.inverse_dynamics(robot, mode=mode, friction=True).evaluate
            assert relative_error(output(f(**inputs, parameters=given), "tau"), expected) < 1e-11


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("model", ["inverse-dynamics", "jacobian", "inertia-matrix", "coriolis", "energy"])
def test_the_open_structure_is_the_equivalent_tree(model: str) -> None:
    robot = robosym.load("sr400")
    options = {"frame": "link6"} if model == "jacobian" else {}
    make = models.MODELS[model]
    one, other = make(robot, structure="tree", **options), make(robot.equivalent_tree, **options)
    assert one.source("c") == other.source("c")


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.runs("c")
@pytest.mark.parametrize("name", ["four-bar/1", "spherical/0"])
def test_generated_c_gives_what_python_gives(name: str, compiled: Callable[[str], ctypes.CDLL]) -> None:
    robot = named(name)
    for make, inputs in ((models.inverse_dynamics, ("q", "qd", "qdd")), (models.forward_dynamics, ("q", "qd", "tau"))):
        model = make(robot, mode=modes(name)[-1], friction=True, wrench="none")
        library = compiled(model.source("c"))
        parameters = [model.values[symbol.name] for symbol in model.program.parameter_symbols]
        for state in clear_states(robot, modes(name)[-1], 2):
            given = {key: getattr(state, key) for key in inputs}
            expected = model.evaluate(**given)
            found = call_c(library, model.program, given, parameters)
            for array in model.program.outputs:
                assert relative_error(found[array.name], expected[array.name]) < 1e-12
