"""Rotors and links that spin alike: sums of squares that cancel, on the columns of the regressor and by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from models.inertial_parameters.tied_robots import effect, tied

import robosym
from robosym.expr import number
from robosym.models.inertial_parameters.moved import body
from robosym.models.inertial_parameters.spins import _null_vectors, _squares, cancelling_spins
from robosym.models.tree.bodies import tree
from robosym.robot import Mimic, Robot


@pytest.mark.parametrize("name", ["five-bar", "slider-crank", "sr400", "driven-parallelogram/6"])
def test_they_have_no_effect(name: str) -> None:
    """Of all joints that turn, also those whose rotors the models leave out."""
    robot = tied(name)
    bodies = tree(robot)
    turning = [one.j for one in bodies.bodies if not one.prismatic]
    cuts = {j for pair in robot.closure.cuts for j in pair}  # type: ignore[union-attr]
    rotors = list(robot.moving)
    made = cancelling_spins(robot, bodies, rotors, [j for j in turning if j not in cuts])
    assert made
    for one in made:
        spun = {j: float(x) for (j, stem), x in one.items() if stem == "Ia"}
        links = [(j, body(ZZ=number(x))) for (j, stem), x in one.items() if stem == "ZZ"]
        assert effect(robot, links, spun) < 1e-9


def geared(ratio: Fraction) -> Robot:
    """A planar arm whose second joint follows the first."""
    robot = robosym.load("planar-2r")
    first, second, tip = robot.frames
    follows = replace(second, joint=replace(second.joint, mimic=Mimic(1, number(ratio))))
    return robot.replace(frames=(first, follows, tip))


@pytest.mark.parametrize("ratio", [Fraction(3), Fraction(-1, 2)])
def test_a_joint_that_follows_another_by_a_factor(ratio: Fraction) -> None:
    """Its rotor counts by the square; the second link turns by 1 + ratio."""
    robot = geared(ratio)
    made = cancelling_spins(robot, tree(robot), [1, 2], [2])
    assert made == [
        {(1, "Ia"): Fraction(1), (2, "ZZ"): -1 / (1 + ratio) ** 2},
        {(2, "Ia"): Fraction(1), (2, "ZZ"): -(ratio**2) / (1 + ratio) ** 2},
    ]


def test_axes_across_and_against_each_other() -> None:
    """A link does not spin with an axis across its own, and spins backwards with one that points against it."""
    rows = [{"d": 0.3}, {"alpha": "pi/2", "d": 0.5}, {"alpha": "pi", "d": 0.4}]
    robot = Robot.from_table("elbows", rows)
    found = cancelling_spins(robot, tree(robot), [1, 2, 3], [1, 2])
    assert found == [{(1, "ZZ"): -1, (1, "Ia"): 1}, {(2, "ZZ"): -1, (2, "Ia"): 1}]
    first, second, third = robot.frames
    tied_back = replace(third, joint=replace(third.joint, mimic=Mimic(2, number(1))))
    robot = robot.replace(frames=(first, second, tied_back))
    assert cancelling_spins(robot, tree(robot), [], [3]) == [
        {(3, "ZZ"): 1}
    ]  # both turn alike, and z points the other way


def test_a_base_that_turns_takes_part() -> None:
    robot = geared(Fraction(2))
    moving = robot.replace(base=replace(robot.base, angular_velocity=(number(0), number(0), number(1))))
    assert cancelling_spins(moving, tree(moving), [1, 2], [2]) == []


def test_squares_and_what_cancels_among_them() -> None:
    """(x + y)^2 + (x - y)^2 = 2 x^2 + 2 y^2."""
    rows = {(k, "Ia"): tuple(map(Fraction, row)) for k, row in enumerate([(1, 0), (0, 1), (1, 1), (1, -1)])}
    assert _squares((Fraction(2), Fraction(3))) == (4, 12, 9)
    assert _null_vectors({key: _squares(row) for key, row in rows.items()}) == [
        {(0, "Ia"): -2, (1, "Ia"): -2, (2, "Ia"): 1, (3, "Ia"): 1}
    ]


def test_rotors_that_turn_alike_have_one_effect() -> None:
    """In the rhombus links 1 and 4 turn by q1, 2 and 3 by q3; the elbows by the difference, either way."""
    robot = tied("five-bar")
    made = cancelling_spins(robot, tree(robot), [1, 2, 3, 4, 5], [1, 2, 3, 4])
    assert {(1, "ZZ"): -1, (4, "ZZ"): 1} in made
    assert {(2, "Ia"): -1, (4, "Ia"): Fraction(1)} in made
    assert {(1, "ZZ"): -1, (1, "Ia"): 1} in made
    assert len(made) == 9 - 3  # q1^2, q3^2 and their product


def test_a_cut_joint_turns_by_the_difference_of_its_links() -> None:
    """That of rod and slider by the rod's own angle."""
    robot = tied("slider-crank")
    cut, twin = robot.closure.cuts[0]  # type: ignore[union-attr]
    rod = robot.carrier(robot.frame(cut).antecedent)
    rod = rod if robot.frame(rod).sigma == 0 else robot.carrier(robot.frame(twin).antecedent)
    made = cancelling_spins(robot, tree(robot), [cut], [rod])
    assert made == [{(rod, "ZZ"): -1, (cut, "Ia"): 1}]
