"""Springs on the joints of a platform's legs, at poses that are reached from the described one by continuity.

The reference has no closed form: all joints are carried on by short steps of Newton's iteration on Pinocchio's tree, and the
work of the springs is that of their angles.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from models.loops.closed_states import output
from models.loops.spring_ways import turned, with_spring
from models.parallel import reference
from models.parallel.platform_states import Position, State, _stepped, state_of
from models.parallel.random_platforms import KINDS, random_platform

from robosym import models
from robosym.robot import PRISMATIC, Robot

PLATFORMS = tuple(kind for kind in KINDS if kind != "6-UPS-wrist")
STEPS, STEP = 12, 0.06


@dataclass(frozen=True)
class Springs:
    """Of all joints, in the order of the reference."""

    k: np.ndarray
    d: np.ndarray
    rest: np.ndarray

    def energy(self, state: State) -> float:
        return float(self.k @ (state.legs - self.rest) ** 2) / 2

    def forces(self, robot: Robot, state: State, moving: bool = True) -> np.ndarray:
        """Of the motors, by virtual work."""
        own = self.k * (state.legs - self.rest) + self.d * (state.speeds if moving else 0)
        return np.asarray(reference.by_motors(robot, state.pose, state.legs)[6:].T @ own)


def sprung(robot: Robot, rng: np.random.Generator) -> tuple[Robot, Springs]:
    """With springs on some joints of its legs, at rest near the described position."""
    joints = reference.joints_of(robot)
    n = len(joints)
    k, d, rest = np.zeros(n), np.zeros(n), np.zeros(n)
    turning = [i for i, j in enumerate(joints) if robot.frame(j).sigma != PRISMATIC]
    for i in rng.permutation(turning)[: int(rng.integers(1, len(turning) + 1))]:
        position = robot.frame(joints[i]).joint.position
        assert position is not None
        k[i], d[i], rest[i] = rng.uniform(1, 20), rng.uniform(0, 1), position + rng.uniform(-1, 1)
        robot = with_spring(robot, joints[i], k[i], d[i], rest[i])
    return robot, Springs(k, d, rest)


def states_on_ways(
    robot: Robot, pose: np.ndarray, legs: np.ndarray, rng: np.random.Generator, count: int
) -> list[State]:
    """The described pose, and the ends of ways of the motors."""
    n = len(robot.moving)
    found: list[Position] = [(pose, legs)]
    while len(found) < count:
        way = rng.uniform(-STEP, STEP, n)
        here: Position = (pose, legs)
        for _ in range(int(rng.integers(1, STEPS))):
            there = _stepped(robot, here, way)
            if there is None:
                break
            here = there
        found.append(here)
    return [state_of(robot, *here, *rng.uniform(-1, 1, (2, n))) for here in found]


def check_springs(seed: int, kind: str | None = None, count: int = 4) -> float:
    """Torques, bias, gravity and energy of a random platform with springs in its legs. Returns how far its joints have turned."""
    rng = np.random.default_rng(seed)
    kind = kind or str(rng.choice(PLATFORMS))
    plain, pose, legs = random_platform(kind, seed)
    plain = turned(plain, reference.joints_of(plain), rng)
    legs = np.array([plain.frame(j).joint.position or 0.0 for j in reference.joints_of(plain)])
    robot, springs = sprung(plain, rng)
    inverse, bias, gravity, energy = (
        make(robot).evaluate for make in (models.inverse_dynamics, models.bias, models.gravity, models.energy)
    )
    near = {"rtol": 1e-6, "atol": 1e-6}
    farthest = 0.0
    for state in states_on_ways(plain, pose, legs, rng, count):
        still = reference.gravity(plain, state.pose, state.legs)
        np.testing.assert_allclose(output(gravity(pose=state.pose), "Q"), still, err_msg="gravity", **near)
        moving = output(inverse(pose=state.pose, twist=state.twist, twist_rate=state.twist_rate), "tau")
        expected = state.tau + springs.forces(plain, state)
        np.testing.assert_allclose(moving, expected, err_msg="tau", **near)
        held = output(bias(pose=state.pose, twist=np.zeros(6)), "H")
        np.testing.assert_allclose(held, still + springs.forces(plain, state, False), err_msg="bias", **near)
        found = energy(pose=state.pose, twist=state.twist)
        potential = reference.energy(plain, state.pose, state.legs, state.twist)[1] + springs.energy(state)
        np.testing.assert_allclose(found["potential"][0], potential, err_msg="potential", **near)
        farthest = max(farthest, float(np.abs(state.legs - legs)[springs.k > 0].max()))
    return farthest
