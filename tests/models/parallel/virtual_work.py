"""Leg forces of a 6-UPS platform by the principle of virtual work, in vectors only (after Tsai, J. Mech. Design 122, 2000).

There are no joint angles: a leg is a unit vector n from its base point to its platform point, and it does not spin about
itself. That is a leg whose halves have no moment of inertia about n; across it they have ``inertia``, about their centres,
which lie on n. With b the platform point, L = |b - a| and dn = (1 - n n') db / L, the halves' centres are a + e1 n and
b - e2 n, and a rod's moment I (n x ndd) does the work I ndd . dn.

``Struts.robot`` makes the same platform as a ``Robot``: a universal joint that turns about the base's x axis, then about y, a sliding
joint and a spherical seat.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robosym.expr import number, pi, variable
from robosym.robot import FIXED, FREE, PRISMATIC, REVOLUTE, Frame, Joint, Leg, Link, Platform, Robot
from robosym.robot.parts import SPHERICAL


@dataclass(frozen=True)
class Struts:
    """A platform whose axes are at its centre of mass, on six legs; arrays by leg. ``axial`` only matters to legs that spin."""

    base: np.ndarray
    platform: np.ndarray
    mass: float
    inertia: np.ndarray  # principal, about the centre
    lower: np.ndarray  # masses
    upper: np.ndarray
    lower_inertia: np.ndarray  # across the leg
    upper_inertia: np.ndarray
    e1: np.ndarray  # from the base point to the lower centre
    e2: np.ndarray  # from the platform point back to the upper one
    gravity: np.ndarray
    axial: float = 0.0

    # --- forces ------------------------------------------------------------------------------------------------------

    def forces(
        self, R: np.ndarray, p: np.ndarray, twist: np.ndarray, twist_rate: np.ndarray, wrench: np.ndarray | None = None
    ) -> np.ndarray:
        """Along the legs, pushing positive. ``wrench``: of the platform on the environment, at its origin, world axes."""
        v, w, a, wd = twist[:3], twist[3:], twist_rate[:3], twist_rate[3:]
        I = R @ np.diag(self.inertia) @ R.T
        total = np.concatenate([self.mass * (a - self.gravity), I @ wd + np.cross(w, I @ w)])
        if wrench is not None:
            total = total + wrench
        rows = []
        for k in range(len(self.base)):
            arm = R @ self.platform[k]
            s = p + arm - self.base[k]
            L = np.linalg.norm(s)
            n = s / L
            vb = v + np.cross(w, arm)
            ab = a + np.cross(wd, arm) + np.cross(w, np.cross(w, arm))
            nd = (vb - n * (n @ vb)) / L
            Ldd = n @ ab + nd @ vb
            ndd = (ab - n * Ldd - 2 * nd * (n @ vb)) / L
            pushed = self._strut(k, n, ndd, ab, float(L))
            total = total + np.concatenate([pushed, np.cross(arm, pushed)])
            rows.append(np.concatenate([n, np.cross(arm, n)]))
        return np.linalg.solve(np.array(rows).T, total)

    def _strut(self, k: int, n: np.ndarray, ndd: np.ndarray, ab: np.ndarray, L: float) -> np.ndarray:
        """The force at its platform point that moves both halves of a leg."""
        low = self.lower[k] * (self.e1[k] * ndd - self.gravity)
        high = self.upper[k] * (ab - self.e2[k] * ndd - self.gravity)
        turning = self.e1[k] * low - self.e2[k] * high + (self.lower_inertia[k] + self.upper_inertia[k]) * ndd
        return np.asarray(high + (turning - n * (n @ turning)) / L)

    # --- the same as a robot -----------------------------------------------------------------------------------------

    def robot(self, name: str, R: np.ndarray, p: np.ndarray) -> Robot:
        """With the joints' positions in the description at a pose. Each leg has three frames; platform and seats come last."""
        frames: list[Frame] = []
        platform = 3 * len(self.base) + 1
        legs = []
        for k, (x, y, z) in enumerate(self.base.tolist()):
            own = 3 * k
            q = [variable(f"q{own + i}") for i in (1, 2, 3)]
            quarter = pi / 2
            place = {"gamma": quarter, "b": number(z), "alpha": quarter, "d": number(y), "r": number(x)}
            lower = _rod(self.lower[k], self.lower_inertia[k], self.axial, -self.e1[k], axis=1)
            upper = _rod(self.upper[k], self.upper_inertia[k], self.axial, -self.e2[k], axis=2)
            # About z1 = x0; about z2, which is y0 where the first is zero; along z3 = (sin b, -sin a cos b, cos a cos b).
            s = p + R @ self.platform[k] - self.base[k]
            L = float(np.linalg.norm(s))
            one = Joint(f"a{k + 1}", q[0], active=False, position=float(np.arctan2(-s[1], s[2])))
            two = Joint(f"b{k + 1}", q[1], active=False, position=float(np.arcsin(s[0] / L)))
            three = Joint(f"c{k + 1}", q[2], active=True, position=L)
            frames += [
                Frame(f"cross{k + 1}", 0, one, REVOLUTE, theta=q[0] + quarter, **place),
                Frame(f"lower{k + 1}", own + 1, two, REVOLUTE, alpha=quarter, theta=q[1] + quarter, link=lower),
                Frame(f"upper{k + 1}", own + 2, three, PRISMATIC, alpha=quarter, r=q[2], link=upper),
            ]
            legs.append(Leg(f"leg{k + 1}", own + 3, platform + 1 + k, SPHERICAL))
        XX, YY, ZZ = (number(float(i)) for i in self.inertia)
        body = Link(XX=XX, YY=YY, ZZ=ZZ, M=number(self.mass))
        frames.append(Frame("platform", 0, Joint("free", active=False), FREE, link=body))
        for k, (x, y, z) in enumerate(self.platform.tolist()):
            turn = float(np.arctan2(y, x))
            d = float(np.hypot(x, y))
            seat = Joint(f"seat{k + 1}", active=False)
            frames.append(Frame(f"seat{k + 1}", platform, seat, FIXED, gamma=number(turn), b=number(z), d=number(d)))
        down = [number(float(g)) for g in self.gravity]
        return Robot(
            name, tuple(frames), gravity=(down[0], down[1], down[2]), platforms=(Platform(platform, tuple(legs)),)
        )


def _rod(mass: float, across: float, axial: float, centre: float, axis: int) -> Link:
    """A rod along an axis (1: y, 2: z) of its frame, with its centre there, about the frame's origin."""
    first = [0.0, 0.0, 0.0]
    first[axis] = mass * centre
    moments = [across + mass * centre**2] * 3
    moments[axis] = axial
    MX, MY, MZ = (number(float(x)) for x in first)
    XX, YY, ZZ = (number(float(x)) for x in moments)
    return Link(XX=XX, YY=YY, ZZ=ZZ, MX=MX, MY=MY, MZ=MZ, M=number(float(mass)))
