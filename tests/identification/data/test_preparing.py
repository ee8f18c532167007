"""From columns to samples: pieces equal to the whole, parts of recordings, roles, and robots of all kinds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from identification.data.motions import moving, only, recipe_of, same

import robosym
from robosym.identification.data.preparing import prepare
from robosym.identification.data.recipe import Data, Processing, Signal, Torque
from robosym.identification.data.recording import Recording
from robosym.identification.data.recording_errors import RecordingError
from robosym.identification.data.samples import joined


@pytest.mark.mostly_slow(fast=5)
@pytest.mark.parametrize("chunk", [1, 700, 2048])
@pytest.mark.parametrize(
    "processing",
    [
        Processing(),
        Processing(cutoff=20.0),
        Processing(cutoff=20.0, trim=50, decimation=(10,), low_speed=(0.1,)),
        Processing(cutoff=10.0, decimation=(4, 5), where="columns", trim=0),
    ],
)
def test_pieces_are_the_whole(chunk: int, processing: Processing) -> None:
    ready = only(recipe_of(moving(), 2, processing, torque=Torque(("tau1", "tau2"), delay=(0.0123, 0.0), limit=(7.0,))))
    same(joined(list(ready.samples(chunk))), joined(list(ready.samples(10**9))))
    notes = dict(ready.notes.left_out)
    list(ready.samples(chunk))
    assert ready.notes.left_out == notes


def test_a_part_of_a_recording() -> None:
    columns = moving()
    data = Data((Recording.from_arrays(columns),), rate=200.0, start=2.0, stop=5.0)
    samples = only(recipe_of(columns, 2, data=data)).whole()
    assert (samples.time[0], samples.time[-1], len(samples)) == (2.0, 5.0, 601)
    assert samples.q[:, 1].tolist() == columns["q2"][400:1001].tolist()


def test_several_recordings_have_roles() -> None:
    one, other = (Recording.from_arrays(moving(seconds=s)) for s in (5.0, 7.0))
    ready = prepare(recipe_of({}, 2, data=Data((one, other), rate=200.0, role=("train", "validate"))))
    assert [(len(r.whole()), r.role) for r in ready] == [(1000, "train"), (1400, "validate")]


@pytest.mark.parametrize("rows", [5, 6, 20, 101])
def test_short_recordings(rows: int) -> None:
    columns = {name: x[:rows] for name, x in moving().items()}
    samples = only(recipe_of(columns, 2, Processing(cutoff=20.0, trim=0, decimation=(10,)))).whole()
    assert len(samples) == -(-rows // 10)
    with pytest.raises(RecordingError, match="nothing is left of it"):
        only(recipe_of(columns, 2, Processing(cutoff=20.0, trim=rows))).whole()
    with pytest.raises(RecordingError, match="has 4 rows"):
        prepare(recipe_of({name: x[:4] for name, x in columns.items()}, 2))


@pytest.mark.parametrize("side", ["joint", "motor"])
def test_robots_with_closed_loops_have_their_driven_joints(side: str) -> None:
    robot = robosym.load("sr400")
    n = len(robot.moving)
    ready = only(
        recipe_of(
            moving(n),
            n,
            Processing(cutoff=20.0),
            robot=robot,
            position=Signal(tuple(f"q{k + 1}" for k in range(n)), side=side),
        )
    )
    assert ready.whole().qdd.shape[1] == robot.nv == n


@pytest.mark.parametrize("kind", ["csv", "parquet", "npz", "h5"])
def test_files_give_the_samples_of_the_arrays(kind: str, tmp_path: Path) -> None:
    columns = moving()
    recipe = recipe_of(columns, 2, Processing(cutoff=20.0, decimation=(5,)))
    path = tmp_path / f"a.{kind}"
    if kind == "csv":
        rows = np.stack(list(columns.values()), axis=1)
        np.savetxt(path, rows, delimiter=",", header=",".join(columns), comments="", fmt="%.17g")
    elif kind == "npz":
        np.savez(path, **columns)
    elif kind == "h5":
        with pytest.importorskip("h5py").File(path, "w") as file:
            for name, column in columns.items():
                file[name] = column
    else:
        arrow = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        parquet.write_table(arrow.table(columns), path, row_group_size=1000)
    read = replace(recipe, data=replace(recipe.data, recordings=((path,),)))
    same(only(read).whole(), only(recipe).whole(), 0.0)
