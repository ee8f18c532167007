"""Paths in space: rotations beside SciPy's exponentials, circles by their centre, blends by numerical derivatives."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from robosym.errors import RobosymError
from robosym.reals import Floats
from robosym.trajectory import TaskPath, arc, straight, turned, via
from robosym.trajectory.task_space import euler_angles, euler_rotation


def pose(position: object = (0, 0, 0), turn: object = (0, 0, 0)) -> Floats:
    T = np.eye(4)
    T[:3, 3], T[:3, :3] = np.asarray(position), Rotation.from_rotvec(np.asarray(turn, dtype=float)).as_matrix()
    return T


def random_pose(random: np.random.Generator) -> Floats:
    T = np.eye(4)
    T[:3, 3], T[:3, :3] = random.uniform(-1, 1, 3), Rotation.random(rng=random).as_matrix()
    return T


def rates(path: TaskPath, place: Floats, h: float = 1e-5) -> tuple[Floats, Floats]:
    """P' and omega by differences."""
    before, after = path(place - h), path(place + h)
    turn = Rotation.from_matrix(after[:, :3, :3] @ before[:, :3, :3].transpose(0, 2, 1)).as_rotvec()
    return (after[:, :3, 3] - before[:, :3, 3]) / (2 * h), turn / (2 * h)


@pytest.mark.parametrize("rotation", ["axis", "euler"])
def test_straight_lines_begin_and_end_where_they_should(rotation: str) -> None:
    random = np.random.default_rng(1)
    for _ in range(50):
        A, B = random_pose(random), random_pose(random)
        path = straight(A, B, rotation=rotation)  # type: ignore[arg-type]
        np.testing.assert_allclose(path(0.0), A, atol=1e-12)
        np.testing.assert_allclose(path(path.length), B, atol=1e-12)
        middle = path(path.length / 2)
        np.testing.assert_allclose(middle[:3, 3], (A + B)[:3, 3] / 2, atol=1e-12)
        np.testing.assert_allclose(middle[:3, :3] @ middle[:3, :3].T, np.eye(3), atol=1e-12)


@pytest.mark.parametrize("alpha", [0.0, 1e-9, 1.0, math.pi - 1e-9, math.pi])
@pytest.mark.parametrize("u", [[1, 0, 0], [0, -1, 0], [0.6, 0, -0.8], [1, 1, 1]])
def test_one_axis_and_an_even_speed_also_for_half_a_turn(alpha: float, u: list[float]) -> None:
    """[8.51] divides by sin(alpha)."""
    A = pose((0.1, 0.2, 0.3), (0.4, -0.5, 0.6))
    axis = np.array(u) / np.linalg.norm(u)
    B = A @ pose((0.3, 0, 0), alpha * axis)
    path = straight(A, B)
    np.testing.assert_allclose(path(1.0), B, atol=1e-12)
    speed, omega = rates(path, np.linspace(0.1, 0.9, 9))
    np.testing.assert_allclose(np.linalg.norm(speed, axis=1), 0.3, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(omega, axis=1), alpha, atol=1e-6)
    np.testing.assert_allclose(omega - omega[0], 0, atol=1e-6)


def test_a_fixed_axis_is_the_moving_one_seen_from_the_base() -> None:
    A, u, r = pose((0.1, 0.2, 0.3), (0.4, -0.5, 0.6)), np.array([0.6, 0, 0.8]), np.linspace(0, 1, 5)
    tool = turned(A, u, 4.0, move=(0, 0, 1))
    base = turned(A, A[:3, :3] @ u, 4.0, move=(0, 0, 1), axes="base")
    np.testing.assert_allclose(tool(r), base(r), atol=1e-12)
    known = pose(turn=4.0 * A[:3, :3] @ u) @ A
    np.testing.assert_allclose(tool(1.0)[:3, :3], known[:3, :3], atol=1e-12)
    np.testing.assert_allclose(tool(1.0)[:3, 3], A[:3, 3] + [0, 0, 1], atol=1e-12)


def test_euler_angles_are_absolute() -> None:
    """The printed [8.55] has one factor R^i too many: it would begin at R^i R^i."""
    first, last = np.array([0.3, 0.8, -0.4]), np.array([0.9, 0.2, 0.5])
    A, B = np.eye(4), np.eye(4)
    A[:3, :3], B[:3, :3] = euler_rotation(np.stack([first, last]))
    np.testing.assert_allclose(A[:3, :3], Rotation.from_euler("ZXZ", first).as_matrix(), atol=1e-15)
    path = straight(A, B, rotation="euler")
    between = Rotation.from_euler("ZXZ", first + 0.3 * (last - first)).as_matrix()
    np.testing.assert_allclose(path(0.3)[:3, :3], between, atol=1e-14)


@pytest.mark.parametrize("theta", [0.0, math.pi, 1e-12, 1.0])
def test_euler_angles_where_only_a_sum_is_known(theta: float) -> None:
    R = euler_rotation(np.array([[0.7, theta, -0.2]]))[0]
    found = euler_angles(R, np.array([0.7, 0.1, 0.0]))
    np.testing.assert_allclose(euler_rotation(found[None])[0], R, atol=1e-9)


