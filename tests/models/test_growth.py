"""Generation grows like what it writes: as work in calls of functions, counted, on robots of twice the size."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from counted import calls

import robosym
from robosym import models
from robosym.robot import INERTIA, Robot

# What doubling a robot may do to the work of a model whose operations double with it.
LINEAR = 2.5


def growth(model: Callable[[Robot], object], small: Robot, large: Robot) -> float:
    model(robosym.load("general-2r"))  # what is imported at the first call is no work of the model
    return calls(lambda: model(large)) / calls(lambda: model(small))


def branches(count: int) -> Robot:
    """Arms of one joint side by side on the base."""
    rows = [{"antecedent": 0, "d": f"D{j}", **{name: f"{name}{j}" for name in INERTIA}} for j in range(1, count + 1)]
    return Robot.from_table(f"branches-{count}", rows, gravity=[0, "G2", 0])


def snake(joints: int, alpha: str) -> Robot:
    return Robot.from_table(f"snake-{joints}", [{"d": f"D{j}", "alpha": alpha} for j in range(1, joints + 1)])


@pytest.mark.slow
@pytest.mark.parametrize("convention", ["world", "local"])
def test_a_jacobian_matrix_of_a_chain(convention: str) -> None:
    chains = [robosym.load(f"general-{n}r") for n in (20, 40)]
    assert growth(lambda robot: models.jacobian(robot, axes=convention), *chains) < LINEAR


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("alpha", ["0", "pi/2"])
def test_a_jacobian_matrix_of_a_snake(alpha: str) -> None:
    """Parallel axes, whose angles add up, and axes that turn from joint to joint."""
    assert growth(models.jacobian, snake(30, alpha), snake(60, alpha)) < LINEAR


def test_all_poses_of_a_chain() -> None:
    chains = [robosym.load(f"general-{n}r") for n in (20, 40)]
    assert growth(lambda robot: models.geometric(robot, frames="all"), *chains) < LINEAR


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["lagrange", "coriolis", "inertia_matrix"])
def test_matrices_of_many_branches_are_nearly_empty(name: str) -> None:
    assert growth(getattr(models, name), branches(20), branches(40)) < LINEAR


def test_a_program_is_interpreted_step_by_step() -> None:
    def interpreted(robot: Robot) -> object:
        model = models.transform(robot)
        values = {symbol.name: 0.5 for symbol in model.program.parameter_symbols}
        state = {"q": np.zeros(robot.nq), "parameters": values}
        return lambda: model.program.call(**state)

    calls(interpreted(robosym.load("general-2r")))  # type: ignore[arg-type]  # what is imported at the first call
    small, large = (interpreted(robosym.load(f"general-{n}r")) for n in (20, 40))
    assert calls(large) / calls(small) < LINEAR  # type: ignore[arg-type]
