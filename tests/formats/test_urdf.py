"""URDF in and out against Pinocchio: poses of links, inertia, mimic joints, free bases; and every kind of bad file."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest
from formats.random_joints import Twin, random_parts
from formats.random_joints import urdf as urdf_text
from formats.urdf_texts import joint, robot_of
from real_robots import URDFS, urdf_file

from robosym import models
from robosym.expr import evaluate, number, parameter, pi, variable
from robosym.formats import urdf
from robosym.robot import (
    FIXED,
    PRISMATIC,
    REVOLUTE,
    Actuator,
    Base,
    Frame,
    Joint,
    Limits,
    Link,
    Robot,
    RobotError,
    RobotWarning,
    Value,
)

# --- an independent float model of a Robot, and Pinocchio's --------------------------------------------------------


def elementary(axis: int, angle: float, shift: float) -> np.ndarray:
    """Rotation about and translation along one axis."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(4)
    matrix[i, i] = matrix[j, j] = math.cos(angle)
    matrix[j, i], matrix[i, j] = math.sin(angle), -math.sin(angle)
    matrix[axis, 3] = shift
    return matrix


def poses(robot: Robot, q: dict[str, float]) -> list[np.ndarray]:
    """Every frame in frame 0, for positions by joint name."""
    state = {robot.frame(j).joint.variable: q[robot.frame(j).joint.name] for j in robot.moving}
    result: dict[int, np.ndarray] = {0: np.eye(4)}
    for j in robot.order:
        gamma, b, alpha, d, theta, r = evaluate(robot.geometry(j), state)
        local = elementary(2, gamma, b) @ elementary(0, alpha, d) @ elementary(2, theta, r)
        result[j] = result[robot.frame(j).antecedent] @ local
    return [result[j] for j in range(len(robot.frames) + 1)]


def spatial_inertia(link: Link) -> np.ndarray:
    """[m E, -S; S, J] about the frame's origin, linear part first, with S the cross-product matrix of the moments."""
    XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = evaluate(link.inertial, {})
    S = np.array([[0, -MZ, MY], [MZ, 0, -MX], [-MY, MX, 0]])
    J = np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]])
    return np.block([[M * np.eye(3), -S], [S, J]])


def motion_to(matrix: np.ndarray) -> np.ndarray:
    """Takes a twist of frame 0 to the frame whose pose is given."""
    R, p = matrix[:3, :3], matrix[:3, 3]
    P = np.array([[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]])
    return np.block([[R.T, -R.T @ P], [np.zeros((3, 3)), R.T]])


def composite_inertia(robot: Robot, q: dict[str, float]) -> np.ndarray:
    """Of the whole robot, about frame 0."""
    links = [robot.base.link, *(frame.link for frame in robot.frames)]
    moved = [motion_to(matrix) for matrix in poses(robot, q)]
    return sum(X.T @ spatial_inertia(link) @ X for X, link in zip(moved, links, strict=True))


def mass_matrix(robot: Robot, q: dict[str, float]) -> np.ndarray:
    """A = sum over the links of J' I J, in the order of robot.moving."""
    at = poses(robot, q)
    column = {j: i for i, j in enumerate(robot.moving)}
    A = np.zeros((len(column), len(column)))
    for j in robot.links:
        J = np.zeros((6, len(column)))
        for k in robot.path(j):
            frame = robot.frame(k)
            if frame.sigma == FIXED:
                continue
            z, p = at[k][:3, 2], at[k][:3, 3]
            twist = np.concatenate([z, np.zeros(3)] if frame.sigma == PRISMATIC else [np.cross(p, z), z])
            master, ratio = k, 1.0
            while (mimic := robot.frame(master).joint.mimic) is not None:
                ratio *= float(evaluate([mimic.ratio], {})[0])
                master = mimic.frame
            J[:, column[master]] += ratio * twist
        J = motion_to(at[j]) @ J
        A += J.T @ spatial_inertia(robot.frame(j).link) @ J
    return A


