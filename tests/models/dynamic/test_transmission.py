"""Motors from joints and back: the power is the same on both sides."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np
import pytest
from c_calls import call_c
from models.driven_robots import driven_robot, jacobian_of_motors
from models.reference import numbers
from simulation.tops import mixed
from sweeps import crossed

import robosym
from robosym import RobosymError, models
from robosym.robot import Robot, RobotError

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")


@pytest.mark.parametrize(("symbolic", "seed"), crossed([True, False], range(10), every=3))
def test_power_and_both_ways(seed: int, symbolic: bool) -> None:
    rng = np.random.default_rng(seed)
    robot = driven_robot(rng, 8, symbolic)
    J = jacobian_of_motors(robot)
    q, qd, tau = rng.uniform(-2, 2, (3, robot.nv))
    found = models.transmission(robot).evaluate(q=q, qd=qd, tau=tau)
    np.testing.assert_allclose(found["q_m"], np.linalg.solve(J, q), rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(found["qd_m"], np.linalg.solve(J, qd), rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(found["tau_m"], J.T @ tau, rtol=1e-12, atol=1e-12)
    size = np.abs(tau) @ np.abs(qd)
    assert abs(found["tau_m"] @ found["qd_m"] - tau @ qd) < 1e-12 * max(size, 1)
    KT, Ka = (
        np.array(numbers(robot, [getattr(robot.frame(j).actuator.motor, name) for j in robot.moving]))
        for name in ("KT", "Ka")
    )
    np.testing.assert_allclose(found["i"], J.T @ tau / KT, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found["u"], J.T @ tau / KT / Ka, rtol=1e-12, atol=1e-12)
    for given, name in (("motors", "tau_m"), ("currents", "i"), ("amplifiers", "u")):
        back = models.transmission(robot, given=given).evaluate
        there = back(**{"q_m": found["q_m"], "qd_m": found["qd_m"], name: found[name]})
        for key, wanted in (("q", q), ("qd", qd), ("tau", tau), ("J", J)):
            np.testing.assert_allclose(there[key], wanted, rtol=1e-11, atol=1e-11)


def test_one_motor_is_equation_9_4() -> None:
    """Gamma = N Ka KT u."""
    robot = Robot.from_table(
        "r", [{"ratio": "N", "motor": {"KT": "KT", "Ka": "KA"}}], values={"N": 50, "KT": 0.2, "KA": 3}
    )
    model = models.transmission(robot, given="amplifiers")
    assert model.evaluate(q_m=[100.0], qd_m=[50.0], u=[0.7])["tau"] == pytest.approx(50 * 3 * 0.2 * 0.7, rel=1e-15)
    assert model.evaluate(q_m=[100.0], qd_m=[50.0], u=[0.7])["q"] == 2.0


def test_batches_and_c(compiled: Callable[[str], ctypes.CDLL]) -> None:
    rng = np.random.default_rng(4)
    robot = driven_robot(rng, 8, symbolic=False)
    for model in (models.transmission(robot), models.motor_torques(robot, wrench="none")):
        f, library = model.compile(), compiled(model.source("c"))
        parameters = [model.values[s.name] for s in model.program.parameter_symbols]
        states = {array.name: rng.uniform(-2, 2, (7, *array.shape)) for array in model.program.inputs}
        together = f(**states)
        for k in range(7):
            state = {name: rows[k] for name, rows in states.items()}
            alone, in_c = f(**state), call_c(library, model.program, state, parameters)
            for name, wanted in alone.items():
                np.testing.assert_allclose(
                    together[name][k] if together[name].ndim > wanted.ndim else wanted, wanted, rtol=1e-13
                )
                np.testing.assert_allclose(in_c[name], wanted, rtol=1e-12, atol=1e-12)


def test_joints_without_motors_are_driven_directly() -> None:
    robot = robosym.load("planar-2r")
    found = models.transmission(robot).evaluate(q=[1.0, 2.0], qd=[3.0, 4.0], tau=[5.0, 6.0])
    assert set(found.keys()) == {"q_m", "qd_m", "tau_m", "J", "J_inverse"}
    assert found["tau_m"].tolist() == [5.0, 6.0]


def test_a_free_base_has_no_motor() -> None:
    rng = np.random.default_rng(6)
    robot = robosym.load("planar-3r", floating=True)
    q, qd, tau = rng.uniform(-1, 1, 10), rng.uniform(-1, 1, 9), rng.uniform(-1, 1, 9)
    found = models.transmission(robot).evaluate(q=q, qd=qd, tau=tau)
    assert found["q_m"].tolist() == q[7:].tolist()
    assert found["tau_m"].tolist() == tau[6:].tolist()


def test_closed_loops_have_motors_where_they_are_driven() -> None:
    robot = robosym.load("sr400")
    n = robot.nv
    q, qd, tau = np.random.default_rng(1).uniform(-1, 1, (3, n))
    found = models.transmission(robot).evaluate(q=q, qd=qd, tau=tau)
    assert found["J"].shape == (n, n)
    assert found["q_m"].tolist() == q.tolist()


def test_a_joint_without_a_motor_has_no_current() -> None:
    rows = [{"motor": {"KT": 2, "Ka": 5}}, {"active": False}]
    robot = Robot.from_table("swing", rows)
    found = models.transmission(robot).evaluate(q=[0.0, 0.0], qd=[0.0, 0.0], tau=[3.0, 4.0])
    assert found["tau_m"].tolist() == [3.0, 4.0]
    assert found["i"].tolist() == [1.5, 0.0]
    back = models.transmission(robot, given="amplifiers").evaluate(q_m=[0.0, 0.0], qd_m=[0.0, 0.0], u=[0.3, 9.0])
    assert back["tau"].tolist() == [3.0, 0.0]


def test_limits_are_arrays_in_the_order_of_q() -> None:
    rows = [
        {"motor": {"limits": {"torque": 1.5, "current": "10"}}},
        {"sigma": "fixed"},
        {"motor": {"limits": {"speed": 300}}},
    ]
    found = models.motor_limits(Robot.from_table("r", rows))
    assert found.torque.tolist() == [1.5, np.inf]
    assert found.speed.tolist() == [np.inf, 300]
    assert found.current.tolist() == [10, np.inf]


def test_a_missing_constant_names_its_motor() -> None:
    robot = Robot.from_table("r", [{"motor": {"KT": 1}}, {}, {"motor": {"KT": 2}}])
    with pytest.raises(RobotError, match="frame 2, motor KT: expected the torque constant"):
        models.transmission(robot)
    with pytest.raises(RobotError, match="frame 1, motor Ka: expected the gain of the amplifier"):
        models.transmission(Robot.from_table("r", [{"motor": {"KT": 1}}]), given="amplifiers")
    with pytest.raises(
        RobosymError, match="given: got 'gears', expected 'joints', 'motors', 'currents' or 'amplifiers'"
    ):
        models.transmission(robot, given="gears")


def test_joints_of_several_axes_have_no_transmission() -> None:
    """They have no motors of their own; limits of motors beside them have a place for each of their speeds."""
    for function in (models.transmission, models.motor_torques):
        with pytest.raises(RobotError, match="frame 1, sigma: 'table' is a planar joint, for which"):
            function(mixed())
    rows = [{"sigma": "ball", "variable": "hip"}, {"motor": {"limits": {"torque": 2.0}}, "ratio": 50}]
    limits = models.motor_limits(Robot.from_table("leg", rows))
    np.testing.assert_array_equal(limits.torque, [np.inf, np.inf, np.inf, 2.0])
