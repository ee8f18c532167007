"""Numbers of the reference at a state against the closed forms of a pendulum, and what checks make of the outputs of models."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from verification.pendulums import DAMPING, INERTIA, LENGTH, REST, STIFFNESS, G, M, bias, pendulum, runge_kutta, task_of

import robosym
from robosym.generated.checks import Check, beside, first, joined
from robosym.models.catalogue import declaration_of, declarations
from robosym.verification.differences import DT
from robosym.verification.task import Task

Q, QD, QDD, TAU = 0.7, -1.3, 2.1, 4.0
WRENCH = np.array([1.0, -2.0, 0.5, 0.1, 0.2, 3.0])


@cache
def swinging() -> Task:
    state = {"q": [Q], "qd": [QD], "qdd": [QDD], "tau": [TAU], "v": [QD], "a": [QDD]}
    return task_of(pendulum(), 2, **state, wrench=WRENCH, dt=DT)


def closed_forms() -> dict[str, object]:
    """What each model of the pendulum is, with its tip at L (cos q, sin q)."""
    c, s = np.cos(Q), np.sin(Q)
    pose = np.array([[c, -s, 0, LENGTH * c], [s, c, 0, LENGTH * s], [0, 0, 1, 0], [0, 0, 0, 1]])
    J = np.array([-LENGTH * s, LENGTH * c, 0, 0, 0, 1])
    drift = -LENGTH * QD**2 * np.array([c, s, 0, 0, 0, 0])
    tau = INERTIA * QDD + bias(Q, QD)
    forward = (TAU - bias(Q, QD)) / INERTIA
    by_q, by_qd = -M * G * LENGTH * s + STIFFNESS, DAMPING
    momentum = M * J[:3]
    rates = np.array([-by_q, -by_qd, 1.0]) / INERTIA
    stepped = runge_kutta(lambda y: np.array([y[1], (TAU - bias(*y)) / INERTIA]), np.array([Q, QD]), DT)
    energy = [INERTIA * QD**2 / 2, M * G * LENGTH * s + STIFFNESS * (Q - REST) ** 2 / 2]
    return {
        "transform": pose,
        "geometric": pose,
        "jacobian": J[:, None],
        "jacobian-rate": drift,
        "jacobian-inverse": J[:, None],
        "static-torques": [J @ WRENCH],
        "velocities": J * QD,
        "accelerations": J * QDD + drift,
        "jdot-qdot": drift,
        "centre-of-mass": pose[:3, 3],
        "centre-of-mass-jacobian": momentum[:, None],
        "centroidal-momentum": np.concatenate([momentum, np.zeros(3)])[:, None],  # a point has no moment about itself
        "centroidal-momentum-rate": np.concatenate([M * drift[:3], np.zeros(3)]),
        "inverse-dynamics": [tau],
        "passive-dynamics": [tau],
        "regressor": [tau],
        "passive-regressor": [tau],
        "inverse-dynamics-derivatives": [[by_q, by_qd]],
        "forward-dynamics": [forward],
        "forward-dynamics-derivatives": [rates],
        "linearised": [rates],
        "inertia-matrix": [[INERTIA]],
        "bias": [bias(Q, QD)],
        "gravity": [M * G * LENGTH * c],
        "coriolis": [0.0],
        "lagrange": [INERTIA * QDD + M * G * LENGTH * c],
        "expanded": [INERTIA * QDD + M * G * LENGTH * c],
        "energy": energy,
        "step": stepped,
    }


def checks_of(model: str) -> list[Check]:
    """The checks of a model for robots without flexible joints."""
    return [check for check in declaration_of(model).checks if not check.flexible]


OF_LOOPS = {"loop-kinematics", "jacobian-determinant", "inverse-kinematics-velocity", "base-acceleration"}


@pytest.mark.parametrize("model", closed_forms())
def test_the_reference_is_the_closed_form(model: str) -> None:
    checks = checks_of(model)
    assert checks
    for check in checks:
        found = check.reference(swinging())
        assert check.tolerance <= 2e-5
        np.testing.assert_allclose(found, closed_forms()[model], atol=1e-7 if "finite" in check.note else 1e-10)


def test_every_check_has_a_closed_form_here() -> None:
    """A new check either has a closed form or its model here says that it has none."""
    checked = {one.name for one in declarations() if checks_of(one.name)}
    assert set(closed_forms()) | OF_LOOPS == checked
    for model in checked:
        for check in checks_of(model):
            assert set(check.inputs) <= {*swinging().state, "twist", "joint_qdd"}


@pytest.mark.parametrize("name", ["rx90", "scara", "planar-2r"])
def test_what_is_measured_of_a_jacobian_matrix(name: str) -> None:
    robot = robosym.load(name)
    n = len(robot.moving)
    rng = np.random.default_rng(0)
    task = task_of(robot, len(robot.frames), q=rng.normal(size=n), qd=rng.normal(size=n))
    J = task.motion.jacobian(task.frame)
    (check,) = checks_of("inverse-kinematics-velocity")
    ours = check.value({"qd": np.linalg.lstsq(J, task.motion.twist(task.frame), rcond=1e-9)[0]}, task)
    np.testing.assert_allclose(ours, check.reference(task), atol=1e-9)
    wrong = check.value({"qd": task.state["qd"] + 1e-3}, task)
    assert np.abs(wrong - check.reference(task)).max() > 1e-5
    (check,) = checks_of("jacobian-determinant")
    model = robosym.models.jacobian_determinant(robot, frame=task.frame)
    size = np.abs(model.evaluate(q=task.state["q"]))
    assert check.reference_of_model is not None
    np.testing.assert_allclose(check.reference_of_model(model, task.jacobian), size, atol=1e-12)


def test_a_state_that_is_changed_elsewhere() -> None:
    task = swinging()
    other = task.moved(q=np.array([0.1]))
    np.testing.assert_allclose(other.moment.pose(2)[:2, 3], LENGTH * np.array([np.cos(0.1), np.sin(0.1)]), atol=1e-14)
    np.testing.assert_array_equal(other.state.v, task.motion.state.v)
    np.testing.assert_array_equal(task.moved(qd=np.array([5.0])).state.v, [5.0])
    assert task.motion.state.x[1] == Q


def test_springs_and_dampers() -> None:
    np.testing.assert_allclose(swinging().springs, [STIFFNESS * (Q - REST) + DAMPING * QD])
    conservative = swinging().moved(qd=np.zeros(1)).torques(np.zeros(1))
    coriolis = swinging().coriolis_torques  # without the damper
    np.testing.assert_allclose(swinging().bias - conservative - coriolis, [DAMPING * QD], atol=1e-14)
    assert swinging().mass == M


def test_a_free_base_that_falls() -> None:
    """Nothing acts on the base: the torques that its acceleration needs there are zero."""
    robot = robosym.load("planar-2r", floating=True)
    rng = np.random.default_rng(0)
    q = np.concatenate([rng.normal(size=3), [0, 0, 0.6, 0.8], rng.normal(size=2)])
    task = task_of(robot, 3, q=q, qd=rng.normal(size=8), qdd=rng.normal(size=8))
    found = task.base_acceleration
    whole = np.concatenate([found[:6], task.state["qdd"][6:]])
    needed = task.motion.torques(whole)
    np.testing.assert_allclose(needed[:6], 0, atol=1e-10)
    np.testing.assert_allclose(needed[6:], found[6:], atol=1e-10)


# --- what is made of the outputs of models -----------------------------------------------------------------------------


def test_outputs_side_by_side() -> None:
    outputs = {"a": np.array([[1.0, 2.0], [3.0, 4.0]]), "b": np.array([[5.0], [6.0]])}
    np.testing.assert_array_equal(first(outputs, swinging()), outputs["a"])
    np.testing.assert_array_equal(joined("b", "a")(outputs, swinging()), [5, 6, 1, 2, 3, 4])
    np.testing.assert_array_equal(beside("b", "a")(outputs, swinging()), [[5, 1, 2], [6, 3, 4]])
    made = {"A": np.arange(8.0).reshape(4, 2), "B": np.arange(4.0)[:, None]}
    task = Task(swinging().reference, swinging().motion, {"qd": np.zeros(2)}, 0)
    (check,) = checks_of("linearised")
    np.testing.assert_array_equal(check.value(made, task), [[4, 5, 2], [6, 7, 3]])


def test_coefficients_of_products_of_speeds() -> None:
    """A qdd + sum over j < k of B_jk qd_j qd_k + sum of C_j qd_j^2 + Q, with the pairs in their order."""
    rng = np.random.default_rng(0)
    A, B, C, gravity = rng.normal(size=(3, 3)), rng.normal(size=(3, 3)), rng.normal(size=(3, 3)), rng.normal(size=3)
    qd, qdd = rng.normal(size=(2, 3))
    outputs = {"A": A, "coriolis_coefficients": B, "centrifugal_coefficients": C, "Q": gravity}
    task = Task(swinging().reference, swinging().motion, {"qd": qd, "qdd": qdd}, 0)
    expected = [
        sum(A[i, k] * qdd[k] + C[i, k] * qd[k] ** 2 for k in range(3))
        + B[i, 0] * qd[0] * qd[1] + B[i, 1] * qd[0] * qd[2] + B[i, 2] * qd[1] * qd[2] + gravity[i]
        for i in range(3)
    ]  # fmt: skip
    np.testing.assert_allclose(checks_of("lagrange")[0].value(outputs, task), expected, rtol=1e-13)


def test_rates_of_the_joints_of_a_closed_loop() -> None:
    """Of each joint of the tree over the motor's, by differences of closed positions; cut joints are not among them."""
    robot = robosym.load("four-bar")
    task = task_of(robot, 1, q=[0.6], qd=[0.3])
    h, start = 1e-5, task.motion.state.x
    after, before = (task.reference.positions(np.array([0.6 + s * h]), start)[0] for s in (1, -1))
    (check,) = checks_of("loop-kinematics")
    rates = [[(after[j] - before[j]) / (2 * h)] for j in (1, 2, 3)]
    np.testing.assert_allclose(check.reference(task), rates, atol=1e-7)
    assert rates[0] == [pytest.approx(1.0)]
