"""Singularities, regroupings and columns beside the equations."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from robosym import load, models
from robosym.expr import add, variable
from robosym.robot import Robot
from robosym.views.made import made
from robosym.views.models import model_view
from robosym.views.readings import formula, reading


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


def read(robot: Robot, name: str, **options: Any) -> Any:
    return reading(robot, made(robot, name, options), name, options)


def test_a_singularity_is_where_the_determinant_vanishes() -> None:
    """And the joints move there without moving the tip, by numpy."""
    robot = load("planar-2r")
    (one,) = read(robot, "jacobian-determinant")["singularities"]
    assert (one["equation"]["text"], one["joint"]["text"], one["condition"]) == ("sin(q2)", "q2", "")
    assert [value["text"] for value in one["values"]] == ["0", "pi"]
    numbers = {name: value.number for name, value in robot.values.items()}
    for q2, motion in zip((0.0, np.pi), one["motions"], strict=True):
        J = models.jacobian(robot).evaluate(q=[0.7, q2])
        qd = [eval(part["text"], {}, numbers) for part in motion]
        assert [part["joint"] for part in motion] == list(robot.joint_names)
        assert np.linalg.norm(qd) > 0.1
        np.testing.assert_allclose(J[:3] @ qd, 0, atol=1e-12)


@pytest.mark.parametrize(
    ("robot", "words"),
    [
        ("panda", "More joints than rows: the measure is the root of the sum of the squares of all square parts."),
        ("slides", "The determinant does not depend on the position."),
    ],
)
def test_why_there_are_no_singularities(robot: str, words: str) -> None:
    slides = [{"sigma": 1, "alpha": alpha, "gamma": gamma} for alpha, gamma in ((0, 0), ("pi/2", 0), ("pi/2", "pi/2"))]
    found = read(Robot.from_table("slides", slides) if robot == "slides" else load(robot), "jacobian-determinant")
    assert found["text"] == words
    assert found["singularities"] == []
    assert [one["text"] for one in found["factors"]] == (["1"] if robot == "slides" else [])


def test_a_regressor_lists_its_columns() -> None:
    robot = load("planar-2r")
    found, model = read(robot, "regressor", friction=["viscous"]), models.regressor(robot, friction=("viscous",))
    assert [row[0] for row in found["rows"]] == [str(k) for k in range(1, len(model.columns) + 1)]
    assert [row[1]["text"] for row in found["rows"]] == list(model.columns)
    assert found["notes"] == [f"{len(model.columns)} parameters, {len(model.rows)} rows: {', '.join(model.rows)}."]
    assert all(len(row) == len(found["head"]) for row in found["rows"])
    json.dumps(found, allow_nan=False)


def test_base_parameters_do_not_mind_the_coordinates_of_a_regressor() -> None:
    """The notes count them, and the rows are as many."""
    robot = load("planar-2r")
    found = read(robot, "base-parameters")
    own = models.base_parameters(robot)
    assert len(found["rows"]) == own.count
    assert found["notes"][0] == f"{own.inertial_count} inertial parameters and {own.count - own.inertial_count} rotor inertias give all torques."  # fmt: skip
    assert {row[2] for row in found["rows"]} <= {"regrouped", "as it is"}
    assert {row[0]["text"] for row in found["rows"] if row[2] == "regrouped"} == set(own.regrouped)


@pytest.mark.parametrize(("robot", "name"), [("planar-2r", "inverse-geometric"), ("five-bar", "loop-geometry")])
def test_derivations_are_those_that_the_model_explains(robot: str, name: str) -> None:
    found = read(load(robot), name)
    assert (found["title"], found["kind"]) == ("Derivation", "words")
    assert found["text"] == made(load(robot), name).explain()


@pytest.mark.parametrize("name", ["gravity", "jacobian", "geometric", "inverse-dynamics"])
def test_most_models_have_none(name: str) -> None:
    assert read(load("planar-2r"), name) is None


def test_a_formula_that_is_too_long_has_no_latex() -> None:
    assert formula(variable("q1") + 1) == {"latex": r"q_{1} + 1", "text": "q1 + 1"}
    long = formula(add(*(variable(f"x{k}") for k in range(900))))
    assert long["latex"] == ""
    assert long["text"]
