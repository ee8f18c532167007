"""The solver as a person uses it, against forward geometry."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from models.inverse_geometry.robots import generic_arm
from models.inverse_geometry.solver.solvers import has, pose_of, solver_of
from sweeps import some

import robosym
from robosym import RobosymError
from robosym.models import inverse_geometric, transform
from robosym.robot import Robot, RobotError


def random_positions(name: str, count: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).uniform(-2.5, 2.5, (count, robosym.load(name).nq))


# --- solutions -------------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(
    ("name", "count"),
    some(
        [("planar-2r", 2), ("planar-3r", 2), ("scara", 2), ("puma560", 8), ("stanford", 8), ("rx90", 8), ("ur5", None)],
        2,
    ),
)
def test_every_solution_makes_the_pose_and_the_one_it_came_from_is_there(name: str, count: int | None) -> None:
    solver, Q = solver_of(name), random_positions(name, 20)
    columns = slice(3, 4) if solver.task == "position" else slice(0, 4)
    poses = pose_of(name, Q)
    for q, T in zip(Q, poses, strict=True):
        found = solver(T)
        assert found.status == "reachable"
        assert found.distance == 0
        assert count is None or len(found) == count
        assert has(found.solutions, q)
        assert np.abs(pose_of(name, found.solutions) - T)[:, :, columns].max() < 1e-10
        assert np.abs(found.solutions).max() <= max(math.pi, 2.5) + 1e-12


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["puma560", "ur5", "planar-2r", "stanford"])
def test_a_batch_says_the_same_as_one_pose_after_the_other(name: str) -> None:
    solver = solver_of(name)
    poses = pose_of(name, random_positions(name, 50, seed=4))
    poses[::7, :3, 3] *= 1.3  # some with fewer solutions, some out of reach
    many = solver.batch(poses)
    assert many.solutions.shape == (50, solver.most, len(solver.joint_names))
    for i, T in enumerate(poses):
        one = solver(T)
        assert many.counts[i] == len(one)
        assert many.status[i] == (1 if len(one) else 0)
        assert np.allclose(many.of(i), one.solutions, rtol=0, atol=1e-9)
        assert not many.solutions[i, len(one) :].any()
    if name != "stanford":
        assert set(many.counts) >= {0, solver.most}


def test_a_batch_of_no_pose_is_empty() -> None:
    found = solver_of("puma560").batch(np.zeros((0, 4, 4)))
    assert len(found) == 0
    assert found.solutions.shape == (0, 8, 6)


def test_the_nearest_solution_comes_first_and_within_half_a_turn() -> None:
    solver, q = solver_of("puma560"), np.array([0.4, -0.5, 0.6, 0.7, -0.8, 0.9])
    T = pose_of("puma560", q)
    assert np.allclose(solver(T, seed=q + 0.05).solutions[0], q)
    far = [np.linalg.norm((x - q + math.pi) % (2 * math.pi) - math.pi) for x in solver(T, seed=q).solutions]
    assert far == sorted(far)
    turned = q + np.array([0, 0, 0, 2 * math.pi, 0, -2 * math.pi])
    assert np.allclose(solver.nearest(T, turned), turned)
    T[:3, 3] *= 10
    assert solver.nearest(T, q) is None


def test_a_place_is_enough_where_the_position_is_the_task() -> None:
    found = solver_of("planar-2r")([0.5, 0.3, 0.0])
    assert np.allclose(pose_of("planar-2r", found.solutions)[:, :3, 3], [0.5, 0.3, 0.0])
    assert len(solver_of("planar-2r").batch([[0.5, 0.3, 0.0], [2, 0, 0]]).of(0)) == 2
    with pytest.raises(RobosymError, match=r"shape \(3,\), expected \(4, 4\)"):
        solver_of("puma560")([0.5, 0.3, 0.0])


def test_parameters_may_differ_at_each_call() -> None:
    solver = solver_of("planar-2r")
    found = solver([0.9, 0.0, 0.0], parameters={"L1": 1.0, "L2": 1.0})
    assert np.allclose(np.abs(found.solutions), [[math.acos(0.45), 2 * math.acos(0.45)]] * 2)
    assert solver([2.5, 0, 0], parameters={"L1": 1.0, "L2": 1.0}).distance == pytest.approx(0.5)
    assert solver([0.5, 0, 0], parameters={"M1": 3.0}).status == "reachable"  # of no use here, but the robot's
    with pytest.raises(RobosymError, match="no parameter 'L9'"):
        solver([0.9, 0.0, 0.0], parameters={"L9": 1.0})


# --- singular, at the edge -------------------------------------------------------------------------------------------


def test_at_a_singular_pose_the_free_joint_is_named() -> None:
    solver, q = solver_of("puma560"), np.array([0.4, -0.5, 0.6, 0.7, 0.0, 0.9])
    T = pose_of("puma560", q)
    found = solver(T)
    assert (found.status, found.free) == ("singular", ("wrist_roll",))
    assert "wrist_roll may have any value" in found.message
    assert np.abs(pose_of("puma560", found.solutions) - T).max() < 1e-10
    assert (np.abs(found.solutions[:, 3]) < 1e-12).any()  # zero unless a seed says otherwise
    assert np.allclose(solver(T, seed=q).solutions[0], q)
    many = solver.batch([T, T])
    assert many.status.tolist() == [2, 2]
    assert many.free is not None
    assert many.free[:, :, 3].any()
    assert not many.free[:, :, :3].any()


def test_a_joint_whose_equation_fails_is_not_free() -> None:
    """The extension of the Stanford arm at a level shoulder: C2 r3 = Pz says nothing, others do."""
    q = [0.3, math.pi / 2, 0.5, 0.4, 0.5, 0.6]
    T = pose_of("stanford", q)
    solver = solver_of("stanford")
    found = solver(T)
    assert found.status == "reachable"
    assert has(found.solutions, q)
    assert np.abs(pose_of("stanford", found.solutions) - T).max() < 1e-10
    many = solver.batch([T])
    assert has(many.of(0), q)
    assert np.abs(pose_of("stanford", many.of(0)) - T).max() < 1e-10


def test_where_the_waist_is_free_it_goes_where_the_seed_has_it() -> None:
    """RX-90 with the wrist's centre on the first axis."""
    q = np.array([0.4, 0.3, 0.0, 0.5, 0.6, 0.7])
    D3, RL4 = (robosym.load("rx90").values[key].number for key in ("D3", "RL4"))
    q[2] = math.asin(D3 * math.cos(q[1]) / RL4) - q[1]
    T = pose_of("rx90", q)
    assert math.hypot(T[0, 3], T[1, 3]) < 1e-12
    found = solver_of("rx90")(T, seed=q)
    assert (found.status, found.free[0]) == ("singular", solver_of("rx90").joint_names[0])
    assert np.allclose(found.solutions[0], q, atol=1e-7)


