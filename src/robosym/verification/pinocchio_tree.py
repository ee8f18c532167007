"""The same tree in Pinocchio, built joint by joint from the numbers of the robot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from ..errors import RobosymError
from ..robot import FIXED, FREE, PRISMATIC
from ..robot.joints import Ball, Cylindrical, Free, Planar, Screw, Universal
from .floats import place
from .mechanism import Floats, Mechanism, State


def installed() -> bool:
    """Whether Pinocchio is here, and not another package of that name."""
    if find_spec("pinocchio") is None:
        return False
    try:
        return hasattr(import_module("pinocchio"), "rnea")
    except ImportError:
        return False


class PinocchioTree:
    """Pinocchio's model of a mechanism, with a frame for each of ours."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.pin: Any = import_module("pinocchio")
        self.mechanism, robot, pin = mechanism, mechanism.robot, self.pin
        self.model = pin.Model()
        self.joint: dict[int, int] = {}
        self.parts: dict[int, list[int]] = {}  # the joints of joints of several axes
        self.frame: dict[int, int] = {}
        home = {0: (0, pin.SE3(mechanism.root))}
        if 0 in mechanism.columns:
            self.joint[0] = self.model.addJoint(0, pin.JointModelFreeFlyer(), home[0][1], "base")
            home[0] = (self.joint[0], pin.SE3.Identity())
            self.model.appendBodyToJoint(self.joint[0], self._inertia(0), pin.SE3.Identity())
        for j in self._branch_by_branch():
            carrier, at = home[robot.frame(j).antecedent]
            sigma = robot.frame(j).sigma
            if sigma != FREE:
                at = at * pin.SE3(place(mechanism, j))
            if robot.kind(j) is not None:
                for model, before in self._models(j):
                    carrier = self.model.addJoint(carrier, model, at * before, f"joint{j}_{len(self.parts.get(j, ()))}")
                    self.parts.setdefault(j, []).append(carrier)
                    at = pin.SE3.Identity()
            elif sigma != FIXED:
                kind = {FREE: pin.JointModelFreeFlyer, PRISMATIC: pin.JointModelPZ}.get(sigma, pin.JointModelRZ)()
                self.joint[j] = carrier = self.model.addJoint(carrier, kind, at, f"joint{j}")
                at = pin.SE3.Identity()
            home[j] = (carrier, at)
            if j in mechanism.bodies:
                self.model.appendBodyToJoint(carrier, self._inertia(j), at)
        for j, (carrier, at) in home.items():
            self.frame[j] = self.model.addFrame(pin.Frame(f"frame{j}", carrier, at, pin.FrameType.OP_FRAME))
        self.model.gravity = pin.Motion(mechanism.gravity, np.zeros(3))
        self.data = self.model.createData()
        # v of Pinocchio is v[order] of ours.
        self.order = np.zeros(mechanism.n, dtype=int)
        for j, parts in self.parts.items():
            models = [self.model.joints[part] for part in parts]
            places = [k for model in models for k in range(model.idx_v, model.idx_v + model.nv)]
            self.order[places] = mechanism.columns[j]
        for j, joint in self.joint.items():
            first = int(self.model.joints[joint].idx_v)
            self.order[first : first + len(mechanism.columns[j])] = mechanism.columns[j]

    def _models(self, j: int) -> list[tuple[Any, Any]]:
        """A joint of several axes in Pinocchio: joint models one after the other, and what is before each."""
        pin, kind = self.pin, self.mechanism.robot.kind(j)
        here = pin.SE3.Identity()
        if isinstance(kind, Screw):
            lead = self.mechanism.numbers([kind.pitch])[0] / (2 * np.pi)
            return [(pin.JointModelHelicalUnaligned(np.array([0.0, 0.0, 1.0]), lead), here)]
        if isinstance(kind, Universal):
            quarter = pin.SE3(np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]), np.zeros(3))
            return [(pin.JointModelRZ(), here), (pin.JointModelRZ(), quarter)]
        models: dict[type[Any], list[Any]] = {
            Ball: [pin.JointModelSpherical],
            Free: [pin.JointModelFreeFlyer],
            Cylindrical: [pin.JointModelRZ, pin.JointModelPZ],
            Planar: [pin.JointModelPX, pin.JointModelPY, pin.JointModelRZ],
        }
        if type(kind) not in models:
            raise RobosymError(
                f"frame {j}: Pinocchio has no {type(kind).__name__} joint: verify with pinocchio=False (--floats)"
            )
        return [(model(), here) for model in models[type(kind)]]

    def _branch_by_branch(self) -> list[int]:
        """Pinocchio wants the joints of a subtree in a row."""
        frames, order, waiting = self.mechanism.robot.frames, [], [0]
        while waiting:
            j = waiting.pop()
            order += [j] if j else []
            waiting += [k for k, frame in enumerate(frames, 1) if frame.antecedent == j]
        return order

    def _inertia(self, j: int) -> Any:
        XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = self.mechanism.inertial(j)
        if M == 0 and any((MX, MY, MZ)):
            raise ArithmeticError("Pinocchio has no first moments without a mass")
        if M == 0:
            return self.pin.Inertia(0.0, np.zeros(3), np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]]))
        return self.pin.Inertia.FromDynamicParameters(np.array([M, MX, MY, MZ, XX, XY, YY, XZ, YZ, ZZ]))

    def at(self, state: State) -> PinocchioMoment:
        return PinocchioMoment(self, state)


