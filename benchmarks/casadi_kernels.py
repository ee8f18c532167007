"""Kernels that CasADi writes, for comparison: the recursions of the textbooks on Pinocchio's numbers of a robot, traced and printed as C.

Newton and Euler's recursion, composite bodies, articulated bodies and the frame Jacobian, each in the frames of the links. The
numbers of the robot are in the code, and CasADi takes common subexpressions out.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

GRAVITY = 9.81


@dataclass(frozen=True)
class Kernels:
    """A tree of revolute joints about the x, y or z axes of their frames."""

    name: str
    model: Any  # Pinocchio's

    @property
    def n(self) -> int:
        return int(self.model.nv)

    @cached_property
    def inputs(self) -> Any:
        import casadi as ca  # type: ignore[import-not-found,import-untyped,unused-ignore]

        return [ca.SX.sym(name, self.n) for name in ("q", "v", "third")]

    def function(self, kind: str) -> Any:
        """ "rnea", "crba", "aba" or "jac": of q, or of q, v and accelerations or torques."""
        import casadi as ca

        q, v, third = self.inputs
        given = [q] if kind in ("crba", "jac") else [q, v, third]
        return ca.Function(f"{kind}_{self.name}", given, [getattr(self, f"_{kind}")()], {"cse": True})

    def source(self, kind: str, folder: Path) -> str:
        return generated_c(self.function(kind), folder)

    # --- the tree --------------------------------------------------------------------------------------------------------

    def _parent(self, i: int) -> int:
        return int(self.model.parents[i + 1]) - 1

    def _axis(self, i: int) -> np.ndarray:
        return np.eye(3)["XYZ".index(self.model.joints[i + 1].shortname()[-1])]

    @cached_property
    def _places(self) -> list[tuple[Any, Any]]:
        """Rotation and place of each link in the one that carries it."""
        import casadi as ca

        found = []
        for i in range(self.n):
            place, s = self.model.jointPlacements[i + 1], self._axis(i)
            a, b = (int(k) for k in np.flatnonzero(np.roll(s, 1) + np.roll(s, 2)))
            if (a, b) == (0, 2):
                a, b = b, a
            c, sn, turn = ca.cos(self.inputs[0][i]), ca.sin(self.inputs[0][i]), ca.SX.eye(3)
            turn[a, a] = turn[b, b] = c
            turn[a, b], turn[b, a] = -sn, sn
            found.append((_numbers(place.rotation) @ turn, _numbers(place.translation)))
        return found

    def _body(self, i: int) -> tuple[float, Any, Any]:
        """Mass, centre, and moments about the centre."""
        own = self.model.inertias[i + 1]
        return float(own.mass), _numbers(own.lever), _numbers(own.inertia)

    # --- the recursions --------------------------------------------------------------------------------------------------

    def _rnea(self) -> Any:
        import casadi as ca

        _, v, third = self.inputs
        still, up = ca.SX.zeros(3), ca.SX([0, 0, GRAVITY])
        motions, forces = [], []
        for i, (R, p) in enumerate(self._places):
            w, wd, a = (still, still, up) if self._parent(i) < 0 else motions[self._parent(i)]
            s = ca.SX(self._axis(i))
            a = R.T @ (a + ca.cross(wd, p) + ca.cross(w, ca.cross(w, p)))
            w, wd = R.T @ w, R.T @ wd
            wd = wd + s * third[i] + ca.cross(w, s * v[i])
            w = w + s * v[i]
            motions.append((w, wd, a))
            m, c, inertia = self._body(i)
            force = m * (a + ca.cross(wd, c) + ca.cross(w, ca.cross(w, c)))
            forces.append([force, inertia @ wd + ca.cross(w, inertia @ w) + ca.cross(c, force)])
        tau = ca.SX.zeros(self.n)
        for i in reversed(range(self.n)):
            force, moment = forces[i]
            tau[i] = ca.dot(ca.SX(self._axis(i)), moment)
            if self._parent(i) >= 0:
                R, p = self._places[i]
                carried = forces[self._parent(i)]
                carried[0] = carried[0] + R @ force
                carried[1] = carried[1] + R @ moment + ca.cross(p, R @ force)
        return tau

    def _crba(self) -> Any:
        """The upper half."""
        import casadi as ca

        bodies = []
        for i in range(self.n):
            m, c, inertia = self._body(i)
            bodies.append([m, m * c, inertia - m * ca.skew(c) @ ca.skew(c)])
        A = ca.SX.zeros(self.n, self.n)
        for i in reversed(range(self.n)):
            m, h, inertia = bodies[i]
            s = ca.SX(self._axis(i))
            force, moment = ca.cross(s, h), inertia @ s
            A[i, i] = ca.dot(s, moment)
            j = i
            while self._parent(j) >= 0:
                R, p = self._places[j]
                force, moment = R @ force, R @ moment + ca.cross(p, R @ force)
                j = self._parent(j)
                A[j, i] = ca.dot(ca.SX(self._axis(j)), moment)
            if self._parent(i) >= 0:
                R, p = self._places[i]
                turned, P = R @ h, ca.skew(p)
                carried = bodies[self._parent(i)]
                carried[0] = carried[0] + m
                carried[1] = carried[1] + turned + m * p
                H = ca.skew(turned)
                carried[2] = carried[2] + R @ inertia @ R.T - P @ H - H @ P - m * P @ P
        return A

    def _aba(self) -> Any:
        """Featherstone's three passes; an articulated inertia is [[I, H], [H^T, m]], of twists (w, v) and wrenches (moment, force)."""
        import casadi as ca

        _, v, tau = self.inputs
        still = ca.SX.zeros(3)
        twists, rates, inertias, biases = [], [], [], []
        for i, (R, p) in enumerate(self._places):
            w, u = (still, still) if self._parent(i) < 0 else twists[self._parent(i)]
            s = ca.SX(self._axis(i)) * v[i]
            w, u = R.T @ w, R.T @ (u + ca.cross(w, p))
            rates.append((ca.cross(w, s), ca.cross(u, s)))
            w = w + s
            twists.append((w, u))
            m, c, inertia = self._body(i)
            C = ca.skew(c)
            inertias.append([inertia - m * C @ C, m * C, m * ca.SX.eye(3)])
            momentum, spin = m * (u + ca.cross(w, c)), inertia @ w
            force = ca.cross(w, momentum)
            biases.append([ca.cross(w, spin) + ca.cross(c, force), force])
        halves: list[Any] = [None] * self.n
        for i in reversed(range(self.n)):
            (inertia, H, m), s = inertias[i], ca.SX(self._axis(i))
            moment, force = inertia @ s, H.T @ s
            D, u = ca.dot(s, moment), tau[i] - ca.dot(s, biases[i][0])
            halves[i] = (moment, force, D, u)
            j = self._parent(i)
            if j < 0:
                continue
            a, b = moment / D, force / D
            inertia, H, m = _symmetric(inertia - moment @ a.T), H - moment @ b.T, _symmetric(m - force @ b.T)
            (cw, cv), (R, p) = rates[i], self._places[i]
            n, f = biases[i][0] + inertia @ cw + H @ cv + a * u, biases[i][1] + H.T @ cw + m @ cv + b * u
            carried, P = biases[j], ca.skew(p)
            carried[0], carried[1] = carried[0] + R @ n + ca.cross(p, R @ f), carried[1] + R @ f
            inertia, H, m = _symmetric(R @ inertia @ R.T), R @ H @ R.T, _symmetric(R @ m @ R.T)
            shifted = H + P @ m
            parts = (_symmetric(inertia - H @ P + P @ shifted.T), shifted, m)
            inertias[j] = [one + other for one, other in zip(inertias[j], parts, strict=True)]
        qdd, accelerations = ca.SX.zeros(self.n), []
        for i, (R, p) in enumerate(self._places):
            moment, force, D, u = halves[i]
            w, a = (still, ca.SX([0, 0, GRAVITY])) if self._parent(i) < 0 else accelerations[self._parent(i)]
            w, a = R.T @ w + rates[i][0], R.T @ (a + ca.cross(w, p)) + rates[i][1]
            qdd[i] = (u - ca.dot(moment, w) - ca.dot(force, a)) / D
            accelerations.append((w + ca.SX(self._axis(i)) * qdd[i], a))
        return qdd

    def _jac(self) -> Any:
        """Of the last link's origin, along the axes of the world."""
        import casadi as ca

        i, chain = self.n - 1, []
        while i >= 0:
            chain.insert(0, i)
            i = self._parent(i)
        R, p, axes = ca.SX.eye(3), ca.SX.zeros(3), []
        for i in chain:
            turn, shift = self._places[i]
            p, R = p + R @ shift, R @ turn
            axes.append((R @ ca.SX(self._axis(i)), p))
        J = ca.SX.zeros(6, self.n)
        for i, (axis, at) in zip(chain, axes, strict=True):
            J[:, i] = ca.vertcat(ca.cross(axis, p - at), axis)
        return ca.densify(J)


def _numbers(values: Any) -> Any:
    """As CasADi has them; what is rounding is zero."""
    import casadi as ca

    array = np.array(values, dtype=float)
    return ca.sparsify(ca.SX(np.where(np.abs(array) < 1e-15, 0.0, array)))


def _symmetric(matrix: Any) -> Any:
    """The same, its lower half read from the upper one: what is equal is computed once."""
    import casadi as ca

    return ca.triu2symm(ca.triu(matrix))


def generated_c(kernel: Any, folder: Path) -> str:
    before = Path.cwd()
    try:
        os.chdir(folder)  # CasADi writes where it stands
        kernel.generate(f"{kernel.name()}_kernel.c")
    finally:
        os.chdir(before)
    return (folder / f"{kernel.name()}_kernel.c").read_text(encoding="utf-8")
