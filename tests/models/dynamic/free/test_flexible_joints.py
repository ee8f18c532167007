"""Motors that move their joints through springs: equations 7.35, with every motor a body of its own in Pinocchio."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from models.dynamic.free.flexible_states import check_motion, check_motors_held, check_two_masses
from sweeps import many

import robosym
from robosym import control, models
from robosym.analysis import vibrations
from robosym.expr import number
from robosym.models.available import options_for
from robosym.robot import Actuator, Flexibility, Robot, RobotError
from robosym.simulation import simulate

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

LINK = {"M": 1.0, "MX": 0.3, "ZZ": 0.2, "YY": 0.2, "XX": 0.05}


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", range(many(4)))
def test_random_robots_are_those_of_two_masses(seed: int) -> None:
    check_two_masses(seed)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", range(many(3)))
def test_one_description_has_one_motion(seed: int) -> None:
    check_motion(seed)


@pytest.mark.parametrize("seed", range(many(3)))
def test_random_robots_vibrate_with_their_motors_held(seed: int) -> None:
    check_motors_held(seed)


def one_joint(**actuator: Any) -> Robot:
    return Robot.from_table("one", [{"joint": "a", "Ia": 0.4, **LINK, **actuator}], gravity=[0, 0, 0])


def test_friction_of_the_shaft_acts_on_the_motor_at_its_speed() -> None:
    """2.5 N m s and 1 N m on the joint's side, the link at 2 rad/s and the motor at -3: 0 on the link, 8.5 N m on the motor."""
    soft, shaft = {"stiffness": 100.0}, {"Fv": 0.1, "Fs": 0.2}
    for ratio in (5.0, -5.0):
        robot = one_joint(flexibility=soft, ratio=ratio, motor=shaft)
        state = {"q": [0.0], "qd": [2.0], "q_motor": [0.0], "qd_motor": [-3.0]}
        found = models.forward_dynamics(robot, friction=True).compile()(**state, tau=[0.0])
        assert found["qdd"][0] * 0.2 == pytest.approx(0.0, abs=1e-14)
        assert found["qdd_motor"][0] * 0.4 == pytest.approx(8.5, rel=1e-14)
        state = {"q": [0.0], "qd": [2.0], "qdd": [0.0], "qd_motor": [-3.0], "qdd_motor": [0.0]}
        back = models.flexible_joint_inverse_dynamics(robot, friction=True).compile()(**state)
        assert back["tau"][0] == pytest.approx(-8.5, rel=1e-14)
        assert back["q_motor"][0] == pytest.approx(0.0, abs=1e-14)


def test_a_motor_that_sticks_holds_its_end_of_the_spring() -> None:
    """Once the motor has come to rest the link swings about it for ever, if the spring pulls less than the friction of the shaft."""
    rng = np.random.default_rng(7)
    for _ in range(3):
        k, N, speed = rng.uniform(20, 200), rng.uniform(-20, -2), rng.uniform(0.5, 2.0)
        w = np.sqrt(k / LINK["ZZ"])
        level = 1.5 * k * speed / w  # more than the spring pulls with all the energy of the link
        held = one_joint(flexibility={"stiffness": k}, ratio=N, motor={"Fs": level / abs(N)})
        run = simulate(held, q=[0.0], qd=[speed], duration=0.8, step=5e-4)
        motor, turning = run.more["q_motor"][:, 0], run.more["qd_motor"][:, 0]
        rests = int(np.argmax(turning == 0))
        assert 0 < rests < 400
        assert (turning[rests:] == 0).all()
        reach = np.hypot(run.q[rests:, 0] - motor[rests], run.qd[rests:, 0] / w)
        np.testing.assert_allclose(reach, reach[0], rtol=1e-6)
        loose = one_joint(flexibility={"stiffness": k}, ratio=N, motor={"Fs": 0.3 * level / abs(N)})
        run = simulate(loose, q=[0.0], qd=[speed], duration=0.8, step=5e-4)
        assert (run.more["qd_motor"][1:, 0] != 0).sum() > 10
        lost = run.energy["total"][0] - run.energy["total"]
        slid = np.concatenate([[0], np.cumsum(np.abs(np.diff(run.more["q_motor"][:, 0])))])
        np.testing.assert_allclose(lost, 0.3 * level * slid, atol=1e-3 * lost[-1])


