"""The geometry under the URDF reader: exact parameters for any pose, frames as Khalil and Kleinfinger place them."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from robosym.formats.mdh import (
    NEARLY_PARALLEL,
    QUARTER,
    Array,
    Body,
    Row,
    Tolerance,
    parameters,
    place_frames,
    pose,
    pose_of,
    rotation_x,
    rotation_z,
    shortest_turn,
    turn,
)

EXACT = Tolerance()

quarters = st.integers(-2, 2).map(lambda k: k * QUARTER)
# Angles that are clean, almost clean (from rounding noise to a hundredth of a radian), or anything.
angles = st.one_of(
    quarters,
    st.builds(lambda a, e, sign: a + sign * 10.0**e, quarters, st.floats(-17, -1), st.sampled_from([-1, 1])),
    st.floats(-math.pi, math.pi),
)
lengths = st.one_of(st.just(0.0), st.floats(-2, 2).filter(lambda x: abs(x) > 1e-9))


def product_of(rows: tuple[Row, ...]) -> Array:
    result = np.eye(4)
    for row in rows:
        result = result @ pose_of(row)
    return result


def euler(a: float, b: float, c: float) -> Array:
    """Rz(a) Rx(b) Rz(c) by plain sines and cosines."""

    def about(axis: int, angle: float) -> Array:
        i, j = [k for k in range(3) if k != axis]
        matrix = np.eye(3)
        matrix[i, i] = matrix[j, j] = math.cos(angle)
        matrix[j, i] = math.sin(angle)
        matrix[i, j] = -math.sin(angle)
        return matrix

    return about(2, a) @ about(0, b) @ about(2, c)


@settings(deadline=None, max_examples=400)
@given(st.tuples(angles, angles, angles), st.tuples(lengths, lengths, lengths))
def test_any_pose_has_exact_parameters(turn: tuple[float, ...], shift: tuple[float, ...]) -> None:
    target = pose(euler(*turn), np.array(shift))
    rows = parameters(target, EXACT)
    np.testing.assert_allclose(product_of(rows), target, rtol=0, atol=2e-13)
    assert all(abs(value) < 1e4 for row in rows for value in row)


def test_the_row_multiplies_the_six_elementary_motions() -> None:
    gamma, b, alpha, d, theta, r = 0.3, 0.1, -1.1, 0.7, 2.2, -0.4
    z = np.array([0.0, 0.0, 1.0])
    expected = (
        pose(rotation_z(gamma), b * z)
        @ pose(rotation_x(alpha), np.zeros(3))
        @ pose(np.eye(3), np.array([d, 0.0, 0.0]))
        @ pose(rotation_z(theta), np.zeros(3))
        @ pose(np.eye(3), r * z)
    )
    np.testing.assert_allclose(pose_of(Row(gamma, b, alpha, d, theta, r)), expected, atol=1e-15)


@pytest.mark.parametrize(("i", "j", "k"), list(product(range(4), repeat=3)))
def test_quarter_turns_stay_exact(i: int, j: int, k: int) -> None:
    """Each of the 24 orientations of a cube, reached through rounded sines, gives whole quarter turns and no noise."""
    target = pose(euler(i * QUARTER, j * QUARTER, k * QUARTER), np.array([0.5, -0.25, 2.0]))
    (row,) = parameters(target, EXACT)
    clean = (-QUARTER, 0.0, QUARTER, math.pi)
    assert row.alpha in clean
    if row.alpha in (-QUARTER, QUARTER):
        assert row.gamma in clean
        assert row.theta in clean
    assert {abs(x) for x in (row.b, row.d, row.r)} <= {0.0, 0.25, 0.5, 2.0, math.hypot(0.5, 0.25)}


def test_noise_is_removed_and_seven_digits_are_kept() -> None:
    noisy = pose(rotation_x(QUARTER + 1e-16), np.array([1.0, 1e-17, -3e-16]))
    assert parameters(noisy, EXACT) == (Row(alpha=QUARTER, d=1.0),)
    (row,) = parameters(pose(rotation_x(1.5707963), np.array([1.0, 0.0, 0.0])), EXACT)
    assert row.alpha == pytest.approx(1.5707963, abs=1e-15)
    (row,) = parameters(pose(rotation_x(1.5707963), np.array([1.0, 0.0, 0.0])), Tolerance(1e-6))
    assert row.alpha == QUARTER


def test_almost_parallel_axes_take_an_auxiliary_frame() -> None:
    target = pose(rotation_x(5e-12), np.array([0.3, 0.4, 0.5]))
    rows = parameters(target, EXACT)
    assert len(rows) == 2
    assert rows[0] == Row(alpha=QUARTER)
    np.testing.assert_allclose(product_of(rows), target, rtol=0, atol=1e-15)


X, Y, Z = np.eye(3)


def chain(*joints: tuple[Array, Array, bool]) -> list[Body]:
    """Bodies one after the other, unrotated at q = 0: (where, axis, prismatic)."""
    base = Body(0, np.eye(4), Z)
    return [base, *(Body(i, pose(np.eye(3), where), axis, prism) for i, (where, axis, prism) in enumerate(joints))]


def rows_of(bodies: list[Body]) -> list[Row]:
    frames = place_frames(bodies, [EXACT] * len(bodies))
    rows = []
    for body, frame in zip(bodies[1:], frames[1:], strict=True):
        (row,) = parameters(np.linalg.inv(frames[body.antecedent]) @ body.placement @ frame, EXACT)
        rows.append(row)
    return rows


def test_a_planar_arm_has_only_lengths_d() -> None:
    """Three parallel axes, offset along them as well: all offsets but the first vanish."""
    arm = rows_of(chain((0.3 * Z, Z, False), (X + 0.1 * Z, Z, False), (X - 0.2 * Z, Z, False)))
    assert arm == [Row(), Row(d=1.0), Row(d=1.0)]


def test_a_spherical_wrist_meets_in_one_point() -> None:
    wrist = rows_of(chain((0.5 * Z, Z, False), (0.2 * Z, Y, False), (0.4 * Z, Z, False)))
    assert [(row.gamma, row.b, row.d) for row in wrist] == [(0, 0, 0)] * 3
    assert [row.r for row in wrist] == [0.7, 0, 0]
    assert [abs(row.alpha) for row in wrist] == [0, QUARTER, QUARTER]


def test_a_prismatic_axis_goes_where_it_costs_least() -> None:
    rows = rows_of(chain((Z, Z, False), (X + Y, X, True), (0.3 * Y, Z, False)))
    assert all((row.gamma, row.b) == (0, 0) for row in rows)
    assert (rows[2].d, rows[2].r) == (0, 0)
    slides = rows_of(chain((Z, Z, False), (X + Y, X, True), (0.3 * Y, Y, True)))
    assert [(row.b, row.d, row.r) for row in slides] == [(0, 0, 0)] * 3


def random_bodies(rng: np.random.Generator, n: int) -> list[Body]:
    bodies = [Body(0, np.eye(4), Z)]
    for i in range(n):
        turn = euler(*(rng.integers(-2, 3, 3) * QUARTER if rng.random() < 0.5 else rng.uniform(-3, 3, 3)))
        axis = np.eye(3)[rng.integers(3)] * rng.choice([-1, 1]) if rng.random() < 0.6 else rng.normal(size=3)
        where = rng.uniform(-1, 1, 3) * rng.integers(0, 2, 3)
        antecedent = i if rng.random() < 0.7 else int(rng.integers(i + 1))
        bodies.append(Body(antecedent, pose(turn, where), axis / np.linalg.norm(axis), bool(rng.random() < 0.3)))
    return bodies


@pytest.mark.parametrize("seed", range(30))
def test_frames_of_any_tree_keep_to_the_notation(seed: int) -> None:
    """z is on the joint axis, and gamma = b = 0 to the first successor unless it is almost parallel."""
    bodies = random_bodies(np.random.default_rng(seed), 12)
    frames = place_frames(bodies, [EXACT] * len(bodies))
    np.testing.assert_array_equal(frames[0], np.eye(4))
    visited = {0}
    for body, frame in zip(bodies[1:], frames[1:], strict=True):
        rotation, origin = frame[:3, :3], frame[:3, 3]
        np.testing.assert_allclose(rotation.T @ rotation, np.eye(3), atol=1e-15)
        np.testing.assert_allclose(rotation[:, 2], body.axis, atol=1e-15)
        if not body.prismatic:
            np.testing.assert_allclose(np.cross(origin, body.axis), 0, atol=1e-13 * (1 + np.abs(origin).max()))
        relative = np.linalg.inv(frames[body.antecedent]) @ body.placement @ frame
        sine = math.hypot(relative[0, 2], relative[1, 2])
        if body.antecedent not in visited and not 1e-14 < sine < NEARLY_PARALLEL:
            (row,) = parameters(relative, EXACT)
            assert abs(row.gamma) < 1e-11
            assert abs(row.b) < 1e-11 * (1 + abs(row.r))
        visited.add(body.antecedent)


@pytest.mark.parametrize("noise", [1e-16, 1.5e-14, 1e-12, 1e-9, 1e-6, 1e-3])
@pytest.mark.parametrize("angle", [0.0, 1e-13, 1e-9, 1e-5, 9.9e-3, 1.1e-2])
def test_frames_are_rotations_whatever_the_noise(noise: float, angle: float) -> None:
    """Two joints almost on one oblique axis: apart along it, a little across it, at a little angle to it."""
    rng = np.random.default_rng(0)
    for _ in range(10):
        axis, across, tilt = (v / np.linalg.norm(v) for v in rng.normal(size=(3, 3)))
        bent = axis + angle * tilt
        where = 0.5 * axis + noise * across
        for frame in place_frames(chain((X, axis, False), (where, bent / np.linalg.norm(bent), False)), [EXACT] * 3):
            rotation = frame[:3, :3]
            np.testing.assert_allclose(rotation.T @ rotation, np.eye(3), rtol=0, atol=1e-15)
            assert np.linalg.det(rotation) > 0


def test_a_frame_that_is_given_stays() -> None:
    """That of a joint of several axes; the one before it looks at its axis and origin."""
    frame = pose(turn(np.array([0.6, 0.0, 0.8]), 0.7), np.array([0.1, 0.2, 0.3]))
    away = pose(np.eye(3), np.array([0.0, 0.5, 0.0]))
    bodies = [
        Body(0, np.eye(4), np.array([0.0, 0.0, 1.0])),
        Body(0, away, np.array([0.0, 0.0, 1.0])),
        Body(1, away, frame[:3, 2], frame=frame),
    ]
    placed = place_frames(bodies, [EXACT] * 3)
    np.testing.assert_array_equal(placed[2], frame)
    ((gamma, b, *_),) = parameters(np.linalg.inv(placed[1]) @ away @ frame, EXACT)
    assert (gamma, b) == pytest.approx((0, 0), abs=1e-14)


def test_turns() -> None:
    rng = np.random.default_rng(0)
    for k in range(3):
        for sign in (1, -1):
            axis = sign * np.eye(3)[k]
            np.testing.assert_allclose(turn(axis, 0.7), Rotation.from_rotvec(0.7 * axis).as_matrix(), atol=1e-15)
    for _ in range(10):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        angle = float(rng.uniform(-3, 3))
        np.testing.assert_allclose(turn(axis, angle), Rotation.from_rotvec(angle * axis).as_matrix(), atol=1e-14)
        R = shortest_turn(axis)
        np.testing.assert_allclose(R[:, 2], axis, atol=1e-14)
        assert Rotation.from_matrix(R).magnitude() == pytest.approx(np.arccos(axis[2]))
    np.testing.assert_allclose(shortest_turn(np.array([0, 0, -1.0])), np.diag([1, -1, -1]), atol=1e-15)
    np.testing.assert_array_equal(shortest_turn(np.array([0, 0, 1.0])), np.eye(3))
