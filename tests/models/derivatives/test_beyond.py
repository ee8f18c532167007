"""Sums over what a joint carries, against sums over point masses and poses differentiated in time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.derivatives.moving_frames import foot_frame, random_tree
from models.derivatives.point_masses import Masses, columns, flat, matrix_of, random_masses
from models.reference import dh_matrix, frame_poses, numbers
from models.small_matrices import pseudo_inertia, skew
from sweeps import many

from robosym.expr import variable
from robosym.models.derivatives.beyond import Beyond, systems
from robosym.models.derivatives.carriers import places
from robosym.program import Scope
from robosym.robot import FIXED, PRISMATIC, Robot
from robosym.spatial.inertia import Inertia
from robosym.spatial.rotations import Turn

ROTATION = (Turn("z", 0.4), Turn("x", -1.1), Turn("z", 2.3))


def same(found: object, expected: object, tolerance: float = 1e-12) -> None:
    np.testing.assert_allclose(flat(found), flat(expected), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("rotation", [(), ROTATION[:1], ROTATION[1:2], ROTATION], ids=len)
def test_turned_and_about(rotation: tuple[Turn, ...]) -> None:
    masses = random_masses(np.random.default_rng(1))
    same(masses.sums.turned(rotation), masses.mapped(matrix_of(rotation)).sums)
    p = np.array([0.3, -0.7, 1.1])
    same(masses.sums.about(tuple(p)), replace(masses, r=masses.r + p).sums)
    assert masses.sums.about((0, 0, 0)) == masses.sums


def test_sums_add_up() -> None:
    one, two = (random_masses(np.random.default_rng(k)) for k in range(2))
    both = Masses(*(np.concatenate([getattr(x, n) for x in (one, two)]) for n in ("m", "r", "rho", "sigma")))
    same(one.sums + two.sums, both.sums)
    G = np.array(both.sums.gamma).T
    same([both.sums.trace, both.sums.axial_trace], [np.trace(G), G[0, 0] + G[1, 1]])


def test_every_entry_has_a_name_of_its_own() -> None:
    entries = iter([variable(f"x{k}") + 1 for k in range(28)])

    def some(count: int) -> tuple[object, ...]:
        return tuple(next(entries) for _ in range(count))

    gamma = (some(3), some(3), some(3))
    whole = Beyond(Inertia(some(6), some(3), some(1)[0]), gamma, some(3), some(3), some(3))  # type: ignore[arg-type]
    scope = Scope()
    whole.named("S", 2, scope)
    assert len(set(scope.names.values())) == 28
    sums = random_masses(np.random.default_rng(4)).sums
    assert sums.named("S", 2, Scope()) == sums


# --- whole trees: poses with their first and second derivatives in time, the carrier at rest -----------------------------

Moved = tuple[np.ndarray, np.ndarray, np.ndarray]


def product(a: Moved, b: Moved) -> Moved:
    """A B, d(A B)/dt and d2(A B)/dt2."""
    return a[0] @ b[0], a[1] @ b[0] + a[0] @ b[1], a[2] @ b[0] + 2 * a[1] @ b[1] + a[0] @ b[2]


def local(robot: Robot, k: int, state: dict[str, np.ndarray]) -> Moved:
    frame = robot.frame(k)
    T, S, still = dh_matrix(*numbers(robot, robot.geometry(k), state["q"])), np.zeros((4, 4)), np.zeros((4, 4))
    if frame.sigma == FIXED:
        return T, still, still
    qd, qdd = (state[name][robot.moving.index(k)] for name in ("qd", "qdd"))
    if frame.sigma == PRISMATIC:
        S[2, 3] = 1
    else:
        S[:3, :3] = skew(np.array([0, 0, 1]))
    return T, qd * T @ S, T @ (qdd * S + qd**2 * S @ S)


def summed(robot: Robot, state: dict[str, np.ndarray], start: int, C: np.ndarray, loads: np.ndarray) -> Beyond:
    """All that frame ``start`` carries, itself included, in the axes C of its carrier; a wrench acts from every moving link."""
    still = np.zeros((4, 4))
    poses: dict[int, Moved] = {}
    P, first, second = (np.zeros((4, 4)) for _ in range(3))
    F, N = np.zeros(3), np.zeros(3)
    if not start:
        P = P + pseudo_inertia(numbers(robot, robot.base.link.inertial))
        poses[0] = (np.eye(4), still, still)
    for k in robot.order:
        i = robot.frame(k).antecedent
        if k == start:
            poses[k] = product((C, still, still), local(robot, k, state))
        elif i in poses:
            poses[k] = product(poses[i], local(robot, k, state))
        else:
            continue
        own = pseudo_inertia(numbers(robot, robot.frame(k).link.inertial))
        T, Td, Tdd = poses[k]
        P, first, second = P + T @ own @ T.T, first + Td @ own @ T.T, second + Tdd @ own @ T.T
        if robot.frame(k).sigma != FIXED:
            f, n = T[:3, :3] @ loads[k][:3], T[:3, :3] @ loads[k][3:]
            F, N = F + f, N + n + np.cross(T[:3, 3], f)
    moment = np.array([second[2, 1] - second[1, 2], second[0, 2] - second[2, 0], second[1, 0] - second[0, 1]])
    six = (P[0, 0], P[0, 1], P[0, 2], P[1, 1], P[1, 2], P[2, 2])
    inertia = Inertia(six, tuple(P[:3, 3]), P[3, 3])
    return Beyond(
        inertia, columns(2 * first[:3, :3]), tuple(2 * first[:3, 3]), tuple(second[:3, 3] + F), tuple(moment + N)
    )


@pytest.mark.parametrize("seed", range(many(6)))
def test_all_that_the_joints_of_a_tree_carry(seed: int) -> None:
    """Parallel axes are kept unturned, fixed links are lumped, prismatic joints slide."""
    robot, numeric, state = random_tree(seed)
    loads = np.random.default_rng(seed).normal(size=(robot.n_links + 1, 6))
    loaded = tuple(replace(b, force=tuple(loads[b.j][:3]), moment=tuple(loads[b.j][3:])) for b in numeric.bodies)
    numeric = replace(numeric, bodies=loaded)
    found, whole = systems(numeric, places(numeric), Scope())
    poses = frame_poses(robot, state["q"])
    for body in numeric.bodies:
        C = np.linalg.inv(foot_frame(robot, numeric, body, state["q"])) @ poses[robot.frame(body.j).antecedent]
        same(found[body.j], summed(robot, state, body.j, C, loads), 1e-10)
    same(whole, summed(robot, state, 0, np.eye(4), loads), 1e-10)