@dataclass(frozen=True)
class PinocchioMoment:
    """A ``Moment`` by Pinocchio's algorithms."""

    tree: PinocchioTree
    state: State

    @cached_property
    def _q(self) -> Floats:
        model, pin = self.tree.model, self.tree.pin
        q = pin.neutral(model)
        for j, parts in self.tree.parts.items():
            models = [model.joints[part] for part in parts]
            q[[k for one in models for k in range(one.idx_q, one.idx_q + one.nq)]] = self.state.x[j]
        for j, joint in self.tree.joint.items():
            at = int(model.joints[joint].idx_q)
            if j in self.state.poses:
                q[at : at + 7] = pin.SE3ToXYZQUAT(pin.SE3(self.state.poses[j]))
            else:
                q[at] = self.state.x[j]
        return np.asarray(q)

    @cached_property
    def _v(self) -> Floats:
        return np.asarray(self.state.v[self.tree.order])

    def _ours(self, matrix: Floats, rows: int = 1) -> Floats:
        """Columns in our order. With one joint Pinocchio gives a column as a vector."""
        matrix = np.reshape(matrix, (rows, self.tree.mechanism.n))
        found = np.zeros_like(matrix)
        found[:, self.tree.order] = matrix
        return found

    def pose(self, j: int) -> Floats:
        """Of frame j, 4 x 4."""
        self.tree.pin.framesForwardKinematics(self.tree.model, self.tree.data, self._q)
        return np.array(self.tree.data.oMf[self.tree.frame[j]].homogeneous)

    def jacobian(self, j: int) -> Floats:
        """6 x n, world axes, about the origin of frame j."""
        pin = self.tree.pin
        J = pin.computeFrameJacobian(
            self.tree.model, self.tree.data, self._q, self.tree.frame[j], pin.LOCAL_WORLD_ALIGNED
        )
        return self._ours(J, 6)

    def drift(self, j: int) -> Floats:
        """The acceleration of frame j with a = 0."""
        pin, model, data = self.tree.pin, self.tree.model, self.tree.data
        pin.forwardKinematics(model, data, self._q, self._v, np.zeros(model.nv))
        pin.updateFramePlacements(model, data)
        given = (model, data, self.tree.frame[j], pin.LOCAL_WORLD_ALIGNED)
        return np.array(pin.getFrameClassicalAcceleration(*given).vector)

    def torques(self, a: Floats, gravity: bool = True) -> Floats:
        """By rnea."""
        pin, model = self.tree.pin, self.tree.model
        found = pin.rnea(model, self.tree.data, self._q, self._v, a[self.tree.order])
        if not gravity:
            found = found - pin.computeGeneralizedGravity(model, self.tree.data, self._q)
        return np.asarray(self._ours(found)[0])

    def centre(self) -> Floats:
        """Of all that moves."""
        return np.array(self.tree.pin.centerOfMass(self.tree.model, self.tree.data, self._q))

    def momentum(self) -> Floats:
        """The centroidal map."""
        return self._ours(self.tree.pin.computeCentroidalMap(self.tree.model, self.tree.data, self._q), 6)

    def momentum_rate(self, a: Floats) -> Floats:
        """The rate of the centroidal momentum."""
        pin, model, data = self.tree.pin, self.tree.model, self.tree.data
        pin.computeCentroidalMapTimeVariation(model, data, self._q, self._v)
        rate, matrix = (np.reshape(one, (6, self.tree.mechanism.n)) for one in (data.dAg, data.Ag))
        return np.asarray(rate @ self._v + matrix @ a[self.tree.order])

    def potential(self) -> float:
        """Ours counts from the origin of frame 0."""
        model = self.tree.model
        mass = sum(inertia.mass for inertia in list(model.inertias)[1:])
        origin = self.tree.mechanism.root[:3, 3]
        own = self.tree.pin.computePotentialEnergy(model, self.tree.data, self._q)
        return float(own + mass * (self.tree.mechanism.gravity @ origin))
