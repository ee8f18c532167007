"""Closed forms on every class of arm: the position that made a pose is found, what is found makes the pose, and once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from models.inverse_geometry.robots import (
    Floats,
    Solved,
    gantry,
    inner_spherical,
    length,
    link,
    pieper,
    skew_gantry,
    solved,
    spherical_shoulder,
    three_parallel,
    twist,
    with_slides,
)

from robosym.expr import parameter
from robosym.models.inverse_geometry.closed_form.plan import NoClosedFormError
from robosym.robot import Robot

POSES = 1000
RESIDUAL = 1e-10
# How far a found position may be from the one that made the pose: its own accuracy times what the pose amplifies it by.
FOUND = 1e-6
# Rows nearer than this are the same solution.
SAME = 1e-6

ARMS: dict[str, Callable[[], Solved]] = {
    **{name: lambda name=name: solved(name) for name in ("puma560", "rx90", "stanford", "scara", "ur5")},  # type: ignore[misc]
    "planar-2r": lambda: solved("planar-2r"),
    "planar-3r": lambda: solved("planar-3r"),
    "gantry": lambda: solved(gantry()),
    "skew-gantry": lambda: solved(skew_gantry(1)),
    "shoulder-1": lambda: solved(spherical_shoulder(1)),
    "shoulder-2": lambda: solved(spherical_shoulder(2)),
    "inner-1": lambda: solved(inner_spherical(1)),
    "inner-2": lambda: solved(inner_spherical(2)),
    "panda": lambda: solved("panda", given=[7]),
    "panda-given-4": lambda: solved("panda", given=["panda_joint4"]),
    **{f"pieper-{k}": lambda k=k: solved(pieper(k)) for k in (1, 2, 3, 4)},  # type: ignore[misc]
    **{f"three-parallel-{k}": lambda k=k: solved(three_parallel(k)) for k in (1, 2, 3, 4)},  # type: ignore[misc]
    **{
        "slides-" + "".join(map(str, k)): lambda k=k: solved(with_slides(1, k))  # type: ignore[misc]
        for k in ((1,), (2,), (3,), (1, 2), (1, 3), (2, 3))
    },
}

# Solutions at a pose well within reach.
COUNTS = {"puma560": 8, "rx90": 8, "stanford": 8, "scara": 2, "ur5": 8, "planar-2r": 2, "planar-3r": 2, "gantry": 2}


@cache
def arm(name: str) -> Solved:
    return ARMS[name]()


def counted(bad: Any, worst: float, what: str) -> str:
    places = np.flatnonzero(bad)
    return f"{len(places)} poses {what}, by {worst:.1e} at most; the first: {places[:5].tolist()}"


def check(
    S: Solved, q: Floats, found: bool = True, residual: float = RESIDUAL, **options: Any
) -> tuple[Floats, Any, Any]:
    """All that is always asked: right, once, and (unless the pose is singular) with the position that made the pose."""
    T = S.poses(q, **options)
    Q, valid, free = S.solve(T, q, **options)
    misses = np.where(valid, S.misses(Q, T, q, **options), 0).max(axis=1)
    assert (misses < residual).all(), counted(misses >= residual, misses.max(), "missed")
    pairs = S.closest_pair(Q, valid)
    assert (pairs > SAME).all(), counted(pairs <= SAME, pairs.min(), "with one solution twice")
    if found:
        nearest = S.nearest(Q, valid, q)
        assert (nearest < FOUND).all(), counted(nearest >= FOUND, nearest.max(), "without the position that made them")
    return Q, valid, free


@pytest.mark.parametrize("name", ARMS)
def test_random_poses(name: str) -> None:
    S = arm(name)
    _, valid, _ = check(S, S.positions(POSES, seed=11))
    assert valid.any(axis=1).all()
    if name in COUNTS:
        assert valid.sum(axis=1).max() == COUNTS[name]
        assert valid.shape[1] == COUNTS[name]


@pytest.mark.parametrize("name", ["pieper-1", "three-parallel-1", "shoulder-1", "inner-1", "slides-2"])
def test_solutions_of_a_solution_are_the_same(name: str) -> None:
    """Every solution's own pose is the pose: so its solutions are all of them again, in whatever order."""
    S = arm(name)
    q = S.positions(200, seed=12)
    Q, valid, _ = S.solve(S.poses(q), q)
    pose, row = np.nonzero(valid)
    again, there, _ = S.solve(S.poses(Q[pose, row]))
    np.testing.assert_array_equal(there.sum(axis=1), valid.sum(axis=1)[pose])
    assert (S.nearest(again, there, Q[pose, row]) < 1e-5).all()


