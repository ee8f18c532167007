"""Joints that are left over, and singularities: the posture does not move the frame, accelerations stay bounded."""

from __future__ import annotations

import numpy as np
import pytest
from control.joint_plants import Caller, torques
from control.out_of_reach import waits_stretched_out
from control.task_plants import Plant, Reference, arm, error, error_rates
from real_robots import real_robot

import robosym
from robosym.control import ControlError, Law, resolved_acceleration
from robosym.control.nearness import nearness_of


@pytest.fixture(scope="module")
def iiwa() -> tuple[Plant, Law]:
    robot = real_robot("arm7")
    law = resolved_acceleration(
        robot, bandwidth=8.0, posture=5.0, rest=[0.2, 0.5, -0.3, -1.2, 0.4, 0.9, 0.1], limits=False
    )
    return Plant.of(robot), law


Q = np.array([0.3, 0.7, -0.2, -1.3, 0.5, 0.8, 0.0])


def test_the_posture_does_not_move_the_frame(iiwa: tuple[Plant, Law]) -> None:
    """Whatever the joints left over do, [9.36] holds; and their accelerations are those of the posture in the null space."""
    plant, law = iiwa
    rng = np.random.default_rng(2)
    for turn, posture in ((0.0, 5.0), (1.5, 5.0), (1.5, 40.0)):
        q, qd = Q + rng.uniform(-0.2, 0.2, 7), rng.normal(size=7)
        reference = Reference.near(rng, plant.pose(q), 0.2, turn)
        own = law.tuned(posture=posture)
        qdd = plant.acceleration(q, qd, torques(own, q=q, qd=qd, **reference(0.0)))
        e, ed, edd = error_rates(plant, reference, q, qd, qdd)
        assert edd + law.gains["Kd"] * ed + law.gains["Kp"] * e == pytest.approx(np.zeros(6), abs=1e-5)
        null = np.linalg.svd(plant.jacobian(q))[2][6]
        wanted = -(posture**2) * (q - law.settings["rest"]) - 2 * posture * qd
        assert null @ qdd == pytest.approx(null @ wanted, rel=1e-8)


def test_joints_that_do_not_move_the_frame_go_to_rest() -> None:
    rng = np.random.default_rng(4)
    plant = Plant.of(arm(rng, "RRRRP"), frame="frame4")
    law = resolved_acceleration(
        plant.robot, frame="frame4", task="position", posture=3.0, rest=np.arange(5.0), singular_damping=0
    )
    q, qd = rng.uniform(-1, 1, (2, 5))
    still = {"T_d": plant.pose(q), "V_d": np.zeros(6), "A_d": np.zeros(6)}
    qdd = plant.acceleration(q, qd, torques(law, q=q, qd=qd, **still))
    assert qdd[4] == pytest.approx(-9 * (q[4] - 4) - 6 * qd[4])


def test_the_rest_of_the_description(iiwa: tuple[Plant, Law]) -> None:
    """In the middle of the limits, if nothing else is said."""
    robot = iiwa[0].robot
    middle = [(x.lower + x.upper) / 2 for x in (robot.frame(j).joint.limits for j in robot.moving)]
    found = resolved_acceleration(robot, task="position", singular_damping=0).settings["rest"]
    assert found == pytest.approx(middle)


# --- singularities -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def elbow() -> tuple[Plant, Law]:
    """Three joints that make a position."""
    plant = Plant.of(arm(np.random.default_rng(3), "RRR"))
    return plant, resolved_acceleration(plant.robot, bandwidth=5.0, task="position")


def singular(plant: Plant) -> tuple[np.ndarray, np.ndarray]:
    """A regular position, and one at which the arm is singular, found on a line between two signs of the determinant."""
    rng = np.random.default_rng(1)

    def det(q: np.ndarray) -> float:
        return float(np.linalg.det(plant.jacobian(q)[:3]))

    while True:
        a, b = rng.uniform(-2, 2, (2, 3))
        if det(a) * det(b) < 0 and min(abs(det(a)), abs(det(b))) > 0.02:
            break
    regular = a
    for _ in range(200):
        middle = (a + b) / 2
        a, b = (middle, b) if det(middle) * det(a) > 0 else (a, middle)
    return regular, (a + b) / 2


