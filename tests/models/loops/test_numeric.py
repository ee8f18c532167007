"""A robot with loops in numbers: poses, gaps and their derivatives, and closed positions."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from models.loops.described_places import opening, place, values_at
from models.loops.linkages import bennett, six_bar, slider_crank, triangle
from models.loops.random_mechanisms import KINDS, random_mechanism
from scipy.linalg import null_space as scipy_null_space

import robosym
from robosym.expr import number, parameter
from robosym.models.loops.numeric import closed_positions, mechanism, null_space, rank_of, rotation_vector
from robosym.robot import PRISMATIC, Limits, Mimic, Robot, Value


@pytest.mark.parametrize("robot", [robosym.load("sr400"), bennett(), six_bar(), slider_crank()], ids=lambda r: r.name)
def test_constraints_are_the_derivative_of_the_gap(robot: Robot) -> None:
    found = closed_positions(robot, wanted=3)
    own = found.mechanism
    assert len(found.positions) == 3
    h = 1e-6
    for x in found.positions:
        assert np.abs(own.gap(x)).max() < 1e-11
        steps = np.eye(len(x)) * h
        expected = np.array([(own.gap(x + one) - own.gap(x - one)) / (2 * h) for one in steps]).T
        assert np.allclose(own.constraints(x), expected, atol=1e-8)


def test_closing_is_quadratic_where_rows_are_redundant() -> None:
    own = mechanism(robosym.load("four-bar"), np.random.default_rng(1))
    x = closed_positions(own.robot, wanted=1).positions[0]
    closed, gap = own.closed_from(x + 1e-3)
    assert gap < 1e-14
    assert np.abs(closed - x).max() < 5e-3
    held, gap = own.closed_from(x + 1e-3, held=[0])
    assert gap < 1e-14
    assert held[0] == x[0] + 1e-3


@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.3, 3.0, math.pi])
def test_rotation_vector(angle: float) -> None:
    axis = np.array([1.0, -2.0, 2.0]) / 3
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    R = np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K
    found = rotation_vector(R)
    assert np.allclose(found, angle * axis, atol=1e-9) or (angle == math.pi and np.allclose(found, -angle * axis))


def test_rank_of_nothing_is_zero() -> None:
    assert rank_of(np.zeros((0, 3))) == 0
    assert rank_of(np.diag([1.0, 1e-3, 2e-6, 1e-7])) == 3
    assert rank_of(np.diag([1e-3, 1e-7])) == 1  # entries are of the size of one
    assert rank_of(np.diag([1e-3, 1e-7]), 1e-3) == 2
    assert rank_of(np.diag([1e3, 1e-4])) == 1


def test_null_space() -> None:
    rng = np.random.default_rng(0)
    A = rng.normal(size=(5, 3)) @ rng.normal(size=(3, 6))
    found, expected = null_space(A), scipy_null_space(A)
    assert found.shape == (6, 3)
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-12)
    np.testing.assert_array_equal(null_space(np.zeros((0, 3))), np.eye(3))


# --- the mechanism ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_the_described_position_in_plain_matrices(kind: str) -> None:
    """Where all frames are, lengths over the longest; it is closed, and the numbers of the symbols are those of the description."""
    robot = random_mechanism(kind, 12, named=None)
    own = mechanism(robot, np.random.default_rng(0))
    x = own.described
    assert x is not None
    values = values_at(robot)
    found = own.symbols_at(x)
    assert all(abs(values[s] - v) < 1e-12 for s, v in found.items())
    for j, T in own.poses(x).items():
        expected = place(robot, j, values)
        expected[:3, 3] /= own.unit
        np.testing.assert_allclose(T, expected, atol=1e-12)
    assert np.abs(own.gap(x)).max() < 1e-11
    assert own.names == tuple(robot.frame(j).joint.name for j in own.joints)
    assert [own.place(j) for j in own.joints] == list(range(len(own.joints)))
    cuts = [j for j in own.joints if j > robot.n_links]
    assert list(own.joints[len(own.joints) - len(cuts) :]) == cuts
    assert own.assumed == ()
    np.testing.assert_array_equal(
        own.scales, [own.unit if robot.frame(j).sigma == PRISMATIC else 1 for j in own.joints]
    )


def test_dependent_joints_move_with_others() -> None:
    robot = robosym.load("five-bar")
    frames = list(robot.frames)
    frames[2] = replace(frames[2], joint=replace(frames[2].joint, mimic=Mimic(1, number(-2), number(0.5))))
    own = mechanism(robot.replace(frames=tuple(frames)), np.random.default_rng(0))
    rng = np.random.default_rng(1)
    x = rng.uniform(-1, 1, len(own.joints))
    at = dict(zip(own.names, x, strict=True))
    values = values_at(robot, at | {robot.frame(3).joint.name: 0.5 - 2 * at[robot.frame(1).joint.name]})
    for j, T in own.poses(x).items():
        expected = place(robot, j, values)
        expected[:3, 3] /= own.unit
        np.testing.assert_allclose(T, expected, atol=1e-12)
    h = 1e-6
    rates = np.array([(own.gap(x + h * e) - own.gap(x - h * e)) / (2 * h) for e in np.eye(len(x))]).T
    R = own.poses(x)[own.loops[0].cut][:3, :3]
    poses = {s: own.poses(x + s * h * np.eye(len(x))[0]) for s in (1, -1)}
    for j in (own.loops[0].cut, own.loops[0].twin):
        J = own.jacobian(own.poses(x), j)
        np.testing.assert_allclose(J[:3, 0], (poses[1][j][:3, 3] - poses[-1][j][:3, 3]) / (2 * h), atol=1e-8)
        spin = (poses[1][j][:3, :3] - poses[-1][j][:3, :3]) / (2 * h) @ own.poses(x)[j][:3, :3].T
        np.testing.assert_allclose(J[3:, 0], [spin[2, 1], spin[0, 2], spin[1, 0]], atol=1e-8)
    assert rates.shape == own.constraints(x).shape
    assert R.shape == (3, 3)


def test_differences_of_positions_are_within_half_a_turn() -> None:
    own = mechanism(slider_crank(), np.random.default_rng(0))
    k = own.names.index("slider")
    x, y = np.zeros((2, 4))
    x[:], y[k] = 4.0, 1.0
    expected = np.full(4, 4.0 - 2 * math.pi)
    expected[k] = 3.0
    np.testing.assert_allclose(own.apart(x, y), expected)
    np.testing.assert_allclose(own.apart(y, x), -expected)


def test_random_starts_are_within_the_limits_of_sliding_joints() -> None:
    robot = slider_crank()
    frames = [
        replace(f, joint=replace(f.joint, limits=Limits(0.4, 0.5))) if f.joint.name == "slider" else f
        for f in robot.frames
    ]
    for bounded, low, high in ((robot, -1.0, 1.0), (robot.replace(frames=tuple(frames)), 0.4 / 0.6, 0.5 / 0.6)):
        own = mechanism(bounded, np.random.default_rng(0))
        assert own.unit == 0.6
        starts = np.array([own.start(np.random.default_rng(k)) for k in range(60)])
        slider = starts[:, own.names.index("slider")]
        assert low <= slider.min() < low + 0.1 * (high - low)
        assert high - 0.1 * (high - low) < slider.max() <= high
        assert np.abs(starts).max() <= math.pi
        assert np.abs(np.delete(starts, own.names.index("slider"), axis=1)).max() > 3


# --- closed positions -------------------------------------------------------------------------------------------------


def test_the_smallest_gap_is_in_metres() -> None:
    """Links of 0.3, 0.4 and 1.7 stay one metre apart, in parts of the longest one; of 0.3, 0.4, 0.7 they are flat."""
    found = closed_positions(triangle(1.7), starts=2)
    assert found.positions == ()
    assert found.gap == pytest.approx(1.0, rel=1e-6)
    assert not found.described
    flat = closed_positions(triangle(0.7), wanted=1)
    assert len(flat.positions) == 1
    assert np.abs(np.sin(flat.positions[0])).max() < 1e-4


def test_the_described_position_comes_first() -> None:
    robot = random_mechanism("four-bar", 3)
    found = closed_positions(robot, wanted=3)
    assert found.described
    own = found.mechanism
    assert own.described is not None
    assert np.abs(own.apart(found.positions[0], own.described)).max() < 1e-9
    assert len(found.positions) == 3
    for x in found.positions:
        assert opening(robot, own.symbols_at(x)) < 1e-11
    nowhere = tuple(replace(f, joint=replace(f.joint, position=None)) for f in robot.frames)
    again = closed_positions(robot.replace(frames=nowhere), wanted=1)
    assert not again.described
    assert again.mechanism.described is None


def test_lengths_of_few_digits() -> None:
    """A Bennett linkage with lengths to seven digits: it nearly closes, and its described position counts."""
    exact = bennett()
    closed = closed_positions(exact, wanted=1)
    at = dict(zip(closed.mechanism.names, closed.positions[0], strict=True))
    robot = exact.replace(values={**exact.values, "OFF": Value(1 + 3e-8)})
    frames = tuple(replace(f, joint=replace(f.joint, position=at.get(f.joint.name))) for f in robot.frames)
    found = closed_positions(robot.replace(frames=frames), wanted=2)
    assert found.described
    assert closed.mechanism.tolerance < 1e-10 < found.mechanism.tolerance
    x = found.positions[0]
    assert 1e-11 < np.linalg.norm(found.mechanism.gap(x)) < found.mechanism.tolerance
    assert np.abs(found.mechanism.apart(x, closed.positions[0])).max() < 1e-5


def test_parameters_without_a_value_are_drawn() -> None:
    robot = robosym.load("four-bar")
    values = {name: value for name, value in robot.values.items() if name != "D3"}
    found = closed_positions(robot.replace(values=values), wanted=1, starts=2)
    assert found.mechanism.assumed == ("D3",)
    assert found.positions
    assert 0.5 <= found.mechanism.values[parameter("D3")] <= 1.5
