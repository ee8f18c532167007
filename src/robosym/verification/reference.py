"""A robot's motion without its models: q, qd and qdd become positions, rates and accelerations of all joints by Newton's iteration
and linear algebra, and what acts on them is carried to the coordinates by virtual power (the multipliers do no work)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import RobosymError
from ..robot import Robot
from .floats import FloatMoment
from .joints import position_rates
from .mechanism import RANK, Floats, Mechanism, Moment, State
from .pinocchio_tree import PinocchioTree, installed

CLOSED = 1e-11  # how far closed loops may be open, over the size of the robot


def pose_of(q: Floats) -> Floats:
    """x y z qx qy qz qw as a matrix."""
    x, y, z, w = np.asarray(q[3:7]) / np.linalg.norm(q[3:7])
    found = np.eye(4)
    found[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    found[:3, 3] = q[:3]
    return found


class Reference:
    """A robot all of whose symbols have values, by Pinocchio or in plain floats."""

    def __init__(self, robot: Robot, by_pinocchio: bool | None = None) -> None:
        transmitted = any(not frame.actuator.motor.Jm.is_zero for frame in robot.frames) or robot.couplings
        self.robot, self.mechanism = robot, Mechanism(robot, rotors=not transmitted)
        self.by_pinocchio = installed() if by_pinocchio is None else by_pinocchio
        self.tree: PinocchioTree | None = None
        if self.by_pinocchio:
            try:
                self.tree = PinocchioTree(self.mechanism)
            except ArithmeticError:  # links that Pinocchio has no place for
                self.by_pinocchio = False

    @property
    def name(self) -> str:
        """What is compared with."""
        who = "Pinocchio" if self.by_pinocchio else "plain floats"
        return f"{who}, Lagrange multipliers on its tree" if self.mechanism.closures else who

    def moment(self, state: State) -> Moment:
        """The tree at a state."""
        return FloatMoment(self.mechanism, state) if self.tree is None else self.tree.at(state)

    # --- positions ---------------------------------------------------------------------------------------------------

    def positions(
        self, q: Floats, guess: Mapping[int, float] | None = None
    ) -> tuple[dict[int, Any], dict[int, Floats]]:
        """Of all joints, and of a free base."""
        robot, floating = self.robot, self.robot.base.floating
        poses = {0: pose_of(q[:7])} if floating else {0: np.eye(4)} if self.mechanism.base_moves else {}
        x: dict[int, Any] = {j: robot.frame(j).joint.position or 0.0 for j in self.mechanism.joints}
        x |= dict(guess or {}) | self._joint_positions(q[7:] if floating else q)
        x = self.followed(x)
        return self.closed(x, poses, [self.mechanism.columns[j][0] for j in robot.moving]), poses

    def _joint_positions(self, q: Floats) -> dict[int, Any]:
        """The positions of the joints that are coordinates: one, or an array with a quaternion of length one."""
        positions: dict[int, Any] = {}
        at = 0
        for j in self.robot.moving:
            kind, count = self.robot.kind(j), len(self.robot.positions_of(j))
            part = np.array(q[at : at + count], dtype=float)
            if kind is not None and (first := kind.quaternion) is not None:
                part[first : first + 4] /= np.linalg.norm(part[first : first + 4])
            positions[j] = float(part[0]) if count == 1 else part
            at += count
        return positions

    @property
    def quaternions(self) -> list[int]:
        """Where quaternions of joints begin in q, of a base that is fixed."""
        places, at = [], 0
        for j in self.robot.moving:
            kind = self.robot.kind(j)
            if kind is not None and kind.quaternion is not None:
                places.append(at + kind.quaternion)
            at += len(self.robot.positions_of(j))
        return places

    def position_rates(self, q: Floats, qd: Floats) -> Floats:
        """dq/dt of joints that are coordinates, of a base that is fixed."""
        rates, at, place = [], 0, 0
        for j in self.robot.moving:
            kind, count = self.robot.kind(j), len(self.robot.positions_of(j))
            speeds = qd[place : place + (1 if kind is None else kind.nv)]
            rates.append(speeds if kind is None else position_rates(kind, q[at : at + count], speeds))
            at, place = at + count, place + len(speeds)
        return np.concatenate(rates)

    def followed(self, x: dict[int, Any]) -> dict[int, Any]:
        """With dependent joints where they have to be."""
        for _ in self.mechanism.followers:  # a joint may follow one that follows
            for j, master, ratio, offset in self.mechanism.followers:
                x[j] = ratio * x[master] + offset
        return x

    def closed(self, x: dict[int, Any], poses: Mapping[int, Floats], held: list[int]) -> dict[int, Any]:
        """The joints that are not held moved until all loops are closed."""
        mechanism = self.mechanism
        if not mechanism.closures:
            return x
        single = [j for j in mechanism.joints if len(mechanism.columns[j]) == 1]
        free = [mechanism.columns[j][0] for j in single if mechanism.columns[j][0] not in held]
        for _ in range(60):
            moment = self.moment(State(x, poses, np.zeros(mechanism.n)))
            miss = np.concatenate([np.zeros(len(mechanism.followers)), mechanism.misses(moment)])
            if np.abs(miss).max() < CLOSED:
                return x
            step = np.linalg.lstsq(mechanism.ties(moment)[0][:, free], -miss, rcond=RANK)[0]
            step *= min(1.0, 0.3 / max(float(np.abs(step).max()), 1e-300))
            moved = dict(zip(free, step, strict=True))
            x = {j: value + float(moved.get(mechanism.columns[j][0], 0.0)) for j, value in x.items()}
        raise RobosymError("the loops could not be closed in floats at a random position")

    # --- motion ------------------------------------------------------------------------------------------------------

    def motion(self, q: Floats, qd: Floats, guess: Mapping[int, float] | None = None) -> Motion:
        """The robot at q, qd."""
        x, poses = self.positions(q, guess)
        mechanism = self.mechanism
        still = State(x, poses, np.zeros(mechanism.n))
        whole = self.projection(mechanism.ties(self.moment(still))[0], [*mechanism.carried, *mechanism.driven])
        base, G = np.hsplit(whole, [len(mechanism.carried)])
        v = G @ qd + base @ mechanism.base_twist[: base.shape[1]]
        return Motion(self, State(x, poses, v), still, G)

    def projection(self, C: Floats, held: list[int]) -> Floats:
        """G of v = G qd: the rates of all joints from those of some."""
        n = self.mechanism.n
        others = [k for k in range(n) if k not in held]
        G = np.zeros((n, len(held)))
        G[held] = np.eye(len(held))
        G[others] = -np.linalg.pinv(C[:, others], rcond=RANK) @ C[:, held]
        return G

    def accelerations(self, moment: Moment, held: list[int], rates: Floats) -> Floats:
        """The accelerations of all joints from those of some."""
        C, g = self.mechanism.ties(moment)
        others = [k for k in range(self.mechanism.n) if k not in held]
        a = np.zeros(self.mechanism.n)
        a[held] = rates
        a[others] = -np.linalg.pinv(C[:, others], rcond=RANK) @ (C[:, held] @ a[held] + g)
        return a


@dataclass(frozen=True)
class Motion:
    """A robot at q and qd, in its own coordinates; accelerations are arguments."""

    reference: Reference
    state: State
    still: State
    G: Floats

    @cached_property
    def moment(self) -> Moment:
        return self.reference.moment(self.state)

    @cached_property
    def at_rest(self) -> Moment:
        return self.reference.moment(self.still)

    @property
    def nv(self) -> int:
        return int(self.G.shape[1])

    def accelerations(self, qdd: Floats) -> Floats:
        """Of all joints."""
        mechanism = self.reference.mechanism
        rates = [*mechanism.base_rate, *qdd] if mechanism.base_moves else qdd
        return self.reference.accelerations(self.moment, [*mechanism.carried, *mechanism.driven], np.asarray(rates))

    # --- frames ------------------------------------------------------------------------------------------------------

    def jacobian(self, j: int) -> Floats:
        """6 x nv, in the axes of the world."""
        return np.asarray(self.moment.jacobian(j) @ self.G)

    def twist(self, j: int) -> Floats:
        """Of frame j, with what a base that moves as described adds."""
        return np.asarray(self.moment.jacobian(j) @ self.state.v)

    def acceleration(self, j: int, qdd: Floats) -> Floats:
        """Of frame j, as an observer sees it."""
        return np.asarray(self.moment.jacobian(j) @ self.accelerations(qdd) + self.moment.drift(j))

    # --- dynamics ----------------------------------------------------------------------------------------------------

    def torques(self, qdd: Floats) -> Floats:
        """With rotors and springs."""
        forces = self.reference.mechanism.forces(self.moment, self.state, self.accelerations(qdd))
        return np.asarray(self.G.T @ forces)

    def gravity(self) -> Floats:
        """At rest, without springs."""
        return np.asarray(self.G.T @ self.at_rest.torques(np.zeros(self.reference.mechanism.n)))

    @cached_property
    def _inertia_of_tree(self) -> Floats:
        """Of all joints, column by column from torques at rest."""
        mechanism, n = self.reference.mechanism, self.reference.mechanism.n
        columns = [self.at_rest.torques(unit, gravity=False) for unit in np.eye(n)]
        return np.array(columns).T + np.diag(mechanism.armature)

    @cached_property
    def inertia(self) -> Floats:
        """G^T M G."""
        return np.asarray(self.G.T @ self._inertia_of_tree @ self.G)

    def forward(self, tau: Floats) -> Floats:
        """qdd."""
        return np.linalg.solve(self.inertia, tau - self.torques(np.zeros(self.nv)))

    def energies(self) -> Floats:
        """Kinetic, and potential with springs."""
        v = self.state.v
        springs = self.reference.mechanism.spring_energy(self.state)
        return np.array([v @ self._inertia_of_tree @ v / 2, self.moment.potential() + springs])
