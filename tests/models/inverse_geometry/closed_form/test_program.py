"""Closed forms on every class of arm: the position that made a pose is found, what is found makes the pose, and once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from models.inverse_geometry.closed_form_arms import ARMS, COUNTS, POSES, arm, check
from models.inverse_geometry.robots import length, link, pieper, solved, twist
from sweeps import many, some

from robosym.expr import parameter
from robosym.models.inverse_geometry.closed_form.plan import NoClosedFormError
from robosym.robot import Robot


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", some(ARMS, 3))
def test_random_poses_and_beyond_reach(name: str) -> None:
    """One test of both: deriving and compiling the arm takes most of the time."""
    S = arm(name)
    _, valid, _ = check(S, S.positions(POSES, seed=11))
    assert valid.any(axis=1).all()
    if name in COUNTS:
        assert valid.sum(axis=1).max() == COUNTS[name]
        assert valid.shape[1] == COUNTS[name]
    if not S.turning[:3].all() or name == "scara":  # a slide has no end
        return
    for factor in (30.0, 1e6):
        q = S.positions(many(20), seed=22)
        T = S.poses(q)
        T[:, :3, 3] *= factor / np.linalg.norm(T[:, :3, 3], axis=1)[:, None]
        assert not S.solve(T, q)[1].any()


@pytest.mark.slow
@pytest.mark.parametrize("name", some(["pieper-1", "three-parallel-1", "shoulder-1", "inner-1", "slides-2"], 2))
def test_solutions_of_a_solution_are_the_same(name: str) -> None:
    """Every solution's own pose is the pose: so its solutions are all of them again, in whatever order."""
    S = arm(name)
    q = S.positions(many(40), seed=12)
    Q, valid, _ = S.solve(S.poses(q), q)
    pose, row = np.nonzero(valid)
    again, there, _ = S.solve(S.poses(Q[pose, row]))
    np.testing.assert_array_equal(there.sum(axis=1), valid.sum(axis=1)[pose])
    assert (S.nearest(again, there, Q[pose, row]) < 1e-5).all()


# --- geometry, frames, joints ----------------------------------------------------------------------------------------


def test_geometry_given_at_the_call() -> None:
    S = arm("puma560")
    q = S.positions(POSES, seed=25)
    check(S, q, parameters={"D3": 0.6, "R3": -0.2, "D4": 0.1, "R4": 0.35})
    rng = np.random.default_rng(26)
    each = {key: rng.uniform(0.2, 0.6, POSES) for key in ("D3", "R3", "D4", "R4")}
    check(S, q, parameters=each)


def test_geometry_without_values() -> None:
    rows: list[Mapping[str, Any]] = [{"r": "H"}, {"alpha": "pi/2"}, {"d": "A"}, {"d": "B", "sigma": "fixed"}]
    S = solved(Robot.from_table("symbols", rows))
    assert {s.name for s in S.form.program.parameter_symbols} == {"H", "A", "B"}
    check(S, S.positions(POSES, seed=27), parameters={"H": 0.3, "A": 0.5, "B": 0.4})


@pytest.mark.slow
def test_a_symbolic_pieper_arm() -> None:
    robot = pieper(1)
    symbol = parameter("TOOL")
    frames = (*robot.frames[:5], replace(robot.frames[5], r=symbol))
    S = solved(replace(robot, frames=frames))
    check(S, S.positions(POSES, seed=28), parameters={"TOOL": 0.35})


TOOLED: list[Mapping[str, Any]] = [
    {},
    {"alpha": "-pi/2"},
    {"d": 0.43, "r": 0.15},
    {"alpha": "pi/2", "d": -0.02, "r": 0.43},
    {"alpha": "-pi/2"},
    {"alpha": "pi/2"},
    {"name": "tool", "sigma": "fixed", "gamma": 0.3, "b": 0.1, "alpha": 0.7, "d": 0.2, "theta": 0.5, "r": 0.15},
]


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("frame", some(["tool", 6, None], 2))
def test_tool_frames(frame: str | int | None) -> None:
    S = solved(Robot.from_table("tooled", TOOLED), frame=frame)
    _, valid, _ = check(S, S.positions(POSES, seed=29))
    assert (valid.sum(axis=1) == 8).all()


def test_inner_frames() -> None:
    """The pose of a link half way determines its joints once."""
    S = solved("puma560", frame=3, task="pose")
    _, valid, _ = check(S, S.positions(POSES, seed=30))
    np.testing.assert_array_equal(valid.sum(axis=1), 1)