def random_state(rng: np.random.Generator, robot: Robot) -> dict[str, float]:
    return {name: float(rng.uniform(-3, 3)) for name in robot.joint_names}


def pin_state(model: pin.Model, q: dict[str, float]) -> np.ndarray:
    """Positions by joint name in Pinocchio's order; a continuous joint is (cos, sin) there."""
    state = pin.neutral(model)
    for name, value in q.items():
        joint = model.joints[model.getJointId(name)]
        state[joint.idx_q : joint.idx_q + joint.nq] = [math.cos(value), math.sin(value)] if joint.nq == 2 else value
    return state


def worst_link_error(robot: Robot, model: pin.Model, q: dict[str, float]) -> float:
    data = model.createData()
    pin.framesForwardKinematics(model, data, pin_state(model, q))
    at = poses(robot, q)
    worst, links = 0.0, 0
    for frame, placement in zip(model.frames, data.oMf, strict=True):
        if frame.type == pin.FrameType.BODY and frame.name != "universe":
            worst = max(worst, np.abs(at[robot.number(frame.name)] - placement.homogeneous).max())
            links += 1
    assert links > 0
    return worst


def assert_same_inertia(robot: Robot, model: pin.Model, q: dict[str, float]) -> None:
    """The kinetic energy matrices agree."""
    data = model.createData()
    A = pin.crba(model, data, pin_state(model, q))
    A = np.triu(A) + np.triu(A, 1).T
    order = [model.joints[model.getJointId(name)].idx_v for name in robot.joint_names]
    np.testing.assert_allclose(mass_matrix(robot, q), A[np.ix_(order, order)], rtol=0, atol=1e-12 * np.abs(A).max())


# --- the real files --------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=8)
@pytest.mark.parametrize("name", URDFS)
@pytest.mark.parametrize("mimic", [True, False])
def test_real_files_agree_with_pinocchio(name: str, mimic: bool) -> None:
    path = urdf_file(name)
    robot = urdf.read(path, mimic=mimic)
    model = pin.buildModelFromUrdf(str(path), mimic=mimic)
    assert set(robot.joint_names) == {n for n, j in zip(model.names, model.joints, strict=True) if j.nv} - {"universe"}
    rng = np.random.default_rng(1)
    states = [random_state(rng, robot) for _ in range(20)]
    assert max(worst_link_error(robot, model, q) for q in states) < 1e-12
    for q in states[:3]:
        assert_same_inertia(robot, model, q)


@pytest.mark.parametrize("name", URDFS)
def test_total_inertia_with_a_free_base(name: str) -> None:
    """Mass, first moment and inertia of the whole robot about its base, the base's own links included."""
    path = urdf_file(name)
    robot = urdf.read(path, floating=True)
    assert robot.base.floating
    assert robot.nq == robot.nv + 1
    model = pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer(), mimic=True)
    data = model.createData()
    q = random_state(np.random.default_rng(2), robot)
    pin.crba(model, data, pin_state(model, q))
    expected = data.Ycrb[1].matrix()
    np.testing.assert_allclose(composite_inertia(robot, q), expected, rtol=0, atol=1e-12 * np.abs(expected).max())


@pytest.mark.parametrize("name", URDFS)
def test_real_files_round_trip(tmp_path: Path, name: str) -> None:
    robot = urdf.read(urdf_file(name))
    copy = tmp_path / "copy.urdf"
    copy.write_text(urdf.dumps(robot))
    again = urdf.read(copy)
    assert again.name == robot.name
    assert again.joint_names == robot.joint_names
    q = random_state(np.random.default_rng(3), robot)
    at, at_again = poses(robot, q), poses(again, q)
    for j, frame in enumerate(robot.frames, 1):
        np.testing.assert_allclose(at_again[again.number(frame.name)], at[j], rtol=0, atol=1e-12)
    expected = composite_inertia(robot, q)
    np.testing.assert_allclose(composite_inertia(again, q), expected, rtol=0, atol=1e-12 * np.abs(expected).max())
    for j in robot.moving:
        same = again.frame(again.number(robot.frame(j).name))
        assert same.joint.limits == robot.frame(j).joint.limits
        assert same.actuator == robot.frame(j).actuator
    model = pin.buildModelFromUrdf(str(copy), mimic=True)  # and another parser reads what we write
    assert worst_link_error(robot, model, q) < 1e-12


