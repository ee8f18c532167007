"""Inverse geometry of robots with closed loops: against the geometric model of the same assembly mode, and a numeric search."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CDLL
from functools import cache
from typing import Any

import numpy as np
import pytest
from c_calls import call_c
from models.inverse_geometry.closed_loops import (
    Floats,
    Poses,
    apart,
    five_bar,
    linked_arm,
    palletizer,
    poses_of,
    searched,
    slider_crank,
)
from models.loops.iterated_linkages import stephenson
from sweeps import many, some

import robosym
from robosym import Robot, models
from robosym.analysis import workspace
from robosym.errors import RobosymError
from robosym.models.inverse_geometry import InverseGeometric
from robosym.models.inverse_geometry.closed_form.plan import NoClosedFormError
from robosym.program.routine import verified_routine
from robosym.robot import RobotError

# Each with the frame that is requested, the assembly mode, and how many solutions a pose has at most.
CASES: dict[str, tuple[Callable[[], Robot], str | None, str | None, int]] = {
    "sr400": (lambda: robosym.load("sr400"), None, "parallel", 8),
    "rhombus": (lambda: robosym.load("five-bar"), None, "parallel", 2),
    "four-bar +": (lambda: robosym.load("four-bar"), None, "cut+", 2),
    "four-bar -": (lambda: robosym.load("four-bar"), None, "cut-", 2),
    "rocker": (lambda: robosym.load("four-bar"), "link3", "cut-", 2),
    "five-bar +": (five_bar, None, "cut+", 4),
    "five-bar -": (five_bar, None, "cut-", 4),
    "slider": (slider_crank, "slide_frame", "cut+", 2),
    "palletizer": (palletizer, "flange_frame", "parallel", 4),
    "linked arm": (linked_arm, None, "cut+", 16),
}
SMALL = [name for name in CASES if name not in ("sr400", "palletizer", "linked arm")]


@cache
def case(name: str) -> tuple[Robot, InverseGeometric, Poses, dict[str, Any]]:
    make, frame, mode, most = CASES[name]
    robot, options = make(), {"frame": frame, "mode": mode}
    solver = models.inverse_geometric(robot, **options)
    assert solver.most == most
    assert solver.options["mode"] == mode
    return robot, solver, poses_of(robot, **options), options


def drawn(name: str, count: int, seed: int = 1) -> tuple[Floats, Floats]:
    """Positions at which the loops close, and their poses."""
    robot, _, poses, _ = case(name)
    Q = np.random.default_rng(seed).uniform(-3, 3, (4 * count, robot.nq))
    T = poses(Q)
    there = np.flatnonzero(np.isfinite(T).all(axis=(1, 2)))[:count]
    return Q[there], T[there]


def missed(name: str, found: Floats, T: Floats) -> float:
    _, solver, poses, _ = case(name)
    columns = slice(3, 4) if solver.task == "position" else slice(0, 4)
    return float(np.abs((poses(found) - T)[:, :3, columns]).max(initial=0.0))


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", some(CASES, 2))
def test_a_position_is_found_back_and_every_solution_makes_the_pose(name: str) -> None:
    robot, solver, _, _ = case(name)
    assert solver.joint_names == robot.joint_names
    for q, T in zip(*drawn(name, many(15)), strict=True):
        found = solver(T).solutions
        assert min(apart(q, row) for row in found) < 1e-7
        assert missed(name, found, T) < 1e-10
        assert all(apart(a, b) > 1e-6 for i, a in enumerate(found) for b in found[:i])


@pytest.mark.slow
@pytest.mark.parametrize("name", some(CASES, 4))
def test_a_numeric_search_finds_no_other(name: str) -> None:
    robot, solver, poses, _ = case(name)
    for T in drawn(name, 3, seed=4)[1]:
        found = solver(T).solutions
        others = searched(poses, robot.nq, T, solver.task == "position")
        assert all(min(apart(q, row) for row in found) < 1e-5 for q in others)
        if name in SMALL:
            assert len(found) == len(others)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["sr400", "five-bar -", "slider"])
def test_out_of_reach(name: str) -> None:
    _, solver, _, _ = case(name)
    T = np.eye(4)
    T[:3, 3] = 7.0, 0, 0
    result = solver(T)
    assert not result
    assert result.status == "out of reach"
    assert 5 < result.distance < 7.1


def test_what_the_other_mode_reaches_is_out_of_reach() -> None:
    """The slide is on the other side of the crank."""
    _, solver, poses, _ = case("slider")
    place = poses(np.array([[0.4]]))[0]
    assert len(solver(place)) == 2
    place[0, 3] *= -1
    assert not solver(place)
    other = models.inverse_geometric(slider_crank(), frame="slide_frame", mode="cut-")
    assert len(other(place)) == 2


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["sr400", "five-bar +", "linked arm"])
def test_a_batch_is_its_poses_one_by_one(name: str) -> None:
    _, solver, _, _ = case(name)
    T = drawn(name, 20, seed=2)[1]
    batch = solver.batch(T)
    for i, pose in enumerate(T):
        assert np.allclose(batch.of(i), solver(pose).solutions, atol=1e-12)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["sr400", "five-bar +", "slider"])
def test_compiled_interpreted_and_in_c(name: str, compiled: Callable[[str], CDLL]) -> None:
    _, solver, _, _ = case(name)
    routine = verified_routine(solver.routine)
    library = compiled(solver.source("c"))
    values = [solver.values[symbol.name] for symbol in routine.parameter_symbols]
    for T in drawn(name, 3, seed=3)[1]:
        state = {**solver.defaults, "T": T}
        for made in (solver.evaluate(T=T), call_c(library, routine, state, values)):
            count = int(made["count"])
            assert np.allclose(made["solutions"][:count], solver(T).solutions, atol=1e-9)


@pytest.mark.slow
def test_the_head_of_the_source_says_the_mode() -> None:
    _, solver, _, _ = case("five-bar -")
    assert "Closed loops assembled in mode: cut-" in solver.source("c")
    assert "left from the loop that is cut at cut" in solver.source("python")


def test_explained() -> None:
    solver = case("sr400")[1]
    text = solver.explain()
    for words in ("chain: waist, (shoulder, elbow)", "mode: parallel", "passive on this way: elbow"):
        assert words in text
    assert "crank = shoulder + elbow - 1.57079633" in text
    assert solver.as_dict()["motors"] == ["crank = shoulder + elbow - 1.57079633"]
    assert "2 solutions" in case("linked arm")[1].explain()


# --- seeds, limits, special poses ------------------------------------------------------------------------------------


def test_seeds_are_positions_of_the_motors() -> None:
    _, solver, _, _ = case("linked arm")
    for q, T in zip(*drawn("linked arm", 5, seed=6), strict=True):
        nearest = solver.nearest(T, q + 0.01)
        assert nearest is not None
        assert np.abs(nearest - q).max() < 1e-7


def test_limits_of_motors_and_of_passive_joints() -> None:
    bounded = five_bar(limits={"lower": 0.0, "upper": 2.0})
    solver = models.inverse_geometric(bounded, mode="cut+")
    joints = models.loop_geometry(bounded, mode="cut+").compile()
    left_out = 0
    for T in drawn("five-bar +", 40)[1]:
        every, kept = solver(T), solver(T, limits=True)
        elbows = [float(joints(q=q)["positions"][1]) % (2 * np.pi) for q in every.solutions]
        assert len(kept) == sum(x <= 2.0 for x in elbows)
        assert kept or kept.status == "outside limits"
        assert len(solver(T, limits=True, copies=True)) == len(kept)
        assert np.array_equal(solver.batch(T[None], limits=True).of(0), kept.solutions)
        left_out += len(every) - len(kept)
    assert left_out > 10
    assert "left_elbow from 0 to 2" in solver.source("c")


def test_a_singular_wrist_moves_and_the_seed_stays() -> None:
    _, solver, poses, _ = case("sr400")
    q = np.array([0.3, 0.4, 0.5, 0.0, 0.2, 0.1])
    T = poses(q[None])[0]
    assert solver(T).status == "singular"
    assert solver(T).free in (("wrist_roll",), ("flange",))
    assert np.abs(solver(T, seed=q).solutions[0] - q).max() < 1e-9


def test_a_stretched_leg() -> None:
    """Two solutions of a leg meet, and none is lost."""
    _, solver, poses, _ = case("five-bar +")
    T = np.eye(4)
    T[:2, 3] = 0.7 * np.cos(1.2), 0.7 * np.sin(1.2)
    result = solver(T)
    assert len(result)
    assert abs(result.solutions[0, 0] - 1.2) < 1e-6
    assert np.abs(poses(result.solutions)[:, :2, 3] - T[:2, 3]).max() < 1e-9


def test_folded_legs_leave_a_motor_free() -> None:
    result = case("rhombus")[1](np.eye(4))
    assert result.status == "singular"
    assert result.free in (("left_drive",), ("right_drive",))


# --- what may be requested -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_tool_in_the_world() -> None:
    robot = robosym.load("sr400")
    options: dict[str, Any] = {"tool": [0.0, 0.1, 0.2], "reference": "world"}
    solver = models.inverse_geometric(robot, **options)
    q = np.array([0.3, 0.4, 0.5, 0.8, 0.2, 0.1])
    T = models.geometric(robot, **options).compile()(q=q)
    assert min(apart(q, row) for row in solver(T).solutions) < 1e-8
    assert "tool" in solver.explain()


def test_a_tool_beyond_a_cut_joint_is_reached_by_the_side_that_has_it() -> None:
    solver = models.inverse_geometric(five_bar(), tool=[0.1, 0.05, 0.0])
    q = np.array([2.1, 0.6])
    T = models.geometric(five_bar(), tool=[0.1, 0.05, 0.0]).compile()(q=q)
    assert [joint.name for joint in solver.chain.joints] == ["left", "left_elbow"]
    assert T["assembled"]
    assert min(apart(q, row) for row in solver(T["T"]).solutions) < 1e-8


@pytest.mark.slow
def test_other_parameters() -> None:
    robot = robosym.load("sr400")
    q = np.array([0.3, 0.4, 0.5, 0.8, 0.2, 0.1])
    T = models.geometric(robot).compile()(q=q, parameters={"D3": 0.9})
    for method in ("auto", "general"):
        found = models.inverse_geometric(robot, method=method)(T, parameters={"D3": 0.9}).solutions
        assert min(apart(q, row) for row in found) < 1e-7


def test_a_motor_may_be_given() -> None:
    robot = robosym.load("sr400")
    solver = models.inverse_geometric(robot, given=["waist"], frame="link5")
    q = np.array([0.3, 0.4, 0.5, 0.8, 0.2, 0.1])
    T = models.geometric(robot, frame="link5").compile()(q=q)
    assert solver.joint_names == ("shoulder", "wrist_roll", "wrist_bend", "crank")
    found = solver(T, given=[0.3]).solutions
    assert min(apart(q[[1, 2, 3, 5]], row) for row in found) < 1e-8
    assert not solver(T, given=[0.4])


def test_motors_that_do_not_move_the_frame_are_no_columns() -> None:
    assert models.inverse_geometric(robosym.load("sr400"), frame="link2").joint_names == ("waist", "shoulder")
    assert models.inverse_geometric(robosym.load("sr400"), frame="link8").joint_names == ("waist", "shoulder", "crank")


def test_the_tree_that_is_left_without_cut_joints() -> None:
    robot = robosym.load("sr400")
    solver = models.inverse_geometric(robot, frame="link6", structure="tree")
    assert "elbow" in solver.joint_names
    assert "crank" not in solver.joint_names


def test_what_is_refused() -> None:
    robot = five_bar()
    for options, words in (
        ({"mode": "folded"}, "mode: got 'folded', expected one of 'cut"),
        ({"given": "swivel"}, "'swivel' is for arms without closed loops"),
        ({"given": ["right_elbow"]}, "right_elbow is not driven: it follows from the loops"),
        ({"frame": "palm"}, "there is no frame 'palm'"),
        ({"method": "magic"}, "method: got 'magic', expected 'auto', 'pieper', 'paul' or 'general'"),
    ):
        with pytest.raises(RobosymError, match=words):
            models.inverse_geometric(robot, **options)
    with pytest.raises(RobotError, match="leaves 1 of these 4 free: request the whole pose"):
        models.inverse_geometric(palletizer(), frame="hand_frame", tool=[0.1, 0, 0], task="position")


def test_loops_that_are_closed_by_iteration() -> None:
    with pytest.raises(RobotError, match="closed by iteration: its inverse geometric model is not available"):
        models.inverse_geometric(stephenson(), frame=2)
    with pytest.raises(RobotError, match="closed by iteration: this function needs a closed form"):
        workspace(stephenson(), frame=2)


def test_motors_that_do_not_follow_are_named() -> None:
    """A leg of four joints: where its motor is does not follow from a closed form of planar equations."""
    rows = [
        {"antecedent": 0, "joint": "left"},
        {"antecedent": 1, "joint": "left_elbow", "d": 0.3, "active": False},
        {"antecedent": 0, "joint": "right", "d": 0.2},
        {"antecedent": 3, "joint": "right_knee", "d": 0.35},
        {"antecedent": 4, "joint": "right_elbow", "d": 0.3, "active": False},
        {"antecedent": 5, "joint": "cut", "d": 0.45, "active": False},
        {"antecedent": 2, "joint": "twin", "d": 0.4, "sigma": "fixed"},
    ]
    robot = Robot.from_table("spare motor", rows, loops=1)
    with pytest.raises(NoClosedFormError, match="where right, right_knee is does not follow in closed form"):
        models.inverse_geometric(robot, frame=2)


def test_loops_that_other_motors_drive_are_left_alone() -> None:
    """A four-bar on the coupler of another: where its motor is says nothing of the frames of the first one."""
    rows = [
        {"joint": "crank", "antecedent": 0},
        {"joint": "coupler", "antecedent": 1, "d": 0.35, "active": False},
        {"joint": "rocker", "antecedent": 0, "d": 1.0, "active": False},
        {"joint": "crank_2", "antecedent": 2, "d": 0.9},
        {"joint": "coupler_2", "antecedent": 4, "d": 0.2, "active": False},
        {"joint": "rocker_2", "antecedent": 2, "d": 1.4, "active": False},
        {"joint": "cut", "antecedent": 2, "d": 0.8, "active": False},
        {"joint": "cut_2", "antecedent": 5, "d": 0.5, "active": False},
        {"joint": "twin", "antecedent": 3, "d": 0.7, "sigma": "fixed"},
        {"joint": "twin_2", "antecedent": 6, "d": 0.45, "sigma": "fixed"},
    ]
    robot = Robot.from_table("two-four-bars", rows, loops=2, gravity=[0, -9.81, 0])
    for frame in ("frame1", "frame2", "frame3"):
        T = models.transform(robot, frame=frame).compile()(q=[0.4, 0.7])["T"]
        found = models.inverse_geometric(robot, frame=frame, task="pose")(T)
        assert found.status == "reachable"
        assert np.abs(found.solutions - 0.4).min() < 1e-9
