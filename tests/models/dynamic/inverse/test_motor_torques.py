"""Dynamics with motors: coupled rotors in every model, against Pinocchio's armature, identities, and the motors' own side."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from models.driven_robots import driven_robot, jacobian_of_motors, rotors_of_motors
from models.reference import numbers
from sweeps import many

import robosym
from robosym import models
from robosym.expr import number
from robosym.formats.toml_write import dumps
from robosym.program.derive import tangent
from robosym.robot import Coupling, Motor, Robot, RobotError

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

SEEDS = range(many(3))


def states(rng: np.random.Generator, robot: Robot) -> dict[str, np.ndarray]:
    return {name: rng.uniform(-1.5, 1.5, robot.nv) for name in ("q", "qd", "qdd")}


def without(state: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: x for name, x in state.items() if name not in names}


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("seed", SEEDS)
def test_pinocchio_with_armature_and_the_coupled_rotors(seed: int) -> None:
    pinocchio_states = pytest.importorskip("models.pinocchio_states")
    rng = np.random.default_rng(seed)
    robot = driven_robot(rng, 8)
    twin = pinocchio_states.Twin.of_robot(robot)  # its armature is Ia
    R, state = rotors_of_motors(robot), states(rng, robot)
    tau = models.inverse_dynamics(robot).evaluate(**state)
    wanted = twin.rnea(**state) + R @ state["qdd"]
    np.testing.assert_allclose(tau, wanted, rtol=1e-10, atol=1e-10 * np.abs(wanted).max())
    A = models.inertia_matrix(robot).evaluate(q=state["q"])
    full = twin.crba(state["q"]) + R
    np.testing.assert_allclose(A, full, atol=1e-10 * np.abs(full).max())
    energy = models.energy(robot).evaluate(**without(state, "qdd"))
    assert energy["kinetic"][0] == pytest.approx(state["qd"] @ full @ state["qd"] / 2, rel=1e-10)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("parameters", ["standard", "base"])
@pytest.mark.parametrize("seed", SEEDS)
def test_forward_undoes_inverse(seed: int, parameters: Any) -> None:
    rng = np.random.default_rng(seed)
    robot = driven_robot(rng, 7)
    state = states(rng, robot)
    standard = models.inverse_dynamics(robot, friction=True).evaluate(**state)
    tau = models.inverse_dynamics(robot, friction=True, parameters=parameters).evaluate(**state)
    np.testing.assert_allclose(tau, standard, rtol=1e-9, atol=1e-9 * np.abs(standard).max())
    forward = models.forward_dynamics(robot, friction=True, parameters=parameters).evaluate
    found = forward(**without(state, "qdd"), tau=tau)
    np.testing.assert_allclose(found, state["qdd"], rtol=1e-7, atol=1e-7)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_torques_are_linear_in_qdd_with_the_inertia_matrix(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = driven_robot(rng, 7)
    state = states(rng, robot)
    f = models.inverse_dynamics(robot).evaluate
    rest = f(**{**state, "qdd": np.zeros(robot.nv)})
    columns = [f(**{**state, "qdd": unit}) - rest for unit in np.eye(robot.nv)]
    A = models.inertia_matrix(robot).evaluate(q=state["q"])
    np.testing.assert_allclose(np.transpose(columns), A, atol=1e-10 * np.abs(A).max())
    np.testing.assert_allclose(rest, models.bias(robot).evaluate(**without(state, "qdd")), atol=1e-10 * np.abs(A).max())
    lagrange = models.lagrange(robot).evaluate(q=state["q"])
    np.testing.assert_allclose(lagrange["A"], A, atol=1e-10 * np.abs(A).max())


@pytest.mark.parametrize("seed", SEEDS)
def test_the_rate_of_a_less_twice_c_is_skew(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = driven_robot(rng, 6)
    state = without(states(rng, robot), "qdd")
    A = models.inertia_matrix(robot)
    rate = tangent(A.program).call(**state, parameters=A.values)["Ad"]
    skew = rate - 2 * models.coriolis(robot).evaluate(**state)
    np.testing.assert_allclose(skew, -skew.T, atol=1e-10)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_rate_of_the_energy_is_the_power(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = driven_robot(rng, 6)
    state = states(rng, robot)
    energy = models.energy(robot)
    rates = tangent(energy.program).call(**state, parameters=energy.values)
    tau = models.inverse_dynamics(robot, wrench="none").evaluate(**state)
    assert rates["totald"][0] == pytest.approx(tau @ state["qd"], rel=1e-9, abs=1e-9)
    motors = models.motor_torques(robot, wrench="none").evaluate(**state)["tau_m"]
    qd_m = np.linalg.solve(jacobian_of_motors(robot), state["qd"])
    assert motors @ qd_m == pytest.approx(tau @ state["qd"], rel=1e-12, abs=1e-10)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("parameters", ["standard", "base"])
@pytest.mark.parametrize("seed", SEEDS)
def test_motors_drive_their_rotors_and_the_links(seed: int, parameters: Any) -> None:
    """tau_m = J^T (Gamma without the rotors of the independent joints) + Jm qdd_m."""
    rng = np.random.default_rng(seed)
    robot = driven_robot(rng, 7)
    state = states(rng, robot)
    J = jacobian_of_motors(robot)
    light = robot.replace(
        frames=tuple(
            replace(frame, actuator=replace(frame.actuator, motor=Motor())) if j in robot.moving else frame
            for j, frame in enumerate(robot.frames, 1)
        )
    )
    Jm, KT, Ka = (
        np.array(numbers(robot, [getattr(robot.frame(j).actuator.motor, name) for j in robot.moving]))
        for name in ("Jm", "KT", "Ka")
    )
    wanted = J.T @ models.inverse_dynamics(light, friction=True).evaluate(**state)
    wanted += Jm * np.linalg.solve(J, state["qdd"])
    found = models.motor_torques(robot, friction=True, parameters=parameters).evaluate(**state)
    size = max(1.0, np.abs(wanted).max())
    np.testing.assert_allclose(found["tau_m"], wanted, rtol=1e-9, atol=1e-9 * size)
    np.testing.assert_allclose(found["i"], found["tau_m"] / KT, rtol=1e-12)
    np.testing.assert_allclose(found["u"], found["tau_m"] / KT / Ka, rtol=1e-12)


def test_base_parameters_keep_what_couples_joints_beside_them() -> None:
    """The entries of one joint join ZZ as Ia does; what is between two joints stays, and more might be regrouped."""
    rows = [{"inertia": "symbolic", "motor": {"Jm": f"JM{j}"}, "d": f"D{j}" if j else 0} for j in range(2)]
    matrix = [["J11", "J12"], ["J21", "J22"]]
    coupled = Robot.from_table("two", rows, coupling=[{"frames": [1, 2], "matrix": matrix}])
    found = models.base_parameters(coupled)
    assert not found.exact
    assert "JM1" in str(found.regrouped["ZZR1"])
    with pytest.raises(RobotError, match="no file holds that"):
        dumps(found.robot)
    alone = models.base_parameters(coupled.replace(couplings=()))
    assert alone.exact
    assert str(alone.regrouped["ZZR1"]).count("JM0") == 1


@pytest.mark.slow
@pytest.mark.parametrize("method", ["rules", "numeric"])
def test_robots_in_base_parameters_are_robots_like_others(method: Any) -> None:
    """In models, in base parameters once more, without the rotors among them, and with numbers given late."""
    rng = np.random.default_rng(3)
    robot = driven_robot(rng, 7)
    state = states(rng, robot)
    late = {name: float(rng.uniform(1, 2)) for name in robot.values if name.startswith(("J0_0", "JM"))}
    standard = models.inverse_dynamics(robot).evaluate
    once = models.base_parameters(robot, method=method)
    assert not once.exact
    twice = models.base_parameters(once.robot)
    without_rotors = models.base_parameters(robot, method=method, rotor_inertia=False)
    for found in (once, twice, without_rotors):
        f = models.inverse_dynamics(found.robot).evaluate
        np.testing.assert_allclose(f(**state), standard(**state), atol=1e-11)
    in_base = models.inverse_dynamics(robot, parameters="base").evaluate
    np.testing.assert_allclose(
        in_base(**state, parameters=late), standard(**state, parameters=late), rtol=1e-11, atol=1e-11
    )


def test_couplings_of_closed_loops() -> None:
    """Two driven joints of a robot with loops: A and the torques have the full matrix, the free joint accelerates as said."""
    robot = robosym.load("sr400")
    first, second = robot.moving[1:3]
    J = np.array([[0.01, 0.0], [-0.01, 0.02]])
    matrix = tuple(tuple(robosym.expr.number(float(x)) for x in row) for row in J)
    frames = tuple(
        replace(frame, actuator=replace(frame.actuator, motor=Motor(robosym.expr.number(2e-4))))
        if j in (first, second)
        else frame
        for j, frame in enumerate(robot.frames, 1)
    )
    driven = robot.replace(frames=frames, couplings=(Coupling((first, second), matrix),))
    R = np.zeros((robot.nv, robot.nv))
    R[1:3, 1:3] = np.linalg.inv(J).T @ np.linalg.inv(J) * 2e-4
    rng = np.random.default_rng(2)
    state = {
        "q": rng.uniform(-0.4, 0.4, robot.nv),
        "qd": rng.uniform(-1, 1, robot.nv),
        "qdd": rng.uniform(-1, 1, robot.nv),
    }
    plain, tau = (models.inverse_dynamics(one).evaluate(**state) for one in (robot, driven))
    np.testing.assert_allclose(tau, plain + R @ state["qdd"], rtol=1e-10, atol=1e-9)
    found = models.forward_dynamics(driven).evaluate(**without(state, "qdd"), tau=tau)
    np.testing.assert_allclose(found, state["qdd"], atol=1e-8)


def test_a_free_base_with_coupled_motors() -> None:
    rng = np.random.default_rng(9)
    robot = driven_robot(rng, 5, symbolic=False).replace(base=replace(robosym.load("planar-3r", floating=True).base))
    q = rng.uniform(-1, 1, robot.nq)
    q[3:7] /= np.linalg.norm(q[3:7])
    qd, qdd = rng.uniform(-1, 1, (2, robot.nv))
    tau = models.inverse_dynamics(robot).evaluate(q=q, qd=qd, qdd=qdd)
    found = models.motor_torques(robot).evaluate(q=q, qd=qd, qdd=qdd)["tau_m"]
    np.testing.assert_allclose(found, jacobian_of_motors(robot).T @ tau[6:], rtol=1e-11, atol=1e-11)
    R = rotors_of_motors(robot)
    A, bare = (models.inertia_matrix(robot, rotor_inertia=on).evaluate(q=q)[6:, 6:] for on in (True, False))
    Ia = np.diag(np.diag(A - bare - R))
    np.testing.assert_allclose(A, bare + R + Ia, atol=1e-10)


@pytest.mark.parametrize("seed", range(many(2)))
def test_hybrid_dynamics_of_coupled_joints(seed: int) -> None:
    """Some torques and the other accelerations given: the inverse model's, in any partition of coupled joints."""
    rng = np.random.default_rng(seed)
    robot = driven_robot(rng, 7)
    state = states(rng, robot)
    tau = models.inverse_dynamics(robot, friction=True).evaluate(**state)
    free = [name for name in robot.joint_names if rng.random() < 0.5] or [robot.joint_names[0]]
    found = models.hybrid_dynamics(robot, free=free, friction=True).evaluate(**state, tau=tau)
    np.testing.assert_allclose(found["qdd_all"], state["qdd"], atol=1e-8)
    np.testing.assert_allclose(found["tau_all"], tau, rtol=1e-9, atol=1e-8)


