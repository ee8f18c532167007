"""A tree in floats, from the laws of mechanics, everything in the axes of the world: no recursion on links' frames, no lumping of
links, no symbols. Forces are carried to the joints by virtual power."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..robot import FIXED, FREE, PRISMATIC
from .joints import Joint
from .mechanism import Floats, Mechanism, State


def dh_matrix(gamma: float, b: float, alpha: float, d: float, theta: float, r: float) -> Floats:
    """Rz(gamma) Tz(b) Rx(alpha) Tx(d) Rz(theta) Tz(r), equation (1b) of SYMORO+ 1997 written out."""
    cg, sg, ca, sa, ct, st = np.cos(gamma), np.sin(gamma), np.cos(alpha), np.sin(alpha), np.cos(theta), np.sin(theta)
    return np.array(
        [
            [cg * ct - sg * ca * st, -cg * st - sg * ca * ct, sg * sa, d * cg + r * sg * sa],
            [sg * ct + cg * ca * st, -sg * st + cg * ca * ct, -cg * sa, d * sg - r * cg * sa],
            [sa * st, sa * ct, ca, r * ca + b],
            [0, 0, 0, 1],
        ]
    )


def place(mechanism: Mechanism, j: int, x: float = 0.0) -> Floats:
    """Frame j in its antecedent when its joint is at x; one with a joint of several axes before these."""
    frame = mechanism.robot.frame(j)
    at = {} if frame.joint.variable is None else {frame.joint.variable: x}
    return dh_matrix(*mechanism.numbers(frame.geometry, at))


@dataclass(frozen=True)
class FloatMoment:
    """A ``Moment`` by multiplying matrices and adding vectors."""

    mechanism: Mechanism
    state: State

    # --- geometry ----------------------------------------------------------------------------------------------------

    @cached_property
    def _poses(self) -> dict[int, Floats]:
        robot = self.mechanism.robot
        found = {0: self.mechanism.root @ self.state.poses.get(0, np.eye(4))}
        for j in robot.order:
            free = robot.frame(j).sigma == FREE
            own = self.state.poses[j] if free else self._place(j)
            found[j] = found[robot.frame(j).antecedent] @ own
        return found

    def _place(self, j: int) -> Floats:
        joint = self._joints.get(j)
        return (
            place(self.mechanism, j, self.state.x.get(j, 0.0))
            if joint is None
            else place(self.mechanism, j) @ joint.pose
        )

    @cached_property
    def _joints(self) -> dict[int, Joint]:
        """The joints of several axes."""
        joints = {j: self.mechanism.joint(j, self.state) for j in self.mechanism.joints}
        return {j: joint for j, joint in joints.items() if joint is not None}

    def pose(self, j: int) -> Floats:
        """Of frame j, 4 x 4."""
        return self._poses[j]

    @cached_property
    def _jacobians(self) -> dict[int, Floats]:
        """Column by column: what a joint alone does to the origin of a frame."""
        robot, columns = self.mechanism.robot, self.mechanism.columns
        found: dict[int, Floats] = {}
        for j in (0, *robot.order):
            J = np.zeros((6, self.mechanism.n))
            p = self._poses[j][:3, 3]
            for k in (k for k in (0, *self.mechanism.path(j)) if k in columns):
                R, o = self._poses[k][:3, :3], self._poses[k][:3, 3]
                z = R[:, 2]
                if k in self._joints:
                    linear, angular = R @ self._joints[k].twists[:3], R @ self._joints[k].twists[3:]
                    J[:3, columns[k]] = linear + np.cross(angular.T, p - o).T
                    J[3:, columns[k]] = angular
                elif len(columns[k]) == 6:
                    J[:3, columns[k][:3]], J[3:, columns[k][3:]] = R, R
                    J[:3, columns[k][3:]] = np.cross(R.T, p - o).T
                elif robot.frame(k).sigma == PRISMATIC:
                    J[:3, columns[k][0]] = z
                else:
                    J[:, columns[k][0]] = [*np.cross(z, p - o), *z]
            found[j] = J
        return found

    def jacobian(self, j: int) -> Floats:
        """6 x n, world axes, about the origin of frame j."""
        return self._jacobians[j]

    @cached_property
    def _drifts(self) -> dict[int, Floats]:
        """p_j = p_i + r differentiated twice: r turns with frame i and grows along the axis of a prismatic joint."""
        robot, columns, v = self.mechanism.robot, self.mechanism.columns, self.state.v
        twists = {j: J @ v for j, J in self._jacobians.items()}
        found = {0: np.zeros(6)}
        for j in (0, *robot.order):
            if len(columns.get(j, ())) == 6 and j not in self._joints:  # rates of components in its own axes are zero
                found[j] = np.concatenate([np.cross(twists[j][3:], twists[j][:3]), np.zeros(3)])
            if j in found:
                continue
            frame, i = robot.frame(j), robot.frame(j).antecedent
            w, wd = twists[i][3:], found[i][3:]
            r, z = self._poses[j][:3, 3] - self._poses[i][:3, 3], self._poses[j][:3, 2]
            linear = found[i][:3] + np.cross(wd, r) + np.cross(w, np.cross(w, r))
            if j in self._joints:
                joint, R, turning = self._joints[j], self._poses[j][:3, :3], twists[j][3:]
                sliding, spin = np.split(joint.twists @ v[columns[j]], 2)
                linear = linear + np.cross(w + turning, R @ sliding) + R @ joint.drift[:3]
                wd = wd + np.cross(turning, R @ spin) + R @ joint.drift[3:]
            elif frame.sigma != FIXED:
                along = np.cross(w, z) * v[columns[j][0]]
                linear, wd = (linear + 2 * along, wd) if frame.sigma == PRISMATIC else (linear, wd + along)
            found[j] = np.concatenate([linear, wd])
        return found

    def drift(self, j: int) -> Floats:
        """The acceleration of frame j with a = 0."""
        return self._drifts[j]

    # --- masses ------------------------------------------------------------------------------------------------------

    @cached_property
    def _bodies(self) -> dict[int, tuple[float, Floats, Floats, Floats]]:
        """Mass, first moments and inertia matrix about the origin, in world axes; and the origin."""
        found = {}
        for j in self.mechanism.bodies:
            XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = self.mechanism.inertial(j)
            R = self._poses[j][:3, :3]
            inertia = R @ np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]]) @ R.T
            found[j] = (M, R @ np.array([MX, MY, MZ]), inertia, self._poses[j][:3, 3])
        return found

    def _wrench(self, j: int, a: Floats, gravity: bool) -> Floats:
        """Newton and Euler about the origin of frame j: what has to act on its link."""
        M, S, inertia, _ = self._bodies[j]
        w = (self._jacobians[j] @ self.state.v)[3:]
        motion = self._jacobians[j] @ a + self._drifts[j]
        rise, wd = motion[:3] - (self.mechanism.gravity if gravity else 0.0), motion[3:]
        force = M * rise + np.cross(wd, S) + np.cross(w, np.cross(w, S))
        moment = inertia @ wd + np.cross(w, inertia @ w) + np.cross(S, rise)
        return np.concatenate([force, moment])

    def torques(self, a: Floats, gravity: bool = True) -> Floats:
        """The sum of what all links need, by virtual power."""
        found = np.zeros(self.mechanism.n)
        for j in self._bodies:
            found += self._jacobians[j].T @ self._wrench(j, a, gravity)
        return found

    @property
    def _mass(self) -> float:
        return float(sum(M for M, *_ in self._bodies.values()))

    def centre(self) -> Floats:
        """Of all that moves."""
        return np.asarray(sum((M * p + S for M, S, _, p in self._bodies.values()), np.zeros(3)) / self._mass)

    def momentum(self) -> Floats:
        """Linear, and angular about the centre of mass, over v."""
        found, centre = np.zeros((6, self.mechanism.n)), self.centre()
        for j, (M, S, inertia, p) in self._bodies.items():
            v, w = self._jacobians[j][:3], self._jacobians[j][3:]
            linear = M * v - _skew(S) @ w
            found[:3] += linear
            found[3:] += inertia @ w + _skew(S) @ v + _skew(p - centre) @ linear
        return found

    def momentum_rate(self, a: Floats) -> Floats:
        """The resultant of what acts on all links."""
        found, centre = np.zeros(6), self.centre()
        for j, (_, _, _, p) in self._bodies.items():
            wrench = self._wrench(j, a, gravity=False)
            found += np.concatenate([wrench[:3], wrench[3:] + np.cross(p - centre, wrench[:3])])
        return found

    def potential(self) -> float:
        """-g . (M p + S), from the origin of the world's frame 0."""
        origin = self.mechanism.root[:3, 3]
        return -float(sum(self.mechanism.gravity @ (M * (p - origin) + S) for M, S, _, p in self._bodies.values()))


def _skew(v: Floats) -> Floats:
    x, y, z = v
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
