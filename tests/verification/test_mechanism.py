"""A robot as a tree of free joints and its ties: by differences of positions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import expm

import robosym
from robosym.expr import number
from robosym.robot import Actuator, Mimic, Robot, Spring
from robosym.verification.floats import FloatMoment
from robosym.verification.mechanism import Mechanism, State


def moved(mechanism: Mechanism, state: State, v: np.ndarray, h: float) -> State:
    """The state a time h later; free bodies turn about their own axes."""
    x, poses = dict(state.x), dict(state.poses)
    for j, columns in mechanism.columns.items():
        own = h * v[columns]
        if len(columns) == 1:
            x[j] = state.x[j] + float(own[0])
        else:
            twist = np.zeros((4, 4))
            twist[:3, :3], twist[:3, 3] = np.cross(own[3:], np.eye(3)).T, own[:3]
            T = expm(twist)
            poses[j] = state.poses[j] @ T
    return State(x, poses, v)


@pytest.mark.parametrize("name", ["four-bar", "sr400", "delta", "gough-stewart"])
def test_ties_are_the_rates_of_what_closures_miss(name: str) -> None:
    """At the described position of legs, and wherever; to the first order where closures are closed."""
    mechanism = Mechanism(robosym.load(name))
    robot = mechanism.robot
    rng = np.random.default_rng(0)
    x = {j: float(rng.uniform(-1, 1)) for j in mechanism.joints if len(mechanism.columns[j]) == 1}
    poses = {j: np.eye(4) for j in mechanism.joints if len(mechanism.columns[j]) == 6}
    v = rng.uniform(-1, 1, mechanism.n)
    state = State(x, poses, v)
    moment = FloatMoment(mechanism, state)
    C, g = mechanism.ties(moment)
    h = 1e-4
    before, after = (FloatMoment(mechanism, moved(mechanism, state, v, s * h)) for s in (-1, 1))
    rows = 0
    for a, b, rigid in mechanism.closures:

        def apart(at: FloatMoment, a: int = a, b: int = b) -> np.ndarray:
            return at.pose(a)[:3, 3] - at.pose(b)[:3, 3]

        rate = (apart(after) - apart(before)) / (2 * h)
        np.testing.assert_allclose((C @ v)[rows : rows + 3], rate, atol=1e-6)
        late = (apart(after) - 2 * apart(moment) + apart(before)) / h**2
        np.testing.assert_allclose(g[rows : rows + 3], late, atol=1e-5)
        miss = mechanism.misses(moment)[rows : rows + 3]
        np.testing.assert_array_equal(miss, apart(moment))
        rows += 6 if rigid else 3
    assert len(C) == rows
    expected = [(k, k + robot.loops) for k in range(robot.n_links + 1, robot.n_links + robot.loops + 1)]
    expected += [(leg.end, leg.seat) for platform in robot.platforms for leg in platform.legs]
    assert [(a, b) for a, b, _ in mechanism.closures] == expected


def two(**changed: object) -> Robot:
    robot = Robot.from_table("two", [{"joint": "a"}, {"joint": "b", "d": 0.4}, {"joint": "c", "d": 0.3}])
    frames = list(robot.frames)
    frames[1] = replace(
        frames[1],
        joint=replace(frames[1].joint, spring=Spring(number(3), number(0.5), number(0.2))),
        actuator=Actuator(Ia=number(0.7)),
    )
    return robot.replace(frames=tuple(frames), **changed)


def test_springs_and_rotors() -> None:
    mechanism = Mechanism(two())
    state = State({1: 0.1, 2: 0.6, 3: 0.0}, {}, np.array([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(mechanism.springs(state), [0, 3 * 0.4 + 0.5 * 2, 0])
    assert mechanism.spring_energy(state) == pytest.approx(3 * 0.4**2 / 2)
    np.testing.assert_array_equal(mechanism.armature, [0, 0.7, 0])
    np.testing.assert_array_equal(Mechanism(two(), rotors=False).armature, np.zeros(3))


def test_dependent_joints() -> None:
    robot = two()
    frames = list(robot.frames)
    frames[2] = replace(frames[2], joint=replace(frames[2].joint, mimic=Mimic(1, number(-2), number(0.5))))
    mechanism = Mechanism(robot.replace(frames=tuple(frames)))
    assert mechanism.followers == [(3, 1, -2.0, 0.5)]
    C, g = mechanism.ties(FloatMoment(mechanism, State({}, {}, np.zeros(3))))
    np.testing.assert_array_equal(C, [[2, 0, 1]])
    np.testing.assert_array_equal(g, [0])
    assert mechanism.driven == [0, 1]


def test_bases() -> None:
    robot = two()
    free = Mechanism(robot.replace(base=replace(robot.base, floating=True)))
    assert free.columns == {0: list(range(6)), 1: [6], 2: [7], 3: [8]}
    assert (free.n, free.driven, free.bodies) == (9, list(range(9)), [0, 1, 2, 3])
    still = Mechanism(robot)
    assert (still.n, still.driven, still.bodies, still.base_moves) == (3, [0, 1, 2], [1, 2, 3], False)
    assert still.path(3) == [1, 2, 3]
    three = tuple(number(x) for x in (1, 2, 3))
    turning = tuple(number(x) for x in (0.1, 0.2, 0.3))
    described = Mechanism(
        robot.replace(base=replace(robot.base, velocity=three, angular_velocity=turning, acceleration=three))
    )
    assert described.base_moves
    assert described.driven == [6, 7, 8]
    np.testing.assert_array_equal(described.base_twist, [1, 2, 3, 0.1, 0.2, 0.3])
    np.testing.assert_allclose(described.base_rate[:3], np.array([1, 2, 3]) - np.cross([0.1, 0.2, 0.3], [1, 2, 3]))
