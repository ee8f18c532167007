"""Every format gives the same numbers back; a file of no format raises an error with its name."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from identification.data.recording_writers import NAMES, all_columns, numbers, written

from robosym.identification.data import recording_files
from robosym.identification.data.recording import Recording
from robosym.identification.data.recording_errors import RecordingError
from robosym.identification.data.recording_formats import READERS, open_source


@pytest.mark.parametrize("kind", ["csv", "txt", "tsv", "parquet", "mat", "npy", "npz", "h5"])
def test_every_format_gives_the_numbers_back(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_files, "ROWS", 50)
    x = numbers()
    recording = Recording.read(written(tmp_path, kind, x))
    assert set(NAMES) <= set(recording.names)
    assert (recording.columns(NAMES) == x).all()
    assert (recording.columns(("q2", "t")) == x[:, [2, 0]]).all()
    assert (recording.columns(("q2", "t")) == x[:, [2, 0]]).all()  # again


@pytest.mark.parametrize("kind", ["parquet", "mat", "npy", "npz", "h5"])
def test_junk_and_half_files_are_refused_with_their_name(kind: str, tmp_path: Path) -> None:
    whole = written(tmp_path, kind, numbers(2000)).read_bytes()
    path = tmp_path / f"bad.{kind}"
    for content in (b"junk" * 300, np.random.default_rng(1).bytes(2000), whole[: len(whole) // 3]):
        path.write_bytes(content)
        with pytest.raises(RecordingError, match=rf"bad.{kind}"):
            all_columns(path)


def test_files_that_are_not_there_or_of_no_known_kind(tmp_path: Path) -> None:
    for name, message in (("no.csv", "there is no such file"), ("", "this is a folder"), ("a.xyz", "ends in one of")):
        (tmp_path / "a.xyz").write_text("1")
        with pytest.raises(RecordingError, match=message):
            Recording.read(tmp_path / name)


@pytest.mark.parametrize("ending", READERS)
def test_an_empty_file_is_named(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{ending}"
    path.touch()
    with pytest.raises(RecordingError, match=rf"a\{ending}: the file is empty"):
        open_source(path)


def test_endings_may_be_capitals(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", numbers(5))
    (tmp_path / "a.npy").rename(tmp_path / "a.NPY")
    assert open_source(tmp_path / "a.NPY").names == ("c1", "c2", "c3")
    (tmp_path / "B.TXT").write_text("a b\n1 2\n")
    assert open_source(tmp_path / "B.TXT").names == ("a", "b")


def test_an_unknown_ending_lists_those_that_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_bytes(b"PK")
    with pytest.raises(RecordingError) as raised:
        open_source(tmp_path / "a.xlsx")
    assert all(ending in str(raised.value) for ending in READERS)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.csv")
    with pytest.raises(RecordingError, match="expected an ordinary file"):
        open_source(tmp_path / "a.csv")


def test_a_file_without_columns_of_numbers(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", word=np.array(["a", "b"]))
    with pytest.raises(RecordingError, match=r"a\.npz: there are no columns of numbers in it"):
        open_source(tmp_path / "a.npz")
    np.savez(tmp_path / "b.npz", wide=np.zeros((2, 5000)))
    with pytest.raises(RecordingError, match=r"b\.npz: column 'wide': has 2 x 5000 numbers"):
        open_source(tmp_path / "b.npz")
