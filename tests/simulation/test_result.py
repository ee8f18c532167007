"""Runs: one alone and many at once, whole and lost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from simulation.sample_runs import ROBOTS, lost_at, several, swinging, three

from robosym import RobosymError
from robosym.simulation import Runs

# --- many runs -------------------------------------------------------------------------------------------------------------


def test_runs_by_number_slice_list_and_mask() -> None:
    runs = three()
    assert len(runs) == 3
    assert [run.settings["bandwidth"] for run in runs] == [10, 20, 30]
    assert runs[2].settings["gains"] == [5, 6]
    assert runs[-1].settings == runs[2].settings
    assert runs[1].failed == pytest.approx(1.0)
    assert runs[1].reason
    assert runs[0].failed is None
    for chosen, numbers in (
        (slice(1, 3), [1, 2]),
        ([2, 0], [2, 0]),
        (runs.lost, [1]),
        (slice(None, None, -1), [2, 1, 0]),
    ):
        some = runs[chosen]
        assert isinstance(some, Runs)
        assert some.varied["bandwidth"].tolist() == [10 * (k + 1) for k in numbers]
        assert np.array_equal(some.q, runs.q[numbers], equal_nan=True)
        assert np.array_equal(some.failed, runs.failed[numbers], equal_nan=True)
        assert some.reasons == tuple(runs.reasons[k] for k in numbers)
    for wrong in (3, -4):
        with pytest.raises(IndexError, match="there are 3"):
            runs[wrong]


def test_what_is_the_same_in_all_runs_may_be_given_once() -> None:
    runs = three()
    shared = replace(runs, reference={"q_d": runs.reference["q_d"][0]})
    assert np.array_equal(shared.error, runs.error, equal_nan=True)
    assert shared[2].reference["q_d"].shape == (81, 2)
    square = swinging("puma560", 6)  # six runs of six instants of six joints: nothing is taken for another
    cube = several([square] * 6)
    assert (replace(cube, reference={"q_d": square.reference["q_d"]}).error == cube.error).all()


def test_instants_may_differ_from_run_to_run() -> None:
    runs = three()
    times = np.stack([runs.time, runs.time, 2 * runs.time])
    own = replace(runs, time=times)
    assert own.measure("work")[2] == pytest.approx(2 * runs.measure("work")[2])
    assert own[2].duration == 2 * own[0].duration
    assert own.settling_time(0.2)[2] == pytest.approx(2 * runs.settling_time(0.2)[2])
    assert own[1:].time.shape == (2, 81)


def test_what_was_counted_at_every_instant_is_what_counts() -> None:
    runs = three()
    counted = {"largest error": np.arange(6.0).reshape(3, 2)}
    own = replace(runs, counted=counted)
    assert np.array_equal(own.measure("largest error"), [1, np.nan, 5], equal_nan=True)
    assert own[2].measure("largest error", 0) == 4
    assert "largest error 5 rad (elbow)" in own[2].summary()
    assert own[1].valid.counted == {}
    with pytest.raises(RobosymError, match="counted 'rms error'"):
        replace(runs, counted={"rms error": np.zeros(2)})


# --- lost, short, empty ----------------------------------------------------------------------------------------------------


def test_a_lost_run_and_the_part_before() -> None:
    run = swinging("planar-2r")
    lost = lost_at(run, 40)
    assert np.isnan(lost.measure("rms error"))
    before = lost.valid
    assert before.failed is None
    assert (before.q == run.q[:40]).all()
    assert before.reference["q_d"].shape == (40, 2)
    assert np.isfinite(before.measure("rms error"))
    assert np.isnan(lost.energy["total"][40:]).all()
    assert np.isfinite(lost.energy["total"][:40]).all()
    assert run.valid is run
    at_once = lost_at(run, 0)
    assert len(at_once.valid) == 1


@pytest.mark.parametrize("name", ROBOTS)
def test_one_instant(name: str) -> None:
    run = swinging(name, 1, 0.0)
    assert run.duration == 0
    assert run.measure("work") == 0
    assert run.measure("rms error") == pytest.approx(np.sqrt(np.mean(run.error**2)))
    assert run.summary()


def test_what_differs_fits_the_runs() -> None:
    run = swinging("planar-2r")
    with pytest.raises(RobosymError, match="varied 'a'"):
        several([run], a=[1, 2])


def test_shown_on_one_line() -> None:
    assert repr(swinging("planar-2r")) == "<Run of 'planar-2r' under computed-torque, 2 s in 81 instants>"
    assert repr(three()) == "<3 Runs of 'planar-2r' over bandwidth, gains, 2 s, 1 lost>"