def test_position_of_the_wrist_alone() -> None:
    S = solved("puma560", frame=4, task="position", given=[4])
    _, valid, _ = check(S, S.positions(POSES, seed=31))
    np.testing.assert_array_equal(valid.sum(axis=1), 4)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("base", [0, "world"])
def test_the_world(base: int | str) -> None:
    location = [[0, -1, 0, 0.3], [0.6, 0, -0.8, -0.2], [0.8, 0, 0.6, 0.9], [0, 0, 0, 1]]
    robot = Robot.from_table("placed", TOOLED, base={"location": location})
    S = solved(robot, base=base)
    check(S, S.positions(POSES, seed=32))


ZIGZAG: dict[str, list[Mapping[str, Any]]] = {
    "planar": [
        {},
        {"alpha": "pi", "d": 0.5, "r": 0.1},
        {"alpha": "-pi", "d": 0.4, "r": 0.2},
        {"sigma": "fixed", "d": 0.3},
    ],
    "scara": [{}, {"d": 0.4}, {"alpha": "pi", "d": 0.3, "sigma": "prismatic"}, {"r": 0.1}],
    "ur": [
        {"r": 0.1},
        {"alpha": "pi/2"},
        {"alpha": "pi", "d": 0.4},
        {"alpha": "pi", "d": 0.35, "r": 0.11},
        {"alpha": "pi/2", "r": 0.09},
        {"alpha": "-pi/2", "r": 0.08},
    ],
    "ur-offsets": [
        {"r": 0.1},
        {"alpha": "pi/2", "r": 0.05},
        {"alpha": "pi", "d": 0.4, "r": 0.07},
        {"alpha": "-pi", "d": 0.35, "r": 0.11},
        {"alpha": "pi/2", "r": 0.09},
        {"alpha": "-pi/2", "r": 0.08},
    ],
}


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ZIGZAG)
def test_antiparallel_axes(name: str) -> None:
    S = solved(Robot.from_table(f"zigzag-{name}", ZIGZAG[name]))
    check(S, S.positions(POSES, seed=33))


def test_antiparallel_axes_of_a_general_arm() -> None:
    rng = np.random.default_rng(34)
    flat: list[Mapping[str, Any]] = [{"alpha": "pi", "d": length(rng), "r": length(rng)} for _ in range(2)]
    S = solved(Robot.from_table("zigzag", [{"r": length(rng)}, link(rng), *flat, link(rng), link(rng)]))
    check(S, S.positions(POSES, seed=35))


def test_offsets_of_joints() -> None:
    rows = [dict(row) for row in TOOLED]
    for row, offset in zip(rows, ("pi/2", "-pi/2", "0.3", "pi", "-0.7", "1"), strict=False):
        row["theta"] = f"q{rows.index(row) + 1} + {offset}"
    S = solved(Robot.from_table("offsets", list(rows)))
    check(S, S.positions(POSES, seed=36))


def test_offset_of_a_slide() -> None:
    rows: list[Mapping[str, Any]] = [
        {"theta": "q1 + pi"},
        {"alpha": "-pi/2", "r": 0.15},
        {"alpha": "pi/2", "sigma": "prismatic", "r": "q3 + 0.2"},
        {"theta": "q4 - pi/2"},
        {"alpha": "-pi/2"},
        {"alpha": "pi/2"},
    ]
    S = solved(Robot.from_table("slide", rows))
    check(S, S.positions(POSES, seed=37))


# --- no closed form ---------------------------------------------------------------------------------------------------


def test_a_general_arm_has_none_and_says_so() -> None:
    rng = np.random.default_rng(38)
    general = Robot.from_table("general", [{"r": length(rng)}, *(link(rng) for _ in range(5))])
    with pytest.raises(NoClosedFormError, match="general"):
        solved(general)


@pytest.mark.slow
def test_paul_without_quartics_has_none_for_a_general_wrist_arm() -> None:
    with pytest.raises(NoClosedFormError):
        solved(pieper(1), method="paul")
    assert len(solved("puma560", method="paul").form.choices) == 8


def test_a_wrist_that_is_nearly_spherical_has_none() -> None:
    """A hair beside Pieper's condition: no closed form may be claimed that misses by that hair."""
    rng = np.random.default_rng(39)
    rows = [
        {"r": length(rng)},
        link(rng),
        link(rng),
        link(rng),
        {"alpha": twist(rng), "d": 1e-4},
        {"alpha": twist(rng)},
    ]
    with pytest.raises(NoClosedFormError):
        solved(Robot.from_table("nearly", rows))
