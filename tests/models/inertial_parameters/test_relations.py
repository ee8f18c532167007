"""Relations between base parameters of tied joints: the columns of the regressor cancel, whatever the values are."""

from __future__ import annotations

import numpy as np
import pytest
from models.inertial_parameters.random_regressor import regressor
from models.inertial_parameters.test_loops import pinocchio_ranks
from models.loops.closed_states import named
from models.loops.random_mechanisms import random_mechanism
from models.loops.special_mechanisms import with_numbers
from par_files import par_file

import robosym
from robosym import models
from robosym.expr import cos, evaluate, parameter, sin
from robosym.models.inertial_parameters.exchanges import with_rotors
from robosym.models.inertial_parameters.relations import _numbered, relations
from robosym.models.inertial_parameters.tied_reach import tied_reaches
from robosym.models.loops.assembled import assembled
from robosym.robot import Robot

NAMES = (
    "sr400",
    "five-bar",
    "four-bar",
    "slider-crank",
    "palletizer",
    "bennett",
    "parallelogram/4",
    "driven-parallelogram/0",
    "palletizer/3",
    "six-bar/1",
    "inverted-slider/0",
    "rod/1",
    "spherical/2",
)


def found(robot: Robot) -> list[dict[tuple[int, str], float]]:
    tied = tied_reaches(robot, base_turns=False)
    made = relations(robot, with_rotors(robot), False, tied)
    values = {key: value.number for key, value in robot.values.items()}
    numbers = [dict(zip(one, evaluate(list(one.values()), values), strict=True)) for one in made]
    return [{key: x for key, x in one.items() if x} for one in numbers]


@pytest.mark.mostly_slow(fast=5)
@pytest.mark.parametrize("name", NAMES)
def test_columns_of_the_regressor_cancel(name: str) -> None:
    robot = assembled(named(name))
    names, W = regressor(robot)
    made = found(robot)
    assert made
    assert_cancelling(made, names, W)


def assert_cancelling(made: list[dict[tuple[int, str], float]], names: list[str], W: np.ndarray) -> None:
    for one in made:
        columns = [factor * W[:, names.index(f"{stem.upper()}{j}")] for (j, stem), factor in one.items()]
        size = max([np.abs(W).max() / 1000, *(np.abs(column).max() for column in columns)])
        assert np.abs(np.sum(columns, axis=0)).max() < 1e-10 * size


@pytest.mark.parametrize("seed", range(3))
def test_they_hold_for_other_lengths_too(seed: int) -> None:
    """All lengths of a parallelogram are symbols: twice as long, with the factors evaluated there."""
    robot = random_mechanism("driven-parallelogram", seed, named=True)
    other = robot.replace(
        values={
            key: type(value)(value.number * (1.7 if key.startswith(("L", "D", "E")) else 1.0), value.unit)
            for key, value in robot.values.items()
        }
    )
    tied = assembled(other)
    names, W = regressor(tied)
    assert_cancelling(found(tied), names, W)


def test_relations_have_their_numbers_at_the_same_places() -> None:
    """Whatever symbols each relation has: the number of a product is the product of the numbers."""
    a, b, c = (parameter(name) for name in ("LA", "LB", "LC"))
    key = (1, "MX")
    factors = (a, b, c, a * b * c, a * sin(b) * cos(c))
    numbered = _numbered(robosym.load("planar-2r"), [{key: x} for x in factors])
    na, nb, nc, product, mixed = (one.numbers[key] for one in numbered)
    np.testing.assert_allclose(product, na * nb * nc, rtol=1e-14)
    np.testing.assert_allclose(mixed, na * np.sin(nb) * np.cos(nc), rtol=1e-14)


@pytest.mark.slow
def test_an_elimination_keeps_symbols_and_numbers_together() -> None:
    """Two loops whose relations have different symbols; without numbers for the lengths. With some, the rank says how many there are."""
    robot = robosym.load(par_file("palletizer-together"))
    ranks = {"th9 parallel": 36, "th9 crossed": 44}
    for mode in models.loop_geometry(robot).modes:
        found = models.base_parameters(robot, mode=mode)
        assert found.inertial_count == ranks[mode.split(", ")[1]]
        if mode == "th10+, th9 parallel":  # one, for they take half a second each
            assert pinocchio_ranks(with_numbers(robot), mode)[0] == found.inertial_count
