"""The coefficients: put together they are the inverse dynamic model, two ways of finding them agree, counts."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models.pinocchio_states import Twin
from models.reference import loaded_robot, newton_euler, relative_error
from simulation.tops import LINK, start, top
from sweeps import many

import robosym
from robosym import RobosymError
from robosym.models.dynamic.coefficients.lagrange import lagrange
from robosym.robot import Robot, RobotError

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")


def products(qd: np.ndarray) -> np.ndarray:
    """qd1 qd2, qd1 qd3, ..., qd2 qd3, ..."""
    return np.array([qd[j] * qd[k] for j, k in combinations(range(len(qd)), 2)])


def torque(parts: Mapping[str, np.ndarray], qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    coriolis = parts["coriolis_coefficients"] @ products(qd)
    return np.asarray(parts["A"] @ qdd + coriolis + parts["centrifugal_coefficients"] @ qd**2 + parts["Q"])


@settings(max_examples=many(5), deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 6), method=st.sampled_from(["recursive", "differentiate"]))
def test_dependent_joints_and_rotors_enter(seed: int, n: int, method: str) -> None:
    rng = np.random.default_rng(seed)
    robot = loaded_robot(rng, n, symbolic=True, moving_base=False)
    q, qd, qdd = rng.uniform(-2, 2, (3, robot.nv))
    found = torque(lagrange(robot, method=method).evaluate(q=q), qd, qdd)  # type: ignore[arg-type]
    assert relative_error(found, newton_euler(robot, q, qd, qdd).tau) < 1e-10


def test_robmat_has_its_factor_two_outside() -> None:
    robot = robosym.load("stanford-3")
    q, qd, qdd = np.random.default_rng(3).uniform(-2, 2, (3, 3))
    r = lagrange(robot, form="robmat").evaluate(q=q)
    assert list(r.keys()) == ["M", "B", "C", "G"]
    force = r["M"] @ qdd + 2 * r["B"] @ products(qd) + r["C"] @ qd**2 + r["G"]
    assert relative_error(force, Twin.of_robot(robot).rnea(q, qd, qdd)) < 1e-12
    np.testing.assert_allclose(2 * r["B"], lagrange(robot).evaluate(q=q)["coriolis_coefficients"], atol=1e-14)


def test_the_double_pendulum_of_robmat() -> None:
    """Out[5] to Out[8] of the paper, at a random state."""
    robot = robosym.load("double-pendulum")
    L1, L2, m1, m2, g = (robot.values[name].number for name in ("L1", "L2", "M1", "M2", "G1"))
    q1, q2 = 0.7, -1.3
    r = lagrange(robot, form="robmat").evaluate(q=[q1, q2])
    off = L2 * (np.cos(q2) * L1 + L2) * m2
    M = [[L1**2 * m1 + L1**2 * m2 + 2 * np.cos(q2) * L1 * L2 * m2 + L2**2 * m2, off], [off, L2**2 * m2]]
    x = L1 * L2 * m2 * np.sin(q2)
    lower = g * L2 * m2 * np.sin(q1 + q2)
    G = [g * (L1 * m1 * np.sin(q1) + L1 * m2 * np.sin(q1)) + lower, lower]
    for name, expected in {"M": M, "B": [[-x], [0]], "C": [[0, -x], [x, 0]], "G": G}.items():
        np.testing.assert_allclose(r[name], expected, atol=1e-14, err_msg=name)


# --- refused ---------------------------------------------------------------------------------------------------------


def test_a_moving_base_is_refused() -> None:
    moving = Robot.from_table("moving", [{"ZZ": 1}], base={"angular_velocity": [0, 0, 1]})
    with pytest.raises(RobotError, match="base: moves"):
        lagrange(moving)


def test_unknown_options_are_named() -> None:
    robot = robosym.load("planar-2r")
    with pytest.raises(RobosymError, match="method: got 'symbolic', expected 'auto', 'recursive' or 'differentiate'"):
        lagrange(robot, method="symbolic")  # type: ignore[arg-type]
    with pytest.raises(RobosymError, match="form: got 'matlab', expected 'symoro' or 'robmat'"):
        lagrange(robot, form="matlab")  # type: ignore[arg-type]


# --- counts ----------------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(
    ("name", "most"),
    [("puma560", 662), ("puma560-symmetric", 426), ("rx90", 567), ("rx90-symmetric", 362)],  # published: 1115, 742
)
def test_counts_do_not_grow(name: str, most: int) -> None:
    operations = lagrange(robosym.load(name), parameters="base").operations
    assert operations.total <= most
    assert operations.strict <= most + 6


def test_joints_of_several_axes() -> None:
    """Those without a quaternion; with one there are no Christoffel symbols, and an error names the joint."""
    rows = [
        {"sigma": "universal", "variable": "wrist", **LINK},
        {"sigma": "screw", "variable": "lift", "pitch": 0.3, "alpha": 0.5, "d": 0.2, **LINK},
        {"sigma": "planar", "variable": "table", "alpha": 1.0, **LINK},
    ]
    robot = Robot.from_table("several", rows, gravity=[0, 0, -9.81])
    q, qd = start(robot)
    qdd = np.linspace(1, -1, robot.nv)
    found = robosym.models.lagrange(robot).evaluate(q=q)
    A, products, squares, Q = found
    pairs = [qd[i] * qd[k] for i in range(robot.nv) for k in range(i + 1, robot.nv)]
    tau = A @ qdd + products @ pairs + squares @ qd**2 + Q
    expected = robosym.models.inverse_dynamics(robot, wrench="none").evaluate(q=q, qd=qd, qdd=qdd)
    np.testing.assert_allclose(tau, expected, atol=1e-12)
    for function in (robosym.models.lagrange, robosym.models.expanded):
        with pytest.raises(RobotError, match="joints: 'hip' has a quaternion"):
            function(top())