@pytest.mark.parametrize("place", [(0.9, 0.0, 0.0), (0.0, -0.9, 0.0), (0.06, 0.08, 0.0)])
def test_stretched_and_folded_are_the_edge_and_one_solution(place: tuple[float, float, float]) -> None:
    found = solver_of("planar-2r")(place)
    assert found.status == "reachable"
    assert len(found) == 1
    assert np.allclose(pose_of("planar-2r", found.solutions)[0, :3, 3], place, atol=1e-7)


# --- methods, tools, given joints ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_arm_without_a_closed_form_is_solved_in_general() -> None:
    solver = inverse_geometric(generic_arm())
    assert solver.method == "general"
    assert solver.closed_form is None
    assert "Raghavan" in solver.explain()
    q = np.array([0.3, -0.4, 0.5, 0.6, -0.7, 0.8])
    forward = transform(solver.robot).compile()
    T = forward(q=q)
    found = solver(T, seed=q)
    assert np.allclose(found.solutions[0], q, atol=1e-8)
    assert np.abs(forward(q=found.solutions) - T).max() < 1e-9
    T[:3, 3] = [9.0, 0.0, 0.0]
    far = solver(T)
    assert far.status == "out of reach"
    assert 5 < far.distance < 9


@pytest.mark.slow
def test_a_tool_is_part_of_the_arm() -> None:
    tool = np.array([[0, -1, 0, 0.1], [0, 0, -1, 0.05], [1, 0, 0, 0.2], [0, 0, 0, 1]], dtype=float)
    q = np.array([0.4, -0.5, 0.6, 0.7, -0.8, 0.9])
    T = pose_of("puma560", q)
    puma = robosym.load("puma560")
    assert has(inverse_geometric(puma, tool=tool)(T @ tool).solutions, q)
    moved = np.eye(4)
    moved[:3, 3] = [0.1, 0.0, 0.2]
    assert has(inverse_geometric(puma, tool=[0.1, 0, 0.2])(T @ moved).solutions, q)
    named = inverse_geometric(puma, tool=[0.1, 0, "LT"])
    assert has(named(T @ moved, parameters={"LT": 0.2}).solutions, q)
    with pytest.raises(RobotError, match=r"tool: got .*, expected a pose"):
        inverse_geometric(puma, tool=np.eye(3))


@pytest.mark.slow
def test_a_redundant_arm_takes_a_given_joint() -> None:
    panda = robosym.load("panda")
    with pytest.raises(RobotError, match=r'7 joints move the frame.*given=\["panda_joint7"\]'):
        inverse_geometric(panda)
    with pytest.raises(RobotError, match=r'4 joints move the frame in 3 directions, .*given=\["q4"\]'):
        inverse_geometric(Robot.from_table("planar-4r", [{}, {"d": 1}, {"d": 1}, {"d": 1}]))
    with pytest.raises(RobotError, match="3 joints move the frame in 2 directions, and its position leaves 1 free"):
        inverse_geometric(robosym.load("planar-3r"), task="position")
    solver = inverse_geometric(panda, given=["panda_joint7"])
    assert solver.joint_names == tuple(f"panda_joint{k}" for k in range(1, 7))
    q = np.array([0.1, 0.2, 0.3, -1.4, 0.5, 1.6, 0.7])
    T = pose_of("panda", q)
    found = solver(T, seed=q[:6], given=[0.7])
    assert np.allclose(found.solutions[0], q[:6])
    full = np.column_stack([found.solutions, np.full(len(found), 0.7)])
    assert np.abs(pose_of("panda", full) - T).max() < 1e-10
    assert np.allclose(solver(T, given={"panda_joint7": 0.7}).solutions, solver(T, given=0.7).solutions)
    many = solver.batch([T, T], given=[[0.7], [0.2]])
    assert has(many.of(0), q[:6])
    assert not has(many.of(1), q[:6])
    for wrong, words in ((None, "expected the position of panda_joint7"), ([1, 2], "shape"), ({"a": 1}, "got a")):
        with pytest.raises(RobosymError, match=words):
            solver(T, given=wrong)
    with pytest.raises(RobosymError, match="no given joints"):
        solver_of("puma560")(T, given=[0.3])


# --- bad input -------------------------------------------------------------------------------------------------------


def test_a_seed_has_a_number_for_each_joint() -> None:
    with pytest.raises(RobosymError, match="seed: got shape"):
        solver_of("puma560")(np.eye(4), seed=[1, 2])
    with pytest.raises(RobosymError, match="seed: holds numbers that are not finite"):
        solver_of("puma560")(np.eye(4), seed=[math.nan] * 6)