# --- singular poses --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["puma560", "rx90", "stanford"])
@pytest.mark.parametrize("bend", [0.0, np.pi])
def test_a_straight_wrist_has_a_free_joint(name: str, bend: float) -> None:
    S = arm(name)
    q = S.positions(200, seed=13)
    q[:, 4] = bend
    T = S.poses(q)
    Q, valid, free = check(S, q, found=False)
    loose = free[:, :, 3] & valid
    assert loose.any(axis=1).all()
    assert not free[valid][:, [0, 1, 2, 4]].any()
    # Of the circle of positions the nearest to zero is given: joints 4 and 6 share the turn.
    np.testing.assert_allclose(np.abs(Q[:, :, 3][loose]), np.abs(Q[:, :, 5][loose]), atol=0.1)
    assert np.abs(Q[:, :, 3][loose]).max() < np.pi / 2 + 0.1
    # The arm of the position that made the pose is among those with a free joint,
    apart = np.abs((Q - q[:, None] + np.pi) % (2 * np.pi) - np.pi)[:, :, [0, 1]].max(axis=2)
    assert np.where(loose, apart, np.inf).min(axis=1).max() < 1e-5
    # and free it is: what joint 4 turns, joint 6 turns back.
    turned = Q.copy()
    turned[:, :, 3] += 0.7
    turned[:, :, 5] -= 0.7 * np.sign(np.cos(Q[:, :, 4]))
    assert np.where(loose, S.misses(turned, T), 0).max() < 1e-9


def test_a_wrist_above_the_shoulder_frees_the_first_joint() -> None:
    S = arm("rx90")
    D3, RL4 = (S.robot.values[key].number for key in ("D3", "RL4"))
    q = S.positions(200, seed=14)
    q[:, 1] = np.arctan2(D3 - RL4 * np.sin(q[:, 2]), RL4 * np.cos(q[:, 2]))
    assert np.abs(S.poses(q)[:, :2, 3]).max() < 1e-12
    _, valid, free = check(S, q, found=False)
    assert valid.any(axis=1).all()
    assert (free[:, :, 0] & valid).any(axis=1).all()


def test_equal_links_folded_free_the_first_joint() -> None:
    S = solved(Robot.from_table("folding", [{}, {"d": 0.5}, {"d": 0.5, "sigma": "fixed"}]))
    q = S.positions(50, seed=15)
    q[:, 1] = np.pi
    Q, valid, free = check(S, q, found=False)
    np.testing.assert_array_equal(valid.sum(axis=1), 1)
    assert free[:, :, 0][valid].all()
    np.testing.assert_allclose(np.abs(Q[:, :, 1][valid]), np.pi)


@pytest.mark.parametrize("q2", [np.pi / 2, -np.pi / 2])
def test_a_horizontal_stanford_arm_is_not_singular(q2: float) -> None:
    S = arm("stanford")
    q = S.positions(200, seed=16)
    q[:, 1] = q2
    _, valid, free = check(S, q)
    assert not free[valid].any()


@pytest.mark.parametrize("q5", [0.0, np.pi])
def test_a_ur5_with_parallel_wrist_axes_still_has_solutions(q5: float) -> None:
    """Its free joint moves the rest of the arm: not every value of it is within reach, but some is."""
    S = arm("ur5")
    q = S.positions(200, seed=17)
    q[:, 4] = q5
    _, valid, free = check(S, q, found=False)
    assert free[valid].any()
    assert valid.any(axis=1).all(), counted(~valid.any(axis=1), np.inf, "without a solution")


