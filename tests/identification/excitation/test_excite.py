"""Exciting motions: no limit is violated, condition numbers are what they say, and the same seed gives the same motion."""

from __future__ import annotations

import numpy as np
import pytest
from random_robots import random_robot
from simulation.tops import top
from sweeps import crossed, many, some

import robosym
import robosym.identification
from robosym import RobosymError
from robosym.identification.excitation import Excitation, excite
from robosym.identification.excitation.checks import Checks
from robosym.identification.excitation.criterion import Criterion
from robosym.identification.excitation.families import FourierFamily, SplineFamily
from robosym.identification.excitation.limits import joint_limits
from robosym.identification.excitation.options import Region
from robosym.identification.excitation.quantities import point_quantities, torque_quantity
from robosym.identification.excitation.search import Search
from robosym.models.request import tips
from robosym.robot import Robot

FEW = 60  # evaluations: the limits hold however short the search is
FINE = 20_001
WAIST, ELBOW = 40.0, 30.0


def margin(found: Excitation, limit: str) -> float:
    return next(one.margin for one in found.margins if one.limit == limit)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(("shape", "seed"), crossed(["fourier", "spline"], range(6), every=3))
def test_limits_of_random_robots_hold_between_the_samples(seed: int, shape: str) -> None:
    random = np.random.default_rng(seed)
    robot = random_robot(random, int(random.integers(1, 6)))
    n = robot.nv
    lower = random.uniform(-2, 0, n)
    upper = lower + random.uniform(0.2, 4, n)
    v, a = random.uniform(0.2, 3, n), random.uniform(0.5, 8, n)
    torque = random.uniform(15, 60, n)
    names = robot.joint_names
    given = {
        "limits": dict(zip(names, zip(lower, upper, strict=True), strict=True)),
        "velocity": dict(zip(names, v, strict=True)),
        "acceleration": dict(zip(names, a, strict=True)),
        "torque": dict(zip(names, torque, strict=True)),
    }
    about = {"shape": shape, "seed": seed, "evaluations": FEW, "duration": 4.0, **given}
    if _never_holds(robot, lower, upper, torque):
        with pytest.raises(robosym.RobosymError, match="the limit of torque"):
            excite(robot, **about)  # type: ignore[arg-type]
        return
    found = excite(robot, **about)  # type: ignore[arg-type]
    q, qd, qdd = found.motion(np.linspace(0, 4.0, FINE))
    tau = robosym.models.inverse_dynamics(robot, friction=True).compile()(q=q, qd=qd, qdd=qdd)
    assert (q >= lower).all()
    assert (q <= upper).all()
    assert (np.abs(qd) <= v).all()
    assert (np.abs(qdd) <= a).all()
    assert (np.abs(tau) <= torque).all()
    assert all(one.margin >= 0 for one in found.margins)
    assert margin(found, "velocity") <= (v - np.abs(qd).max(axis=0)).min() + 1e-12
    assert margin(found, "torque") <= (torque - np.abs(tau).max(axis=0)).min() + 1e-12


def _never_holds(robot: Robot, lower: np.ndarray, upper: np.ndarray, torque: np.ndarray) -> bool:
    q = np.random.default_rng(9).uniform(lower, upper, (5000, robot.nv))
    tau = robosym.models.gravity(robot).compile()(q=q)
    return not (np.abs(tau) <= 0.97 * torque).all(axis=1).any()


@pytest.mark.slow
def test_points_stay_in_their_box() -> None:
    robot = robosym.load("ur5")
    box = [(-0.5, 0.7), None, (None, 0.8)]
    about = {"box": box, "height": 0.15, "all_frames": True, "tool": [0, 0, 0.1], "evaluations": FEW}
    found = excite(robot, shape="spline", seed=3, **about)  # type: ignore[arg-type]
    q = found.motion(np.linspace(0, 10, FINE))[0]
    tip = robosym.models.transform(robot, part="position", tool=[0, 0, 0.1]).compile()(q=q)
    elbow = robosym.models.transform(robot, frame=4, part="position").compile()(q=q)
    for p in (tip, elbow):
        assert (p[:, 0] >= -0.5).all()
        assert (p[:, 0] <= 0.7).all()
        assert (p[:, 2] <= 0.8).all()
        assert (p[:, 2] >= 0.15).all()
    assert margin(found, "box") >= 0
    assert margin(found, "height") >= 0


