"""Base columns of closed loops: D K = tau and the right number of columns, however few random positions assemble."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.loops.iterated_linkages import stephenson
from models.regressors.narrow_loops import (
    any_loop_robot,
    check_base_regressor,
    check_ranks,
    equal_sides,
    narrow_robot,
)

from robosym import models
from robosym.models.loops.assembled import assembled
from robosym.models.loops.states import random_numbers
from robosym.models.mechanism.dependence import dependence, proved_dependence
from robosym.robot import Robot, RobotError

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 2, 3, 4])
def test_base_columns_give_the_torques_of_lagrange_multipliers(seed: int) -> None:
    columns, _ = check_base_regressor(seed)
    assert columns == models.base_parameters(any_loop_robot(seed), method="numeric").count


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "most"), [(0, 2), (1, 1)])
def test_columns_are_as_many_as_pinocchios_rank_in_every_mode(seed: int, most: int) -> None:
    assert len(check_ranks(equal_sides(seed), most=most)) == most


def test_too_few_assembled_states_raise_an_error() -> None:
    """Links that cannot meet, at the values of the robot."""
    robot = narrow_robot(0)
    tree = assembled(robot)
    assert tree.closure is not None
    never = tree.replace(closure=replace(tree.closure, exists=tree.closure.exists * 0))
    with pytest.raises(
        RobotError, match=r"loops: expected at least 24 random positions .* got 0\. Give the driven joints"
    ):
        random_numbers(never, tree.coordinates, {}, np.random.default_rng(0), 24)


@pytest.mark.slow
def test_states_of_an_iterated_mode_are_all_in_it() -> None:
    """The passive joints follow from the position of the mode without a leap."""
    robot = stephenson()
    for mode in models.loop_geometry(robot).modes[:2]:
        tree = assembled(robot, mode)
        assert tree.closure is not None
        symbols = [*tree.coordinates, *tree.closure.found]
        found = random_numbers(tree, symbols, {}, np.random.default_rng(1), 24)
        f = models.loop_geometry(robot, mode=mode).compile()
        q = np.column_stack([found[s] for s in tree.coordinates])
        places = [robot.joint_names.index(name) for name in robot.joint_names]
        made = f(q=q[:, places])
        closed = made["assembled"] > 0
        assert closed.mean() > 0.8
        joints = tree.replace(closure=None).moving
        for symbol in tree.closure.found:
            k = [tree.frame(j).joint.variable for j in joints].index(symbol)
            apart = made["positions"][closed][:, k] - found[symbol][closed]
            assert np.abs(np.exp(1j * apart) - 1).max() < 1e-6


def test_a_relation_that_fails_on_fresh_rows_is_read_off_again() -> None:
    rng = np.random.default_rng(5)
    mixing = rng.normal(size=(3, 2))
    robot = Robot.from_table("any", [{}])

    def rows(batch: int) -> np.ndarray:
        independent = rng.normal(size=(20, 3))
        if not batch:
            independent[:, 2] = 0  # the first rows do not show the third column
        return np.hstack([independent, independent @ mixing])

    found = proved_dependence(robot, rows)
    assert found.stay == (0, 1, 2)
    np.testing.assert_allclose(found.factors, mixing, atol=1e-12)
    assert found.clear
    assert dependence(rows(0), range(5)).stay == (0, 1)

    with pytest.raises(RobotError, match="do not hold at other states"):
        proved_dependence(robot, lambda batch: np.outer(rng.normal(size=9), rng.normal(size=40)))
