"""Standard DH tables: the converted robot has the geometry and the inertia of the table."""

from __future__ import annotations

import numpy as np
import pytest
from random_robots import random_inertia

from robosym.expr import cos, evaluate, number, parameter, sin, substitute, variable
from robosym.formats.dh import from_standard_dh
from robosym.robot import FIXED, INERTIA, PRISMATIC, Robot, RobotError


def rotation_z(t):
    return np.array([[np.cos(t), -np.sin(t), 0, 0], [np.sin(t), np.cos(t), 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])


def rotation_x(t):
    return np.array([[1, 0, 0, 0], [0, np.cos(t), -np.sin(t), 0], [0, np.sin(t), np.cos(t), 0], [0, 0, 0, 1]])


def translation(x, y, z):
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def standard_frames(rows, q):
    """The frames of a standard table, A_i = Rz(theta) Tz(d) Tx(l) Rx(alpha), and the axes the joints act on."""
    T, frames, axes = np.eye(4), [], []
    for (kind, l, alpha, fixed, *_), position in zip(rows, q, strict=True):
        theta, d = (position, fixed) if kind == "R" else (fixed, position)
        axes.append((kind, T[:3, 2], T[:3, 3]))
        T = T @ rotation_z(theta) @ translation(0, 0, d) @ translation(l, 0, 0) @ rotation_x(alpha)
        frames.append(T)
    return frames, axes


def modified_frames(robot, q):
    """The frames of a robot by floats, Rz(gamma) Tz(b) Rx(alpha) Tx(d) Rz(theta) Tz(r)."""
    values = {s.name: x for s, x in zip(robot.coordinates, q, strict=True)}
    T = {0: np.eye(4)}
    for j in robot.order:
        gamma, b, alpha, d, theta, r = evaluate(robot.frame(j).geometry, values)
        step = rotation_z(gamma) @ translation(0, 0, b) @ rotation_x(alpha) @ translation(d, 0, 0)
        T[j] = T[robot.frame(j).antecedent] @ step @ rotation_z(theta) @ translation(0, 0, r)
    return T


def jacobian(axes, upto, point):
    J = np.zeros((6, len(axes)))
    for i, (kind, z, p) in enumerate(axes[: upto + 1]):
        J[:3, i] = np.cross(z, point - p) if kind == "R" else z
        J[3:, i] = z if kind == "R" else 0
    return J


def random_table(rng, n):
    """Rows with physically possible bodies, and whole quarter turns among the angles."""
    rows = []
    for _ in range(n):
        kind = str(rng.choice(["R", "P"]))
        alpha = float(rng.choice([0, np.pi / 2, -np.pi / 2, rng.uniform(-3, 3)]))
        inertial = random_inertia(rng)
        XX, XY, XZ, YY, YZ, ZZ, *MS, M = inertial
        centre = np.array(MS) / M
        central = np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]]) - M * (
            centre @ centre * np.eye(3) - np.outer(centre, centre)
        )
        central = (central + central.T) / 2
        rows.append(
            (kind, float(rng.uniform(-1, 1)), alpha, float(rng.uniform(-1, 1)), M, central.tolist(), centre.tolist())
        )
    return rows


@pytest.mark.parametrize("seed", range(12))
def test_last_standard_frame_is_the_tool(seed):
    rng = np.random.default_rng(seed)
    rows = random_table(rng, int(rng.integers(1, 8)))
    robot = from_standard_dh("random", rows)
    assert robot.frames[-1].name == "tool"
    for _ in range(5):
        q = rng.uniform(-3, 3, len(rows))
        frames, _ = standard_frames(rows, q)
        assert np.allclose(modified_frames(robot, q)[len(rows) + 1], frames[-1], rtol=0, atol=1e-13)


@pytest.mark.parametrize("seed", range(12))
def test_mass_matrix_is_that_of_the_table(seed):
    """sum Jc^T M Jc + Jw^T I Jw at the table's centres of mass, against the parameters about the modified frames."""
    rng = np.random.default_rng(100 + seed)
    rows = random_table(rng, int(rng.integers(1, 7)))
    robot = from_standard_dh("random", rows)
    q = rng.uniform(-3, 3, len(rows))
    frames, axes = standard_frames(rows, q)
    T = modified_frames(robot, q)
    expected, found = np.zeros((len(rows),) * 2), np.zeros((len(rows),) * 2)
    for i, (row, S) in enumerate(zip(rows, frames, strict=True)):
        M, central, centre = row[4], np.array(row[5]), np.array(row[6])
        J = jacobian(axes, i, S[:3, :3] @ centre + S[:3, 3])
        expected += M * J[:3].T @ J[:3] + J[3:].T @ S[:3, :3] @ central @ S[:3, :3].T @ J[3:]

        XX, XY, XZ, YY, YZ, ZZ, *MS, M = evaluate(robot.frame(i + 1).link.inertial, {})
        R = T[i + 1][:3, :3]
        J = jacobian(axes, i, T[i + 1][:3, 3])
        velocity, spin = R.T @ J[:3], R.T @ J[3:]
        cross = np.cross(spin.T, MS).T  # w x MS, column by column
        mixed = velocity.T @ cross
        tensor = np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]])
        found += M * velocity.T @ velocity + mixed + mixed.T + spin.T @ tensor @ spin
    assert np.allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_double_pendulum_of_robmat():
    """ROBMAT 1994, section 6: point masses at the ends of two links."""
    robot = from_standard_dh("double-pendulum", [("R", "L1", 0, 0, "M1"), ("R", "L2", 0, 0, "M2")], gravity=["g", 0, 0])
    L1, L2, M1 = parameter("L1"), parameter("L2"), parameter("M1")
    assert [frame.name for frame in robot.frames] == ["frame1", "frame2", "tool"]
    assert [frame.d for frame in robot.frames] == [number(0), L1, L2]
    assert robot.frames[-1].sigma == FIXED
    inertial = dict(zip(INERTIA, robot.frame(1).link.inertial, strict=True))
    assert inertial == dict.fromkeys(INERTIA, number(0)) | {"YY": M1 * L1**2, "ZZ": M1 * L1**2, "MX": M1 * L1, "M": M1}
    assert robot.gravity == (parameter("g"), number(0), number(0))


