"""Recordings as text: names, separators, comments, missing numbers, and errors that name line and column."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from identification.data.recording_writers import NAMES, all_columns, numbers, text

from robosym.identification.data import recording_csv
from robosym.identification.data.recording import Recording
from robosym.identification.data.recording_csv import TextFile
from robosym.identification.data.recording_errors import RecordingError


@pytest.mark.parametrize(
    ("content", "names", "values"),
    [
        ("1,2\n3,4\n", ("c1", "c2"), [[1, 2], [3, 4]]),
        ("a;b\n1;2\n3;4", ("a", "b"), [[1, 2], [3, 4]]),
        ("# made by me\n# a, b\n1,2\n3,4\n", ("a", "b"), [[1, 2], [3, 4]]),
        ("a\tb\r\n1\t2\r\n3\t4\r\n", ("a", "b"), [[1, 2], [3, 4]]),
        ('"a, x","b"\n"1","2"\n3,4\n', ("a, x", "b"), [[1, 2], [3, 4]]),
        ("a,b,\n1,2,\n3,4,\n", ("a", "b"), [[1, 2], [3, 4]]),
        ("a,b\n1,2\n\n# pause\n3,4\n\n", ("a", "b"), [[1, 2], [3, 4]]),
        ("a b\n 1  2\n3 4\n", ("a", "b"), [[1, 2], [3, 4]]),
        ("\ufeffa,b\n1e0,+2\n3,4.0\n", ("a", "b"), [[1, 2], [3, 4]]),
        ("größe,b\n1,2\n", ("größe", "b"), [[1, 2]]),
        ("a,b\n,2\n3,nan\n", ("a", "b"), [[np.nan, 2], [3, np.nan]]),
        ("a,b\n1,inf\n", ("a", "b"), [[1, np.inf]]),
    ],
)
def test_texts(content: str, names: tuple[str, ...], values: list[list[float]], tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content.encode())
    recording = Recording.read(path)
    assert recording.names == names
    assert np.array_equal(recording.columns(names), np.array(values, dtype=float), equal_nan=True)


def test_blocks_of_text_are_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("robosym.identification.data.recording_csv.BLOCK", 333)
    x = numbers()
    path = tmp_path / "a.csv"
    path.write_text("# one\n# two\n" + text(x).replace("\n", "\r\n"))
    assert (Recording.read(path).columns(NAMES) == x).all()


def test_words_in_columns_that_are_not_needed_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("state,q\nRUN,1\nSTOP,2\n")
    assert Recording.read(path).columns(("q",)).tolist() == [[1], [2]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a,b\n1,2\n3,oops\n", r"a.csv: line 3, column 'b': expected a number, got 'oops'"),
        (b"a;b\n1;2,5\n", r"line 2, column 'b': expected a number, got '2,5' \(decimals are written with a point\)"),
        (b"a,b\n1,2\n3,4\n5", r"line 4: expected 2 cells, got 1 \(is the file complete\?\)"),
        (b"a,b\n1,2\n3,4,5\n", r"line 3: expected 2 cells, got 3"),
        (b"a,b\n1,2,3\n4\n", r"line 2: expected 2 cells, got 3"),
        (b"a,a\n1,2\n", r"column 'a' is there twice"),
        (b"a,b\n1,1_0\n", r"expected a number, got '1_0'"),
        (b"", r"the file is empty"),
        (b"\n\n# nothing\n", r"there are no numbers in it"),
        (b"\x00\x01\x02binary\xff\n", r"expected text, found bytes that are none"),
        (b"x" * (3 << 20), r"a line is longer than"),
    ],
)
def test_texts_that_are_no_recordings(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    with pytest.raises(RecordingError, match=message):
        all_columns(path)


@pytest.mark.slow
def test_text_with_millions_of_comments_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"#\n" * 3_000_000 + b"a,b\n1,2\n3,4\n")
    assert Recording.read(path).columns(("b",)).tolist() == [[2], [4]]


def test_text_with_many_columns_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(",".join(f"c{k}" for k in range(100_000)) + "\n" + ",".join(["1"] * 100_000) + "\n")
    assert Recording.read(path).columns(("c99999",)).tolist() == [[1]]


def test_text_with_a_cell_that_is_too_long_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a," + "b" * 200_000 + "\n1,2\n")
    with pytest.raises(RecordingError, match=r"a\.csv: cannot be read as text: field larger than"):
        Recording.read(path)


# --- blocks and line ends ----------------------------------------------------------------------------------------------

ROWS = np.arange(60.0).reshape(20, 3)
BAD = {7: "1,x,3"}  # a line that is wrong, by its number


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
def test_lines_end_as_they_like_at_any_block(
    end: str, last: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same numbers, and the same line of an error, wherever a block of bytes ends."""
    lines = ["t,q1,q2", *(",".join(map(str, row)) for row in ROWS)]
    right, wrong = tmp_path / "a.csv", tmp_path / "b.csv"
    right.write_bytes((end.join(lines) + (end if last else "")).encode())
    lines[6] = BAD[7]
    wrong.write_bytes((end.join(lines) + end).encode())
    for size in (3, 4, 5, 7, 16, 64, 1 << 20):
        monkeypatch.setattr(recording_csv, "BLOCK", size)
        np.testing.assert_array_equal(all_columns(right), ROWS)
        with pytest.raises(RecordingError, match=r"b\.csv: line 7, column 'q1': expected a number, got 'x'"):
            all_columns(wrong)


