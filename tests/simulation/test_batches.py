"""What differs between the runs of a batch, sorted by what it is; sizes that agree, and errors that name the entry."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import robosym
from robosym.robot import Robot
from robosym.simulation import SimulationError
from robosym.simulation.batches import Batch, batch_of
from robosym.trajectory import point_to_point


@cache
def robot() -> Robot:
    return robosym.load("planar-2r")


def gains(**settings: Any) -> dict[str, Any]:
    """Of one joint a gain each run, of the others one for all."""
    bandwidth = np.asarray(settings.get("bandwidth", 3.0))
    return {"Kp1": bandwidth**2, "Kd": 7.0}


LAW: Any = SimpleNamespace(settings={"bandwidth": np.ones(2), "damping": 1.0}, parameters=gains)


def test_everything_at_once() -> None:
    name = min(robot().parameter_names)
    motion = point_to_point([0, 0], [1, 1], duration=1.0)
    found = batch_of(
        {
            "bandwidth": [10, 20],
            name: [0.5, 0.6],
            "q": [[0, 0.1], [0.2, 0.3]],
            "qd": np.zeros((2, 2)),
            "reference": [motion, motion],
            "seed": [1, 2.0],
        },
        robot(),
        LAW,
    )
    assert found.size == 2
    assert found.seeds == [1, 2]
    assert found.references == [motion, motion]
    np.testing.assert_array_equal(found.settings["bandwidth"], [10, 20])
    np.testing.assert_array_equal(found.parameters[name], [0.5, 0.6])
    np.testing.assert_array_equal(found.states["q"], [[0, 0.1], [0.2, 0.3]])
    assert set(found.states) == {"q", "qd"}
    assert set(found.gains) == {"Kp1"}  # those that differ
    np.testing.assert_array_equal(found.gains["Kp1"], [100, 400])
    varied = found.varied
    assert set(varied) == {"bandwidth", name, "q", "qd", "reference", "seed"}
    np.testing.assert_array_equal(varied["seed"], [1.0, 2.0])
    np.testing.assert_array_equal(varied["reference"], [0.0, 1.0])


def test_a_single_run() -> None:
    assert batch_of(None, robot(), None) == Batch()
    assert Batch().size is None
    assert Batch().varied == {}


def test_settings_of_every_joint() -> None:
    found = batch_of({"bandwidth": [[1, 2], [3, 4], [5, 6]]}, robot(), LAW)
    assert found.size == 3
    assert batch_of({"bandwidth": [[1], [3]]}, robot(), LAW).size == 2


@pytest.mark.parametrize(
    ("given", "law", "word"),
    [
        ({}, None, "batch: expected what differs by name"),
        ([1], None, "batch: expected what differs by name"),
        ({"reference": [1]}, None, "without a law nothing follows it"),
        ({"reference": "abc"}, LAW, "batch, reference: expected a list"),
        ({"seed": [1, -1]}, None, "batch, seed: got -1"),
        ({"seed": [True]}, None, "batch, seed: got True"),
        ({"seed": [1.5]}, None, "batch, seed: got 1.5"),
        ({"seed": 3}, None, "batch, seed: expected a list"),
        ({"q": [0.1, 0.2]}, None, "batch, q: expected a row for each run"),
        ({"bandwidth": [[1, 2, 3]]}, LAW, "batch, bandwidth: expected a number for each run, or 2 in a row"),
        ({"bandwidth": np.ones((1, 1, 1))}, LAW, "batch, bandwidth: expected"),
        ({"bandwidth": 3.0}, LAW, "batch, bandwidth: expected an entry for each run"),
        ({"bandwidth": [3.0]}, None, "nothing is called 'bandwidth'"),
        ({"nobody": [1]}, LAW, "nothing is called 'nobody'; expected bandwidth, damping, q, qd"),
        ({"seed": [1, 2], "q": [[0, 0]]}, None, "the numbers differ: q 1, seed 2"),
        ({"seed": []}, None, "there is no run in it"),
        ({"NAME": [[1, 2]]}, None, "expected a number for each run"),
    ],
)
def test_what_is_wrong(given: Any, law: Any, word: str) -> None:
    if isinstance(given, dict) and "NAME" in given:
        given = {min(robot().parameter_names): given["NAME"]}
    with pytest.raises(SimulationError, match=word):
        batch_of(given, robot(), law)
