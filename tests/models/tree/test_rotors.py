"""Rotors that moving links carry: every model against Pinocchio, Lagrange and Newton in NumPy, identities and closed forms."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from models.driven_robots import driven_robot, jacobian_of_motors
from models.loops.closed_reference import Closed
from models.loops.closed_states import clear_states, output
from models.reference import frame_poses, loaded_robot, numbers
from models.spinning_rotors import (
    Rotating,
    _velocities,
    gyroscopic_torques,
    lagrange,
    plain,
    rotors,
    speeds_of_rotors,
    spinning_robot,
    with_axes,
)
from sweeps import many

import robosym
from robosym import RobosymError, models
from robosym.expr import number, parameter
from robosym.generated import Model
from robosym.models.tree.bodies import tree
from robosym.models.tree.rotors import turns_to, with_spinning_rotors
from robosym.program.derive import tangent
from robosym.robot import Base, Motor, Robot, RobotError, Value
from robosym.spatial.rotations import back

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

SEEDS = range(many(4))
GYRO: Any = {"rotor_inertia": "gyroscopic"}


def states(robot: Robot, seed: int = 0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1000 + seed)
    found = {name: rng.uniform(-1.5, 1.5, robot.nv) for name in ("q", "qd", "qdd")}
    if robot.base.floating:
        q = rng.uniform(-1, 1, robot.nq)
        q[3:7] /= np.linalg.norm(q[3:7])
        found["q"] = q
    return found


def without(state: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: x for name, x in state.items() if name not in names}


def rate_of(matrix: Model, state: dict[str, Any]) -> Any:
    """A-dot, which may not depend on the speeds."""
    program = tangent(matrix.program)
    known = {array.name for array in program.inputs}
    return program.call(**{k: x for k, x in state.items() if k in known}, parameters=matrix.values)["Ad"]


def close(got: Any, wanted: Any, tolerance: float = 1e-10) -> None:
    size = max(1.0, float(np.abs(wanted).max(initial=0)))
    np.testing.assert_allclose(got, wanted, rtol=0, atol=tolerance * size)


# --- torques -----------------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("parameters", ["standard", "base"])
@pytest.mark.parametrize("seed", SEEDS)
def test_pinocchio_with_bodies_for_the_rotors(seed: int, parameters: Any) -> None:
    pytest.importorskip("pinocchio")
    robot = spinning_robot(seed, 7, symbolic=bool(seed % 2))
    twin, state = Rotating.of(robot, seed), states(robot, seed)
    how = {**GYRO, "parameters": parameters}
    tau = twin.rnea(**state)
    for method in ("auto", "newton-euler", "acceleration-matrix", "augmented-body"):
        close(models.inverse_dynamics(robot, **how, method=method).evaluate(**state), tau)
    rest = twin.rnea(**{**state, "qdd": np.zeros(robot.nv)})
    close(models.bias(robot, **how).evaluate(**without(state, "qdd")), rest)
    A = twin.matrix(state["q"])
    close(models.inertia_matrix(robot, **how).evaluate(q=state["q"]), A)
    motors = models.motor_torques(robot, **how).evaluate(**state)["tau_m"]
    close(motors, jacobian_of_motors(robot).T @ tau)
    close(models.forward_dynamics(robot, **how).evaluate(**without(state, "qdd"), tau=tau), state["qdd"], 1e-7)


@pytest.mark.parametrize("seed", SEEDS)
def test_lagrange_in_numpy(seed: int) -> None:
    robot = spinning_robot(seed, 5, symbolic=bool(seed % 2), couplings=seed % 3)
    frames = (replace(frame, actuator=replace(frame.actuator, Ia=number(0))) for frame in robot.frames)
    robot = robot.replace(frames=tuple(frames))
    state = states(robot, seed)
    close(models.inverse_dynamics(robot, **GYRO).evaluate(**state), lagrange(robot, **state), 1e-9)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", SEEDS)
def test_newton_in_numpy_on_a_moving_base(seed: int) -> None:
    rng = np.random.default_rng(seed)
    base = loaded_robot(rng, 2, symbolic=False).base
    robot = with_axes(driven_robot(rng, 6, symbolic=False), rng, all_of_them=True).replace(base=base)
    state = states(robot, seed)
    tau = gyroscopic_torques(robot, **state)
    close(models.inverse_dynamics(robot, **GYRO).evaluate(**state), tau)
    close(models.inverse_dynamics(robot, **GYRO, parameters="base").evaluate(**state), tau)
    close(models.forward_dynamics(robot, **GYRO).evaluate(**without(state, "qdd"), tau=tau), state["qdd"], 1e-7)


@pytest.mark.parametrize("seed", SEEDS)
def test_wrenches_in_the_joints(seed: int) -> None:
    """Beyond those of the links: the moments of all rotors that a joint carries, and no force."""
    robot = spinning_robot(seed, 6, symbolic=False)
    state = states(robot, seed)
    found, links = (
        models.inverse_dynamics(robot, rotor_inertia=how, reactions=True).evaluate(**state)
        for how in ("gyroscopic", False)
    )
    close(found["f"], links["f"])
    poses, (turning, _) = frame_poses(robot, state["q"]), _velocities(robot, state["q"])
    moving = [j for j in robot.order if robot.frame(j).sigma != 2]
    wanted = np.array(links["m"])
    for rotor, row in zip(rotors(robot), speeds_of_rotors(robot), strict=True):
        w, qd_m, qdd_m = turning[rotor.link] @ state["qd"], row @ state["qd"], row @ state["qdd"]
        moment = rotor.Jm * (qdd_m * rotor.a + qd_m * np.cross(w, rotor.a))
        for j in set(robot.path(rotor.link)) & set(moving):
            between = poses[j][:3, :3].T @ poses[rotor.link][:3, :3]
            wanted[moving.index(j)] += between @ moment
    close(found["m"], wanted)


# --- coefficients and energy -------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", SEEDS)
def test_identities(seed: int) -> None:
    """A-dot - 2 C is skew, H = C qd + Q, T = 1/2 qd A qd, power is the rate of the energy."""
    robot = spinning_robot(seed, 6, symbolic=bool(seed % 2))
    state = states(robot, seed)
    moving = without(state, "qdd")
    matrix, energy = models.inertia_matrix(robot, **GYRO), models.energy(robot, **GYRO)
    A = matrix.evaluate(q=state["q"])
    close(A, A.T, 1e-13)
    C = models.coriolis(robot, **GYRO).evaluate(**moving)
    skew = rate_of(matrix, moving) - 2 * C
    close(skew, -skew.T)
    H = models.bias(robot, **GYRO, wrench="none").evaluate(**moving)
    close(C @ state["qd"] + models.gravity(robot).evaluate(q=state["q"]), H)
    assert energy.evaluate(**moving)["kinetic"][0] == pytest.approx(state["qd"] @ A @ state["qd"] / 2, rel=1e-10)
    tau = models.inverse_dynamics(robot, **GYRO, wrench="none").evaluate(**state)
    rates = tangent(energy.program).call(**state, parameters=energy.values)
    assert rates["totald"][0] == pytest.approx(tau @ state["qd"], rel=1e-9, abs=1e-9)
    free = [name for k, name in enumerate(robot.joint_names) if k % 2 == seed % 2] or robot.joint_names
    found = models.hybrid_dynamics(robot, **GYRO, free=free, wrench="none").evaluate(**state, tau=tau)
    close(found["qdd_all"], state["qdd"], 1e-7)
    close(found["tau_all"], tau, 1e-7)


@pytest.mark.parametrize("method", ["recursive", "differentiate"])
@pytest.mark.parametrize("seed", range(many(2)))
def test_lagranges_form(seed: int, method: Any) -> None:
    robot = spinning_robot(seed, 5, symbolic=False)
    state = states(robot, seed)
    found = models.lagrange(robot, **GYRO, method=method).evaluate(q=state["q"])
    qd, pairs = state["qd"], [(i, k) for i in range(robot.nv) for k in range(i + 1, robot.nv)]
    products = np.array([state["qd"][i] * state["qd"][k] for i, k in pairs])
    tau = found["A"] @ state["qdd"] + found["centrifugal_coefficients"] @ qd**2 + found["Q"]
    tau = tau + found["coriolis_coefficients"].reshape(robot.nv, -1) @ products
    close(tau, models.inverse_dynamics(robot, **GYRO).evaluate(**state))


def test_a_spinning_wheel_on_a_turning_arm() -> None:
    """By hand: an arm turns about the vertical, a wheel on it about the arm; h = Jm N qd_2 turns with the arm."""
    arm = {"ZZ": "I1", "ratio": 1}
    wheel = {"alpha": "pi/2", "XX": "J", "YY": "J", "ZZ": "I2", "ratio": "N", "motor": {"Jm": "JM", "axis": [1, 0, 0]}}
    values = {"I1": 2.0, "J": 0.3, "I2": 0.5, "N": 30.0, "JM": 0.01}
    robot = Robot.from_table("wheel", [arm, wheel], gravity=[0, 0, 0], values=values)
    f = models.inverse_dynamics(robot, **GYRO, reactions=True).compile()
    w, spin = 1.3, 4.0
    found = f(q=[0.7, 0.0], qd=[w, spin], qdd=[0, 0])
    # In frame 1 the rotor's h = (Jm N spin, 0, 0), which the arm turns by w about z: dh/dt = w x h. The link's own
    # momentum is I2 spin about z_2 = -y_1, with J w about z_1: dh/dt = w x h along x_1.
    np.testing.assert_allclose(found["m"][0], [values["I2"] * spin * w, values["JM"] * 30 * spin * w, 0], atol=1e-12)
    np.testing.assert_allclose(found["tau"], [0, 0], atol=1e-12)


def test_a_gyroscope_is_turned_by_its_rotor() -> None:
    """By hand: a rotor on the second of two gimbals, along its x; the moment Jm Omega w is on the second joint's axis."""
    rows = [
        {"ZZ": "I1"},
        {"alpha": "pi/2", "XX": "X", "YY": "Y", "ZZ": "Z"},
        {"alpha": "pi/2", "ratio": "N", "motor": {"Jm": "JM", "axis": [1, 0, 0], "link": 2}, "ZZ": 1e-9},
    ]
    values = {"I1": 1.0, "X": 0.4, "Y": 0.4, "Z": 0.2, "N": 50.0, "JM": 0.02}
    robot = Robot.from_table("gimbals", rows, gravity=[0, 0, 0], values=values)
    q2, w, Omega = 0.4, 1.7, 50 * 3.0
    tau = models.inverse_dynamics(robot, **GYRO).evaluate(q=[0.2, q2, 0], qd=[w, 0, 3.0], qdd=[0, 0, 0])
    # w about z_0 is w (sin q2, cos q2, 0) in frame 2, h = Jm Omega x_2: (w x h)_z = -Jm Omega w cos q2
    assert tau[1] == pytest.approx(-0.02 * Omega * w * np.cos(q2), rel=1e-8)
    plain_torque = models.inverse_dynamics(robot).evaluate(q=[0.2, q2, 0], qd=[w, 0, 3.0], qdd=[0, 0, 0])
    assert plain_torque[1] == pytest.approx(0, abs=1e-6)


