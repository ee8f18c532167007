"""Closed loops by Lagrange multipliers on Pinocchio's tree: nothing is solved for, reduced or projected in symbols.

All joints are in the tree, the cut ones too, and each loop adds six equations: the two frames of its cut joint move as one.
Positions of all joints are given (a closed form says where they are, Pinocchio whether the loop is closed there); velocities,
accelerations and forces follow here by linear algebra.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from models.pinocchio_states import Twin, pin
from models.reference import dh_matrix, numbers

from robosym.models.loops.structure import loops_of
from robosym.robot import PRISMATIC, Robot

RANK = 1e-10
OFF_CENTRE = 0.7  # where on the axis of a cut joint a point is held


@dataclass(frozen=True)
class Closed:
    """A robot with loops. Arrays of all joints are in the order of ``frames``, those of driven ones in that of q."""

    robot: Robot

    # --- the tree ----------------------------------------------------------------------------------------------------

    @cached_property
    def tree(self) -> Robot:
        """All frames, with the loops open."""
        return self.robot.replace(loops=0)

    @cached_property
    def twin(self) -> Twin:
        return Twin.of_robot(self.tree)

    @property
    def frames(self) -> tuple[int, ...]:
        return self.tree.moving

    @property
    def driven(self) -> list[int]:
        return [self.frames.index(j) for j in self.robot.moving]

    @property
    def passive(self) -> list[int]:
        return [k for k in range(len(self.frames)) if k not in self.driven]

    def _numbers(self, name: str) -> np.ndarray:
        return np.array(numbers(self.robot, [getattr(self.robot.frame(j).actuator, name) for j in self.frames]))

    # --- the loops ---------------------------------------------------------------------------------------------------

    def residual(self, x: np.ndarray) -> float:
        """By how much the two frames of cut joints are apart: the largest entry of their matrices' difference."""
        model, data = self.twin.model, self.twin.data
        pin.framesForwardKinematics(model, data, self.twin.configuration(x))
        pairs = [(self.twin.frame_id(a), self.twin.frame_id(b)) for a, b in self.cuts]
        return max(float(np.abs(data.oMf[a].homogeneous - data.oMf[b].homogeneous).max()) for a, b in pairs)

    def residuals(self, X: np.ndarray) -> np.ndarray:
        """The same of many positions at once, by multiplying matrices; lengths over the size of the robot."""
        places = {0: np.broadcast_to(np.eye(4), (len(X), 4, 4))}
        size = 1.0
        for j in self.robot.order:
            frame = self.robot.frame(j)
            entries = [np.full(len(X), x) for x in numbers(self.robot, frame.geometry)]
            size += sum(abs(float(entries[k][0])) for k in (1, 3, 5))
            if j in self.frames:
                entries[5 if frame.sigma == PRISMATIC else 4] += X[:, self.frames.index(j)]
            places[j] = places[frame.antecedent] @ _dh_matrices(*entries)
        return np.max([np.abs(places[a] - places[b]).max(axis=(1, 2)) for a, b in self.cuts], axis=0) / size

    @cached_property
    def cuts(self) -> list[tuple[int, int]]:
        return [(loop.cut, loop.twin) for loop in loops_of(self.robot)]

    def constraints(self, x: np.ndarray, xd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """J and g of J xdd + g = 0, six rows a loop, in the axes of the cut joint."""
        model, data, spread = self.twin.model, self.twin.data, self.twin.spread
        q, v = self.twin.configuration(x), spread @ xd
        pin.computeJointJacobians(model, data, q)
        pin.forwardKinematics(model, data, q, v, np.zeros(model.nv))
        pin.updateFramePlacements(model, data)
        J, g = [], []
        for a, b in ((self.twin.frame_id(a), self.twin.frame_id(b)) for a, b in self.cuts):
            one, other = (pin.getFrameJacobian(model, data, k, pin.LOCAL) for k in (a, b))
            J.append((other - one) @ spread)
            # Both frames have one velocity, so that what spatial accelerations lack is the same for both.
            one, other = (pin.getFrameAcceleration(model, data, k, pin.LOCAL).vector for k in (a, b))
            g.append(other - one)
        return np.vstack(J), np.concatenate(g)

    def speeds(self, x: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Of all joints."""
        return self.projection(x) @ qd

    def projection(self, x: np.ndarray) -> np.ndarray:
        """G."""
        J, _ = self.constraints(x, np.zeros(len(self.frames)))
        G = np.zeros((len(self.frames), len(self.driven)))
        G[self.driven] = np.eye(len(self.driven))
        G[self.passive] = -np.linalg.pinv(J[:, self.passive], rcond=RANK) @ J[:, self.driven]
        return G

    def accelerations(self, x: np.ndarray, xd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        J, g = self.constraints(x, xd)
        found = np.zeros(len(self.frames))
        found[self.driven] = qdd
        found[self.passive] = -np.linalg.pinv(J[:, self.passive], rcond=RANK) @ (J[:, self.driven] @ qdd + g)
        return found

    # --- dynamics ----------------------------------------------------------------------------------------------------

    def friction(self, xd: np.ndarray) -> np.ndarray:
        return self._numbers("Fv") * xd + self._numbers("Fs") * np.sign(xd)

    def inverse(
        self,
        x: np.ndarray,
        qd: np.ndarray,
        qdd: np.ndarray,
        wrenches: Mapping[int, np.ndarray] | None = None,
        friction: bool = False,
    ) -> np.ndarray:
        """Torques of the motors."""
        xd = self.speeds(x, qd)
        gamma = self.twin.rnea(x, xd, self.accelerations(x, xd, qdd), wrenches or {})
        return self.projection(x).T @ (gamma + (self.friction(xd) if friction else 0))

    def forward(
        self,
        x: np.ndarray,
        qd: np.ndarray,
        tau: np.ndarray,
        wrenches: Mapping[int, np.ndarray] | None = None,
        friction: bool = False,
    ) -> np.ndarray:
        """Accelerations of all joints: [[M, J'], [J, 0]] [xdd, -lambda] = [S tau - h, -g]."""
        n = len(self.frames)
        xd = self.speeds(x, qd)
        M, (J, g) = self.twin.crba(x), self.constraints(x, xd)
        h = self.twin.rnea(x, xd, np.zeros(n), wrenches or {}) + (self.friction(xd) if friction else 0)
        pushed = np.zeros(n)
        pushed[self.driven] = tau
        m = len(g)
        matrix = np.block([[M, J.T], [J, np.zeros((m, m))]])
        found = np.linalg.lstsq(matrix, np.concatenate([pushed - h, -g]), rcond=RANK / 100)[0]
        return found[:n]

    def inertia(self, x: np.ndarray) -> np.ndarray:
        G = self.projection(x)
        return G.T @ self.twin.crba(x) @ G

    def energy(self, x: np.ndarray, qd: np.ndarray) -> tuple[float, float]:
        """Kinetic, with the rotors, and potential."""
        return self.twin.kinetic(x, self.speeds(x, qd)), self.twin.potential(x)

    # --- Pinocchio's own constraints ---------------------------------------------------------------------------------

    def constraint_dynamics(self, x: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> np.ndarray:
        """``pin.constraintDynamics``, with a point of each cut joint's axis held on both links. For loops of which a point is
        enough: planar ones, and spherical ones with a point off their centre. Without what the cut joints themselves do."""
        tree = self.robot.equivalent_tree
        twin = Twin.of_robot(tree)
        model, data = twin.model, twin.data
        rigid = pin.StdVec_RigidConstraintModel()
        for cut, other in self.cuts:
            ends = [self._on_body(twin, j) for j in (cut, other)]
            rigid.append(pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, *ends[0], *ends[1], pin.LOCAL))
        datas = pin.StdVec_RigidConstraintData()
        for one in rigid:
            datas.append(one.createData())
        pin.initConstraintDynamics(model, data, rigid, datas)
        order = [self.frames.index(j) for j in tree.moving]
        pushed = np.zeros(len(self.frames))
        pushed[self.driven] = tau
        q = twin.configuration(x[order])
        v, force = twin.spread @ self.speeds(x, qd)[order], twin.spread @ pushed[order]
        found = pin.constraintDynamics(model, data, q, v, force, rigid, datas, pin.ProximalSettings(1e-14, 1e-8, 5))
        at = [tree.moving.index(j) for j in self.robot.moving]
        return (twin.spread.T @ found)[at]

    def _on_body(self, twin: Twin, j: int) -> tuple[int, Any]:
        """The joint that carries a frame of a cut joint, and a place on the axis in it."""
        assert self.robot.frame(j).sigma != PRISMATIC, "a point is held, which a sliding joint does not"
        place = pin.SE3(np.eye(3), np.array([0.0, 0.0, OFF_CENTRE]))
        while j not in twin.joints and j:
            place = pin.SE3(dh_matrix(*numbers(self.robot, self.robot.frame(j).geometry))) * place
            j = self.robot.frame(j).antecedent
        return (twin.joints[j] if j else 0), place


def _dh_matrices(*entries: np.ndarray) -> np.ndarray:
    """Equation (1b) of SYMORO+ 1997 for each entry: rotations and translations about and along z, x, z."""
    gamma, b, alpha, d, theta, r = entries
    return _screws(gamma, b, 2) @ _screws(alpha, d, 0) @ _screws(theta, r, 2)


def _screws(angle: np.ndarray, way: np.ndarray, axis: int) -> np.ndarray:
    found = np.zeros((len(angle), 4, 4))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    found[:, i, i] = found[:, j, j] = np.cos(angle)
    found[:, j, i] = np.sin(angle)
    found[:, i, j] = -np.sin(angle)
    found[:, axis, axis] = found[:, 3, 3] = 1
    found[:, axis, 3] = way
    return found
