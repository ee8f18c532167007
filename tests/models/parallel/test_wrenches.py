"""Wrenches on frames of parallel robots, of legs and on the platform, by virtual work with Pinocchio's frames; and those that the
description sets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.loops.closed_states import output
from models.mounted_frames import frames_that_move, mounted, name_of, with_wrenches
from models.parallel import reference
from models.parallel.platform_cases import built_in, random_case
from models.parallel.platform_model import Mechanism, pin
from models.parallel.platform_states import State
from models.reference import relative_error

from robosym import models
from robosym.expr import number, variable
from robosym.models.parallel.structure import module_of
from robosym.robot import Robot, RobotError

KINDS = ("planar-3-RRR", "6-UPS-wrist", "3-PRS", "3-UPS-UP")
WITHOUT_CARRIED = tuple(kind for kind in KINDS if kind != "6-UPS-wrist")


def case(kind: str) -> tuple[Robot, State, np.random.Generator]:
    rng = np.random.default_rng(11)
    robot, states = random_case(kind)
    return mounted(robot, rng, 4), states[0], rng


def power(robot: Robot, state: State, frames: list[int], wrench: np.ndarray, u: np.ndarray) -> float:
    """Of the wrenches (in the axes and at the origins of these frames) on the motion u of the platform and all joints."""
    mechanism = Mechanism.of(robot)
    q, v = mechanism.configuration(state.pose, state.legs), mechanism.turned(state.pose) @ u
    pin.computeJointJacobians(mechanism.model, mechanism.data, q)
    pin.updateFramePlacements(mechanism.model, mechanism.data)
    total = 0.0
    for j, w in zip(frames, wrench, strict=True):
        J = pin.getFrameJacobian(mechanism.model, mechanism.data, mechanism.frame_ids[j], pin.LOCAL)
        total += float(w @ J @ v)
    return total


def motor_work(robot: Robot, state: State, frames: list[int], wrench: np.ndarray) -> np.ndarray:
    """What each motor, and joint on the platform, has to exert beside the rest: the power while it alone moves."""
    rows = np.eye(len(robot.moving))
    zero = np.zeros(len(robot.moving))
    motions = [reference.motion_by_motors(robot, state.pose, state.legs, row, zero)[0] for row in rows]
    return np.array([power(robot, state, frames, wrench, u) for u in motions])


def inputs(robot: Robot, state: State) -> dict[str, np.ndarray]:
    carried = reference.carried_joints(robot)
    given = {"pose": state.pose, "twist": state.twist, "twist_rate": state.twist_rate}
    if carried:
        given |= {"q": state.legs[carried], "qd": state.carried, "qdd": state.carried_rate}
    return given


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("kind", KINDS)
def test_torques_do_the_work_of_the_wrenches(kind: str) -> None:
    robot, state, rng = case(kind)
    frames = [int(j) for j in rng.permutation(frames_that_move(robot))[:8]]
    frames += [j for j in (robot.platforms[0].frame, robot.n_links) if j not in frames]
    wrench = rng.uniform(-5, 5, (len(frames), 6))
    model = models.inverse_dynamics(robot, wrench=[name_of(robot, j) for j in frames])
    assert model.optional["wrench"] == tuple(name_of(robot, j) for j in frames)
    given = inputs(robot, state)
    taken = output(model.evaluate(**given, wrench=wrench), "tau") - output(model.evaluate(**given), "tau")
    assert relative_error(taken, motor_work(robot, state, frames, wrench)) < 1e-8
    assert relative_error(output(model.evaluate(**given), "tau"), state.tau) < 1e-8
    platform = models.inverse_dynamics(robot, wrench=model.optional["wrench"], forces="platform")
    W = output(platform.evaluate(**given, wrench=wrench), "W") - output(platform.evaluate(**given), "W")
    if not reference.carried_joints(robot):  # else joints on the platform take a part
        u = reference.motion_by_motors(robot, state.pose, state.legs, state.qd, 0 * state.qd)[0]
        assert W @ u[:6] == pytest.approx(power(robot, state, frames, wrench, u), rel=1e-8, abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("kind", WITHOUT_CARRIED)
def test_forward_dynamics_is_the_inverse(kind: str) -> None:
    robot, state, rng = case(kind)
    names = [name_of(robot, int(j)) for j in rng.permutation(frames_that_move(robot))[:4]]
    given, wrench = inputs(robot, state), rng.uniform(-5, 5, (4, 6))
    tau = output(models.inverse_dynamics(robot, wrench=names).evaluate(**given, wrench=wrench), "tau")
    rate = given.pop("twist_rate")
    found = output(models.forward_dynamics(robot, wrench=names).evaluate(**given, tau=tau, wrench=wrench), "twist_rate")
    assert relative_error(found, rate) < 1e-8


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("coordinates", ["platform", "motors"])
def test_all_moving_links_and_those_of_the_description(coordinates: str) -> None:
    """Wrenches that a description sets, on a fixed frame of a leg, its link and the platform, are those of the input."""
    robot, state, rng = case("planar-3-RRR")
    leg = Mechanism.of(robot).joints[1]
    frames = [leg, robot.platforms[0].frame, robot.n_links]
    wrench = rng.uniform(-5, 5, (3, 6))
    described = list(robot.frames)
    for j, w in zip(frames, wrench, strict=True):
        described[j - 1] = replace(
            described[j - 1], link=replace(described[j - 1].link, wrench=tuple(number(float(x)) for x in w))
        )
    pushed = robot.replace(frames=tuple(described))
    given = inputs(robot, state) if coordinates == "platform" else {"q": state.q, "qd": state.qd, "qdd": state.qdd}
    start = {} if coordinates == "platform" else {"start": state.pose}
    names = [name_of(robot, j) for j in frames]
    options = {"coordinates": coordinates}
    expected = output(
        models.inverse_dynamics(robot, wrench=names, **options).evaluate(**given, **start, wrench=wrench), "tau"
    )
    found = output(models.inverse_dynamics(pushed, **options).evaluate(**given, **start), "tau")
    assert relative_error(found, expected) < 1e-9
    without = output(models.inverse_dynamics(pushed, wrench="none", **options).evaluate(**given, **start), "tau")
    assert relative_error(without, state.tau) < 1e-8
    every = models.inverse_dynamics(robot, wrench="all", **options)
    rows = every.optional["wrench"]
    assert set(rows) == {robot.frame(j).name for j in (*Mechanism.of(robot).joints, robot.platforms[0].frame)}
    some = np.zeros((len(rows), 6))
    for name, w in zip(names[:2], wrench[:2], strict=True):
        some[rows.index(name)] = w
    found = output(every.evaluate(**given, **start, wrench=some), "tau")
    two = models.inverse_dynamics(robot, wrench=names[:2], **options)
    assert relative_error(found, output(two.evaluate(**given, **start, wrench=wrench[:2]), "tau")) < 1e-9


def set_there(robot: Robot, wrenches: dict[int, np.ndarray]) -> Robot:
    return with_wrenches(robot, {j: [number(float(x)) for x in w] for j, w in wrenches.items()})


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["planar-3rrr", "gough-stewart"])
def test_one_function_for_all_legs_knows_the_wrenches_of_the_description(name: str) -> None:
    """On links of legs, of one leg only, and on the platform."""
    robot, (state, *_) = built_in(name)
    rng, given = np.random.default_rng(4), inputs(robot, state)
    first, second = (leg.joints for leg in module_of(robot).legs[:2])
    pushed = set_there(
        robot, dict(zip((*first, second[-1], robot.platforms[0].frame), rng.uniform(-5, 5, (5, 6)), strict=False))
    )

    def tau(legs: str, wrench: str = "terminal") -> np.ndarray:
        return np.asarray(output(models.inverse_dynamics(pushed, legs=legs, wrench=wrench).evaluate(**given), "tau"))

    assert relative_error(tau("shared"), tau("unrolled")) < 1e-10
    assert relative_error(tau("shared", "none"), state.tau) < 1e-8
    assert relative_error(tau("shared"), state.tau) > 1e-3


def test_one_function_for_all_legs_has_no_input_for_a_link_of_one() -> None:
    robot, _ = built_in("planar-3rrr")
    j = module_of(robot).legs[1].joints[0]
    symbolic = with_wrenches(robot, {j: [variable(f"FX{j}"), *[number(0)] * 5]})
    assert models.inverse_dynamics(symbolic).optional["wrench"] == (robot.frame(j).name, "platform")
    with pytest.raises(RobotError, match=f"wrench: {robot.frame(j).name}: the wrench is a variable"):
        models.inverse_dynamics(symbolic, legs="shared")
    assert models.inverse_dynamics(symbolic, legs="shared", wrench="none").optional == {}


@pytest.mark.slow
def test_a_wrench_of_the_description_stays_on_the_platform_behind_a_tool() -> None:
    """It acts once, where it did; what is an input is one at the tool."""
    robot, _ = built_in("planar-3rrr")
    platform, w, arm = robot.platforms[0].frame, np.array([1.0, 2, 0, 0, 0, 0.7]), np.array([0.1, 0.05, 0])
    plain = models.inverse_dynamics(robot, tool=arm)
    given = plain.random_state(np.random.default_rng(3))
    del given["wrench"]
    at_the_tool = np.r_[w[:3], w[3:] - np.cross(arm, w[:3])]
    expected = output(plain.evaluate(**given, wrench=[at_the_tool]), "tau")
    pushed = models.inverse_dynamics(set_there(robot, {platform: w}), tool=arm)
    assert relative_error(output(pushed.evaluate(**given), "tau"), expected) < 1e-10
    both = output(pushed.evaluate(**given, wrench=[at_the_tool]), "tau")
    assert relative_error(both - expected, expected - output(plain.evaluate(**given), "tau")) < 1e-9
    entries = [variable(f"FX{platform}"), *[number(0)] * 4, number(0.7)]
    symbolic = models.inverse_dynamics(with_wrenches(robot, {platform: entries}), tool=arm)
    assert symbolic.optional == {"wrench": ("platform",)}
    turned = output(symbolic.evaluate(**given, wrench=[np.r_[w[:3], at_the_tool[3:] - [0, 0, 0.7]]]), "tau")
    assert relative_error(turned, expected) < 1e-10


def test_what_is_no_frame_that_moves() -> None:
    robot, _, _ = case("planar-3-RRR")
    leg = robot.frame(Mechanism.of(robot).joints[0]).name
    for wrong in ([leg, leg], ["nowhere"], []):
        with pytest.raises(RobotError, match="wrench: "):
            models.inverse_dynamics(robot, wrench=wrong)
    with pytest.raises(RobotError, match="wrench: with shared legs"):
        models.inverse_dynamics(robot, wrench=[leg], legs="shared")
