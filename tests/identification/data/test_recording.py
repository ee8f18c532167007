"""Every format gives the same numbers back; what is no recording is refused with its place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robosym.identification.data import recording_files
from robosym.identification.data.recording import Recording
from robosym.identification.data.recording_errors import RecordingError

NAMES = ("t", "q1", "q2")


def numbers(rows: int = 257) -> np.ndarray:
    return np.random.default_rng(0).normal(size=(rows, 3))


def all_columns(path: Path) -> np.ndarray:
    recording = Recording.read(path)
    return recording.columns(recording.names)


def text(x: np.ndarray, separator: str = ",", header: str | None = "t,q1,q2") -> str:
    lines = [separator.join(map(repr, row)) for row in x.tolist()]
    return "\n".join(([] if header is None else [header.replace(",", separator)]) + lines) + "\n"


def written(folder: Path, kind: str, x: np.ndarray) -> Path:
    path = folder / f"data.{kind}"
    if kind in ("csv", "txt", "tsv"):
        path.write_text(text(x, {"csv": ",", "txt": " ", "tsv": "\t"}[kind]))
    elif kind == "parquet":
        arrow = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        parquet.write_table(arrow.table(dict(zip(NAMES, x.T, strict=True))), path, row_group_size=100)
    elif kind == "mat":
        from scipy.io import savemat

        savemat(path, {"t": x[:, 0], "q1": x[:, 1:2], "q2": x[:, 2:].T, "note": "text", "one": 1.0})
    elif kind == "npy":
        made = np.zeros(len(x), dtype=[(name, float) for name in NAMES])
        for name, column in zip(NAMES, x.T, strict=True):
            made[name] = column
        np.save(path, made)
    elif kind == "npz":
        np.savez(path, **dict(zip(NAMES, x.T, strict=True)))
    elif kind == "h5":
        h5py = pytest.importorskip("h5py")
        with h5py.File(path, "w") as file:
            for name, column in zip(NAMES, x.T, strict=True):
                file[name] = column
            file["label"] = "text"
    return path


@pytest.mark.parametrize("kind", ["csv", "txt", "tsv", "parquet", "mat", "npy", "npz", "h5"])
def test_every_format_gives_the_numbers_back(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_files, "ROWS", 50)
    x = numbers()
    recording = Recording.read(written(tmp_path, kind, x))
    assert set(NAMES) <= set(recording.names)
    assert (recording.columns(NAMES) == x).all()
    assert (recording.columns(("q2", "t")) == x[:, [2, 0]]).all()
    assert (recording.columns(("q2", "t")) == x[:, [2, 0]]).all()  # again


def test_arrays_of_two_dimensions_are_numbered_columns(tmp_path: Path) -> None:
    x = numbers()
    np.save(tmp_path / "a.npy", x)
    assert Recording.read(tmp_path / "a.npy").names == ("c1", "c2", "c3")
    np.savez(tmp_path / "a.npz", q=x)
    recording = Recording.read(tmp_path / "a.npz")
    assert recording.names == recording.expanded("q") == ("q.0", "q.1", "q.2")
    assert (recording.columns(("q.2", "q.0")) == x[:, [2, 0]]).all()


def test_groups_of_hdf5_and_structures_of_matlab_are_names(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    from scipy.io import savemat

    x = numbers()
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["robot/q"] = x
        file["robot/short"] = x[:5, 0]
    recording = Recording.read(tmp_path / "a.h5")
    assert (recording.columns(recording.expanded("robot/q")) == x).all()
    with pytest.raises(RecordingError, match=r"different lengths: 'robot/q.0' 257, 'robot/short' 5"):
        recording.columns(("robot/q.0", "robot/short"))
    savemat(tmp_path / "a.mat", {"log": {"q": x.T}})
    assert (Recording.read(tmp_path / "a.mat").columns(("log.q.0", "log.q.1", "log.q.2")) == x).all()


def test_matlab_7_3_is_hdf5(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    x = numbers()
    path = tmp_path / "new.mat"
    with h5py.File(path, "w", userblock_size=512) as file:
        file["q"] = x.T  # MATLAB writes columns first
        file["t"] = x[:, :1].T
    head = b"MATLAB 7.3 MAT-file".ljust(124, b" ") + b"\x00\x02IM"
    content = bytearray(path.read_bytes())
    content[: len(head)] = head
    path.write_bytes(content)
    recording = Recording.read(path)
    assert (recording.columns(("t", "q.1", "q.2")) == x).all()


def test_lists_in_parquet_are_numbered_columns(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    x = numbers()
    parquet.write_table(arrow.table({"q": x.tolist(), "word": ["a"] * len(x)}), tmp_path / "a.parquet")
    recording = Recording.read(tmp_path / "a.parquet")
    assert recording.names == ("q.0", "q.1", "q.2")
    assert (recording.columns(recording.names) == x).all()


# --- text --------------------------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("kind", ["parquet", "mat", "npy", "npz", "h5"])
def test_junk_and_half_files_are_refused_with_their_name(kind: str, tmp_path: Path) -> None:
    whole = written(tmp_path, kind, numbers(2000)).read_bytes()
    path = tmp_path / f"bad.{kind}"
    for content in (b"junk" * 300, np.random.default_rng(1).bytes(2000), whole[: len(whole) // 3]):
        path.write_bytes(content)
        with pytest.raises(RecordingError, match=rf"bad.{kind}"):
            all_columns(path)


def test_pickles_are_never_loaded(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(RecordingError, match=r"a.npy"):
        Recording.read(tmp_path / "a.npy")


def test_files_that_are_not_there_or_of_no_known_kind(tmp_path: Path) -> None:
    for name, message in (("no.csv", "there is no such file"), ("", "this is a folder"), ("a.xyz", "ends in one of")):
        (tmp_path / "a.xyz").write_text("1")
        with pytest.raises(RecordingError, match=message):
            Recording.read(tmp_path / name)


# --- side by side ------------------------------------------------------------------------------------------------------


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


def test_text_is_read_once(tmp_path: Path) -> None:
    x = numbers()
    path = tmp_path / "a.csv"
    path.write_text(text(x))
    recording = Recording.read(path)
    recording.columns(NAMES)
    path.unlink()
    assert (recording.columns(NAMES) == x).all()


def test_arrays_in_memory() -> None:
    recording = Recording.from_arrays({"t": [0, 1, 2], "q": np.ones((3, 2))})
    assert recording.names == ("t", "q.0", "q.1")
    with pytest.raises(RecordingError, match="column 'x': expected an array of numbers"):
        Recording.from_arrays({"x": ["a"]})
