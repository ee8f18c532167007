"""What follows from the arrays of a run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from random_robots import random_robot
from robots_with import flexible
from scipy.spatial.transform import Rotation
from simulation.sample_runs import ROBOTS, several, swinging

import robosym
from robosym import RobosymError, models
from robosym.expr import number
from robosym.robot import Flexibility
from robosym.simulation import Run


@pytest.mark.parametrize("name", ROBOTS)
def test_energy_and_frames_are_those_of_the_models(name: str) -> None:
    """Interpreted, one instant at a time."""
    run = swinging(name, 7)
    energy, pose = models.energy(run.robot), models.transform(run.robot, reference="world")
    for k in range(len(run)):
        alone = energy.evaluate(q=run.q[k], qd=run.qd[k])
        for word in ("kinetic", "potential", "total"):
            assert run.energy[word][k] == pytest.approx(alone[word][0], rel=1e-12, abs=1e-12)
        T = pose.evaluate(q=run.q[k])
        T = T["T"] if isinstance(T, dict) else T
        assert run.pose()[k] == pytest.approx(T, abs=1e-13)
        assert run.tip()[k] == pytest.approx(T[:3, 3], abs=1e-13)


@pytest.mark.parametrize("seed", range(3))
def test_what_the_motors_give_is_what_the_robot_has(seed: int) -> None:
    """Work and energy of a random tree, simulated without friction: they balance."""
    robot = random_robot(np.random.default_rng(seed), 5)
    torque = np.linspace(-1, 1, robot.nv)
    run = robosym.simulate(
        robot, torque=lambda t: torque * np.cos(3 * t), duration=0.5, step=5e-4, friction=False, qd=0.1 * torque
    )
    assert isinstance(run, Run)
    total = run.energy["total"]
    size = np.abs(run.power).sum(axis=-1).max() * 0.5
    assert run.measure("work") == pytest.approx(total[-1] - total[0], abs=2e-3 * size)
    assert run.measure("work") == pytest.approx(run.work.sum(), abs=0)
    assert run.measure("absolute work") >= abs(run.measure("work"))


def test_parameters_other_than_those_of_the_description_count() -> None:
    robot = robosym.load("planar-2r")
    name = "L1"
    other = {name: robot.values[name].number * 1.7}
    plain, changed = swinging(robot, 5), swinging(robot, 5, settings={"parameters": other})
    expected = models.energy(robot).evaluate(q=changed.q[3], qd=changed.qd[3], parameters=other)
    assert changed.energy["total"][3] == pytest.approx(expected["total"][0], rel=1e-12)
    assert changed.energy["total"][3] != pytest.approx(plain.energy["total"][3], rel=1e-3)
    values = [0.5, 1.0, 2.0]
    runs = several([plain] * 3, **{name: values})
    for k, value in enumerate(values):
        assert runs[k].settings["parameters"] == {name: value}
        assert (runs.energy["total"][k] == runs[k].energy["total"]).all()
        assert (runs.tip()[k] == runs[k].tip()).all()


def test_errors_of_joints_behind_a_free_base() -> None:
    run = swinging("eel-3")
    assert run.error.shape == (81, 2)
    assert (run.error == run.reference["q_d"] - run.q[:, 7:]).all()
    assert run.power.shape == (81, 2)
    assert (run.power == run.tau[:, 6:] * run.qd[:, 6:]).all()


def test_motors_behind_springs_give_their_own_power() -> None:
    run = swinging("planar-2r")
    speed = run.qd + 1.0
    flexing = replace(run, more={"qd_motor": speed})
    assert (flexing.power == run.tau * speed).all()


def test_energy_of_flexible_joints_stays() -> None:
    """A spring between motor and joint, no damper, no friction: simulated, nothing is lost."""
    robot = flexible(robosym.load("planar-2r"))
    last = robot.frame(robot.moving[-1])
    frames = list(robot.frames)
    frames[robot.moving[-1] - 1] = replace(last, actuator=replace(last.actuator, flexibility=Flexibility(number(40.0))))
    robot = robot.replace(frames=tuple(frames))
    run = robosym.simulate(robot, duration=0.4, step=5e-4, q=[0.3, 0.2], qd=[1.0, -2.0], friction=False)
    assert "q_motor" in run.more
    assert np.abs(run.more["q_motor"][:, 1] - run.q[:, 1]).max() > 0.01
    assert run.measure("energy drift") < 1e-8 * run.energy["kinetic"].max()
    assert np.ptp(run.energy["kinetic"]) > 0.1
    name = "MX2"
    value = robot.values[name].number
    pair = several([run, run], **{name: [value, 2 * value]})
    assert pair.energy["total"][0] == pytest.approx(run.energy["total"], rel=1e-14)
    assert pair.energy["total"][1] == pytest.approx(pair[1].energy["total"], rel=1e-14)


def test_an_error_of_pose() -> None:
    """A pose that is a known turn and shift away, in the axes of the world."""
    run = swinging("puma560", 9, reference={})
    T = run.pose().copy()
    turn, shift = np.array([0.1, -0.3, 0.2]), np.array([0.01, 0.02, -0.03])
    T[:, :3, :3] = Rotation.from_rotvec(turn).as_matrix() @ T[:, :3, :3]
    T[:, :3, 3] += shift
    with pytest.raises(RobosymError, match="of which frame T_d is, is not known"):
        _ = replace(run, reference={"T_d": T}).task_error
    task = replace(run, reference={"T_d": T}, settings={"frame": None})
    assert task.task_error == pytest.approx(np.tile([*shift, *turn], (9, 1)), abs=1e-12)
    assert task.measure("largest position error") == pytest.approx(np.linalg.norm(shift), rel=1e-9)
    assert task.measure("rms orientation error") == pytest.approx(np.linalg.norm(turn), rel=1e-9)
    with pytest.raises(RobosymError, match="follows a pose: see task_error"):
        _ = task.error
    tool = np.eye(4)
    tool[2, 3] = 0.1
    with_tool = replace(task, settings={"frame": "link5", "tool": tool.tolist()})
    at = run.pose("link5")
    expected = T[:, :3, 3] - (at[:, :3, 3] + 0.1 * at[:, :3, 2])
    assert with_tool.task_error[:, :3] == pytest.approx(expected, abs=1e-12)
    assert "was not recorded" in replace(task, settings={}).summary()


def test_limits_of_the_description_and_of_the_law() -> None:
    run = swinging("puma560")
    efforts = [run.robot.frame(j).joint.limits.effort for j in run.robot.moving]
    assert run.bounds.effort.tolist() == efforts
    tight = replace(run, settings={"tau_max": 1.0})
    assert tight.bounds.effort.tolist() == [1.0] * 6
    assert tight.saturation == pytest.approx((np.abs(run.tau) >= 1).mean(axis=0))
    runs = several([run] * 2, tau_max=[1.0, 100.0])
    assert runs.saturation[0] == pytest.approx(tight.saturation)
    assert runs.measure("saturation").tolist() == [runs[0].measure("saturation"), 0]


def test_a_band_of_settling_is_of_the_kind_of_joint() -> None:
    """A joint that stays is judged by how far the others of its kind go."""
    t = np.linspace(0, 1, 101)
    goal = np.array([1.0, 0.0, 0.1, 0.0])
    robot = robosym.load("scara")
    q = np.outer(1 - np.exp(-20 * t), goal) + 1e-4
    run = swinging(robot, 101, 1.0, q=q, reference={"q_d": np.tile(goal + 1e-4, (101, 1))})
    travels = np.abs(goal - [0, 0, 0, 0])
    slides = np.array(run.prismatic)
    found = run.settling_time()
    for j in range(4):
        band = 0.02 * travels[slides == slides[j]].max()
        outside = np.flatnonzero(np.abs(run.error[:, j]) > band)
        assert found[j] == (t[outside[-1] + 1] if len(outside) else 0)
    assert (run.settling_time(10.0) == 0).all()
    assert (run.settling_time(1e-30)[travels > 0] == np.inf).all()


def test_loops_that_do_not_close_have_no_place() -> None:
    run = swinging("five-bar-general", 200)
    wild = replace(run, q=np.random.default_rng(0).uniform(-3, 3, (200, 2)))
    closed = models.transform(run.robot, reference="world").compile()(q=wild.q)["assembled"]
    assert 0 < (closed == 0).sum() < 200
    assert (np.isnan(wild.tip()).any(axis=1) == (closed == 0)).all()


def test_names_and_shapes_that_do_not_fit() -> None:
    run = swinging("planar-2r")
    for changes, said in (
        ({"q": run.q[:, :1]}, r"q: got the shape \(81, 1\), expected \(81, 2\)"),
        ({"tau": run.tau[1:]}, r"tau: got the shape \(80, 2\)"),
        ({"time": np.empty(0)}, "one instant at least"),
        ({"more": {"x": np.zeros(3)}}, r"x: got the shape \(3,\)"),
        ({"reference": {"q_d": run.q[:, 0]}}, r"q_d: got the shape \(81,\), expected \(81, 2\)"),
        ({"reference": {"T_d": np.zeros((81, 3, 3))}}, r"T_d: got the shape"),
        ({"more": {"q": run.q}}, "recorded twice under one name: q"),
        ({"more": {"q_d": run.q}}, "recorded twice under one name: q_d"),
    ):
        with pytest.raises(RobosymError, match=said):
            replace(run, **changes)
    with pytest.raises(RobosymError, match="has no positions to follow"):
        replace(run, reference={}).measure("rms error")
