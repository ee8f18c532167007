"""Singularities of platforms on legs: geometry that is known, and matrices of an independent implementation."""

from __future__ import annotations

import json

import numpy as np
import pytest
from analysis.platform_poses import about_z
from models.parallel.platform_builder import PlatformBuilder, prismatic, revolute
from models.parallel.platform_model import pin

import robosym
from robosym import RobosymError
from robosym.analysis import PlatformMotion, platform_singularities
from robosym.robot import Base

RB, RP, L1, L2 = 0.5, 0.1, 0.3, 0.3  # of planar-3rrr
TURNS = 2 * np.pi * np.arange(3) / 3
CLASSES = ("6-RUS", "6-UPS-wrist", "planar-3-RRR", "five-bar", "3-UPU", "4-RUU", "spherical-3-RRR", "3-RPS", "3-UPS-UP")


@pytest.fixture(scope="module")
def planar() -> PlatformMotion:
    return PlatformMotion(robosym.load("planar-3rrr"))


@pytest.fixture(scope="module")
def struts() -> PlatformMotion:
    return PlatformMotion(robosym.load("gough-stewart-general"))


# --- type 2 -----------------------------------------------------------------------------------------------------------


def hexagons(base: float, plate: float, r: float = 1.0, s: float = 0.5) -> dict[str, float]:
    """Symmetric hexagons for ``gough-stewart-general``: pairs of points at these half angles from 0 and +-120 degrees. The base's
    centre is at x = -r cos(base), the platform's at its origin."""
    corner = 2 * np.pi / 3
    found = {"B3Y": r * np.sin(base), "P3X": s * np.cos(plate), "P3Y": s * np.sin(plate), "H": 0.0}
    for name, sign in (("1", -1), ("2", 1)):
        found[f"B{name}X"] = r * (np.cos(corner + sign * base) - np.cos(base))
        found[f"B{name}Y"] = r * np.sin(corner + sign * base)
        found[f"P{name}X"], found[f"P{name}Y"] = s * np.array(
            [np.cos(corner + sign * plate), np.sin(corner + sign * plate)]
        )
    return {name: float(x) for name, x in found.items()}


def plucker(robot: robosym.Robot, values: dict[str, float], pose: list[float], length: float) -> np.ndarray:
    """Rows n, c x n of the lines of the legs about the platform's origin, from the points alone."""
    v = {name: value.number for name, value in robot.values.items()} | values
    base = [("B1X", "B1Y"), ("B2X", "B2Y"), ("B2X", "-B2Y"), ("B1X", "-B1Y"), ("", "-B3Y"), ("", "B3Y")]
    seat = [("P1X", "P1Y"), ("P2X", "P2Y"), ("P2X", "-P2Y"), ("P1X", "-P1Y"), ("P3X", "-P3Y"), ("P3X", "P3Y")]

    def point(pair: tuple[str, str], z: float) -> np.ndarray:
        return np.array([(-1 if x.startswith("-") else 1) * v[x.lstrip("-")] if x else 0.0 for x in pair] + [z])

    R = pin.Quaternion(*[pose[6], *pose[3:6]]).matrix()
    rows = []
    for b, s in zip(base, seat, strict=True):
        arm = R @ point(s, -v["H"])
        n = np.array(pose[:3]) + arm - point(b, 0.0)
        n /= np.linalg.norm(n)
        rows.append([*n, *np.cross(arm / length, n)])
    return np.array(rows)


def test_fichter_a_platform_turned_by_a_right_angle() -> None:
    """Fichter 1986: level above the base, and turned by 90 degrees from where the hexagons are symmetric, whatever their shape."""
    robot = robosym.load("gough-stewart-general")
    for base, plate in ((0.2, 0.8), (0.1, 0.9)):
        values = hexagons(base, plate)
        motion = PlatformMotion(robot, parameters=values)
        centre = (-float(np.cos(base)), 0.0, 0.9)
        for turn in (np.pi / 2, -np.pi / 2):
            found = platform_singularities(motion, about_z(turn, centre))
            assert found.kinds == ("type 2",)
            assert found.uncontrolled == 1
            assert found.platform < 1e-12
            v, w = np.array(found.twists[0][:3]), np.array(found.twists[0][3:])
            assert np.abs(v[:2]).max() < 1e-9  # up or down as it turns: Fichter's screw
            assert np.abs(w[:2]).max() < 1e-9
            assert abs(w[2]) > 0.1
            # the speeds of the legs along their lines are zero in this motion
            G = plucker(robot, values, about_z(turn, centre), 1.0)
            assert np.abs(G @ found.twists[0]).max() < 1e-9
            assert "singularity of type 2" in found.message
        for turn in (0.0, 0.7):
            assert not platform_singularities(motion, about_z(turn, centre)).singular