@pytest.mark.parametrize("name", ["puma560", "rx90", "stanford", "ur5"])
def test_all_right_angles(name: str) -> None:
    """The positions people try first, most of them singular in some way."""
    S = arm(name)
    q = np.random.default_rng(18).choice([0, np.pi / 2, np.pi, -np.pi / 2], (400, 6))
    _, valid, _ = check(S, q, found=False)
    some = valid.any(axis=1)
    assert some.all(), counted(~some, np.inf, "without a solution")
    nearest = S.nearest(*S.solve(S.poses(q))[:2], q)
    free = S.solve(S.poses(q))[2]
    regular = ~free.any(axis=(1, 2))  # no joint free in any branch
    assert (nearest[regular] < 1e-4).all()


@pytest.mark.parametrize("power", [3, 4, 6, 8, 10, 12])
@pytest.mark.parametrize(("name", "joint"), [("puma560", 4), ("ur5", 4), ("panda", 3), ("stanford", 2)])
def test_near_a_singularity_solutions_still_make_the_pose(name: str, joint: int, power: int) -> None:
    S = arm(name)
    q = S.positions(100, seed=19)
    q[:, joint] = 10.0**-power
    T = S.poses(q)
    Q, valid, _ = S.solve(T, q)
    # Where the motion is all but lost, a joint is known to the root of the rounding only.
    misses = np.where(valid, S.misses(Q, T, q), 0).max(axis=1)
    assert (misses < 1e-8).all(), counted(misses >= 1e-8, misses.max(), "missed")
    assert valid.any(axis=1).all(), counted(~valid.any(axis=1), np.inf, "without a solution")


# --- reach -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "joint", "at"),
    [
        ("planar-2r", 1, 0.0),
        ("planar-2r", 1, np.pi),
        ("planar-3r", 1, 0.0),
        ("scara", 1, 0.0),
        ("rx90", 2, -np.pi / 2),
        ("ur5", 2, 0.0),
        ("ur5", 2, np.pi),
    ],
)
def test_a_stretched_or_folded_arm_has_one_elbow(name: str, joint: int, at: float) -> None:
    S = arm(name)
    q = S.positions(200, seed=20)
    q[:, joint] = at
    T = S.poses(q)
    Q, valid, _ = check(S, q, found=False)
    assert (S.nearest(Q, valid, q) < 1e-5).all()  # rounding of the pose moves a double root by its square root
    assert np.where(valid, S.misses(Q, T), 0).max() < RESIDUAL


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_the_edge_of_a_general_arm(seed: int) -> None:
    """Where the first three joints cannot move the wrist outwards: two solutions become one there."""
    S = arm(f"pieper-{seed}")
    q = S.positions(400, seed=21)
    q[:, 2] = [edge_angle(S, row) for row in q]
    q = q[np.isfinite(q[:, 2])]
    assert len(q) > 50
    T = S.poses(q)
    Q, valid, _ = S.solve(T, q)
    misses = np.where(valid, S.misses(Q, T, q), 0).max(axis=1)
    assert (misses < 1e-9).all(), counted(misses >= 1e-9, misses.max(), "missed")
    # Two roots that meet are known to the root of what the pose is known to.
    nearest = S.nearest(Q, valid, q)
    assert (nearest < 1e-4).all(), counted(nearest >= 1e-4, nearest.max(), "without the position that made them")


def edge_angle(S: Solved, q: Floats) -> float:
    """The third angle at which the wrist's three directions of motion lie in a plane: bisection of a determinant."""

    def determinant(x: Floats) -> Floats:
        states = np.repeat(q[None], len(x), axis=0)
        states[:, 2] = x
        step = 1e-4
        moves = []
        for k in range(3):
            shift = step * np.eye(6)[k]
            moves.append((centre(S, states + shift) - centre(S, states - shift)) / (2 * step))
        return np.asarray(np.linalg.det(np.stack(moves, axis=1)))

    grid = np.linspace(-3, 3, 41)
    values = determinant(grid)
    crossing = np.flatnonzero(values[:-1] * values[1:] < 0)
    if not len(crossing):
        return float("nan")
    low, high = grid[crossing[0]], grid[crossing[0] + 1]
    for _ in range(12):
        inner = np.linspace(low, high, 17)
        signs = determinant(inner)
        k = int(np.flatnonzero(signs[:-1] * signs[1:] <= 0)[0])
        low, high = inner[k], inner[k + 1]
    return float((low + high) / 2)


