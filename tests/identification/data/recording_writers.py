"""Recordings of three columns, written in every format."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robosym.identification.data.recording import Recording

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


def typed(dtype: str, rows: int) -> np.ndarray:
    """The numbers times ten in another type; of unsigned ones the sizes."""
    x = 10 * numbers(rows)
    return (np.abs(x) if np.dtype(dtype).kind == "u" else x).astype(dtype)
