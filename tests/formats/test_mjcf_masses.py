"""The inertia of bodies in a written file: MuJoCo has that of the links, and what it does not accept is raised as little as it can be."""

from __future__ import annotations

import warnings
import xml.etree.ElementTree as ET

import mujoco
import numpy as np
import pytest
from formats.test_mjcf_write import POINT, written
from mujoco_compared import Beside, compiled
from random_robots import random_inertia, random_robot

from robosym.expr import number
from robosym.formats import mjcf
from robosym.formats.mdh import pose_of
from robosym.formats.mjcf_masses import LIGHT, Masses
from robosym.formats.urdf_write import Writer
from robosym.robot import INERTIA, Base, Link, Robot, RobotError, RobotWarning


def test_links_that_mujoco_does_not_accept() -> None:
    """What does not act is completed; a rod without thickness and a massless tip are raised, all of it said."""
    flat = [{"M": 1, "MX": 0.5, "ZZ": 0.4}, {"d": 1, "M": 1, "MX": 0.5, "ZZ": 0.3}]
    robot = Robot.from_table("flat", flat, gravity=[0, -9.81, 0])
    with pytest.warns(RobotWarning, match="completed where they do not act: frame1, frame2$"):
        text = mjcf.dumps(robot)
    Beside(robot, compiled(text)).check(np.random.default_rng(1))
    rod = [
        {"M": 1, "MX": 0.5, "YY": 0.4, "ZZ": 0.4, "alpha": "pi/2"},
        {"alpha": "pi/2", **POINT},
        {"alpha": "pi/2", "joint": "tip"},
    ]
    robot = Robot.from_table("rod", [rod[1], rod[0], rod[2]], gravity=[0, -9.81, 0])
    with pytest.warns(RobotWarning, match="raised to what MuJoCo accepts: frame2, frame3"):
        text = mjcf.dumps(robot)
    Beside(robot, compiled(text)).check(np.random.default_rng(1), tolerance=1e-7)


def matrix(ten: list[float]) -> np.ndarray:
    """The ten parameters of a link as its spatial inertia about the origin of its frame, linear part first."""
    XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = ten
    S = np.array([[0, -MZ, MY], [MZ, 0, -MX], [-MY, MX, 0]])
    return np.block([[M * np.eye(3), -S], [S, np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]])]])


def of_mujoco(model: mujoco.MjModel, name: str) -> np.ndarray:
    """The same of a body, from its mass, its centre and its principal moments."""
    i = model.body(name).id
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, model.body_iquat[i])
    R, c, m = R.reshape(3, 3), model.body_ipos[i], model.body_mass[i]
    J = R @ np.diag(model.body_inertia[i]) @ R.T + m * (c @ c * np.eye(3) - np.outer(c, c))
    return matrix([J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2], *(m * c), m])


def masses_of(rows: list[dict[str, object]], **base: object) -> Masses:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RobotWarning)  # of links that no body has
        robot = Robot.from_table("arm", rows, gravity=[0, 0, -9.81])
    robot = robot.replace(base=Base(**base))  # type: ignore[arg-type]
    writer = Writer(robot)
    children: dict[int, list[int]] = {j: [] for j in range(len(rows) + 1)}
    for j, frame in enumerate(robot.frames, 1):
        children[frame.antecedent].append(j)
    poses = [np.eye(4), *(writer_pose(writer, j) for j in robot.links)]
    return Masses(writer, poses, children)


def writer_pose(writer: Writer, j: int) -> np.ndarray:
    return pose_of(writer.row_and_slope(j, writer.of.frame(j))[0])


def element(masses: Masses, j: int, moves: bool = True) -> ET.Element | None:
    body = ET.Element("body", name=f"body{j}")
    masses.write(body, j, moves)
    return body.find("inertial")


@pytest.mark.parametrize("seed", range(4))
def test_bodies_have_the_inertia_of_links(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, 5)
    base = dict(zip(INERTIA, map(number, random_inertia(rng)), strict=True))
    robot = robot.replace(base=Base("ground", link=Link(**base)))
    model = compiled(written(robot))
    frames = {robot.base.name: robot.base.link, **{frame.name: frame.link for frame in robot.frames}}
    for name, link in frames.items():
        expected = matrix([float(x.value) for x in link.inertial])
        np.testing.assert_allclose(of_mujoco(model, name), expected, atol=1e-12)


def test_moments_along_the_axes_are_written_as_such() -> None:
    """A part of 1e-17 that only the way to the centre of mass has left is no product of inertia."""
    plain = {"M": 2, "MX": 0.2, "XX": 0.1, "YY": 0.32, "ZZ": 0.32}
    made = element(masses_of([plain]), 1)
    assert made is not None
    assert made.get("fullinertia") is None
    assert [float(x) for x in (made.get("diaginertia") or "").split()] == pytest.approx([0.1, 0.3, 0.3])
    assert (made.get("pos"), made.get("mass")) == ("0.1 0 0", "2")
    skew = element(masses_of([{**plain, "XY": 0.01}]), 1)
    assert skew is not None
    assert [float(x) for x in (skew.get("fullinertia") or "").split()] == pytest.approx([0.1, 0.3, 0.3, 0.01, 0, 0])


