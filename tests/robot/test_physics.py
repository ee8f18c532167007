"""What numbers say about a robot: rotations, rigid placements, and bodies that can exist."""

from __future__ import annotations

import numpy as np
import pytest
from parallel_robots import turn
from random_robots import random_inertia

from robosym.robot import INERTIA
from robosym.robot.physics import CENTRAL_TOLERANCE, impossible, link_problems, orthonormal, placement_problems

SEEDS = range(8)


def about_origin(mass: float, centre: np.ndarray, central: np.ndarray) -> list[float]:
    """The ten parameters of a body with this inertia about its centre of mass (Huygens)."""
    J = central + mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    return [J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2], *(mass * centre), mass]


def rotated(moments: tuple[float, float, float], seed: int) -> np.ndarray:
    Q, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return Q @ np.diag(moments) @ Q.T


@pytest.mark.parametrize("seed", SEEDS)
def test_the_nearest_rotation(seed: int) -> None:
    rng = np.random.default_rng(seed)
    exact = (turn(2, rng.uniform(-3, 3)) @ turn(0, rng.uniform(-3, 3)) @ turn(2, rng.uniform(-3, 3)))[:3, :3]
    near = orthonormal(np.round(exact, 7))
    np.testing.assert_allclose(near.T @ near, np.eye(3), rtol=0, atol=1e-15)
    np.testing.assert_allclose(near, exact, rtol=0, atol=1e-7)
    U, _, V = np.linalg.svd(np.round(exact, 7))  # the polar factor
    np.testing.assert_allclose(near, U @ V, rtol=0, atol=1e-14)
    quarter = np.round(turn(0, np.pi / 2) @ turn(2, np.pi / 2))[:3, :3]
    np.testing.assert_array_equal(orthonormal(quarter), quarter)


@pytest.mark.parametrize("seed", SEEDS)
def test_clouds_of_points_are_bodies(seed: int) -> None:
    assert impossible(list(random_inertia(np.random.default_rng(seed)))) == ""


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("moments", "why"),
    [
        ((1.0, 2.0, 2.9), ""),
        ((1.0, 2.0, 3.0), ""),  # flat
        ((1.0, 2.0, 3.0 + 5 * CENTRAL_TOLERANCE), ""),  # within the tolerance, of the trace
        ((1.0, 2.0, 3.1), "exceeds the sum"),
        ((0.0, 2.0, 2.0), ""),
        ((-0.1, 2.0, 2.0), "is negative"),
    ],
)
def test_principal_moments(moments: tuple[float, float, float], why: str, seed: int) -> None:
    centre = np.random.default_rng(seed).uniform(-0.5, 0.5, 3)
    found = impossible(about_origin(2.5, centre, rotated(moments, seed)))
    assert why in found
    assert bool(found) == bool(why)


@pytest.mark.parametrize(
    ("inertial", "why"),
    [
        ([1, 0, 0, 1, 0, 1, 0, 0, 0, -1], "the mass is -1"),
        ([1, 0, 0, 1, 0, 1, 0, 0.5, 0, 0], "first moments [0.0, 0.5, 0.0] without mass"),
        ([1, 0, 0, 1, 0, 1, 0, 0, 0, 0], ""),
        ([1, 0, 0, 1, 0, 2.5, 0, 0, 0, 0], "exceeds"),
        ([1e101, 0, 0, 1, 0, 1, 0, 0, 0, 1], "a parameter of 1e+101"),
        ([1, 0, 0, 1, 0, -1e101, 0, 0, 0, 1], "a parameter of 1e+101"),
        ([1, 0, 0, 1, 0, 1, 1e99, 0, 0, 1e-200], "too far for a mass of 1e-200"),
        ([0, 0, 0, 4, 0, 4, 4, 0, 0, 4], ""),  # 4 kg at x = 1
        ([0, 0, 0, 4, 0, 4, -4, 0, 0, 4], ""),
        ([0, 0, 0, 4, 0, 3.9, 4, 0, 0, 4], "is negative"),
        ([4, -4, 0, 4, 0, 8, 4, 4, 0, 4], ""),  # 4 kg at x = y = 1
        ([4, 4, 0, 4, 0, 8, 4, 4, 0, 4], "is negative"),  # the products have the other sign
    ],
)
def test_what_no_body_has(inertial: list[float], why: str) -> None:
    found = impossible([float(x) for x in inertial])
    assert why in found
    assert bool(found) == bool(why)


