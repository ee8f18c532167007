"""Positions of motors and legs from the pose of a platform: every solution closes its legs, and none is missing."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from models.parallel import reference
from models.parallel.platform_cases import BUILT_IN, SWEPT, built_in, case_of, random_case, seeds
from models.parallel.platform_model import rotation
from models.reference import relative_error
from sweeps import many

from robosym import models
from robosym.errors import RobosymError
from robosym.robot import Limits, Robot

CLOSED = 1e-9


def all_joints(robot: Robot, names: tuple[str, ...], positions: np.ndarray) -> np.ndarray:
    at = dict(zip(names, positions, strict=True))
    return np.array([at[robot.frame(j).joint.name] for j in reference.joints_of(robot)])


def same_turns(robot: Robot, a: np.ndarray, b: np.ndarray) -> bool:
    """Positions that differ by whole turns are one."""
    turning = np.array([robot.frame(j).sigma == 0 for j in reference.joints_of(robot)])
    away = np.where(turning, np.abs(np.mod(a - b + np.pi, 2 * np.pi) - np.pi), np.abs(a - b))
    return bool(away.max() < 1e-7)


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("name", [*BUILT_IN, *SWEPT])
def test_all_solutions_close_and_the_known_one_is_there(name: str) -> None:
    robot, states = case_of(name)
    solver = models.inverse_geometric(robot)
    for state in states:
        found = solver(state.pose)
        assert found.status == "reachable"
        motors = [found.all_joints.index(name) for name in found.joint_names]
        legs = [all_joints(robot, found.all_joints, row) for row in found.positions]
        for row, whole in zip(found.positions, legs, strict=True):
            assert reference.closure_error(robot, state.pose, whole) < CLOSED
            assert np.array_equal(row[motors], whole[reference.motors_of(robot)])
        assert sum(same_turns(robot, whole, state.legs) for whole in legs) <= 1
        off = [np.exp(1j * (whole - state.legs)[reference.motors_of(robot)]) for whole in legs]
        assert min(np.abs(one - 1).max() for one in off) < 1e-8
        assert np.array_equal(found.solutions, found.positions[:, motors])


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["planar-3rrr", "delta", "6-PUS"])
def test_none_is_missing(name: str) -> None:
    """Newton's iteration of the reference from many starts finds no other positions of the motors."""
    robot, states = case_of(name)
    state, motors = states[0], reference.motors_of(robot)
    found = models.inverse_geometric(robot)(state.pose)
    rng = np.random.default_rng(3)
    other = set()
    for _ in range(many(12)):
        legs, error = reference.legs_at(robot, state.pose, state.legs + rng.uniform(-3, 3, len(state.legs)))
        if error < 1e-12:
            off = np.abs(np.exp(1j * legs[motors]) - np.exp(1j * found.solutions)).max(axis=1)
            assert off.min() < 1e-6
            other.add(int(off.argmin()))
    assert len(other) > 1


def test_every_combination_of_modes_is_named_once() -> None:
    robot, states = built_in("planar-3rrr")
    solver = models.inverse_geometric(robot)
    found = solver(states[0].pose)
    assert len(found) == len(set(found.modes)) == 8
    assert all(len(names) == 2 for names in solver.mode_names.values())
    distance = [np.abs(a - b).max() for a, b in itertools.combinations(found.solutions, 2)]
    assert min(distance) > 1e-3
    assert found.modes[0] == models.gravity(robot).options["mode"]


def test_seed_and_first_mode() -> None:
    robot, states = built_in("planar-3rrr")
    solver = models.inverse_geometric(robot)
    found = solver(states[0].pose)
    wanted = found.solutions[5]
    assert np.array_equal(solver(states[0].pose, seed=wanted + 0.01).solutions[0], wanted)
    first = models.inverse_geometric(robot, mode=found.modes[5])(states[0].pose)
    assert np.array_equal(first.solutions[0], wanted)
    assert first.modes[0] == found.modes[5]


def test_pose_as_a_matrix_and_as_seven_numbers() -> None:
    robot, states = built_in("gough-stewart")
    solver, pose = models.inverse_geometric(robot), states[0].pose
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = rotation(pose), pose[:3]
    assert relative_error(solver(T).solutions, solver(pose).solutions) < 1e-14
    assert relative_error(solver(pose).solutions[0], states[0].q) < 1e-12
    with pytest.raises(RobosymError, match="quaternion has length"):
        solver([*pose[:3], 0, 0, 0, 2])
    assert solver([*pose[:3], 0, 0, 0, 2], normalise=True).status == "reachable"
    with pytest.raises(RobosymError, match="T: got shape"):
        solver(np.eye(3))
    T[3] = [0, 0, 1, 1]
    for normalise in (True, False):
        with pytest.raises(RobosymError, match="the last row is"):
            solver(T, normalise=normalise)


def test_out_of_reach_names_the_legs() -> None:
    robot, states = built_in("planar-3rrr")
    solver = models.inverse_geometric(robot)
    pose = states[0].pose + np.array([3, 0, 0, 0, 0, 0, 0])
    found = solver(pose)
    assert found.status == "out of reach"
    assert not found
    assert "leg" in found.message
    above = solver(states[0].pose + np.array([0, 0, 0.1, 0, 0, 0, 0]))
    assert above.status == "out of reach"
    assert "vx, vy, wz" in above.message
    delta, states = built_in("delta")
    turned = np.append(states[0].pose[:3], [0, 0, np.sin(0.1), np.cos(0.1)])
    assert models.inverse_geometric(delta)(turned).status == "out of reach"


def test_limits() -> None:
    """Of all joints of the legs, also those without motors: the elbow of one leg may only bend one way."""
    robot, states = built_in("planar-3rrr")
    elbow = robot.number("leg1_coupler")
    frame = robot.frame(elbow)
    bent = replace(frame, joint=replace(frame.joint, limits=Limits(lower=0.1, upper=3.0)))
    limited = robot.replace(frames=tuple(bent if f is frame else f for f in robot.frames))
    found = models.inverse_geometric(limited)(states[0].pose, limits=True)
    assert len(found) == 4
    assert (found.positions[:, found.all_joints.index("leg1_elbow")] > 0).all()
    assert len(models.inverse_geometric(limited)(states[0].pose)) == 8
    still = replace(frame, joint=replace(frame.joint, limits=Limits(lower=-0.1, upper=0.1)))
    stiff = robot.replace(frames=tuple(still if f is frame else f for f in robot.frames))
    assert models.inverse_geometric(stiff)(states[0].pose, limits=True).status == "outside limits"


@pytest.mark.parametrize("kind", ["planar-3-PRR", "3-RPS"])
def test_compiled_code_is_the_same(kind: str) -> None:
    for seed in seeds():
        robot, states = random_case(kind, seed)
        solver = models.inverse_geometric(robot)
        found = solver(states[0].pose)
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = rotation(states[0].pose), states[0].pose[:3]
        code = solver.evaluate(T=T)
        assert np.array_equal(np.asarray(code["valid"]).any(axis=0), np.ones(len(found.joint_names)))
        for row in found.solutions:
            assert np.abs(np.asarray(code["Q"]) - row).min(axis=0).max() < 1e-12