# --- free bases and closed loops ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(many(2)))
def test_a_free_base(seed: int) -> None:
    pytest.importorskip("pinocchio")
    robot = spinning_robot(seed, 5, symbolic=False)
    base = Base(floating=True, link=robosym.load("eel-3").base.link)
    values = dict(robosym.load("eel-3").values)
    robot = robot.replace(base=base, values=values, frames=(_on_the_base(robot), *robot.frames[1:]))
    twin, state = Rotating.of(robot, seed), states(robot, seed)
    tau = twin.rnea(**state)
    close(models.inverse_dynamics(robot, **GYRO).evaluate(**state), tau)
    moving = without(state, "qdd")
    matrix = models.inertia_matrix(robot, **GYRO)
    A = matrix.evaluate(q=state["q"])
    close(A, twin.matrix(state["q"]))
    close(models.forward_dynamics(robot, **GYRO).evaluate(**moving, tau=tau), state["qdd"], 1e-7)
    found = models.base_acceleration(robot, **GYRO).evaluate(**moving, qdd=state["qdd"][6:], base_wrench=tau[:6])
    close(found["qdd_base"], state["qdd"][:6], 1e-7)
    close(found["tau"], tau[6:], 1e-7)
    C = models.coriolis(robot, **GYRO).evaluate(**moving)
    skew = rate_of(matrix, moving) - 2 * C
    close(skew, -skew.T)
    H = models.bias(robot, **GYRO, wrench="none").evaluate(**moving)
    close(C @ state["qd"] + models.gravity(robot).evaluate(q=state["q"]), H)
    energy = models.energy(robot, **GYRO)
    assert energy.evaluate(**moving)["kinetic"][0] == pytest.approx(state["qd"] @ A @ state["qd"] / 2, rel=1e-10)
    rates = tangent(energy.program).call(**state, parameters=energy.values)
    assert rates["totald"][0] == pytest.approx(tau @ state["qd"], rel=1e-9, abs=1e-9)


