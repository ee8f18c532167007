"""Files: written whole or not at all, read back to the last digit, and nothing in them is believed."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from simulation.sample_runs import lost_at, several, swinging

from robosym import RobosymError
from robosym.simulation import Run, Runs, read
from robosym.simulation.files import plain

KINDS = [".parquet", ".npz", ".csv"]


def odd_run() -> Run:
    """Everything a run may hold."""
    run = swinging("eel-3", 6)
    more = {"file": np.arange(6.0), "command": run.tau, "a/b": np.zeros((6, 2, 3)), "nothing": np.zeros((6, 0))}
    settings = {
        "step": 1e-3,
        "friction": False,
        "gain": np.float64(2),
        "limit": np.inf,
        "rows": np.eye(2),
        "kind": Path("x"),
    }
    return lost_at(replace(run, more=more, settings=settings, notes=("a note",)), 4)


def runs() -> Runs:
    run = swinging("planar-2r", 5)
    return several([run, lost_at(run, 2), run], bandwidth=[1, 2, 3], gains=[[1, 2], [3, 4], [5, 6]])


@pytest.mark.parametrize("kind", [".parquet", ".npz"])
@pytest.mark.parametrize("make", [odd_run, runs, lambda: swinging("puma560", 1, 0.0)])
def test_what_is_read_is_what_was_written(kind: str, make: Any, tmp_path: Path) -> None:
    if kind == ".parquet":
        pytest.importorskip("pyarrow")
    run, path = make(), tmp_path / f"run{kind}"
    run.write(path)
    found = read(path)
    expected = run.as_arrays()
    assert list(found.arrays) == list(expected)
    for name, values in expected.items():
        whole = np.broadcast_to(values, found[name].shape)
        assert found[name].shape[-values.ndim :] == values.shape
        assert np.array_equal(found[name], whole, equal_nan=True), name
    assert found.about["robot"] == run.robot.name
    assert tuple(found.about["joints"]) == run.joints
    assert found.settings["step"] == 1e-3
    if isinstance(run, Runs):
        assert found.about["runs"] == 3
        assert found.about["failed"] == [None, run.failed[1], None]
        assert found.about["varied"]["gains"] == [[1, 2], [3, 4], [5, 6]]
    elif run.failed is not None:
        assert found.settings == {
            "step": 1e-3,
            "friction": False,
            "gain": 2,
            "limit": None,
            "rows": [[1, 0], [0, 1]],
            "kind": "x",
        }
        assert found.about["failed"] == run.failed
        assert found.about["notes"] == ["a note"]
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("make", [odd_run, runs])
def test_csv_holds_the_columns(make: Any, tmp_path: Path) -> None:
    run = make()
    run.write(tmp_path / "run.csv")
    found = read(tmp_path / "run.csv")
    table = run.as_table()
    assert list(found.arrays) == list(table)
    for name, values in table.items():
        assert np.array_equal(found[name], values, equal_nan=True)
    with pytest.raises(KeyError, match="arrays: "):
        found["colour"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_run_is_the_same_file(kind: str, tmp_path: Path) -> None:
    if kind == ".parquet":
        pytest.importorskip("pyarrow")
    for name in "ab":
        odd_run().write(tmp_path / f"{name}{kind}")
    assert (tmp_path / f"a{kind}").read_bytes() == (tmp_path / f"b{kind}").read_bytes()


def test_others_read_the_files_too(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    run = swinging("planar-2r", 5)
    run.write(tmp_path / "run.parquet")
    table = parquet.read_table(tmp_path / "run.parquet")
    assert table.column_names == list(run.as_table())
    assert json.loads(table.schema.metadata[b"robosym"])["settings"]["law"] == "computed-torque"
    run.write(tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz", allow_pickle=False) as held:
        assert (held["q"] == run.q).all()


def test_endings(tmp_path: Path) -> None:
    run = swinging("planar-2r", 5)
    with pytest.raises(RobosymError, match=r"ends in one of \.csv, \.parquet, \.npz, \.png, \.svg, \.pdf, \.html"):
        run.write(tmp_path / "run.xlsx")
    with pytest.raises(RobosymError, match=r"an animation is of one run: runs\[0\]"):
        runs().write(tmp_path / "runs.html")
    with pytest.raises(RobosymError, match="options are of pictures"):
        run.write(tmp_path / "run.csv", what="all")
    with pytest.raises(RobosymError, match=r"ends in one of \.csv, \.parquet, \.npz$"):
        read(tmp_path / "run.png")
    with pytest.raises(RobosymError, match="cannot be read"):
        read(tmp_path / "missing.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", [*KINDS, ".html", ".svg"])
def test_a_file_that_cannot_be_written_leaves_what_was_there(kind: str, tmp_path: Path) -> None:
    if kind == ".parquet":
        pytest.importorskip("pyarrow")
    run = swinging("planar-2r", 5)
    with pytest.raises(RobosymError, match="cannot be written"):
        run.write(tmp_path / "missing" / f"run{kind}")
    (tmp_path / f"run{kind}").mkdir()
    with pytest.raises(RobosymError, match="this is a folder"):
        run.write(tmp_path / f"run{kind}")
    assert [one.name for one in tmp_path.iterdir()] == [f"run{kind}"]


def test_an_error_on_the_way_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.npz"
    path.write_text("before")

    def breaks(*_: Any, **__: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(np.lib.format, "write_array", breaks)
    with pytest.raises(MemoryError):
        swinging("planar-2r", 5).write(path)
    assert path.read_text() == "before"


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    (tmp_path / "old.parquet").write_bytes(b"")
    for attempt in (
        lambda: swinging("planar-2r").write(tmp_path / "x.parquet"),
        lambda: read(tmp_path / "old.parquet"),
    ):
        with pytest.raises(RobosymError, match=r"need pyarrow: pip install robosym\[data\]"):
            attempt()


# --- files of others -------------------------------------------------------------------------------------------------------


def packed(**members: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("_", "."), content)
    return held.getvalue()


class Trap:
    def __reduce__(self) -> tuple[Any, ...]:
        return (pytest.fail, ("evaluated",))


def objects() -> bytes:
    held = io.BytesIO()
    np.save(held, np.array([Trap()], dtype=object), allow_pickle=True)
    return held.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no archive",
        packed(q_npy=b"no array"),
        packed(q_npy=objects()),
        packed(q_npy=pickle.dumps(Trap())),
        packed(robosym_json=b"{"),
        packed(robosym_json=b"[]"),
        packed(robosym_json=b'{"a": NaN}'),
        packed(
            q_npy=b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (9999999,), }" + b" " * 50
        ),
    ],
)
def test_a_numpy_file_that_is_none(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.npz").write_bytes(content)
    with pytest.raises(RobosymError, match=r"x\.npz: "):
        read(tmp_path / "x.npz")


@pytest.mark.parametrize(
    "content", [b"", b"t,t\n1,2\n", b"t,q\n1\n", b"t\n__import__('os')\n", b"t\n\xff\n", b'"t\n1\n']
)
def test_a_table_that_is_none(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(content)
    with pytest.raises(RobosymError, match=r"x\.csv: not a table of numbers"):
        read(tmp_path / "x.csv")


def test_a_parquet_file_that_is_none(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "x.parquet"
    path.write_bytes(b"no parquet")
    with pytest.raises(RobosymError, match="not a Parquet file"):
        read(path)
    parquet.write_table(arrow.table({"name": ["a", "b"]}), path)
    with pytest.raises(RobosymError, match="not a Parquet file of numbers"):
        read(path)
    plainly = arrow.table({"t": [0.0, 1.0]})
    parquet.write_table(plainly, path)
    assert read(path)["t"].tolist() == [0, 1]
    for about in (
        {"layout": {"q": ["missing"]}, "shapes": {"q": [2, 1]}},
        {"layout": {"q": ["t"]}, "shapes": {"q": [3]}},
        {},
    ):
        parquet.write_table(plainly.replace_schema_metadata({"robosym": json.dumps(about)}), path)
        with pytest.raises(RobosymError, match="its columns are not those"):
            read(path)


def test_settings_of_any_kind_become_json() -> None:
    found = plain({"a": (1, np.int64(2)), 3: {np.float32(0.5)}, "n": np.nan, "b": np.bool_(True), "o": object})
    assert json.loads(json.dumps(found, allow_nan=False))["a"] == [1, 2]
    assert found["n"] is None
    assert found["b"] is True
