"""Models as a page shows them: every one under one menu, options judged, equations, counts, sources with their twins, values."""

from __future__ import annotations

import io
import json
import re
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from robosym import load, models
from robosym.codegen import languages
from robosym.errors import RobosymError
from robosym.expr import number
from robosym.models import models_of
from robosym.robot import RobotError
from robosym.views.models import fitting_view, languages_view, menus, model_source, model_view, source_view
from robosym.views.packages import archive
from robosym.views.values import model_values

BASE = {"parameters": "base"}


@pytest.mark.parametrize("name", ["rx90", "sr400", "gough-stewart", "planar-2r"])
def test_every_model_is_under_exactly_one_menu(name: str) -> None:
    robot = load(name)
    found = menus(robot)
    assert [one["menu"] for one in found] == ["geometric", "kinematic", "dynamic", "identification"]
    listed = [model["name"] for menu in found for model in menu["models"]]
    assert sorted(listed) == sorted(models_of(robot))
    for model in (model for menu in found for model in menu["models"]):
        assert model["title"]
        assert model["gives"]
        for option in model["options"]:
            assert option["meaning"], (model["name"], option["name"])
    json.dumps(found, allow_nan=False)


def test_options_of_closed_loops_are_there_for_closed_loops_only() -> None:
    def options(name: str) -> dict[str, dict[str, object]]:
        return {one["name"]: one for one in model_view(load(name), "inverse-dynamics")["options"]}

    assert "mode" not in options("rx90")
    modes = options("sr400")["mode"]["choices"]
    assert [one["value"] for one in modes] == [None, "parallel", "crossed"]  # type: ignore[attr-defined]
    assert "coordinates" in options("gough-stewart")


def test_a_model_says_what_it_is_and_what_it_costs() -> None:
    robot = load("rx90")
    view = model_view(robot, "inverse-dynamics", BASE)
    model = models.inverse_dynamics(robot, parameters="base")
    assert view["title"] == "Inverse dynamic model"
    assert view["counts"]["total"] == model.operations.total
    assert view["precompute"]["total"] == model.precompute_operations.total
    (khalil, *others) = view["published"]
    assert khalil["same"]
    assert khalil["total"] == 491
    assert re.search(r"Khalil, .+ 2014", khalil["source"])
    assert not any(one["same"] for one in others)
    assert [one["name"] for one in view["inputs"]] == ["q", "qd", "qdd", "wrench"]
    json.dumps(view, allow_nan=False)


def test_the_counts_of_another_robot_of_the_same_name_are_not_shown() -> None:
    robot = load("rx90")
    frames = (replace(robot.frames[0], d=number(0.1)), *robot.frames[1:])
    assert model_view(robot.replace(frames=frames), "inverse-dynamics", BASE)["published"] == []


def test_equations_are_the_steps_of_the_program() -> None:
    program = models.inverse_dynamics(load("rx90"), parameters="base").program
    once, steps, results = model_view(load("rx90"), "inverse-dynamics", BASE)["sections"]
    assert [line[0] for line in once["lines"]] == [one.name for one in program.precompute]
    assert [line[0] for line in steps["lines"]] == [one.name for one in program.steps]
    assert [line[0] for line in results["lines"]] == [f"tau[{k}]" for k in range(1, 7)]
    by_key = {line[0]: line for line in (*once["lines"], *steps["lines"])}
    assert by_key["C2q2"][1].startswith("C_{2q_{2}} = ")
    assert by_key["W33"][1] == r"W_{33} = \dot{q}_{2} + \dot{q}_{3}"
    assert by_key["W33"][2] == "W33 = qd2 + qd3"


def test_a_routine_has_stages_and_programs() -> None:
    view = model_view(load("sr400"), "inverse-geometric")
    assert view["routine"]
    assert view["sections"][0]["title"] == "Stages"
    keys = [line[0] for section in view["sections"][1:] for line in section["lines"]]
    assert len(keys) == len(set(keys))
    assert view["reading"]["kind"] == "words"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"foo": 1}, "foo: is no option of jacobian; options: frame"),
        ({"frme": "link6"}, "did you mean frame"),
        ({"frame": "lonk6"}, "expected a frame of the robot: tip, base, link1"),
        ({"frame": 99}, "expected a frame from 0 to 6"),
        ({"axes": 2.5}, "axes: got 2.5, expected local-world-aligned"),
        ({"tool": "1,2"}, "tool: got '1,2', expected a point x, y, z"),
        ({"output": True}, "output: got True, expected product"),
        ([], "options: got"),
    ],
)
def test_wrong_options_are_named(options: object, message: str) -> None:
    with pytest.raises(RobotError, match=re.escape(message)):
        model_view(load("rx90"), "jacobian", options)  # type: ignore[arg-type]


