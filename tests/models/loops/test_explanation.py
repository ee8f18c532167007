"""How loops are explained: what the modes are called and mean, and the equations with all that stands in them."""

from __future__ import annotations

import re
from functools import cache

import pytest

import robosym
from robosym.models import loop_geometry, loop_kinematics
from robosym.models.geometry.loop_geometry import LoopGeometry

CLOSED = ("four-bar", "five-bar", "five-bar-general", "slider-crank", "bennett", "sr400", "palletizer")


def test_a_parallelogram_reads_as_in_the_paper() -> None:
    text = geometry("sr400").explain()
    assert "elbow: q3 = pi/2 - q2 + q7\n" in text
    assert "coupler: q8 = q2 - q7\n" in text
    assert "mode crossed: the other solution of the equations below\n" in text
    assert "mode crossed cannot be assembled where" in text


@cache
def geometry(name: str) -> LoopGeometry:
    return loop_geometry(robosym.load(name))


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", CLOSED)
def test_every_mode_of_a_loop_is_explained(name: str) -> None:
    made = geometry(name)
    text = made.explain()
    for one in {word for mode in made.modes for word in mode.split(", ")} - {"only"}:
        assert f"mode {one.rpartition(' ')[2]}: " in text, one
    assert "\n\n\n" not in text


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("name", CLOSED)
def test_the_pose_of_the_equations_is_given(name: str) -> None:
    """In the known joints; the unknown ones are numbered as the equations number them."""
    text = geometry(name).explain()
    for loop in text.split("loop cut at ")[1:]:
        numbers = dict(re.findall(r"(\d) (\w+)[,)]", re.search(r"the others \(.*\)", loop)[0]))
        assert {(name, j) for j, name in numbers.items()} == set(re.findall(r"\d\. (\w+) \(joint (\d)\)", loop))
        assert all(f"s{x} n{x} a{x} P{x} = " in loop for x in "xyz")


def test_latex_has_no_double_subscript() -> None:
    text = loop_kinematics(robosym.load("four-bar")).explain(latex=True)
    formulas = "\n".join(line for line in text.splitlines() if line.startswith(("\\step{", "  \\boldsymbol")))
    assert "\\boldsymbol{W_{a}}" in formulas
    assert "assembled" in formulas
    assert not re.search(r"_\w*_", formulas)
