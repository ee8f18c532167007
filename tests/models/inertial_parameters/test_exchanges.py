"""Bodies that together have no effect: each one on the columns of the regressor, at random states."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.inertial_parameters.tied_robots import effect, tied
from models.reference import numbers

import robosym
from robosym.expr import number, substitute
from robosym.models.inertial_parameters.exchanges import Exchanges, cut_frames, with_rotors
from robosym.models.inertial_parameters.tied_reach import tied_reaches
from robosym.robot import INERTIA, Robot

# Amounts, and how many of them are independent: enough to reach the rank of Pinocchio's regressor (test_loops.py).
NAMES = {
    "five-bar": (21, 18),
    "slider-crank": (13, 13),
    "sr400": (21, 18),
    "driven-parallelogram/6": (29, 26),
    "spherical/1": (4, 4),
    "rod/0": (16, 16),
    "inverted-slider/0": (8, 8),
}


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("name", NAMES)
def test_they_have_no_effect(name: str) -> None:
    robot = tied(name)
    own = Exchanges(robot, False, tied_reaches(robot, False), with_rotors(robot))
    exchanges = list(own.all())
    rows = []
    for amount in own.amounts:
        unit = {x: number(int(x is amount)) for x in own.amounts}
        bodies = [
            (j, dict(zip(ten, substitute(list(ten.values()), unit), strict=True)))
            for one in exchanges
            for j, ten in one
        ]
        spun = dict(zip(own.spun, numbers(robot, substitute(list(own.spun.values()), unit)), strict=True))
        assert effect(robot, bodies, spun) < 1e-9, amount
        row = np.zeros((len(robot.frames) + 1, 11))
        for j, ten in bodies:
            row[j, :10] += numbers(robot, [ten[stem] for stem in INERTIA])
        for j, x in spun.items():
            row[j, 10] += x
        rows.append(row.ravel())
    assert (len(rows), np.linalg.matrix_rank(np.array(rows), tol=1e-9)) == NAMES[name]


def test_a_base_that_turns_leaves_fewer() -> None:
    """What keeps parallel to the base turns with it."""
    robot = tied("slider-crank")
    own = Exchanges(robot, True, None, with_rotors(robot))
    list(own.all())
    assert len(own.amounts) < NAMES["slider-crank"][0]


def test_exchanges_have_an_amount_each() -> None:
    exchanges = Exchanges(tied("sr400"), False, None)
    made = list(exchanges.all())
    assert made
    assert len(set(exchanges.amounts)) == len(exchanges.amounts)
    assert all(j <= 10 for bodies in made for j, _ in bodies)


def test_frames_of_cut_joints_and_rotors() -> None:
    """Before a robot is assembled its cut frames are the last two of every loop. Of a tree every joint has its rotor, with
    closed loops those that are driven."""
    robot, made = robosym.load("sr400"), tied("sr400")
    assert cut_frames(robot) == cut_frames(made) == {9, 10}
    assert with_rotors(made) == sorted(robot.moving)
    open_one = robosym.load("planar-3r")
    assert cut_frames(open_one) == set()
    assert with_rotors(open_one) == [1, 2, 3]


def test_rotors_of_passive_joints_count_where_they_are() -> None:
    made = tied("sr400")
    passive = next(j for j in made.links if j not in made.moving and made.frame(j).sigma == 0)
    assert passive not in with_rotors(made)
    assert passive in with_rotors(with_rotor(made, passive))


def with_rotor(robot: Robot, j: int) -> Robot:
    frames = list(robot.frames)
    frames[j - 1] = replace(frames[j - 1], actuator=replace(frames[j - 1].actuator, Ia=number(1)))
    return robot.replace(frames=tuple(frames))
