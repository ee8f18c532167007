"""Closed forms where a joint is free, near there, and at the edge of reach and beyond."""

from __future__ import annotations

import numpy as np
import pytest
from models.inverse_geometry.closed_form_arms import RESIDUAL, arm, check, counted
from models.inverse_geometry.robots import Floats, Solved, solved
from sweeps import crossed, many

from robosym.robot import Robot

# --- singular poses --------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["puma560", "rx90", "stanford"])
@pytest.mark.parametrize("bend", [0.0, np.pi])
def test_a_straight_wrist_has_a_free_joint(name: str, bend: float) -> None:
    S = arm(name)
    q = S.positions(many(40), seed=13)
    q[:, 4] = bend
    T = S.poses(q)
    Q, valid, free = check(S, q, found=False)
    loose = free[:, :, 3] & valid
    assert loose.any(axis=1).all()
    assert not free[valid][:, [0, 1, 2, 4]].any()
    # Of the circle of positions the nearest to zero is given: joints 4 and 6 share the turn.
    np.testing.assert_allclose(np.abs(Q[:, :, 3][loose]), np.abs(Q[:, :, 5][loose]), atol=0.1)
    assert np.abs(Q[:, :, 3][loose]).max() < np.pi / 2 + 0.1
    # The arm of the position that made the pose is among those with a free joint,
    apart = np.abs((Q - q[:, None] + np.pi) % (2 * np.pi) - np.pi)[:, :, [0, 1]].max(axis=2)
    assert np.where(loose, apart, np.inf).min(axis=1).max() < 1e-5
    # and free it is: what joint 4 turns, joint 6 turns back.
    turned = Q.copy()
    turned[:, :, 3] += 0.7
    turned[:, :, 5] -= 0.7 * np.sign(np.cos(Q[:, :, 4]))
    assert np.where(loose, S.misses(turned, T), 0).max() < 1e-9


@pytest.mark.slow
def test_a_wrist_above_the_shoulder_frees_the_first_joint() -> None:
    S = arm("rx90")
    D3, RL4 = (S.robot.values[key].number for key in ("D3", "RL4"))
    q = S.positions(many(40), seed=14)
    q[:, 1] = np.arctan2(D3 - RL4 * np.sin(q[:, 2]), RL4 * np.cos(q[:, 2]))
    assert np.abs(S.poses(q)[:, :2, 3]).max() < 1e-12
    _, valid, free = check(S, q, found=False)
    assert valid.any(axis=1).all()
    assert (free[:, :, 0] & valid).any(axis=1).all()


def test_equal_links_folded_free_the_first_joint() -> None:
    S = solved(Robot.from_table("folding", [{}, {"d": 0.5}, {"d": 0.5, "sigma": "fixed"}]))
    q = S.positions(50, seed=15)
    q[:, 1] = np.pi
    Q, valid, free = check(S, q, found=False)
    np.testing.assert_array_equal(valid.sum(axis=1), 1)
    assert free[:, :, 0][valid].all()
    np.testing.assert_allclose(np.abs(Q[:, :, 1][valid]), np.pi)


@pytest.mark.parametrize("q2", [np.pi / 2, -np.pi / 2])
def test_a_horizontal_stanford_arm_is_not_singular(q2: float) -> None:
    S = arm("stanford")
    q = S.positions(many(40), seed=16)
    q[:, 1] = q2
    _, valid, free = check(S, q)
    assert not free[valid].any()


@pytest.mark.slow
@pytest.mark.parametrize("q5", [0.0, np.pi])
def test_a_ur5_with_parallel_wrist_axes_still_has_solutions(q5: float) -> None:
    """Its free joint moves the rest of the arm: not every value of it is within reach, but some is."""
    S = arm("ur5")
    q = S.positions(many(40), seed=17)
    q[:, 4] = q5
    _, valid, free = check(S, q, found=False)
    assert free[valid].any()
    assert valid.any(axis=1).all(), counted(~valid.any(axis=1), np.inf, "without a solution")


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["puma560", "rx90", "stanford", "ur5"])
def test_all_right_angles(name: str) -> None:
    """The positions people try first, most of them singular in some way."""
    S = arm(name)
    q = np.random.default_rng(18).choice([0, np.pi / 2, np.pi, -np.pi / 2], (many(40), 6))
    Q, valid, free = check(S, q, found=False)
    some = valid.any(axis=1)
    assert some.all(), counted(~some, np.inf, "without a solution")
    nearest = S.nearest(Q, valid, q)
    regular = ~free.any(axis=(1, 2))  # no joint free in any branch
    assert (nearest[regular] < 1e-4).all()