def test_through_a_singularity_accelerations_are_bounded_and_continuous(elbow: tuple[Plant, Law]) -> None:
    plant, law = elbow
    regular, at = singular(plant)
    qd, T_d = np.array([0.3, -0.2, 0.4]), plant.pose(regular)
    below, most = law.settings["singular_below"][0], law.settings["singular_damping"][0]
    still = {"T_d": T_d, "V_d": np.zeros(6), "A_d": np.zeros(6)}
    line = np.linspace(0, 1, 1601)[:, None]
    positions = regular + line * (at - regular)
    taus = law.compile()(
        q=positions, qd=np.tile(qd, (1601, 1)), **{k: np.tile(v, (1601, *[1] * v.ndim)) for k, v in still.items()}
    )
    qdd = np.array([plant.acceleration(q, qd, tau) for q, tau in zip(positions, taus, strict=True)])
    mu = nearness_of(np.array([plant.jacobian(q)[:3] for q in positions]))
    assert mu[0] > below > 1e-3 > mu[-1]
    assert np.isfinite(qdd).all()
    h = 1e-3
    sizes = []
    for q in positions[::40]:
        drift = (plant.pose(q + h * qd) - 2 * plant.pose(q) + plant.pose(q - h * qd))[:3, 3] / h**2
        wanted = 25 * error(plant.pose(q), T_d)[:3] - 10 * plant.jacobian(q)[:3] @ qd - drift
        sizes.append(np.linalg.norm(wanted))
    bound = max(sizes) * (1 / below + 1 / (2 * most)) + 20 * np.linalg.norm(qd)
    assert np.linalg.norm(qdd, axis=1).max() < bound
    first = int(np.argmax(mu < below))  # where the damping begins, closed in on
    a, b = positions[first - 1], positions[first]
    for _ in range(60):
        middle = (a + b) / 2
        a, b = (middle, b) if nearness_of(plant.jacobian(middle)[None, :3])[0] > below else (a, middle)
    outside, within = (torques(law, q=q, qd=qd, **still) for q in (a, b))
    assert outside == pytest.approx(within, rel=1e-6)
    undamped = resolved_acceleration(plant.robot, bandwidth=5.0, task="position", singular_damping=0)
    torque = torques(undamped, q=at, qd=qd, **still)
    assert not np.isfinite(torque).all() or np.abs(torque).max() > 1e6


def test_a_goal_out_of_reach_is_waited_for_at_rest(elbow: tuple[Plant, Law]) -> None:
    """The arm stretches out, which is a singularity, and comes to rest there instead of shaking."""
    plant, law = elbow
    regular, _ = singular(plant)
    T_d = plant.pose(regular)
    T_d[:3, 3] += 0.8 * T_d[:3, 3] / np.linalg.norm(T_d[:3, 3])
    caller, q, qd = Caller(law), regular, np.zeros(3)
    far = {"T_d": T_d, "V_d": np.zeros(6), "A_d": np.zeros(6)}
    for _ in range(4000):
        tau = caller(q=q, qd=qd, **far)
        qd = qd + 1e-3 * plant.acceleration(q, qd, tau)
        q = q + 1e-3 * qd
    e, J = error(plant.pose(q), T_d)[:3], plant.jacobian(q)[:3]
    assert np.linalg.norm(e) > 0.3
    assert J.T @ e == pytest.approx(np.zeros(3), abs=1e-3)  # no joint could bring it nearer
    assert np.abs(qd).max() < 1e-2


def test_regular_positions_are_exact_and_nothing_divides_by_zero(elbow: tuple[Plant, Law]) -> None:
    plant, law = elbow
    regular, _ = singular(plant)
    exact = resolved_acceleration(plant.robot, bandwidth=5.0, task="position", singular_damping=0)
    state = {
        "q": regular,
        "qd": np.ones(3),
        **Reference.near(np.random.default_rng(1), plant.pose(regular), 0.1, 0)(0.1),
    }
    assert torques(law, **state) == pytest.approx(torques(exact, **state), rel=1e-13)
    scara = resolved_acceleration(robosym.load("scara"))  # stretched out, where the Jacobian matrix is exactly singular
    still = {"T_d": np.eye(4), "V_d": np.zeros(6), "A_d": np.zeros(6)}
    assert np.isfinite(torques(scara, q=np.zeros(4), qd=np.zeros(4), **still)).all()


def test_bad_settings_are_named(iiwa: tuple[Plant, Law]) -> None:
    robot = iiwa[0].robot
    for changed, said in (
        ({"rest": [0.0, 1.0]}, r"rest: expected one number, or 7"),
        ({"posture": -1.0}, "posture: got -1"),
        ({"singular_below": np.inf}, "singular_below: expected finite numbers"),
    ):
        with pytest.raises(ControlError, match=said):
            resolved_acceleration(robot, task="position", **changed)  # type: ignore[arg-type]


# --- goals out of reach ------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", range(4))
def test_a_goal_out_of_reach_is_waited_for_stretched_out(seed: int) -> None:
    waits_stretched_out(seed)
