"""Workspaces of platforms on legs against what circles and lengths say."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from models.parallel import reference
from models.parallel.random_platforms import random_platform

import robosym
from robosym import RobosymError
from robosym.analysis import (
    PlatformWorkspace,
    platform_singularities,
    platform_workspace,
    workspace,
)
from robosym.analysis.platform_workspace import _Search
from robosym.robot import Limits, Robot, Value

RB, RP = 0.5, 0.1  # of planar-3rrr
LINKS = {"L1": 0.3, "L2": 0.25}
TURNS = 2 * np.pi * np.arange(3) / 3
FEET = RB * np.stack([np.cos(TURNS), np.sin(TURNS)], axis=1)


@pytest.fixture(scope="module")
def planar() -> Robot:
    return robosym.load("planar-3rrr")


@pytest.fixture(scope="module")
def unequal(planar: Robot) -> Robot:
    """With these links, so that the rings have holes."""
    return planar.replace(values={**planar.values, **{name: Value(x) for name, x in LINKS.items()}})


@pytest.fixture(scope="module")
def struts() -> Robot:
    return robosym.load("gough-stewart")


def whole_grid(found: PlatformWorkspace) -> tuple[np.ndarray, np.ndarray]:
    """All positions of the grid, and which of them were found."""
    shape = tuple(len(t) for t in found.ticks)
    points = np.stack(np.meshgrid(*found.ticks, indexing="ij"), axis=-1).reshape(-1, len(shape))
    there = np.zeros(shape, dtype=bool)
    there[tuple(found.cells.T)] = True
    return points, there.ravel()


def in_rings(points: np.ndarray, angle: float) -> np.ndarray:
    """How much each end of planar-3rrr (N, 3) is within the ring that its leg reaches."""
    seats = RP * np.stack([np.cos(TURNS + angle), np.sin(TURNS + angle)], axis=1)
    far = np.linalg.norm(points[:, None] + seats - FEET, axis=2)
    return np.minimum(far - abs(LINKS["L1"] - LINKS["L2"]), LINKS["L1"] + LINKS["L2"] - far)


@pytest.mark.parametrize("angle", [0.0, 0.5, -0.9])
def test_a_planar_platform_reaches_what_rings_have_in_common(unequal: Robot, angle: float) -> None:
    box = ((-0.4, -0.4, 0), (0.4, 0.4, 0))
    found = workspace(unequal, orientation=angle, samples=2500, box=box)
    assert isinstance(found, PlatformWorkspace)
    points, there = whole_grid(found)
    assert len(points) == 2500
    room = in_rings(points, angle).min(axis=1)
    sure = np.abs(room) > 1e-9
    np.testing.assert_array_equal(there[sure], room[sure] > 0)
    assert 0 < there.sum() < 2500
    assert found.measure == pytest.approx(there.sum() * found.spacing**2)
    assert found.unit == "m^2"
    assert found.spacing == pytest.approx(0.8 / 50)
    assert found.stopped["leg1 does not reach"] == pytest.approx((in_rings(points, angle)[:, 0] < 0).sum(), abs=2)


def test_the_area_is_that_of_the_common_region(unequal: Robot) -> None:
    """Away from the holes of the rings: three discs, by a fine grid of their own; the box is found."""
    found = platform_workspace(unequal, orientation=0.0, samples=6000)
    fine = np.stack(np.meshgrid(*[np.linspace(-0.4, 0.4, 601)] * 2), axis=-1).reshape(-1, 2)
    inside = in_rings(fine, 0.0).min(axis=1) > 0
    area = inside.sum() * (0.8 / 600) ** 2
    assert found.measure == pytest.approx(area, rel=0.02)
    low, high = found.box
    np.testing.assert_allclose(
        [low[:2], high[:2]], [fine[inside].min(axis=0), fine[inside].max(axis=0)], atol=2 * found.spacing
    )
    assert 0 < found.fraction < 1


def test_any_orientation_is_the_union(unequal: Robot) -> None:
    box = ((-0.4, -0.4, 0), (0.4, 0.4, 0))
    found = platform_workspace(unequal, orientation="any", turns=8, samples=400, box=box)
    points, there = whole_grid(found)
    rooms = np.array([in_rings(points, a).min(axis=1) for a in 2 * np.pi * np.arange(8) / 8])
    sure = np.abs(rooms).min(axis=0) > 1e-9
    np.testing.assert_array_equal(there[sure], (rooms > 0).any(axis=0)[sure])
    np.testing.assert_array_equal(found.turns[sure[there]], (rooms > 0).sum(axis=0)[there][sure[there]])
    assert found.orientation is None
    assert found.turns.max() > 1
    single = platform_workspace(unequal, orientation=np.pi / 4, samples=400, box=box)
    assert found.measure > single.measure


def leg_lengths(robot: Robot, points: np.ndarray, R: np.ndarray) -> np.ndarray:
    v = {name: value.number for name, value in robot.values.items()}
    base = np.array([[v["B1X"], v["B1Y"], 0], [v["B2X"], v["B2Y"], 0], [0, v["B3Y"], 0]])
    seat = np.array([[v["P1X"], v["P1Y"], -v["H"]], [v["P2X"], v["P2Y"], -v["H"]], [v["P3X"], v["P3Y"], -v["H"]]])
    mirrored = np.array([1, -1, 1])
    base, seat = np.vstack([base, base * mirrored]), np.vstack([seat, seat * mirrored])
    return np.linalg.norm(points[:, None] + seat @ R.T - base, axis=2)


def test_struts_within_their_lengths(struts: Robot) -> None:
    limits = {"length": (1.0, 1.5), "leg1_length": (1.1, 1.5)}
    half = 0.1
    quaternion = [0, 0, np.sin(half), np.cos(half)]
    c, s = np.cos(2 * half), np.sin(2 * half)
    found = platform_workspace(struts, orientation=quaternion, limits=limits, samples=8000)
    points, there = whole_grid(found)
    lengths = leg_lengths(struts, points, np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]))
    room = np.minimum(lengths - 1.0, 1.5 - lengths).min(axis=1)
    room = np.minimum(room, lengths[:, 0] - 1.1)
    sure = np.abs(room) > 1e-9
    np.testing.assert_array_equal(there[sure], room[sure] > 0)
    assert 200 < there.sum() < 4000
    # the box that was found holds all of it: no point of the workspace is on its faces
    cells = np.array(found.cells)
    for axis, ticks in enumerate(found.ticks):
        assert cells[:, axis].min() > 0
        assert cells[:, axis].max() < len(ticks) - 1
    np.testing.assert_allclose(np.sort(found.q, axis=1), np.sort(lengths[there], axis=1), atol=1e-12)


def test_limits_of_passive_joints_count_whole_turns_apart(unequal: Robot) -> None:
    """Limits of the elbow by geometry; the same interval a turn further on is the same."""
    box = ((-0.3, -0.3, 0), (0.3, 0.3, 0))
    options = {"orientation": 0.0, "samples": 900, "box": box}
    interval = np.array([0.9, 1.8])
    found = platform_workspace(unequal, limits={"elbow": interval}, **options)
    points, there = whole_grid(found)
    seats = RP * np.stack([np.cos(TURNS), np.sin(TURNS)], axis=1)
    far = np.linalg.norm(points[:, None] + seats - FEET, axis=2)
    cosine = (far**2 - LINKS["L1"] ** 2 - LINKS["L2"] ** 2) / (2 * LINKS["L1"] * LINKS["L2"])
    elbow = np.arccos(np.where(np.abs(cosine) < 1, cosine, np.nan))
    expected = ((elbow >= interval[0]) & (elbow <= interval[1])).all(axis=1)
    np.testing.assert_array_equal(there, expected)
    assert 0 < there.sum() < (in_rings(points, 0.0).min(axis=1) > 0).sum()
    again = platform_workspace(unequal, limits={"elbow": interval + 2 * np.pi}, **options)
    np.testing.assert_array_equal(again.points, found.points)
    assert any(name.startswith("limits of leg") for name in found.stopped)


def test_limits_of_the_description_and_of_one_leg() -> None:
    robot = robosym.load("orthoglide")
    found = platform_workspace(robot, samples=1500)
    assert found.as_dict()["limits"]["leg2_motor"] == [0.2, 0.52]
    assert found.q.min() >= 0.2 - 1e-9
    assert found.q.max() <= 0.52 + 1e-9
    # with other limits in the description
    frames = list(robot.frames)
    k = next(i for i, frame in enumerate(frames) if frame.joint.name == "leg1_motor")
    frames[k] = replace(frames[k], joint=replace(frames[k].joint, limits=Limits(lower=0.4, upper=0.52)))
    other = platform_workspace(robot.replace(frames=tuple(frames)), samples=1500)
    assert other.q[:, 0].min() >= 0.4 - 1e-9
    assert other.measure < found.measure


def test_clearance_keeps_away_from_singularities(planar: Robot) -> None:
    options = {"orientation": 0.0, "samples": 900, "box": ((-0.3, -0.3, 0), (0.3, 0.3, 0))}
    found = platform_workspace(planar, **options)
    kept = platform_workspace(planar, clearance=0.06, **options)
    np.testing.assert_array_equal(kept.points, found.points[found.distance >= 0.06])
    assert kept.stopped["singularity"] == (found.distance < 0.06).sum() > 0
    for k in (0, len(found.points) // 2):
        at = platform_singularities(planar, found.poses[k])
        assert at.distance == pytest.approx(found.distance[k], rel=1e-9)
        assert at.condition == pytest.approx(found.condition[k], rel=1e-7)


def test_what_is_connected_with_home(struts: Robot) -> None:
    """Struts reach as far below their base as above; away from singularities these are two places."""
    limits = {"length": (0.9, 1.6)}
    found = platform_workspace(struts, limits=limits, samples=6000, clearance=0.02)
    above = found.points[:, 2] > 0.4  # where the seats are in the plane of the feet
    np.testing.assert_array_equal(found.connected, above)
    assert 0.4 < found.connected.mean() < 0.6


@pytest.mark.parametrize("kind", ["3-RPS", "five-bar"])
def test_coupled_motions(kind: str) -> None:
    """Points are poses that the legs allow, by Pinocchio."""
    robot, _, _ = random_platform(kind, 1)
    limits = {
        robot.frame(j).joint.name: (robot.frame(j).joint.position - 0.2, robot.frame(j).joint.position + 0.2)
        for j in robot.moving
    }
    found = platform_workspace(robot, limits=limits, samples=60, box=((-0.5, -0.5, 0), (0.5, 0.8, 1.2)))
    assert found.measure is None
    assert len(found.points) > 3
    for pose in found.poses[:4]:
        _, error = reference.legs_at(robot, pose)
        assert error < 1e-9
    for name, column in zip(robot.joint_names, found.q.T, strict=True):
        assert limits[name][0] - 1e-9 <= column.min() <= column.max() <= limits[name][1] + 1e-9
    with pytest.raises(RobosymError, match=r"orientation: got .*: it follows from the position"):
        platform_workspace(robot, orientation=[0, 0, 0, 1], samples=10)


def test_progress_and_json(planar: Robot) -> None:
    told: list[float] = []
    found = platform_workspace(planar, orientation="any", turns=3, samples=100, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1
    facts = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert facts["unit"] == "m^2"
    assert facts["axes"] == ["x", "y"]
    assert facts["tried"] <= 300
    assert facts["points"] == len(found.points)
    assert "m^2" in repr(found)


def test_grids_are_square_and_no_larger_than_requested(planar: Robot) -> None:
    motion = platform_workspace(planar, samples=50).motion
    search = _Search(motion, None, (0, 1), 0.0, lambda part: None)  # type: ignore[arg-type]
    for corners in (((0, 0, 0), (1, 1, 0)), ((0, 0, 0), (3, 0.1, 0)), ((-1, 2, 0), (0.3, 2.7, 0))):
        low, high = np.array(corners, float)
        for samples in (1, 7, 100, 999):
            ticks, spacing, positions = search.grid((low, high), samples)
            assert 1 <= len(positions) <= max(samples, 1)
            assert len(positions) > samples / 4 - 3
            for k, tick in enumerate(ticks):
                np.testing.assert_allclose(np.diff(tick), spacing)
                assert tick[0] - spacing / 2 <= low[k] + 1e-9
                assert tick[-1] + spacing / 2 >= high[k] - 1e-9


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"samples": 0}, "samples: got 0, expected a whole number from 1"),
        ({"turns": 2.5}, "turns: got 2.5"),
        ({"clearance": -1}, "clearance: got -1, expected a number of at least 0"),
        ({"orientation": "all"}, "orientation: got 'all', expected a quaternion x y z w .* or 'any'"),
        ({"orientation": [1, 1, 0, 0]}, "orientation: got"),
        ({"box": ((1, 0, 0), (0, 0, 0))}, "box: got .* the lower corner first"),
        ({"box": ((3, 3, 0), (4, 4, 0))}, "no point of the grid is reached .*leg1 does not reach"),
        ({"limits": {"knee": (0, 1)}}, "there is no leg joint 'knee' .*leg1_motor.*elbow"),
        ({"limits": {"elbow": (1, 0)}}, "'elbow': expected finite lower <= upper"),
        ({"limits": 3}, "limits: got 3, expected a mapping"),
        ({"frame": 3}, "frame: has no meaning for a platform on legs"),
        ({"method": "grid"}, "method: has no meaning"),
        ({"colour": "red"}, "colour: is no option of the workspace of a platform on legs .*orientation"),
    ],
)
def test_what_is_wrong_is_said(planar: Robot, given: dict, message: str) -> None:
    with pytest.raises(RobosymError, match=message):
        workspace(planar, **{"samples": 50, **given})


def test_parameters_are_numbers_in_place_of_the_robots(planar: Robot, unequal: Robot) -> None:
    options = {"orientation": 0.0, "samples": 300}
    given = platform_workspace(planar, parameters=LINKS, **options)
    np.testing.assert_allclose(given.points, platform_workspace(unequal, **options).points, atol=1e-12)
    assert given.measure < platform_workspace(planar, **options).measure


def test_robots_that_have_none(struts: Robot) -> None:
    with pytest.raises(
        RobosymError, match=r"'leg1_length' has no limits: give them in metres.*'length' is the name for all"
    ):
        workspace(struts)
    with pytest.raises(RobosymError, match="orientation: got 'any'"):
        workspace(struts, orientation="any", limits={"length": (1, 1.5)})
    with pytest.raises(RobosymError, match="clearance: is no option of the workspace of an arm"):
        workspace(robosym.load("planar-2r"), clearance=0.1)
    with pytest.raises(RobosymError, match="no platform on legs"):
        platform_workspace(robosym.load("planar-2r"))
