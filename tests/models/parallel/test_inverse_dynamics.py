"""Forces of the motors from the motion of the platform: against multipliers on Pinocchio, virtual work and published numbers."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from c_calls import call_c
from models.parallel import reference
from models.parallel.platform_cases import BUILT_IN, built_in, case_of, mode_near, random_case, seeds, tried, value
from models.parallel.platform_model import pin, pose_of, rotation
from models.parallel.platform_states import random_states
from models.parallel.random_platforms import KINDS, random_platform, renumbered
from models.parallel.virtual_work import Struts
from models.reference import relative_error
from published_mechanisms import Tsai
from sweeps import many, some

from robosym import models
from robosym.expr import number
from robosym.robot import Robot, Value

TOLERANCE = 1e-10


# --- published numbers -----------------------------------------------------------------------------------------------


def along_the_diagonal(t: float) -> dict[str, np.ndarray]:
    """p = (-1.5, 0, 1) + 0.2 sin(3 t) (1, 1, 1), not turning."""
    way = 0.2 * np.ones(3)
    pose = np.array([-1.5, 0, 1, 0, 0, 0, 1]) + np.append(way * np.sin(3 * t), np.zeros(4))
    twist, rate = np.zeros((2, 6))
    twist[:3], rate[:3] = 3 * np.cos(3 * t) * way, -9 * np.sin(3 * t) * way
    return {"pose": pose, "twist": twist, "twist_rate": rate}


def with_axial_inertia(robot: Robot, axial: float) -> Robot:
    """The same with legs that have a moment of inertia about themselves: lower halves along y of their frames, upper ones along z."""
    frames = list(robot.frames)
    for i, frame in enumerate(frames):
        if frame.name.endswith("lower"):
            frames[i] = replace(frame, link=replace(frame.link, YY=number(axial)))
        if frame.name.endswith("upper"):
            frames[i] = replace(frame, link=replace(frame.link, ZZ=number(axial)))
    return robot.replace(frames=tuple(frames))


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(("published", "axial"), [(Tsai.forces, 0.0), (Tsai.forces_isotropic, Tsai.half_inertia)])
def test_tsais_leg_forces(published: tuple[tuple[float, ...], ...], axial: float) -> None:
    robot = built_in("gough-stewart")[0]
    model = models.inverse_dynamics(robot if not axial else with_axial_inertia(robot, axial))
    for t, forces in zip(Tsai.times, published, strict=True):
        assert relative_error(tried(model, **along_the_diagonal(t))["tau"], forces) < 1e-6


def test_tsais_platform_by_virtual_work() -> None:
    """At poses that are turned, in any motion, with a wrench on the environment, which the model takes in the platform's axes."""
    legs = (Tsai.half_mass, Tsai.half_mass, Tsai.half_inertia, Tsai.half_inertia, Tsai.e1, Tsai.e2)
    struts = Struts(
        Tsai.base,
        Tsai.platform,
        Tsai.mass,
        np.array(Tsai.inertia),
        *(np.full(6, number) for number in legs),
        gravity=np.array([0, 0, built_in("gough-stewart")[0].values["G3"].number]),
    )
    model = models.inverse_dynamics(built_in("gough-stewart")[0])
    rng = np.random.default_rng(1)
    for _ in range(3):
        R, p = pin.exp3(rng.normal(size=3) * 0.3), np.array([-1.5, 0, 1]) + rng.uniform(-0.2, 0.2, 3)
        twist, rate, wrench = rng.normal(size=(3, 6))
        own = np.concatenate([R.T @ wrench[:3], R.T @ wrench[3:]])
        found = tried(model, pose=pose_of(R, p), twist=twist, twist_rate=rate, wrench=own[None])["tau"]
        assert relative_error(found, struts.forces(R, p, twist, rate, wrench)) < TOLERANCE


# --- multipliers -----------------------------------------------------------------------------------------------------


# Six legs that are all different take longest; a longer sweep tries all classes.
USUAL = [kind for kind in KINDS if many(1) > 1 or kind not in ("6-UPS", "6-PUS", "3-PUU", "wrist-3-UPU")]


