"""How frames of robots with closed loops move: against Pinocchio's frames and finite differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from models.loops.closed_reference import Closed
from models.loops.closed_states import State, clear_states, modes, named, output
from models.pinocchio_states import pin
from models.reference import numbers, relative_error

from robosym import models
from robosym.expr import derivative, evaluate, parameter, variable
from robosym.models.loops.assembled import assembled
from robosym.robot import Robot

# A plane anywhere, sliders, loops after each other, axes that meet, and the mode in which no angles add up.
ROBOTS = ("sr400", "four-bar/1", "slider-crank/1", "rod/0", "spherical/1", "six-bar/0", "palletizer/0")
TOLERANCE = 1e-10


def last_mode(name: str) -> str:
    return modes(name)[-1]


class Frames:
    """Pinocchio's frames at a state, in the axes of the world at their origins."""

    def __init__(self, robot: Robot, state: State) -> None:
        reference = Closed(robot)
        self.twin, model, data = reference.twin, reference.twin.model, reference.twin.data
        spread = self.twin.spread
        self.G = reference.projection(state.x)
        xd = self.G @ state.qd
        self.rates = [xd, reference.accelerations(state.x, xd, state.qdd)]
        self.drift = reference.accelerations(state.x, xd, 0 * state.qdd)
        q = self.twin.configuration(state.x)
        pin.computeJointJacobians(model, data, q)
        pin.forwardKinematics(model, data, q, *(spread @ rate for rate in self.rates))
        pin.updateFramePlacements(model, data)

    def velocity(self, j: int) -> np.ndarray:
        model, data = self.twin.model, self.twin.data
        return pin.getFrameVelocity(model, data, self.twin.frame_id(j), pin.LOCAL_WORLD_ALIGNED).vector

    def acceleration(self, j: int) -> np.ndarray:
        model, data = self.twin.model, self.twin.data
        return pin.getFrameClassicalAcceleration(model, data, self.twin.frame_id(j), pin.LOCAL_WORLD_ALIGNED).vector

    def jacobian(self, j: int) -> np.ndarray:
        found = pin.getFrameJacobian(self.twin.model, self.twin.data, self.twin.frame_id(j), pin.LOCAL_WORLD_ALIGNED)
        return found @ self.twin.spread @ self.G


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ROBOTS)
def test_rates_of_the_passive_joints(name: str) -> None:
    """Rows of G and drifts: those of the constraints, and the derivatives of the closed form."""
    robot = named(name)
    closure = assembled(robot, last_mode(name)).closure
    assert closure is not None
    reference = Closed(robot)
    own = {parameter(key): value.number for key, value in robot.values.items()}
    q, qd = robot.coordinates, [variable(f"qd{j}") for j in robot.moving]
    for state in clear_states(robot, last_mode(name), 2):
        at: dict[Any, float] = own | dict(zip(q, state.q, strict=True)) | dict(zip(qd, state.qd, strict=True))
        G = reference.projection(state.x)
        drift = reference.accelerations(state.x, G @ state.qd, 0 * state.qd)
        for j, position in closure.positions.items():
            row = np.zeros(robot.nv)
            for place, entry in closure.rows[j]:
                row[place] = evaluate([entry], at)[0]
            k = reference.frames.index(j)
            slopes = evaluate([derivative(position, symbol) for symbol in q], at)
            scale = 1 + np.abs(G[k]).max()
            assert np.abs(row - G[k]).max() < TOLERANCE * scale
            assert np.abs(np.array(slopes) - G[k]).max() < TOLERANCE * scale
            assert abs(evaluate([closure.drifts[j]], at)[0] - drift[k]) < TOLERANCE * (1 + abs(drift[k]))
            moved = list(zip(q, qd, strict=True))
            bends = [derivative(derivative(position, a), b) * u * v for a, u in moved for b, v in moved]
            assert abs(sum(evaluate(bends, at)) - drift[k]) < 1e-9 * (1 + abs(drift[k]))


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ROBOTS)
def test_velocities_and_accelerations_of_all_frames(name: str) -> None:
    robot, mode = named(name), last_mode(name)
    velocities = models.velocities(robot, frames="all", mode=mode).evaluate
    accelerations = models.accelerations(robot, frames="all", mode=mode).evaluate
    for state in clear_states(robot, mode, 2):
        frames = Frames(robot, state)
        count = range(1, len(robot.frames) + 1)
        found = output(velocities(q=state.q, qd=state.qd), "V")
        assert relative_error(found, np.array([frames.velocity(j) for j in count])) < TOLERANCE
        found = output(accelerations(q=state.q, qd=state.qd, qdd=state.qdd), "VD")
        assert relative_error(found, np.array([frames.acceleration(j) for j in count])) < TOLERANCE


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ROBOTS)
def test_the_jacobian_and_its_rate(name: str) -> None:
    """Of the twin of the last cut joint, which is on the other side of the loop."""
    robot, mode, j = named(name), last_mode(name), len(named(name).frames)
    jacobian = models.jacobian(robot, frame=j, mode=mode).evaluate
    rate = models.jacobian_rate(robot, frame=j, mode=mode).evaluate
    drift = models.jdot_qdot(robot, frame=j, mode=mode).evaluate
    static = models.static_torques(robot, frame=j, mode=mode).evaluate
    for state in clear_states(robot, mode, 2):
        frames = Frames(robot, state)
        J, JD = output(jacobian(q=state.q), "J"), output(rate(q=state.q, qd=state.qd), "JD")
        assert relative_error(J, frames.jacobian(j)) < TOLERANCE
        found = output(drift(q=state.q, qd=state.qd), "JDQD")
        assert relative_error(JD @ state.qd, found) < TOLERANCE
        whole = frames.acceleration(j)
        assert np.abs(found + J @ state.qdd - whole).max() < TOLERANCE * (1 + np.abs(whole).max())
        h = 1e-6
        sides = [output(jacobian(q=state.q + s * h * state.qd), "J") for s in (1, -1)]
        assert np.abs(JD - (sides[0] - sides[1]) / (2 * h)).max() < 1e-7 * (1 + np.abs(JD).max())
        push = np.random.default_rng(1).uniform(-3, 3, 6)
        torques = output(static(q=state.q, wrench=push), "tau")
        assert relative_error(torques, J.T @ push) < TOLERANCE


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ROBOTS)
def test_frames_move_as_their_velocities_say(name: str) -> None:
    """Finite differences of where they are; the two frames of every cut joint are one."""
    robot, mode = named(name), last_mode(name)
    place = models.geometric(robot, frames="all", reference="world", mode=mode).evaluate
    velocities = models.velocities(robot, frames="all", mode=mode).evaluate
    for state in clear_states(robot, mode, 2):
        h = 1e-6
        found = [place(q=state.q + s * h * state.qd) for s in (0, 1, -1)]
        now, after, before = (np.array([one[f"T{j}"] for j in range(1, len(robot.frames) + 1)]) for one in found)
        V = output(velocities(q=state.q, qd=state.qd), "V")
        rates = (after - before) / (2 * h)
        turning = rates[:, :3, :3] @ now[:, :3, :3].transpose(0, 2, 1)
        w = np.stack([turning[:, 2, 1], turning[:, 0, 2], turning[:, 1, 0]], axis=1)
        scale = np.abs(V).max()
        assert np.abs(rates[:, :3, 3] - V[:, :3]).max() < 1e-7 * scale
        assert np.abs(w - V[:, 3:]).max() < 1e-7 * scale
        for cut in range(robot.n_links + 1, robot.n_links + robot.loops + 1):
            assert np.abs(now[cut - 1] - now[cut + robot.loops - 1]).max() < 1e-13


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["sr400", "rod/0", "palletizer/0"])
def test_the_centre_of_mass_and_the_momentum(name: str) -> None:
    robot, mode = named(name), last_mode(name)
    centre, slopes, momentum, rate = (
        make(robot, mode=mode).evaluate
        for make in (
            models.centre_of_mass,
            models.centre_of_mass_jacobian,
            models.centroidal_momentum,
            models.centroidal_momentum_rate,
        )
    )
    reference = Closed(robot)
    twin = reference.twin
    for state in clear_states(robot, mode, 2):
        xd = reference.speeds(state.x, state.qd)
        q, v = twin.configuration(state.x), twin.spread @ xd
        a = twin.spread @ reference.accelerations(state.x, xd, 0 * state.qd)
        pin.computeCentroidalMomentumTimeVariation(twin.model, twin.data, q, v, a)
        assert relative_error(output(centre(q=state.q), "C"), pin.centerOfMass(twin.model, twin.data, q)) < TOLERANCE
        pin.computeCentroidalMomentumTimeVariation(twin.model, twin.data, q, v, a)
        AG = output(momentum(q=state.q), "AG")
        assert relative_error(AG @ state.qd, twin.data.hg.vector) < TOLERANCE
        assert relative_error(output(rate(q=state.q, qd=state.qd), "AGDQD"), twin.data.dhg.vector) < TOLERANCE
        JC = output(slopes(q=state.q), "JC")
        assert relative_error(JC @ state.qd, twin.data.hg.linear / mass(robot)) < TOLERANCE


def mass(robot: Robot) -> float:
    return sum(numbers(robot, [frame.link.M for frame in robot.frames]))