def centre(S: Solved, q: Floats) -> Floats:
    """Of the wrist: the tool's own length taken off the pose."""
    T = S.poses(q)
    tool = float(S.robot.geometry(6)[5].value)
    return np.asarray(T[:, :3, 3] - tool * T[:, :3, 2])


@pytest.mark.parametrize("name", ARMS)
@pytest.mark.parametrize("factor", [30.0, 1e6])
def test_beyond_reach_there_is_nothing(name: str, factor: float) -> None:
    S = arm(name)
    if not S.turning[:3].all() or name == "scara":
        pytest.skip("a slide has no end")
    q = S.positions(50, seed=22)
    T = S.poses(q)
    T[:, :3, 3] *= factor / np.linalg.norm(T[:, :3, 3], axis=1)[:, None]
    _, valid, _ = S.solve(T, q)
    assert not valid.any()


def test_just_within_and_just_beyond_reach() -> None:
    S = arm("planar-2r")
    reach = sum(S.robot.values[key].number for key in ("L1", "L2"))
    angle = np.linspace(-3, 3, 50)
    for beyond, expected in ((-1e-9, 2), (1e-14, 1), (1e-6, 0)):
        T = np.zeros((50, 4, 4)) + np.eye(4)
        T[:, 0, 3], T[:, 1, 3] = reach * (1 + beyond) * np.cos(angle), reach * (1 + beyond) * np.sin(angle)
        _, valid, _ = S.solve(T)
        np.testing.assert_array_equal(valid.sum(axis=1), expected)


@pytest.mark.parametrize("name", ["scara", "planar-3r"])
def test_a_tilted_pose_is_none_of_a_flat_arm(name: str) -> None:
    S = arm(name)
    T = S.poses(S.positions(50, seed=23))
    tilt = np.array([[1, 0, 0], [0, np.cos(0.1), -np.sin(0.1)], [0, np.sin(0.1), np.cos(0.1)]])
    T[:, :3, :3] = T[:, :3, :3] @ tilt
    assert not S.solve(T)[1].any()


def test_a_point_off_the_plane_is_none_of_a_planar_arm() -> None:
    S = arm("planar-2r")
    assert S.form.task == "position"
    T = S.poses(S.positions(50, seed=24))
    T[:, 2, 3] += 0.01
    assert not S.solve(T)[1].any()


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


def test_a_symbolic_pieper_arm() -> None:
    robot = pieper(1)
    symbol = parameter("TOOL")
    frames = (*robot.frames[:5], replace(robot.frames[5], r=symbol))
    S = solved(replace(robot, frames=frames))
    check(S, S.positions(200, seed=28), parameters={"TOOL": 0.35})


TOOLED: list[Mapping[str, Any]] = [
    {},
    {"alpha": "-pi/2"},
    {"d": 0.43, "r": 0.15},
    {"alpha": "pi/2", "d": -0.02, "r": 0.43},
    {"alpha": "-pi/2"},
    {"alpha": "pi/2"},
    {"name": "tool", "sigma": "fixed", "gamma": 0.3, "b": 0.1, "alpha": 0.7, "d": 0.2, "theta": 0.5, "r": 0.15},
]


@pytest.mark.parametrize("frame", ["tool", 6, None])
def test_tool_frames(frame: str | int | None) -> None:
    S = solved(Robot.from_table("tooled", TOOLED), frame=frame)
    _, valid, _ = check(S, S.positions(POSES, seed=29))
    assert (valid.sum(axis=1) == 8).all()


def test_inner_frames() -> None:
    """The pose of a link half way determines its joints once."""
    S = solved("puma560", frame=3, task="pose")
    _, valid, _ = check(S, S.positions(200, seed=30))
    np.testing.assert_array_equal(valid.sum(axis=1), 1)


def test_position_of_the_wrist_alone() -> None:
    S = solved("puma560", frame=4, task="position", given=[4])
    _, valid, _ = check(S, S.positions(POSES, seed=31))
    np.testing.assert_array_equal(valid.sum(axis=1), 4)


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
