"""Pinocchio's model of a robot, and states carried between the two: joints matched by name, dependent ones projected.

``Twin.of_urdf`` lets Pinocchio read the file itself. ``Twin.of_robot`` builds its model joint by joint from the numbers
of a ``Robot``, so that a random tree needs no file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from models.reference import dh_matrix, frame_poses, numbers

from robosym.robot import FIXED, PRISMATIC, Link, Robot

pin = pytest.importorskip("pinocchio")


@dataclass(frozen=True)
class Twin:
    """Pinocchio's model with every joint free, and the robot's coordinates in it.

    A dependent joint is q_j = ratio q_m + offset, so velocities are ``spread @ qd`` and torques ``spread.T @ tau``.
    """

    robot: Robot
    model: Any
    data: Any
    joints: Mapping[int, int]  # moving frame -> Pinocchio's joint

    # --- the two ways to a model -------------------------------------------------------------------------------------

    @classmethod
    def of_urdf(cls, path: Path, robot: Robot) -> Twin:
        free = (pin.JointModelFreeFlyer(),) if robot.base.floating else ()
        model = pin.buildModelFromUrdf(str(path), *free)
        joints = {j: model.getJointId(robot.frame(j).joint.name) for j in _moving(robot)}
        assert sorted(joints.values()) == list(range(1 + len(free), model.njoints))
        return cls(robot, model, model.createData(), joints)._completed()

    @classmethod
    def of_robot(cls, robot: Robot) -> Twin:
        """Placements at q = 0 from equation (1b); a fixed link is appended to the joint that carries it."""
        model = pin.Model()
        home = {0: (0, pin.SE3(np.array(numbers(robot, robot.base.location)).reshape(4, 4)))}  # -> joint, place in it
        if robot.base.floating:
            home[0] = (model.addJoint(0, pin.JointModelFreeFlyer(), home[0][1], "free"), pin.SE3.Identity())
            model.appendBodyToJoint(home[0][0], _inertia(robot, robot.base.link), pin.SE3.Identity())
        for j in _branch_by_branch(robot):  # Pinocchio's crba needs the joints of a subtree in a row
            frame = robot.frame(j)
            carrier, place = home[frame.antecedent]
            place = place * pin.SE3(dh_matrix(*numbers(robot, frame.geometry)))
            if frame.sigma != FIXED:
                kind = pin.JointModelPZ() if frame.sigma == PRISMATIC else pin.JointModelRZ()
                carrier, place = model.addJoint(carrier, kind, place, f"joint{j}"), pin.SE3.Identity()
            home[j] = (carrier, place)
            model.appendBodyToJoint(carrier, _inertia(robot, frame.link), place)
            model.addFrame(pin.Frame(frame.name, carrier, place, pin.FrameType.OP_FRAME))
        joints = {j: home[j][0] for j in _moving(robot)}
        return cls(robot, model, model.createData(), joints)._completed()

    def _completed(self) -> Twin:
        """The robot's gravity and rotor inertias."""
        turn = np.array(numbers(self.robot, self.robot.base.location)).reshape(4, 4)[:3, :3]  # ours is in frame 0
        self.model.gravity = pin.Motion(turn @ numbers(self.robot, self.robot.gravity), np.zeros(3))
        for j, joint in self.joints.items():
            self.model.armature[self._v(joint)] = numbers(self.robot, [self.robot.frame(j).actuator.Ia])[0]
        return self

    # --- states ------------------------------------------------------------------------------------------------------

    def _v(self, joint: int) -> int:
        return int(self.model.joints[joint].idx_v)

    def frame_id(self, j: int) -> int:
        """Pinocchio's frame for our frame j, by its name."""
        name = self.robot.frame(j).name
        found = [k for k, frame in enumerate(self.model.frames) if frame.name == name and frame.type != pin.JOINT]
        assert len(found) == 1, (name, found)
        return found[0]

    @property
    def spread(self) -> np.ndarray:
        """d (all joint speeds) / d qd."""
        matrix = np.zeros((self.model.nv, self.robot.nv))
        free = self.robot.nv - len(self.robot.moving)
        matrix[:free, :free] = np.eye(free)
        for j, joint in self.joints.items():
            master, ratio, _ = self._master(j)
            matrix[self._v(joint), free + self.robot.moving.index(master)] = ratio
        return matrix

    def _master(self, j: int) -> tuple[int, float, float]:
        """The independent joint a joint follows: q_j = ratio q + offset."""
        ratio, offset = 1.0, 0.0
        while (mimic := self.robot.frame(j).joint.mimic) is not None:
            k, shift = numbers(self.robot, [mimic.ratio, mimic.offset])
            offset, ratio, j = offset + ratio * shift, ratio * k, mimic.frame
        return j, ratio, offset

    def configuration(self, q: np.ndarray) -> np.ndarray:
        """Pinocchio's q: a continuous joint is a unit circle there."""
        found = pin.neutral(self.model)
        free = self.robot.nq - len(self.robot.moving)
        found[:free] = q[:free]
        for j, joint in self.joints.items():
            master, ratio, offset = self._master(j)
            position = ratio * q[free + self.robot.moving.index(master)] + offset
            place = self.model.joints[joint]
            if place.nq == 2:
                found[place.idx_q : place.idx_q + 2] = np.cos(position), np.sin(position)
            else:
                found[place.idx_q] = position
        return found

    def forces(self, q: np.ndarray, wrenches: Mapping[int, np.ndarray]) -> Any:
        """``fext``: what the environment does to each body, in Pinocchio's joint frame; ours is by link j."""
        pin.forwardKinematics(self.model, self.data, self.configuration(q))
        base = np.array(numbers(self.robot, self.robot.base.location)).reshape(4, 4)
        if self.robot.base.floating:
            base = base @ pin.XYZQUATToSE3(q[:7]).homogeneous
        poses = {j: base @ pose for j, pose in frame_poses(self.robot, q).items()}
        found = [pin.Force.Zero() for _ in range(self.model.njoints)]
        for j, wrench in wrenches.items():
            place = self.data.oMi[self.joints[j]].inverse() * pin.SE3(poses[j])
            found[self.joints[j]] += place.act(pin.Force(-np.asarray(wrench)))
        return found

    # --- dynamics, in the robot's independent joints -----------------------------------------------------------------

    def rnea(
        self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, wrenches: Mapping[int, np.ndarray] | None = None
    ) -> np.ndarray:
        """Torques, rotor inertias included."""
        spread = self.spread
        state = (self.configuration(q), spread @ qd, spread @ qdd)
        if wrenches:
            state = (*state, self.forces(q, wrenches))
        return spread.T @ pin.rnea(self.model, self.data, *state)

    def crba(self, q: np.ndarray) -> np.ndarray:
        """The inertia matrix, rotor inertias included."""
        half = np.triu(pin.crba(self.model, self.data, self.configuration(q)))
        return self.spread.T @ (half + np.triu(half, 1).T) @ self.spread

    def bias(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Coriolis, centrifugal and gravity torques."""
        return self.spread.T @ pin.nonLinearEffects(self.model, self.data, self.configuration(q), self.spread @ qd)

    def gravity(self, q: np.ndarray) -> np.ndarray:
        return self.spread.T @ pin.computeGeneralizedGravity(self.model, self.data, self.configuration(q))

    def aba(self, q: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> np.ndarray:
        """Accelerations of a robot without dependent joints."""
        spread = self.spread
        assert spread.shape[0] == spread.shape[1], "Pinocchio's aba knows free joints only"
        return spread.T @ pin.aba(self.model, self.data, self.configuration(q), spread @ qd, spread @ tau)

    def kinetic(self, q: np.ndarray, qd: np.ndarray) -> float:
        """With the rotors: 1/2 qd . A qd."""
        return float(qd @ self.crba(q) @ qd / 2)

    def potential(self, q: np.ndarray) -> float:
        """Of the moving bodies; the base's own is a constant."""
        return float(pin.computePotentialEnergy(self.model, self.data, self.configuration(q)))


def _moving(robot: Robot) -> list[int]:
    return [j for j in robot.order if robot.frame(j).sigma != FIXED]


def _inertia(robot: Robot, link: Link) -> Any:
    XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = numbers(robot, link.inertial)
    if M == 0:
        assert not any((MX, MY, MZ)), "Pinocchio has no first moments without a mass"
        return pin.Inertia(0.0, np.zeros(3), np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]]))
    return pin.Inertia.FromDynamicParameters(np.array([M, MX, MY, MZ, XX, XY, YY, XZ, YZ, ZZ]))


def _branch_by_branch(robot: Robot) -> list[int]:
    order: list[int] = []
    waiting = [0]
    while waiting:
        j = waiting.pop()
        order += [j] if j else []
        waiting += [k for k, frame in enumerate(robot.frames, 1) if frame.antecedent == j]
    return order