def test_lines_through_one_point() -> None:
    """Hunt 1978: about the point in which the lines of all legs meet, the platform turns in any direction."""
    draw = np.random.default_rng(4)
    made = PlatformBuilder(draw, False)
    apex, origin = np.array([0.1, -0.2, 1.9]), np.array([0.0, 0.1, 0.8])
    made.home = np.eye(4)
    made.home[:3, 3] = origin
    for angle in np.arange(6) * np.pi / 3 + draw.uniform(-0.2, 0.2, 6):
        foot = np.array([np.cos(angle), np.sin(angle), draw.uniform(-0.2, 0.2)])
        way = (apex - foot) * draw.uniform(0.4, 0.6)
        across = np.cross(way, draw.normal(size=3))
        hinges = [revolute(foot, across), revolute(foot, np.cross(across, way))]
        made.leg([*hinges, prismatic(foot, way, active=True)], tip=foot + way)
    motion = PlatformMotion(made.robot("struts", made.seated(), Base()))
    pose = [*map(float, origin), 0, 0, 0, 1]
    found = platform_singularities(motion, pose)
    assert found.kinds == ("type 2",)
    assert found.uncontrolled == 3
    for twist in found.twists:
        assert np.abs(np.array(twist[:3]) + np.cross(twist[3:], apex - origin)).max() < 1e-9
    # Shifted along d it can still turn about the axis d through the point; turned itself it is held.
    shifted = platform_singularities(motion, [*(origin + np.array([0.1, 0.05, 0.1])), 0, 0, 0, 1])
    assert shifted.uncontrolled == 1
    turn = np.array(shifted.twists[0][3:])
    np.testing.assert_allclose(turn / turn.max(), [1, 0.5, 1], atol=1e-9)
    assert platform_singularities(motion, about_z(0.3, tuple(origin))).platform > 1e-4


def test_similar_hexagons_are_singular_everywhere() -> None:
    """Ma and Angeles 1991: an architecture whose motors never determine the platform has no models."""
    with pytest.raises(RobosymError, match="motors"):
        PlatformMotion(robosym.load("gough-stewart-general"), parameters=hexagons(0.3, 0.3))


def test_the_matrix_of_a_platform_on_struts_is_that_of_its_lines(struts: PlatformMotion) -> None:
    robot, other = struts.robot, PlatformMotion(struts.robot, length=0.7)
    draw = np.random.default_rng(2)
    for _ in range(5):
        q = np.array([*draw.uniform(-0.15, 0.15, 3), 1.0])
        pose = [*(draw.uniform(-0.2, 0.2, 3) + np.array([-1.5, 0, 1.0])), *(q / np.linalg.norm(q))]
        for own in (struts, other):
            expected = np.linalg.svd(plucker(robot, {}, pose, own.length), compute_uv=False)
            got = own.measures(pose)
            assert got.platform[0] == pytest.approx(expected[-1], rel=1e-11)
            assert got.condition[0] == pytest.approx(expected[0] / expected[-1], rel=1e-9)
            np.testing.assert_allclose(got.motors, 1.0, atol=1e-12)