def test_a_circle_goes_through_its_points_evenly() -> None:
    random = np.random.default_rng(4)
    for _ in range(30):
        A, C = random_pose(random), random_pose(random)
        B = random.uniform(-1, 1, 3)
        path = arc(A, B, C)
        np.testing.assert_allclose(path(0.0), A, atol=1e-9)
        np.testing.assert_allclose(path(1.0), C, atol=1e-9)
        points = path(np.linspace(0, 1, 20_001))[:, :3, 3]
        length = np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
        assert path.pieces[0].speed == pytest.approx(length, rel=1e-6)
        assert np.linalg.norm(points - B, axis=1).min() < 1e-3 * length
        normal = np.cross(points[1] - points[0], points[2] - points[1])
        assert np.abs((points - points[0]) @ (normal / np.linalg.norm(normal))).max() < 1e-4 * length


def test_a_half_circle_known_by_hand() -> None:
    path = arc(pose((1, 0, 0)), (0, 1, 0), (-1, 0, 0), orientation="follow")
    np.testing.assert_allclose(path(0.5), pose((0, 1, 0), (0, 0, math.pi / 2)), atol=1e-12)
    np.testing.assert_allclose(path(1.0), pose((-1, 0, 0), (0, 0, math.pi)), atol=1e-12)
    assert path.pieces[0].bend == pytest.approx(math.pi**2)
    other = arc(pose((1, 0, 0)), (0, -1, 0), pose((0, 1, 0)))
    assert other.pieces[0].speed == pytest.approx(1.5 * math.pi)


@pytest.mark.parametrize("blend", [0.1, 0.25, 0.5])
def test_poses_passed_by(blend: float) -> None:
    """No corner, bounds kept, and close to the poses."""
    random = np.random.default_rng(8)
    for _ in range(5):
        poses = [random_pose(random) for _ in range(5)]
        path = via(poses, blend=blend, radian=0.5)
        np.testing.assert_allclose(path(0.0), poses[0], atol=1e-12)
        np.testing.assert_allclose(path(path.length), poses[-1], atol=1e-12)
        for piece, begin in zip(path.pieces, path.places, strict=False):
            inside = begin + piece.length * np.linspace(0.01, 0.99, 50)
            speed, omega = rates(path, inside)
            assert np.linalg.norm(speed, axis=1).max() < piece.speed * (1 + 1e-6)
            assert np.linalg.norm(omega, axis=1).max() < piece.turning * (1 + 1e-6)
            step = inside[1] - inside[0]
            assert np.linalg.norm(np.diff(speed, axis=0), axis=1).max() < piece.bend * step * (1 + 1e-6) + 1e-8
            assert np.linalg.norm(np.diff(omega, axis=0), axis=1).max() < piece.twist * step * (1 + 1e-6) + 1e-8
        inner = path.places[1:-1]
        before, after = rates(path, inner - 2e-5), rates(path, inner + 2e-5)
        for a, b in zip(before, after, strict=True):
            np.testing.assert_allclose(a, b, atol=0.02)
    exact = via([pose(), pose((1, 0, 0)), pose((1, 1, 0))], blend=0.25)
    np.testing.assert_allclose(exact(exact.length / 2)[:3, 3], [1 - 0.0625, 0.0625, 0], atol=1e-12)


def test_what_is_no_path_is_refused() -> None:
    bad = np.eye(4)
    bad[0, 0] = 2
    for call, word in (
        (lambda: straight(np.eye(3), np.eye(4)), "start: got shape"),
        (lambda: straight(np.eye(4), bad), "end: expected a rotation"),
        (lambda: straight(np.eye(4), np.eye(4)), "ends where it begins"),
        (lambda: straight(pose(), pose((1, 0, 0)), rotation="spin"), "rotation"),  # type: ignore[arg-type]
        (lambda: turned(pose(), (0, 0, 0), 1.0), "axis: expected a direction"),
        (lambda: turned(pose(), (0, 0, 1), math.nan), "angle"),
        (lambda: turned(pose(), (0, 0, 1), 1.0, axes="world"), "axes"),  # type: ignore[arg-type]
        (lambda: arc(pose(), (1, 0, 0), pose((2, 0, 0))), "on a line"),
        (lambda: arc(pose(), (0, 0, 0), pose((2, 0, 0))), "fall together"),
        (lambda: arc(pose(), (1, 1, 0), (2, 0, 0)), "expected a pose"),
        (lambda: via([pose()]), "two or more"),
        (lambda: via([pose(), pose()]), "0 and 1 are the same"),
        (lambda: via([pose(), pose((1, 0, 0))], blend=0.7), "blend"),
        (lambda: via([pose(), pose((1, 0, 0))], radian=-1), "radian"),
    ):
        with pytest.raises(RobosymError, match=word):
            call()