def test_the_panda_is_its_published_table() -> None:
    """Franka's own modified DH parameters: alpha, d (their a) and r (their d) of joints 1 to 7."""
    robot = urdf.read(urdf_file("panda"))
    half = pi / 2
    published = [
        (0, 0, 0.333), (-half, 0, 0), (half, 0, 0.316), (half, 0.0825, 0), (-half, -0.0825, 0.384), (half, 0, 0),
        (half, 0.088, 0),
    ]  # fmt: skip
    for j, (alpha, d, r) in enumerate(published, 1):
        frame = robot.frame(j)
        assert (frame.gamma, frame.b) == (number(0), number(0))
        assert (frame.alpha, frame.d, frame.r) == (alpha + number(0), number(d), number(r))


def test_mimic_joints_depend_or_are_free() -> None:
    path = urdf_file("panda")
    robot = urdf.read(path)
    assert "panda_finger_joint2" not in robot.joint_names
    assert len(robot.joint_names) == 8
    free = urdf.read(path, mimic=False)
    assert free.joint_names[7:] == ("panda_finger_joint1", "panda_finger_joint2")


def test_mimic_ratios_offsets_and_chains(tmp_path: Path) -> None:
    """A joint that mimics one that mimics another, each with a ratio and an offset, as the file comes and written."""
    limit = '<limit lower="-9" upper="9" effort="1" velocity="1"/>'
    origin = '<origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/>'
    mass = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    text = '<robot name="mimics">' + "".join(f'<link name="{n}">{mass}</link>' for n in "abcd") + joint(
        "i", "a", "b", inside=f'<axis xyz="0 -1 0"/>{origin}{limit}'
    ) + joint(
        "j", "b", "c", inside=f'<axis xyz="0.6 0 0.8"/>{origin}{limit}<mimic joint="i" multiplier="-2" offset="0.1"/>'
    )  # fmt: skip
    one = text + joint("k", "c", "d", "prismatic", f"{origin}{limit}") + "</robot>"
    path = tmp_path / "mimics.urdf"
    path.write_text(one)
    robot, model = urdf.read(path), pin.buildModelFromXML(one, mimic=True)
    q = {"i": 0.7, "k": -0.3}
    assert robot.joint_names == ("i", "k")
    assert worst_link_error(robot, model, q) < 1e-14
    assert_same_inertia(robot, model, q)
    path.write_text(text + joint("k", "c", "d", "prismatic", f'{limit}<mimic joint="j" multiplier="3"/>') + "</robot>")
    robot = urdf.read(path)
    free = urdf.read(path, mimic=False)
    path.write_text(urdf.dumps(robot))
    chained = {"i": 0.7, "j": -2 * 0.7 + 0.1, "k": 3 * (-2 * 0.7 + 0.1)}
    for again in (robot, urdf.read(path)):
        assert again.joint_names == ("i",)
        np.testing.assert_allclose(poses(again, q), poses(free, chained), atol=1e-14)


def test_snap_cleans_angles_of_twelve_digits() -> None:
    """1.57079632679 is kept by default (it is 5e-12 away), and is pi/2 for who asks."""
    path = urdf_file("kinova")
    kept, robot = urdf.read(path), urdf.read(path, snap=1e-9)
    assert all(kept.frame(j).alpha.is_number for j in kept.moving)
    assert [str(robot.frame(j).alpha) for j in robot.moving] == ["pi", "pi/2", "pi", "pi/2", "pi/2", "pi/2"]
    lengths = [
        robot.frame(j).d for j in robot.moving
    ]  # axes that are 5e-12 from meeting meet, and the upper arm is left
    assert lengths == [number(0.41) if k == 2 else number(0) for k in range(6)]
    model = pin.buildModelFromUrdf(str(path))
    assert worst_link_error(robot, model, random_state(np.random.default_rng(4), robot)) < 1e-9


