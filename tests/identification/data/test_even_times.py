"""Columns at even times: as they are, resampled, and bridged where rows are missing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from identification.data.motions import fourier, jittered, moving, only, recipe_of, same
from scipy.spatial.transform import Rotation

import robosym
from robosym.identification.data.even_times import Even, even_times
from robosym.identification.data.inspection import survey
from robosym.identification.data.joint_side import joint_side
from robosym.identification.data.preparing import prepare
from robosym.identification.data.recipe import Data, Processing, Recipe, Signal, Torque
from robosym.identification.data.recording import Recording
from robosym.identification.data.recording_errors import RecordingError
from robosym.identification.data.samples import joined


def test_pieces_of_a_resampled_file_are_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = jittered(moving())
    np.savez(tmp_path / "a.npz", **columns)
    recipe = recipe_of(columns, 2, Processing(cutoff=20.0), data=Data(((tmp_path / "a.npz",),), time="t"))
    whole = only(recipe).whole()
    monkeypatch.setattr("robosym.identification.data.recording_files.ROWS", 777)
    monkeypatch.setattr("robosym.identification.data.recording.ROWS", 777)
    same(joined(list(only(recipe).samples(1000))), whole)


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


# --- the function itself -----------------------------------------------------------------------------------------------


def pieces(recipe: Recipe, columns: dict[str, np.ndarray]) -> list[Even]:
    """The columns of one recording at even times, after its survey."""
    recording = Recording.from_arrays(columns)
    recipe = replace(recipe, data=replace(recipe.data, recordings=(recording,)))
    side = joint_side(recipe, recording)
    return list(even_times(recipe, recording, side, survey(recipe, recording, side)))


def stamped(columns: dict[str, np.ndarray], **data: object) -> Recipe:
    recording = Recording.from_arrays(columns)
    return recipe_of(columns, 2, data=Data((recording,), time="t", **data))  # type: ignore[arg-type]


def test_even_rows_pass_unchanged() -> None:
    columns = moving(seconds=2.0)
    (found,) = pieces(stamped(columns), columns)
    np.testing.assert_array_equal(found.rows, np.stack([columns[name] for name in ("q1", "q2", "tau1", "tau2")], 1))
    assert not found.bad.any()


def test_stamps_are_ignored_where_resampling_is_off() -> None:
    """Jittered stamps, and not one row is changed or dropped."""
    columns = moving(seconds=2.0)
    columns["t"] = columns["t"] + 1e-3 * np.random.default_rng(0).random(400)
    (found,) = pieces(stamped(columns, resample=False), columns)
    np.testing.assert_array_equal(found.rows[:, 0], columns["q1"])
    resampled = np.concatenate([one.rows for one in pieces(stamped(columns), columns)])
    assert np.abs(resampled[:300, 0] - columns["q1"][:300]).max() > 1e-5


def test_rows_between_two_samples_are_marked() -> None:
    """A gap of 50 samples: rows at all even times, and those of the gap are bad."""
    columns = {name: np.delete(x, np.arange(100, 150)) for name, x in moving(seconds=2.0).items()}
    found = pieces(stamped(columns), columns)
    bad, rows = (np.concatenate([getattr(one, name) for one in found]) for name in ("bad", "rows"))
    assert len(rows) == 400
    assert bad[100:150].all()
    assert not bad[:99].any()
    assert not bad[151:].any()
    np.testing.assert_allclose(rows[160:390, 0], moving(seconds=2.0)["q1"][160:390], atol=1e-6)


def test_rows_that_go_back_in_time_are_dropped() -> None:
    """Ten rows that a logger wrote twice, the second time with nonsense."""
    columns = moving(seconds=2.0)
    order = np.concatenate((np.arange(200), np.arange(190, 200), np.arange(200, 400)))
    again = {name: x[order].copy() for name, x in columns.items()}
    again["q1"][200:210] = 99.0
    found = np.concatenate([one.rows for one in pieces(stamped(again, missing="drop"), again)])
    np.testing.assert_allclose(found[:, 0], columns["q1"][: len(found)], atol=1e-6)


# --- a free base -------------------------------------------------------------------------------------------------------


def swimming(rows: int = 800, rate: float = 200.0) -> dict[str, np.ndarray]:
    """A free base that turns round more than once, and one joint angle for each of the robot's joints."""
    t = np.arange(rows) / rate
    turn = Rotation.from_euler("ZYX", np.stack((3 * t, 0.3 * np.sin(2 * t), 0.2 * np.cos(t)), 1))
    place = np.stack((np.sin(t), 0.1 * t, np.cos(2 * t)), 1)
    quaternion = np.asarray(turn.as_quat())
    quaternion *= np.cumprod(np.sign(np.concatenate(([1.0], (quaternion[1:] * quaternion[:-1]).sum(1)))))[:, None]
    n = len(robosym.load("eel-2").moving)
    joints = np.sin(t[:, None] * np.arange(1, n + 1))
    return {"t": t, "q": np.hstack((place, quaternion, joints)), "tau": np.zeros((rows, n))}


