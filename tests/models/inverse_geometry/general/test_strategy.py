"""Which eliminations are used: regular ones for a general arm, those of neighbours where all of them degenerate."""

from __future__ import annotations

import numpy as np
import pytest
from models.inverse_geometry.general.general_arms import ALL_REVOLUTE, THREE_PRISMATIC, random_arm

from robosym.errors import RobosymError
from robosym.library import load
from robosym.models.inverse_geometry.general.arm import Arm, arm_of
from robosym.models.inverse_geometry.general.roots import Elimination
from robosym.models.inverse_geometry.general.strategy import NEIGHBOUR_REAL, _neighbour, strategy_for
from robosym.models.inverse_geometry.general.three_prismatic import ThreePrismatic
from robosym.models.inverse_geometry.general.trial import distance, refined, trial_poses


def found(arm: Arm, methods: tuple[object, ...]) -> np.ndarray:
    """At which poses the methods together find the configuration that made them."""
    q, T = trial_poses(arm, 20, seed=3)
    right = np.zeros(len(q), dtype=bool)
    for method in methods:
        assert isinstance(method, Elimination)
        pose, starts, _ = method.starts(T)
        solutions, _ = refined(arm, T[pose], starts)
        right[pose[distance(arm.kinds, solutions, q[pose]) < 1e-6]] = True
    return right


def test_a_general_arm_has_one_elimination_and_spares() -> None:
    arm = random_arm(np.random.default_rng(1), ALL_REVOLUTE)
    strategy = strategy_for(arm)
    (method,) = strategy.always
    assert isinstance(method, Elimination)
    assert strategy.regular
    assert strategy.usual == 0
    assert method.arm is arm
    assert found(arm, strategy.always).all()
    first, again = strategy.spare
    assert isinstance(first, Elimination)
    assert isinstance(again, Elimination)
    assert first.labelling.hidden != method.labelling.hidden  # another joint, then another zero of the same one
    assert (again.labelling, again.phi) == (method.labelling, method.phi + 1.9)


def test_three_prismatic_joints_need_no_elimination() -> None:
    strategy = strategy_for(random_arm(np.random.default_rng(2), THREE_PRISMATIC[1]))
    assert isinstance(strategy.always[0], ThreePrismatic)
    assert (len(strategy.always), strategy.spare, strategy.regular) == (1, (), True)


def test_where_all_degenerate_eliminations_are_those_of_neighbours() -> None:
    """The UR-5: three parallel axes, all others at right angles."""
    arm = arm_of(load("ur5"), 6).reduced()
    strategy = strategy_for(arm)
    assert not strategy.regular
    assert strategy.usual == 8  # solutions of a pose well within reach
    assert len(strategy.always) == len(strategy.spare) == 2
    assert found(arm, strategy.always).all()
    sides = []
    for method in strategy.always:
        assert isinstance(method, Elimination)
        assert method.real == NEIGHBOUR_REAL
        sides.append(method.arm.constants[1:6] - arm.constants[1:6])
    assert 1e-5 < np.abs(sides[0]).max() < 1e-2
    np.testing.assert_allclose(sides[0], -sides[1], atol=3e-5)  # one on each side of the arm


def test_an_elimination_with_wrong_roots_is_not_regular() -> None:
    """The PUMA's best elimination finds every configuration, and real roots that are no solutions."""
    strategy = strategy_for(arm_of(load("puma560"), 6).reduced())
    assert (strategy.regular, strategy.usual) == (False, 8)
    assert found(arm_of(load("puma560"), 6).reduced(), strategy.always).all()


def test_a_neighbour_is_a_little_different_everywhere_but_at_its_ends() -> None:
    arm = random_arm(np.random.default_rng(4), ALL_REVOLUTE)
    near = _neighbour(arm, 1e-3)
    apart = near.constants - arm.constants
    assert not apart[[0, 6]].any()
    for i in range(1, 6):
        assert 1e-4 < np.abs(apart[i]).max() < 5e-3
        np.testing.assert_allclose(np.linalg.inv(near.constants[i])[3], [0, 0, 0, 1], atol=1e-15)
        turned = arm.constants[i, :3, :3].T @ near.constants[i, :3, :3]
        angle = np.arccos((np.trace(turned) - 1) / 2)
        assert 0.4e-3 < angle < 1.6e-3


@pytest.mark.parametrize("kinds", [ALL_REVOLUTE, (0, 0, 1, 0, 0, 0)])
def test_an_arm_that_cannot_move_freely_is_refused(kinds: tuple[int, ...]) -> None:
    """All axes parallel: four directions, or three with no slide."""
    constants = random_arm(np.random.default_rng(5), kinds).constants.copy()
    constants[:, :3, :3] = np.eye(3)
    directions = 4 if 1 in kinds else 3
    with pytest.raises(RobosymError, match=f"move the frame in {directions} independent directions only"):
        strategy_for(Arm(kinds, constants, np.ones(6)))
