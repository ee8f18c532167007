"""PID control in task space beside the formula in NumPy and Pinocchio; its integral; the energy it takes away."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from control.joint_plants import Caller, torques
from control.task_plants import Plant, Reference, arm, error
from real_robots import real_robot
from scipy.spatial.transform import Rotation

import robosym
from robosym.control import ControlError, task_pid
from robosym.errors import RobosymError


def tool() -> np.ndarray:
    pose = np.eye(4)
    pose[:3, :3] = Rotation.from_rotvec([0.3, -0.8, 0.5]).as_matrix()
    pose[:3, 3] = 0.1, -0.2, 0.3
    return pose


def formula(plant: Plant, law: Any, rows: Any, state: dict[str, np.ndarray]) -> np.ndarray:
    """J_e^T (Kp e + Kd e'), J_e the Jacobian of -e by differences: nothing of the law's own mathematics."""
    q, qd, h = state["q"], state["qd"], 1e-4

    def e(q: np.ndarray, t: float = 0.0) -> np.ndarray:
        return error(plant.pose(q), plant_reference(state, t))[rows]

    columns = [(e(q - 2 * d) - 8 * e(q - d) + 8 * e(q + d) - e(q + 2 * d)) / (12 * h) for d in h * np.eye(len(q))]
    Je = np.array(columns).T
    moved = (e(q, -2 * h) - 8 * e(q, -h) + 8 * e(q, h) - e(q, 2 * h)) / (12 * h)
    return -Je.T @ (law.gains["Kp"] * e(q) + law.gains["Kd"] * (Je @ qd + moved))


def plant_reference(state: dict[str, np.ndarray], t: float) -> np.ndarray:
    """The wanted pose as it moves at its velocity."""
    T = state["T_d"].copy()
    T[:3, :3] = Rotation.from_rotvec(t * state["V_d"][3:]).as_matrix() @ T[:3, :3]
    T[:3, 3] += t * state["V_d"][:3]
    return T


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(
    ("joints", "task", "gravity"),
    [("RRRRRR", "pose", True), ("RPR", "position", False), ("RRPR", ["vx", "vz", "wy"], True)],
)
def test_the_law_is_its_formula(joints: str, task: Any, gravity: bool) -> None:
    rng = np.random.default_rng(len(joints))
    robot = arm(rng, joints)
    plant = Plant.of(robot, tool=tool())
    count = 6 if task == "pose" else 3
    rows = {"pose": range(6), "position": range(3)}.get(task if isinstance(task, str) else "", (0, 2, 4))
    law = task_pid(
        robot,
        Kp=rng.uniform(5, 50, count),
        Kd=rng.uniform(1, 5, count),
        task=task,
        tool=tool(),
        gravity=gravity,
        joint_damping=0.0,
    )
    for turn in (0.0, 0.7, 2.5):
        q, qd = rng.uniform(-2, 2, (2, len(joints)))
        state = {"q": q, "qd": qd, **Reference.near(rng, plant.pose(q), 0.4, turn)(0.3)}
        expected = formula(plant, law, list(rows), state) + (plant.twin.gravity(q) if gravity else 0.0)
        assert torques(law, **state) == pytest.approx(expected, abs=1e-7)


def test_damping_of_joints_that_are_left_over() -> None:
    robot = real_robot("arm7")
    with pytest.raises(ControlError, match=r"1 motion of the joints would be left alone: expected joint_damping"):
        task_pid(robot, Kp=100, Kd=10)
    damped, free = (task_pid(robot, Kp=100, Kd=10, joint_damping=d, limits=False) for d in (np.arange(1.0, 8.0), 0))
    rng = np.random.default_rng(1)
    q, qd = rng.normal(size=(2, 7))
    state = {"q": q, "qd": qd, "T_d": np.eye(4), "V_d": np.zeros(6)}
    assert torques(free, **state) - torques(damped, **state) == pytest.approx(np.arange(1.0, 8.0) * qd)


def test_the_integral_is_the_sum_of_errors_and_stands_still_at_limits() -> None:
    rng = np.random.default_rng(6)
    robot = arm(rng, "RRR")
    plant = Plant.of(robot)
    options: dict[str, Any] = {"Kp": 3.0, "Kd": 1.0, "KI": [2.0, 3.0, 4.0], "task": "position", "period": 0.01}
    caller, cut = Caller(task_pid(robot, **options)), Caller(task_pid(robot, limits=0.5, **options))
    plain = task_pid(robot, **{**options, "KI": 0.0})
    assert not plain.state
    assert cut.law.gains["tau_max"] == pytest.approx([0.5] * 3)
    q = rng.normal(size=3)
    state = {"q": q, "qd": np.zeros(3), "V_d": np.zeros(6)}
    total = np.zeros(3)
    for _ in range(5):
        T_d = np.eye(4)
        T_d[:3, 3] = rng.normal(size=3)
        without = torques(plain, **state, T_d=T_d)
        extra = plant.jacobian(q)[:3].T @ (np.array([2.0, 3.0, 4.0]) * total)
        assert caller(**state, T_d=T_d) == pytest.approx(without + extra, abs=1e-12)
        total += 0.01 * (T_d[:3, 3] - plant.pose(q)[:3, 3])
        assert caller.state["integral"] == pytest.approx(total, abs=1e-14)
        assert np.abs(cut(**state, T_d=T_d)).max() <= 0.5
    assert not cut.state["integral"].any()
    caller(**state, T_d=np.full((4, 4), np.nan))
    assert caller.state["integral"] == pytest.approx(total, abs=1e-14)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"Kp": -1.0}, "Kp: got -1, expected at least 0"),
        ({"Kd": [1.0, 2.0]}, r"Kd: expected one number, or 4, got the shape \(2,\)"),
        ({"Kp": np.nan}, "Kp: got nan, expected a number"),
        ({"gravity": 1}, "gravity: got 1, expected True or False"),
        ({"period": 0.0}, "period: got 0.0, expected a number above 0"),
        ({"velocity": "filtered"}, "velocity: got 'filtered'"),
    ],
)
def test_bad_settings_are_named(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(RobosymError, match=said):
        task_pid(robosym.load("scara"), **{"Kp": 1.0, "Kd": 1.0, **changed})
