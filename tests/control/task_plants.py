"""Plants and references for laws in task space: Pinocchio moves the robot, SciPy turns the frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from control.joint_plants import inputs_of, rk4
from models.pinocchio_states import Twin, pin
from random_robots import random_inertia
from scipy.spatial.transform import Rotation

from robosym.control.law import Law
from robosym.expr import number, pi, variable
from robosym.models.request import target
from robosym.robot import FIXED, PRISMATIC, REVOLUTE, Frame, Joint, Link, Robot


def arm(rng: np.random.Generator, joints: str, name: str = "arm") -> Robot:
    """A serial arm of random geometry and links ("RRPRRR") with a flange at its end."""
    frames = []
    for j, kind in enumerate(joints, 1):
        own, prismatic = variable(f"q{j}"), kind == "P"
        angle, length = float(rng.uniform(-1, 1)), float(rng.uniform(0.1, 0.6))
        frames.append(
            Frame(
                name=f"frame{j}",
                antecedent=j - 1,
                joint=Joint(own.name, own),
                sigma=PRISMATIC if prismatic else REVOLUTE,
                alpha=pi / 2 if rng.random() < 0.5 else number(float(rng.uniform(0.5, 2.5))),
                d=number(float(rng.uniform(0.1, 0.6))),
                theta=number(angle) if prismatic else number(angle) + own,
                r=number(length) + own if prismatic else number(length),
                link=Link(*map(number, random_inertia(rng))),
            )
        )
    d, r = (number(float(x)) for x in rng.uniform(0.1, 0.4, 2))
    frames.append(Frame("flange", len(joints), Joint("mount"), FIXED, alpha=number(float(rng.uniform(0, 3))), d=d, r=r))
    return Robot(name, tuple(frames), gravity=(number(0), number(0), number(-9.81)))


@dataclass(frozen=True)
class Plant:
    """A robot in Pinocchio, and the frame a law is about."""

    robot: Robot
    twin: Twin
    frame: int
    tool: np.ndarray

    @classmethod
    def of(cls, robot: Robot, frame: int | str | None = None, tool: np.ndarray | None = None) -> Plant:
        n = target(robot, frame)
        return cls(robot, Twin.of_robot(robot), n, np.eye(4) if tool is None else tool)

    def pose(self, q: np.ndarray) -> np.ndarray:
        model, data = self.twin.model, self.twin.data
        pin.forwardKinematics(model, data, self.twin.configuration(q))
        return pin.updateFramePlacement(model, data, self.twin.frame_id(self.frame)).homogeneous @ self.tool

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        """Of the tool's origin, world axes."""
        model, data, of = self.twin.model, self.twin.data, self.twin.frame_id(self.frame)
        J = pin.computeFrameJacobian(
            model, data, self.twin.configuration(q), of, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        )
        J = J @ self.twin.spread
        pin.framesForwardKinematics(model, data, self.twin.configuration(q))
        lever = data.oMf[of].rotation @ self.tool[:3, 3]
        J[:3] -= pin.skew(lever) @ J[3:]
        return J

    def acceleration(self, q: np.ndarray, qd: np.ndarray, tau: np.ndarray, wrench: np.ndarray | None = None) -> Any:
        """Of the joints, with a wrench of the environment on the frame."""
        pushed = tau if wrench is None else tau + self.jacobian(q).T @ wrench
        return self.twin.aba(q, qd, pushed)


@dataclass(frozen=True)
class Reference:
    """A pose that moves for ever: T_d, V_d, A_d at any time, written out."""

    start: np.ndarray
    shift: np.ndarray
    axes: tuple[np.ndarray, np.ndarray]
    speeds: np.ndarray

    @classmethod
    def near(cls, rng: np.random.Generator, start: np.ndarray, shift: float, turn: float) -> Reference:
        """Away from the pose by so much at time zero."""
        axis = rng.normal(size=3)
        moved = start.copy()
        moved[:3, :3] = Rotation.from_rotvec(turn * axis / np.linalg.norm(axis)).as_matrix() @ start[:3, :3]
        moved[:3, 3] += shift * rng.uniform(-1, 1, 3)
        axes = tuple(a / np.linalg.norm(a) for a in rng.normal(size=(2, 3)))
        return cls(moved, 0.05 * rng.normal(size=3), (axes[0], axes[1]), rng.uniform(0.5, 2, 3))

    def __call__(self, t: float) -> dict[str, np.ndarray]:
        a, b = self.axes
        w, first, second = self.speeds
        T_d = self.start.copy()
        T_d[:3, 3] += self.shift * np.sin(w * t)
        R1, R2 = (Rotation.from_rotvec(x * 0.3 * np.sin(s * t)) for x, s in ((a, first), (b, second)))
        T_d[:3, :3] = (R1 * R2).as_matrix() @ self.start[:3, :3]
        w1, w2 = a * 0.3 * first * np.cos(first * t), R1.apply(b) * 0.3 * second * np.cos(second * t)
        wd1, wd2 = -a * 0.3 * first**2 * np.sin(first * t), -R1.apply(b) * 0.3 * second**2 * np.sin(second * t)
        V_d = np.concatenate([self.shift * w * np.cos(w * t), w1 + w2])
        A_d = np.concatenate([-self.shift * w**2 * np.sin(w * t), wd1 + np.cross(w1, w2) + wd2])
        return {"T_d": T_d, "V_d": V_d, "A_d": A_d}


def error(T: np.ndarray, T_d: np.ndarray) -> np.ndarray:
    """What is missing of the position, and of the orientation as a rotation vector, by SciPy."""
    turn = Rotation.from_matrix(T_d[:3, :3] @ T[:3, :3].T).as_rotvec()
    return np.concatenate([T_d[:3, 3] - T[:3, 3], turn])


def error_rates(
    plant: Plant, reference: Reference, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, h: float = 1e-3
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """e, e', e'' at time zero, by differences of the fourth order along the motion that begins so."""
    e = [error(plant.pose(q + t * qd + t * t / 2 * qdd), reference(t)["T_d"]) for t in h * np.arange(-2, 3)]
    first = (e[0] - 8 * e[1] + 8 * e[3] - e[4]) / (12 * h)
    second = (-e[0] + 16 * e[1] - 30 * e[2] + 16 * e[3] - e[4]) / (12 * h * h)
    return e[2], first, second


def followed(
    plant: Plant, law: Law, reference: Callable[[float], dict[str, Any]], q: Any, qd: Any, times: np.ndarray
) -> list[tuple[np.ndarray, np.ndarray]]:
    """The states at these times, by Runge and Kutta, under a law without memory that is called at every moment."""
    call, found = law.compile(), [(np.asarray(q, float), np.asarray(qd, float))]
    for t, after in pairwise(times):

        def tau(part: float, q: np.ndarray, qd: np.ndarray, start: float = t) -> np.ndarray:
            made = call(**inputs_of(law, {"q": q, "qd": qd, **reference(start + part)}))
            return np.asarray(made["tau"] if isinstance(made, dict) else made)

        found.append(rk4(plant.acceleration, *found[-1], tau, after - t))
    return found
