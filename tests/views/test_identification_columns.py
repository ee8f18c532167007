"""Recordings looked at: what columns are, their units and sides, and files that are no recordings."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from views.recordings import written

import robosym
from robosym.errors import RobosymError
from robosym.identification.data import recording_files
from robosym.robot import Robot
from robosym.views import identification as views
from robosym.views.identification_columns import POINTS, Column, _is_clock, _named, _time_unit


@pytest.fixture(scope="module")
def robot() -> Robot:
    return robosym.load("planar-2r")


@pytest.mark.parametrize(
    ("header", "position", "torque"),
    [
        ("t,q1,q2,tau1,tau2", ["q1", "q2"], ["tau1", "tau2"]),
        ("time,q_elbow,q_shoulder,tau_elbow,tau_shoulder", ["q_shoulder", "q_elbow"], ["tau_shoulder", "tau_elbow"]),
        ("t,pos_cmd_1,pos_cmd_2,pos_1,pos_2,torque_1,torque_2", ["pos_1", "pos_2"], ["torque_1", "torque_2"]),
        ("t,tau0,tau1,qd0,qd1,q0,q1", ["q0", "q1"], ["tau0", "tau1"]),
        ("t [s],angle.2 [rad],angle.1 [rad],i2 [A],i1 [A]", ["angle.1 [rad]", "angle.2 [rad]"], ["i1 [A]", "i2 [A]"]),
        ("a,b,c,d", ["a", "b"], ["c", "d"]),  # by their order
    ],
)
def test_columns_are_recognised(
    robot: Robot, tmp_path: Path, header: str, position: list[str], torque: list[str]
) -> None:
    found = views.looked_at(robot, [written(tmp_path, header)])
    table = found["table"]
    assert table["position"]["columns"] == position
    assert table["torque"]["columns"] == torque
    assert table["data"].get("time") == (header.split(",")[0] if header.startswith("t") else None)
    assert json.dumps(found, allow_nan=False)
    if header == "a,b,c,d":
        assert any("say nothing" in note for note in found["notes"])


def test_units_follow_from_names_and_ranges(robot: Robot, tmp_path: Path) -> None:
    table = views.looked_at(robot, [written(tmp_path, "t,q1,q2,tau1,tau2", scale=90)])["table"]
    assert table["position"]["unit"] == "deg"
    named = views.looked_at(robot, [written(tmp_path, "t [ms],q1 [deg],q2 [deg],i1 [mA],i2 [mA]")])["table"]
    assert (named["position"]["unit"], named["torque"]["unit"], named["torque"]["side"]) == ("deg", "mA", "motor")
    assert named["data"]["time_unit"] == "ms"


def test_files_side_by_side_and_several_recordings(robot: Robot, tmp_path: Path) -> None:
    beside = [written(tmp_path, "joint1,joint2", name=name) for name in ("positions.csv", "currents.csv")]
    found = views.looked_at(robot, beside)
    assert found["recordings"] == [["positions.csv", "currents.csv"]]
    assert found["table"]["position"]["columns"] == ["positions.joint1", "positions.joint2"]
    assert any("rate" in note for note in found["notes"])
    two = [written(tmp_path, "t,q1,q2,tau1,tau2", name=name) for name in ("first.csv", "second.csv")]
    data = views.looked_at(robot, two)["table"]["data"]
    assert (data["recordings"], data["role"]) == ([["first.csv"], ["second.csv"]], ["train", "validate"])


def test_ranges_and_missing_numbers_are_seen(robot: Robot, tmp_path: Path) -> None:
    path = tmp_path / "gaps.csv"
    path.write_text("t,q1,q2,tau1,tau2\n0,1,2,3,4\n0.1,nan,2,-3,4\n0.2,5,2,,4\n")
    columns = {one["name"]: one for one in views.looked_at(robot, [path])["files"][0]["columns"]}
    assert (columns["q1"]["least"], columns["q1"]["most"], columns["q1"]["missing"]) == (1, 5, 1)
    assert columns["q2"]["constant"]
    assert not columns["q1"]["constant"]


def bad_files(folder: Path) -> dict[str, tuple[bytes | None, str]]:
    noise = np.random.default_rng(0).bytes(4000)
    np.save(folder / "objects.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    np.savez(folder / "objects.npz", q=np.array([{"a": 1}], dtype=object))
    np.savez(folder / "words.npz", q=np.array(["a", "b"]))
    with zipfile.ZipFile(folder / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("q.npy", bytes(8 << 20))
    return {
        "noise.csv": (noise, "expected text"),
        "noise.npz": (noise, "cannot be read as a NumPy archive"),
        "noise.mat": (noise, "cannot be read as a MAT file"),
        "noise.h5": (noise, "cannot be read as an HDF5 file"),
        "noise.parquet": (noise, "cannot be read as a Parquet file"),
        "empty.csv": (b"", "the file is empty"),
        "header.csv": (b"q1,q2\n", "0 rows of numbers"),
        "cut.csv": (b"q1,q2,tau1\n1,2,3\n1,2\n", "line 3: expected 3 cells, got 2"),
        "words.csv": (b"q1,q2\n1,2\n1,two\n", "line 3, column 'q2': expected a number, got 'two'"),
        "comma.csv": (b"q1;q2\n1,5;2\n", "decimals are written with a point"),
        "robot.exe": (noise, "a recording ends in one of"),
        "objects.npy": (None, "Python objects, which are never unpacked"),
        "objects.npz": (None, "Python objects, which are never unpacked"),
        "words.npz": (None, "no columns of numbers"),
        "bomb.npz": (None, "which no recording of this size does"),
    }


def test_files_that_are_no_recordings_are_named(robot: Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_files, "LARGE", 1 << 20)
    expected = bad_files(tmp_path)
    for name, (content, _) in expected.items():
        if content is not None:
            (tmp_path / name).write_bytes(content)
    found = views.looked_at(robot, [tmp_path / name for name in expected])
    said = {one["where"]: one["message"] for one in found["problems"]}
    for name, (_, words) in expected.items():
        assert words in said.get(name, ""), (name, said.get(name))
        assert str(tmp_path) not in said[name]
    assert found["files"] == []
    assert found["table"] == {}


def test_columns_of_different_lengths(robot: Robot, tmp_path: Path) -> None:
    np.savez(tmp_path / "data.npz", q=np.zeros((30, 2)), tau=np.zeros((20, 2)))
    (problem,) = views.looked_at(robot, [tmp_path / "data.npz"])["problems"]
    assert "columns of different lengths" in problem["message"]


def test_datasets_of_other_files_are_not_read(robot: Robot, tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    (tmp_path / "secret").write_bytes(bytes(800))
    with h5py.File(tmp_path / "data.h5", "w") as file:
        file.create_dataset("q", (100,), dtype="f8", external=[(str(tmp_path / "secret"), 0, 800)])
    (problem,) = views.looked_at(robot, [tmp_path / "data.h5"])["problems"]
    assert "kept in another file" in problem["message"]


def test_two_files_of_one_name_are_refused(robot: Robot, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    both = [written(tmp_path, "q1,q2,tau1,tau2"), written(tmp_path / "other", "q1,q2,tau1,tau2")]
    with pytest.raises(RobosymError, match=r"two files are called data\.csv"):
        views.looked_at(robot, both)


def test_joints_that_slide_are_in_metres(tmp_path: Path) -> None:
    """Whatever the angles are in."""
    robot = robosym.load("stanford-3")
    header = "t,q1,q2,q3,tau1,tau2,tau3"
    assert views.looked_at(robot, [written(tmp_path, header)])["table"]["position"]["unit"] == ["rad", "rad", "m"]
    t = np.arange(50) / 100
    data = np.column_stack([t, 90 * np.sin(t), 90 * np.cos(9 * t), np.sin(t), t, t, t])
    np.savetxt(tmp_path / "deg.csv", data, delimiter=",", header=header, comments="")
    assert views.looked_at(robot, [tmp_path / "deg.csv"])["table"]["position"]["unit"] == ["deg", "deg", "m"]


@pytest.mark.parametrize(
    ("name", "kind", "unit", "joint", "number"),
    [
        ("q3", "position", "", None, 3),
        ("tau.elbow", "torque", "", 1, None),
        ("Shoulder_Velocity [deg/s]", "velocity", "deg/s", 0, None),
        ("motor_current_2 [A]", "current", "A", None, 2),
        ("jointTorque1 (Nm)", "torque", "N m", None, 1),
        ("time [us]", "time", "us", None, None),
        ("t2", "", "", None, 2),  # a number of its own: no clock
        ("elbow", "", "", 1, None),
        ("elbow2", "", "", None, 2),
        ("arm2_q3", "position", "", None, 3),  # the last number
        ("temperature", "", "", None, None),
        ("qdd1", "acceleration", "", None, 1),
        ("desired_pos_1", "position", "", None, 1),
    ],
)  # fmt: skip
def test_what_a_name_says(robot: Robot, name: str, kind: str, unit: str, joint: int | None, number: int | None) -> None:
    found = _named(robot, Column(name, "data.csv", name, 0.0, 1.0, 0, 9, ()), ("data",))
    assert (found.kind, found.unit, found.joint, found.number) == (kind, unit, joint, number)
    assert found.wished == ("desired" in name)
    assert found.motor == ("motor" in name)


def test_a_file_name_says_what_its_columns_are(robot: Robot) -> None:
    plain = Column("joint_1", "x", "joint_1", 0.0, 1.0, 0, 9, ())
    assert _named(robot, plain, ("motor", "positions")).kind == "position"
    assert _named(robot, plain, ("motor", "positions")).motor
    assert _named(robot, plain, ("run", "7")).kind == ""


@pytest.mark.parametrize(("last", "unit"), [(1.0, "s"), (1000.0, "ms"), (1e6, "us"), (1e9, "ns"), (1e-6, "s")], ids=str)
def test_the_unit_of_time_makes_a_rate_of_recordings(last: float, unit: str) -> None:
    """A hundred steps in a second, counted in this unit; of what no unit makes one, seconds."""
    assert _time_unit(Column("t", "x", "t", 0.0, last, 0, 101, ())) == unit


@pytest.mark.parametrize("stamps", [(0.0, 1.0, 0.5), (0.0, None, 1.0), (2.0, 2.0, 2.0)])
def test_a_column_that_does_not_rise_is_no_clock(stamps: tuple[float | None, ...]) -> None:
    known = [x for x in stamps if x is not None]
    assert not _is_clock(Column("t", "x", "t", min(known), max(known), 0, 3, stamps))
    assert _is_clock(Column("t", "x", "t", 0.0, 1.0, 0, 3, (0.0, 0.0, 1.0)))


def test_a_column_without_numbers(robot: Robot, tmp_path: Path) -> None:
    """All of it missing: no range, and it is not constant."""
    (tmp_path / "none.csv").write_text("t,q1,q2,tau1,tau2\n" + "".join(f"{k},nan,1,2,3\n" for k in range(5)))
    column = views.looked_at(robot, [tmp_path / "none.csv"])["files"][0]["columns"][1]
    assert (column["least"], column["most"], column["missing"], column["constant"]) == (None, None, 5, False)
    assert column["picture"] == [None] * 5


def test_a_single_row_is_no_recording(robot: Robot, tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("t,q1,q2,tau1,tau2\n0,1,2,3,4\n")
    (problem,) = views.looked_at(robot, [tmp_path / "one.csv"])["problems"]
    assert "1 rows of numbers, expected a row for each sample" in problem["message"]


def test_the_picture_of_a_long_column_is_short_and_goes_to_its_end(robot: Robot, tmp_path: Path) -> None:
    found = views.looked_at(robot, [written(tmp_path, "t,q1,q2,tau1,tau2", rows=5000)])["files"][0]["columns"][0]
    assert len(found["picture"]) == POINTS
    assert found["picture"] == sorted(found["picture"])
    assert (found["picture"][0], found["most"]) == (0.0, 49.99)
    assert found["picture"][-1] > 49
