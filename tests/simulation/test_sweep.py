"""Sweeps in parts, here and on a cluster, give what one call of ``simulate`` gives."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import robosym
from robosym import RobosymError, control, simulate
from robosym.caches import PLACE
from robosym.robot import Robot
from robosym.simulation import Runs, SimulationError, sweep
from robosym.trajectory import point_to_point

MOVE = point_to_point([0.1, -0.2], [0.9, 0.7], "quintic", duration=0.4)
OPTIONS: dict[str, Any] = {"step": 1e-3, "q": [0.15, -0.2]}
RNG = np.random.default_rng(5)
BATCH = {"bandwidth": np.linspace(5, 40, 23), "M2": RNG.uniform(0.5, 3.0, 23)}


@cache
def robot() -> Robot:
    return robosym.load("planar-2r")


@cache
def law() -> control.Law:
    return control.computed_torque(robot(), bandwidth=15, period=2e-3)


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as found,
    ):
        yield found


def same(found: Runs, expected: Any) -> None:
    assert isinstance(found, Runs)
    own, other = found.as_arrays(), expected.as_arrays()
    assert list(own) == list(other)
    for name, values in own.items():
        # Runs that share the lanes of a register with others, or do not, are summed in another order.
        np.testing.assert_allclose(values, other[name], rtol=1e-11, atol=1e-11, err_msg=name)
    assert found.counted.keys() == expected.counted.keys()
    for name, values in found.counted.items():
        np.testing.assert_allclose(values, expected.counted[name], rtol=1e-13, atol=1e-13, err_msg=name)
    np.testing.assert_array_equal(found.failed, expected.failed)
    assert found.reasons == expected.reasons
    assert found.notes == expected.notes
    assert dict(found.settings) == dict(expected.settings)
    assert found.varied.keys() == expected.varied.keys()
    for name, values in found.varied.items():
        np.testing.assert_array_equal(values, expected.varied[name])


def test_parts_give_the_whole() -> None:
    whole = simulate(robot(), law(), MOVE, batch=BATCH, **OPTIONS)
    for parts in (None, 1, 4, 100):
        told: list[float] = []
        same(sweep(robot(), law(), MOVE, batch=BATCH, parts=parts, progress=told.append, **OPTIONS), whole)
        assert told == sorted(told)
        assert told[-1] == 1.0


def test_noise_is_that_of_the_number_of_the_run() -> None:
    noisy = {**OPTIONS, "noise": {"q": 1e-4, "qd": 1e-3}, "seed": 7}
    same(
        sweep(robot(), law(), MOVE, batch=BATCH, parts=5, **noisy), simulate(robot(), law(), MOVE, batch=BATCH, **noisy)
    )
    seeds = {"seed": [3, 1, 4, 1, 5]}
    found = sweep(robot(), law(), MOVE, batch=seeds, parts=3, **noisy)
    same(found, simulate(robot(), law(), MOVE, batch=seeds, **noisy))
    np.testing.assert_array_equal(found.q[1], found.q[3])
    assert np.abs(found.q[0] - found.q[1]).max() > 0


def test_references_of_their_own_last_as_long_as_the_longest() -> None:
    moves = [point_to_point([0, 0], [x, -x], "quintic", duration=0.1 + 0.1 * x) for x in (1, 3, 2)]
    found = sweep(robot(), law(), batch={"reference": moves}, parts=3, every=10)
    same(found, simulate(robot(), law(), batch={"reference": moves}, every=10))
    assert found.duration == pytest.approx(0.4)
    assert "rms error" in found.counted


def test_lost_runs_keep_their_reasons() -> None:
    batch = {"bandwidth": [10.0, 5e4, 20.0, 6e4]}
    options = {**OPTIONS, "limits": False}
    found = sweep(robot(), law(), MOVE, batch=batch, parts=2, **options)
    assert found.lost.tolist() == [False, True, False, True]
    same(found, simulate(robot(), law(), MOVE, batch=batch, **options))


def test_a_cluster_gives_what_one_process_gives(client: Any) -> None:
    told: list[float] = []
    options = {**OPTIONS, "noise": {"q": 1e-4}, "disturbance": lambda t: [0.1 * t, 0.0]}
    found = sweep(robot(), law(), MOVE, batch=BATCH, client=client, progress=told.append, **options)
    same(found, simulate(robot(), law(), MOVE, batch=BATCH, **options))
    assert len(told) == 8
    assert told[-1] == 1.0


def test_a_part_that_fails_on_a_worker_says_why(client: Any) -> None:
    with pytest.raises(SimulationError, match="measured: got 'motors', expected 'joints': no joint is flexible"):
        sweep(robot(), law(), MOVE, batch=BATCH, client=client, measured="motors", **OPTIONS)


def test_what_is_wrong_is_said_before_anything_runs() -> None:
    for given, words in (
        ({"batch": None}, "batch: got None, expected a mapping"),
        ({"batch": {}}, "batch: expected what differs by name"),
        ({"batch": {"speed": [1, 2]}}, "nothing is called 'speed'"),
        ({"batch": BATCH, "parts": 0}, "parts: got 0, expected a whole number of at least 1"),
        (
            {"batch": BATCH, "client": "tcp://there:8786"},
            "client: got 'tcp://there:8786', expected a distributed.Client",
        ),
        ({"batch": BATCH, "duration": -1}, "duration: got -1, expected a number above 0"),
        ({"batch": BATCH, "stp": 1e-3}, "stp: simulate has no such argument"),
        ({"batch": BATCH, "noise": {"tau": 1}}, "noise: got {'tau': 1}, expected a mapping of 'q' or 'qd'"),
        ({"batch": BATCH, "step": 7e-4}, "does not divide the period"),
    ):
        with pytest.raises(RobosymError, match=words):
            sweep(robot(), law(), MOVE, **given)


def test_without_dask_the_error_says_what_to_install(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    with pytest.raises(RobosymError, match=r"pip install robosym\[cluster\]"):
        sweep(robot(), law(), MOVE, batch=BATCH, client=client, **OPTIONS)


def test_a_robot_in_another_process_begins_anew() -> None:
    """Kernels are known by objects of this process: a copy that kept them could take one for another."""
    simulate(robot(), law(), MOVE)
    assert PLACE in vars(robot())
    copy = pickle.loads(pickle.dumps(robot()))
    assert copy == robot()
    assert PLACE not in vars(copy)
