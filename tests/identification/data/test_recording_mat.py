"""MAT files of all versions: variables and fields of structures as columns."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from identification.data.hostile_files import Q
from identification.data.recording_writers import numbers, typed
from scipy.io import savemat

from robosym.identification.data import recording_files
from robosym.identification.data.recording import Recording
from robosym.identification.data.recording_errors import RecordingError
from robosym.identification.data.recording_mat import mat


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


def test_only_the_columns_that_are_named_are_read(tmp_path: Path) -> None:
    """Variables that are never named may be damaged, complex, or twice as long."""
    from scipy.io import savemat

    savemat(tmp_path / "a.mat", {"q": Q, "z": Q * 1j, "long": np.zeros(900)}, do_compression=True)
    recording = Recording.read(tmp_path / "a.mat")
    assert (recording.columns(("q",))[:, 0] == Q).all()
    with pytest.raises(RecordingError, match=r"a\.mat: column 'z': .*real numbers"):
        recording.columns(("z",))


# --- versions ----------------------------------------------------------------------------------------------------------


def as_7_3(path: Path, arrays: dict[str, np.ndarray]) -> Path:
    """As MATLAB writes version 7.3: HDF5 behind a header of 512 bytes, columns first."""
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "w", userblock_size=512) as file:
        for name, x in arrays.items():
            file[name.replace(".", "/")] = np.atleast_2d(x).T
    head = b"MATLAB 7.3 MAT-file".ljust(124, b" ") + b"\x00\x02IM"
    path.write_bytes(head + path.read_bytes()[len(head) :])
    return path


VERSIONS = ["4", "5", "5 compressed", "7.3"]


def saved(path: Path, version: str, arrays: dict[str, np.ndarray]) -> Path:
    if version == "7.3":
        return as_7_3(
            path, {name: np.atleast_2d(x) if np.ndim(x) > 1 else np.asarray(x)[:, None] for name, x in arrays.items()}
        )
    columns = {name: x if np.ndim(x) > 1 else np.asarray(x)[:, None] for name, x in arrays.items()}
    savemat(path, columns, format=version[0], do_compression="compressed" in version)
    return path


@pytest.mark.parametrize("version", VERSIONS)
def test_all_versions_have_the_same_columns(version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_files, "ROWS", 100)
    x = numbers()
    path = saved(tmp_path / "a.mat", version, {"t": x[:, 0], "q": x, "turned": x.T, "lies": x[:, :1].T})
    recording = Recording.read(path)
    assert set(recording.names) == {"t", "lies", *(f"{name}.{k}" for name in ("q", "turned") for k in range(3))}
    found = recording.columns(("t", "lies", "q.0", "q.2", "turned.1", "turned.2"))
    np.testing.assert_array_equal(found, x[:, [0, 0, 0, 2, 1, 2]])


@pytest.mark.parametrize("version", VERSIONS)
def test_as_many_rows_as_columns(version: str, tmp_path: Path) -> None:
    """A square matrix has its columns as MATLAB shows them, in every version."""
    x = np.random.default_rng(0).normal(size=(4, 4))
    recording = Recording.read(saved(tmp_path / "a.mat", version, {"q": x}))
    np.testing.assert_array_equal(recording.columns(recording.expanded("q")), x)


@pytest.mark.parametrize("dtype", ["f4", "i1", "u2", "i4", "i8", "?"])
@pytest.mark.parametrize("packed", [False, True])
def test_numbers_of_all_types(dtype: str, packed: bool, tmp_path: Path) -> None:
    x = typed(dtype, 30)
    savemat(tmp_path / "a.mat", {"q": x}, do_compression=packed)
    recording = Recording.read(tmp_path / "a.mat")
    np.testing.assert_array_equal(recording.columns(recording.expanded("q")), x.astype(float))


def test_short_and_long_names(tmp_path: Path) -> None:
    """Names of up to four letters stand in the tag of their element."""
    x = np.arange(6.0)
    names = ["q", "tau", "abcd", "abcde", "a_name_of_thirty_one_characters"]
    savemat(tmp_path / "a.mat", {name: k + x for k, name in enumerate(names)}, do_compression=True)
    recording = Recording.read(tmp_path / "a.mat")
    assert recording.names == tuple(names)
    np.testing.assert_array_equal(recording.columns(names), x[:, None] + np.arange(5))


def test_structures_within_structures(tmp_path: Path) -> None:
    x = numbers(20)
    log = {"t": x[:, 0], "arm": {"q": x, "name": "rx90"}, "rate": 100.0}
    savemat(tmp_path / "a.mat", {"log": log, "gain": 3.0})
    recording = Recording.read(tmp_path / "a.mat")
    assert set(recording.names) == {"log.t", "log.arm.q.0", "log.arm.q.1", "log.arm.q.2", "gain"}
    np.testing.assert_array_equal(recording.columns(("log.arm.q.2", "log.t")), x[:, [2, 0]])


def test_texts_and_cells_are_no_columns(tmp_path: Path) -> None:
    cells = np.array([np.zeros(3), "a"], dtype=object)
    savemat(tmp_path / "a.mat", {"q": np.zeros(3), "word": "text", "cells": cells, "empty": np.zeros((0, 2))})
    assert mat(tmp_path / "a.mat").names == ("q",)


def test_the_other_order_of_bytes(tmp_path: Path) -> None:
    """A file of a big-endian machine: one variable, written byte by byte."""
    x = np.array([1.5, -2.0, 3.25])
    body = struct.pack(">IIII", 6, 8, 6, 0) + struct.pack(">IIii", 5, 8, 3, 1)
    body += struct.pack(">HH4s", 1, 1, b"q\0\0\0") + struct.pack(">II", 9, 24) + x.astype(">f8").tobytes()
    head = b"MATLAB 5.0 MAT-file".ljust(124, b" ") + b"\x01\x00MI"
    (tmp_path / "a.mat").write_bytes(head + struct.pack(">II", 14, len(body)) + body)
    assert Recording.read(tmp_path / "a.mat").columns(("q",))[:, 0].tolist() == x.tolist()


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_cut_in_its_last_variable(packed: bool, tmp_path: Path) -> None:
    savemat(tmp_path / "a.mat", {"q": numbers(50), "tau": numbers(50)}, do_compression=packed)
    whole = (tmp_path / "a.mat").read_bytes()
    (tmp_path / "a.mat").write_bytes(whole[:-9])
    with pytest.raises(RecordingError, match=r"a\.mat: cannot be read as a MAT file: .*is the file complete\?"):
        Recording.read(tmp_path / "a.mat")


def test_two_variables_of_one_name(tmp_path: Path) -> None:
    savemat(tmp_path / "a.mat", {"q": np.zeros(3)})
    content = (tmp_path / "a.mat").read_bytes()
    (tmp_path / "a.mat").write_bytes(content + content[128:])
    with pytest.raises(RecordingError, match=r"a\.mat: column 'q' is there twice"):
        Recording.read(tmp_path / "a.mat")


@pytest.mark.parametrize("packed", [False, True])
def test_bytes_count_as_the_doubles_they_may_become(
    packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a variable by its shape; of a structure, which is read whole, eight for each byte that it unpacks to."""
    monkeypatch.setattr(recording_files, "DENSE", 0)
    q = np.zeros(300, np.uint8)
    savemat(tmp_path / "a.mat", {"q": q}, do_compression=packed)
    savemat(tmp_path / "b.mat", {"log": {"q": q}}, do_compression=packed)
    monkeypatch.setattr(recording_files, "LARGE", 2399)
    with pytest.raises(RecordingError, match=r"a\.mat: column 'q': unpacks to 2\.4e-06 GB"):
        Recording.read(tmp_path / "a.mat").columns(("q",))
    with pytest.raises(RecordingError, match=r"b\.mat: column 'log': unpacks to"):
        Recording.read(tmp_path / "b.mat")
    monkeypatch.setattr(recording_files, "LARGE", 2400)
    assert len(Recording.read(tmp_path / "a.mat").columns(("q",))) == 300
    monkeypatch.setattr(
        recording_files, "LARGE", 8 * 600
    )  # 300 bytes of numbers, and headers of the field and the structure
    assert len(Recording.read(tmp_path / "b.mat").columns(("log.q",))) == 300


def test_variables_of_three_dimensions_are_passed_over(tmp_path: Path) -> None:
    savemat(tmp_path / "a.mat", {"cube": np.zeros((2, 2, 2)), "q": np.arange(3.0)})
    recording = Recording.read(tmp_path / "a.mat")
    assert recording.names == ("q",)
    assert recording.columns(("q",))[:, 0].tolist() == [0, 1, 2]
