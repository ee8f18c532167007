"""Recordings in files that are small on disk and huge, or damaged, once they are read. Each has a good column ``q`` too."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.io import savemat

Q = np.linspace(0.0, 1.0, 300)
SEVEN_3 = b"MATLAB 7.3 MAT-file".ljust(124, b" ") + b"\x00\x02IM"
ZEROS = 1 << 24  # bytes of zeros that are deflated once and repeated


def deflated_zeros(head: bytes, zeros: int) -> bytes:
    """A zlib stream of a head and many zeros, made without deflating all of them; its check sum is wrong."""
    packer = zlib.compressobj(9)
    first = packer.compress(head) + packer.flush(zlib.Z_FULL_FLUSH)
    piece = packer.compress(bytes(ZEROS)) + packer.flush(zlib.Z_FULL_FLUSH)
    return first + piece * (zeros // ZEROS) + packer.flush()


def _element(kind: int, content: bytes) -> bytes:
    return struct.pack("<II", kind, len(content)) + content + bytes(-len(content) % 8)


def _matrix(name: str, shape: tuple[int, int], kind: int, data_type: int, count: int) -> bytes:
    """The beginning of a miMATRIX element, whose numbers (``count`` bytes) are to follow."""
    body = _element(6, struct.pack("<II", kind, 0)) + _element(5, struct.pack("<ii", *shape))
    body += _element(1, name.encode()) + struct.pack("<II", data_type, count)
    return struct.pack("<II", 14, len(body) + count) + body


def mat_5(path: Path, rng: np.random.Generator) -> str:
    """A vector of 1.3 to 2.1 GB; some files store its numbers as bytes, or declare it short."""
    savemat(path, {"q": Q}, do_compression=bool(rng.integers(2)))
    zeros = ZEROS * int(rng.integers(80, 128))
    kind = int(rng.integers(3))
    rows = {0: zeros // 8, 1: zeros, 2: 300}[kind]
    packed = deflated_zeros(_matrix("bomb", (rows, 1), 6, 1 if kind == 1 else 9, zeros), zeros)
    with open(path, "ab") as file:
        file.write(struct.pack("<II", 15, len(packed)) + packed)
    return "bomb"


def mat_5_structure(path: Path, rng: np.random.Generator) -> str:
    """A structure with a field of 1.3 to 2.1 GB."""
    savemat(path, {"q": Q})
    zeros = ZEROS * int(rng.integers(80, 128))
    field = _matrix("", (zeros // 8, 1), 6, 9, zeros)
    body = _element(6, struct.pack("<II", 2, 0)) + _element(5, struct.pack("<ii", 1, 1)) + _element(1, b"log")
    body += struct.pack("<HHI", 5, 4, 8) + _element(1, b"bomb".ljust(8, b"\0"))
    packed = deflated_zeros(struct.pack("<II", 14, len(body) + len(field) + zeros) + body + field, zeros)
    with open(path, "ab") as file:
        file.write(struct.pack("<II", 15, len(packed)) + packed)
    return "log.bomb"


def _hdf5(path: Path, rng: np.random.Generator, matlab: bool) -> str:
    import h5py

    rows = int(rng.integers(2, 9)) * 10**9
    kind = int(rng.integers(4))
    with h5py.File(path, "w", userblock_size=512 if matlab else 0) as file:
        file["q"] = Q[None] if matlab else Q
        if kind == 0:  # nothing written: all rows are the fill value
            shape = (rows, 1) if matlab else (rows,)
            file.create_dataset("bomb", shape, "f8", chunks=(1 << 16, 1)[: len(shape)], compression="gzip")
        elif kind == 1:  # one byte a number
            shape = (1, rows) if matlab else (rows,)
            file.create_dataset("bomb", shape, "u1", chunks=(1, 1 << 20)[-len(shape) :])
        elif kind == 2:  # a few rows in chunks of 2 GB
            made = file.create_dataset("bomb", (300,), "f8", maxshape=(None,), chunks=(1 << 28,), compression="gzip")
            made.id.write_direct_chunk((0,), deflated_zeros(b"", 1 << 31))
        else:
            file.create_dataset("bomb", (rows // 7, 7), "f4", chunks=(1 << 16, 7))
    return "bomb.3" if kind == 3 else "bomb"


def hdf5(path: Path, rng: np.random.Generator) -> str:
    return _hdf5(path, rng, matlab=False)


def mat_7_3(path: Path, rng: np.random.Generator) -> str:
    name = _hdf5(path, rng, matlab=True)
    _as_matlab(path)
    return name


def _as_matlab(path: Path) -> None:
    with open(path, "r+b") as file:
        file.write(SEVEN_3)


def hdf5_wide(path: Path, rng: np.random.Generator) -> str:
    """So many columns that their names alone fill the memory."""
    import h5py

    with h5py.File(path, "w") as file:
        file["q"] = Q
        file.create_dataset("bomb", (300, int(rng.integers(1, 5)) * 10**8), "f8", chunks=(300, 1 << 10))
    return "bomb.0"


def _damaged(path: Path, rng: np.random.Generator, matlab: bool) -> str:
    import h5py

    x = rng.normal(size=300)
    with h5py.File(path, "w", userblock_size=512 if matlab else 0) as file:
        file["q"] = Q[None] if matlab else Q
        kept = file.create_dataset("bad", data=x[None] if matlab else x, compression="gzip", chunks=True)
        at = kept.id.get_chunk_info(0)
    content = bytearray(path.read_bytes())
    start = at.byte_offset + (512 if matlab else 0)
    if bytes(content[start : start + 1]) != b"x":  # some versions count from the start of the file
        start = at.byte_offset
    content[start + 5 : start + 200] = rng.bytes(195)
    path.write_bytes(content)
    return "bad"


def hdf5_damaged(path: Path, rng: np.random.Generator) -> str:
    return _damaged(path, rng, matlab=False)


def mat_7_3_damaged(path: Path, rng: np.random.Generator) -> str:
    name = _damaged(path, rng, matlab=True)
    _as_matlab(path)
    return name


def mat_5_damaged(path: Path, rng: np.random.Generator) -> str:
    savemat(path, {"q": Q, "bad": rng.normal(size=3000)}, do_compression=True)
    content = bytearray(path.read_bytes())
    content[-4000:-2000] = rng.bytes(2000)
    path.write_bytes(content)
    return "bad"


def parquet(path: Path, rng: np.random.Generator) -> str:
    """1e7 and more rows of the same number."""
    import pyarrow as arrow
    from pyarrow import parquet as files

    rows = 10**6
    same = arrow.DictionaryArray.from_arrays(np.zeros(rows, np.int8), [0.5]).cast("float64")
    table = arrow.table({"q": same, "bomb": same})
    with files.ParquetWriter(path, table.schema) as writer:
        for _ in range(int(rng.integers(10, 15))):
            writer.write_table(table, row_group_size=rows)
    return "bomb"


def parquet_lists(path: Path, rng: np.random.Generator) -> str:
    """A list of 1e7 numbers and more."""
    import pyarrow as arrow
    from pyarrow import parquet as files

    long = int(rng.integers(10, 15)) * 10**6
    lists = arrow.ListArray.from_arrays(
        arrow.array([0, long, *[long] * 299], "int32"), arrow.array(np.zeros(long, np.uint8))
    )
    files.write_table(arrow.table({"q": Q, "bomb": lists}), path)
    return "bomb.0"


def parquet_damaged(path: Path, rng: np.random.Generator) -> str:
    import pyarrow as arrow
    from pyarrow import parquet as files

    table = arrow.table({"q": Q, "bad": rng.normal(size=300)})
    files.write_table(table, path, compression="zstd", use_dictionary=False)
    at = files.ParquetFile(path).metadata.row_group(0).column(1)
    content = bytearray(path.read_bytes())
    start = at.data_page_offset
    content[start : start + at.total_compressed_size] = rng.bytes(at.total_compressed_size)
    path.write_bytes(content)
    return "bad"


def npz(path: Path, rng: np.random.Generator) -> str:
    """A member that deflates well, or whose header promises more than it holds."""
    np.savez(path, q=Q)
    header = io.BytesIO()
    rows = int(rng.integers(10, 20)) * 10**6
    fields = {"descr": "|u1" if rng.integers(2) else "<f8", "fortran_order": False, "shape": (rows,)}
    np.lib.format.write_array_header_1_0(header, fields)
    with (
        zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as packed,
        packed.open("bomb.npy", "w", force_zip64=True) as file,
    ):
        file.write(header.getvalue())
        for _ in range(rows // 10**6):
            file.write(bytes(10**6))
    return "bomb"


def npz_damaged(path: Path, rng: np.random.Generator) -> str:
    np.savez_compressed(path, q=Q, bad=rng.normal(size=3000))
    with zipfile.ZipFile(path) as packed:
        at = packed.getinfo("bad.npy").header_offset
    content = bytearray(path.read_bytes())
    content[at + 600 : at + 900] = rng.bytes(300)
    path.write_bytes(content)
    return "bad"


SCALED = ("npz", "parquet", "parquet lists")  # small ones, for which a 16th of the limit is enough
HOSTILE: dict[str, tuple[str, Callable[[Path, np.random.Generator], str]]] = {
    "mat 5": ("mat", mat_5),
    "mat 5 structure": ("mat", mat_5_structure),
    "mat 5 damaged": ("mat", mat_5_damaged),
    "mat 7.3": ("mat", mat_7_3),
    "mat 7.3 damaged": ("mat", mat_7_3_damaged),
    "hdf5": ("h5", hdf5),
    "hdf5 wide": ("h5", hdf5_wide),
    "hdf5 damaged": ("h5", hdf5_damaged),
    "parquet": ("parquet", parquet),
    "parquet lists": ("parquet", parquet_lists),
    "parquet damaged": ("parquet", parquet_damaged),
    "npz": ("npz", npz),
    "npz damaged": ("npz", npz_damaged),
}
