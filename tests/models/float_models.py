"""Every model of a robot in floats, from the poses of its frames and the laws of mechanics: what the sweep compares with.

The torques come as a sum over the inertial parameters of all links, tau = W chi, so that each comes with the sum of the
sizes of its terms: an error is measured by what was added up, and not by what is left after it has cancelled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from models import reference
from models.reference import frame_poses, numbers
from models.small_matrices import skew

from robosym.robot import FIXED, PRISMATIC, Robot

Floats = np.ndarray


def inertia_times(w: Floats) -> Floats:
    """J w as a matrix of w times XX XY XZ YY YZ ZZ."""
    x, y, z = w
    return np.array([[x, y, z, 0, 0, 0], [0, x, 0, y, z, 0], [0, 0, x, 0, y, z]])


@dataclass(frozen=True)
class Floating:
    """A robot in numbers at a state."""

    robot: Robot
    q: Floats
    qd: Floats
    qdd: Floats

    # --- geometry ----------------------------------------------------------------------------------------------------

    @cached_property
    def poses(self) -> dict[int, Floats]:
        return frame_poses(self.robot, self.q)

    @cached_property
    def moving(self) -> list[int]:
        return [j for j in self.robot.order if self.robot.frame(j).sigma != FIXED]

    @cached_property
    def masters(self) -> dict[int, tuple[int, float]]:
        found = {j: reference._master(self.robot, j) for j in self.moving}
        return {j: (self.robot.moving.index(master), ratio) for j, (master, ratio) in found.items()}

    def jacobian(self, j: int, point: Floats | None = None) -> Floats:
        """Of a point of link j (its origin unless given), in the axes of frame 0."""
        p = self.poses[j][:3, 3] if point is None else point
        J = np.zeros((6, len(self.robot.moving)))
        for k in self.robot.path(j):
            if self.robot.frame(k).sigma != FIXED:
                z, (place, ratio) = self.poses[k][:3, 2], self.masters[k]
                if self.robot.frame(k).sigma == PRISMATIC:
                    J[:3, place] += ratio * z
                else:
                    J[:, place] += ratio * np.concatenate([np.cross(z, p - self.poses[k][:3, 3]), z])
        return J

    def bodies(self, qd: Floats, qdd: Floats) -> dict[int, reference._Body]:
        rates = reference._joint_rates
        return reference._motion(self.robot, self.q, rates(self.robot, qd), rates(self.robot, qdd))

    def acceleration(self, j: int, qdd: Floats) -> Floats:
        body = self.bodies(self.qd, qdd)[j]
        return np.concatenate([body.a, body.wd])

    # --- dynamics ----------------------------------------------------------------------------------------------------

    @cached_property
    def chi(self) -> Floats:
        return np.array([numbers(self.robot, self.robot.frame(j).link.inertial) for j in self.robot.order])

    @cached_property
    def rotors(self) -> Floats:
        return np.array([numbers(self.robot, [self.robot.frame(j).actuator.Ia])[0] for j in self.moving])

    def wrenches(self, qd: Floats, qdd: Floats, gravity: bool) -> list[Floats]:
        """Of every link: force and moment about its origin (axes of frame 0), as 6 x 10 times its parameters."""
        g = np.array(numbers(self.robot, self.robot.gravity)) if gravity else np.zeros(3)
        found = []
        for j in self.robot.order:
            body = self._cached(qd, qdd)[j]
            R, rise = body.R, body.a - g
            W = np.zeros((6, 10))
            W[:3, 9] = rise
            W[:3, 6:9] = (skew(body.wd) + skew(body.w) @ skew(body.w)) @ R
            W[3:, 6:9] = -skew(rise) @ R
            W[3:, :6] = R @ inertia_times(R.T @ body.wd) + skew(body.w) @ R @ inertia_times(R.T @ body.w)
            found.append(W)
        return found

    def _cached(self, qd: Floats, qdd: Floats) -> dict[int, reference._Body]:
        key = (qd.tobytes(), qdd.tobytes())
        store = self.__dict__.setdefault("_motions", {})
        if key not in store:
            store[key] = self.bodies(qd, qdd)
        return store[key]  # type: ignore[no-any-return]

    def torques(self, qd: Floats, qdd: Floats, gravity: bool = True, rotor: bool = True) -> tuple[Floats, Floats]:
        """tau and the sum of the sizes of its terms."""
        tau, size = np.zeros((2, len(self.robot.moving)))
        for j, W, chi in zip(self.robot.order, self.wrenches(qd, qdd, gravity), self.chi, strict=True):
            p = self.poses[j][:3, 3]
            for k in self.robot.path(j):
                if self.robot.frame(k).sigma == FIXED:
                    continue
                z, (place, ratio) = self.poses[k][:3, 2], self.masters[k]
                lever = p - self.poses[k][:3, 3]
                row = z @ W[:3] if self.robot.frame(k).sigma == PRISMATIC else z @ (W[3:] + skew(lever) @ W[:3])
                tau[place] += ratio * row @ chi
                size[place] += np.abs(ratio * row) @ np.abs(chi)
        for k, Ia in zip(self.moving, self.rotors, strict=True):
            place, ratio = self.masters[k]
            own = ratio * Ia * ratio * qdd[place] if rotor else 0.0
            tau[place] += own
            size[place] += abs(own)
        return tau, size

    @cached_property
    def inertia(self) -> tuple[Floats, Floats]:
        """A with rotors, and the sizes of its entries' terms."""
        still = np.zeros_like(self.qd)
        columns = [self.torques(still, one, gravity=False) for one in np.eye(len(still))]
        return np.array([c for c, _ in columns]).T, np.array([s for _, s in columns]).T

    @cached_property
    def bulk(self) -> float:
        """The size of the whole robot: the inertia it would have if all its lengths added up, times the motion."""
        lengths = [abs(x) for j in self.robot.order for x in numbers(self.robot, self.robot.geometry(j), self.q)[1::2]]
        reach = 1 + sum(lengths)
        mass = sum(np.abs(c[:6]).max() + np.abs(c[6:9]).max() * reach + abs(c[9]) * reach**2 for c in self.chi)
        motion = float(
            np.abs(numbers(self.robot, self.robot.gravity)).max() + np.abs(self.qdd).sum() + np.abs(self.qd).sum() ** 2
        )
        return float((mass + np.abs(self.rotors).sum()) * (1 + motion))

    # --- masses ------------------------------------------------------------------------------------------------------

    @cached_property
    def counted(self) -> list[int]:
        """The links that move: those fixed to the base at rest do not count."""
        return [j for j in self.robot.order if self.robot.carrier(j)]

    def _link(self, j: int) -> tuple[float, Floats, Floats, Floats]:
        """Mass, first moments and inertia matrix in the axes of frame 0 about the origin of frame j, and that origin."""
        XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = self.chi[list(self.robot.order).index(j)]
        R, p = self.poses[j][:3, :3], self.poses[j][:3, 3]
        J = R @ np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]]) @ R.T
        return M, R @ np.array([MX, MY, MZ]), J, p

    @cached_property
    def mass(self) -> float:
        return float(sum(self._link(j)[0] for j in self.counted))

    @cached_property
    def centre(self) -> Floats:
        return sum((M * p + S for M, S, _, p in map(self._link, self.counted)), np.zeros(3)) / self.mass

    def momentum(self, qd: Floats) -> Floats:
        """Linear, and angular about the centre of mass, without rotors."""
        total = np.zeros(6)
        for j in self.counted:
            M, S, J, p = self._link(j)
            v, w = np.split(self.jacobian(j) @ qd, 2)
            linear = M * v + np.cross(w, S)
            total[:3] += linear
            total[3:] += J @ w + np.cross(S, v) + np.cross(p - self.centre, linear)
        return total

    def momentum_rate(self, qdd: Floats) -> Floats:
        total = np.zeros(6)
        bodies = self._cached(self.qd, qdd)
        for j in self.counted:
            M, S, J, p = self._link(j)
            w, wd, a = bodies[j].w, bodies[j].wd, bodies[j].a
            force = M * a + np.cross(wd, S) + np.cross(w, np.cross(w, S))
            total[:3] += force
            total[3:] += J @ wd + np.cross(w, J @ w) + np.cross(S, a) + np.cross(p - self.centre, force)
        return total

    @cached_property
    def potential(self) -> tuple[float, float]:
        g = np.array(numbers(self.robot, self.robot.gravity))
        parts = [(-M * (g @ p), -(g @ S)) for M, S, _, p in map(self._link, self.counted)]
        return float(sum(map(sum, parts))), float(sum(abs(x) for pair in parts for x in pair))


def largest(*arrays: Sequence[float] | Floats) -> float:
    return max((float(np.abs(np.asarray(a)).max(initial=0.0)) for a in arrays), default=0.0)