def test_a_stiff_spring_is_a_rigid_joint() -> None:
    """Motor and link accelerate alike where the spring is stretched just so: with the torque that a rigid joint passes on."""
    robot = robosym.load("rx90")
    frames = [
        replace(f, actuator=replace(f.actuator, flexibility=Flexibility(number(90.0 * j), number(1.0))))
        for j, f in enumerate(robot.frames, 1)
    ]
    flexible = robot.replace(frames=tuple(frames))
    q, qd, qdd = np.random.default_rng(2).uniform(-1, 1, (3, 6))
    rigid = models.inverse_dynamics(robot).evaluate(q=q, qd=qd, qdd=qdd)
    found = models.flexible_joint_inverse_dynamics(flexible).evaluate(q=q, qd=qd, qdd=qdd, qd_motor=qd, qdd_motor=qdd)
    np.testing.assert_allclose(found["tau"], rigid, rtol=1e-11)
    # Models of the torques of given motions have rigid joints.
    np.testing.assert_array_equal(models.inverse_dynamics(flexible).evaluate(q=q, qd=qd, qdd=qdd), rigid)


def test_hybrid_dynamics_has_rigid_drives() -> None:
    rows = [
        {"joint": "a", "Ia": 0.1, **LINK},
        {"joint": "b", "d": 0.5, "active": False, "spring": {"stiffness": 9}, **LINK},
    ]
    plain = Robot.from_table("two", rows, gravity=[0, -9.81, 0])
    robot = Robot.from_table("two", [{**rows[0], "flexibility": {"stiffness": 50}}, rows[1]], gravity=[0, -9.81, 0])
    given = {"q": [0.3, 0.4], "qd": [1.0, -0.5], "qdd": [2.0, 0.0]}
    found, expected = (models.hybrid_dynamics(one).evaluate(**given) for one in (robot, plain))
    for name in ("qdd_all", "tau_all"):
        np.testing.assert_array_equal(found[name], expected[name])
    with pytest.raises(RobotError, match="free: got 'a', a flexible joint, whose motor moves too"):
        models.hybrid_dynamics(robot, free=["a", "b"])


def test_a_spring_at_a_joint_without_a_motor_is_no_drive() -> None:
    """It holds the joint, and so does one beside a drive."""
    rows = [
        {
            "joint": "a",
            "flexibility": {"stiffness": 20.0},
            "spring": {"stiffness": 5.0, "rest": 0.1},
            "Ia": 0.1,
            **LINK,
        },
        {"joint": "b", "d": 0.5, "spring": {"stiffness": 9.0}, "active": False, "Ia": 0.1, **LINK},
    ]
    robot = Robot.from_table("two", rows, gravity=[0, -9.81, 0])
    found = models.flexible_joint_forward_dynamics(robot).evaluate(
        q=[0.3, 0.4], qd=[0, 0], q_motor=[0.3 - 0.05, 7.0], qd_motor=[0, 0], tau=[2.0, 0]
    )
    rigid = robot.replace(frames=(replace(robot.frames[0], actuator=Actuator()), robot.frames[1]))
    expected = models.forward_dynamics(rigid).evaluate(q=[0.3, 0.4], qd=[0, 0], tau=[-20.0 * 0.05, 0])
    np.testing.assert_allclose(found["qdd"], expected, rtol=1e-12)
    np.testing.assert_allclose(found["qdd_motor"], [(2.0 + 20.0 * 0.05) / 0.1, expected[1]], rtol=1e-12)


def test_the_resonance_is_that_of_the_links() -> None:
    """sqrt(k / I) with the motor held: the rotor does not swing."""
    robot = one_joint(flexibility={"stiffness": 50.0})
    check = control.pid(robot, bandwidth=7.0, inertia=[0.6], limits=False).check([0.0])
    assert check.resonance == pytest.approx(np.sqrt(50 / 0.2))
    assert not any("resonance" in warning for warning in check.warnings)
    fast = control.pid(robot, bandwidth=9.0, inertia=[0.6], limits=False).check([0.0])
    assert any("half the structural resonance of 15.81 rad/s" in warning for warning in fast.warnings)


def test_energy_can_be_differentiated_by_the_motors() -> None:
    robot = one_joint(flexibility={"stiffness": 50.0})
    slope = robosym.derivative(models.energy(robot), of="total", by="q_motor").compile()
    assert slope(q=[0.3], qd=[0.0], q_motor=[0.1], qd_motor=[0.0]) == pytest.approx(-50 * 0.2)


