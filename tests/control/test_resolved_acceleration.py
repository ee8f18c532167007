"""Resolved acceleration: the error equation [9.36] of position and orientation, at single states and along a closed loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from control.joint_plants import Caller, torques
from control.task_plants import Plant, Reference, arm, error, error_rates, followed
from models.kinematic.mass_states import random_placed
from models.reference import loaded_robot
from real_robots import real_robot
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

import robosym
from robosym import models
from robosym.control import ControlError, Law, resolved_acceleration
from robosym.errors import RobosymError
from robosym.models.kinematic.task import ROWS

BANDWIDTH, DAMPING = np.array([3.0, 4.0, 5.0, 6.0, 7.0, 8.0]), np.array([0.7, 1.0, 1.2, 0.5, 1.0, 0.9])


@pytest.fixture(scope="module")
def puma() -> tuple[Plant, Law]:
    robot = real_robot("puma")
    tool = np.eye(4)
    tool[:3, :3] = Rotation.from_rotvec([0.4, 1.0, -0.3]).as_matrix()
    tool[:3, 3] = 0.05, 0.1, 0.2
    law = resolved_acceleration(robot, bandwidth=BANDWIDTH, damping=DAMPING, tool=tool, limits=False)
    return Plant.of(robot, tool=tool), law


def left_over(plant: Plant, law: Law, rng: np.random.Generator, q: np.ndarray, turn: float, rows: Any) -> np.ndarray:
    """e'' + Kd e' + Kp e under the law, the accelerations by Pinocchio, the errors by SciPy."""
    reference = Reference.near(rng, plant.pose(q), 0.3, turn)
    qd = rng.normal(size=len(q))
    tau = torques(law, q=q, qd=qd, **reference(0.0))
    e, ed, edd = (x[rows] for x in error_rates(plant, reference, q, qd, plant.acceleration(q, qd, tau)))
    return np.asarray(edd + law.gains["Kd"] * ed + law.gains["Kp"] * e)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("turn", [0.0, 1e-9, 0.4, 2.8])
def test_position_and_orientation_follow_the_error_equation(puma: tuple[Plant, Law], turn: float) -> None:
    plant, law = puma
    rng = np.random.default_rng(7)
    for _ in range(2):
        q = np.array([0.2, -0.6, 0.9, 0.5, 0.8, -0.4]) + rng.uniform(-0.4, 0.4, 6)
        assert 1 / np.linalg.norm(np.linalg.inv(plant.jacobian(q))) > law.settings["singular_below"][0]
        assert left_over(plant, law, rng, q, turn, range(6)) == pytest.approx(np.zeros(6), abs=2e-6)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(("joints", "rows"), [("RPR", range(3)), ("RRR", range(3)), ("RRPRP", [0, 1, 2])])
def test_random_arms_follow_it_in_what_they_can_make(joints: str, rows: Any) -> None:
    """The last one has two joints left over, which do not disturb the others."""
    for seed in range(1 if len(joints) > 3 else 2):
        rng = np.random.default_rng(seed)
        plant = Plant.of(arm(rng, joints))
        law = resolved_acceleration(
            plant.robot, bandwidth=BANDWIDTH[:3], damping=DAMPING[:3], task="position", singular_damping=0, posture=9.0
        )
        for _ in range(3):
            q = rng.uniform(-1, 1, len(joints))
            if np.linalg.svd(plant.jacobian(q)[:3], compute_uv=False)[-1] > 0.05:
                assert left_over(plant, law, rng, q, 1.0, rows) == pytest.approx(np.zeros(3), abs=1e-5)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", [4, 9, 11])
