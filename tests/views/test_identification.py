"""Identification for a page: recordings looked at, recipes between form and text, reports, simulated recordings, motions."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tx40_recording import RATE, tx40

import robosym
from robosym.errors import RobosymError
from robosym.identification import Recipe
from robosym.identification.data import recording_files
from robosym.identification.excitation import FourierMotion, SplineMotion, motion_as_dict, motion_from_dict
from robosym.identification.from_recipe import regressor_of
from robosym.robot import Robot, RobotError
from robosym.views import identification as views
from robosym.views import identification_trials as trials

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def robot() -> Robot:
    return robosym.load("planar-2r")


@pytest.fixture(scope="module")
def simulated(robot: Robot) -> dict[str, Any]:
    return views.simulated_recording(robot, seconds=6.0)


@pytest.fixture(scope="module")
def recording(simulated: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recording") / simulated["name"]
    path.write_text(simulated["text"])
    return path


@pytest.fixture(scope="module")
def report(robot: Robot, recording: Path) -> dict[str, Any]:
    told: list[float] = []
    table = views.looked_at(robot, [recording])["table"]
    text = views.recipe_view(robot, table=table)["text"]
    found = views.identified(robot, text, [recording], progress=lambda share, words: told.append(share))
    assert told == sorted(told)
    assert len(told) > 4
    assert told[-1] < 1
    return found


def written(folder: Path, header: str, rows: int = 300, scale: float = 1.0, name: str = "data.csv") -> Path:
    """A CSV file: time first if the header says so, then sines of different phases."""
    t = np.arange(rows) / 100
    names = header.split(",")
    columns = [t if column.startswith("t") and k == 0 else scale * np.sin(t + k) for k, column in enumerate(names)]
    np.savetxt(folder / name, np.column_stack(columns), delimiter=",", header=header, comments="")
    return folder / name


# --- columns ---------------------------------------------------------------------------------------------------------------


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


# --- recipes ---------------------------------------------------------------------------------------------------------------

FILES = {"data.csv": ["t", "q1", "q2", "tau1", "tau2"]}
TABLE: dict[str, Any] = {
    "robot": "planar-2r",
    "data": {"files": ["data.csv"], "time": "t"},
    "position": {"columns": ["q1", "q2"], "offset": [0, "-pi/2"]},
    "torque": {"columns": ["tau1", "tau2"], "unit": "N m"},
}


def test_form_and_text_are_the_same_recipe(robot: Robot) -> None:
    found = views.recipe_view(robot, table=TABLE, files=FILES)
    assert found["problems"] == []
    assert found["table"] == TABLE
    again = views.recipe_view(robot, text=found["text"], files=FILES)
    assert again["table"] == TABLE
    assert again["text"] == found["text"]
    strange = {
        **TABLE,
        "model": {"extra": {"b": {"elbow": 'sin(q2) "\\'}}},
        "payload": {"frame": "x", "M": 1.5, "recordings": [1]},
    }
    assert views.recipe_view(robot, table=strange)["table"] == strange


def test_ranges_of_columns_are_written_out_for_the_form(robot: Robot) -> None:
    text = views.recipe_text({**TABLE, "position": {"columns": "q{1..2}"}})
    assert views.recipe_view(robot, text=text, files=FILES)["table"]["position"]["columns"] == ["q1", "q2"]


@pytest.mark.parametrize(
    ("section", "entries", "where", "words"),
    [
        ("data", {"files": ["data.csv"]}, "data", "expected rate (in Hz) or time"),
        ("data", {"files": ["data.csv"], "time": "clock"}, "data, time", "there is no column 'clock'"),
        ("data", {"files": ["../data.csv"], "rate": 100}, "data, files", "there is no file"),
        ("position", {"columns": ["q1", "q3"]}, "position, columns", "there is no column 'q3'"),
        ("position", {"columns": ["q1"]}, "position, columns", "expected 2 columns"),
        ("position", {"columns": ["q1", "q2"], "offset": [0, "pi +"]}, "position, offset 2", ""),
        ("torque", {"columns": ["tau1", "tau2"], "unit": "Nm"}, "torque, unit", "did you mean 'N m'"),
        ("torque", {"columns": ["tau1", "tau2"], "unit": "A"}, "torque, gain", "expected N m/A"),
        ("processing", {"cutof": 3}, "processing, cutof", ""),
        ("estimate", {"folds": 1}, "estimate, folds", "expected 2 or more"),
    ],
)
def test_problems_are_at_their_keys(
    robot: Robot, section: str, entries: dict[str, Any], where: str, words: str
) -> None:
    found = views.recipe_view(robot, table={**TABLE, section: entries}, files=FILES)
    assert any(one["where"].startswith(where) and words in one["message"] for one in found["problems"]), found[
        "problems"
    ]


def test_a_recipe_opens_no_files(robot: Robot) -> None:
    for key in ("prior", "robot"):
        found = views.recipe_view(robot, table={**TABLE, key: "/etc/passwd"}, files=FILES)
        assert [one["where"] for one in found["problems"]] == (["prior"] if key == "prior" else [])
    with pytest.raises(RobotError, match="there is no file"):
        views.identified(robot, views.recipe_text({**TABLE, "data": {"files": ["/etc/passwd"], "rate": 9}}), [])


def test_texts_that_are_no_recipe(robot: Robot) -> None:
    broken = views.recipe_view(robot, text="robot = ")
    assert broken["table"] is None
    assert broken["problems"][0]["where"] == "text"
    assert views.recipe_view(robot, text="")["problems"]
    deep: Any = 1
    for _ in range(50):
        deep = {"a": deep}
    for table in ({"data": {"files": deep}}, {"data": {"rate": None, "files": object()}}, [1]):
        with pytest.raises(RobosymError):
            views.recipe_view(robot, table=table)  # type: ignore[arg-type]
    with pytest.raises(RobosymError, match="text"):
        views.recipe_view(robot, text=5)  # type: ignore[arg-type]
    with pytest.raises(RobosymError, match="files"):
        views.recipe_view(robot, table=TABLE, files={"data.csv": 3})  # type: ignore[dict-item]


# --- reports ---------------------------------------------------------------------------------------------------------------


def test_the_simulated_robot_is_found_again(
    robot: Robot, recording: Path, simulated: dict[str, Any], report: dict[str, Any]
) -> None:
    text = views.recipe_view(robot, table=views.looked_at(robot, [recording])["table"])["text"]
    model = regressor_of(Recipe.from_text(text, robot, {recording.name: recording}))
    names, B = model.standard_map()
    true = dict(zip(model.columns, B @ [simulated["true"].get(name, 0.0) for name in names], strict=True))
    found = {one["name"]: one for one in report["parameters"]}
    assert set(found) == set(true)
    for name, one in found.items():
        assert abs(one["value"] - true[name]) < 5 * max(one["sigma"], one["sigma_bootstrap"]), name
    described = model.described_values()
    assert all(one["before"] == pytest.approx(described[name], abs=1e-12) for name, one in found.items())
    assert any(abs(one["deviation"]) > 5 for one in found.values())  # links were made heavier and lighter
    assert all(joint["relative"] < joint["before"] for joint in report["joints"])


def test_the_report_is_plain_data(report: dict[str, Any]) -> None:
    assert json.loads(json.dumps(report, allow_nan=False)) == report
    assert {"report.html", "identification.json", "parameters.csv", report["identified"]} <= set(report["files"])
    assert report["files"]["parameters.csv"].count("\n") == len(report["parameters"]) + 1
    (trace,) = report["traces"]
    for joint in trace["joints"]:
        measured, predicted = (np.array(joint[key], dtype=float) for key in ("measured", "predicted"))
        assert np.nanstd(measured - predicted) < 0.1 * np.nanstd(measured)
        assert len(joint["time"]) == len(measured)
        assert None not in joint["time"]


@pytest.mark.filterwarnings("ignore:.*physically impossible")  # base parameters have no masses of single links
def test_the_identified_robot_gives_the_torques_of_the_parameters(robot: Robot, report: dict[str, Any]) -> None:
    found = robosym.loads(report["files"][report["identified"]], "toml")
    state = {"q": [0.1, 0.2], "qd": [1.0, -1.0], "qdd": [0.5, 0.7]}
    tau = robosym.models.inverse_dynamics(found, friction=True).compile()(**state)
    model = robosym.models.regressor(robot, friction=("viscous", "coulomb", "offset"))
    values = {one["name"]: one["value"] for one in report["parameters"]}
    D = model.dense(model.compile()(**state))
    assert np.allclose(tau, D @ [values[name] for name in model.columns], rtol=1e-9)


def test_recordings_kept_for_validation(robot: Robot, recording: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text(views.simulated_recording(robot, seconds=4.0, rate=100)["text"])
    table = views.looked_at(robot, [recording, other])["table"]
    found = views.identified(robot, views.recipe_text(table), [recording, other])
    assert found["unseen"] == ["other.csv"]
    assert len(found["traces"]) == 2
    assert all(joint["unseen"]["other.csv"] < 10 for joint in found["joints"])


def test_recordings_without_numbers_say_so(robot: Robot, tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("t,q1,q2,tau1,tau2\n" + "".join(f"{k / 100},nan,0,0,0\n" for k in range(200)))
    with pytest.raises(RobosymError, match="q1"):
        views.identified(robot, views.recipe_text({**TABLE, "position": {"columns": ["q1", "q2"]}}), [path])


def test_the_tx40() -> None:
    robot = robosym.load(ROOT / "examples" / "tx40" / "tx40.toml")
    files = [tx40().folder / "pos_read_data.csv", tx40().folder / "curr_data.csv"]
    table = views.looked_at(robot, files)["table"]
    assert table["position"]["columns"][0] == "pos_read_data.Joint_1"
    assert (table["position"]["side"], table["torque"]["columns"][5]) == ("motor", "curr_data.Joint_6")
    table["data"]["rate"] = RATE
    table["position"]["offset"] = [0, "-pi/2", "pi/2", 0, 0, 0]
    table["torque"]["unit"] = "N m"
    found = views.identified(robot, views.recipe_text(table), files)
    assert len(found["parameters"]) == 61
    assert max(joint["relative"] for joint in found["joints"]) < 12
    assert all(one["before"] is None for one in found["parameters"])  # nothing was described


# --- simulated recordings and motions --------------------------------------------------------------------------------------


def test_a_simulated_recording_is_inverse_dynamics(robot: Robot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "HEAVIER", 0.0)
    made = views.simulated_recording(robot, seconds=4.0, noise=0.0, rate=1000)
    data = np.genfromtxt(made["text"].splitlines(), delimiter=",", names=True, deletechars="")
    q = np.column_stack([data["q.shoulder"], data["q.elbow"]])
    qd = np.gradient(q, 1e-3, axis=0, edge_order=2)
    qdd = np.gradient(qd, 1e-3, axis=0, edge_order=2)
    tau = robosym.models.inverse_dynamics(robot, friction=True).compile()(q=q, qd=qd, qdd=qdd)
    moving = (np.abs(qd) > 1e-2).all(axis=1)
    moving[:5] = moving[-5:] = False
    assert np.abs(tau[:, 0] - data["tau.shoulder"])[moving].max() < 1e-2
    assert np.abs(tau[:, 1] - data["tau.elbow"])[moving].max() < 1e-2
    assert views.simulated_recording(robot, seconds=4.0, noise=0.0, rate=1000)["text"] == made["text"]


def test_a_robot_without_masses_cannot_be_simulated() -> None:
    with pytest.raises(RobotError, match="no value for"):
        views.simulated_recording(robosym.load(ROOT / "examples" / "tx40" / "tx40.toml"))
    text = """name = "bare"\n[[frame]]\njoint = "turn"\n"""
    with pytest.raises(RobosymError, match="all masses and inertias are zero"):
        views.simulated_recording(robosym.loads(text, "toml"))


def test_an_exciting_motion(robot: Robot) -> None:
    told: list[float] = []
    found = views.excited(
        robot,
        {"duration": 6, "velocity": 2, "evaluations": 60, "height": None},
        lambda share, words: told.append(share),
    )
    assert json.dumps(found, allow_nan=False)
    assert told == sorted(told)
    assert told
    samples = found["samples"]
    assert np.abs(samples["qd"]).max() <= 2
    assert np.allclose(np.gradient(samples["q"][0], samples["t"]), samples["qd"][0], atol=1e-2)
    rows = views.motion_file(found["motion"], rate=100).splitlines()
    assert len(rows) == 602
    assert rows[0].startswith("t,q.shoulder")
    assert "void motion(" in views.motion_file(found["motion"], "c")
    for options, words in (
        ({"boxes": 1}, "boxes"),
        ({"evaluations": 10**9}, "evaluations"),
        ({"duration": "x"}, "duration"),
    ):
        with pytest.raises(RobosymError, match=words):
            views.excited(robot, options)


def test_motions_are_made_again_of_their_coefficients() -> None:
    rng = np.random.default_rng(0)
    motions = [
        FourierMotion(("a", "b"), 3.0, rng.normal(size=2), rng.normal(size=(2, 4)), rng.normal(size=(2, 4))),
        SplineMotion(("a", "b"), 3.0, rng.normal(size=(2, 9))),
    ]
    t = np.linspace(0, 3, 50)
    for motion in motions:
        again = motion_from_dict(json.loads(json.dumps(motion_as_dict(motion))))
        assert all(np.array_equal(a, b) for a, b in zip(motion(t), again(t), strict=True))
    good = motion_as_dict(motions[0])
    for wrong in (
        {}, {**good, "kind": "jump"}, {**good, "sine": [[1]]}, {**good, "offset": [0]}, {**good, "duration": 0},
        {**good, "cosine": [["x"]]}, {**good, "offset": [float("nan"), 0]}, {**motion_as_dict(motions[1]), "control": [[1], [2]]},
    ):  # fmt: skip
        with pytest.raises(RobosymError, match="motion"):
            motion_from_dict(wrong)
