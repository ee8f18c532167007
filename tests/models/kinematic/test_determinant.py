"""Determinants: the literature's factored forms, numeric determinants, singularities and the motions lost there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from counted import calls
from random_robots import random_robot
from sweeps import many

import robosym
from robosym import RobosymError
from robosym.expr import evaluate, mul, parse
from robosym.models import jacobian, jacobian_determinant
from robosym.models.kinematic.determinant import Determinant
from robosym.program import verified
from robosym.robot import Robot, RobotError

# Khalil and Dombre 2002 (RX-90: section 5.3), Paul and Zhang 1986 (PUMA), Paul 1981 (Stanford), every textbook (SCARA),
# Hawkins 2013 (UR5); in the notation of the built-in robots.
LITERATURE = {
    "rx90": "-D3*RL4*cos(q3)*sin(q5)*(RL4*sin(q2 + q3) - D3*cos(q2))",
    "puma560": "D3*sin(q5)*(R4*cos(q3) - D4*sin(q3))*(D3*cos(q2) + D4*cos(q2 + q3) + R4*sin(q2 + q3))",
    "stanford": "q3^2*sin(q2)*sin(q5)",
    "scara": "-D2*D3*sin(q2)",
    "ur5": "D3*D4*sin(q3)*sin(q5)*(D3*cos(q2) + D4*cos(q2 + q3) + R5*sin(q2 + q3 + q4))",
    "planar-3r": "L1*L2*sin(q2)",
}


def states(robot: Robot, count: int = 5, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-2, 2, (count, robot.nq))


def rows_of(model: Determinant, matrix: np.ndarray) -> np.ndarray:
    places = [["vx", "vy", "vz", "wx", "wy", "wz"].index(row) for row in model.options["rows"]]
    return matrix[..., places, :]


# --- famous arms -----------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("name", LITERATURE)
def test_factors_are_those_of_the_literature(name: str) -> None:
    """The same factors up to sign and order, and exactly the numeric determinant."""
    robot = robosym.load(name)
    symbols = {symbol.name: symbol for symbol in (*robot.coordinates, *robot.parameter_symbols)}
    expected = parse(LITERATURE[name], symbols.__getitem__)
    model = jacobian_determinant(robot)
    assert len(model.factors) >= len(expected.args)
    rng = np.random.default_rng(1)
    for _ in range(5):
        known = {symbol: float(rng.uniform(0.5, 2)) for symbol in symbols.values()}
        product, published = evaluate([mul(*model.factors), expected], known)
        assert product == pytest.approx(published, rel=1e-12)
    q = states(robot)
    matrix = rows_of(model, jacobian(robot, axes=0).compile()(q=q))
    np.testing.assert_allclose(model.compile()(q=q)[:, 0], np.linalg.det(matrix), atol=1e-13)
    verified(model.program)


def test_each_factor_stands_alone() -> None:
    written = {str(factor) for factor in jacobian_determinant(robosym.load("rx90")).factors}
    assert written == {"D3", "RL4", "cos(q3)", "sin(q5)", "D3*cos(q2) - RL4*sin(q2 + q3)"}


# --- any arm ---------------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("seed", range(many(24)))
def test_random_arms_against_numpy(seed: int) -> None:
    """Trees of one to nine frames: square, with fewer rows, or redundant; numbers or symbols."""
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, int(rng.integers(1, 10)), symbolic=bool(seed % 2))
    frame = max(range(1, len(robot.frames) + 1), key=lambda j: len(robot.path(j)))
    moved = [i for i, j in enumerate(robot.moving) if j in robot.path(frame)]
    if not moved:
        pytest.skip("no joint moves the frame")
    model = jacobian_determinant(robot, frame=frame)
    q = states(robot, seed=seed)
    J = rows_of(model, jacobian(robot, frame=frame, axes=0).compile()(q=q).reshape(-1, 6, robot.nv)[:, :, moved])
    square = J.shape[1] == J.shape[2]
    expected = np.linalg.det(J) if square else np.sqrt(np.linalg.det(J @ J.transpose(0, 2, 1)))
    got = model.compile()(q=q)[:, 0]
    np.testing.assert_allclose(got, expected, atol=1e-7 if not square else 1e-11)
    if square and len(model.factors) > 1:
        known = {k: v.number for k, v in robot.values.items()} | dict(zip(robot.coordinates, q[0], strict=True))
        assert evaluate([mul(*model.factors)], known)[0] == pytest.approx(expected[0], abs=1e-11)


@pytest.mark.slow
def test_a_general_arm_stays_a_compact_program() -> None:
    robot = robosym.load("general-6r")
    model = jacobian_determinant(robot)
    assert model.operations.total < 260
    assert calls(lambda: jacobian_determinant(robot)) < 2_500_000  # its expanded form would take a hundred times that
    q = states(robot)
    parameters = {symbol.name: 0.3 + 0.1 * i for i, symbol in enumerate(robot.parameter_symbols)}
    used = {name: parameters[name] for name in (s.name for s in model.program.parameter_symbols)}
    J = jacobian(robot, axes=0)
    lengths = {name: parameters[name] for name in (s.name for s in J.program.parameter_symbols)}
    expected = np.linalg.det(J.compile()(q=q, parameters=lengths))
    np.testing.assert_allclose(model.compile()(q=q, parameters=used)[:, 0], expected, rtol=1e-9)
    assert len(model.explain()) < 20000


def test_manipulability_of_a_redundant_arm() -> None:
    robot = robosym.load("panda")
    model = jacobian_determinant(robot)
    J = jacobian(robot).compile()(q=states(robot))
    expected = np.prod(np.linalg.svd(J, compute_uv=False), axis=1)
    np.testing.assert_allclose(model.compile()(q=states(robot))[:, 0], expected, rtol=1e-9)
    assert model.factors == ()
    assert model.singularities == ()


def test_a_chosen_square_part() -> None:
    robot = robosym.load("planar-2r")
    model = jacobian_determinant(robot, rows=("vx", "vy"))
    assert [str(f) for f in model.factors] == ["L1", "L2", "sin(q2)"]
    turned = jacobian_determinant(robot, rows=["vy", "wz"])
    q = states(robot)
    J = jacobian(robot, axes=0).compile()(q=q)[:, [1, 5], :]
    np.testing.assert_allclose(turned.compile()(q=q)[:, 0], np.linalg.det(J), atol=1e-13)


def test_an_arm_that_is_singular_everywhere() -> None:
    """Two parallel prismatic joints: the determinant of any two rows is zero."""
    robot = Robot.from_table("slides", [{"sigma": "prismatic"}, {"sigma": "prismatic"}])
    assert jacobian_determinant(robot).options["rows"] == ["vz"]
    model = jacobian_determinant(robot, rows=("vx", "vz"))
    assert model.compile()(q=[1.0, 2.0])[0] == 0
    assert "det J = 0" in model.explain()
    assert model.singularities == ()


@pytest.mark.parametrize(
    ("rows", "word"),
    [
        (("vx", "up"), "rows: got .*expected a list of 'vx', 'vy'"),
        (("vx", "vx"), "expected different ones"),
        ((), "expected different"),
    ],
)
def test_wrong_rows_are_named(rows: Any, word: str) -> None:
    with pytest.raises(RobosymError, match=word):
        jacobian_determinant(robosym.load("rx90"), rows=rows)
    with pytest.raises(RobotError, match="more than the 2 velocities"):
        jacobian_determinant(robosym.load("planar-2r"), rows=("vx", "vy", "wz"))


def test_what_a_person_reads() -> None:
    page = jacobian_determinant(robosym.load("stanford")).explain()
    assert "det J = q3^2 * sin(q2) * sin(q5)" in page
    assert "singular where sin(q5) = 0\n  q5 = 0 or pi" in page
    data = jacobian_determinant(robosym.load("scara")).as_dict()
    assert data["factors"] == ["-1", "D2", "D3", "sin(q2)"]
    assert data["singularities"][0]["motions"][0] == {
        "shoulder": "D3",
        "elbow": "-(D2 + D3)",
        "wrist": "D2",
        "quill": "0",
    }


def test_a_column_that_dependent_joints_cancel_makes_it_zero() -> None:
    """The second slide undoes the first: the joint they share does not move the frame."""
    slides = [{"sigma": "prismatic"}, {"sigma": "prismatic", "mimic": {"frame": 1, "ratio": -1}}, {"d": 0.3}]
    robot = Robot.from_table("undone", [*slides, {"d": 0.4, "sigma": "fixed"}])
    for rows in (("vx", "vy"), ("vx", "vz")):
        model = jacobian_determinant(robot, rows=rows)
        assert model.compile()(q=[0.3, 0.5])[0] == 0
        assert model.singularities == ()


def test_a_redundant_measure_is_never_nan() -> None:
    """Where the arm is stretched the Gram determinant is zero up to rounding, on either side."""
    robot = robosym.load("rx90")
    q = states(robot, 500)
    q[:, 2] = np.pi / 2
    found = jacobian_determinant(robot, rows=("vx", "vy", "vz")).compile()(q=q)
    assert np.isfinite(found).all()
    assert np.abs(found).max() < 1e-7