def test_trees_with_dependent_joints_on_bases_that_stand_or_move(seed: int) -> None:
    """In the components they make by default, beside the models of the frame's motion: a = A_d + Kd (V_d - V) + Kp (p_d - p)."""
    rng = np.random.default_rng(seed)
    symbolic = bool(seed % 2)
    robot = random_placed(seed, 7, symbolic=symbolic) if seed < 6 else loaded_robot(rng, 6, symbolic)
    frame, n = max(range(1, len(robot.frames) + 1), key=lambda j: len(robot.path(j))), len(robot.moving)
    law = resolved_acceleration(robot, frame=frame, singular_damping=0, bandwidth=4.0)
    rows = [i for i, row in enumerate(ROWS[:3]) if row in law.model.options["task"]]
    q, qd = rng.uniform(-1, 1, (2, n))
    V_d, A_d = rng.normal(size=(2, 6))
    T = models.transform(robot, frame=frame, reference="world").evaluate(q=q)
    T_d = T.copy()
    T_d[:3, 3] += 0.1, 0.2, -0.1
    tau = torques(law, q=q, qd=qd, T_d=T_d, V_d=V_d, A_d=A_d)
    qdd = models.forward_dynamics(robot).evaluate(q=q, qd=qd, tau=tau)
    found = models.accelerations(robot, frame=frame).evaluate(q=q, qd=qd, qdd=qdd)
    V = models.velocities(robot, frame=frame).evaluate(q=q, qd=qd)
    expected = (A_d + 8.0 * (V_d - V))[:3] + 16.0 * np.array([0.1, 0.2, -0.1])  # [9.35]
    assert found[rows] == pytest.approx(expected[rows], rel=1e-9, abs=1e-9)


def test_a_scara_turns_about_the_vertical() -> None:
    """Of the rotation one component alone, which is all that the robot makes."""
    robot = robosym.load("scara")
    law = resolved_acceleration(robot, bandwidth=BANDWIDTH[:4], singular_damping=0)
    call = law.compile()
    T, V, J = (
        getattr(robosym.models, name)(robot, **more).compile()
        for name, more in (("transform", {"reference": "world"}), ("velocities", {}), ("jacobian", {}))
    )
    forward = robosym.models.forward_dynamics(robot).compile()
    drift = robosym.models.jdot_qdot(robot).compile()
    q, qd = np.array([0.3, 0.9, 0.2, -0.4]), np.array([1.0, -2.0, 0.5, 1.5])
    for turn in (0.0, 1e-9, 2.0, -3.1):
        T_d = T(q=q).copy()
        T_d[:3, :3] = Rotation.from_rotvec([0, 0, turn]).as_matrix() @ T_d[:3, :3]
        T_d[:3, 3] += 0.1, -0.2, 0.05
        V_d, A_d = np.array([0.1, 0.2, 0.3, 0, 0, 0.7]), np.array([1.0, 2.0, 3.0, 0, 0, -2.0])
        tau = call(q=q, qd=qd, T_d=T_d, V_d=V_d, A_d=A_d)
        found = J(q=q) @ forward(q=q, qd=qd, tau=tau) + drift(q=q, qd=qd)
        e = error(T(q=q), T_d)[[0, 1, 2, 5]]
        rate = (V_d - V(q=q, qd=qd))[[0, 1, 2, 5]]
        expected = A_d[[0, 1, 2, 5]] + law.gains["Kd"] * rate + law.gains["Kp"] * e  # [9.35]
        assert found[[0, 1, 2, 5]] == pytest.approx(expected, abs=1e-9)


def test_the_closed_loop_is_the_solution_of_the_error_equation(puma: tuple[Plant, Law]) -> None:
    """Every component by itself, from large errors of position and orientation, beside the exponential of its matrix."""
    plant, law = puma
    rng = np.random.default_rng(11)
    q, qd = np.array([0.2, -0.6, 0.9, 0.5, 0.8, -0.4]), rng.uniform(-0.3, 0.3, 6)
    reference = Reference.near(rng, plant.pose(q), 0.1, 0.6)
    times = np.linspace(0, 0.6, 301)
    states = followed(plant, law, reference, q, qd, times)
    e, ed, _ = error_rates(plant, reference, q, qd, np.zeros(6))
    for k in (100, 200, 300):
        found = error(plant.pose(states[k][0]), reference(times[k])["T_d"])
        for i in range(6):
            A = np.array([[0, 1], [-law.gains["Kp"][i], -law.gains["Kd"][i]]])
            assert found[i] == pytest.approx((expm(A * times[k]) @ [e[i], ed[i]])[0], abs=1e-8)
    assert np.abs(e).max() > 0.3 > 0.1 > np.abs(found).max()


