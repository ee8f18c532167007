"""Recipes made in Python."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from identification.data.recipes import ONE_ROW, recipe_with

import robosym
from robosym.identification.data.recipe import Data, Payload, Processing, Recipe, RecipeError
from robosym.identification.data.recording import Recording
from robosym.robot.problems import MOST_SHOWN, Problem


def test_recipes_made_in_python_are_checked_too() -> None:
    recipe = recipe_with(ONE_ROW)
    with pytest.raises(RecipeError, match="torque, limit: expected 2 entries"):
        replace(recipe, torque=replace(recipe.torque, limit=(1.0, 2.0, 3.0)))


def test_roles_payloads_and_recordings(tmp_path: Path) -> None:
    recipe = recipe_with(ONE_ROW)
    assert recipe.roles == ("train",)
    assert recipe.loaded == (False,)
    assert recipe.recordings()[0] is recipe.data.recordings[0]
    one = Recording.from_arrays(ONE_ROW)
    (tmp_path / "a.csv").write_text("q1,q2,tau1,tau2\n1,2,3,4\n")
    three = replace(
        recipe, data=Data((one, (tmp_path / "a.csv",), one), rate=100.0, role=("train", "validate", "train"))
    )
    assert three.roles == ("train", "validate", "train")
    assert three.recordings()[1].columns(("tau1",)).tolist() == [[3.0]]
    payload = Payload(recipe.robot.frames[-1].name, {"M": 1.0, "MX": 0.0, "MY": 0.0, "MZ": 0.0})
    assert replace(three, payload=payload).loaded == (True, True, True)
    assert replace(three, payload=replace(payload, recordings=(3,))).loaded == (False, False, True)


def test_the_factor_is_the_product_of_the_stages() -> None:
    assert [Processing(decimation=d).factor for d in ((), (1,), (7,), (2, 3, 5))] == [1, 1, 7, 30]


def test_a_recipe_in_one_line() -> None:
    assert repr(recipe_with(ONE_ROW)) == "<Recipe planar-2r: 1 recording(s)>"
    assert "r.toml" in repr(replace(recipe_with(ONE_ROW), source="r.toml"))


def test_many_problems_are_cut() -> None:
    error = RecipeError([Problem("data", f"problem {k}") for k in range(MOST_SHOWN + 3)], "r.toml")
    lines = str(error).splitlines()
    assert len(lines) == MOST_SHOWN + 1
    assert lines[0] == "r.toml: data: problem 0"
    assert lines[-1] == "r.toml: and 3 more problems"
    assert len(error.problems) == MOST_SHOWN + 3
    assert isinstance(error, robosym.RobosymError)
    assert isinstance(recipe_with(ONE_ROW), Recipe)
