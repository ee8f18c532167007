"""Robots whose motors are carried along by their links, and three references for them that share nothing with the models.

- ``Rotating``: Pinocchio with every rotor as a joint and a body of its own, which turns at the speed of its motor;
- ``lagrange``: the kinetic energy of the links and of rotors as wide discs in NumPy, differentiated numerically;
- ``gyroscopic_torques``: the gyroscopic moments Jm (qdd_m a + w x qd_m a) written down, on the motion of the links in NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from models.driven_robots import driven_robot, jacobian_of_motors, rotors_of_motors
from models.reference import _joint_rates, _motion, frame_poses, newton_euler, numbers
from models.small_matrices import skew

from robosym.expr import Expr, number, parameter
from robosym.robot import FIXED, PRISMATIC, Motor, Robot, Value

SIMPLE = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, -1, 0), (-1, 0, 0), (0, 0, -1), (0, 3, 4), (0.6, 0, -0.8))


def with_axes(robot: Robot, rng: np.random.Generator, symbolic: bool = False, all_of_them: bool = False) -> Robot:
    """Motors with random axes on any links; some have none."""
    values = dict(robot.values)
    frames = []
    for j, frame in enumerate(robot.frames, 1):
        motor = frame.actuator.motor
        if not motor.Jm.is_zero and (all_of_them or rng.random() < 0.8):
            draw = rng.uniform(-1, 1, 3) if rng.random() < 0.5 else np.array(SIMPLE[rng.integers(len(SIMPLE))], float)
            link = int(rng.integers(0, robot.n_links + 1)) if rng.random() < 0.6 else None
            axis: list[Expr] = [number(float(x)) for x in draw]
            if symbolic and rng.random() < 0.5:
                axis = [parameter(f"AX{j}_{k}") for k in range(3)]
                values |= {f"AX{j}_{k}": Value(float(x)) for k, x in enumerate(draw)}
            motor = replace(motor, axis=(axis[0], axis[1], axis[2]), link=link)
        frames.append(replace(frame, actuator=replace(frame.actuator, motor=motor)))
    return robot.replace(frames=tuple(frames), values=values)


def spinning_robot(seed: int, n: int, symbolic: bool = True, couplings: int = 1) -> Robot:
    """A random tree with mimic and prismatic joints and fixed frames, reductions and coupled motors."""
    rng = np.random.default_rng(seed)
    robot = with_axes(driven_robot(rng, n, symbolic, couplings), rng, symbolic)
    if any(frame.actuator.motor.axis is not None for frame in robot.frames):
        return robot
    return with_axes(robot, rng, symbolic, all_of_them=True)


def plain(robot: Robot, motors: bool) -> Robot:
    """Without the motors that have an axis; or, unless ``motors``, without any."""

    def kept(motor: Motor) -> Motor:
        return motor if motors and motor.axis is None else replace(motor, Jm=number(0), axis=None, link=None)

    frames = (replace(f, actuator=replace(f.actuator, motor=kept(f.actuator.motor))) for f in robot.frames)
    return robot.replace(frames=tuple(frames))


# --- what a rotor is ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rotor:
    """In numbers: the frame of its motor, the frame it is on, its unit axis there, its inertia."""

    j: int
    link: int
    a: np.ndarray
    Jm: float


def rotors(robot: Robot) -> list[Rotor]:
    found = []
    for j, frame in enumerate(robot.frames, 1):
        motor = frame.actuator.motor
        if motor.axis is not None:
            *axis, Jm = numbers(robot, [*motor.axis, motor.Jm])
            link = frame.antecedent if motor.link is None else motor.link
            found.append(Rotor(j, link, np.array(axis) / np.linalg.norm(axis), Jm))
    return found


def speeds_of_rotors(robot: Robot) -> np.ndarray:
    """d (speeds of the rotors) / d qd of the joints, without a free base."""
    inverse = np.linalg.inv(jacobian_of_motors(robot))
    rows = []
    for rotor in rotors(robot):
        if rotor.j in robot.moving:
            rows.append(inverse[robot.moving.index(rotor.j)])
            continue
        master, ratio = robot.master(rotor.j)
        own = robot.frame(rotor.j).actuator.ratio
        row = np.zeros(len(robot.moving))
        row[robot.moving.index(master)] = np.prod(numbers(robot, [ratio, number(1) if own is None else own]))
        rows.append(row)
    return np.array(rows)


def rows_at(robot: Robot) -> np.ndarray:
    """The same with a free base before the joints."""
    rows = speeds_of_rotors(robot)
    return np.hstack([np.zeros((len(rows), robot.nv - len(robot.moving))), rows])


# --- Pinocchio ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rotating:
    """Pinocchio's model with a joint and a body for each rotor, and how its speeds follow from qd.

    The links hold the rotors at rest. What these are there is the difference of two models too: with bodies that do not spin
    and without them.
    """

    robot: Robot
    bare: Any  # without bodies for the rotors
    twin: Any
    R: np.ndarray  # of the rotors that turn with their joints only
    angles: np.ndarray  # of the others: any

    @classmethod
    def of(cls, robot: Robot, seed: int = 0) -> Rotating:
        from models.pinocchio_states import Twin, pin

        twin = Twin.of_robot(robot)
        model = twin.model
        by_name = {frame.name: (frame.parentJoint, frame.placement) for frame in model.frames}
        home = {0: (int(robot.base.floating), pin.SE3.Identity())}
        home |= {j: by_name[frame.name] for j, frame in enumerate(robot.frames, 1)}
        for rotor in rotors(robot):
            joint, place = home[rotor.link]
            turn = pin.Quaternion.FromTwoVectors(np.array([0.0, 0, 1]), rotor.a).toRotationMatrix()
            at = place * pin.SE3(turn, np.array([0.3, -0.2, 0.5]))  # wherever on the link
            own = model.addJoint(joint, pin.JointModelRZ(), at, f"rotor{rotor.j}")
            J = pin.Inertia(0.0, np.zeros(3), np.diag([0, 0, rotor.Jm]))
            model.appendBodyToJoint(own, J, pin.SE3.Identity())
        free, R = robot.nv - len(robot.moving), np.zeros((robot.nv, robot.nv))
        R[free:, free:] = rotors_of_motors(plain(robot, motors=True))
        angles = np.random.default_rng(seed).uniform(-3, 3, len(rotors(robot)))
        return cls(robot, Twin.of_robot(robot), replace(twin, data=model.createData()), R, angles)

    def rnea(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        spinning, held = (self._rnea(q, qd, qdd, rows) for rows in (rows_at(self.robot), 0 * rows_at(self.robot)))
        return spinning - held + self.bare.rnea(q, qd, qdd) + self.R @ qdd

    def _rnea(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, rows: np.ndarray) -> np.ndarray:
        from models.pinocchio_states import pin

        G, x = self.twin.spread, self.twin.configuration(q)
        G[len(G) - len(rows) :], x[len(x) - len(rows) :] = rows, self.angles
        return G.T @ pin.rnea(self.twin.model, self.twin.data, x, G @ qd, G @ qdd)

    def matrix(self, q: np.ndarray) -> np.ndarray:
        """A, column by column."""
        zero = np.zeros(self.robot.nv)
        rest = self.rnea(q, zero, zero)
        return np.transpose([self.rnea(q, zero, unit) - rest for unit in np.eye(self.robot.nv)])


# --- Lagrange ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Disc:
    """A rotor as a rigid body that turns about its centre; this moves as a point of the link, whatever the rotor does."""

    frame: int
    J: np.ndarray  # about its centre
    spin: np.ndarray  # (3, nv): its own angular velocity for unit speeds, in the axes of the frame


def discs_of(robot: Robot) -> list[Disc]:
    found = []
    for rotor, row in zip(rotors(robot), speeds_of_rotors(robot), strict=True):
        across = 0.7 * rotor.Jm
        J = across * np.eye(3) + (rotor.Jm - across) * np.outer(rotor.a, rotor.a)
        found.append(Disc(rotor.link, J, np.outer(rotor.a, row)))
    return found


def lagrange(robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, h: float = 1e-3) -> np.ndarray:
    """d/dt dT/dqd - dT/dq + dU/dq by central differences of the fourth order, on a base at rest; without Ia."""
    gravity = np.array(numbers(robot, robot.gravity))
    turning, discs = rotors_of_motors(plain(robot, motors=True)), discs_of(robot)

    def matrix(at: np.ndarray) -> np.ndarray:
        return turning + _matrix(robot, discs, at)

    def potential(at: np.ndarray) -> float:
        poses, total = frame_poses(robot, at), 0.0
        for j, frame in enumerate(robot.frames, 1):
            *S, M = numbers(robot, frame.link.inertial)[6:]
            total -= gravity @ (M * poses[j][:3, 3] + poses[j][:3, :3] @ S)
        return float(total)

    def slope(f: Callable[[np.ndarray], Any], along: np.ndarray) -> Any:
        return (8 * (f(q + h * along) - f(q - h * along)) - (f(q + 2 * h * along) - f(q - 2 * h * along))) / (12 * h)

    rest = [slope(potential, unit) - qd @ slope(matrix, unit) @ qd / 2 for unit in np.eye(robot.nv)]
    return matrix(q) @ qdd + slope(matrix, qd) @ qd + np.array(rest)


def _matrix(robot: Robot, discs: list[Disc], q: np.ndarray) -> np.ndarray:
    """Of the kinetic energy: links without the rotors on them, and rotors that turn at their own speed."""
    turning, moving = _velocities(robot, q)
    total = np.zeros((robot.nv, robot.nv))
    for j in range(1, len(robot.frames) + 1):
        XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = numbers(robot, robot.frame(j).link.inertial)
        S, J = np.array([MX, MY, MZ]), np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]])
        mixed = -moving[j].T @ skew(S) @ turning[j]  # v . (w x MS)
        total += M * moving[j].T @ moving[j] + mixed + mixed.T + turning[j].T @ J @ turning[j]
    for disc in discs:
        held = turning[disc.frame]  # as the link counts it
        spinning = held + disc.spin
        total += spinning.T @ disc.J @ spinning - held.T @ disc.J @ held
    return total


def _velocities(robot: Robot, q: np.ndarray) -> tuple[dict[int, np.ndarray], dict[int, np.ndarray]]:
    """Angular velocity and that of the origin of every frame for unit speeds, in its axes."""
    poses = frame_poses(robot, q)
    turning, moving = {0: np.zeros((3, robot.nv))}, {0: np.zeros((3, robot.nv))}
    for j in robot.order:
        frame, z = robot.frame(j), poses[j][:3, 2]
        i = frame.antecedent
        turning[j] = turning[i].copy()
        moving[j] = moving[i] - skew(poses[j][:3, 3] - poses[i][:3, 3]) @ turning[i]
        if frame.sigma != FIXED:
            rate = np.array([_joint_rates(robot, unit)[j] for unit in np.eye(robot.nv)])
            (moving if frame.sigma == PRISMATIC else turning)[j] += np.outer(z, rate)
    turned = [{j: poses[j][:3, :3].T @ x for j, x in one.items()} for one in (turning, moving)]
    return turned[0], turned[1]


# --- gyroscopic moments ------------------------------------------------------------------------------------------------


def gyroscopic_torques(robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    """Newton and Euler for the links, on any base that has a given motion, and the moments of the rotors by their work."""
    total = newton_euler(plain(robot, motors=False), q, qd, qdd).tau
    total = total + rotors_of_motors(plain(robot, motors=True)) @ qdd
    links = _motion(robot, q, _joint_rates(robot, qd), _joint_rates(robot, qdd))
    turning, _ = _velocities(robot, q)
    for rotor, row in zip(rotors(robot), speeds_of_rotors(robot), strict=True):
        link = links[rotor.link]
        a = link.R @ rotor.a
        moment = rotor.Jm * (row @ qdd * a + row @ qd * np.cross(link.w, a))
        total = total + (link.R @ turning[rotor.link]).T @ moment + row * rotor.Jm * (row @ qdd + a @ link.wd)
    return total
