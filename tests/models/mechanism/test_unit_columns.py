"""Torques per unit parameter at random states of trees, closed loops and platforms: every entry as another implementation has it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.inertial_parameters.tied_robots import tied
from models.parallel import reference
from models.parallel.platform_cases import case_of
from models.parallel.platform_model import pose_of
from models.parallel.platform_states import State, state_of
from models.parallel.unit_parameters import columns_at
from models.reference import loaded_robot, newton_euler, numbers, relative_error

import robosym
from robosym.expr import Expr, number, parameter
from robosym.models.inertial_parameters.numeric import Batches
from robosym.models.inertial_parameters.of_platform import owned_columns
from robosym.models.loops.states import random_numbers
from robosym.models.mechanism.states import table
from robosym.models.mechanism.unit_columns import ROTOR, unit_columns
from robosym.models.parallel.kinematics import modes_of
from robosym.models.parallel.owners import owners_of
from robosym.models.parallel.states import States, random_states
from robosym.models.parallel.structure import module_of
from robosym.models.tree.bodies import tree
from robosym.models.tree.motion import motions
from robosym.models.tree.wrenches import on_axes, torques
from robosym.program import Scope
from robosym.robot import FIXED, INERTIA, Actuator, Link, Robot, Value

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
    W = owned_columns(owners, states, keys).reshape(COUNT, -1, len(keys))
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


@pytest.mark.parametrize("seed", range(4))
def test_all_parameters_together_are_newton_and_euler(seed: int) -> None:
    """Of trees with dependent joints, on a base that moves."""
    rng = np.random.default_rng(seed)
    robot = loaded_robot(rng, 6, symbolic=bool(seed % 2))
    bare = tuple(
        replace(f, link=Link() if f.sigma == FIXED else f.link) for f in robot.frames
    )  # links on fixed frames are not lumped
    robot = robot.replace(frames=bare)
    rows = Batches(robot, True)
    chi = [numbers(robot, [_described(robot, *key)])[0] for key in rows.keys]
    tau = (rows.rows(seed, COUNT) @ chi).reshape(COUNT, robot.nv)
    drawn = random_numbers(robot, rows.motion.changing, {}, np.random.default_rng(seed), COUNT)
    own = rows.motion.bodies.coordinates
    for b in range(COUNT):
        q, qd, qdd = ([float(drawn[x][b]) for x in part] for part in (own.q, own.qd, own.qdd))
        given = {
            s.name: Value(float(x[b])) for s, x in drawn.items() if s.kind == "parameter"
        }  # the motion of the base
        there = robot.replace(values={**robot.values, **given})
        expected = newton_euler(there, np.array(q), np.array(qd), np.array(qdd)).tau
        np.testing.assert_allclose(tau[b], expected, atol=1e-9 * max(1.0, np.abs(expected).max()))


@pytest.mark.parametrize("name", ["free", "four-bar", "palletizer", "bennett"])
def test_all_parameters_together_are_the_inverse_dynamics(name: str) -> None:
    robot = tied(name) if name != "free" else robosym.load("stanford")
    if name == "free":
        robot = robot.replace(base=replace(robot.base, floating=True))
    rows = Batches(robot, True)
    assert (0, "XX") in rows.keys if name == "free" else all(j for j, _ in rows.keys)
    own = rows.motion.bodies.coordinates
    values = {s: robot.values[s.name].number for s in rows.motion.constant}
    drawn = random_numbers(robot, rows.motion.changing, values, np.random.default_rng(3), COUNT)
    standard = dict(zip(rows.keys, np.random.default_rng(4).uniform(0.1, 1, len(rows.keys)), strict=True))
    symbols = {key: parameter(f"{key[1]}_{key[0]}_own") for key in rows.keys}
    bodies = tree(_in_symbols(robot, symbols))
    tau = own.torques(on_axes(torques(bodies, motions(bodies, Scope()), Scope())))
    rotors = {body.j: bodies.rotor_torque(body) for body in bodies.bodies}
    tau = [a + b for a, b in zip(tau, own.torques(rotors), strict=True)]
    known = {**{symbols[key]: x for key, x in standard.items()}, **values, **drawn}
    expected = table(tau, known, COUNT)
    got = (rows.rows(3, COUNT) @ list(standard.values())).reshape(COUNT, -1)
    np.testing.assert_allclose(got, expected, atol=1e-9 * np.abs(expected).max())


def _described(robot: Robot, j: int, stem: str) -> Expr:
    frame = robot.frame(j)
    return frame.actuator.Ia if stem == ROTOR else getattr(frame.link, stem)  # type: ignore[no-any-return]


def _in_symbols(robot: Robot, symbols: dict[tuple[int, str], Expr]) -> Robot:
    def link(j: int) -> Link:
        return Link(**{stem: symbols[j, stem] for stem in INERTIA if (j, stem) in symbols})

    frames = tuple(
        replace(f, link=link(j), actuator=Actuator(Ia=symbols.get((j, ROTOR), number(0))))
        for j, f in enumerate(robot.frames, 1)
    )
    return robot.replace(frames=frames, base=replace(robot.base, link=link(0)))


def test_links_that_share_a_parameter_have_one_column() -> None:
    rows = Batches(robosym.load("planar-2r"), False)
    motion = rows.motion
    at = dict.fromkeys((*motion.changing, *motion.constant), 0.7)
    states = motion.states(at, 2)
    apart = unit_columns(states, {(1, "ZZ"): 0, (2, "ZZ"): 1})
    together = unit_columns(states, {(1, "ZZ"): 0, (2, "ZZ"): 0})
    np.testing.assert_allclose(together[:, 0], apart.sum(axis=1))
    assert unit_columns(states, {}).shape == (4, 0)