# --- links that MuJoCo does not accept --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_what_is_raised_is_possible_and_little_else_changes(seed: int) -> None:
    """Moments of any sign: all positive then, none larger than the sum of the others, none smaller than before, and those that
    were possible stay. The axes stay too."""
    rng = np.random.default_rng(seed)
    masses = masses_of([POINT])
    axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    moments = rng.uniform(-0.3, 1, 3) * rng.choice([1, 1e-3], 3) if seed % 4 else rng.uniform(1, 1.5, 3)
    given = axes @ np.diag(moments) @ axes.T
    made = masses._raised("link", given, 2.0)
    found = np.linalg.eigvalsh(made)
    assert found[0] > 0
    assert found[0] + found[1] >= found[2]
    own = np.sort(moments)
    assert (found >= own - 1e-12).all()
    np.testing.assert_allclose(made @ given, given @ made, atol=1e-12)
    possible = own[0] > 0 and own[0] + own[1] >= own[2]
    assert bool(masses.raised) != possible
    if possible:
        np.testing.assert_allclose(made, given, atol=1e-12)
    if own[2] > 0:
        assert found[2] == pytest.approx(own[2], rel=1e-8)


def test_the_least_mass_is_measured_by_that_of_the_robot() -> None:
    masses = masses_of([{**POINT, "M": 2}, {"d": 1.0}, {**POINT, "M": 3, "antecedent": 1}])
    assert masses.light == pytest.approx(LIGHT * 5)
    made = element(masses, 2)
    assert made is not None
    assert float(made.get("mass") or 0) == pytest.approx(masses.light)
    assert masses.raised == ["body2"]
    assert masses_of([{}]).light == LIGHT


def test_a_link_without_mass_that_does_not_move_is_left_empty() -> None:
    masses = masses_of([{}, POINT])
    assert element(masses, 1, moves=False) is None
    assert element(masses, 0, moves=False) is None
    assert masses.notes() == []


@pytest.mark.parametrize("between", [0, 1, 2])
def test_the_mass_of_what_is_fixed_to_a_link_is_enough(between: int) -> None:
    """Directly, or to a frame that is fixed to it; what moves on it does not count."""
    fixed: list[dict[str, object]] = [{"sigma": "fixed", "d": 0.1} for _ in range(between)]
    masses = masses_of([{}, *fixed, {**POINT, "sigma": "fixed"}])
    assert element(masses, 1) is None
    masses = masses_of([{}, *fixed, POINT])
    assert element(masses, 1) is not None
    assert masses.raised == ["body1"]


def test_directions_about_which_links_turn() -> None:
    rows = [
        {"sigma": "prismatic", "theta": 0.3},
        {**POINT, "alpha": "pi/3"},
        {**POINT, "d": 1, "alpha": "pi"},
        {**POINT, "alpha": 0.1},
        {**POINT, "antecedent": 0},
    ]
    none, slide, one, parallel, any_, beside = masses_of(rows).turning
    assert (none, slide, any_) == ((), (), None)
    for own, sign in ((one, 1), (parallel, -1), (beside, 1)):  # the axis, in the link's own axes
        assert own is not None
        (direction,) = own
        np.testing.assert_allclose(direction, [0, 0, sign], atol=1e-12)
    assert masses_of(rows, floating=True).turning == [None] * 6


def test_what_does_not_act_is_completed_and_not_raised() -> None:
    """The moment about the axis stays; a link that does not turn at all may have any."""
    masses = masses_of([{"M": 2, "ZZ": 0.5}, {"sigma": "prismatic", "antecedent": 0, "M": 3}])
    turning, sliding = element(masses, 1), element(masses, 2)
    assert turning is not None
    assert sliding is not None
    assert turning.get("diaginertia") == "0.5 0.5 0.5"
    assert [float(x) for x in (sliding.get("diaginertia") or "").split()] == pytest.approx([0.03] * 3)
    assert masses.completed == ["body1", "body2"]
    assert masses.notes() == ["moments left out are completed where they do not act: body1, body2"]


@pytest.mark.parametrize(
    ("link", "problem"),
    [
        ({"MX": 1}, "M: a first moment without mass cannot be written in MJCF"),
        ({"MX": 1, "ZZ": 1}, "M: a first moment without mass cannot be written in MJCF"),
        ({"M": -2, "ZZ": 1}, "M: the mass -2 is negative"),
    ],
)
def test_impossible_links_are_errors_by_their_names(link: dict[str, float], problem: str) -> None:
    masses = masses_of([dict(link)], link=Link(**{key: number(x) for key, x in link.items()}))
    for j in (0, 1):
        assert element(masses, j) is None
    assert list(map(str, masses.writer.problems)) == [f"base, {problem}", f"frame 1, {problem}"]
    with pytest.raises(RobotError, match="frame 1, M: "):
        mjcf.dumps(masses.writer.of)


def test_huge_and_tiny_links() -> None:
    """Twelve powers of ten apart, in one robot: each body has its own numbers to the last digits that MuJoCo keeps."""
    rng = np.random.default_rng(3)
    rows = [{name: x * scale for name, x in zip(INERTIA, random_inertia(rng), strict=True)} for scale in (1e6, 1, 1e-6)]
    robot = Robot.from_table("arm", [{**row, "alpha": 0.4} for row in rows], gravity=[0, 0, -9.81])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = compiled(mjcf.dumps(robot))
    for frame, row in zip(robot.frames, rows, strict=True):
        expected = matrix(list(row.values()))
        np.testing.assert_allclose(of_mujoco(model, frame.name), expected, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("sigma", ["ball", "planar"])
def test_a_link_on_a_ball_can_turn_about_any_direction(sigma: str) -> None:
    """Moments that it lacks act there; those across a plane do not."""
    robot = Robot.from_table("x", [{"sigma": sigma, "M": 1, "ZZ": 0.1}], gravity=[0, 0, -9.81])
    said = "are raised to what MuJoCo accepts" if sigma == "ball" else "completed where they do not act"
    with pytest.warns(RobotWarning, match=f"{said}: frame1"):
        mjcf.dumps(robot)
