"""What links can do where joints follow others: as free joints where none does, and by hand where they do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.inertial_parameters.tied_robots import tied
from random_robots import random_robot
from sweeps import many

import robosym
from robosym.expr import evaluate, number, parameter
from robosym.models.inertial_parameters.reach import Reach, antecedent_reaches
from robosym.models.inertial_parameters.tied_reach import tied_reaches
from robosym.models.loops.assembled import assembled
from robosym.robot import PRISMATIC, Mimic, Robot, Value

QUESTIONS = ("spins", "tilts", "drifts", "rises", "gravity_across", "gravity_along", "has_fixed_point_on_z")


def answers(reach: Reach) -> tuple[object, ...]:
    ranks = tuple(int(np.linalg.matrix_rank(one, tol=1e-9)) if one.size else 0 for one in (reach.twists, reach.gravity))
    return (*(getattr(reach, name) for name in QUESTIONS), reach.axis is None, *ranks)


@pytest.mark.parametrize("seed", range(many(4)))
def test_free_joints_do_the_same(seed: int) -> None:
    """As the spans that pass from link to link."""
    robot = random_robot(np.random.default_rng(seed), 5)
    free, found = antecedent_reaches(robot, False), tied_reaches(robot, False)
    assert found is not None
    assert {j: answers(one) for j, one in found.before.items()} == {j: answers(one) for j, one in free.items()}
    for j, directions in found.turning.items():
        axis = np.eye(3)[:, [2]] * (robot.frame(j).sigma != PRISMATIC)
        own = np.hstack([free[j].twists[:3], axis])  # as the antecedent, and about its own axis
        assert np.linalg.matrix_rank(np.hstack([directions, own]), tol=1e-9) == directions.shape[1]


def arm(ratio: int) -> Robot:
    """A planar arm whose second joint follows the first."""
    robot = robosym.load("planar-3r")
    first, second, third, tip = robot.frames
    second = replace(second, joint=replace(second.joint, mimic=Mimic(1, number(ratio))))
    return robot.replace(frames=(first, second, third, tip))


def test_a_link_that_turns_back_keeps_its_direction() -> None:
    """The second joint of a planar arm undoes the first: what is beyond only moves on a circle."""
    kept = tied_reaches(arm(-1), False)
    assert kept is not None
    assert not kept.before[3].spins
    assert kept.before[3].drifts
    assert kept.turning[2].shape[1] == 0
    other = tied_reaches(arm(2), False)
    assert other is not None
    assert other.before[3].spins
    assert other.turning[2].shape == (3, 1)
    np.testing.assert_allclose(other.turning[2][:2], 0, atol=1e-12)


def test_a_hand_that_is_kept_level_turns_about_the_vertical_only() -> None:
    robot = tied("palletizer")
    found = tied_reaches(robot, base_turns=False)
    assert found is not None
    assert not found.before[10].tilts
    assert found.before[8].tilts  # about the waist's axis, across the wrist's
    assert found.turning[8].shape == (3, 1)
    assert tied_reaches(robot, base_turns=True) is None


def test_what_does_not_close_with_other_values_is_taken_as_free() -> None:
    """Bennett's linkage with all lengths for themselves, which have the right values."""
    robot = robosym.load("bennett")
    values = {key: value.number for key, value in robot.values.items()}
    own = parameter("LONG")
    long = evaluate([robot.frame(3).d], values)[0]
    frames = [replace(f, d=own if j == 3 else -own if j == 5 else f.d) for j, f in enumerate(robot.frames, 1)]
    free = robot.replace(frames=tuple(frames), values={**robot.values, "LONG": Value(long)})
    assert tied_reaches(assembled(robot), base_turns=False) is not None
    assert tied_reaches(assembled(free), base_turns=False) is None
