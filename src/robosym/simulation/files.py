"""Runs in files: .csv, .parquet and .npz, complete or not at all; read back as arrays, without evaluating anything.

Parquet and NumPy files hold what the run is beside its numbers as JSON: the robot's name, the joints, settings, notes, what was lost.
"""

from __future__ import annotations

import csv
import io
import json
import math
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..brief import brief
from ..errors import RobosymError
from ..files import parse_json, write_bytes, write_text
from ..options.validate import validated
from ..plots import FORMATS
from ..reals import Floats
from .table import arrays_of, as_csv, layout_of

if TYPE_CHECKING:
    from .recorded import Recorded

KEY = "robosym"  # of the JSON in a Parquet file
MEMBER = "robosym.json"  # in a NumPy file
LARGEST = 1 << 34  # bytes of a file that is read, unpacked
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the same run is the same file
PICTURES = tuple(f".{name}" for name in FORMATS)


@dataclass(frozen=True, eq=False, repr=False)
class Saved:
    """What a file holds. ``arrays`` are those of ``as_arrays`` (time, q, qd, tau ...); of a CSV file each column is one."""

    arrays: Mapping[str, Floats]
    about: Mapping[str, Any] = field(default_factory=dict)  # robot, joints, settings, notes, failed, reason, varied

    def __repr__(self) -> str:
        return brief(f"Saved: {', '.join(f'{name} {values.shape}' for name, values in self.arrays.items())}")

    def __getitem__(self, name: str) -> Floats:
        if name not in self.arrays:
            raise KeyError(f"{name!r} (arrays: {', '.join(self.arrays)})")
        return self.arrays[name]

    @property
    def settings(self) -> dict[str, Any]:
        return dict(self.about.get("settings") or {})


# --- writing -----------------------------------------------------------------------------------------------------------


def write(run: Recorded, path: str | Path, **options: Any) -> None:
    """In the format of the ending. ``options`` are those of ``plot`` and ``animate``."""
    suffix = Path(path).suffix.lower()
    many = run.q.ndim == 3
    if suffix in PICTURES:
        run.plot(path, **({"what": "all"} if not many else {}) | options)  # type: ignore[attr-defined]
    elif suffix == ".html" and not many:
        run.animate(path, **options)  # type: ignore[attr-defined]
    elif suffix in WRITERS:
        if options:
            raise RobosymError(f"{path}: {', '.join(options)}: options are of pictures and animations")
        WRITERS[suffix](run, path)
    else:
        endings = ", ".join([*WRITERS, *PICTURES, *([] if many else [".html"])])
        one = "; an animation is of one run: runs[0]" if suffix == ".html" else ""
        raise RobosymError(f"{path}: expected a name that ends in one of {endings}{one}")


def _write_csv(run: Recorded, path: str | Path) -> None:
    write_text(path, as_csv(run.as_table()))


def _write_parquet(run: Recorded, path: str | Path) -> None:
    arrow, parquet = _arrow(path)
    columns = run.as_table()
    layout = layout_of(run)
    shapes = {name: list(values.shape) for name, values in run.as_arrays().items()}
    shapes["time"] = list(run.q.shape[:-1])
    about = _about(run) | {"layout": {name: list(labels) for name, labels in layout.items()}, "shapes": shapes}
    table = arrow.table({name: arrow.array(values) for name, values in columns.items()})
    drawn = io.BytesIO()
    parquet.write_table(table.replace_schema_metadata({KEY: _json(about)}), drawn)
    write_bytes(path, drawn.getvalue())


def _write_npz(run: Recorded, path: str | Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, values in run.as_arrays().items():
            one = io.BytesIO()
            np.lib.format.write_array(one, np.ascontiguousarray(values), allow_pickle=False)
            archive.writestr(_member(f"{name}.npy"), one.getvalue())
        archive.writestr(_member(MEMBER), _json(_about(run)))
    write_bytes(path, packed.getvalue())


def _member(name: str) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name, LONG_AGO)
    member.compress_type = zipfile.ZIP_DEFLATED
    return member


WRITERS: dict[str, Callable[[Recorded, str | Path], None]] = {
    ".csv": _write_csv,
    ".parquet": _write_parquet,
    ".npz": _write_npz,
}


