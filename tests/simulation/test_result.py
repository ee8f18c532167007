"""Runs: what follows from their arrays, one alone and many at once, whole and lost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from random_robots import random_robot
from robots_with import flexible
from scipy.spatial.transform import Rotation
from simulation.sample_runs import lost_at, several, swinging

import robosym
from robosym import RobosymError, models
from robosym.expr import number
from robosym.robot import Flexibility
from robosym.simulation import Run, Runs
from robosym.simulation.judging import MEASURES, OF_THE_ROBOT, unit_of

ROBOTS = ["planar-2r", "scara", "eel-3", "four-bar", "stanford"]


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


def test_of_a_robot_that_slides_and_turns() -> None:
    run = swinging("scara")
    assert set(run.units) == {"rad", "m"}
    assert unit_of(run, "rms error") == "rad or m"
    slides = run.prismatic.index(True)
    assert unit_of(run, "peak torque", slides) == "N"
    assert unit_of(run, "peak speed", run.joints[slides - 1]) == "rad/s"


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


# --- many runs -------------------------------------------------------------------------------------------------------------


def three() -> Runs:
    run = swinging("planar-2r")
    late = replace(run, q=run.q + 0.1)
    return several([run, lost_at(run, 40), late], bandwidth=[10, 20, 30], gains=[[1, 2], [3, 4], [5, 6]])


def test_runs_by_number_slice_list_and_mask() -> None:
    runs = three()
    assert len(runs) == 3
    assert [run.settings["bandwidth"] for run in runs] == [10, 20, 30]
    assert runs[2].settings["gains"] == [5, 6]
    assert runs[-1].settings == runs[2].settings
    assert runs[1].failed == pytest.approx(1.0)
    assert runs[1].reason
    assert runs[0].failed is None
    for chosen, numbers in (
        (slice(1, 3), [1, 2]),
        ([2, 0], [2, 0]),
        (runs.lost, [1]),
        (slice(None, None, -1), [2, 1, 0]),
    ):
        some = runs[chosen]
        assert isinstance(some, Runs)
        assert some.varied["bandwidth"].tolist() == [10 * (k + 1) for k in numbers]
        assert np.array_equal(some.q, runs.q[numbers], equal_nan=True)
        assert np.array_equal(some.failed, runs.failed[numbers], equal_nan=True)
        assert some.reasons == tuple(runs.reasons[k] for k in numbers)
    for wrong in (3, -4):
        with pytest.raises(IndexError, match="there are 3"):
            runs[wrong]


@pytest.mark.parametrize("name", [*MEASURES, "energy drift"])
def test_measures_of_many_are_those_of_each(name: str) -> None:
    runs = three()
    found = runs.measure(name)
    assert found.shape == (3,)
    assert np.isnan(found[1])  # lost: not judged by its beginning
    for k in (0, 2):
        assert found[k] == runs[k].measure(name)
        assert isinstance(runs[k].measure(name), float)
    if name in MEASURES:
        each = [runs.measure(name, joint) for joint in runs.joints]
        assert np.array_equal(each[1], runs.measure(name, 1), equal_nan=True)
        assert np.nanmax(each) >= np.nanmax(found) * (1 - 1e-12) or MEASURES[name].of_all.__name__ == "_sum"


def test_what_is_the_same_in_all_runs_may_be_given_once() -> None:
    runs = three()
    shared = replace(runs, reference={"q_d": runs.reference["q_d"][0]})
    assert np.array_equal(shared.error, runs.error, equal_nan=True)
    assert shared[2].reference["q_d"].shape == (81, 2)
    square = swinging("puma560", 6)  # six runs of six instants of six joints: nothing is taken for another
    cube = several([square] * 6)
    assert (replace(cube, reference={"q_d": square.reference["q_d"]}).error == cube.error).all()


def test_instants_may_differ_from_run_to_run() -> None:
    runs = three()
    times = np.stack([runs.time, runs.time, 2 * runs.time])
    own = replace(runs, time=times)
    assert own.measure("work")[2] == pytest.approx(2 * runs.measure("work")[2])
    assert own[2].duration == 2 * own[0].duration
    assert own.settling_time(0.2)[2] == pytest.approx(2 * runs.settling_time(0.2)[2])
    assert own[1:].time.shape == (2, 81)


def test_what_was_counted_at_every_instant_is_what_counts() -> None:
    runs = three()
    counted = {"largest error": np.arange(6.0).reshape(3, 2)}
    own = replace(runs, counted=counted)
    assert np.array_equal(own.measure("largest error"), [1, np.nan, 5], equal_nan=True)
    assert own[2].measure("largest error", 0) == 4
    assert "largest error 5 rad (elbow)" in own[2].summary()
    assert own[1].valid.counted == {}
    with pytest.raises(RobosymError, match="counted 'rms error'"):
        replace(runs, counted={"rms error": np.zeros(2)})


# --- lost, short, empty ----------------------------------------------------------------------------------------------------


def test_a_lost_run_and_the_part_before() -> None:
    run = swinging("planar-2r")
    lost = lost_at(run, 40)
    assert np.isnan(lost.measure("rms error"))
    before = lost.valid
    assert before.failed is None
    assert (before.q == run.q[:40]).all()
    assert before.reference["q_d"].shape == (40, 2)
    assert np.isfinite(before.measure("rms error"))
    assert np.isnan(lost.energy["total"][40:]).all()
    assert np.isfinite(lost.energy["total"][:40]).all()
    assert run.valid is run
    at_once = lost_at(run, 0)
    assert len(at_once.valid) == 1


@pytest.mark.parametrize("name", ROBOTS)
def test_one_instant(name: str) -> None:
    run = swinging(name, 1, 0.0)
    assert run.duration == 0
    assert run.measure("work") == 0
    assert run.measure("rms error") == pytest.approx(np.sqrt(np.mean(run.error**2)))
    assert run.summary()


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
    with pytest.raises(RobosymError, match="varied 'a'"):
        several([run], a=[1, 2])
    with pytest.raises(RobosymError, match=r"no measure 'beauty' \(measures: rms error"):
        run.measure("beauty")
    with pytest.raises(RobosymError, match=r"joint: there is no 'nose' \(joints: shoulder, elbow\)"):
        run.measure("rms error", "nose")
    with pytest.raises(RobosymError, match="of the whole robot"):
        run.measure("energy drift", 0)
    with pytest.raises(RobosymError, match="has no positions to follow"):
        replace(run, reference={}).measure("rms error")
    assert {*MEASURES} & {*OF_THE_ROBOT} == set()


def test_shown_on_one_line() -> None:
    assert repr(swinging("planar-2r")) == "<Run of 'planar-2r' under computed-torque, 2 s in 81 instants>"
    assert repr(three()) == "<3 Runs of 'planar-2r' over bandwidth, gains, 2 s, 1 lost>"