def test_all_frames_of_a_tree_need_no_tip() -> None:
    drawn = (random_robot(np.random.default_rng(seed), 3) for seed in range(100))
    robot = next(one for one in drawn if one.structure == "tree" and len(tips(one)) == 2)
    limits = dict.fromkeys(robot.joint_names, (-1.0, 1.0))
    found = excite(robot, limits=limits, box=[(-3, 3)] * 3, all_frames=True, evaluations=FEW)
    assert margin(found, "box") >= 0
    with pytest.raises(robosym.RobosymError, match="the robot has 2 tips: say which frame"):
        excite(robot, limits=limits, box=[(-3, 3)] * 3)


@pytest.mark.slow
def test_torques_with_friction_that_jumps() -> None:
    found = excite(robosym.load("puma560"), torque={"waist": WAIST, "elbow": ELBOW}, evaluations=FEW, duration=5.0)
    q, qd, qdd = found.motion(np.linspace(0, 5, FINE))
    tau = robosym.models.inverse_dynamics(robosym.load("puma560"), friction=True).compile()(q=q, qd=qd, qdd=qdd)
    assert np.abs(tau[:, 0]).max() <= WAIST
    assert np.abs(tau[:, 2]).max() <= ELBOW


@pytest.mark.slow
@pytest.mark.parametrize("criterion", some(["determinant", "raw", "both", "condition"], every=2))
def test_the_condition_numbers_are_those_of_the_regressor(criterion: str) -> None:
    robot = robosym.load("puma560")
    found = excite(robot, criterion=criterion, evaluations=FEW)  # type: ignore[arg-type]
    model = robosym.models.regressor(robot, friction=("viscous", "coulomb", "offset"))
    q, qd, qdd = found.motion((np.arange(1000) + 0.5) / 100)
    D = model.dense(model.compile()(q=q, qd=qd, qdd=qdd)).reshape(-1, len(model.columns))
    assert found.columns == model.columns
    assert found.raw == pytest.approx(np.linalg.cond(D), rel=1e-8)
    assert found.condition == pytest.approx(np.linalg.cond(D / np.linalg.norm(D, axis=0)), rel=1e-8)
    logarithm = np.linalg.slogdet(D.T @ D / 1000)[1] / len(model.columns)
    assert found.conditions.determinant == pytest.approx(logarithm, rel=1e-6)


def test_noise_weights_the_rows() -> None:
    robot = robosym.load("planar-2r")
    plain = excite(robot, evaluations=FEW, noise=1.0)
    sigma = {robot.joint_names[0]: 10.0}
    weighted = excite(robot, evaluations=1, noise=sigma)
    model = robosym.models.regressor(robot, friction=("viscous", "coulomb", "offset"))
    q, qd, qdd = weighted.motion((np.arange(1000) + 0.5) / 100)
    D = model.dense(model.compile()(q=q, qd=qd, qdd=qdd)) * np.array([0.1, 1.0])[:, None]
    assert weighted.raw == pytest.approx(np.linalg.cond(D.reshape(-1, len(model.columns))), rel=1e-8)
    assert plain.raw == pytest.approx(excite(robot, evaluations=FEW).raw)


@pytest.mark.slow
def test_a_longer_search_finds_better_motions() -> None:
    robot = robosym.load("rx90")
    short, long = (excite(robot, evaluations=count) for count in (5, 300))
    assert long.condition * long.raw < short.condition * short.raw
    assert long.condition < 100
    assert long.raw < 100


def test_the_same_seed_gives_the_same_motion() -> None:
    robot = robosym.load("scara")
    about = {"limits": {"quill": (0.0, 0.3)}, "evaluations": FEW}
    a, b, c = (excite(robot, seed=seed, **about).as_dict() for seed in (1, 1, 2))  # type: ignore[arg-type]
    assert a == b
    assert a["motion"] != c["motion"]