# --- placements ----------------------------------------------------------------------------------------------------------


def located(Z: np.ndarray) -> dict[str, float]:
    return {f"base, location {i}": float(z) for i, z in enumerate(Z.ravel(), 1)}


def test_rigid_placements() -> None:
    Z = turn(2, 0.4) @ turn(0, -1.1)
    Z[:3, 3] = 1.0, -200.0, 3.0
    assert list(placement_problems(located(Z))) == []
    assert list(placement_problems(located(np.round(Z, 7)))) == []
    less = located(2 * Z)
    del less["base, location 7"]  # a symbol: nothing is known
    assert list(placement_problems(less)) == []


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        ((0, 0), 1.001, "not a rotation"),
        ((1, 2), 3.0, "not a rotation"),
        ((0, 1), 1e-5, "not a rotation"),
        ((3, 3), 2.0, "last row"),
        ((3, 0), 1e-5, "last row"),
    ],
)
def test_placements_that_are_not_rigid(place: tuple[int, int], value: float, said: str) -> None:
    Z = np.eye(4)
    Z[place] = value
    (problem,) = placement_problems(located(Z))
    assert said in problem.message
    mirrored = np.diag([1.0, 1.0, -1.0, 1.0])
    assert "not a rotation" in next(placement_problems(located(mirrored))).message


# --- links ---------------------------------------------------------------------------------------------------------------


def body(name: str, **inertial: float) -> dict[str, float]:
    return {f"{name}, {key}": inertial.get(key, 0.0) for key in INERTIA}


def test_links_of_space_and_of_a_plane() -> None:
    """ZZ, MX and M alone are a body where all axes are parallel, and none in space."""
    link = body("frame 2", ZZ=1.0, MX=1.0, M=2.0)
    flat = {"frame 1, alpha": 0.0, "frame 2, alpha": 0.0}
    assert list(link_problems(flat | link, 2)) == []
    for bent in ({"frame 1, alpha": 1.0, "frame 2, alpha": 0.0}, {"frame 1, alpha": 0.0}):
        (problem,) = link_problems(bent | link, 2)
        assert (problem.where, problem.is_warning) == ("frame 2, inertia", True)
    assert len(list(link_problems(flat | body("frame 2", ZZ=1.0, YY=0.1, M=2.0), 2))) == 1  # not flat: as in space


@pytest.mark.parametrize(
    ("inertial", "why"),
    [
        ({"ZZ": 0.5, "MX": 1.0, "M": 2.0}, ""),  # ZZ = MX^2 / M: a point
        ({"ZZ": 0.49, "MX": 1.0, "M": 2.0}, "the moment -0.01 about"),
        ({"ZZ": 0.5, "MX": 0.8, "MY": 0.6, "M": 2.0}, ""),
        ({"ZZ": 0.5, "MX": 0.8, "MY": 0.7, "M": 2.0}, "is negative"),
        ({"ZZ": 1.0, "M": -2.0}, "the mass is -2"),
        ({"ZZ": 1.0, "MY": 1.0}, "first moments [0.0, 1.0] without mass"),
        ({"ZZ": -1.0}, "the moment -1 about"),
        ({"ZZ": 1.0}, ""),
    ],
)
def test_bodies_in_a_plane(inertial: dict[str, float], why: str) -> None:
    found = [problem.message for problem in link_problems({"frame 1, alpha": 0.0} | body("frame 1", **inertial), 1)]
    assert len(found) == bool(why)
    assert why in "".join(found)


def test_bodies_that_are_not_known_or_not_there() -> None:
    known = body("base", ZZ=-1.0)
    assert len(list(link_problems(known, 0))) == 1
    del known["base, XX"]
    assert list(link_problems(known, 0)) == []
    assert list(link_problems(body("frame 1"), 1)) == []