def test_options_mean_what_they_do_in_python() -> None:
    robot = load("rx90")
    view = model_view(robot, "jacobian", {"frame": "link4", "axes": "local", "tool": [0, 0.1, "L"]})
    same = models.jacobian(robot, frame="link4", axes="local", tool=[0, 0.1, "L"])
    assert view["counts"]["total"] == same.operations.total
    several = models.jacobian_inverse(robot, frame="link3", rows=["vx", "vy", "vz"])
    assert model_view(robot, "jacobian-inverse", {"frame": 3, "rows": ["vx", "vy", "vz"]})["counts"]["total"] == (
        several.operations.total
    )


def test_options_that_do_not_fit_are_left_out_and_said() -> None:
    view = fitting_view(load("gough-stewart"), "gravity", {"parameters": "base", "kind": "spatial", "friction": 3})
    assert view["asked"] == {"parameters": "base"}
    assert {one["where"] for one in view["left"]} == {"kind", "friction"}


def test_a_model_that_is_not_there_is_named() -> None:
    with pytest.raises(RobosymError, match="there is no model 'loop-geometry' of this robot"):
        model_view(load("rx90"), "loop-geometry")
    with pytest.raises(RobosymError, match="did you mean jacobian"):
        model_view(load("rx90"), "jacobain")


@pytest.mark.mostly_slow(fast=11)
@pytest.mark.parametrize("language", languages())
def test_sources_are_those_of_the_model_and_every_line_has_its_twin(language: str) -> None:
    robot = load("rx90")
    model = models.inverse_dynamics(robot, parameters="base")
    found = source_view(robot, "inverse-dynamics", language, BASE)
    assert found["text"] == model.source(language) == model_source(robot, "inverse-dynamics", language, BASE)
    steps = [
        *(one.name for one in (*model.program.precompute, *model.program.steps)),
        *(f"tau[{k}]" for k in range(1, 7)),
    ]
    assert list(found["twins"]) == steps
    lines = found["text"].split("\n")
    assert re.search(r"IA6|\\mathit\{IA\}_\{6\}", " ".join(lines[k] for k in found["twins"]["tau[6]"]))
    held = " ".join(lines[k] for k in found["twins"]["W33"])
    assert re.search(r"qd2.*qd3|\\dot\{q\}_\{2\}.*\\dot\{q\}_\{3\}", held)
    taken = [k for name in steps for k in found["twins"][name]]
    assert len(taken) == len(set(taken))


def test_twins_of_a_routine_hold_their_names() -> None:
    found = source_view(load("rx90"), "inverse-geometric", "c")
    lines = found["text"].split("\n")
    steps = [(key, places) for key, places in found["twins"].items() if "[" not in key]
    assert len(steps) > 500
    named = [re.search(rf"\b{re.escape(key.split('.')[1])}(_\d*)?\b", lines[places[0]]) for key, places in steps]
    assert all(named)


def test_languages_of_routines_are_marked() -> None:
    found = {one["name"]: one for one in languages_view()}
    assert len(found) == 15
    assert found["c"]["routines"]
    assert not found["latex"]["routines"]


# --- values ------------------------------------------------------------------------------------------------------------


def test_values_are_those_of_the_model() -> None:
    robot, q = load("rx90"), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    found = model_values(robot, "inverse-dynamics", {}, {"q": q, "qdd": [1, 0, 0, 0, 0, 0]})
    expected = models.inverse_dynamics(robot).evaluate(q=q, qd=np.zeros(6), qdd=[1, 0, 0, 0, 0, 0])
    (tau,) = found["outputs"]
    assert tau["values"] == pytest.approx(expected.tolist())
    assert tau["rows"][0] == ["waist", "N m"]
    assert {one["name"]: one["how"] for one in found["inputs"]} == {
        "q": "position",
        "qd": "zero",
        "qdd": "given",
        "wrench": "default",
    }


