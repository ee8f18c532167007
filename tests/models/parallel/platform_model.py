"""Pinocchio's model of a robot whose platform stands on legs: branches of joints, a free body, and the closures of the legs.

The coordinates here are not Pinocchio's. A motion is u = (twist, speeds): the velocity of the platform's origin and its angular
velocity in world axes, then the speed of every joint in the order of ``joints``. Its rate is (twist_rate, accelerations) with
the classical acceleration of the origin. Pinocchio's free-flyer has both in body axes, and its acceleration is spatial:
classical - w x v. ``Mechanism.turned`` and ``Mechanism.spatial`` are the only places that know this.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from models.pinocchio_states import _branch_by_branch, _inertia, pin
from models.reference import dh_matrix, numbers

from robosym.caches import Kept
from robosym.robot import FIXED, FREE, PRISMATIC, Friction, Motor, Robot
from robosym.robot.parts import RIGID, SPHERICAL

_MECHANISMS: Kept[Mechanism] = Kept()
WORLD = pin.LOCAL_WORLD_ALIGNED


@dataclass(frozen=True)
class Mechanism:
    """A robot with one platform, all of whose symbols have values."""

    robot: Robot

    @classmethod
    def of(cls, robot: Robot) -> Mechanism:
        """The mechanism of a robot, built once."""
        return _MECHANISMS.of(robot, (), lambda: cls(robot))

    def __post_init__(self) -> None:
        """What the equations here leave out must not be there, rather than be left out in silence."""
        robot = self.robot
        assert len(robot.platforms) == 1, "one platform"
        assert not robot.loops
        assert not robot.couplings
        assert not robot.base.floating
        base = robot.base
        moved = (*base.angular_velocity, *base.angular_acceleration, *base.velocity, *base.acceleration)
        assert not any(numbers(robot, moved)), "the base stands still"
        platform = robot.frame(robot.platforms[0].frame)
        assert platform.sigma == FREE
        assert platform.antecedent == 0
        assert not any(numbers(robot, platform.geometry)), "the platform's place is its pose"
        for frame in robot.frames:
            assert frame.joint.mimic is None, "no dependent joints"
            assert frame.joint.spring is None
            assert frame.actuator.friction == Friction(), "Fv qd + Fs sign(qd) only"
            assert frame.actuator.motor == Motor(), "rotors as Ia only"
            assert not any(numbers(robot, frame.link.wrench)), "wrenches are arguments"

    # --- joints ------------------------------------------------------------------------------------------------------

    @cached_property
    def joints(self) -> tuple[int, ...]:
        """The frames of all joints but the free one, legs and what the platform carries, in the order of ``robot.order``."""
        return tuple(j for j in self.robot.order if self.robot.frame(j).sigma not in (FIXED, FREE))

    @cached_property
    def platform(self) -> int:
        return self.robot.platforms[0].frame

    @cached_property
    def motors(self) -> list[int]:
        """Where the driven joints are in ``joints``, in the order of q."""
        return [self.joints.index(j) for j in self.robot.moving]

    @cached_property
    def carried(self) -> list[int]:
        """Where the joints that stand on the platform are in ``joints``: no closure says where they go."""
        return [k for k, j in enumerate(self.joints) if self.platform in self.robot.path(j)]

    @cached_property
    def described(self) -> np.ndarray:
        """Positions of all joints in the description; zero where it says nothing."""
        return np.array([self.robot.frame(j).joint.position or 0.0 for j in self.joints])

    @property
    def size(self) -> int:
        """Of u."""
        return 6 + len(self.joints)

    def actuator(self, name: str) -> np.ndarray:
        return np.array(numbers(self.robot, [getattr(self.robot.frame(j).actuator, name) for j in self.joints]))

    # --- Pinocchio's model -------------------------------------------------------------------------------------------

    @cached_property
    def _built(self) -> tuple[Any, Any, dict[int, int], dict[int, int]]:
        """Model, data, Pinocchio's joint of every moving frame, and its frame of every frame."""
        robot, model = self.robot, pin.Model()
        Z = np.array(numbers(robot, robot.base.location)).reshape(4, 4)
        home = {0: (0, pin.SE3(Z))}
        joints, frames = {}, {}
        for j in _branch_by_branch(robot):  # Pinocchio's crba needs the joints of a subtree in a row
            frame = robot.frame(j)
            carrier, place = home[frame.antecedent]
            place = place * pin.SE3(dh_matrix(*numbers(robot, frame.geometry)))
            if frame.sigma != FIXED:
                if frame.sigma == FREE:  # on the world, not on the base: its coordinates are the pose as users give it
                    carrier, place, kind = 0, pin.SE3.Identity(), pin.JointModelFreeFlyer()
                else:
                    kind = pin.JointModelPZ() if frame.sigma == PRISMATIC else pin.JointModelRZ()
                carrier, place = model.addJoint(carrier, kind, place, f"joint{j}"), pin.SE3.Identity()
                joints[j] = carrier
            home[j] = (carrier, place)
            model.appendBodyToJoint(carrier, _inertia(robot, frame.link), place)
            frames[j] = model.addFrame(pin.Frame(f"frame{j}", carrier, place, pin.FrameType.OP_FRAME))
        model.gravity = pin.Motion(Z[:3, :3] @ numbers(robot, robot.gravity), np.zeros(3))
        for j in self.joints:
            model.armature[model.joints[joints[j]].idx_v] = numbers(robot, [robot.frame(j).actuator.Ia])[0]
        data = model.createData()
        assert model.check(data)
        return model, data, joints, frames

    @property
    def model(self) -> Any:
        return self._built[0]

    @property
    def data(self) -> Any:
        return self._built[1]

    @property
    def frame_ids(self) -> dict[int, int]:
        return self._built[3]

    @cached_property
    def _places(self) -> np.ndarray:
        """Pinocchio's places of the entries of u."""
        joints = self._built[2]
        free = self.model.joints[joints[self.platform]].idx_v
        own = [self.model.joints[joints[j]].idx_v for j in self.joints]
        return np.array([*range(free, free + 6), *own])

    # --- between the coordinates -------------------------------------------------------------------------------------

    def configuration(self, pose: np.ndarray, legs: np.ndarray) -> np.ndarray:
        """Pinocchio's q. The pose is x y z qx qy qz qw."""
        joints = self._built[2]
        found = pin.neutral(self.model)
        at = self.model.joints[joints[self.platform]].idx_q
        found[at : at + 3] = pose[:3]
        found[at + 3 : at + 7] = np.asarray(pose[3:]) / np.linalg.norm(pose[3:])
        for j, position in zip(self.joints, legs, strict=True):
            found[self.model.joints[joints[j]].idx_q] = position
        return found

    def turned(self, pose: np.ndarray) -> np.ndarray:
        """P of v = P u, v being Pinocchio's velocity."""
        R = rotation(pose)
        inward = np.eye(self.size)
        inward[:3, :3] = inward[3:6, 3:6] = R.T
        found = np.zeros((self.size, self.size))
        found[self._places] = inward
        return found

    def spatial(self, pose: np.ndarray, u: np.ndarray) -> np.ndarray:
        """c of a = P ud + c, a being Pinocchio's acceleration: -R'(w x v)."""
        found = np.zeros(self.size)
        found[self._places[:3]] = -rotation(pose).T @ np.cross(u[3:6], u[:3])
        return found

    # --- closures ----------------------------------------------------------------------------------------------------

    def misses(self, pose: np.ndarray, legs: np.ndarray) -> np.ndarray:
        """From the end of each leg to its seat: the way and, of a rigid seat, the turn, both in world axes."""
        pin.framesForwardKinematics(self.model, self.data, self.configuration(pose, legs))
        found = []
        for leg in self.robot.platforms[0].legs:
            end, seat = (self.data.oMf[self.frame_ids[j]] for j in (leg.end, leg.seat))
            found.append(seat.translation - end.translation)
            if leg.joint == RIGID:
                found.append(end.rotation @ pin.log3(end.rotation.T @ seat.rotation))
        return np.concatenate(found)

    def closures(
        self, pose: np.ndarray, legs: np.ndarray, u: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """J and g of J ud + g = 0, three rows of a spherical seat and six of a rigid one: end minus seat, world axes."""
        model, data, P = self.model, self.data, self.turned(pose)
        u = np.zeros(self.size) if u is None else u
        q = self.configuration(pose, legs)
        pin.computeJointJacobians(model, data, q)
        pin.forwardKinematics(model, data, q, P @ u, self.spatial(pose, u))
        pin.updateFramePlacements(model, data)
        J, g = [], []
        for leg in self.robot.platforms[0].legs:
            assert leg.joint in (SPHERICAL, RIGID)
            rows = 3 if leg.joint == SPHERICAL else 6
            end, seat = (self.frame_ids[j] for j in (leg.end, leg.seat))
            at = [pin.getFrameJacobian(model, data, k, WORLD)[:rows] for k in (end, seat)]
            J.append((at[0] - at[1]) @ P)
            rate = [pin.getFrameClassicalAcceleration(model, data, k, WORLD).vector[:rows] for k in (end, seat)]
            g.append(rate[0] - rate[1])
        return np.vstack(J), np.concatenate(g)

    # --- dynamics of the open tree, in u -----------------------------------------------------------------------------

    def inertia(self, pose: np.ndarray, legs: np.ndarray) -> np.ndarray:
        """M, with the rotors."""
        P = self.turned(pose)
        half = np.triu(pin.crba(self.model, self.data, self.configuration(pose, legs)))
        return P.T @ (half + np.triu(half, 1).T) @ P

    def forces(self, pose: np.ndarray, legs: np.ndarray, u: np.ndarray, ud: np.ndarray) -> np.ndarray:
        """M ud + h: what must act on the platform (force and moment, world axes) and in the joints."""
        P = self.turned(pose)
        a = P @ ud + self.spatial(pose, u)
        return P.T @ pin.rnea(self.model, self.data, self.configuration(pose, legs), P @ u, a)

    def potential(self, pose: np.ndarray, legs: np.ndarray) -> float:
        """Energy of all links in the field of gravity; that of a mass in the world's origin is zero."""
        return float(pin.computePotentialEnergy(self.model, self.data, self.configuration(pose, legs)))

    def friction(self, u: np.ndarray) -> np.ndarray:
        """Fv qd + Fs sign(qd) of every joint, driven or not."""
        speeds = u[6:]
        return np.concatenate([np.zeros(6), self.actuator("Fv") * speeds + self.actuator("Fs") * np.sign(speeds)])


def rotation(pose: np.ndarray) -> np.ndarray:
    """R of a pose x y z qx qy qz qw."""
    x, y, z, w = np.asarray(pose[3:], dtype=float) / np.linalg.norm(pose[3:])
    return np.array(pin.Quaternion(w, x, y, z).toRotationMatrix())


def pose_of(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """x y z qx qy qz qw."""
    return np.array(pin.SE3ToXYZQUAT(pin.SE3(np.asarray(R), np.asarray(p, dtype=float))))


def moved(pose: np.ndarray, step: np.ndarray) -> np.ndarray:
    """A pose carried on by a twist: p + v, exp(w) R."""
    return pose_of(pin.exp3(np.asarray(step[3:6])) @ rotation(pose), np.asarray(pose[:3]) + step[:3])
