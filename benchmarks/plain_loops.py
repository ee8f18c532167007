"""The equations of robots with closed loops in CasADi, as one writes them down: for ``closed_loops.py``.

Newton-Euler over the tree, passive joints in closed form, and everything projected on the driven ones, with numbers in the code.
CasADi takes the derivatives of the closed form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from robosym.expr import evaluate
from robosym.robot import FIXED, Robot


def numbers(robot: Robot, entries: Sequence[Any]) -> list[float]:
    """Expressions with the robot's values, all joints at zero."""
    known: dict[Any, float] = {name: value.number for name, value in robot.values.items()}
    known |= {frame.joint.variable: 0.0 for frame in robot.frames if frame.joint.variable is not None}
    return [float(x) for x in evaluate(list(entries), known)]


class Plain:
    """The equations in CasADi: Newton-Euler over the tree, positions of the passive joints, and the projection."""

    def __init__(self, robot: Robot) -> None:
        import casadi as ca  # type: ignore[import-not-found,import-untyped,unused-ignore]

        self.ca, self.robot, n = ca, robot, robot.nv
        self.q, self.v, self.last = (ca.SX.sym(name, n) for name in ("q", "v", "u"))
        self.frames = [j for j in robot.order if robot.frame(j).sigma != FIXED and j <= robot.n_links]
        self.x = ca.vertcat(*(self.position(j) for j in self.frames))
        self.G = ca.jacobian(self.x, self.q)
        self.xd = self.G @ self.v
        self.drift = ca.jtimes(self.xd, self.q, self.v)

    def position(self, j: int) -> Any:
        """Of a driven joint its own, of a passive one in closed form."""
        if j in self.robot.moving:
            return self.q[self.robot.moving.index(j)]
        return CLOSED_FORMS[self.robot.name](self.ca, self.robot, self.q)[j]

    def inverse(self) -> Any:
        return self.torques(self.last)

    def torques(self, qdd: Any) -> Any:
        return self.G.T @ self.newton_euler(self.G @ qdd + self.drift)

    def forward(self) -> Any:
        """A qdd = tau - H, by A = L D L^T."""
        ca = self.ca
        qdd = ca.SX.sym("qdd", self.robot.nv)
        tau = self.torques(qdd)
        A = ca.jacobian(tau, qdd)
        H = ca.substitute(tau, qdd, ca.SX.zeros(self.robot.nv))
        D, LT, p = ca.ldl(A)
        return ca.ldl_solve(self.last - H, D, LT, p)

    def newton_euler(self, xdd: Any) -> Any:
        ca, robot = self.ca, self.robot
        z, zero = ca.SX([0, 0, 1]), ca.SX.zeros(3)
        motion = {0: (zero, zero, -ca.SX(numbers(robot, robot.gravity)))}
        ways, loads = {}, {}
        for k, j in enumerate(self.frames):
            i = robot.frame(j).antecedent
            R, p = self.way(j, self.x[k])
            w, wd, a = motion[i]
            a = R.T @ (a + ca.cross(wd, p) + ca.cross(w, ca.cross(w, p)))
            w, wd = R.T @ w, R.T @ wd
            wd = wd + ca.cross(w, self.xd[k] * z) + xdd[k] * z
            w = w + self.xd[k] * z
            motion[j], ways[j] = (w, wd, a), (R, p)
            XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = numbers(robot, robot.frame(j).link.inertial)
            J, S = ca.SX([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]]), ca.SX([MX, MY, MZ])
            force = M * a + ca.cross(wd, S) + ca.cross(w, ca.cross(w, S))
            loads[j] = (force, J @ wd + ca.cross(w, J @ w) + ca.cross(S, a))
        gamma = {}
        for k, j in reversed(list(enumerate(self.frames))):
            i, (force, moment), (R, p) = robot.frame(j).antecedent, loads[j], ways[j]
            gamma[j] = moment[2] + numbers(robot, [robot.frame(j).actuator.Ia])[0] * xdd[k]
            if i:
                force, moment = R @ force, R @ moment
                loads[i] = (loads[i][0] + force, loads[i][1] + moment + ca.cross(p, force))
        return ca.vertcat(*(gamma[j] for j in self.frames))

    def way(self, j: int, x: Any) -> tuple[Any, Any]:
        """Rotation and position of a frame in its antecedent; special angles have no rounding."""
        ca = self.ca
        gamma, b, alpha, d, theta, r = numbers(self.robot, self.robot.frame(j).geometry)
        assert not gamma
        assert not b
        c, s = (round(f(alpha), 14) for f in (np.cos, np.sin))
        angle = x + theta if theta else x
        C, S = ca.cos(angle), ca.sin(angle)
        R = ca.vertcat(ca.horzcat(C, -S, 0), ca.horzcat(c * S, c * C, -s), ca.horzcat(s * S, s * C, c))
        return ca.sparsify(R), ca.sparsify(ca.SX([d, -r * s, r * c]))


def of_circles(ca: Any, start: tuple[Any, Any], end: tuple[Any, Any], a: float, b: float, sign: int) -> tuple[Any, Any]:
    """The point at distance a from one and b from another."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    square = dx * dx + dy * dy
    along = (square + a * a - b * b) / (2 * square)
    across = sign * ca.sqrt(a * a / square - along * along)
    return start[0] + along * dx - across * dy, start[1] + along * dy + across * dx


def _four_bar(ca: Any, robot: Robot, q: Any) -> dict[int, Any]:
    crank, ground, coupler, rocker = (robot.values[name].number for name in ("D2", "D3", "D4", "D5"))
    B, D = (crank * ca.cos(q[0]), crank * ca.sin(q[0])), (ground, 0.0)
    x, y = of_circles(ca, B, D, coupler, rocker, 1)
    return {2: ca.atan2(y - B[1], x - B[0]) - q[0], 3: ca.atan2(y, x - ground)}


def _general_five_bar(ca: Any, robot: Robot, q: Any) -> dict[int, Any]:
    D2, D3, D4, D6, D7 = (robot.values[name].number for name in ("D2", "D3", "D4", "D6", "D7"))
    B, D = (D2 * ca.cos(q[0]), D2 * ca.sin(q[0])), (D3 + D4 * ca.cos(q[1]), D4 * ca.sin(q[1]))
    x, y = of_circles(ca, B, D, D7, D6, 1)
    return {2: ca.atan2(y - B[1], x - B[0]) - q[0], 4: ca.atan2(y - D[1], x - D[0]) - q[1]}


CLOSED_FORMS: dict[str, Callable[[Any, Robot, Any], dict[int, Any]]] = {
    "four-bar": _four_bar,
    "five-bar-general": _general_five_bar,
    "five-bar": lambda ca, robot, q: {2: q[1] - q[0], 4: q[0] - q[1]},
    "sr400": lambda ca, robot, q: {3: np.pi / 2 - q[1] + q[5], 8: q[1] - q[5]},
}


def counted(f: Any) -> tuple[int, int]:
    """Multiplications with divisions, additions."""
    import casadi as ca

    found = [f.instruction_id(k) for k in range(f.n_instructions())]
    many = sum(found.count(op) for op in (ca.OP_MUL, ca.OP_SQ, ca.OP_TWICE, ca.OP_DIV, ca.OP_INV))
    return many, sum(found.count(op) for op in (ca.OP_ADD, ca.OP_SUB))