def test_equal_gains_turn_about_a_fixed_axis(puma: tuple[Plant, Law]) -> None:
    """From rest to an orientation far away the shortest way: the error keeps its direction."""
    plant, law = puma
    law = law.tuned(bandwidth=5.0, damping=1.0)
    q = np.array([0.2, -0.6, 0.9, 0.5, 0.8, -0.4])
    T_d = plant.pose(q)
    T_d[:3, :3] = Rotation.from_rotvec([0.5, -0.4, 0.6]).as_matrix() @ T_d[:3, :3]
    still = {"T_d": T_d, "V_d": np.zeros(6), "A_d": np.zeros(6)}
    states = followed(plant, law, lambda t: still, q, np.zeros(6), np.linspace(0, 0.5, 101))
    for x, _ in states[::20]:
        found = error(plant.pose(x), T_d)[3:]
        assert np.cross(found, [0.5, -0.4, 0.6]) == pytest.approx(np.zeros(3), abs=1e-8)
    assert found == pytest.approx(np.array([0.5, -0.4, 0.6]) * (1 + 2.5) * np.exp(-2.5), abs=1e-8)


@pytest.mark.slow
def test_an_integral_takes_a_constant_load_away() -> None:
    """Held at 1 kHz, with a mass at the flange that the law does not know: without the integral an error is left."""
    rng = np.random.default_rng(3)
    plant = Plant.of(arm(rng, "RRR"))
    q0 = np.array([0.3, 0.8, -0.6])
    T_d = plant.pose(q0)
    still = {"T_d": T_d, "V_d": np.zeros(6), "A_d": np.zeros(6)}
    load = np.array([0, 0, -5.0, 0, 0, 0])
    left = []
    for integral in (False, True):
        caller = Caller(resolved_acceleration(plant.robot, bandwidth=15.0, task="position", integral=integral))
        q, qd = q0, np.zeros(3)
        for _ in range(800):
            tau = caller(q=q, qd=qd, **still)
            qd = qd + 1e-3 * plant.acceleration(q, qd, tau, load)
            q = q + 1e-3 * qd
        left.append(np.abs(error(plant.pose(q), T_d)[:3]).max())
    assert left[0] > 1e-3
    assert left[1] < 1e-5


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"bandwidth": 0.0}, "bandwidth: got 0, expected a number above zero"),
        ({"damping": -1.0}, "damping: got -1"),
        ({"integral": "yes"}, "integral: got 'yes'"),
        ({"rest": [0.0] * 4}, "rest: the task leaves no joint to rest"),
        ({"singular_damping": -0.1}, "singular_damping: got -0.1"),
        ({"task": "pose"}, r"the joints move 4 of the 6 components vx vy vz wx wy wz independently"),
    ],
)
def test_bad_settings_are_named(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(RobosymError, match=said):
        resolved_acceleration(robosym.load("scara"), **changed)


def test_lengths_without_values_have_no_known_singularities() -> None:
    robot = robosym.Robot.from_table("planar-2r", [{"d": 0}, {"d": "L1"}, {"d": "L2", "sigma": 2}])
    with pytest.raises(ControlError, match=r"lengths without values: .* singular_damping=0"):
        resolved_acceleration(robot)
    assert {"L1", "L2"} <= {s.name for s in resolved_acceleration(robot, singular_damping=0).routine.parameter_symbols}
