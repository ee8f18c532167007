"""From columns to samples: known derivatives, pieces equal to the whole, and rows that do not count."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from identification.data.motions import fourier, moving, recipe_of
from scipy import signal as scipy_signal

import robosym
from robosym.identification.data.preparing import Prepared, prepare
from robosym.identification.data.recipe import Data, Processing, Recipe, Signal, Torque, Transmission
from robosym.identification.data.recording import Recording
from robosym.identification.data.recording_errors import RecordingError
from robosym.identification.data.samples import Samples, joined
from robosym.identification.data.signals import butterworth, central_differences, decimate, shifted, zero_phase

FIELDS = ("time", "q", "qd", "qdd", "tau", "keep")


def only(recipe: Recipe) -> Prepared:
    (ready,) = prepare(recipe)
    return ready


def same(one: Samples, other: Samples, tolerance: float = 1e-12) -> None:
    for name in FIELDS:
        a, b = getattr(one, name), getattr(other, name)
        assert a.shape == b.shape, name
        scale = max(1.0, float(np.abs(b).max(initial=0.0)))
        assert np.abs(a.astype(float) - b.astype(float)).max(initial=0.0) <= tolerance * scale, name


def test_exact_motion_comes_out() -> None:
    columns = moving()
    samples = only(recipe_of(columns, 2, Processing(cutoff=40.0))).whole()
    rows = slice(3, -3)  # half a period of the cut-off
    q, qd, qdd = fourier(columns["t"], 2)
    assert samples.time == pytest.approx(columns["t"][rows])
    assert samples.tau[:, 1].tolist() == columns["tau2"][rows].tolist()
    inside = slice(100, -100)
    for found, expected, tolerance in ((samples.q, q, 1e-5), (samples.qd, qd, 1e-3), (samples.qdd, qdd, 2e-2)):
        assert found[inside] == pytest.approx(expected[rows][inside], abs=tolerance)


def test_it_is_the_filter_and_then_differences_to_rounding() -> None:
    columns = moving()
    sections = butterworth(200.0, 10.0)
    samples = only(recipe_of(columns, 2, Processing(cutoff=10.0, trim=5))).whole()
    q = np.stack((columns["q1"], columns["q2"]), axis=1)
    smooth = zero_phase(q, sections)
    qd = central_differences(smooth, 1 / 200)
    qdd = central_differences(qd, 1 / 200)
    assert samples.q == pytest.approx(smooth[5:-5], abs=1e-10)
    assert samples.qd == pytest.approx(qd[5:-5], abs=1e-8)
    assert samples.qdd == pytest.approx(qdd[5:-5], abs=1e-6)


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


def test_pieces_of_a_resampled_file_are_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = jittered(moving())
    np.savez(tmp_path / "a.npz", **columns)
    recipe = recipe_of(columns, 2, Processing(cutoff=20.0), data=Data(((tmp_path / "a.npz",),), time="t"))
    whole = only(recipe).whole()
    monkeypatch.setattr("robosym.identification.data.recording_files.ROWS", 777)
    monkeypatch.setattr("robosym.identification.data.recording.ROWS", 777)
    same(joined(list(only(recipe).samples(1000))), whole)


def jittered(columns: dict[str, np.ndarray], amount: float = 0.3) -> dict[str, np.ndarray]:
    """The same motion at uneven times, one row in fifty twice."""
    t = columns["t"] + amount / 200 * np.random.default_rng(3).random(len(columns["t"]))
    found = {"t": t} | {name: np.interp(t, columns["t"], x) for name, x in columns.items() if name.startswith("tau")}
    q = fourier(t, 2)[0]
    found |= {"q1": q[:, 0], "q2": q[:, 1]}
    twice = np.sort(np.concatenate((np.arange(len(t)), np.arange(0, len(t), 50))))
    return {name: x[twice] for name, x in found.items()}


def test_jittered_and_repeated_stamps_are_resampled_with_a_note() -> None:
    columns = jittered(moving())
    recipe = recipe_of(columns, 2, Processing(cutoff=20.0), data=Data((Recording.from_arrays(columns),), time="t"))
    ready = only(recipe)
    samples = ready.whole()
    assert 1 / ready.survey.step == pytest.approx(200, rel=1e-4)
    assert np.diff(samples.time) == pytest.approx(ready.survey.step)
    expected = fourier(samples.time + columns["t"][0], 2)
    inside = slice(100, -100)
    assert samples.qdd[inside] == pytest.approx(expected[2][inside], abs=0.02)
    assert any("of a step: resampled to" in text for text in ready.notes.remarks)
    assert ready.notes.left_out["stamps repeated"] == 120
    unresampled = only(replace(recipe, data=replace(recipe.data, resample=False)))
    assert (
        np.abs(unresampled.whole().qdd[:5500][inside] - expected[2][:5500][inside]).max() > 1.0
    )  # what it is good for


def test_even_stamps_are_left_as_they_are() -> None:
    columns = moving()
    columns["t"] = 1.7e9 + columns["t"] * 1.0
    recipe = recipe_of(columns, 2, data=Data((Recording.from_arrays(columns),), time="t"))
    ready = only(recipe)
    assert ready.survey.is_even
    assert ready.whole().q[:, 0].tolist() == columns["q1"].tolist()
    milliseconds = replace(
        recipe, data=Data((Recording.from_arrays(columns | {"t": moving()["t"] * 1e3}),), time="t", time_unit="ms")
    )
    assert only(milliseconds).rate == pytest.approx(200)


def test_missing_numbers_are_refused_or_bridged() -> None:
    columns = moving()
    holes = columns | {"q2": columns["q2"].copy(), "tau1": columns["tau1"].copy()}
    holes["q2"][[5, 1000]] = np.nan
    holes["tau1"][3000:3040] = np.inf
    recipe = recipe_of(holes, 2, Processing(cutoff=20.0))
    with pytest.raises(
        RecordingError, match=r"42 of 6000 rows: 'q2' 2 \(first in row 6\), 'tau1' 40 \(first in row 3001\)"
    ):
        prepare(recipe)
    ready = only(replace(recipe, data=replace(recipe.data, missing="drop")))
    samples = ready.whole()
    good = only(recipe_of(columns, 2, Processing(cutoff=20.0))).whole()
    assert np.isfinite(samples.tau).all()
    assert len(samples) == len(good)
    assert not samples.keep[3000 - 5 : 3040 - 5].any()
    assert samples.keep.mean() > 0.97
    assert samples.qdd[samples.keep] == pytest.approx(good.qdd[samples.keep], abs=0.05)
    assert ready.notes.left_out["numbers missing"] == 42


def test_decimation_of_signals_and_of_columns_give_the_same_rows() -> None:
    recipe = recipe_of(moving(), 2, Processing(cutoff=10.0, decimation=(10,), low_speed=(0.2, 0.0)))
    low = only(recipe).whole()
    full = only(replace(recipe, processing=replace(recipe.processing, where="columns"))).whole()
    for name in ("q", "qd", "qdd", "tau"):
        assert getattr(low, name) == pytest.approx(decimate(getattr(full, name), 10), abs=1e-12)
    assert low.time == pytest.approx(full.time[::10])
    assert (low.keep == (np.abs(low.qd) >= [0.2, 0.0])).all()
    assert full.keep.all()


def test_saturated_rows_do_not_count_also_after_decimation() -> None:
    columns = moving()
    columns["tau1"] = np.clip(columns["tau1"], -3, 3)
    recipe = recipe_of(columns, 2, Processing(decimation=(10,)), torque=Torque(("tau1", "tau2"), limit=(3.0, 1e9)))
    ready = only(recipe)
    samples = ready.whole()
    at_limit = np.abs(columns["tau1"]) >= 3 * (1 - 1e-3)
    expected = [not at_limit[max(0, 10 * k - 10) : 10 * k + 11].any() for k in range(len(samples))]
    assert samples.keep[:, 0].tolist() == expected
    assert samples.keep[:, 1].all()
    assert ready.notes.left_out["torque at its limit (rows of one joint)"] == at_limit.sum()


def test_a_given_delay_is_undone() -> None:
    columns = moving(seconds=10.0)
    late = np.sin(3 * (columns["t"] - 0.0175))
    recipe = recipe_of(columns | {"tau1": late}, 2, torque=Torque(("tau1", "tau2"), delay=(0.0175, 0.0)))
    samples = only(recipe).whole()
    assert samples.tau[10:-10, 0] == pytest.approx(np.sin(3 * columns["t"])[10:-10], abs=1e-10)
    assert samples.tau[:, 1].tolist() == columns["tau2"].tolist()


def test_measured_velocities_are_used() -> None:
    columns = moving()
    _, qd, qdd = fourier(columns["t"], 2)
    more = columns | {"v": 60 / (2 * np.pi) * 10 * qd}
    recipe = recipe_of(
        more,
        2,
        Processing(cutoff=20.0),
        velocity=Signal(("v.0", "v.1"), side="motor", unit=("rpm",)),
        transmission=Transmission(ratio=(10.0,)),
    )
    samples = only(recipe).whole()
    assert samples.qd[50:-50] == pytest.approx(qd[5:-5][50:-50], abs=1e-4)
    assert samples.qdd[50:-50] == pytest.approx(qdd[5:-5][50:-50], abs=1e-2)
    exact = only(replace(recipe, velocity=Signal(("v.0", "v.1"), unit=("rpm",), scale=(0.1,)), acceleration=None))
    assert exact.whole().qd == pytest.approx(samples.qd)


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


def test_what_others_have_published_can_be_followed() -> None:
    """Filter with a short continuation, forward differences, one acceleration missing, Chebyshev filters."""
    columns = moving()
    processing = Processing(
        cutoff=10.0,
        padding=12,
        trim=20,
        differences="forward",
        no_acceleration=(2,),
        decimation=(2, 5),
        decimation_filter="chebyshev",
    )
    full = only(recipe_of(columns, 2, replace(processing, where="columns"))).whole()
    b, a = scipy_signal.butter(4, 10 / 100)
    q = scipy_signal.filtfilt(b, a, np.stack((columns["q1"], columns["q2"]), axis=1), axis=0, padtype="odd", padlen=12)[
        20:-20
    ]
    qd = np.diff(q, axis=0) * 200
    qdd = np.gradient(qd, axis=0, edge_order=1) * 200
    assert full.q == pytest.approx(q, abs=1e-10)
    assert full.qd[:-1] == pytest.approx(qd, abs=1e-8)
    assert full.qdd[:-2, 0] == pytest.approx(qdd[:-1, 0], abs=1e-5)
    assert not full.qdd[:, 1].any()
    low = only(recipe_of(columns, 2, processing)).whole()
    theirs: Any = full.tau
    for factor in (2, 5):
        theirs = scipy_signal.decimate(theirs, factor, axis=0, zero_phase=True)
    assert low.tau == pytest.approx(theirs)


def test_a_shift_by_a_delay_reads_across_pieces() -> None:
    columns = moving()
    ready = only(recipe_of(columns, 2, Processing(trim=0), torque=Torque(("tau1", "tau2"), delay=(0.0331,))))
    tau = np.stack((columns["tau1"], columns["tau2"]), axis=1)
    assert joined(list(ready.samples(64))).tau == pytest.approx(shifted(tau, 6.62), abs=1e-13)


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