def test_flexible_joints_move_one_joint() -> None:
    rows = [{"ZZ": 1, "motor": {"Jm": 1}, "flexibility": {"stiffness": 9}}, {"ZZ": 1, "motor": {"Jm": 1}}]
    coupling = {"frames": [1, 2], "matrix": [[1, 1], [1, -2]]}
    with pytest.raises(RobotError, match="frame 1, flexibility: the joint is coupled with others"):
        Robot.from_table("two", rows, coupling=[coupling])
    alone = models.flexible_joint_forward_dynamics(Robot.from_table("two", rows, gravity=[0, 0, 0])).compile()
    found = alone(q=[0.0, 0.0], qd=[0.0, 0.0], q_motor=[0.1, 0.0], qd_motor=[0.0, 0.0], tau=[2.0, 0.0])
    assert found["qdd_motor"][0] == pytest.approx(2 - 9 * 0.1)  # Jm is the rotor's inertia, as Ia is


def test_numbers_given_late_that_no_drive_has() -> None:
    """A reduction of zero, a motor without torque, friction that is smooth over a negative speed."""
    row = {
        "ZZ": 1,
        "Fs": 2,
        "ratio": "N",
        "friction": {"width": "W"},
        "motor": {"KT": "KT", "Jm": 1, "axis": [0, "A", 0]},
    }
    robot = Robot.from_table("r", [row], values={"N": 2, "W": 0.1, "KT": 1, "A": 1})
    f = models.motor_torques(robot, friction="smooth").compile()
    state = {"q": [0.1], "qd": [0.2], "qdd": [0.3]}
    for late, words in (
        ({"N": 0.0}, "1/N has no value with N = 0"),
        ({"KT": 0.0}, "1/KT has no value with KT = 0"),
        ({"A": 0.0}, "has no value with A = 0"),
        ({"W": -0.1}, "W: expected a positive number, got W = -0.1"),
        ({"W": 0.0}, "W: expected a positive number, got W = 0"),
    ):
        with pytest.raises(robosym.RobosymError, match=words):
            f(**state, parameters=late)
        with pytest.raises(robosym.RobosymError, match=words):
            models.motor_torques(robot, friction="smooth").evaluate(**state, parameters=late)
    assert np.isfinite(f(**state, parameters={"N": -3.0, "W": 1e-3, "KT": -1.0})["i"]).all()


