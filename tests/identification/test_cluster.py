"""Recordings reduced by the workers of a cluster give what one process gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from identification.synthetic import Motion, recipe, recording, torques

import robosym
from robosym.identification import Recipe, identify
from robosym.identification.data.recipe import Data, Processing, RecipeError, Signal, Torque
from robosym.identification.data.recording_errors import RecordingError

distributed = pytest.importorskip("distributed")
RATE, ROWS = 200.0, 1600


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as found,
    ):
        yield found


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Recipe:
    """Three recordings of noisy torques in files, of which the last is kept for validation."""
    folder = tmp_path_factory.mktemp("recordings")
    robot, files, rng = robosym.load("scara"), [], np.random.default_rng(0)
    t = np.arange(ROWS) / RATE
    for k in range(3):
        q, qd, qdd = Motion.random(np.random.default_rng(k), 4)(t)
        tau = torques(robot, q, qd, qdd)
        files.append(folder / f"motion{k}.npz")
        np.savez(files[-1], q=q, tau=tau + 0.01 * np.abs(tau).max(axis=0) * rng.normal(size=tau.shape))
    given = recipe(robot, recording(robot, Motion.random(rng, 4)), exact=False, method="weighted")
    return replace(
        given,
        data=Data(tuple((Path(file),) for file in files), rate=RATE, role=("train", "train", "validate")),
        position=Signal(("q",)),
        torque=Torque(("tau",)),
        processing=Processing(cutoff=20.0, decimation=(4,), where="columns", low_speed=(0.05,)),
    )


@pytest.mark.slow
def test_a_cluster_gives_what_one_process_gives(client: Any, many: Recipe) -> None:
    told: list[float] = []
    there = identify(many, client=client, progress=lambda what, part: told.append(part))
    here = identify(many)
    np.testing.assert_array_equal(there.factors.rows, here.factors.rows)
    assert there.factors.blocks == here.factors.blocks
    assert there.estimate.values == pytest.approx(here.estimate.values, rel=1e-12, abs=1e-12)
    assert there.estimate.sigma == pytest.approx(here.estimate.sigma, rel=1e-12)
    assert there.bootstrap is not None
    assert here.bootstrap is not None
    assert there.bootstrap.sigma == pytest.approx(here.bootstrap.sigma, rel=1e-9)
    assert there.unseen.keys() == here.unseen.keys() == {"motion2.npz"}
    assert there.unseen["motion2.npz"].rms == pytest.approx(here.unseen["motion2.npz"].rms, rel=1e-12)
    assert there.notes == here.notes
    assert max(told) == 1.0


def test_recordings_in_memory_are_sent(client: Any, many: Recipe) -> None:
    robot = many.robot
    kept = tuple(recording(robot, Motion.random(np.random.default_rng(k), 4), RATE, 6.0) for k in range(2))
    given = recipe(robot, kept[0], RATE)
    given = replace(given, data=replace(given.data, recordings=kept))
    there, here = identify(given, client=client), identify(given)
    assert there.estimate.values == pytest.approx(here.estimate.values, rel=1e-12, abs=1e-12)


@pytest.mark.slow
def test_what_a_worker_refuses_is_said_here(client: Any, many: Recipe, tmp_path: Path) -> None:
    columns = np.zeros((2, ROWS, 4))
    columns[1, 77, 2] = np.nan
    np.savez(tmp_path / "holes.npz", q=columns[0], tau=columns[1])
    holes = replace(many, data=replace(many.data, recordings=((tmp_path / "holes.npz",),), role=()))
    with pytest.raises(RecordingError, match=r"holes\.npz.*'tau\.2' 1 \(first in row 78\)"):
        identify(holes, client=client)
    with pytest.raises(RecipeError, match="there is no column 'a'"):
        identify(replace(many, torque=Torque(tuple("abcd"))), client=client)
