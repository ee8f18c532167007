"""``inverse_dynamics_derivatives``: Pinocchio, central differences, counts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from models.derivatives.pinocchio_derivatives import (
    agree,
    by_differences,
    of_inverse_dynamics,
    random_state,
    values_of,
)
from models.kinematic.mass_states import random_placed
from models.loops.iterated_linkages import stephenson
from models.pinocchio_states import Twin
from models.reference import loaded_robot
from models.spinning_rotors import spinning_robot
from real_robots import URDFS, real_robot, urdf_file
from robots_with import sprung
from sweeps import crossed, many, some

import robosym
from robosym import RobosymError, models
from robosym.expr import number
from robosym.models.derivatives import inverse
from robosym.program import verified
from robosym.robot import Robot

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

OUTPUTS = ("dtau_dq", "dtau_dqd", "tau", "A")
LOOPS = ("four-bar", "five-bar", "slider-crank", "sr400", "palletizer", "bennett")


def compared(robot: Robot, tolerance: float = 1e-7, **options: Any) -> None:
    """With central differences of the inverse dynamic model."""
    made = models.inverse_dynamics_derivatives(robot, values=True, **options)
    original = models.inverse_dynamics(robot, **options)
    by_differences(robot, made, original, {"q": "dtau_dq", "qd": "dtau_dqd", "qdd": "A"}, "tau", tolerance)


@pytest.mark.slow
@pytest.mark.parametrize(("file", "floating"), crossed(URDFS, [False, True], every=4))
def test_real_files(file: str, floating: bool) -> None:
    robot = real_robot(file, floating=floating)
    model = models.inverse_dynamics_derivatives(robot, wrench="none", values=True)
    twin = Twin.of_urdf(urdf_file(file), robot)
    for seed in range(2):
        state = random_state(robot, np.random.default_rng(seed))
        expected = of_inverse_dynamics(twin, state)
        expected |= {"A": twin.crba(state["q"]), "tau": twin.rnea(state["q"], state["qd"], state["qdd"])}
        found = values_of(model, state)
        assert tuple(found) == OUTPUTS
        for name, x in expected.items():
            agree(found[name], x, 1e-10, name)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("parameters", ["standard", "base"])
def test_random_trees_with_symbols(parameters: str) -> None:
    """Placed anywhere, with joints that follow others and rotors; every third on a free base."""
    for seed in range(many(3)):
        robot = random_placed(seed, 6, symbolic=True)
        twin = Twin.of_robot(robot)
        model = models.inverse_dynamics_derivatives(robot, wrench="none", parameters=parameters)
        verified(model.program)
        state = random_state(robot, np.random.default_rng(seed))
        found = values_of(model, state)
        for name, x in of_inverse_dynamics(twin, state).items():
            agree(found[name], x, 1e-10, (seed, name))


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", some(LOOPS[1:] + LOOPS[:1], 2))  # those that the accelerations leave out
def test_closed_loops(name: str) -> None:
    compared(robosym.load(name), friction=True)


def test_loops_closed_by_iteration() -> None:
    compared(stephenson(), tolerance=1e-5)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", some(["four-bar", "five-bar", "sr400"], 2))
def test_the_recursion_and_forward_mode_agree_where_joints_follow(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    robot = robosym.load(name)
    found = []
    for short in (False, True):
        monkeypatch.setattr(inverse, "_is_short", lambda _, short=short: short)
        if short:
            monkeypatch.setattr(inverse, "_recursive", lambda *_: None)
        model = models.inverse_dynamics_derivatives(robot, values=True)
        q = 0.3 + 0.1 * np.random.default_rng(0).uniform(-1, 1, robot.nv if not robot.loops else len(robot.joint_names))
        n = len(q)
        state = {"q": q, "qd": np.linspace(-1, 1, n), "qdd": np.linspace(0.5, 1, n)}
        found.append(values_of(model, state))
    for name in OUTPUTS:
        agree(found[0][name], found[1][name], 1e-11, name)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", range(3))
def test_rotors_that_links_carry(seed: int) -> None:
    compared(spinning_robot(seed, 5), rotor_inertia="gyroscopic")


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("friction", [True, False])
def test_a_base_with_given_motion_friction_and_wrenches(friction: bool) -> None:
    for seed in range(many(2)):
        compared(loaded_robot(np.random.default_rng(seed), 5, symbolic=False), friction=friction, wrench="all")


def test_joints_with_springs() -> None:
    compared(sprung(robosym.load("rx90")), friction=True)


@pytest.mark.parametrize("kind", ["spatial", "classical"])
def test_a_free_base(kind: str) -> None:
    compared(robosym.load("eel-3"), kind=kind, wrench="all")


def test_what_the_description_sets_to_a_number_has_no_column() -> None:
    """As no model reads what is given there."""
    robot = robosym.load("planar-3r")
    frames = list(robot.frames)
    frames[1] = replace(frames[1], joint=replace(frames[1].joint, velocity=number(0.5)))
    still = robot.replace(frames=tuple(frames))
    compared(still, friction=True)


def test_counts() -> None:
    """RX-90 in base parameters: forward mode of our own inverse dynamic model takes 2564 operations."""
    counted = {
        name: models.inverse_dynamics_derivatives(robosym.load(name), parameters="base", wrench="none").operations.total
        for name in ("rx90", "stanford", "planar-3r")
    }
    assert counted["rx90"] <= 1499
    assert counted["stanford"] <= 1280
    assert counted["planar-3r"] <= 150


@pytest.mark.slow
def test_growth_is_that_of_the_output() -> None:
    """The second differences of a chain settle: quadratic, like the number of entries."""
    counts = [
        models.inverse_dynamics_derivatives(robosym.load(f"general-{n}r"), wrench="none").operations.total
        for n in (4, 6, 8, 10)
    ]
    first = np.diff(counts)
    second = np.diff(first)
    assert abs(second[1] - second[0]) <= 0.02 * first[-1]


def test_options_are_checked() -> None:
    robot = robosym.load("planar-2r")
    with pytest.raises(RobosymError, match="values"):
        models.inverse_dynamics_derivatives(robot, values="yes")
    with pytest.raises(RobosymError, match="kind"):
        models.inverse_dynamics_derivatives(robosym.load("eel-3"), kind="other")