def test_names_of_the_description_do_not_meet_those_of_the_motors() -> None:
    rows = [{"joint": "a", "Ia": 0.4, "flexibility": {"stiffness": 50}, **LINK}, {"joint": "b", "d": 0.5, **LINK}]
    state = {"q": [0.3, 0.1], "qd": [0.4, 0.2], "q_motor": [0.1, 0], "qd_motor": [-0.2, 0], "tau": [1.0, 2.0]}
    expected = models.forward_dynamics(Robot.from_table("two", rows, gravity=[0, -9.81, 0])).compile()(**state)
    named = [{**row, "variable": name} for row, name in zip(rows, ("qm1", "qdm1"), strict=True)]
    found = models.forward_dynamics(Robot.from_table("two", named, gravity=[0, -9.81, 0])).compile()(**state)
    for name, values in expected.items():
        np.testing.assert_allclose(found[name], values, rtol=1e-13)


def test_what_is_refused() -> None:
    robot = one_joint(flexibility={"stiffness": 50.0})
    with pytest.raises(RobotError, match="joints: expected a joint with flexibility"):
        models.flexible_joint_forward_dynamics(robosym.load("rx90"))
    light = Robot.from_table("light", [{"joint": "a", "flexibility": {"stiffness": 3}, **LINK}])
    for make in (models.forward_dynamics, models.flexible_joint_forward_dynamics, models.step, models.linearised):
        with pytest.raises(RobotError, match="joint 'a': the joint is flexible, and its rotor needs an inertia"):
            make(light)
    with pytest.raises(RobotError, match="base parameters that hold the inertia of its rotors"):
        models.forward_dynamics(models.base_parameters(robot).robot)
    with pytest.raises(
        RobotError, match="flexible joints, whose accelerations depend on the motors too: use linearised"
    ):
        models.forward_dynamics_derivatives(robot)
    with pytest.raises(
        RobotError, match="rotor_inertia: got False, expected True: a flexible joint is a rotor and a link"
    ):
        models.forward_dynamics(robot, rotor_inertia=False)
    assert "forward-dynamics-derivatives" not in models.models_of(robot)
    assert "flexible-joint-forward-dynamics" not in models.models_of(robosym.load("rx90"))


@pytest.mark.slow
def test_a_parallel_robot_has_them_as_closed_loops() -> None:
    plain = robosym.load("planar-3rrr")
    soft = Flexibility(number(100.0), number(1.0))
    frames = [
        replace(f, actuator=replace(f.actuator, Ia=number(0.1), flexibility=soft)) if j in plain.moving else f
        for j, f in enumerate(plain.frames, 1)
    ]
    robot = plain.replace(frames=tuple(frames))
    closed = robot.closed_loops()
    assert len(closed.flexible) == 3
    for make in (models.forward_dynamics, models.energy, models.flexible_joint_forward_dynamics):
        model, expected = make(robot), make(closed)
        assert [one.name for one in model.routine.inputs] == [one.name for one in expected.routine.inputs]
        assert model.operations == expected.operations
        with pytest.raises(RobotError, match="in the motors' coordinates only"):
            make(robot, coordinates="platform")
    assert {"forward-dynamics", "energy", "flexible-joint-forward-dynamics"} <= set(models.models_of(robot))
    assert "pose" in [one.name for one in models.forward_dynamics(plain).program.inputs]
    assert "coordinates" not in options_for(robot, "forward-dynamics")
    assert "coordinates" in options_for(plain, "forward-dynamics")


def test_closed_loops_vibrate_with_their_motors_held() -> None:
    """By differences of the forward dynamics of the same robot, whose motors do not move."""
    plain = robosym.load("five-bar")
    frames = [
        replace(f, actuator=replace(f.actuator, flexibility=Flexibility(number(200.0)))) if j in plain.moving else f
        for j, f in enumerate(plain.frames, 1)
    ]
    robot = plain.replace(frames=tuple(frames))
    q = np.array([robot.frame(j).joint.position or 0.0 for j in robot.moving])
    found = vibrations(robot, q)
    f, h, zero = models.forward_dynamics(robot, wrench="none").compile(), 1e-5, np.zeros(2)

    def accelerations(x: np.ndarray) -> np.ndarray:
        return np.asarray(f(q=x, qd=zero, q_motor=q, qd_motor=zero, tau=zero)["qdd"])

    np.testing.assert_allclose(accelerations(found.q), 0, atol=1e-7)
    slope = np.array([(accelerations(found.q + h * e) - accelerations(found.q - h * e)) / (2 * h) for e in np.eye(2)]).T
    np.testing.assert_allclose(np.sort(np.linalg.eigvals(-slope).real), found.frequencies**2, rtol=1e-6)