@pytest.mark.slow
@pytest.mark.parametrize("kind", some(USUAL, 2))
def test_random_robots(kind: str) -> None:
    """By all methods in turn: what is cheapest is "auto", but trying them all is most of the time."""
    methods = ("newton-euler", "auto", "acceleration-matrix", "augmented-body")
    for seed in seeds():
        robot, states = random_case(kind, seed)
        model = models.inverse_dynamics(robot, method=methods[(list(KINDS).index(kind) + seed) % 4])
        carried = reference.carried_joints(robot)
        for state in states:
            on = {"q": state.legs[carried], "qd": state.carried, "qdd": state.carried_rate} if carried else {}
            assert relative_error(value(model, "tau", state, **on), state.tau) < TOLERANCE


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_robots(name: str) -> None:
    robot, states = built_in(name)
    model = models.inverse_dynamics(robot)
    for state in states:
        assert relative_error(value(model, "tau", state), state.tau) < TOLERANCE


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["delta", "3-RPS"])
def test_friction_and_a_wrench(name: str) -> None:
    """Friction is of every joint, driven or not; the wrench is in the platform's axes, the reference's in those of the world."""
    robot, states = case_of(name)
    frames = tuple(
        replace(frame, actuator=replace(frame.actuator, Fv=number(0.3 + j / 10), Fs=number(0.2)))
        if j in reference.joints_of(robot)
        else frame
        for j, frame in enumerate(robot.frames, 1)
    )
    rough, wrench = robot.replace(frames=frames), np.array([1.0, -2, 3, 0.4, 0.5, -0.6])
    model = models.inverse_dynamics(rough, friction=True, method="newton-euler")
    for state in states:
        R = rotation(state.pose)
        world = np.concatenate([R @ wrench[:3], R @ wrench[3:]])
        motion = state.pose, state.legs, state.twist, state.twist_rate
        expected = reference.inverse_dynamics(rough, *motion, friction=True, wrench=world)
        assert relative_error(value(model, "tau", state, wrench=wrench[None]), expected) < TOLERANCE


@pytest.mark.parametrize("method", ["newton-euler", "acceleration-matrix", "augmented-body"])
def test_methods_agree(method: str) -> None:
    robot, states = built_in("planar-3rrr")
    model = models.inverse_dynamics(robot, method=method)
    assert relative_error(value(model, "tau", states[0]), states[0].tau) < TOLERANCE


def test_without_rotors() -> None:
    robot, states = random_case("3-RPS")
    still = tuple(replace(f, actuator=replace(f.actuator, Ia=number(0))) for f in robot.frames)
    model, alone = (
        models.inverse_dynamics(robot, rotor_inertia=False, method="newton-euler"),
        robot.replace(frames=still),
    )
    for state in states:
        expected = reference.inverse_dynamics(alone, state.pose, state.legs, state.twist, state.twist_rate)
        assert relative_error(value(model, "tau", state), expected) < TOLERANCE


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["delta", "3-RPS"])
def test_bias_and_gravity(name: str) -> None:
    """Bias has no acceleration of the platform, gravity no motion at all; where twists change with the pose, no acceleration is one
    that the robot cannot have, unless it stands."""
    robot, states = case_of(name)
    bias, gravity = models.bias(robot), models.gravity(robot)
    for state in states:
        at = state.pose, state.legs
        expected = reference.gravity(robot, *at)
        assert relative_error(value(gravity, "Q", state), expected) < TOLERANCE
        assert relative_error(value(bias, "H", state, twist=np.zeros(6)), expected) < TOLERANCE
        if name == "delta":
            expected = reference.inverse_dynamics(robot, *at, state.twist, np.zeros(6))
            assert relative_error(value(bias, "H", state), expected) < TOLERANCE


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["gough-stewart", "planar-3-RPR", "3-UPU", "3-RPS"])
def test_the_platforms_own_forces_do_the_work_of_the_motors(name: str) -> None:
    """W . twist = tau . qd for every motion the robot can have."""
    robot, states = case_of(name)
    model = models.inverse_dynamics(robot, forces="platform", method="newton-euler")
    for state in states:
        W = value(model, "W", state)
        for twist in reference.admissible(robot, state.pose, state.legs).platform.T:
            qd = reference.rates(robot, state.pose, state.legs, twist).value[reference.motors_of(robot)]
            assert abs(W @ twist - state.tau @ qd) < TOLERANCE * np.abs(state.tau).max()


# --- the same robot, described otherwise -----------------------------------------------------------------------------


def test_frames_in_another_order() -> None:
    robot, states = random_case("3-RPS")
    other = renumbered(robot, 3)
    assert other.moving != robot.moving
    model = models.inverse_dynamics(other, method="newton-euler")
    names = [robot.frame(j).joint.name for j in robot.moving]
    order = [names.index(other.frame(j).joint.name) for j in other.moving]
    for state in states:
        assert relative_error(value(model, "tau", state), state.tau[order]) < TOLERANCE


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("kind", ["planar-3-RPR", "3-RPS"])
def test_a_base_that_is_anywhere(kind: str) -> None:
    """The pose is in frame 0, wherever that is: gravity is not."""
    robot, pose, legs = random_platform(kind, 2, placed=True)
    model = models.inverse_dynamics(robot, method="newton-euler")
    Z = np.array([float(x.value) for x in robot.base.location]).reshape(4, 4)
    R, p = Z[:3, :3], Z[:3, 3]
    for state in random_states(robot, pose, legs, 2):
        own = {
            "pose": pose_of(R.T @ rotation(state.pose), R.T @ (state.pose[:3] - p)),
            "twist": np.concatenate([R.T @ state.twist[:3], R.T @ state.twist[3:]]),
            "twist_rate": np.concatenate([R.T @ state.twist_rate[:3], R.T @ state.twist_rate[3:]]),
        }
        assert relative_error(value(model, "tau", state, **own), state.tau) < TOLERANCE