def _on_the_base(robot: Robot) -> Any:
    """The first frame with a motor on the base."""
    frame = robot.frame(1)
    if frame.sigma == 2:
        return frame
    motor = Motor(number(0.4), axis=(number(1), number(-2), number(0.5)), link=0)
    return replace(
        frame,
        actuator=replace(frame.actuator, motor=replace(frame.actuator.motor, Jm=motor.Jm, axis=motor.axis, link=0)),
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sr400", "five-bar-general", "palletizer"])
def test_closed_loops(name: str) -> None:
    """Motors of driven, passive and cut joints, on any links: Pinocchio's tree with rotors, on all joints of the loops."""
    pytest.importorskip("pinocchio")
    rng = np.random.default_rng(4)
    robot = robosym.load(name)
    frames = tuple(
        frame
        if frame.sigma == 2
        else replace(frame, actuator=replace(frame.actuator, ratio=number(3 + j), motor=Motor(number(0.01 * j))))
        for j, frame in enumerate(robot.frames, 1)
    )
    robot = with_axes(robot.replace(frames=frames), rng, all_of_them=True)
    reference, twin = Closed(robot), Rotating.of(robot.replace(loops=0))
    f, matrix, C = (getattr(models, one)(robot, **GYRO) for one in ("inverse_dynamics", "inertia_matrix", "coriolis"))
    compiled, A, forward = f.evaluate, matrix.evaluate, models.forward_dynamics(robot, **GYRO).evaluate
    energy = models.energy(robot, **GYRO).evaluate
    based = models.inverse_dynamics(robot, **GYRO, parameters="base").evaluate
    for state in clear_states(robot, None, 3):
        G, xd = reference.projection(state.x), reference.speeds(state.x, state.qd)
        tau = G.T @ twin.rnea(state.x, xd, reference.accelerations(state.x, xd, state.qdd))
        given = {"q": state.q, "qd": state.qd}
        close(output(compiled(**given, qdd=state.qdd), "tau"), tau, 1e-8)
        close(output(based(**given, qdd=state.qdd), "tau"), tau, 1e-8)
        close(output(A(q=state.q), "A"), G.T @ twin.matrix(state.x) @ G, 1e-9)
        close(output(forward(**given, tau=tau), "qdd"), state.qdd, 1e-6)
        kinetic = xd @ twin.matrix(state.x) @ xd / 2
        assert output(energy(**given), "kinetic")[0] == pytest.approx(kinetic, rel=1e-8)
        skew = rate_of(matrix, given) - 2 * output(C.evaluate(**given), "coriolis_matrix")
        close(skew, -skew.T, 1e-8)


# --- what stays as it was ----------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", range(many(4)))
def test_rotors_on_a_base_at_rest_turn_with_their_joints(seed: int) -> None:
    """The same programs as without their axes; the body of such a rotor would give the same, as NumPy says."""
    robot = spinning_robot(seed, 6, symbolic=False)
    frames = (
        replace(f, actuator=replace(f.actuator, motor=replace(f.actuator.motor, link=0)))
        if f.actuator.motor.axis is not None
        else f
        for f in robot.frames
    )
    robot = robot.replace(frames=tuple(frames))
    for make in (models.inverse_dynamics, models.forward_dynamics, models.inertia_matrix, models.energy):
        assert make(robot, **GYRO).program == make(robot).program
    state = states(robot, seed)
    close(gyroscopic_torques(robot, **state), models.inverse_dynamics(robot).evaluate(**state))


def test_a_rotor_along_the_joint_of_the_first_link() -> None:
    robot = Robot.from_table("one", [{"ZZ": 2, "M": 1, "MX": 0.3, "ratio": 9, "motor": {"Jm": 0.1, "axis": [0, 0, 1]}}])
    assert models.inverse_dynamics(robot, **GYRO).program == models.inverse_dynamics(robot).program


def test_motors_without_an_axis_turn_with_their_joints() -> None:
    robot = spinning_robot(3, 6, symbolic=False)
    only = next(j for j, frame in enumerate(robot.frames, 1) if frame.actuator.motor.axis is not None)
    bare = robot.replace(
        frames=tuple(
            frame
            if j == only or frame.sigma == 2
            else replace(
                frame, actuator=replace(frame.actuator, motor=replace(frame.actuator.motor, axis=None, link=None))
            )
            for j, frame in enumerate(robot.frames, 1)
        )
    )
    state = states(bare)
    close(models.inverse_dynamics(bare, **GYRO).evaluate(**state), gyroscopic_torques(bare, **state))


def test_the_angles_of_rotors_are_in_no_program() -> None:
    """They would be in sin(N q); and only the direction of an axis counts."""
    robot = spinning_robot(5, 6)
    longer = robot.replace(
        frames=tuple(
            replace(
                f,
                actuator=replace(
                    f.actuator, motor=replace(f.actuator.motor, axis=tuple(3 * x for x in f.actuator.motor.axis))
                ),
            )
            if f.actuator.motor.axis is not None
            else f
            for f in robot.frames
        )
    )
    state = states(robot)
    close(
        models.inverse_dynamics(longer, **GYRO).evaluate(**state),
        models.inverse_dynamics(robot, **GYRO).evaluate(**state),
    )
    made, usual = (models.inverse_dynamics(robot, rotor_inertia=how) for how in ("gyroscopic", True))
    assert made.operations.trig == usual.operations.trig


def test_bodies_of_rotors() -> None:
    robot = spinning_robot(5, 6, symbolic=False)
    made = with_spinning_rotors(robot, tree(robot), "gyroscopic")
    extra = [body for body in made.bodies if body.is_rotor]
    assert extra
    assert [body.j for body in extra] == list(range(len(robot.frames) + 1, len(robot.frames) + 1 + len(extra)))
    assert made.links == made.bodies[: len(made.bodies) - len(extra)]
    assert with_spinning_rotors(robot, tree(robot), True) == tree(robot)


@pytest.mark.parametrize("seed", range(20))
def test_turns_to_an_axis(seed: int) -> None:
    rng = np.random.default_rng(seed)
    axis = rng.uniform(-1, 1, 3) * (rng.random(3) < 0.6)
    axis = axis if axis.any() else np.array([0.0, 0, -2])
    names = [parameter(f"a{k}") for k in range(3)]
    for given in (tuple(number(float(x)) for x in axis), tuple(names)):
        robot = Robot("r", (), values={f"a{k}": Value(float(x)) for k, x in enumerate(axis)})
        found = numbers(robot, back(tuple(turns_to(given)), (number(0), number(0), number(1))))
        np.testing.assert_allclose(found, axis / np.linalg.norm(axis), atol=1e-15)


def test_compiled_and_evaluated() -> None:
    robot = spinning_robot(11, 6)
    state = states(robot)
    made = models.forward_dynamics(robot, **GYRO)
    given = {**without(state, "qdd"), "tau": state["qdd"]}
    close(made.compile()(**given), made.evaluate(**given), 1e-12)


# --- refused -----------------------------------------------------------------------------------------------------------


def test_what_is_refused() -> None:
    no_axis = Robot.from_table("r", [{"ZZ": 1, "motor": {"Jm": 1}}])
    with pytest.raises(
        RobotError, match=r"rotor_inertia: gyroscopic torques need the axes of the motors: expected motor = "
    ):
        models.inverse_dynamics(no_axis, **GYRO)
    robot = Robot.from_table(
        "r", [{"ZZ": 1}, {"alpha": "pi/2", "ZZ": 1, "ratio": 2, "motor": {"Jm": 1, "axis": [1, 0, 0]}}]
    )
    with pytest.raises(RobosymError, match="rotor_inertia: got 'spinning', expected True, False or 'gyroscopic'"):
        models.energy(robot, rotor_inertia="spinning")  # type: ignore[arg-type]
    with pytest.raises(RobotError, match="method: articulated bodies need free joints, and rotors that links carry"):
        models.forward_dynamics(robot, **GYRO, method="articulated-bodies")
    with pytest.raises(
        RobosymError, match=r"rotor_inertia: got 'gyroscopic', .*'gyroscopic' is for torques, accelerations, energy"
    ):
        models.base_parameters(robot, **GYRO)
    with pytest.raises(
        RobosymError, match=r"rotor_inertia: got 'gyroscopic', .*'gyroscopic' is for torques, accelerations, energy"
    ):
        models.constraint_wrenches(robosym.load("sr400"), **GYRO)
    with pytest.raises(
        RobotError, match="rotor_inertia: the robot is written in base parameters that hold the inertia"
    ):
        models.inverse_dynamics(models.base_parameters(spinning_robot(3, 5)).robot, **GYRO)


def test_base_parameters_without_rotors_keep_them_apart() -> None:
    robot = spinning_robot(3, 6)
    state = states(robot)
    tau = gyroscopic_torques(robot, **state)
    regrouped = models.base_parameters(robot, rotor_inertia=False).robot
    close(models.inverse_dynamics(regrouped, **GYRO).evaluate(**state), tau)
    assert plain(robot, motors=False).couplings == robot.couplings
