"""Flexible joints in the reference: motors and links as two masses each, from the inertia and the torques of the rigid robot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .cases import DIFFERENCES, DT, STEP, Case, Task, joined, moved
from .mechanism import Floats

MOTORS = ("q_motor", "qd_motor")


@dataclass(frozen=True)
class Drives:
    """Stiffness, damping and rotors of the flexible joints, zero of the others; ``places`` are those of the joints in q and in qd."""

    flexible: list[int]  # among the joints that are coordinates
    stiffness: Floats
    damping: Floats
    rotor: Floats
    in_q: slice
    in_qd: slice


def drives_of(task: Task) -> Drives:
    robot, mechanism = task.reference.robot, task.reference.mechanism
    n = len(robot.moving)
    stiffness, damping, rotor = np.zeros((3, n))
    flexible = [robot.moving.index(j) for j in robot.flexible]
    for k, j in zip(flexible, robot.flexible, strict=True):
        actuator = robot.frame(j).actuator
        assert actuator.flexibility is not None
        entries = [actuator.flexibility.stiffness, actuator.flexibility.damping, actuator.Ia]
        stiffness[k], damping[k], rotor[k] = mechanism.numbers(entries)
    return Drives(flexible, stiffness, damping, rotor, slice(robot.nq - n, None), slice(robot.nv - n, None))


def _links(task: Task, drives: Drives, q: Floats, qd: Floats) -> tuple[Floats, Floats]:
    """The inertia of the links without the rotors of flexible joints, and H."""
    motion = moved(task, q=q, qd=qd)
    A = np.array(motion.inertia)
    joints = np.arange(len(A))[drives.in_qd]
    A[joints, joints] -= drives.rotor
    return A, motion.torques(np.zeros(motion.nv))


def _between(drives: Drives, q: Floats, qd: Floats, x: Floats, v: Floats) -> Floats:
    return np.asarray(drives.stiffness * (q[drives.in_q] - x) + drives.damping * (qd[drives.in_qd] - v))


def _accelerations(task: Task, q: Floats, qd: Floats, x: Floats, v: Floats, tau: Floats) -> tuple[Floats, Floats]:
    """qdd and qdd_motor."""
    drives = drives_of(task)
    A, H = _links(task, drives, q, qd)
    spring, pushed = _between(drives, q, qd, x, v), np.array(tau)
    pushed[drives.in_qd][drives.flexible] = -spring[drives.flexible]
    qdd = np.linalg.solve(A, pushed - H)
    motors = np.array(qdd[drives.in_qd])
    for k in drives.flexible:
        motors[k] = (tau[drives.in_qd][k] + spring[k]) / drives.rotor[k]
    return qdd, motors


def _forward(task: Task) -> Floats:
    s = task.state
    return np.concatenate(_accelerations(task, s["q"], s["qd"], s["q_motor"], s["qd_motor"], s["tau"]))


def _inverse(task: Task) -> Floats:
    """q_motor and tau."""
    drives, s = drives_of(task), task.state
    A, H = _links(task, drives, s["q"], s["qd"])
    torques = A @ s["qdd"] + H
    where, tau = np.array(s["q"][drives.in_q]), torques.copy()
    for k in drives.flexible:
        link = torques[drives.in_qd][k]
        damped = drives.damping[k] * (s["qd"][drives.in_qd][k] - s["qd_motor"][k])
        where[k] += (link + damped) / drives.stiffness[k]
        tau[drives.in_qd][k] = link + drives.rotor[k] * s["qdd_motor"][k]
    return np.concatenate([where, tau])


def _energies(task: Task) -> Floats:
    drives, s = drives_of(task), task.state
    kinetic, potential = task.motion.energies()
    kinetic += drives.rotor @ (s["qd_motor"] ** 2 - s["qd"][drives.in_qd] ** 2) / 2
    potential += drives.stiffness @ (s["q"][drives.in_q] - s["q_motor"]) ** 2 / 2
    return np.array([kinetic, potential])


def _rates(task: Task) -> Callable[[Floats], Floats]:
    """Of the state [q; q_motor; qd; qd_motor]."""
    n, tau = len(task.state["qd"]), task.state["tau"]

    def rates(y: Floats) -> Floats:
        q, x, qd, v = np.split(y, 4)
        return np.concatenate([y[2 * n :], *_accelerations(task, q, qd, x, v, tau)])

    return rates


def _state(task: Task) -> Floats:
    return np.concatenate([task.state[name] for name in ("q", "q_motor", "qd", "qd_motor")])


def _slopes(task: Task) -> Floats:
    """The accelerations by the state and by the torques, by differences."""
    rates, y, n = _rates(task), _state(task), len(task.state["qd"])
    columns = [(rates(y + STEP * e) - rates(y - STEP * e))[2 * n :] / (2 * STEP) for e in np.eye(4 * n)]
    s = task.state
    for e in np.eye(n):
        ends = [
            np.concatenate(_accelerations(task, s["q"], s["qd"], s["q_motor"], s["qd_motor"], s["tau"] + sign * e))
            for sign in (0.5, -0.5)
        ]
        columns.append(ends[0] - ends[1])
    return np.array(columns).T


def _step(task: Task) -> Floats:
    """One step of Runge and Kutta."""
    rate, y = _rates(task), _state(task)
    k1 = rate(y)
    k2 = rate(y + DT / 2 * k1)
    k3 = rate(y + DT / 2 * k2)
    k4 = rate(y + DT * k3)
    return np.asarray(y + DT / 6 * (k1 + 2 * k2 + 2 * k3 + k4))


STATE = ("q", "qd", *MOTORS)
FORWARD = ((*STATE, "tau"), joined("qdd", "qdd_motor"))
CASES = (
    Case("forward-dynamics", _forward, FORWARD[0], ours=FORWARD[1], tolerance=1e-6),
    Case("flexible-joint-forward-dynamics", _forward, FORWARD[0], ours=FORWARD[1], tolerance=1e-6),
    Case(
        "flexible-joint-inverse-dynamics",
        _inverse,
        ("q", "qd", "qdd", "qd_motor", "qdd_motor"),
        ours=joined("q_motor", "tau"),
    ),
    Case("energy", _energies, STATE, ours=joined("kinetic", "potential")),
    Case(
        "linearised",
        _slopes,
        FORWARD[0],
        ours=lambda o, t: np.hstack([o["A"][len(o["A"]) // 2 :], o["B"][len(o["B"]) // 2 :]]),
        how="finite differences",
        tolerance=DIFFERENCES,
        free_base=False,
    ),
    Case(
        "step",
        _step,
        (*FORWARD[0], "dt"),
        ours=joined("q_next", "q_motor_next", "qd_next", "qd_motor_next"),
        how="rk4",
        free_base=False,
    ),
)
