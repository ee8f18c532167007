"""Flexible joints in the reference: motors and links as two masses each, from the inertia and the torques of the rigid robot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .differences import runge_kutta, slopes
from .mechanism import Floats

if TYPE_CHECKING:
    from .task import Task


class TwoMasses:
    """Stiffness, damping and rotors of the flexible joints, zero of the others, at a task."""

    def __init__(self, task: Task) -> None:
        self.task = task
        robot, mechanism = task.reference.robot, task.reference.mechanism
        n = len(robot.moving)
        self.stiffness, self.damping, self.rotor = np.zeros((3, n))
        self.joints = [robot.moving.index(j) for j in robot.flexible]  # among the joints that are coordinates
        self.in_q, self.in_qd = slice(robot.nq - n, None), slice(robot.nv - n, None)  # places of the joints
        for k, j in zip(self.joints, robot.flexible, strict=True):
            actuator = robot.frame(j).actuator
            assert actuator.flexibility is not None
            entries = [actuator.flexibility.stiffness, actuator.flexibility.damping, actuator.Ia]
            self.stiffness[k], self.damping[k], self.rotor[k] = mechanism.numbers(entries)

    @property
    def forward(self) -> Floats:
        """qdd and qdd_motor."""
        s = self.task.state
        return np.concatenate(self._accelerations(s["q"], s["qd"], s["q_motor"], s["qd_motor"], s["tau"]))

    @property
    def inverse(self) -> Floats:
        """q_motor and tau."""
        s = self.task.state
        A, H = self._links(s["q"], s["qd"])
        torques = A @ s["qdd"] + H
        positions, tau = np.array(s["q"][self.in_q]), torques.copy()
        for k in self.joints:
            link = torques[self.in_qd][k]
            damped = self.damping[k] * (s["qd"][self.in_qd][k] - s["qd_motor"][k])
            positions[k] += (link + damped) / self.stiffness[k]
            tau[self.in_qd][k] = link + self.rotor[k] * s["qdd_motor"][k]
        return np.concatenate([positions, tau])

    @property
    def energies(self) -> Floats:
        s = self.task.state
        kinetic, potential = self.task.motion.energies()
        kinetic += self.rotor @ (s["qd_motor"] ** 2 - s["qd"][self.in_qd] ** 2) / 2
        potential += self.stiffness @ (s["q"][self.in_q] - s["q_motor"]) ** 2 / 2
        return np.array([kinetic, potential])

    @property
    def slopes(self) -> Floats:
        """The accelerations by the state and by the torques, by finite differences."""
        n, tau = len(self.task.state["qd"]), self.task.state["tau"]
        by_state = slopes(lambda y: self._rates(y, tau)[2 * n :], self._state)
        return np.hstack([by_state, slopes(lambda tau: self._rates(self._state, tau)[2 * n :], tau, 0.5)])

    @property
    def step(self) -> Floats:
        """The state after one step of Runge and Kutta."""
        return runge_kutta(lambda y: self._rates(y, self.task.state["tau"]), self._state)

    @property
    def _state(self) -> Floats:
        return np.concatenate([self.task.state[name] for name in ("q", "q_motor", "qd", "qd_motor")])

    def _rates(self, y: Floats, tau: Floats) -> Floats:
        """Rates of the state [q; q_motor; qd; qd_motor]."""
        q, x, qd, v = np.split(y, 4)
        return np.concatenate([y[2 * len(q) :], *self._accelerations(q, qd, x, v, tau)])

    def _links(self, q: Floats, qd: Floats) -> tuple[Floats, Floats]:
        """The inertia of the links without the rotors of flexible joints, and H."""
        motion = self.task.moved(q=q, qd=qd)
        A = np.array(motion.inertia)
        joints = np.arange(len(A))[self.in_qd]
        A[joints, joints] -= self.rotor
        return A, motion.torques(np.zeros(motion.nv))

    def _accelerations(self, q: Floats, qd: Floats, x: Floats, v: Floats, tau: Floats) -> tuple[Floats, Floats]:
        """qdd and qdd_motor."""
        A, H = self._links(q, qd)
        spring, pushed = self.stiffness * (q[self.in_q] - x) + self.damping * (qd[self.in_qd] - v), np.array(tau)
        pushed[self.in_qd][self.joints] = -spring[self.joints]
        qdd = np.linalg.solve(A, pushed - H)
        motors = np.array(qdd[self.in_qd])
        for k in self.joints:
            motors[k] = (tau[self.in_qd][k] + spring[k]) / self.rotor[k]
        return qdd, motors
