"""Values of parameters that no robot has, given to a simulation: noted as a description with them warns, or refused."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from random_robots import random_robot

from robosym import load, models
from robosym.robot import INERTIA, Robot, Value
from robosym.robot.checks import problems
from robosym.simulation import SimulationError, simulate


def with_values(robot: Robot, **values: float) -> Robot:
    return robot.replace(values={**robot.values, **{name: Value(x) for name, x in values.items()}})


def moving_tree(rng: np.random.Generator) -> Robot:
    """A random tree of symbols whose inertia matrix is regular."""
    while True:
        robot = random_robot(rng, 3, symbolic=True)
        A = models.inertia_matrix(robot).evaluate(q=np.linspace(0.2, 0.7, robot.nq))
        if np.linalg.cond(A) < 1e4:
            return robot


def values_are_judged(seed: int) -> None:
    """Random values of a link beside a random robot: there is a note exactly where a description with these values warns, or where the
    inertia matrix of NumPy has an eigenvalue that is not positive."""
    rng = np.random.default_rng([seed, 11])
    robot = moving_tree(rng)
    q = rng.uniform(-1, 1, robot.nq)
    j = int(rng.choice(robot.moving))
    name = f"{rng.choice([*INERTIA[:6], 'M'])}{j}"
    values = {name: robot.values[name].number + float(rng.choice([0.0, 1e-3, -0.5, -5.0]))}
    changed = with_values(robot, **values)
    unit = models.inverse_dynamics(changed, wrench="none")
    zero = np.zeros(robot.nv)
    still = unit.evaluate(q=q, qd=zero, qdd=zero)
    A = np.array([unit.evaluate(q=q, qd=zero, qdd=one) - still for one in np.eye(robot.nv)])
    least = np.linalg.eigvalsh(A)[0]
    if abs(least) < 1e-6:
        return
    run = simulate(robot, q=q, duration=0.002, parameters=values, limits=False)
    said = [note for note in run.notes if "physically impossible" in note]
    assert bool(said) == any("physically impossible" in str(one) for one in problems(changed)), (seed, values)
    assert any("inertia matrix is not positive" in note for note in run.notes) == (least < 0), (seed, values, least)


@pytest.mark.mostly_slow(fast=4)
@pytest.mark.parametrize("seed", range(8))
def test_there_is_a_note_where_a_description_warns(seed: int) -> None:
    values_are_judged(seed)


def test_values_that_change_on_the_way_and_batches() -> None:
    robot = load("planar-2r")
    given = {"q": [0.1, 0.2], "duration": 0.01}
    late = simulate(robot, changes={0.005: {"M2": -3.0}}, **given)
    assert any("frame 2, inertia: physically impossible: the mass is -3" in note for note in late.notes)
    runs = simulate(robot, batch={"ZZ2": np.r_[np.linspace(0.99, 1, 99) * robot.values["ZZ2"].number, -2.0]}, **given)
    assert any(note.startswith("parameters of some runs: frame 2, inertia") for note in runs.notes)
    assert any(note.startswith("parameters of some runs: the inertia matrix is not positive") for note in runs.notes)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert simulate(robot, parameters={"M2": robot.values["M2"].number * 1.1}, **given).notes == ()


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("friction", ["stick", False])
def test_a_joint_without_inertia_is_refused(friction: str | bool) -> None:
    for name in ("planar-2r", "rx90"):
        robot = load(name)
        j, joint = robot.moving[-1], robot.joint_names[-1]
        none = {f"{one}{j}": 0.0 for one in (*INERTIA, "IA") if f"{one}{j}" in robot.parameter_names}
        with pytest.raises(SimulationError, match=rf"every joint moves an inertia, got none for joint '{joint}'"):
            simulate(robot, q=np.full(robot.nq, 0.1), duration=0.01, parameters=none, friction=friction)
        many = {key: [robot.values[key].number, 0.0] for key in none}
        with pytest.raises(SimulationError, match="parameters of some runs: expected values"):
            simulate(robot, duration=0.01, batch=many, friction=friction)