def test_what_coupled_rotors_refuse() -> None:
    rows = [{"ZZ": 1, "motor": {"Jm": 1}} for _ in range(2)]
    robot = Robot.from_table("two", rows, coupling=[{"frames": [1, 2], "matrix": [[1, 1], [1, -2]]}])
    with pytest.raises(RobotError, match="method: articulated bodies need a rotor for each joint alone"):
        models.forward_dynamics(robot, method="articulated-bodies")
    with pytest.raises(RobotError, match="rotor_inertia: gyroscopic torques need the axes of the motors"):
        models.inverse_dynamics(robot, rotor_inertia="gyroscopic")
    models.forward_dynamics(robot, rotor_inertia=False, method="articulated-bodies")


# --- friction of motors --------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", range(many(3)))
def test_friction_on_the_shafts_comes_to_the_joints_through_the_transmission(seed: int) -> None:
    """B^T (Fv qd_m + Fs sign(qd_m)) with qd_m = B qd, in inverse and forward dynamics; in the terms, and in a regressor."""
    rng = np.random.default_rng(seed)
    robot = driven_robot(rng, 6, symbolic=seed % 2 == 0)
    frames = list(robot.frames)
    n = len(robot.moving)
    Fv, Fs = rng.uniform(0.1, 1, n), rng.uniform(0.1, 1, n)
    for k, j in enumerate(robot.moving):
        motor = replace(frames[j - 1].actuator.motor, Fv=number(float(Fv[k])), Fs=number(float(Fs[k])))
        frames[j - 1] = replace(frames[j - 1], actuator=replace(frames[j - 1].actuator, motor=motor))
    with_friction = robot.replace(frames=tuple(frames))
    B = np.linalg.inv(jacobian_of_motors(robot))
    state = {name: rng.normal(size=n) for name in ("q", "qd", "qdd")}
    expected = B.T @ (Fv * (B @ state["qd"]) + Fs * np.sign(B @ state["qd"]))
    before, after = (models.inverse_dynamics(one, friction=True).evaluate(**state) for one in (robot, with_friction))
    np.testing.assert_allclose(after - before, expected, rtol=0, atol=1e-10 * np.abs(after).max())
    back = models.forward_dynamics(with_friction, friction=True).evaluate(q=state["q"], qd=state["qd"], tau=after)
    np.testing.assert_allclose(back, state["qdd"], rtol=0, atol=1e-8)
    for friction in (True, ("viscous", "coulomb", "offset", "coupled") if robot.couplings else True):
        model = models.regressor(with_friction, friction=friction)
        tau = model.dense(model.evaluate(**state)) @ list(model.described_values().values())
        np.testing.assert_allclose(tau, after, rtol=0, atol=1e-9 * np.abs(after).max())