# --- compiled --------------------------------------------------------------------------------------------------------


def test_c_source_and_python_agree(compiled: Callable[[str], ctypes.CDLL]) -> None:
    robot, states = built_in("delta")
    model = models.inverse_dynamics(robot)
    library = compiled(model.source("c"))
    parameters = [model.values[symbol.name] for symbol in model.program.parameter_symbols]
    for state in states:
        given = {"pose": state.pose, "twist": state.twist, "twist_rate": state.twist_rate, "wrench": np.ones((1, 6))}
        found = call_c(library, model.program, given, parameters)
        expected = tried(model, **given)
        assert found["assembled"] == expected["assembled"] == 1
        assert relative_error(found["tau"], expected["tau"]) < 1e-13


def test_batch_and_single_agree() -> None:
    robot, states = built_in("planar-3rrr")
    f = models.inverse_dynamics(robot).compile()
    inputs = [{"pose": s.pose, "twist": s.twist, "twist_rate": s.twist_rate} for s in states]
    inputs.append({**inputs[0], "pose": inputs[0]["pose"] + np.array([9, 0, 0, 0, 0, 0, 0])})  # out of reach
    batch = f(**{name: np.array([one[name] for one in inputs]) for name in inputs[0]})
    for k, one in enumerate(inputs):
        single = f(**one)
        assert single["assembled"] == batch["assembled"][k] == (k < 2)
        if k < 2:
            assert relative_error(batch["tau"][k], single["tau"]) < 1e-14


def test_parameters_given_late() -> None:
    """To the compiled function of one robot, against the reference on the robot that has them."""
    robot = built_in("gough-stewart")[0]
    late = {"MP": 2.5, "E1": 0.4, "P1X": 0.2, "B3Y": 0.3, "H": 0.3}
    other = robot.replace(values={**robot.values, **{k: Value(x) for k, x in late.items()}})
    f = models.inverse_dynamics(robot).compile()
    motion = along_the_diagonal(0.3)
    legs, error = reference.legs_at(other, motion["pose"])
    assert error < 1e-12
    expected = reference.inverse_dynamics(other, motion["pose"], legs, motion["twist"], motion["twist_rate"])
    assert relative_error(f(**motion, parameters=late), expected) < TOLERANCE
    assert relative_error(f(**motion), expected) > 0.01


def test_modes_are_different_robots() -> None:
    """A leg bent the other way: as the reference finds it from there."""
    robot, states = built_in("planar-3rrr")
    state = states[0]
    solutions = models.inverse_geometric(robot)(state.pose)
    assert len(solutions) == 8
    names = list(solutions.all_joints)
    for k in (1, 7):
        at = dict(zip(names, solutions.positions[k], strict=True))
        legs = np.array([at[robot.frame(j).joint.name] for j in reference.joints_of(robot)])
        assert reference.closure_error(robot, state.pose, legs) < 1e-12
        expected = reference.inverse_dynamics(robot, state.pose, legs, state.twist, state.twist_rate)
        by_name = models.inverse_dynamics(robot, mode=solutions.modes[k], method="newton-euler")
        near = models.inverse_dynamics(robot, near=mode_near(robot, legs), method="newton-euler")
        assert by_name.options["mode"] == near.options["mode"] == solutions.modes[k]
        assert relative_error(value(by_name, "tau", state), expected) < TOLERANCE


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["planar-3rrr", "delta", "orthoglide", "gough-stewart", "3-PRS"])
@pytest.mark.parametrize("coordinates", ["platform", "motors"])
def test_base_parameters_keep_the_torques(name: str, coordinates: str) -> None:
    robot, states = case_of(name)
    model = models.inverse_dynamics(robot, parameters="base", coordinates=coordinates)
    assert model.parameter_set == "base"
    for state in states:
        given = {"start": state.pose, "q": state.q, "qd": state.qd, "qdd": state.qdd}
        found = tried(model, state) if coordinates == "platform" else tried(model, **given)
        assert relative_error(found["tau"], state.tau) < 1e-8
