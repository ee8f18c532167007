"""Recipes between form and text, and their problems at their keys."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from views.recordings import FILES, TABLE

import robosym
from robosym.errors import RobosymError
from robosym.robot import Robot, RobotError
from robosym.views import identification as views
from robosym.views.identification_recipe import Named


@pytest.fixture(scope="module")
def robot() -> Robot:
    return robosym.load("planar-2r")


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


def test_what_a_form_can_choose_is_what_recipes_take(robot: Robot) -> None:
    """No choice of the form is a problem of the recipe that is made of it."""
    choices = views.recipe_choices(robot)
    assert json.dumps(choices, allow_nan=False)
    for unit in choices["units"]["torque"]:
        gain = {"gain": [1.0, 1.0], "side": "motor"} if unit in ("A", "mA") else {}
        table = {**TABLE, "torque": {"columns": ["tau1", "tau2"], "unit": unit, **gain}}
        found = views.recipe_view(robot, table=table, files=FILES)
        assert not [one for one in found["problems"] if one["where"].startswith("torque, unit")], unit
    for method in choices["methods"]:
        found = views.recipe_view(robot, table={**TABLE, "estimate": {"method": method}}, files=FILES)
        assert not [one for one in found["problems"] if one["where"].startswith("estimate, method")], method


def test_tables_are_written_in_the_order_of_the_documentation() -> None:
    mixed = {"torque": TABLE["torque"], "data": TABLE["data"], "robot": "planar-2r", "position": TABLE["position"]}
    text = views.recipe_text(mixed)
    assert text == views.recipe_text(TABLE)
    assert [line for line in text.splitlines() if line.startswith("[")] == ["[data]", "[position]", "[torque]"]
    assert tomllib.loads(text) == TABLE


def test_empty_tables_and_entries_are_left_out(robot: Robot) -> None:
    text = views.recipe_text({"robot": "x", "data": {"rate": None, "files": ["a.csv"]}, "processing": {}})
    assert text == 'robot = "x"\n\n[data]\nfiles = ["a.csv"]\n'
    assert "prior" not in views.recipe_view(robot, table={**TABLE, "prior": None})["text"]


@pytest.mark.parametrize(
    "value",
    [
        [], [[]], "", 'a "quoted" \\ text', "two\nlines", True, -3, 1e-300, 0.1 + 0.2, ["long name of a column"] * 30,
        [[1, 2], [3, 4]], {"a b": {"c.d": [1, {"e": False}]}}, "umlaut ä, tab \t",
    ],
)  # fmt: skip
def test_values_are_the_same_after_their_text(value: Any) -> None:
    assert tomllib.loads(views.recipe_text({"data": {"x": value}})) == {"data": {"x": value}}


def test_long_lists_are_written_line_by_line() -> None:
    long, short = "x" * 30, "y"
    text = views.recipe_text({"data": {"files": [long] * 4, "role": [short] * 4}})
    assert text == "\n[data]\nfiles = [\n" + 4 * f'  "{long}",\n' + ']\nrole = ["y", "y", "y", "y"]\n'


@pytest.mark.parametrize("value", [object(), {1, 2}, b"bytes", [None]])
def test_what_is_no_value_of_a_recipe(value: Any) -> None:
    with pytest.raises(RobosymError, match="no value of a recipe"):
        views.recipe_text({"data": {"x": value}})


def test_only_the_names_of_columns_are_known() -> None:
    named = Named(Path("data.csv"), ("q1",))
    with pytest.raises(RobosymError, match=r"data\.csv: only the names of its columns are known"):
        named.blocks([0])
