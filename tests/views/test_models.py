"""Models as a page shows them: options judged, what they are and cost, sources, languages."""

from __future__ import annotations

import json
import re

import pytest

from robosym import load, models
from robosym.robot import RobotError
from robosym.views.models import fitting_view, languages_view, model_view

BASE = {"parameters": "base"}


@pytest.mark.slow
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


def test_languages_of_routines_are_marked() -> None:
    found = {one["name"]: one for one in languages_view()}
    assert len(found) == 15
    assert found["c"]["routines"]
    assert not found["latex"]["routines"]