def test_the_pose_of_inverse_geometry_follows_from_the_position() -> None:
    q = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    solutions, *_ = model_values(load("rx90"), "inverse-geometric", {}, {"q": q})["outputs"]
    assert min(np.abs(np.array(one) - q).max() for one in solutions["values"]) < 1e-9


def test_a_regressor_times_its_parameters_is_what_the_torques_are() -> None:
    robot, state = load("rx90"), {"q": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], "qd": [1.0] * 6, "qdd": [0.5] * 6}
    (D,) = model_values(robot, "regressor", {}, state)["outputs"]
    values = models.regressor(robot).described_values()
    torques = np.array(D["values"]) @ [values[name] for name, _ in D["columns"]]
    assert torques == pytest.approx(models.inverse_dynamics(robot).evaluate(**state))


def test_parameters_without_a_value_are_named_and_can_be_given() -> None:
    robot = load("rx90").replace(values={})
    state = {"q": [0.1] * 6}
    found = model_values(robot, "geometric", {}, state)
    assert [one["name"] for one in found["missing"]] == ["D3", "RL4"]
    assert found["outputs"] == []
    given = model_values(robot, "geometric", {}, state, {"D3": 0.45, "RL4": 0.45, "of_another": 1})
    assert [(one["name"], one["value"]) for one in given["entered"]] == [("D3", 0.45), ("RL4", 0.45)]
    with pytest.raises(RobosymError, match="parameters: got True, expected values by name"):
        model_values(robot, "geometric", {}, state, True)  # type: ignore[arg-type]
    assert given["outputs"][0]["values"][0][0] == pytest.approx(
        models.geometric(robot).evaluate(q=[0.1] * 6, parameters={"D3": 0.45, "RL4": 0.45})[0, 0]
    )
    with pytest.raises(RobosymError, match="parameter D3: got 'x', expected a number"):
        model_values(robot, "geometric", {}, state, {"D3": "x"})
    with pytest.raises(RobosymError, match="q: got 2 numbers, expected 6"):
        model_values(robot, "geometric", {}, {"q": [1, 2]})


def test_a_platform_is_at_the_pose_of_its_tip() -> None:
    pose = [[1, 0, 0, 0.1], [0, 1, 0, 0], [0, 0, 1, 0.9], [0, 0, 0, 1]]
    found = model_values(load("gough-stewart"), "gravity", {}, {"T": pose})
    assert next(one for one in found["inputs"] if one["name"] == "pose")["values"] == [0.1, 0, 0.9, 0, 0, 0, 1]


# --- readings and archives ---------------------------------------------------------------------------------------------


def test_singularities_can_be_read() -> None:
    reading = model_view(load("rx90"), "jacobian-determinant")["reading"]
    assert [one["text"] for one in reading["factors"]][-3:-1] == ["cos(q3)", "sin(q5)"]
    wrist = next(one for one in reading["singularities"] if one["equation"]["text"] == "sin(q5)")
    assert [one["text"] for one in wrist["values"]] == ["0", "pi"]
    assert {one["joint"] for one in wrist["motions"][0]} == {"wrist_roll", "flange"}


def test_base_parameters_come_with_their_regroupings() -> None:
    reading = model_view(load("rx90"), "base-parameters")["reading"]
    found = models.base_parameters(load("rx90"))
    assert [row[0]["text"] for row in reading["rows"]] == list(found.names)
    first = reading["rows"][0]
    assert first[2] == "regrouped"
    assert first[1]["text"] == "IA1 + YY2 + YY3 + ZZ1 + D3^2*(M3 + M4 + M5 + M6)"
    assert reading["after"][0]["names"] == list(found.vanishing)


def test_an_archive_holds_its_files_and_is_the_same_again() -> None:
    packed = archive("arm-c", {"b.c": "two", "a.h": "one"})
    assert packed == archive("arm-c", {"a.h": "one", "b.c": "two"})
    with zipfile.ZipFile(io.BytesIO(packed)) as found:
        assert found.namelist() == ["arm-c/a.h", "arm-c/b.c"]
        assert found.read("arm-c/b.c") == b"two"