@pytest.mark.parametrize("header", ["", "t,q\n", "# t,q\n", "# by a logger\n"])
def test_a_byte_order_mark_is_no_part_of_a_cell(header: str, tmp_path: Path) -> None:
    """As spreadsheets write it, with and without a line of names."""
    path = tmp_path / "a.csv"
    path.write_bytes(b"\xef\xbb\xbf" + f"{header}1,2\n3,4\n".encode())
    recording = Recording.read(path)
    assert recording.names == (("t", "q") if "t,q" in header else ("c1", "c2"))
    assert recording.columns(recording.names).tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("separator", [",", ";", "\t", " "])
def test_any_separator(separator: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("\n".join(separator.join(map(repr, row)) for row in ROWS.tolist()))
    assert Recording.read(path).names == ("c1", "c2", "c3")
    np.testing.assert_array_equal(all_columns(path), ROWS)


@pytest.mark.parametrize("word", ["", "nan", "NaN", "NA", "n/a", "null", "None"])
def test_words_for_missing_numbers(word: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"a,b\n1,2\n{word},3\n4,{word}\n")
    np.testing.assert_array_equal(all_columns(path), [[1, 2], [np.nan, 3], [4, np.nan]])


def test_one_column_and_one_row(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("q\n1\n-2.5e-3\n")
    assert all_columns(path).tolist() == [[1], [-2.5e-3]]
    path.write_text("a,b\n1,2")
    assert all_columns(path).tolist() == [[1, 2]]
    path.write_text("a,b\n")
    assert all_columns(path).shape == (0, 2)


def test_numbers_are_read_exactly(tmp_path: Path) -> None:
    """To the last bit, by both ways of reading: the second has a comment in the block."""
    x = np.random.default_rng(0).normal(size=(50, 3)) * 10.0 ** np.random.default_rng(1).integers(-300, 300, (50, 3))
    path = tmp_path / "a.csv"
    for head in ("t,q1,q2\n", "t,q1,q2\n# a remark\n"):
        path.write_text(head + text(x, header=None))
        np.testing.assert_array_equal(all_columns(path), x)


def test_columns_come_in_the_order_of_the_request(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b,c\n1,2,3\n4,5,6\n")
    (block,) = TextFile(path).blocks((2, 0))
    assert block.tolist() == [[3, 1], [6, 4]]


def test_titles_in_a_comment_need_a_name_for_each_column(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    for comment, names in (
        ("# t, q", ("t", "q")),
        ("# t", ("c1", "c2")),
        ("# 1, 2", ("c1", "c2")),
        ("% x,y", ("x", "y")),
    ):
        path.write_text(f"{comment}\n1,2\n")
        assert TextFile(path).names == names


def test_a_file_that_is_removed_between_two_reads(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a\n1\n")
    file = TextFile(path)
    path.unlink()
    with pytest.raises(RecordingError, match=r"a\.csv: cannot be read: "):
        list(file.blocks((0,)))