def planar_lines(pose: list[float], elbow: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Elbows and ends of the legs of planar-3rrr, by intersecting circles."""
    angle = 2 * np.arctan2(pose[5], pose[6])
    elbows, ends = [], []
    for turn in TURNS:
        base = RB * np.array([np.cos(turn), np.sin(turn)])
        end = np.array(pose[:2]) + RP * np.array([np.cos(turn + angle), np.sin(turn + angle)])
        way = end - base
        far = np.linalg.norm(way)
        along = (far**2 + L1**2 - L2**2) / (2 * far)
        aside = np.sqrt(L1**2 - along**2)
        across = np.array([way[1], -way[0]]) / far  # the first link is to the right, so the elbow turns to the left
        elbows.append(base + along * way / far + elbow * aside * across)
        ends.append(end)
    return np.array(elbows), np.array(ends)


def moment(pose: list[float]) -> float:
    """Of the unit forces along the outer links, the determinant: zero where the lines meet in a point or are parallel."""
    elbows, ends = planar_lines(pose)
    n = (ends - elbows) / np.linalg.norm(ends - elbows, axis=1)[:, None]
    rows = [[*f, np.cross([*(e - np.array(pose[:2])), 0], [*f, 0])[2]] for f, e in zip(n, ends, strict=True)]
    return float(np.linalg.det(rows))


def test_planar_lines_that_meet_in_a_point(planar: PlatformMotion) -> None:
    """The pose is sought where the determinant of the outer links' lines changes its sign."""
    low, high = 0.0, 1.4
    where = (0.02, 0.01, 0.0)
    angles = np.linspace(low, high, 60)
    values = [moment(about_z(a, where)) for a in angles]
    k = next(i for i in range(59) if np.isfinite(values[i : i + 2]).all() and values[i] * values[i + 1] < 0)
    low, high = angles[k], angles[k + 1]
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (
            (middle, high) if moment(about_z(middle, where)) * moment(about_z(low, where)) > 0 else (low, middle)
        )
    pose = about_z(low, where)
    found = platform_singularities(planar, pose)
    assert found.kinds == ("type 2",)
    assert found.uncontrolled == 1
    elbows, ends = planar_lines(pose)
    np.testing.assert_allclose([found.joints[f"leg{k + 1}_elbow"] > 0 for k in range(3)], True)
    vx, vy, vz, wx, wy, wz = found.twists[0]
    assert max(map(abs, (vz, wx, wy))) < 1e-9
    centre = np.array([where[0] - vy / wz, where[1] + vx / wz])  # at rest as the platform turns
    for elbow, end in zip(elbows, ends, strict=True):
        off = np.cross([*(end - elbow), 0], [*(centre - elbow), 0])[2]
        assert abs(off) < 1e-8
    assert platform_singularities(planar, about_z(low + 0.02, where)).platform > 1e-4


def test_delta_with_level_forearms() -> None:
    """All rods in one plane hold nothing across it; with single rods the platform can turn in it, too."""
    arm, rod, gap = 0.9, 1.055, 0.33 - 0.125
    motion = PlatformMotion(robosym.load("delta"), parameters={"LA": arm})
    level = -arm * np.sin(np.arccos((rod - gap) / arm))
    found = platform_singularities(motion, [0, 0, level, 0, 0, 0, 1])
    assert found.kinds == ("constraint",)
    np.testing.assert_allclose(np.array(found.twists)[:, [0, 1, 3, 4]], 0, atol=1e-9)
    assert found.uncontrolled == 2
    assert "the constraints of the legs depend on each other" in found.message
    assert "move along (0, 0, 1)" in found.message
    # near it, the distance falls with the inclination of the rods
    beside = motion.measures([[0, 0, level - d, 0, 0, 0, 1] for d in (0.02, 0.04)])
    assert beside.platform[1] / beside.platform[0] == pytest.approx(2, rel=0.05)


def test_the_orthoglide_is_isotropic_at_home_and_singular_with_parallel_rods() -> None:
    motion = PlatformMotion(robosym.load("orthoglide"))
    assert motion.measures(motion.home.T).condition[0] == pytest.approx(1, abs=1e-9)
    at = -motion.mechanism.values[next(s for s in motion.mechanism.values if s.name == "L")] / np.sqrt(3)
    found = platform_singularities(motion, [at, at, at, 0, 0, 0, 1])
    assert found.singular
    assert found.uncontrolled >= 2  # all rods along (1, 1, 1): across it nothing is held
    for twist in np.array(found.twists):
        assert abs(twist[:3].sum()) < 1e-6


# --- type 1 -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rounding", [0.0, 1e-13, -1e-13])
def test_a_stretched_leg(planar: PlatformMotion, rounding: float) -> None:
    """The first leg of planar-3rrr: straight at the edge of its reach."""
    found = platform_singularities(planar, about_z(0.0, (RB - L1 - L2 - RP + rounding, 0.0, 0.0)))
    assert found.kinds == ("type 1",)
    assert found.motors["leg1"] < 1e-6
    assert min(found.motors["leg2"], found.motors["leg3"]) > 0.1
    assert list(found.leg_motions) == ["leg1"]
    speeds = found.leg_motions["leg1"]
    # the ends of a straight leg of equal links at rest: crank and pivot half as fast, against the elbow
    assert speeds == pytest.approx({"leg1_motor": -0.5, "leg1_elbow": 1.0, "leg1_pivot": -0.5}, abs=1e-5)
    assert found.platform > 1e-3
    assert "leg1 can move with the platform at rest" in found.message


def test_a_universal_joint_along_its_own_axis_is_no_singularity_of_the_motors(struts: PlatformMotion) -> None:
    """A strut along the outer axis of its universal joint, x of the base: the inner link may turn, the platform is held as before."""
    robot = struts.robot
    v = {name: value.number for name, value in robot.values.items()}
    # leg 6 level along x: its seat in the base's plane at the same y as its foot
    pose = [-1.5, v["B3Y"] - v["P3Y"], v["H"], 0, 0, 0, 1]
    found = platform_singularities(struts, pose)
    assert "passive" in found.kinds
    assert found.legs["leg6"] < 1e-9
    assert found.motors["leg6"] == pytest.approx(1)
    assert "leg6" in found.leg_motions
    expected = np.linalg.svd(plucker(robot, {}, pose, found.length), compute_uv=False)[-1]
    assert found.platform == pytest.approx(expected, abs=1e-9)


# --- what is said -----------------------------------------------------------------------------------------------------


def test_a_pose_out_of_reach(planar: PlatformMotion) -> None:
    found = platform_singularities(planar, about_z(0.0, (-0.25, 0.0, 0.0)))
    assert not found.reached
    assert found.distance is None
    assert found.kinds == ()
    assert found.missing["leg1"]["m"] == pytest.approx(0.05)
    assert list(found.missing) == ["leg1"]
    assert "leg1 misses its seat by 0.05 m" in found.message
    turned = platform_singularities(robosym.load("delta"), about_z(0.2, (0, 0, -0.9)))
    assert turned.missing["leg1"]["rad"] == pytest.approx(0.2)


def test_as_json_and_as_a_sentence() -> None:
    robot = robosym.load("delta")
    found = platform_singularities(robot, np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, -0.9], [0, 0, 0, 1.0]]))
    facts = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert facts["singular"] is False
    assert facts["message"].startswith("regular: the nearest singularity is of type 1")
    assert len(facts["joints"]) == 15
    assert "type 1" in repr(found)
    again = platform_singularities(PlatformMotion(robot), [0, 0, -0.9, 0, 0, 0, 1])
    assert again.distance == pytest.approx(found.distance)


