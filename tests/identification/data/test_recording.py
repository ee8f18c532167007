"""Recordings of one file or of several side by side, and of arrays in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from identification.data.recording_writers import NAMES, numbers, text

from robosym.identification.data.recording import Recording
from robosym.identification.data.recording_errors import RecordingError


def test_files_side_by_side(tmp_path: Path) -> None:
    x = numbers(100_001)  # more than one block
    np.savez(tmp_path / "pos.npz", a=x[:, 0], t=x[:, 1])
    np.savez(tmp_path / "cur.npz", a=x[:, 2])
    recording = Recording.read(tmp_path / "pos.npz", tmp_path / "cur.npz")
    assert recording.names == ("pos.a", "t", "cur.a")
    assert (recording.columns(("cur.a", "t", "pos.a")) == x[:, [2, 1, 0]]).all()
    with pytest.raises(RecordingError, match=r"'a' is in several files: expected 'pos.a' or 'cur.a'"):
        recording.columns(("a",))
    with pytest.raises(RecordingError, match=r"no column 'cur.b' \(did you mean 'cur.a'"):
        recording.columns(("cur.b",))


def test_files_of_different_lengths_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "p.npz", a=np.zeros(100_000))
    np.savez(tmp_path / "c.npz", b=np.zeros(99_990))
    with pytest.raises(RecordingError, match=r"same number of rows, got p.npz 100000, c.npz 99990"):
        Recording.read(tmp_path / "p.npz", tmp_path / "c.npz").columns(("a", "b"))


def test_arrays_in_memory() -> None:
    recording = Recording.from_arrays({"t": [0, 1, 2], "q": np.ones((3, 2))})
    assert recording.names == ("t", "q.0", "q.1")
    with pytest.raises(RecordingError, match="column 'x': expected an array of numbers"):
        Recording.from_arrays({"x": ["a"]})


def test_text_is_read_once(tmp_path: Path) -> None:
    x = numbers()
    path = tmp_path / "a.csv"
    path.write_text(text(x))
    recording = Recording.read(path)
    recording.columns(NAMES)
    path.unlink()
    assert (recording.columns(NAMES) == x).all()