def _about(run: Recorded) -> dict[str, Any]:
    many = run.q.ndim == 3
    own: dict[str, Any] = {"robot": run.robot.name, "joints": list(run.joints), "settings": dict(run.settings)}
    own |= {"notes": list(run.notes), "runs": len(run.q) if many else None, "failed": getattr(run, "failed", None)}
    own |= {name: getattr(run, name) for name in ("reason", "reasons", "varied") if hasattr(run, name)}
    return plain(own)  # type: ignore[no-any-return]


def _json(data: Any) -> bytes:
    return json.dumps(data, allow_nan=False).encode()


def plain(value: Any) -> Any:
    """As JSON has it: lists, numbers, texts; null for what is no number, the words of what is nothing of these."""
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(one) for one in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, bool | int | str) else str(value)


# --- reading -----------------------------------------------------------------------------------------------------------


@validated
def read(path: str | Path) -> Saved:
    """Read the file of a run.

    Parameters
    ----------
    path
        Path of a .csv, .parquet or .npz file that ``write`` made.

    Returns
    -------
    Saved
        Arrays of the run by name, with the robot, settings and notes that the file holds.
    """
    reader = READERS.get(Path(path).suffix.lower())
    if reader is None:
        raise RobosymError(f"{path}: expected a name that ends in one of {', '.join(READERS)}")
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise RobosymError(f"{path}: cannot be read: {error.strerror or error}") from error
    return reader(path, content)


def _read_csv(path: str | Path, content: bytes) -> Saved:
    try:
        header, *rows = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True)
        names = list(header)
        if len(set(names)) < len(names):
            raise ValueError("a column is there twice")
        wrong = next((k for k, row in enumerate(rows, 2) if len(row) != len(names)), None)
        if wrong is not None:
            raise ValueError(f"line {wrong} has {len(rows[wrong - 2])} entries, the header {len(names)}")
        table = np.array([[float(x) for x in row] for row in rows]).reshape(len(rows), len(names))
    except (ValueError, csv.Error) as error:
        raise RobosymError(f"{path}: not a table of numbers: {error}") from error
    return Saved({name: table[:, k] for k, name in enumerate(names)})


def _read_npz(path: str | Path, content: bytes) -> Saved:
    arrays: dict[str, Floats] = {}
    about: Any = {}
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(member.file_size for member in archive.infolist()) > LARGEST:
                raise RobosymError(f"{path}: larger than {LARGEST} bytes")
            for member in archive.infolist():
                held = archive.read(member)
                if member.filename == MEMBER:
                    about = parse_json(held.decode(), path)
                elif member.filename.endswith(".npy"):
                    array = np.lib.format.read_array(io.BytesIO(held), allow_pickle=False)
                    if array.dtype.kind not in "fiub":
                        raise ValueError(f"'{member.filename}' holds no numbers")
                    arrays[member.filename.removesuffix(".npy")] = array.astype(float)
    except (zipfile.BadZipFile, ValueError, EOFError, NotImplementedError, RuntimeError) as error:
        if isinstance(error, RobosymError):
            raise
        raise RobosymError(f"{path}: not a NumPy file of arrays: {error}") from error
    return Saved(arrays, _mapping(path, about))


def _read_parquet(path: str | Path, content: bytes) -> Saved:
    arrow, parquet = _arrow(path)
    try:
        table = parquet.read_table(arrow.BufferReader(content))
        columns = {name: table.column(name).cast("float64").to_numpy() for name in table.column_names}
    except (arrow.ArrowException, OSError, ValueError) as error:
        raise RobosymError(f"{path}: not a Parquet file of numbers: {error}") from error
    held = (table.schema.metadata or {}).get(KEY.encode())
    if held is None:
        return Saved(columns)
    about = dict(_mapping(path, parse_json(held.decode(errors="replace"), path)))
    layout, shapes = about.pop("layout", None), about.pop("shapes", None)
    try:
        return Saved(arrays_of(columns, layout, shapes), about)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RobosymError(f"{path}: its columns are not those that it says it has: {error}") from error


READERS: dict[str, Callable[[str | Path, bytes], Saved]] = {
    ".csv": _read_csv,
    ".parquet": _read_parquet,
    ".npz": _read_npz,
}


def _mapping(path: str | Path, about: Any) -> Mapping[str, Any]:
    if not isinstance(about, Mapping):
        raise RobosymError(f"{path}: what it says about its arrays is no mapping")
    return about


def _arrow(path: str | Path) -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise RobosymError(f"{path}: Parquet files need pyarrow: pip install robosym[data]") from error
    return pyarrow, parquet