NEAR = [("puma560", 4), ("ur5", 4), ("panda", 3), ("stanford", 2)]


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(("near", "power"), crossed(NEAR, [3, 4, 6, 8, 10, 12], every=2))
def test_near_a_singularity_solutions_still_make_the_pose(near: tuple[str, int], power: int) -> None:
    name, joint = near
    S = arm(name)
    q = S.positions(many(30), seed=19)
    q[:, joint] = 10.0**-power
    T = S.poses(q)
    Q, valid, _ = S.solve(T, q)
    # Where the motion is all but lost, a joint is known to the root of the rounding only.
    misses = np.where(valid, S.misses(Q, T, q), 0).max(axis=1)
    assert (misses < 1e-8).all(), counted(misses >= 1e-8, misses.max(), "missed")
    assert valid.any(axis=1).all(), counted(~valid.any(axis=1), np.inf, "without a solution")


# --- reach -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "joint", "at"),
    [
        ("planar-2r", 1, 0.0),
        ("planar-2r", 1, np.pi),
        ("planar-3r", 1, 0.0),
        ("scara", 1, 0.0),
        ("rx90", 2, -np.pi / 2),
        ("ur5", 2, 0.0),
        ("ur5", 2, np.pi),
    ],
)
def test_a_stretched_or_folded_arm_has_one_elbow(name: str, joint: int, at: float) -> None:
    S = arm(name)
    q = S.positions(many(40), seed=20)
    q[:, joint] = at
    T = S.poses(q)
    Q, valid, _ = check(S, q, found=False)
    assert (S.nearest(Q, valid, q) < 1e-5).all()  # rounding of the pose moves a double root by its square root
    assert np.where(valid, S.misses(Q, T), 0).max() < RESIDUAL


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_edge_of_a_general_arm(seed: int) -> None:
    """Where the first three joints cannot move the wrist outwards: two solutions become one there."""
    S = arm(f"pieper-{seed}")
    q = S.positions(many(40), seed=21)
    q[:, 2] = [edge_angle(S, row) for row in q]
    q = q[np.isfinite(q[:, 2])]
    assert len(q) > many(12)
    T = S.poses(q)
    Q, valid, _ = S.solve(T, q)
    misses = np.where(valid, S.misses(Q, T, q), 0).max(axis=1)
    assert (misses < 1e-9).all(), counted(misses >= 1e-9, misses.max(), "missed")
    # Two roots that meet are known to the root of what the pose is known to.
    nearest = S.nearest(Q, valid, q)
    assert (nearest < 1e-4).all(), counted(nearest >= 1e-4, nearest.max(), "without the position that made them")


def edge_angle(S: Solved, q: Floats) -> float:
    """The third angle at which the wrist's three directions of motion lie in a plane: bisection of a determinant."""

    def determinant(x: Floats) -> Floats:
        states = np.repeat(q[None], len(x), axis=0)
        states[:, 2] = x
        step = 1e-4
        moves = []
        for k in range(3):
            shift = step * np.eye(6)[k]
            moves.append((centre(S, states + shift) - centre(S, states - shift)) / (2 * step))
        return np.asarray(np.linalg.det(np.stack(moves, axis=1)))

    grid = np.linspace(-3, 3, 41)
    values = determinant(grid)
    crossing = np.flatnonzero(values[:-1] * values[1:] < 0)
    if not len(crossing):
        return float("nan")
    low, high = grid[crossing[0]], grid[crossing[0] + 1]
    for _ in range(12):
        inner = np.linspace(low, high, 17)
        signs = determinant(inner)
        k = int(np.flatnonzero(signs[:-1] * signs[1:] <= 0)[0])
        low, high = inner[k], inner[k + 1]
    return float((low + high) / 2)


def centre(S: Solved, q: Floats) -> Floats:
    """Of the wrist: the tool's own length taken off the pose."""
    T = S.poses(q)
    tool = float(S.robot.geometry(6)[5].value)
    return np.asarray(T[:, :3, 3] - tool * T[:, :3, 2])


def test_just_within_and_just_beyond_reach() -> None:
    S = arm("planar-2r")
    reach = sum(S.robot.values[key].number for key in ("L1", "L2"))
    angle = np.linspace(-3, 3, 50)
    for beyond, expected in ((-1e-9, 2), (1e-14, 1), (1e-6, 0)):
        T = np.zeros((50, 4, 4)) + np.eye(4)
        T[:, 0, 3], T[:, 1, 3] = reach * (1 + beyond) * np.cos(angle), reach * (1 + beyond) * np.sin(angle)
        _, valid, _ = S.solve(T)
        np.testing.assert_array_equal(valid.sum(axis=1), expected)


@pytest.mark.parametrize("name", ["scara", "planar-3r"])
def test_a_tilted_pose_is_none_of_a_flat_arm(name: str) -> None:
    S = arm(name)
    T = S.poses(S.positions(50, seed=23))
    tilt = np.array([[1, 0, 0], [0, np.cos(0.1), -np.sin(0.1)], [0, np.sin(0.1), np.cos(0.1)]])
    T[:, :3, :3] = T[:, :3, :3] @ tilt
    assert not S.solve(T)[1].any()


def test_a_point_off_the_plane_is_none_of_a_planar_arm() -> None:
    S = arm("planar-2r")
    assert S.form.task == "position"
    T = S.poses(S.positions(50, seed=24))
    T[:, 2, 3] += 0.01
    assert not S.solve(T)[1].any()
