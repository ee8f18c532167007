"""Control laws as a form has them: the options of their functions, with kinds and defaults, and the laws made of these."""

from __future__ import annotations

import inspect
import json
from typing import Any

import numpy as np
import pytest

import robosym
from robosym import control
from robosym.control import LAWS, ControlError
from robosym.robot import Robot
from robosym.views.motion_laws import law_of, laws

WITHOUT_FIELD = ("near", "frame", "tool")


@pytest.fixture(scope="module")
def arm() -> Robot:
    return robosym.load("planar-2r")


def options(robot: Robot, law: str) -> dict[str, dict[str, Any]]:
    (found,) = [one for one in laws(robot) if one["name"] == law]
    return {one["name"]: one for one in found["options"]}


def test_every_law_is_there_with_the_options_of_its_function(arm: Robot) -> None:
    found = json.loads(json.dumps(laws(arm), allow_nan=False))
    assert [one["name"] for one in found] == list(LAWS)
    for one in found:
        parameters = inspect.signature(LAWS[one["name"]]).parameters
        named = {name for name, p in parameters.items() if p.kind is p.KEYWORD_ONLY}
        assert {option["name"] for option in one["options"]} == named - {*WITHOUT_FIELD, "mode"}
        assert one["words"]
        assert "\n" not in one["words"]
        assert "``" not in one["words"]
        for option in one["options"]:
            default = parameters[option["name"]].default
            assert option["needed"] == (default is inspect.Parameter.empty)
            assert option["default"] == (None if option["needed"] else default)


@pytest.mark.slow
def test_laws_of_the_tip_follow_it(arm: Robot) -> None:
    for one in laws(arm):
        needed = {option["name"]: 1.0 for option in one["options"] if option["needed"]}
        law = law_of(robosym.load("scara"), one["name"], needed) if one["follows"] == "tip" else law_of(arm, one["name"], needed)  # fmt: skip
        assert law.reference == ("task" if one["follows"] == "tip" else "joints"), one["name"]


def test_kinds_of_options(arm: Robot) -> None:
    found = options(arm, "computed-torque")
    assert {name: found[name]["kind"] for name in ("bandwidth", "period")} == {
        "bandwidth": "numbers",
        "period": "number",
    }
    assert found["scheme"]["kind"] == "choice"
    assert found["scheme"]["choices"] == ["tracking", "position", "predictive"]
    kinds = {one["kind"] for law in laws(arm) for one in law["options"]}
    assert kinds <= {"flag", "choice", "numbers", "number", "text"}
    for law in laws(arm):
        for one in law["options"]:
            assert one["kind"] != "choice" or len(one["choices"]) > 1, (law["name"], one["name"])
            assert one["kind"] != "flag" or one["choices"] == [False, True]


def test_the_mode_of_closed_loops_is_an_option_of_closed_loops_only(arm: Robot) -> None:
    assert "mode" not in options(arm, "computed-torque")
    assert "mode" in options(robosym.load("five-bar"), "computed-torque")


@pytest.mark.parametrize("name", ["computed-torque", "pid"])
def test_a_form_as_it_begins_makes_the_law_as_it_is_by_default(arm: Robot, name: str) -> None:
    filled = {one["name"]: one["default"] for one in options(arm, name).values() if not one["needed"]}
    law, own = law_of(arm, name, filled), LAWS[name](arm)
    assert law.gains.keys() == own.gains.keys()
    for gain, value in own.gains.items():
        np.testing.assert_array_equal(law.gains[gain], value)
    assert law.period == own.period


def test_a_law_is_made_once_for_the_same_options(arm: Robot) -> None:
    first = law_of(arm, "pid", {"bandwidth": 5, "period": 0.002})
    assert law_of(arm, "pid", {"period": 0.002, "bandwidth": 5}) is first
    assert law_of(arm, "pid", {"period": 0.002, "bandwidth": 6}) is not first
    assert law_of(arm, "pid", None) is law_of(arm, "pid", {})
    np.testing.assert_array_equal(first.gains["Kp"], control.pid(arm, bandwidth=5, period=0.002).gains["Kp"])


@pytest.mark.parametrize(
    ("law", "given", "words"),
    [
        ("impedance", {}, "impedance needs inertia and stiffness: there is no default"),
        ("impedance", {"stiffness": 100.0}, "impedance needs inertia: there is no default"),
        ("magic", {}, "law: got 'magic', expected computed-torque"),
        (3, {}, "law: got 3, expected computed-torque"),
        ("pid", [1], r"options: got \[1\], expected values by name"),
        ("pid", "bandwidth", "options: got 'bandwidth', expected values by name"),
    ],
)
def test_laws_that_cannot_be_made(arm: Robot, law: Any, given: Any, words: str) -> None:
    with pytest.raises(ControlError, match=words):
        law_of(arm, law, given)