def test_columns_that_no_motion_tells_apart_are_left_out() -> None:
    robot = robosym.load("puma560")
    base = robosym.models.regressor(robot)
    criterion = Criterion(robosym.models.regressor(robot, parameters="standard"), {}, np.ones(6), "condition")
    random = np.random.default_rng(0)
    states = (random.normal(size=(400, 6)), random.normal(size=(400, 6)), random.normal(size=(400, 6)))
    lost = criterion.leave_out_dependent(states)
    assert "XX1" in lost
    assert len(criterion.columns) == len(base.columns)
    assert criterion.conditions(states).condition < 1e4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "kind"),
    crossed(
        [FourierFamily(False, 4, True), FourierFamily(True, 3, False), SplineFamily(False, 6)],
        ["condition", "raw", "both", "determinant"],
        every=4,
    ),
)
def test_slopes_are_those_of_differences(family: FourierFamily, kind: str) -> None:
    robot = robosym.load("puma560")
    limits = joint_limits(robot, None, 1.5, {"waist": 3.0}, {"waist": 10.0, "elbow": 5.0})
    model = robosym.models.regressor(robot, friction=("viscous", "offset"))
    torque, _ = torque_quantity(robot, limits, {}, {})
    box = np.array([(-0.2, 0.2), (-0.2, 0.2), (0.0, 0.5)])
    checks = Checks((*torque, *point_quantities(robot, Region(box=box), {}, {})))
    criterion = Criterion(model, {}, np.ones(6), kind)  # type: ignore[arg-type]
    start = np.array([0.1, -0.9, 0.7, 0.2, 0.4, 0.1]) if family.anchored else None
    search = Search(family, 6.0, limits, criterion, checks, start)
    random = np.random.default_rng(0)
    x = np.column_stack([random.uniform(0.1, 0.9, 6), family.draw(random, 6) * 0.3]).ravel()
    value, slopes = search.value(x, 2.0, 1e-3)
    assert np.isfinite(value)
    chosen = random.permutation(len(x))[: len(x) // 3 if many(1) == 1 else None]
    steps = 1e-6 * np.eye(len(x))[chosen]
    wanted = [(search.value(x + e, 2.0, 1e-3)[0] - search.value(x - e, 2.0, 1e-3)[0]) / 2e-6 for e in steps]
    np.testing.assert_allclose(slopes[chosen], wanted, rtol=1e-3, atol=1e-3 * np.abs(slopes).max())


@pytest.mark.slow
def test_where_it_starts() -> None:
    robot = robosym.load("puma560")
    start = [0.1, -0.9, 0.7, 0.2, 0.4, 0.1]
    for shape in ("fourier", "spline"):
        found = excite(robot, start=start, shape=shape, velocity=2.0, evaluations=FEW)  # type: ignore[arg-type]
        q, qd, qdd = found.motion(0.0)
        np.testing.assert_allclose(q, start, atol=1e-12)
        assert np.abs([qd, qdd]).max() < 1e-10
        assert all(one.margin >= 0 for one in found.margins)
    with pytest.raises(robosym.RobosymError, match=r"start: 'waist' is 3 rad, expected between -2\.79253 and"):
        excite(robot, start=[3.0, *start[1:]])
    with pytest.raises(robosym.RobosymError, match="start: expected 6 finite numbers"):
        excite(robot, start=[3.0])


def test_a_reserve_is_left() -> None:
    robot = robosym.load("rx90")
    found = excite(robot, reserve=0.1, evaluations=FEW)
    q, qd, _ = found.motion(np.linspace(0, 10, FINE))
    for i, j in enumerate(robot.moving):
        limits = robot.frame(j).joint.limits
        assert limits.lower is not None
        assert limits.upper is not None
        assert limits.velocity is not None
        assert np.ptp(q[:, i]) <= 0.9 * (limits.upper - limits.lower)
        assert np.abs(qd[:, i]).max() <= 0.9 * limits.velocity


@pytest.mark.slow
@pytest.mark.parametrize("name", some(["sr400", "five-bar-general", "four-bar", "palletizer"], 2))
def test_closed_loops_stay_assembled(name: str) -> None:
    robot = robosym.load(name)
    found = excite(robot, evaluations=FEW)
    q, qd, qdd = found.motion(np.linspace(0, 10, FINE))
    made = robosym.models.regressor(robot).compile()(q=q, qd=qd, qdd=qdd)
    assert made.assembled.all()
    assert np.isfinite(found.condition)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"box": [(5, 6), None, None]}, r"at none of 20000 postures .* within the limit of box \(.*, x\)"),
        ({"height": 9.0}, r"within the limit of height \(.*, z\)$"),
        ({"torque": 1e-3}, "within the limit of torque"),
        ({"limits": {"shoulder_pan_joint": (1, 1)}}, "no motion of shoulder_pan_joint: .* are equal"),
        ({"box": [(0, 1)]}, "box: got .* expected three pairs"),
        ({"box": [(1, 0), None, None]}, "box: along x: expected lower < upper"),
        ({"frame": 3}, "neither is given: give box or height"),
        ({"velocity": -1}, "velocity: 'shoulder_pan_joint' is -1, expected a number above zero"),
        ({"velocity": {"nowhere": 1.0}}, "velocity: .*nowhere"),
        ({"noise": 0}, "noise: .* expected a number above zero"),
        ({"duration": 0}, "duration: got 0, expected a number above 0"),
        ({"harmonics": 1}, "harmonics: got 1, expected 2 or more"),
        ({"segments": 2, "shape": "spline"}, "segments: got 2, expected a whole number from 3 to 200"),
        ({"shape": "circle"}, "shape: got 'circle', expected 'fourier' or 'spline'"),
        ({"criterion": "best"}, "criterion: got 'best', expected 'condition', 'raw', 'both' or 'determinant'"),
        ({"seed": -1}, "seed: got -1, expected a whole number of at least 0"),
        ({"evaluations": 0}, "evaluations: got 0, expected a whole number of at least 1"),
        ({"evaluation": 5}, r"evaluation: excite has no such argument \(did you mean evaluations\?\)"),
        ({"seconds": -1.0}, "seconds: got -1.0, expected a number above 0"),
        ({"reserve": 1.0}, "reserve: got 1.0, expected a number of at least 0 and below 1"),
        ({"height": "high"}, "height: got 'high', expected a finite number or None"),
        ({"parameters": {"nothing": 1.0}}, "has no parameter 'nothing'"),
    ],
)
def test_what_cannot_be(options: dict[str, object], message: str) -> None:
    with pytest.raises(robosym.RobosymError, match=message):
        excite(robosym.load("ur5"), **options)  # type: ignore[arg-type]


