"""What a simulation is given beside motions: numbers by name, changes in time, and errors that name the argument."""

from __future__ import annotations

import math
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

import robosym
from robosym.robot import Robot
from robosym.simulation import SimulationError
from robosym.simulation.given import changes_of, check_batch_names, in_time, numbers, told_apart, values_of
from robosym.simulation.grids import Grid


@cache
def robot() -> Robot:
    return robosym.load("planar-2r")


@pytest.mark.parametrize(
    ("common", "parameters", "batch", "name"),
    [({"q": [0.1]}, None, {"q": [1]}, "q"), ({}, {"M1": 2}, {"M1": [1]}, "M1")],
)
def test_batches_have_no_name_of_all_runs(common: Any, parameters: Any, batch: Any, name: str) -> None:
    with pytest.raises(SimulationError, match=f"{name}: given once for all runs and in the batch"):
        check_batch_names(batch, common, parameters)
    check_batch_names(None, common, parameters)
    check_batch_names(batch, {"q": None}, {"M2": 1.0})


def test_inputs_in_time() -> None:
    assert in_time({"torque": lambda t: [0.0, 0.0], "disturbance": [1.0, 2.0]}) == {"torque"}
    assert in_time({}) == frozenset()


def test_gains_and_parameters_have_names_of_their_own() -> None:
    law: Any = SimpleNamespace(parameters=lambda: {"Kp1": 1.0, "M1": 2.0})
    told_apart(law, frozenset({"M2"}))
    told_apart(None, frozenset({"M1"}))
    with pytest.raises(SimulationError, match="M1: a gain of the law has the name"):
        told_apart(law, frozenset({"M1", "M2"}))


def test_a_number_for_every_parameter() -> None:
    """Of the models that judge sticking too; what is given comes first, and of a batch its first run."""

    def model(names: list[str], **values: float) -> Any:
        symbols = [SimpleNamespace(name=name) for name in names]
        return SimpleNamespace(code=SimpleNamespace(parameter_symbols=symbols), values=values)

    plain: Any = SimpleNamespace(robot=robot(), model=model(["A", "B"], A=1.0), sticking=None)
    assert values_of(plain, {"B": [5.0, 6.0], "unused": 9.0}) == {"A": 1.0, "B": 5.0}
    assert values_of(plain, {"A": 3.0, "B": 2.0}) == {"A": 3.0, "B": 2.0}
    judge = SimpleNamespace(judge=model(["C"], C=7.0))
    sticking: Any = SimpleNamespace(robot=robot(), model=model(["A"], A=1.0), sticking=judge)
    assert values_of(sticking, {}) == {"A": 1.0, "C": 7.0}
    with pytest.raises(SimulationError, match=r"planar-2r: no value for B: a simulation"):
        values_of(plain, {})
    many: Any = SimpleNamespace(robot=robot(), model=model([f"P{k:02}" for k in range(13)]), sticking=None)
    with pytest.raises(SimulationError, match=r"P00, .*P09 and 3 more:"):
        values_of(many, {})


def test_changes_at_ticks() -> None:
    """At the first tick that is not before, in order; the end itself is a time."""
    grid = Grid(100, 0.01, 1, 0.01, 1)
    name, other = sorted(robot().parameter_names)[:2]
    found = changes_of({0.5: {name: 2.0}, 0.0: {other: 1.0}, 0.2501: {name: 3.0}, 1.0: {}}, grid, robot())
    assert found == [(0, {other: 1.0}), (26, {name: 3.0}), (50, {name: 2.0}), (100, {})]
    assert changes_of({0.07: {}}, grid, robot())[0][0] == 7
    assert changes_of(None, grid, robot()) == []
    with pytest.raises(SimulationError, match=r"at 1.01 s the simulation is over, it lasts 1 s"):
        changes_of({1.01: {}}, grid, robot())
    with pytest.raises(SimulationError, match=r"changes at 0.5 s: planar-2r has no parameter 'nothing'"):
        changes_of({0.5: {"nothing": 1}}, grid, robot())


def test_numbers_by_name() -> None:
    name = min(robot().parameter_names)
    assert numbers("parameters", {name: 2}, robot()) == {name: 2.0}
    assert numbers("parameters", None, robot()) == {}
    for given, word in (
        ({"x": 1}, "has no parameter 'x'"),
        ({name: [1, 2]}, rf"parameters, {name}: got the shape \(2,\)"),
        ({name: math.nan}, f"parameters, {name}"),
    ):
        with pytest.raises(SimulationError, match=word):
            numbers("parameters", given, robot())  # type: ignore[arg-type]