# --- random robots ---------------------------------------------------------------------------------------------------


def numbers(values: object) -> str:
    return " ".join(repr(float(value)) for value in values)  # type: ignore[attr-defined]


def random_urdf(rng: np.random.Generator, n: int) -> str:
    """A tree of n joints in any order of the file: clean, noisy, almost clean and arbitrary origins and axes."""

    def angle() -> float:
        clean = float(rng.integers(-2, 3)) * math.pi / 2
        kind = rng.random()
        if kind < 0.5:
            return clean
        return clean + float(rng.choice([-1, 1]) * 10 ** rng.uniform(-17, -1)) if kind < 0.7 else rng.uniform(-3, 3)

    def direction() -> np.ndarray:
        if rng.random() < 0.7:
            return np.eye(3)[rng.integers(3)] * rng.choice([-1, 1])
        axis = rng.normal(size=3)
        return axis / np.linalg.norm(axis)

    elements = ['<link name="l0"/>']
    for i in range(1, n + 1):
        parent = i - 1 if rng.random() < 0.7 else int(rng.integers(i))
        kind = rng.choice(["revolute", "continuous", "prismatic", "fixed"], p=[0.4, 0.2, 0.2, 0.2])
        xyz = rng.uniform(-0.5, 0.5, 3) * rng.integers(0, 2, 3)
        elements.append(
            f'<joint name="j{i}" type="{kind}"><parent link="l{parent}"/><child link="l{i}"/>'
            f'<origin xyz="{numbers(xyz)}" rpy="{numbers([angle(), angle(), angle()])}"/>'
            f'<axis xyz="{numbers(direction())}"/>'
            '<limit lower="-2" upper="3" effort="10" velocity="5"/></joint>'
        )
        square = rng.normal(size=(3, 3))
        I = square @ square.T * 0.01
        elements.append(
            f'<link name="l{i}"><inertial><origin xyz="{numbers(rng.uniform(-0.2, 0.2, 3))}"'
            f' rpy="{numbers([angle(), 0, angle()])}"/><mass value="{rng.uniform(0.1, 3)}"/>'
            f'<inertia ixx="{I[0, 0]}" ixy="{I[0, 1]}" ixz="{I[0, 2]}" iyy="{I[1, 1]}" iyz="{I[1, 2]}"'
            f' izz="{I[2, 2]}"/></inertial></link>'
        )
    order = rng.permutation(len(elements))
    return '<robot name="random">' + "\n".join(elements[i] for i in order) + "</robot>"


