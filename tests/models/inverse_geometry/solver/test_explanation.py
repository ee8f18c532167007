"""A solver in words: what is shown of the chain, the moves, the branches and the special cases."""

from __future__ import annotations

import math

import pytest
from models.inverse_geometry.solver.solvers import solver_of

import robosym
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.closed_form.derivation import derive
from robosym.models.inverse_geometry.solver.explanation import (
    chain_text,
    closed_notes,
    common_notes,
    general_notes,
    notation,
    special_cases,
)
from robosym.robot import Robot


def test_the_derivation_can_be_read() -> None:
    said = solver_of("puma560").explain()
    for words in (
        "frame 'link6', the whole pose",
        "up to 8 solutions",
        "the axes of wrist_roll, wrist_bend and flange meet in a point",
        "1. waist (joint 1): one angle, X S + Y C + Z = 0: two values",
        "Py C1 - Px S1 - R3 = 0",
        "S3 and C3 are those of the sum of the angles 2 + 3",
        "branches: 2 x 2 x 1 x 2 x 1 x 1 = 8\n",
        "the equation of wrist_roll leaves it free where",
    ):
        assert words in said
    data = solver_of("puma560").as_dict()
    assert [move["joint"] for move in data["moves"]] == list(solver_of("puma560").joint_names)
    assert math.prod(move["values"] for move in data["moves"]) == data["branches"] == 8
    assert data["operations"]["mul"] > 100


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("scara", "(shoulder, elbow, wrist, quill)"),
        ("planar-3r", "(shoulder, elbow, wrist)"),
        ("stanford", "waist, shoulder, (extension, wrist_roll), wrist_bend, flange"),
    ],
)
def test_parallel_axes_stand_in_brackets(name: str, text: str) -> None:
    robot = robosym.load(name)
    assert chain_text(chain_for(robot)) == text


def test_the_angles_that_are_sums() -> None:
    lines = notation(chain_for(robosym.load("scara")))
    assert [line for line in lines if "sum" in line] == [
        "S2 and C2 are those of the sum of the angles 1 + 2: their axes are parallel.",
        "S3 and C3 are those of the sum of the angles 1 + 2 + 3: their axes are parallel.",
    ]


def test_special_cases_are_where_all_that_multiplies_a_joint_vanishes() -> None:
    free = "the equation of {} leaves it free where {} = 0 and {} = 0"
    assert special_cases(solver_of("planar-2r")) == [free.format("shoulder", "Py", "Px")]
    waist, shoulder, roll = special_cases(solver_of("stanford"))
    assert waist == free.format("waist", "Px", "Py")
    assert shoulder == free.format("shoulder", "Pz", "C_1*Px + Py*S_1")
    assert roll == free.format("wrist_roll", "C_1*C_2*ax + C_2*S_1*ay - S_2*az", "C_1*ay - S_1*ax")


def limited() -> Robot:
    rows = [
        {"limits": {"lower": -1.5, "upper": 2.0}},
        {"d": "L1", "limits": {"upper": 0.25}},
        {"d": "L2", "sigma": "fixed"},
    ]
    return Robot.from_table("two", rows, values={"L1": 0.4, "L2": 0.3})


def test_the_head_of_the_source() -> None:
    chain = chain_for(limited())
    notes = common_notes(chain)
    assert notes[0].startswith("Angles are in radians")
    assert "The limits of two: from -1.5, none to 2, 0.25." in notes
    assert notes[-1] == "Parameters of two: L1 = 0.4, L2 = 0.3."
    head = closed_notes(derive(chain))
    assert head[1] == "Method: closed form, joint by joint: q1 (one angle), q2 (two). Of T only its position is used."
    assert head[2:] == notes
    assert general_notes(chain)[2:] == notes
    slides = common_notes(chain_for(Robot.from_table("slides", [{"sigma": "prismatic"}])))
    assert len(slides) == 1
    assert slides[0].startswith("Every solution is checked")
