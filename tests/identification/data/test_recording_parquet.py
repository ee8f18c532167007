"""Parquet files: plain columns and columns of lists."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from identification.data.hostile_files import Q, parquet_damaged
from identification.data.recording_writers import numbers, typed

from robosym.identification.data import recording_files
from robosym.identification.data.recording import Recording
from robosym.identification.data.recording_errors import RecordingError
from robosym.identification.data.recording_parquet import ParquetColumns


def test_lists_in_parquet_are_numbered_columns(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    x = numbers()
    parquet.write_table(arrow.table({"q": x.tolist(), "word": ["a"] * len(x)}), tmp_path / "a.parquet")
    recording = Recording.read(tmp_path / "a.parquet")
    assert recording.names == ("q.0", "q.1", "q.2")
    assert (recording.columns(recording.names) == x).all()


@pytest.fixture
def arrow() -> Any:
    return pytest.importorskip("pyarrow")


def stored(path: Path, table: Any, **options: Any) -> Recording:
    from pyarrow import parquet

    parquet.write_table(table, path, **options)
    return Recording.read(path)


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i1", "u2", "i4", "u4", "i8", "?"])
def test_numbers_of_all_types(dtype: str, arrow: Any, tmp_path: Path) -> None:
    x = typed(dtype, 40)
    if dtype == "f2":
        pytest.importorskip("pyarrow", "15.0")
    found = stored(tmp_path / "a.parquet", arrow.table({"q": x[:, 0], "v": x[:, 1]}))
    np.testing.assert_array_equal(found.columns(("v", "q")), x[:, [1, 0]].astype(float))


def test_missing_numbers_are_nan(arrow: Any, tmp_path: Path) -> None:
    table = arrow.table({"q": arrow.array([1.0, None, 3.0]), "n": arrow.array([1, 2, None], "int32")})
    found = stored(tmp_path / "a.parquet", table).columns(("q", "n"))
    np.testing.assert_array_equal(found, [[1, 1], [np.nan, 2], [3, np.nan]])


def test_columns_that_are_no_numbers_are_passed_over(arrow: Any, tmp_path: Path) -> None:
    table = arrow.table({"q": [1.0, 2.0], "word": ["a", "b"], "words": [["a"], ["b"]], "none": [[], []]})
    assert stored(tmp_path / "a.parquet", table).names == ("q",)


@pytest.mark.parametrize("names", [("q", "q.elbow", "t"), ("q.1", "q", "t"), ("a.b", "a.b.c", "a")])
def test_names_that_begin_alike_are_not_confused(names: tuple[str, ...], arrow: Any, tmp_path: Path) -> None:
    """What is behind a point is part of a name, not of a structure."""
    x = numbers(20)
    found = stored(tmp_path / "a.parquet", arrow.table(dict(zip(names, x.T, strict=True))))
    for order in ((0, 1, 2), (2, 0), (0, 2), (1, 2, 0)):
        np.testing.assert_array_equal(found.columns([names[k] for k in order]), x[:, order])


def test_two_columns_of_one_name_are_refused(arrow: Any, tmp_path: Path) -> None:
    x = numbers(5)
    twice = arrow.Table.from_arrays([arrow.array(x[:, 0]), arrow.array(x[:, 1])], names=["q", "q"])
    with pytest.raises(RecordingError, match=r"a\.parquet: column 'q' is there twice"):
        stored(tmp_path / "a.parquet", twice)
    lists = arrow.table({"q": x.tolist(), "q.1": x[:, 0]})
    with pytest.raises(RecordingError, match=r"b\.parquet: column 'q\.1' is there twice"):
        stored(tmp_path / "b.parquet", lists)


@pytest.mark.parametrize("kind", ["list", "large_list", "fixed"])
def test_lists_of_every_kind(kind: str, arrow: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_files, "ROWS", 7)
    x = numbers(40)
    of = arrow.float64()
    types = {"list": arrow.list_(of), "large_list": arrow.large_list(of), "fixed": arrow.list_(of, 3)}
    table = arrow.table({"q": arrow.array(x.tolist(), types[kind]), "t": x[:, 0]})
    found = stored(tmp_path / "a.parquet", table, row_group_size=11)
    assert found.names == ("q.0", "q.1", "q.2", "t")
    np.testing.assert_array_equal(found.columns(("t", "q.2", "q.0")), x[:, [0, 2, 0]])


@pytest.mark.parametrize("other", [[1.0], [1.0, 2.0, 3.0], None])
def test_lists_of_different_lengths_are_named(other: Any, arrow: Any, tmp_path: Path) -> None:
    found = stored(tmp_path / "a.parquet", arrow.table({"q": [[1.0, 2.0], [3.0, 4.0], other]}))
    with pytest.raises(RecordingError, match=r"column 'q': expected lists of the same length in all rows"):
        found.columns(("q.0",))


def test_lists_that_are_too_long(arrow: Any, tmp_path: Path) -> None:
    table = arrow.table({"q": [0.0], "long": [[0.0] * (recording_files.WIDEST + 1)]})
    found = stored(tmp_path / "a.parquet", table)
    assert found.names == ("q",)
    with pytest.raises(RecordingError, match=r"column 'long': has lists of 1025 numbers: expected at most 1024"):
        found.columns(("long",))


def test_a_file_without_rows(arrow: Any, tmp_path: Path) -> None:
    empty = arrow.table({"q": arrow.array([], "float64")})
    assert stored(tmp_path / "a.parquet", empty).columns(("q",)).shape == (0, 1)


def test_without_the_library_its_name_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(RecordingError, match=r"a\.parquet: Parquet files need pyarrow: pip install robosym\[data\]"):
        ParquetColumns(tmp_path / "a.parquet")


@pytest.mark.usefixtures("arrow")
def test_a_damaged_column_is_named_and_others_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    parquet_damaged(path, np.random.default_rng(0))
    recording = Recording.read(path)
    for columns in (("bad",), ("q", "bad"), ("bad", "q")):
        with pytest.raises(RecordingError, match=r"a\.parquet: column 'bad': cannot be read as a Parquet file"):
            recording.columns(columns)
    np.testing.assert_array_equal(recording.columns(("q",))[:, 0], Q)


def test_all_numbers_of_lists_count(arrow: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred lists of three are 2400 bytes."""
    monkeypatch.setattr(recording_files, "DENSE", 0)
    table = arrow.table({"q": np.ones((100, 3)).tolist(), "t": np.zeros(100)})
    monkeypatch.setattr(recording_files, "LARGE", 2399)
    assert stored(tmp_path / "a.parquet", table).names == ("t",)
    with pytest.raises(RecordingError, match=r"column 'q\.0': unpacks to"):
        Recording.read(tmp_path / "a.parquet").columns(("q.0",))
