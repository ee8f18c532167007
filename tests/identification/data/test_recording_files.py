"""Columns of arrays in files and in memory: NumPy's formats, sizes, and errors that name file and column."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest
from identification.data.recording_writers import numbers, typed

from robosym.identification.data import recording_files
from robosym.identification.data.recording import Recording
from robosym.identification.data.recording_errors import RecordingError
from robosym.identification.data.recording_files import (
    DENSE,
    LARGE,
    WIDEST,
    Sliced,
    Unpacked,
    check_sizes,
    guarded,
    in_memory,
    is_numeric,
    npy,
    npz,
    reason_of,
    too_large,
)


def test_pickles_are_never_loaded(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(RecordingError, match=r"a.npy"):
        Recording.read(tmp_path / "a.npy")


def test_arrays_of_two_dimensions_are_numbered_columns(tmp_path: Path) -> None:
    x = numbers()
    np.save(tmp_path / "a.npy", x)
    assert Recording.read(tmp_path / "a.npy").names == ("c1", "c2", "c3")
    np.savez(tmp_path / "a.npz", q=x)
    recording = Recording.read(tmp_path / "a.npz")
    assert recording.names == recording.expanded("q") == ("q.0", "q.1", "q.2")
    assert (recording.columns(("q.2", "q.0")) == x[:, [2, 0]]).all()


# --- limits and errors -------------------------------------------------------------------------------------------------


def test_only_files_that_are_large_and_far_denser_than_data_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(bytes(LARGE // DENSE - 1))
    assert too_large(path, LARGE) is None
    reason = too_large(path, LARGE + 1)
    assert reason is not None
    assert reason.startswith("unpacks to 1.07 GB from a file of 11 MB")
    path.write_bytes(bytes(LARGE // DENSE + 1))
    assert too_large(path, LARGE + 1) is None
    assert too_large(path, DENSE * path.stat().st_size + 1) is not None


def test_columns_count_together_and_the_largest_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(bytes(100))
    check_sizes(path, {"q": 0.6 * LARGE})
    with pytest.raises(RecordingError, match=r"a\.bin: column 'tau' and 1 more: unpacks to 1\.3"):
        check_sizes(path, {"q": 0.6 * LARGE, "tau": 0.61 * LARGE})
    with pytest.raises(RecordingError, match=r"a\.bin: column 'q': unpacks to"):
        check_sizes(path, {"q": 2.0 * LARGE})


def test_errors_of_libraries_name_file_and_column() -> None:
    def fails(error: Exception) -> None:
        raise error

    assert guarded(Path("a.h5"), "an HDF5 file", lambda: 3) == 3
    with pytest.raises(RecordingError, match=r"^a\.h5: column 'q': cannot be read as an HDF5 file: so bad$") as raised:
        guarded(Path("a.h5"), "an HDF5 file", lambda: fails(ValueError(" so\n bad ")), "q")
    assert isinstance(raised.value.__cause__, ValueError)
    with pytest.raises(RecordingError, match=r"^b: first$"):  # which names its file already
        guarded(Path("a.h5"), "an HDF5 file", lambda: fails(RecordingError("b", "first")))
    assert reason_of(KeyError(), "x") == "cannot be read as x: KeyError"
    assert "never unpacked" in reason_of(ValueError("set allow_pickle=True"), "x")
    assert len(reason_of(ValueError("long " * 999), "x")) < 260


# --- arrays as columns -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (np.zeros(3), True),
        (np.zeros((3, 2), dtype="f4"), True),
        (np.zeros(3, dtype=bool), True),
        (np.zeros(3, dtype=">u2"), True),
        (np.zeros(0), False),
        (np.zeros((3, 0)), False),
        (np.zeros(()), False),
        (np.zeros((2, 2, 2)), False),
        (np.zeros(3, dtype=complex), False),
        (np.array(["a"]), False),
        ([1.0], False),
    ],
)
def test_arrays_of_numbers(array: object, expected: bool) -> None:
    assert is_numeric(array) is expected


@pytest.mark.parametrize("rows", [1, 7, 50, 51, 1000])
def test_blocks_of_any_size_are_the_columns(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_files, "ROWS", rows)
    x = np.random.default_rng(0).normal(size=(50, 3))
    source = in_memory({"t": np.arange(50), "q": x, "ok": x[:, 0] > 0})
    assert source.names == ("t", "q.0", "q.1", "q.2", "ok")
    blocks = list(source.blocks((3, 0, 4)))
    assert [len(one) for one in blocks] == [min(rows, 50 - k) for k in range(0, 50, rows)]
    np.testing.assert_array_equal(np.concatenate(blocks), np.stack((x[:, 2], np.arange(50), x[:, 0] > 0), 1))
    assert all(one.dtype == np.float64 for one in blocks)


def test_vectors_and_matrices_of_matlab() -> None:
    """Vectors lie or stand; the longer side of a matrix is time."""
    x = np.random.default_rng(0).normal(size=(9, 2))
    source = Sliced(Path("a.mat"), {"lies": x[None, :, 0], "stands": x[:, :1], "m": x, "turned": x.T}, matlab=True)
    assert source.names == ("lies", "stands", "m.0", "m.1", "turned.0", "turned.1")
    found = np.concatenate(list(source.blocks(range(6))))
    np.testing.assert_array_equal(found, x[:, [0, 0, 0, 1, 0, 1]])
    plain = Sliced(Path("a.npz"), {"lies": x[None, :, 0], "stands": x[:, :1]})
    assert plain.names == (*(f"lies.{k}" for k in range(9)), "stands.0")


def test_columns_of_different_lengths_are_named() -> None:
    source = in_memory({"q": np.zeros(5), "tau": np.zeros(6)}, "run")
    assert len(next(iter(source.blocks((1,))))) == 6
    with pytest.raises(RecordingError, match=r"run: columns of different lengths: 'q' 5, 'tau' 6"):
        list(source.blocks((0, 1)))


def test_arrays_too_wide_to_be_columns() -> None:
    wide = in_memory({"q": np.zeros((2, WIDEST + 1)), "most": np.zeros((2, WIDEST))})
    assert len(wide.names) == WIDEST
    assert wide.unread["q"].startswith(
        f"has 2 x {WIDEST + 1} numbers: expected a row for each sample and at most {WIDEST}"
    )


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    """An array of two dimensions has columns q.0 and q.1: another array of that name would hide one."""
    arrays = {"q": np.zeros((4, 2)), "q.0": np.ones(4)}
    message = r"column 'q\.0' is there twice: expected columns with different names"
    for order in (arrays, dict(reversed(arrays.items()))):
        with pytest.raises(RecordingError, match=f"run: {message}"):
            Recording.from_arrays(order, "run")
        np.savez(tmp_path / "a.npz", **order)
        with pytest.raises(RecordingError, match=rf"a\.npz: {message}"):
            Recording.read(tmp_path / "a.npz")


def test_an_array_is_unpacked_once_and_only_when_needed() -> None:
    loads: list[int] = []

    def load() -> np.ndarray:
        loads.append(1)
        return np.arange(5.0)

    sizes: list[int] = []

    def size() -> float:
        sizes.append(1)
        return 40.0

    array = Unpacked((5,), float, size, load)
    assert loads == sizes == []
    assert (array.held, array.held) == (40.0, 40.0)
    assert array[1:3].tolist() == [1, 2]
    assert array[4] == 4
    assert loads == sizes == [1]
    wrong = Unpacked((6,), float, 48.0, load)
    with pytest.raises(ValueError, match=r"expected \(6,\) real numbers, got float64 of \(5,\)"):
        wrong[0]


# --- NumPy -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["f8", ">f8", "f4", "i2", "u1", "?", "i8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_numbers_of_all_types_become_doubles(dtype: str, order: str, tmp_path: Path) -> None:
    x = np.asarray(typed(dtype, 40), order=order)
    np.save(tmp_path / "a.npy", x)
    np.savez(tmp_path / "a.npz", q=x)
    np.savez_compressed(tmp_path / "b.npz", q=x)
    for source in (npy(tmp_path / "a.npy"), npz(tmp_path / "a.npz"), npz(tmp_path / "b.npz")):
        np.testing.assert_array_equal(np.concatenate(list(source.blocks((0, 1, 2)))), x.astype(float))


def test_fields_of_a_structured_array(tmp_path: Path) -> None:
    """A field of several numbers is columns too, a field of text is none."""
    x = np.zeros(4, dtype=[("t", "f4"), ("q", float, (2,)), ("state", "U4")])
    x["t"], x["q"][:, 1] = np.arange(4), [5, 6, 7, 8]
    np.save(tmp_path / "a.npy", x)
    recording = Recording.read(tmp_path / "a.npy")
    assert recording.names == ("t", "q.0", "q.1")
    assert recording.columns(("q.1", "t")).tolist() == [[5, 0], [6, 1], [7, 2], [8, 3]]


def test_members_of_an_archive_that_are_no_numbers_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez(path, q=np.arange(4.0), word=np.array("a"), one=np.array(3.0), z=np.zeros(4, complex))
    with zipfile.ZipFile(path, "a") as packed:
        packed.writestr("readme.txt", "no array")
    recording = Recording.read(path)
    assert recording.names == ("q",)
    assert recording.columns(("q",))[:, 0].tolist() == [0, 1, 2, 3]
    with pytest.raises(RecordingError, match=r"column 'readme\.txt': cannot be read as a NumPy archive"):
        recording.columns(("readme.txt",))


def test_arrays_of_three_dimensions_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros((2, 2, 2)))
    with pytest.raises(RecordingError, match=r"a\.npy: expected numbers in one or two dimensions, got float64 in 3"):
        Recording.read(tmp_path / "a.npy")
    np.save(tmp_path / "a.npy", np.arange(3.0))
    assert Recording.read(tmp_path / "a.npy").names == ("c1",)


def test_small_numbers_count_as_the_doubles_they_become(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte in an archive is eight in memory."""
    monkeypatch.setattr(recording_files, "DENSE", 1)
    np.savez_compressed(tmp_path / "a.npz", q=np.zeros(300, np.uint8))
    for limit, fits in ((2399, False), (2400, True)):
        monkeypatch.setattr(recording_files, "LARGE", limit)
        recording = Recording.read(tmp_path / "a.npz")
        if fits:
            assert len(recording.columns(("q",))) == 300
        else:
            with pytest.raises(RecordingError, match=r"a\.npz: column 'q': unpacks to 2\.4e-06 GB"):
                recording.columns(("q",))