def test_modified_stanford_of_robmat():
    def diagonal(j):
        return [[f"IX{j}", 0, 0], [0, f"IY{j}", 0], [0, 0, f"IZ{j}"]]

    robot = from_standard_dh(
        "stanford-3",
        [
            ("R", 0, "-pi/2", 0, "M1", diagonal(1), [0, "Y1", "Z1"]),
            ("R", 0, "pi/2", "D2", "M2", diagonal(2), [0, "Y2", 0]),
            ("P", 0, 0, 0, "M3", diagonal(3), [0, 0, "Z3"]),
        ],
        variables=["q1", "q2", "d3"],
    )
    assert len(robot.frames) == 3, "the last standard frame is the last joint's: no tool frame"
    assert robot.frame(3).sigma == PRISMATIC
    assert robot.frame(3).r is variable("d3")
    # Rx(-pi/2) takes (0, y, z) to (0, z, -y) and swaps the moments about y and z.
    link = robot.frame(1).link
    M1, Y1, Z1 = map(parameter, ("M1", "Y1", "Z1"))
    assert (number(0), M1 * Z1, -M1 * Y1) == (link.MX, link.MY, link.MZ)
    assert numerically_equal(link.XX, parameter("IX1") + M1 * (Y1**2 + Z1**2))
    assert numerically_equal(link.YY, parameter("IZ1") + M1 * Y1**2)
    assert numerically_equal(link.ZZ, parameter("IY1") + M1 * Z1**2)
    assert numerically_equal(link.YZ, M1 * Y1 * Z1)


def numerically_equal(a, b):
    rng = np.random.default_rng(0)
    names = ["M1", "Y1", "Z1", "IX1", "IY1", "IZ1"]
    values = {name: float(rng.uniform(1, 2)) for name in names}
    return evaluate([a], values)[0] == pytest.approx(evaluate([b], values)[0], rel=1e-13)


def test_symbolic_twist():
    robot = from_standard_dh("twist", [("R", 0, "A", 0, "M", [0, "Y", 0])])
    A, M, Y = map(parameter, ("A", "M", "Y"))
    link = robot.frame(1).link
    assert (M * Y * cos(A), M * Y * sin(A)) == (link.MY, link.MZ)
    assert substitute([link.XX], {A: number(0)})[0] is M * Y**2
    assert robot.frames[-1].alpha is A


def test_inertia_or_centre_alone_may_be_left_out():
    centre = from_standard_dh("c", [("R", 0, 0, 0, 2, [1, 0, 0])])
    inertia = from_standard_dh("i", [("R", 0, 0, 0, 2, [[1, 0, 0], [0, 1, 0], [0, 0, 1]])])
    assert (number(2), number(2)) == (centre.frame(1).link.MX, centre.frame(1).link.YY)
    assert (number(0), number(1)) == (inertia.frame(1).link.MX, inertia.frame(1).link.YY)
    assert isinstance(centre, Robot)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("X", 0, 0, 0)], "frame 1, type: expected 'R' or 'P', got 'X'"),
        ([("R", 0, 0)], "frame 1: expected (type, l, alpha"),
        (["R000"], "frame 1: expected (type, l, alpha"),
        ([("R", "(", 0, 0)], "frame 1, l: "),
        ([("R", 0, "q1", 0), ("R", 0, 0, 0)], "frame 2, alpha: expected a constant, got 'q1'"),
        (
            [("R", 0, 0, 0, 1, [[1, 2, 0], [3, 1, 0], [0, 0, 1]])],
            "frame 1, inertia: the inertia matrix is not sym",
        ),
        ([("R", 0, 0, 0, 1, [1, 2])], "frame 1, centre: expected a list of 3 entries"),
        ([("R", 0, 0, 0, 1, 5)], "frame 1, centre: expected a list of 3 entries"),
        ([("R", 0, 0, 0, 1, [1, 2, 3], [1, 2, 3])], "frame 1: expected (type, l, alpha"),
        ([], "frames: expected at least one frame"),
    ],
)
def test_errors(rows, message):
    with pytest.raises(RobotError) as caught:
        from_standard_dh("bad", rows)
    assert message in str(caught.value)
