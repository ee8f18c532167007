"""Identification for a page: parameters found, with all that a report shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tx40_recording import RATE, tx40
from views.recordings import TABLE

import robosym
from robosym.errors import RobosymError
from robosym.identification import Recipe
from robosym.identification.from_recipe import regressor_of
from robosym.robot import Robot
from robosym.views import identification as views

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


@pytest.mark.slow
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
