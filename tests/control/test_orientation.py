"""The rotation vector of an error and its rates: beside SciPy, at special angles and axes, and by differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from robosym.control.orientation import RotationError
from robosym.program.of_arrays import program_of

ANGLES = (0.0, 1e-200, 1e-12, 1e-5, 0.1, 0.4999999, 0.5000001, 1.0, np.pi / 2, 2.0, 3.0, np.pi - 1e-7, np.pi - 1e-12)
AXES = [(1, 0, 0), (0, -1, 0), (0, 0, 1), (1, 1, 0), (1, -1, 0), (0, 1, -1), (-1, 1, 1), (1e-9, 1, 0), (0.3, -0.5, 0.8)]


def everything(R: Any, R_d: Any, x: Any) -> dict[str, Any]:
    error = RotationError(R, R_d)
    made = {name: getattr(error, name)(x) for name in ("rate", "moment", "speed", "force", "drift")}
    return {"vector": error.vector, **made}


PROGRAM = program_of("error", {"R": (3, 3), "R_d": (3, 3), "x": (3,)}, everything)


def right_jacobian(phi: np.ndarray) -> np.ndarray:
    """By its series, from the bracket alone."""
    x, y, z = phi
    hat = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    total, term = np.eye(3), np.eye(3)
    for k in range(2, 60):
        term = -term @ hat / k
        total = total + term
    return total


def pairs(angle: float, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    for axis in AXES:
        unit = np.array(axis) / np.linalg.norm(axis)
        R = Rotation.random(random_state=rng).as_matrix()
        yield angle * unit, R, Rotation.from_rotvec(angle * unit).as_matrix() @ R, rng.normal(size=3)


@pytest.mark.parametrize("angle", ANGLES)
def test_the_vector_is_the_one_of_the_rotation(angle: float) -> None:
    for phi, R, R_d, x in pairs(angle):
        assert PROGRAM.call(R=R, R_d=R_d, x=x)["vector"] == pytest.approx(phi, abs=3e-15)


def test_half_a_turn_is_a_shortest_way() -> None:
    """Both signs are; which one it is must not mix the components of the axis."""
    for phi, R, R_d, x in pairs(np.pi):
        found = PROGRAM.call(R=R, R_d=R_d, x=x)["vector"]
        assert min(np.abs(found - phi).max(), np.abs(found + phi).max()) < 3e-15


@pytest.mark.parametrize("noise", [1e-16, 1e-14, 1e-10])
def test_noise_in_a_matrix_is_noise_in_the_vector(noise: float) -> None:
    rng = np.random.default_rng(4)
    for angle in (0.0, 1e-8, 1.0, 3.0):
        for phi, R, R_d, x in pairs(angle):
            found = PROGRAM.call(R=R + noise * rng.normal(size=(3, 3)), R_d=R_d, x=x)["vector"]
            assert found == pytest.approx(phi, abs=40 * noise + 3e-15)


@pytest.mark.parametrize("angle", ANGLES)
def test_rates_and_moments_are_those_of_the_right_jacobian(angle: float) -> None:
    for phi, R, R_d, x in pairs(angle):
        found, Jr = PROGRAM.call(R=R, R_d=R_d, x=x), right_jacobian(phi)
        expected = {
            "rate": np.linalg.solve(Jr, x),
            "moment": np.linalg.solve(Jr.T, x),
            "speed": Jr @ x,
            "force": Jr.T @ x,
        }
        for name, value in expected.items():
            assert found[name] == pytest.approx(value, abs=1e-13), name
        h = 1e-3  # differences of the fourth order
        J = [right_jacobian(phi + k * h * x) for k in (-2, -1, 1, 2)]
        rate = (J[0] - 8 * J[1] + 8 * J[2] - J[3]) / (12 * h)
        assert found["drift"] == pytest.approx(rate @ x, abs=1e-10)


def test_what_is_no_number_stays_none() -> None:
    R = np.eye(3)
    R[1, 2] = np.nan
    assert np.isnan(PROGRAM.call(R=R, R_d=np.eye(3), x=np.ones(3))["vector"]).all()
