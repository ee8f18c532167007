"""Random states of platforms in numbers, and the columns there: every rate and every entry as another implementation has it."""

from __future__ import annotations

import numpy as np
import pytest
from models.parallel import reference
from models.parallel.platform_cases import case_of
from models.parallel.platform_model import pose_of
from models.parallel.platform_states import State, state_of
from models.parallel.unit_parameters import columns_at
from models.reference import relative_error

from robosym.models.parallel.kinematics import modes_of
from robosym.models.parallel.owners import owners_of
from robosym.models.parallel.states import States, random_states
from robosym.models.parallel.structure import module_of
from robosym.models.parallel.unit_columns import unit_columns
from robosym.robot import Robot

NAMES = ("gough-stewart", "delta", "planar-3-RPR", "3-RPS", "3-UPS-UP", "6-UPS-wrist")
COUNT = 3


def states_of(robot: Robot, branches: tuple[int, ...] | None = None) -> tuple[States, list[State]]:
    """Some states, and the same by the reference: from positions and what the motors do."""
    states = random_states(module_of(robot), branches or modes_of(robot).default, COUNT)
    order = [states.joints.index(j) for j in reference.joints_of(robot)]
    motors = [6 + states.joints.index(j) for j in robot.moving]
    found = []
    for k in range(COUNT):
        pose = pose_of(states.T[k, :3, :3], states.T[k, :3, 3])
        found.append(state_of(robot, pose, states.x[k, order], states.u[k, motors], states.ud[k, motors]))
    return states, found


@pytest.mark.parametrize("name", NAMES)
def test_states_satisfy_the_closures(name: str) -> None:
    robot, _ = case_of(name)
    states, expected = states_of(robot)
    order = [6 + states.joints.index(j) for j in reference.joints_of(robot)]
    for k, one in enumerate(expected):
        assert reference.closure_error(robot, one.pose, one.legs) < 1e-13
        for got, known in (
            (states.u[k, :6], one.twist),
            (states.u[k, order], one.speeds),
            (states.ud[k, :6], one.twist_rate),
            (states.ud[k, order], one.accelerations),
        ):
            assert relative_error(got, known) < 1e-9
    apart = np.abs(states.x[0] - states.x[1]).max()
    assert apart > 0.05


@pytest.mark.parametrize("name", NAMES)
def test_columns_are_those_of_pinocchio(name: str) -> None:
    robot, _ = case_of(name)
    states, expected = states_of(robot)
    owners = owners_of(module_of(robot), False)
    keys = owners.keys(rotor_inertia=True)
    motors = [6 + states.joints.index(j) for j in robot.moving]
    W = unit_columns(owners, states, keys).reshape(COUNT, -1, len(keys))
    for k, one in enumerate(expected):
        columns = columns_at(robot, one)
        on_motors = np.array([columns[key] for key in keys]).T
        assert relative_error(W[k], states.motions[k, motors].T @ on_motors) < 1e-10


def test_states_in_another_mode() -> None:
    robot, _ = case_of("planar-3rrr")
    modes = modes_of(robot)
    other = tuple(1 - b for b in modes.default)
    states, expected = states_of(robot, other)
    for k, one in enumerate(expected):
        assert reference.closure_error(robot, one.pose, one.legs) < 1e-13
        assert modes.at(dict(zip(states.joints, states.x[k], strict=True))) == other
