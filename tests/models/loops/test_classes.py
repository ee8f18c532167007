"""Loops with fewer than five passive joints, one of each class: all have a closed form (SYMORO+ 1997, section 3.4).

A loop moves for any lengths if its joints belong to a group of displacements: about or along one axis, translations, in a plane,
about a point, or with one direction kept (Schoenflies). Beside these there are linkages that move for special lengths only.
"""

from __future__ import annotations

import math
from itertools import permutations, product

import numpy as np
import pytest
from models.loops.brute_force_modes import all_assemblies
from models.loops.closed_reference import Closed
from models.loops.iterated_linkages import screw
from models.loops.screw_rings import Axis, screw_ring
from sweeps import some

from robosym import models
from robosym.robot import Robot, RobotError

Z = (0.0, 0.0, 1.0)


def check(robot: Robot) -> None:
    """In closed form, closed to rounding in every mode, and no other way of assembling it is found."""
    made = models.loop_geometry(robot)
    assert not made.reasons
    reference = Closed(robot)
    order = [made.joint_names.index(robot.frame(j).joint.name) for j in reference.frames]
    q = np.linspace(-0.15, 0.17, 5)[:, None] + np.zeros(robot.nv)
    ways = np.zeros(len(q), int)
    for mode in made.modes:
        found = models.loop_geometry(robot, mode=mode).compile()(q=q)
        there = found["assembled"] == 1
        assert there.any()
        assert reference.residuals(found["positions"][there][:, order]).max() < 1e-13
        ways += there
    assert ways[1] == len(all_assemblies(reference, q[1], starts=30))
    kinematics = models.loop_kinematics(robot)
    assert len(kinematics.passive_names) + robot.nv == len(reference.frames) - 1


def anywhere(draw: np.random.Generator, height: float = 0.0) -> np.ndarray:
    return np.array([*draw.uniform(-0.5, 0.5, 2), draw.uniform(-1, 1) * height])


def in_the_plane(draw: np.random.Generator) -> list[float]:
    angle = draw.uniform(0, math.pi)
    return [math.cos(angle), math.sin(angle), 0.0]


@pytest.mark.parametrize("kinds", ["RR", "RPR", "PP"])
def test_about_and_along_one_axis(kinds: str) -> None:
    check(screw_ring("axis", [(kind, Z, (0, 0, 0.1 * k)) for k, kind in enumerate(kinds)]))


@pytest.mark.parametrize("count", [3, 4])
def test_translations(count: int) -> None:
    """In a plane and in space."""
    draw = np.random.default_rng(count)
    direct = in_the_plane if count == 3 else lambda draw: draw.normal(size=3)
    check(screw_ring("translations", [("P", direct(draw), anywhere(draw)) for _ in range(count)]))


PLANAR = ["".join(kinds) for kinds in product("RP", repeat=4) if kinds.count("R") > 1]


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("kinds", some(PLANAR, 2))
def test_in_a_plane(kinds: str) -> None:
    draw = np.random.default_rng(4)
    axes: list[Axis] = [("R", Z, anywhere(draw)) if k == "R" else ("P", in_the_plane(draw), (0, 0, 0)) for k in kinds]
    check(screw_ring(f"planar-{kinds}", axes))


def test_about_a_point() -> None:
    draw = np.random.default_rng(2)
    check(screw_ring("spherical", [("R", draw.normal(size=3), (0, 0, 0)) for _ in range(4)]))


SCHOENFLIES = sorted({"".join(kinds) for kinds in (*permutations("RRRPP"), *permutations("RRPPP"))})


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("kinds", some(SCHOENFLIES, every=5))
def test_with_one_direction_kept(kinds: str) -> None:
    """Four passive joints."""
    draw = np.random.default_rng(7)
    axes: list[Axis] = [
        ("R", Z, anywhere(draw, 0.2)) if k == "R" else ("P", draw.normal(size=3), (0, 0, 0)) for k in kinds
    ]
    check(screw_ring(f"schoenflies-{kinds}", axes))


# --- for special lengths ---------------------------------------------------------------------------------------------


def bennett_angles(alpha: float, beta: float, first: float) -> tuple[float, float, float, float]:
    """Of a loop with links of twists alpha, beta, alpha, beta, whose lengths go with the sines of these."""
    ratio = math.sin((beta + alpha) / 2) / math.sin((beta - alpha) / 2)
    second = 2 * math.atan(ratio / math.tan(first / 2))
    return first, second, -first, -second


def goldberg(longer: float = 1.0) -> list[Axis]:
    """Two Bennett loops A B C D and B C E F: their common link taken out, A, B and F welded to one. Five revolute axes."""
    alpha, beta, gamma = 0.7, 1.3, 0.5
    link = {twist: screw(twist, 0.4 * math.sin(twist), 0) for twist in (alpha, beta, gamma)}
    one = [screw(x, 0, 2) for x in bennett_angles(alpha, beta, 1.1)]
    two = [screw(x, 0, 2) for x in bennett_angles(beta, gamma, 0.8)]
    A = np.eye(4)
    B = A @ one[0] @ link[alpha] @ one[1]
    C = B @ link[beta]
    D = C @ one[2] @ link[alpha]
    E = C @ two[1] @ link[gamma]
    F = E @ two[2] @ link[beta]
    return [("R", T[:3, 2], longer * T[:3, 3] if T is E else T[:3, 3]) for T in (A, F, E, C, D)]


@pytest.mark.slow
def test_goldbergs_linkage() -> None:
    """Mobility 1 with four passive joints, where Gruebler says -1. With one axis elsewhere it is a structure."""
    check(screw_ring("goldberg", goldberg()))
    with pytest.raises(RobotError, match="the loops leave 0 degrees of freedom"):
        models.loop_geometry(screw_ring("not-goldberg", goldberg(1.05)))
