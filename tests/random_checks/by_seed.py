"""Checks of the test suite as functions of a seed alone: the kind of robot follows from the seed."""

from __future__ import annotations

import tempfile
from pathlib import Path

from identification.data.test_hostile_files import check_hostile
from models.inverse_geometry.closed_form.test_lengths import ORDERS, closed_form_of
from models.parallel.both_forms import check_described_mode
from models.parallel.random_platforms import KINDS
from models.parameter_lists import check_parameter_lists, random_loaded_robot
from models.regressors.narrow_loops import check_ranks, equal_sides
from simulation.integrator_orders import STRUCTURES, simulation_orders, step_orders
from test_checking import refusals
from verification.moving_bases import moving_base


def described_mode(seed: int) -> None:
    """The default mode of the closed loops of a parallel robot is the described pose."""
    kinds = sorted(KINDS)
    check_described_mode(kinds[seed % len(kinds)], seed)


def regressor_ranks(seed: int) -> None:
    """The number of base parameters is the rank, in every assembly mode."""
    check_ranks(equal_sides(seed))


def parameter_lists(seed: int) -> None:
    """All models of a robot list their parameters in one order, and only those that a step uses."""
    check_parameter_lists(random_loaded_robot(seed))


def orders_of_steps(seed: int) -> None:
    """Every integrator of ``models.step`` has its order."""
    step_orders(STRUCTURES[seed % len(STRUCTURES)], seed)


def orders_of_simulations(seed: int) -> None:
    """Every integrator of ``simulate`` has its order under torques in time."""
    simulation_orders(STRUCTURES[seed % len(STRUCTURES)], seed)


def three_lengths(seed: int) -> None:
    """Arms of three prismatic and three revolute joints have a closed form."""
    closed_form_of(ORDERS[seed % len(ORDERS)], seed, special=seed % 2 == 1)


def hostile_recordings(seed: int) -> None:
    """Damaged and oversized recordings raise an error that names file and column, in little memory."""
    with tempfile.TemporaryDirectory() as folder:
        check_hostile(seed, Path(folder))


def moving_bases(seed: int) -> None:
    """``verify`` compares robots whose base moves as described."""
    verdicts = set(moving_base(seed).values())
    assert "same" in verdicts
    assert "DIFFERENT" not in verdicts


def checked_descriptions(seed: int) -> None:
    """``check`` reports a problem exactly where the models refuse the description."""
    reported, refused = refusals(seed)
    assert reported == refused
