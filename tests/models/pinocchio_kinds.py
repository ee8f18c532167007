"""Pinocchio's model of a tree with joints of all kinds, in the coordinates of Robosym."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from models.pinocchio_states import _branch_by_branch, _inertia, pin
from models.reference import dh_matrix, numbers
from random_joint_kinds import random_state

from robosym.robot import FIXED, PRISMATIC, REVOLUTE, Robot
from robosym.robot.joints import Screw

Place = tuple[Any, Any]  # a joint model, and its placement after the joint before it


def joint_models(robot: Robot, j: int) -> list[Place]:
    """The joint of frame j as joint models of Pinocchio, one after the other."""
    frame = robot.frame(j)
    here = pin.SE3.Identity()
    kind = frame.joint.kind
    if kind is None:
        return [(pin.JointModelPZ() if frame.sigma == PRISMATIC else pin.JointModelRZ(), here)]
    if isinstance(kind, Screw):
        lead = numbers(robot, [kind.pitch])[0] / (2 * np.pi)
        return [(pin.JointModelHelicalUnaligned(np.array([0.0, 0.0, 1.0]), lead), here)]
    aside = pin.SE3(pin.utils.rotate("x", np.pi / 2), np.zeros(3))
    return {
        "ball": [(pin.JointModelSpherical(), here)],
        "floating": [(pin.JointModelFreeFlyer(), here)],
        "cylindrical": [(pin.JointModelRZ(), here), (pin.JointModelPZ(), here)],
        "universal": [(pin.JointModelRZ(), here), (pin.JointModelRZ(), aside)],
        "planar": [(pin.JointModelPX(), here), (pin.JointModelPY(), here), (pin.JointModelRZ(), here)],
    }[kind.name]


class KindTwin:
    """Pinocchio's model; ``q_places`` and ``v_places`` are the entries of its q and v in the order of Robosym's."""

    def __init__(self, robot: Robot) -> None:
        self.robot, self.model = robot, pin.Model()
        self.home = {0: (0, pin.SE3(np.array(numbers(robot, robot.base.location)).reshape(4, 4)))}
        joints: dict[int, list[int]] = {}
        if robot.base.floating:
            free = self.model.addJoint(0, pin.JointModelFreeFlyer(), self.home[0][1], "base")
            self.home[0], joints[0] = (free, pin.SE3.Identity()), [free]
            self.model.appendBodyToJoint(free, _inertia(robot, robot.base.link), pin.SE3.Identity())
        for j in _branch_by_branch(robot):
            joints[j] = self._add(j)
        order = [i for j in ((0, *robot.moving) if robot.base.floating else robot.moving) for i in joints[j]]
        models = [self.model.joints[i] for i in order]
        self.q_places = [k for one in models for k in range(one.idx_q, one.idx_q + one.nq)]
        self.v_places = [k for one in models for k in range(one.idx_v, one.idx_v + one.nv)]
        for j in robot.moving:
            if robot.frame(j).sigma in (REVOLUTE, PRISMATIC):
                self.model.armature[self.model.joints[joints[j][0]].idx_v] = numbers(
                    robot, [robot.frame(j).actuator.Ia]
                )[0]
        turn = np.array(numbers(robot, robot.base.location)).reshape(4, 4)[:3, :3]
        self.model.gravity = pin.Motion(turn @ numbers(robot, robot.gravity), np.zeros(3))
        self.data = self.model.createData()

    def _add(self, j: int) -> list[int]:
        robot, frame = self.robot, self.robot.frame(j)
        carrier, place = self.home[frame.antecedent]
        place = place * pin.SE3(dh_matrix(*numbers(robot, frame.geometry)))
        added = []
        for model, before in joint_models(robot, j) if frame.sigma != FIXED else ():
            carrier = self.model.addJoint(carrier, model, place * before, f"joint{j}-{len(added)}")
            added.append(carrier)
            place = pin.SE3.Identity()
        self.home[j] = (carrier, place)
        self.model.appendBodyToJoint(carrier, _inertia(robot, frame.link), place)
        return added

    # --- states ------------------------------------------------------------------------------------------------------

    def _q(self, q: np.ndarray) -> np.ndarray:
        positions = np.zeros(self.model.nq)
        positions[self.q_places] = q
        return positions

    def _v(self, v: np.ndarray) -> np.ndarray:
        rates = np.zeros(self.model.nv)
        rates[self.v_places] = v
        return rates

    def _matrix(self, matrix: np.ndarray) -> np.ndarray:
        return np.array(matrix).reshape(self.model.nv, self.model.nv)[np.ix_(self.v_places, self.v_places)]

    def moved(self, q: np.ndarray, direction: np.ndarray) -> np.ndarray:
        """q after a small motion along the tangent."""
        return np.asarray(pin.integrate(self.model, self._q(q), self._v(direction))[self.q_places])

    # --- models ------------------------------------------------------------------------------------------------------

    def rnea(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        torques = pin.rnea(self.model, self.data, self._q(q), self._v(qd), self._v(qdd))
        return np.asarray(torques[self.v_places])

    def crba(self, q: np.ndarray) -> np.ndarray:
        half = np.triu(np.array(pin.crba(self.model, self.data, self._q(q))))
        return self._matrix(half + np.triu(half, 1).T)

    def aba(self, q: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> np.ndarray:
        return np.linalg.solve(self.crba(q), tau - self.rnea(q, qd, np.zeros(self.robot.nv)))

    def gravity(self, q: np.ndarray) -> np.ndarray:
        return np.asarray(pin.computeGeneralizedGravity(self.model, self.data, self._q(q))[self.v_places])

    def pose(self, q: np.ndarray, j: int) -> np.ndarray:
        pin.forwardKinematics(self.model, self.data, self._q(q))
        carrier, place = self.home[j]
        return np.array((self.data.oMi[carrier] * place).homogeneous)

    def jacobian(self, q: np.ndarray, j: int) -> np.ndarray:
        """In the axes of frame j."""
        carrier, place = self.home[j]
        pin.computeJointJacobians(self.model, self.data, self._q(q))
        matrix = np.reshape(pin.getJointJacobian(self.model, self.data, carrier, pin.LOCAL), (6, -1))
        return np.asarray((place.inverse().action @ matrix)[:, self.v_places])

    def acceleration(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, j: int) -> np.ndarray:
        """Spatial, in the axes of frame j."""
        pin.forwardKinematics(self.model, self.data, self._q(q), self._v(qd), self._v(qdd))
        carrier, place = self.home[j]
        return np.asarray(place.inverse().act(self.data.a[carrier]).vector)

    def energies(self, q: np.ndarray, qd: np.ndarray) -> tuple[float, float]:
        """Kinetic, rotors included, and potential energy."""
        return float(qd @ self.crba(q) @ qd / 2), float(pin.computePotentialEnergy(self.model, self.data, self._q(q)))

    def momentum(self, q: np.ndarray) -> np.ndarray:
        return np.array(pin.computeCentroidalMap(self.model, self.data, self._q(q))).reshape(6, -1)[:, self.v_places]

    def inverse_derivatives(self, state: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        q, qd, qdd = self._q(state["q"]), self._v(state["qd"]), self._v(state["qdd"])
        by = pin.computeRNEADerivatives(self.model, self.data, q, qd, qdd)
        return {name: self._matrix(x) for name, x in zip(("dtau_dq", "dtau_dqd"), by[:2], strict=True)}

    def forward_derivatives(self, state: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """dqdd/dx = -A^-1 dtau/dx at the accelerations of the state."""
        inverse = np.linalg.inv(self.crba(state["q"]))
        qdd = self.aba(state["q"], state["qd"], state["tau"])
        by = self.inverse_derivatives({**state, "qdd": qdd})
        return {
            "dqdd_dq": -inverse @ by["dtau_dq"],
            "dqdd_dqd": -inverse @ by["dtau_dqd"],
            "dqdd_dtau": inverse,
        }

    def regressor_rank(self, rng: np.random.Generator, states: int) -> int:
        """The rank of the torque regressor of all links, over random states; joints between two axes have none."""
        links = sorted({carrier for carrier, _ in self.home.values() if carrier})
        columns = [10 * (joint - 1) + k for joint in links for k in range(10)]
        rows = []
        for _ in range(states):
            s = random_state(self.robot, rng)
            given = (self._q(s["q"]), self._v(s["qd"] * 2), self._v(s["qdd"] * 4))
            W = np.reshape(pin.computeJointTorqueRegressor(self.model, self.data, *given), (self.model.nv, -1))
            rows.append(W[:, columns])
        W = np.vstack(rows)
        sizes = np.linalg.norm(W, axis=0)
        W = W[:, sizes > 1e-9 * sizes.max()] / sizes[sizes > 1e-9 * sizes.max()]
        values = np.linalg.svd(W, compute_uv=False)
        rank = int((values > 1e-8 * values[0]).sum())
        assert rank == len(values) or values[rank] < 1e-3 * values[rank - 1], "no gap in the singular values"
        return rank