@pytest.mark.mostly_slow(fast=9)
@pytest.mark.parametrize("seed", range(60))
def test_random_files_agree_with_pinocchio(tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    text = random_urdf(rng, int(rng.integers(1, 25)))
    path = tmp_path / "random.urdf"
    path.write_text(text)
    robot, model = urdf.read(path), pin.buildModelFromXML(text)
    for _ in range(3):
        q = random_state(rng, robot)
        assert worst_link_error(robot, model, q) < 1e-12
        if robot.joint_names:
            assert_same_inertia(robot, model, q)
    path.write_text(urdf.dumps(robot))
    again = urdf.read(path)
    assert worst_link_error(again, model, q) < 1e-12
    if again.joint_names:
        assert_same_inertia(again, model, q)


# --- small files -----------------------------------------------------------------------------------------------------

Loader = Callable[..., Robot]


@pytest.fixture
def load(tmp_path: Path) -> Loader:
    def from_text(text: str, **options: bool) -> Robot:
        path = tmp_path / "small.urdf"
        path.write_text(text, encoding="utf-8")
        return urdf.read(path, **options)

    return from_text


def test_joints_and_links_keep_their_names(load: Loader) -> None:
    robot = load(
        robot_of(
            joint("second", "b", "c", "prismatic", '<axis xyz="0 0 -1"/><dynamics damping="0.5" friction="0.25"/>'),
            joint("first", "a", "b", inside='<axis xyz="0 0 1"/><limit lower="-1" upper="2" effort="inf"/>'),
        )
    )
    assert (robot.name, robot.base.name, robot.joint_names) == ("small", "a", ("first", "second"))
    first, second = (robot.frame(j) for j in robot.moving)
    assert first.joint.limits == Limits(-1.0, 2.0)
    assert second.actuator == Actuator(Fv=number(0.5), Fs=number(0.25))
    assert (first.sigma, second.sigma) == (REVOLUTE, PRISMATIC)
    at = poses(robot, {"first": 0.0, "second": 0.75})
    np.testing.assert_allclose(at[robot.number("c")], elementary(2, 0.0, -0.75), atol=1e-15)


def test_q_goes_along_the_tree_then_as_in_the_file(load: Loader) -> None:
    text = robot_of(
        joint("tip", "c", "d"), joint("left", "a", "b"), joint("lift", "e", "c"), joint("mount", "a", "e", "fixed"),
        links="d c b a e",
    )  # fmt: skip
    assert load(text).joint_names == ("left", "lift", "tip")
    swapped = robot_of(joint("y", "a", "c"), joint("x", "a", "b"))
    assert load(swapped).joint_names == ("y", "x")


def test_a_floating_joint_at_the_root_frees_the_base(load: Loader) -> None:
    text = robot_of(joint("free", "a", "b", "floating"), joint("j", "b", "c"))
    robot = load(text)
    assert (robot.base.name, robot.base.floating, robot.nq, robot.nv) == ("b", True, 8, 7)
    again = load(urdf.dumps(robot))
    assert (again.base.name, again.base.floating, again.nq) == ("b", True, 8)


def test_mass_fixed_to_the_base_is_the_base_s(load: Loader) -> None:
    inertial = (
        '<link name="d"><inertial><mass value="2"/><origin xyz="0 0 1"/>'
        '<inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>'
    )
    robot = load(robot_of(joint("j", "a", "b"), joint("f", "a", "c", "fixed"), joint("g", "c", "d", "fixed"), inertial))
    assert robot.base.link == Link(XX=number(2), YY=number(2), MZ=number(2), M=number(2))


# --- writing ---------------------------------------------------------------------------------------------------------


def frame(j: int, **geometry: object) -> Frame:
    q = variable(f"q{j}")
    return Frame(f"link{j}", j - 1, Joint(f"q{j}", q), **{"theta": q, **geometry})  # type: ignore[arg-type]


def test_values_replace_symbols(load: Loader) -> None:
    symbolic = Robot("arm", (frame(1), frame(2, d=parameter("L"))), values={"L": Value(0.5)})
    robot = load(urdf.dumps(symbolic))
    assert robot.frame(2).d == number(0.5)


def test_what_cannot_be_written_is_named() -> None:
    unknown = Robot("arm", (frame(1), frame(2, d=parameter("L"), alpha=parameter("A"))))
    with pytest.raises(RobotError, match="these symbols have none: A, L"):
        urdf.dumps(unknown)
    with pytest.raises(RobotError, match="1 closed loop"):
        urdf.dumps(Robot("loop", (frame(1), frame(2), frame(3)), loops=1))
    with pytest.raises(RobotError, match="frame 1, theta: expected q plus a constant, got 2\\*q1"):
        urdf.dumps(Robot("odd", (frame(1, theta=2 * variable("q1")),)))
    with pytest.raises(RobotError, match="frame 1: URDF needs constants, and the geometry holds q2"):
        urdf.dumps(Robot("odd", (frame(1, d=variable("q2")),)))
    with pytest.raises(RobotError, match="two joints are named 'q1'"):
        urdf.dumps(Robot("twins", (frame(1), replace(frame(1), name="other"))))
    with pytest.raises(RobotError, match="frame 1, M: a first moment without mass"):
        urdf.dumps(Robot("odd", (frame(1, link=Link(MX=number(1))),)))


def test_what_is_lost_is_said() -> None:
    robot = Robot("arm", (frame(1, actuator=Actuator(Ia=number(1))),))
    with pytest.warns(RobotWarning, match="URDF has no place for the rotor inertias Ia$"):
        urdf.dumps(robot)
    pushing = Robot("arm", (frame(1),), base=Base(link=Link(wrench=(number(1), *[number(0)] * 5))))
    with pytest.warns(RobotWarning, match="URDF has no place for external wrenches$"):
        urdf.dumps(pushing)
    falling = Robot("arm", (frame(1),), gravity=(number(0), parameter("G2"), number(0)), values={"G2": Value(-9.81)})
    with pytest.warns(RobotWarning, match=r"URDF has no place for gravity \(it is read as 0, 0, -9.81\)"):
        urdf.dumps(falling)
    urdf.dumps(falling.replace(gravity=(number(0), number(0), parameter("G2"))))  # the one that is read


def test_a_reversed_joint_keeps_its_sign(load: Loader) -> None:
    robot = Robot("arm", (frame(1, theta=pi / 2 - variable("q1"), d=number(1)),))
    again = load(urdf.dumps(robot))
    q = {"q1": 0.3}
    np.testing.assert_allclose(poses(again, q)[again.number("link1")], poses(robot, q)[1], atol=1e-15)


# --- joints of several axes -------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=6)
@pytest.mark.parametrize("seed", range(40))
def test_planar_and_floating_joints_beside_pinocchio(load: Loader, seed: int) -> None:
    """A planar joint moves along x and y and turns about z of the frame whose z is the axis, turned the least."""
    rng = np.random.default_rng(seed)
    parts = random_parts(rng, ["planar", "floating", "revolute"], 3, joints_apart=False)
    Twin(parts).check(load(urdf_text(parts).replace('type="revolute"', 'type="continuous"')), rng)


def test_the_frame_of_a_planar_joint_is_that_of_its_link_where_the_axis_is_z(load: Loader) -> None:
    robot = load(robot_of(joint("j", "a", "b", "planar", '<axis xyz="0 0 2"/>'), links="a b"))
    assert [(frame.name, frame.joint.name) for frame in robot.frames] == [("b", "j")]
    assert [symbol.name for symbol in robot.coordinates] == ["q1_x", "q1_y", "q1_angle"]
    robot = load(robot_of(joint("j", "a", "b", "planar"), links="a b"))  # x is the axis where nothing is said
    T = models.transform(robot, frame="b", reference="a").evaluate(q=[0.1, 0.2, 0.3])
    np.testing.assert_allclose(T[:3, 3], [0, 0.2, -0.1], atol=1e-15)
    np.testing.assert_allclose(T[:3, 0], [1, 0, 0], atol=1e-15)


def test_a_floating_joint_in_the_tree(load: Loader) -> None:
    robot = load(robot_of(joint("j", "a", "b"), joint("free", "b", "c", "floating")))
    assert (robot.base.floating, robot.joint_names, robot.nq, robot.nv) == (False, ("j", "free"), 8, 7)


def test_what_has_no_place_on_joints_of_several_axes(load: Loader) -> None:
    for tag in ('<limit effort="1" velocity="1"/>', '<dynamics damping="0.1"/>', '<mimic joint="k"/>'):
        name = tag[1:].split()[0]
        with pytest.warns(RobotWarning, match=f"joint 'j', {name}: a planar joint has no place for it"):
            load(robot_of(joint("j", "a", "b", "planar", tag), joint("k", "b", "c")))
