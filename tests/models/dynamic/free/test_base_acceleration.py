"""How a free base accelerates when its joints are moved: Pinocchio's rnea of the result leaves the wrench that was given."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np
import pytest
from c_calls import call_c
from models.kinematic.mass_states import random_placed
from models.kinematic.moving_frames import freed, states
from models.pinocchio_states import Twin
from real_robots import real_robot, urdf_file
from simulation.tops import mixed, start
from sweeps import many, some

import robosym
from robosym import RobosymError, models
from robosym.robot import Robot, RobotError

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
FILES = ("solo12", "simple_humanoid", "humanoid30", "panda")


def check(twin: Twin, seed: int = 0, **options: str) -> None:
    robot = twin.robot
    model = models.base_acceleration(robot, wrench="none", **options)
    f, rng = model.compile(), np.random.default_rng(seed)
    batch = states(rng, robot, 3)
    wrench = rng.uniform(-5, 5, (3, 6))
    joints = batch["qdd"][:, 6:]
    found = f(q=batch["q"], qd=batch["qd"], qdd=joints, base_wrench=wrench)
    for k in range(3):
        qdd = np.concatenate([found["qdd_base"][k], joints[k]])
        if options.get("kind") == "classical":
            v, w = np.split(batch["qd"][k][:6], 2)
            qdd[:3] -= np.cross(w, v)
        expected = twin.rnea(batch["q"][k], batch["qd"][k], qdd)
        size = max(1.0, np.abs(expected).max())
        np.testing.assert_allclose(expected[:6], wrench[k], rtol=0, atol=1e-10 * size)
        np.testing.assert_allclose(found["tau"][k], expected[6:], rtol=0, atol=1e-10 * size)
    alone = f(q=batch["q"][0], qd=batch["qd"][0], qdd=joints[0])  # nothing acts on the base
    left = twin.rnea(batch["q"][0], batch["qd"][0], np.concatenate([alone["qdd_base"], joints[0]]))[:6]
    if options.get("kind") != "classical":
        assert np.abs(left).max() < 1e-9 * size


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("file", some(FILES, every=2))
def test_real_files(file: str) -> None:
    check(Twin.of_urdf(urdf_file(file), real_robot(file, floating=True)))


@pytest.mark.slow
def test_random_trees() -> None:
    for seed in range(many(3)):
        check(Twin.of_robot(freed(random_placed(seed, 7, symbolic=bool(seed % 2)))), seed)


def test_classical_acceleration() -> None:
    check(Twin.of_urdf(urdf_file("solo12"), real_robot("solo12", floating=True)), kind="classical")


@pytest.mark.runs("c")
def test_as_c(compiled: Callable[[str], ctypes.CDLL]) -> None:
    robot = real_robot("solo12", floating=True)
    model = models.base_acceleration(robot, wrench="none")
    state = {name: values[0] for name, values in states(np.random.default_rng(1), robot, 1).items()}
    given = {**state, "qdd": state["qdd"][6:], "base_wrench": np.arange(6.0)}
    found = call_c(compiled(model.source("c")), model.program, given, list(model.values.values()))
    for name, expected in model.compile()(**given).items():
        np.testing.assert_allclose(found[name], expected, rtol=1e-12, atol=1e-12)


def test_closed_loops_on_a_free_base() -> None:
    """A four-bar that floats: inverse dynamics with the acceleration found asks for no wrench on the base."""
    robot = floating_four_bar()
    f = models.base_acceleration(robot).compile()
    q, qd = np.array([0.1, 0.2, -0.3, 0, 0, 0, 1, 0.7]), np.arange(1.0, 8.0) / 5
    found = f(q=q, qd=qd, qdd=[0.4])
    qdd = np.concatenate([found["qdd_base"], [0.4]])
    tau = models.inverse_dynamics(robot).compile()(q=q, qd=qd, qdd=qdd)["tau"]
    np.testing.assert_allclose(tau, [0] * 6 + [float(found["tau"][0])], atol=1e-12)


def floating_four_bar() -> Robot:
    robot = robosym.load("four-bar", floating=True)
    body = {"M": 3.0, "MX": 0.2, "MY": 0.1, "MZ": -0.1, "XX": 0.4, "YY": 0.5, "ZZ": 0.3}
    from dataclasses import replace

    from robosym.expr import number
    from robosym.robot import Link

    link = Link(**{name: number(x) for name, x in body.items()})
    return robot.replace(base=replace(robot.base, link=link))


@pytest.mark.slow
def test_cost_grows_linearly() -> None:
    counts = [models.base_acceleration(robosym.load(f"eel-{n}")).operations.total for n in (10, 20, 40)]
    assert counts[2] - counts[1] == 2 * (counts[1] - counts[0])


def test_what_is_refused() -> None:
    with pytest.raises(RobotError, match="base: is not free"):
        models.base_acceleration(robosym.load("rx90"))
    with pytest.raises(RobosymError, match="kind: got 'nice'"):
        models.base_acceleration(robosym.load("eel-3"), kind="nice")
    with pytest.raises(RobotError, match="base: moves no inertia"):
        models.base_acceleration(Robot.from_table("thin", [{"M": 1}], base={"floating": True}))


def test_joints_of_several_axes() -> None:
    """No wrench acts on the base: the accelerations of all give torques whose first six are zero."""
    robot = mixed(floating=True)
    q, qd = start(robot)
    qdd = np.linspace(-1, 1, robot.nv - 6)
    found = models.base_acceleration(robot, wrench="none").evaluate(q=q, qd=qd, qdd=qdd)
    every = np.r_[found.qdd_base, qdd]
    tau = np.asarray(models.inverse_dynamics(robot, wrench="none").evaluate(q=q, qd=qd, qdd=every))
    np.testing.assert_allclose(tau[:6], 0, atol=1e-11)
    np.testing.assert_allclose(found.tau, tau[6:], atol=1e-11)
