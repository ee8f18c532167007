"""Platforms in numbers: closures and their slopes, the pose that fits, and what can move."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.loops.described_places import place as frame_place
from models.parallel.random_platforms import random_platform
from scipy.linalg import null_space as scipy_null_space
from scipy.linalg import orth
from scipy.spatial.transform import Rotation

import robosym
from robosym.models.parallel import places
from robosym.models.parallel.places import Mechanism, Place, home, mechanism_of, nearby, with_other_numbers
from robosym.models.parallel.structure import module_of
from robosym.robot import PRISMATIC, RobotError

KINDS = ("6-UPS", "3-RPS", "3-PUU", "planar-3-RPR", "3-UPS-UP")


def case(kind: str) -> Mechanism:
    robot, *_ = random_platform(kind, 2, named=None)
    return mechanism_of(module_of(robot))


def random_states(own: Mechanism, count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    T = np.tile(np.eye(4), (count, 1, 1))
    T[:, :3, :3], T[:, :3, 3] = Rotation.random(count, rng).as_matrix(), rng.normal(size=(count, 3))
    return T, rng.uniform(-1, 1, (count, len(own.joints)))


@pytest.mark.parametrize("kind", KINDS)
def test_the_slope_is_the_derivative_of_the_closure_where_it_is_closed(kind: str) -> None:
    own = case(kind)
    at = home(own.module)
    own = at.mechanism
    assert np.abs(own.closure(at.T[None], at.x[None])[0]).max() < 1e-10
    slope = own.closure(at.T[None], at.x[None])[1][0]
    np.testing.assert_array_equal(slope, at.slope)
    h = 1e-6
    units = np.concatenate([[own.size] * 3, [1.0] * 3, np.where(own.turning, 1.0, own.size)])
    for k in range(slope.shape[1]):
        ends = []
        for sign in (1, -1):
            step = sign * h * units * np.eye(len(units))[k]
            T = at.T.copy()
            T[:3, 3] += step[:3]
            T[:3, :3] = Rotation.from_rotvec(step[3:6]).as_matrix() @ T[:3, :3]
            ends.append(own.closure(T[None], (at.x + step[6:])[None])[0][0])
        np.testing.assert_allclose((ends[0] - ends[1]) / (2 * h), slope[:, k], atol=1e-7)


@pytest.mark.parametrize("kind", KINDS)
def test_the_ends_of_legs_and_their_gaps(kind: str) -> None:
    own = case(kind)
    robot = own.robot
    T, x = random_states(own, 3)
    ends = own.ends(x)
    gaps = own.gap(T, x)
    for b in range(3):
        values = dict(own.values) | {
            robot.frame(j).joint.variable: float(v) for j, v in zip(own.joints, x[b], strict=True)
        }
        worst = 0.0
        for leg, E, seat in zip(own.module.legs, ends, own.seats, strict=True):
            np.testing.assert_allclose(E[b], frame_place(robot, leg.leg.end, values), atol=1e-12)
            S = T[b] @ seat
            apart = np.abs(E[b] - S)[:3, 3] / own.size
            turn = Rotation.from_matrix(E[b, :3, :3] @ S[:3, :3].T).as_rotvec()
            worst = max(worst, apart.max(), 0.0 if leg.in_a_point else np.abs(turn).max())
        assert gaps[b] == pytest.approx(worst, rel=1e-9)
    assert own.turning.tolist() == [robot.frame(j).sigma != PRISMATIC for j in own.joints]


@pytest.mark.parametrize("kind", ["6-UPS", "3-RPS", "3-PUU"])
def test_closing_holds_what_it_has_to_hold(kind: str) -> None:
    at = home(case(kind).module)
    own, motors = at.mechanism, at.mechanism.module.motors
    rng = np.random.default_rng(3)
    x = at.x + 0.03 * rng.uniform(-1, 1, len(at.x))
    T, closed = own.closed(at.T[None], x[None], held=motors)
    assert len(T) == 1
    assert own.gap(T, closed)[0] < 1e-11
    k = [own.joints.index(j) for j in motors]
    np.testing.assert_array_equal(closed[0, k], x[k])
    free = own.closed(at.T[None], x[None])[1][0]
    assert np.abs(free - x)[k].max() > 1e-6
    far = at.T.copy()
    far[0, 3] += 5 * own.size
    assert len(own.closed(far[None], x[None], held=own.joints)[0]) == 0


def test_the_pose_that_fits() -> None:
    """Of seats on points in space, and of ends that have an orientation."""
    for kind in ("6-UPS", "3-RPS", "3-PUU"):
        at = home(case(kind).module)
        np.testing.assert_allclose(at.mechanism.fitted(at.x), at.T, atol=1e-8)
        assert np.linalg.det(at.mechanism.fitted(at.x + 0.1)[:3, :3]) == pytest.approx(1)


@pytest.mark.parametrize(
    ("name", "freedom"), [("gough-stewart", 6), ("delta", 3), ("orthoglide", 3), ("planar-3rrr", 3)]
)
def test_freedoms(name: str, freedom: int) -> None:
    robot = robosym.load(name)
    at = home(module_of(robot))
    assert at.twists.shape == (6, freedom)
    assert at.driven_rank == freedom
    assert at.undriven == 0
    assert at.loose() == []
    slope = at.slope
    expected = orth(scipy_null_space(slope, rcond=1e-9)[:6], rcond=1e-9)
    np.testing.assert_allclose(at.twists @ at.twists.T, expected @ expected.T, atol=1e-7)
    assert at.position == dict(zip(at.mechanism.joints, map(float, at.x), strict=True))
    assert all(at.values[robot.frame(j).joint.variable] == x for j, x in at.position.items())
    j = robot.moving[0]
    passive = replace(robot.frame(j), joint=replace(robot.frame(j).joint, active=False))
    less = robot.replace(frames=tuple(passive if k == j else f for k, f in enumerate(robot.frames, 1)))
    there = Place(mechanism_of(module_of(less)), at.T, at.x)
    assert there.driven_rank == freedom - 1
    assert there.undriven == 1


def test_positions_around_home_are_closed_and_elsewhere() -> None:
    module = module_of(robosym.load("gough-stewart"))
    around = nearby(module, 4)
    assert around[0] is home(module)
    assert len(around) == 5
    for one in around[1:]:
        assert one.mechanism.gap(one.T[None], one.x[None])[0] < 1e-11
        assert 1e-3 < np.abs(one.T - around[0].T).max() < 1
    assert nearby(module, 4) is around
    others = with_other_numbers(module, 3)
    assert others
    own, varied = mechanism_of(module).values, others[0].mechanism.values
    assert all(0.9 <= varied[s] / x <= 1.1 for s, x in own.items() if x)
    assert any(varied[s] != x for s, x in own.items())


def test_legs_that_do_not_reach_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "STARTS", 4)
    robot = robosym.load("delta")
    values = {**robot.values, "RB": replace(robot.values["RB"], number=50.0)}
    with pytest.raises(RobotError, match="no position was found at which all legs reach the platform"):
        home(module_of(robot.replace(values=values)))