def test_batches_are_as_single_poses_and_the_mode_counts(planar: PlatformMotion) -> None:
    motion = PlatformMotion(planar.robot, mode="elbow-")
    poses = np.array([about_z(0.1, (x, 0.02, 0.0)) for x in (-0.5, -0.1, 0.0, 0.1)])
    found = motion.measures(poses)
    assert found.reached.tolist() == [False, True, True, True]
    assert np.isnan(found.distance[0])
    for k in (1, 2, 3):
        assert platform_singularities(motion, poses[k]).distance == pytest.approx(found.distance[k], rel=1e-12)
    other = planar.measures(poses)
    assert np.abs(other.platform[1:] - found.platform[1:]).min() > 1e-3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"pose": [0, 0, 0]}, r"pose: got shape \(3,\), expected \(7,\)"),
        ({"pose": [0, 0, 0, 0, 0, 0, 2]}, "quaternion has length 2, expected 1"),
        ({"pose": [[0, 0, 0, 0, 0, 0, 1]] * 2}, "got 2 poses, expected one"),
        ({"tolerance": 0}, "tolerance: got 0, expected a number above 0 and below 1"),
        ({"length": -1.0}, "length: got -1.0, expected a number above 0"),
        ({"mode": "up"}, "mode: got 'up'"),
        ({"parameters": {"XX": 1.0}}, "XX"),
        ({"pose": [0, 0, np.nan, 0, 0, 0, 1]}, "not finite"),
    ],
)
def test_what_is_wrong_is_said(planar: PlatformMotion, given: dict, message: str) -> None:
    options = {"pose": [0, 0, 0, 0, 0, 0, 1], **given}
    with pytest.raises(RobosymError, match=message):
        platform_singularities(planar.robot, options.pop("pose"), **options)


def test_robots_without_a_platform_are_refused() -> None:
    with pytest.raises(RobosymError, match="no platform on legs"):
        platform_singularities(robosym.load("rx90"), [0, 0, 0, 0, 0, 0, 1])
    with pytest.raises(RobosymError, match="expected a Robot"):
        platform_singularities("delta", [0, 0, 0, 0, 0, 0, 1])  # type: ignore[arg-type]
