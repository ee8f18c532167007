"""HDF5 files: datasets of groups as columns, in blocks of rows."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from identification.data.recording_writers import numbers

from robosym.identification.data import recording_files
from robosym.identification.data.recording import Recording
from robosym.identification.data.recording_errors import RecordingError
from robosym.identification.data.recording_hdf5 import Dataset, hdf5


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


def test_compressed_chunks_larger_than_a_block_are_unpacked_once(tmp_path: Path) -> None:
    """A recording in one chunk, as some loggers write it."""
    h5py = pytest.importorskip("h5py")
    x = np.random.default_rng(0).normal(size=(400_000, 3)).astype("f4")
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_dataset("q", data=x, chunks=(400_000, 1), compression="gzip", compression_opts=1)
    recording = Recording.read(tmp_path / "a.h5")
    assert (recording.columns(("q.0", "q.2")) == x[:, [0, 2]]).all()


def test_only_datasets_of_numbers_are_columns(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["t"] = np.arange(4, dtype=">i2")
        file["run/q"] = np.eye(4)[:, :2]
        file["run/one"] = 3.0
        file["run/word"] = "text"
        file["z"] = np.zeros(4, complex)
        file["empty"] = np.zeros((0, 3))
        file["cube"] = np.zeros((4, 2, 2))
        file["#refs#/x"] = np.zeros(4)  # where MATLAB keeps what cells hold
        file.create_dataset("nothing", dtype="f8", data=h5py.Empty("f8"))
    source = hdf5(tmp_path / "a.h5")
    assert set(source.names) == {"t", "run/q.0", "run/q.1"}
    assert Recording.read(tmp_path / "a.h5").columns(("t", "run/q.1")).tolist() == [[0, 0], [1, 1], [2, 0], [3, 0]]


@pytest.mark.parametrize("chunks", [None, (7, 1), (50, 3), (300, 2)])
@pytest.mark.parametrize("rows", [1, 64, 1000])
def test_blocks_are_the_dataset_however_it_is_stored(
    chunks: tuple[int, int] | None, rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    h5py = pytest.importorskip("h5py")
    monkeypatch.setattr(recording_files, "ROWS", rows)
    x = np.random.default_rng(0).normal(size=(300, 3))
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_dataset("q", data=x, chunks=chunks, compression="gzip" if chunks else None)
    found = Recording.read(tmp_path / "a.h5").columns(("q.2", "q.0"))
    np.testing.assert_array_equal(found, x[:, [2, 0]])


def test_the_chunks_of_a_block_of_rows_are_held_together(tmp_path: Path) -> None:
    """Four chunks lie beside each other in a row of chunks: 100 rows of 8 columns."""
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "a.h5", "w") as file:
        item = file.create_dataset("q", data=np.zeros((1000, 8), "f4"), chunks=(100, 2))
        assert Dataset(file, item, matlab=False).band == 100 * 8 * 4
        assert Dataset(file, item, matlab=False).held == 1000 * 8 * 8  # doubles, once they are read
        turned = file.create_dataset("m", data=np.zeros((8, 1000), "f4"), chunks=(2, 100))
        assert Dataset(file, turned, matlab=True).band == 100 * 8 * 4
        assert Dataset(file, file.create_dataset("s", data=np.zeros((10, 3))), matlab=False).band == 0


def test_data_in_other_files_are_not_opened(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    (tmp_path / "raw.bin").write_bytes(np.arange(4.0).tobytes())
    with h5py.File(tmp_path / "b.h5", "w") as file:
        file["q"] = np.arange(4.0)
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["q"] = np.arange(4.0)
        file.create_dataset("raw", (4,), "f8", external=[(str(tmp_path / "raw.bin"), 0, 32)])
        layout = h5py.VirtualLayout((4,), "f8")
        layout[:] = h5py.VirtualSource(tmp_path / "b.h5", "q", (4,))
        file.create_virtual_dataset("virtual", layout)
    recording = Recording.read(tmp_path / "a.h5")
    assert recording.names == ("q",)
    for name in ("raw", "virtual"):
        with pytest.raises(RecordingError, match=f"column '{name}': is kept in another file, which is not opened"):
            recording.columns((name,))


def test_without_the_library_its_name_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(RecordingError, match=r"a\.h5: HDF5 files need h5py: pip install robosym\[data\]"):
        hdf5(tmp_path / "a.h5")