def test_robots_that_cannot_be_excited() -> None:
    with pytest.raises(robosym.RobosymError, match="base: is free"):
        excite(robosym.load("planar-2r").replace(base=_free_base()))
    with pytest.raises(robosym.RobosymError, match="expected a Robot"):
        excite("ur5")  # type: ignore[arg-type]
    with pytest.raises(robosym.RobosymError, match=r"no value for D3, .*: give them, parameters="):
        excite(robosym.load("puma560").replace(values={}))
    with pytest.raises(robosym.RobosymError, match="prismatic joint 'quill' has no limits"):
        excite(robosym.load("scara"))


def _free_base() -> robosym.robot.Base:
    return robosym.robot.Base(floating=True)


@pytest.mark.slow
def test_torques_that_are_not_known() -> None:
    known = robosym.load("puma560")
    model = robosym.models.regressor(known, friction=("viscous", "coulomb", "offset"))
    needed = {symbol.name for symbol in model.code.parameter_symbols}
    robot = known.replace(values={name: value for name, value in known.values.items() if name in needed})
    with pytest.raises(robosym.RobosymError, match="torques cannot be limited: no value for"):
        excite(robot, torque=10.0, evaluations=1)
    found = excite(robot, evaluations=1)  # those of the description are left aside, and this is said
    assert any("torques are unknown: no value for" in note for note in found.notes)


def test_progress_is_told() -> None:
    told: list[tuple[int, float]] = []
    excite(robosym.load("planar-2r"), evaluations=80, progress=lambda used, best: told.append((used, best)))
    assert told
    assert [best for _, best in told] == sorted((best for _, best in told), reverse=True)
    assert told[-1][0] <= 80


def test_joints_of_several_axes_are_refused() -> None:
    with pytest.raises(RobosymError, match="'hip' is a ball joint, for which an exciting trajectory is not supported"):
        robosym.identification.excite(top())