def recipe_of_base(columns: dict[str, np.ndarray], **data: object) -> Recipe:
    recording = Recording.from_arrays(columns)
    given = Data((recording,), time="t", **data)  # type: ignore[arg-type]
    return Recipe(robosym.load("eel-2"), given, Signal(recording.expanded("q")), Torque(recording.expanded("tau")))


def test_quaternions_go_on_without_changes_of_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    """A logger that keeps w positive, read in blocks that begin anywhere."""
    columns = swimming()
    wrapped = {name: x.copy() for name, x in columns.items()}
    wrapped["q"][:, 3:7] *= np.where(columns["q"][:, 6] < 0, -1.0, 1.0)[:, None]
    flips = np.flatnonzero((wrapped["q"][1:, 3:7] * wrapped["q"][:-1, 3:7]).sum(1) < 0)
    assert len(flips) >= 2
    for name in ("recording", "recording_files"):
        monkeypatch.setattr(f"robosym.identification.data.{name}.ROWS", int(flips[0]) + 1)
    found = pieces(recipe_of_base(wrapped), wrapped)
    assert len(found) > 2
    np.testing.assert_allclose(np.concatenate([one.rows for one in found])[:, :7], columns["q"][:, :7], atol=1e-15)


def test_a_change_of_sign_within_missing_rows_is_undone() -> None:
    """Rows without numbers where the sign changes: the quaternion after them is the nearer of both."""
    columns = swimming()
    sign = np.where(np.arange(800) < 402, 1.0, -1.0)[:, None]
    broken = {name: x.copy() for name, x in columns.items()}
    broken["q"][:, 3:7] *= sign
    broken["q"][400:404] = np.nan
    found = pieces(recipe_of_base(broken, missing="drop"), broken)
    rows = np.concatenate([one.rows for one in found])
    np.testing.assert_allclose(rows[:, 3:7], columns["q"][:, 3:7], atol=1e-3)
    np.testing.assert_allclose(np.linalg.norm(rows[:, 3:7], axis=1), 1.0, atol=1e-3)


def test_a_stamp_repeated_where_a_block_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last row of a block and the first of the next at the same time: one of them counts."""
    columns = moving(seconds=2.0)
    order = np.concatenate((np.arange(100), np.arange(99, 400)))
    again = {name: x[order].copy() for name, x in columns.items()}
    again["q1"][100] = 99.0
    for name in ("recording", "recording_files"):
        monkeypatch.setattr(f"robosym.identification.data.{name}.ROWS", 100)
    found = np.concatenate([one.rows for one in pieces(stamped(again), again)])
    np.testing.assert_allclose(found[:, 0], columns["q1"][: len(found)], atol=1e-6)
