"""The solver as a person uses it, against forward geometry."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from sweeps import some

import robosym
from robosym import RobosymError
from robosym.models import inverse_geometric, transform
from robosym.models.inverse_geometry import InverseGeometric
from robosym.models.inverse_geometry.closed_form.plan import NoClosedFormError
from robosym.robot import Robot, RobotError

GENERIC = [
    {"r": 0.3},
    {"alpha": 0.9, "d": 0.4, "r": 0.2},
    {"alpha": -1.1, "d": 0.5, "r": -0.3},
    {"alpha": 0.7, "d": 0.3, "r": 0.4},
    {"alpha": -0.8, "d": 0.2, "r": 0.3},
    {"alpha": 1.2, "d": 0.35, "r": 0.1},
]

_solvers: dict[str, InverseGeometric] = {}


def solver_of(name: str) -> InverseGeometric:
    if name not in _solvers:
        _solvers[name] = inverse_geometric(robosym.load(name))
    return _solvers[name]


def pose_of(name: str, q: Any) -> Any:
    return transform(robosym.load(name)).compile()(q=np.asarray(q, dtype=float))


def random_positions(name: str, count: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).uniform(-2.5, 2.5, (count, robosym.load(name).nq))


def has(solutions: Any, q: Any, within: float = 1e-8) -> bool:
    apart = (np.asarray(solutions) - q + math.pi) % (2 * math.pi) - math.pi
    return bool((np.abs(apart).max(axis=1) < within).any())


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


# --- singular, at the edge, out of reach -----------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("place", "distance"),
    [((1.5, 0, 0), 0.6), ((0, -2.0, 0), 1.1), ((0.03, 0.04, 0), 0.05), ((0, 0, 0), 0.1), ((0.5, 0.3, 0.2), 0.2)],
)
def test_out_of_reach_by_how_much(place: tuple[float, float, float], distance: float) -> None:
    found = solver_of("planar-2r")(place)
    assert found.status == "out of reach"
    assert found.solutions.shape == (0, 2)
    assert not found
    assert found.distance == pytest.approx(distance, abs=1e-6)
    assert f"{distance:.3g}" in found.message


def test_out_of_reach_of_a_wrist_the_orientation_is_held() -> None:
    """RX-90: the wrist's centre is the frame's origin, reached within D3 + RL4."""
    D3, RL4 = (robosym.load("rx90").values[key].number for key in ("D3", "RL4"))
    T = pose_of("rx90", [0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    T[:3, 3] = [2.0, 1.0, 2.0]
    found = solver_of("rx90")(T)
    assert found.distance == pytest.approx(3 - D3 - RL4, abs=1e-5)
    assert found.angle == 0


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("unit", some([1e-6, 1.0, 1e6], 2))
def test_out_of_reach_in_any_unit(unit: float) -> None:
    """The axis of the slide stays away from the waist; in general the distance is found from random positions."""
    rows: list[dict[str, Any]] = [
        {"r": 0.4 * unit},
        {"alpha": -math.pi / 2, "r": 0.15 * unit},
        {"alpha": math.pi / 2, "sigma": "prismatic"},
        {},
        {"alpha": -math.pi / 2},
        {"alpha": math.pi / 2, "r": 0.1 * unit},
    ]
    robot = Robot.from_table("slide", rows)
    T = transform(robot).compile()(q=[0.3, 0.5, 0.4 * unit, 0.2, 0.7, -0.4])
    T[:3, 3] = [0.05 * unit, 0.02 * unit, 0.4 * unit]
    for method in ("auto", "general"):
        found = inverse_geometric(robot, method=method)(T)
        assert found.status == "out of reach"
        assert found.distance == pytest.approx(0.1107 * unit, rel=0.03)


def test_an_orientation_no_joint_makes_is_out_of_reach() -> None:
    T = pose_of("scara", [0.3, 0.4, 0.5, 0.1])
    c, s = math.cos(0.2), math.sin(0.2)
    tilted = T @ np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1]])
    found = solver_of("scara")(tilted)
    assert found.status == "out of reach"
    assert found.angle == pytest.approx(0.2, abs=1e-6)
    assert "degrees" in found.message


# --- limits and copies -----------------------------------------------------------------------------------------------


def limited(lower: float, upper: float) -> Robot:
    limits = {"lower": lower, "upper": upper}
    rows = [{"limits": limits}, {"d": 1.0, "limits": limits}, {"d": 0.8, "sigma": "fixed"}]
    return Robot.from_table("limited", rows)


def test_limits_keep_what_is_within_them() -> None:
    solver = inverse_geometric(limited(-0.1, 3.0))
    T = [1.2, 0.9, 0.0]
    assert len(solver(T)) == 2
    kept = solver(T, limits=True)
    assert kept.status == "reachable"
    assert len(kept) == 1
    assert (kept.solutions >= -0.1).all()
    none = solver([-0.5, -1.0, 0.0], limits=True)
    assert (none.status, len(none)) == ("outside limits", 0)
    assert "limits" in none.message


def test_a_copy_within_limits_stands_for_a_solution_outside() -> None:
    q = np.array([4.0, 5.0])
    solver = inverse_geometric(limited(3.5, 6.0))
    T = transform(solver.robot).compile()(q=q)
    assert has(solver(T).solutions, q)
    assert np.allclose(solver(T, limits=True).solutions, [q])
    assert np.allclose(solver.nearest(T, [0, 0], limits=True), q)


def test_copies_are_all_that_limits_allow() -> None:
    solver = inverse_geometric(limited(-2 * math.pi, 2 * math.pi))
    T = [1.2, 0.9, 0.0]
    found = solver(T, copies=True, limits=True)
    assert len(found) == 2 * 2 * 2
    assert len(np.unique(found.solutions.round(9), axis=0)) == 8
    assert np.allclose(transform(solver.robot).compile()(q=found.solutions)[:, :3, 3], T)
    near = solver(T, seed=[6.0, -6.0], copies=True).solutions
    far = np.linalg.norm(near - [6.0, -6.0], axis=1)
    assert far.tolist() == sorted(far)
    assert len(inverse_geometric(limited(0.0, 0.1))(T, copies=True)) == 2  # themselves, though outside
    assert len(solver_of("planar-2r")([0.5, 0.3, 0], copies=True)) == 2  # no limits, no copies


# --- methods, tools, given joints ------------------------------------------------------------------------------------


def test_pieper_says_which_three_joints() -> None:
    solver = inverse_geometric(robosym.load("rx90"), method="pieper")
    assert solver.method == "pieper"
    assert "meet in a point" in solver.explain()
    assert any("parallel" in one.text(solver_of("ur5").chain) for one in solver_of("ur5").features)
    gantry = Robot.from_table(
        "gantry", [{"sigma": "prismatic"}, *[{"sigma": "prismatic", "alpha": "pi/2", "theta": "pi/2"}] * 2]
    )
    assert [one.kind for one in inverse_geometric(gantry, method="pieper").features] == ["prismatic"]


def test_what_is_not_there_is_refused() -> None:
    generic = Robot.from_table("generic", GENERIC)
    with pytest.raises(NoClosedFormError, match="three revolute axes one after the other"):
        inverse_geometric(generic, method="pieper")
    with pytest.raises(NoClosedFormError, match="no equation gives"):
        inverse_geometric(generic, method="paul")
    with pytest.raises(NoClosedFormError, match="general method is for six joints, and 5 move the frame"):
        inverse_geometric(Robot.from_table("five", GENERIC[:5]))
    with pytest.raises(RobotError, match="'auto', 'pieper', 'paul', 'general'"):
        inverse_geometric(generic, method="newton")
    with pytest.raises(RobotError, match="'auto', 'pose' or 'position'"):
        inverse_geometric(generic, task="orientation")
    with pytest.raises(RobotError, match="load it first"):
        inverse_geometric("puma560")  # type: ignore[arg-type]


@pytest.mark.slow
def test_an_arm_without_a_closed_form_is_solved_in_general() -> None:
    solver = inverse_geometric(Robot.from_table("generic", GENERIC))
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


@pytest.mark.parametrize(
    ("T", "words"),
    [
        (np.eye(3), r"shape \(.*3, 3\), expected \(.*4, 4\)"),
        ([["a"] * 4] * 4, "expected real numbers"),
        (np.diag([1, 1, np.nan, 1]), "not finite"),
        (np.array([[1, 0, 0, np.inf], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]), "not finite"),
        (np.diag([1, 1, -1, 1.0]), "reflection"),
        (np.diag([1, 1, 1.001, 1]), "not orthonormal: R\\^T R misses the identity by 0.002"),
        (np.diag([1, 1, 1, 2.0]), "last row"),
    ],
)
def test_what_is_no_pose_is_named(T: Any, words: str) -> None:
    solver = solver_of("puma560")
    with pytest.raises(RobosymError, match=words):
        solver(T)
    with pytest.raises(RobosymError, match=words):
        solver.batch([T, T])


def test_a_batch_names_the_pose_that_is_wrong() -> None:
    poses = np.tile(np.eye(4), (5, 1, 1))
    poses[3, 0, 0] = 1.1
    with pytest.raises(RobosymError, match=r"T\[3\]: its rotation"):
        solver_of("puma560").batch(poses)


def test_a_rough_rotation_is_repaired_if_asked() -> None:
    solver, q = solver_of("puma560"), np.array([0.4, -0.5, 0.6, 0.7, -0.8, 0.9])
    T = pose_of("puma560", q)
    rough = T.copy()
    rough[:3, :3] *= 1.01
    with pytest.raises(RobosymError, match="normalise=True"):
        solver(rough)
    assert has(solver(rough, normalise=True).solutions, q)
    assert has(solver.batch([rough], normalise=True).of(0), q)
    with pytest.raises(RobosymError, match="reflection"):
        solver(np.diag([1, 1, -1, 1.0]), normalise=True)


@pytest.mark.parametrize("seed", range(6))
def test_a_matrix_that_is_no_pose_is_not_repaired(seed: int) -> None:
    not_repaired(seed)


def not_repaired(seed: int) -> None:
    """``normalise`` repairs a rotation and nothing else: a last row other than (0, 0, 0, 1) is named."""
    rng = np.random.default_rng(seed)
    solver, q = solver_of("puma560"), rng.uniform(-1, 1, 6)
    T = pose_of("puma560", q)
    rough = T.copy()
    rough[3] += rng.uniform(-1e-8, 1e-8, 4)
    assert has(solver(rough, normalise=True).solutions, q)
    wrong = T.copy()
    wrong[3, rng.integers(4)] += rng.choice([-1, 1]) * 10 ** rng.uniform(-5, 1)
    wrong[3] = [0, 0, 1, 1] if not seed else wrong[3]
    transposed = T.T
    for matrix in (wrong, transposed):
        for call in (lambda m: solver(m, normalise=True), lambda m: solver.batch([T, m], normalise=True)):
            with pytest.raises(RobosymError, match=r"T(\[1\])?: the last row is .*, expected \[0, 0, 0, 1\]"):
                call(matrix)
    wrong[3] = np.nan
    with pytest.raises(RobosymError, match="not finite"):
        solver(wrong, normalise=True)


def test_a_seed_has_a_number_for_each_joint() -> None:
    with pytest.raises(RobosymError, match="seed: got shape"):
        solver_of("puma560")(np.eye(4), seed=[1, 2])
    with pytest.raises(RobosymError, match="seed: holds numbers that are not finite"):
        solver_of("puma560")(np.eye(4), seed=[math.nan] * 6)


# --- for people ------------------------------------------------------------------------------------------------------


def test_the_derivation_can_be_read() -> None:
    said = solver_of("puma560").explain()
    for words in (
        "frame 'link6', the whole pose",
        "up to 8 solutions",
        "the axes of wrist_roll, wrist_bend and flange meet in a point",
        "1. waist (joint 1): one angle, X S + Y C + Z = 0: two values",
        "Py C1 - Px S1 - R3 = 0",
        "S3 and C3 are those of the sum of the angles 2 + 3",
        "branches: 2 x 2 x 1 x 2 x 1 x 1 = 8",
        "the equation of wrist_roll leaves it free where",
    ):
        assert words in said
    data = solver_of("puma560").as_dict()
    assert [move["joint"] for move in data["moves"]] == list(solver_of("puma560").joint_names)
    assert math.prod(move["values"] for move in data["moves"]) == data["branches"] == 8
    assert data["operations"]["mul"] > 100
