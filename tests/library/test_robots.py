"""The built-in robots: the facts of the literature, the numbers of their makers, and Pinocchio."""

from __future__ import annotations

import math
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pinocchio as pin
import pytest
from published_robots import GEOMETRY
from real_robots import urdf_file

from robosym.expr import Expr, evaluate, number, parameter, parse
from robosym.formats import toml
from robosym.library import load, robot_names
from robosym.models import transform
from robosym.robot import FIXED, INERTIA, PRISMATIC, Robot, Value
from robosym.robot.checks import missing_values, problems

# fmt: off
NAMES = (
    "bennett", "double-pendulum", "five-bar", "five-bar-general", "four-bar", "general-6r", "palletizer", "panda",
    "planar-2r", "planar-3r", "puma560", "puma560-symmetric", "renaud-6r", "rx90", "rx90-symmetric", "scara",
    "slider-crank", "sr400", "stanford", "stanford-3", "stanford-symmetric", "ur5",
)
PARALLEL = (  # tested in test_parallel.py
    "delta", "gough-stewart", "gough-stewart-40", "gough-stewart-general", "orthoglide", "planar-3rrr",
)
NOT_IN_THE_LITERATURE = (
    "bennett", "double-pendulum", "five-bar-general", "general-6r", "palletizer", "panda", "planar-2r", "planar-3r",
    "slider-crank", "ur5",
)
# fmt: on
FACTS = tuple(name for name in NAMES if name not in NOT_IN_THE_LITERATURE)
QUARTER = math.pi / 2
STATES = np.random.default_rng(560).uniform(-math.pi, math.pi, (20, 3, 8))


def test_every_robot_of_the_library_is_listed() -> None:
    assert robot_names() == tuple(sorted((*NAMES, *PARALLEL)))


@pytest.mark.parametrize("name", NAMES)
class TestEveryRobot:
    def test_loads_without_problem_or_warning(self, name: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            robot = load(name)
        assert problems(robot) == []
        assert robot.name == name
        assert robot.description

    def test_has_a_sourced_value_for_every_parameter(self, name: str) -> None:
        robot = load(name)
        assert missing_values(robot) == []
        assert all(value.unit and value.source for value in robot.values.values())

    def test_gravity_acts(self, name: str) -> None:
        robot = load(name)
        assert np.linalg.norm(numeric(robot, robot.gravity)) == pytest.approx(9.81)

    def test_counts_its_frames(self, name: str) -> None:
        """N_F = N_L + 2B; the frames of the links are link1, link2 ..., and every link but a fixed one has a mass."""
        robot = load(name)
        assert len(robot.frames) == robot.n_links + 2 * robot.loops
        for j in robot.links:
            frame = robot.frame(j)
            if frame.sigma != FIXED:
                assert frame.name == f"link{j}"
                assert numeric(robot, [frame.link.M])[0] > 0

    def test_round_trips(self, name: str) -> None:
        robot = load(name)
        assert toml.loads(toml.dumps(robot)) == robot


# --- the facts of the literature -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GEOMETRY)
def test_geometry_is_the_published_one(name: str) -> None:
    table, robot = GEOMETRY[name], load(name)
    assert tuple(frame.antecedent for frame in robot.frames) == table.antecedent
    assert tuple(frame.sigma for frame in robot.frames) == table.sigma
    assert tuple(int(f.joint.active and f.sigma != FIXED) for f in robot.frames) == table.active
    quarter = parse("pi/2")
    for j, alpha in zip(table.joints, table.alpha, strict=True):
        frame = robot.frame(j)
        assert (frame.alpha, frame.gamma) == (alpha * quarter, table.gamma.get(j, 0) * quarter)
        assert (frame.d, frame.b) == (parse(table.d.get(j, "0"), parameter), number(0))
        moving = frame.sigma == PRISMATIC
        assert frame.r == (frame.joint.variable if moving else parse(table.r.get(j, "0"), parameter))


def test_every_robot_of_the_literature_has_its_table() -> None:
    assert set(GEOMETRY) == set(FACTS)


@pytest.mark.parametrize("name", [name for name, table in GEOMETRY.items() if table.moments])
def test_symmetric_links_keep_these_parameters(name: str) -> None:
    robot = load(name)
    for j, axis in zip(GEOMETRY[name].joints, GEOMETRY[name].moments, strict=True):
        kept = {"XX", "YY", "ZZ", "M", f"M{axis.upper()}"}
        link, actuator = robot.frame(j).link, robot.frame(j).actuator
        assert {n: getattr(link, n) for n in INERTIA if not getattr(link, n).is_zero} == {
            n: parameter(f"{n}{j}") for n in kept
        }
        assert actuator.Ia is (number(0) if name == "renaud-6r" else parameter(f"IA{j}"))
        assert actuator.Fv.is_zero
        assert actuator.Fs.is_zero


def test_rx90_lengths() -> None:
    values = load("rx90").values
    assert (values["D3"].number, values["RL4"].number) == (0.45, 0.45)


# --- numbers of a robot ----------------------------------------------------------------------------------------------


def numeric(robot: Robot, entries: Sequence[Expr], **variables: float) -> list[float]:
    known = {name: value.number for name, value in robot.values.items()}
    return [float(value) for value in evaluate(list(entries), {**known, **variables})]


def about_z(angle: float) -> pin.SE3:
    return pin.SE3(pin.utils.rotate("z", angle), np.zeros(3))


def about_x(angle: float) -> pin.SE3:
    return pin.SE3(pin.utils.rotate("x", angle), np.zeros(3))


def along(x: float, z: float) -> pin.SE3:
    return pin.SE3(np.eye(3), np.array([x, 0.0, z]))


def inertia(robot: Robot, j: int) -> pin.Inertia:
    XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = numeric(robot, robot.frame(j).link.inertial)
    moments, centre = np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]]), np.array([MX, MY, MZ]) / M
    central = moments - M * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    return pin.Inertia(M, centre, np.where(np.abs(central) < 1e-16, 0.0, central))  # a point mass has none: no -1e-17


def pinocchio_model(robot: Robot) -> pin.Model:
    """A serial robot in Pinocchio, from the description's own numbers (rotor inertias left out)."""
    model = pin.Model()
    model.gravity.linear = np.array(numeric(robot, robot.gravity))
    for j in robot.links:
        frame = robot.frame(j)
        if frame.sigma == FIXED:
            continue
        at_rest = {str(frame.joint.variable): 0.0}
        gamma, b, alpha, d, theta, r = numeric(robot, frame.geometry, **at_rest)
        placement = about_z(gamma) * along(0, b) * about_x(alpha) * along(d, 0) * about_z(theta) * along(0, r)
        add_body(model, placement, frame.sigma == PRISMATIC, inertia(robot, j))
    return model


def add_body(model: pin.Model, placement: pin.SE3, prismatic: bool, body: pin.Inertia) -> None:
    joint = pin.JointModelPZ() if prismatic else pin.JointModelRZ()
    index = model.addJoint(model.njoints - 1, joint, placement, f"joint{model.njoints}")
    model.appendBodyToJoint(index, body, pin.SE3.Identity())


class Distal(NamedTuple):
    """A row of a standard (distal) Denavit-Hartenberg table with its link, as the makers and Paul publish them."""

    d: float
    a: float
    alpha: float
    mass: float
    centre: tuple[float, float, float]
    moments: tuple[float, float, float] = (0.0, 0.0, 0.0)  # about the centre of mass
    prismatic: bool = False

    @property
    def end(self) -> pin.SE3:
        """The distal frame, from the body frame on the joint's axis."""
        return along(self.a, self.d) * about_x(self.alpha)


def distal_model(rows: Sequence[Distal]) -> pin.Model:
    model, placement = pin.Model(), pin.SE3.Identity()
    for row in rows:
        body = row.end.act(pin.Inertia(row.mass, np.array(row.centre), np.diag(row.moments)))
        add_body(model, placement, row.prismatic, body)
        placement = row.end
    return model


def states(n: int) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    return ((state[0, :n], state[1, :n], state[2, :n]) for state in STATES)


def torques(model: pin.Model, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    return np.array(pin.rnea(model, model.createData(), q, qd, qdd))


def gravity_torques(model: pin.Model, q: np.ndarray) -> np.ndarray:
    return torques(model, q, np.zeros_like(q), np.zeros_like(q))


# --- puma560 ---------------------------------------------------------------------------------------------------------

# The set of Corke and Armstrong-Helouvry: distal frames, inertias about the centres of mass, right arm. Link 1 has no
# mass there; Pinocchio needs a positive one, and it does not act. The toolboxes' centre of link 4 is (0, 0.019, 0), the
# opposite of the measured one.
PUMA = (
    Distal(0, 0, QUARTER, 1e-9, (0, 0, 0), (0, 0.35, 0)),
    Distal(0, 0.4318, 0, 17.4, (-0.3638, 0.006, 0.2275), (0.13, 0.524, 0.539)),
    Distal(0.15005, 0.0203, -QUARTER, 4.8, (-0.0203, -0.0141, 0.070), (0.066, 0.086, 0.0125)),
    Distal(0.4318, 0, QUARTER, 0.82, (0, -0.019, 0), (1.8e-3, 1.3e-3, 1.8e-3)),
    Distal(0, 0, -QUARTER, 0.34, (0, 0, 0), (0.3e-3, 0.4e-3, 0.3e-3)),
    Distal(0, 0, 0, 0.09, (0, 0, 0.032), (0.15e-3, 0.15e-3, 0.04e-3)),
)
LEFT_ARM = np.array([math.pi, math.pi, math.pi, 0, 0, 0])  # their zero position is the right arm's, ours the left arm's


def test_puma560_has_the_torques_of_the_published_set() -> None:
    ours, published = pinocchio_model(load("puma560")), distal_model(PUMA)
    for q, qd, qdd in states(6):
        expected = torques(published, q + LEFT_ARM, qd, qdd)
        np.testing.assert_allclose(torques(ours, q, qd, qdd), expected, atol=1e-7)


def test_puma560_has_the_gravity_constants_of_armstrong() -> None:
    """g1 to g5 and the gravity torques of Armstrong, Khatib and Burdick 1986, printed to three digits."""
    model = pinocchio_model(load("puma560"))
    g1, g2, g3, g4, g5 = -37.2, -8.44, 1.02, 0.249, -0.0282
    for q, _, _ in states(6):
        s2, c2, s23, c23 = math.sin(q[1]), math.cos(q[1]), math.sin(q[1] + q[2]), math.cos(q[1] + q[2])
        s4, c4, s5, c5 = math.sin(q[3]), math.cos(q[3]), math.sin(q[4]), math.cos(q[4])
        third = g2 * s23 + g4 * c23 + g5 * (s23 * c5 + c23 * c4 * s5)
        fourth, fifth = -g5 * s23 * s4 * s5, g5 * (c23 * s5 + s23 * c4 * c5)
        expected = [0, g1 * c2 + g3 * s2 + third, third, fourth, fifth, 0]
        np.testing.assert_allclose(gravity_torques(model, q), expected, atol=0.05)
        np.testing.assert_allclose(gravity_torques(model, q)[3:], expected[3:], atol=1e-4)


def test_puma560_at_the_published_state() -> None:
    """The toolboxes' nominal state, with their centre of link 4: gravity torques and inertia matrix as printed."""
    robot = load("puma560")
    turned = {**robot.values, "MZ4": Value(-robot.values["MZ4"].number)}
    model = pinocchio_model(robot.replace(values=turned))
    q = np.array([0, math.pi / 4, math.pi, 0, math.pi / 4, 0]) - LEFT_ARM
    rotors = numeric(robot, [frame.actuator.Ia for frame in robot.frames])
    matrix = np.array(pin.crba(model, model.createData(), q)) + np.diag(rotors)
    np.testing.assert_allclose(gravity_torques(model, q), [0, 31.6399, 6.0351, 0, 0.0283, 0], atol=1e-4)
    np.testing.assert_allclose(matrix[0, :3], [3.6594, -0.4044, 0.1006], atol=1e-4)
    np.testing.assert_allclose(np.diag(matrix)[1:], [4.4137, 0.9378, 0.1925, 0.1713, 0.1941], atol=1e-4)


def test_puma560_masses_and_centres() -> None:
    """Of Armstrong, Khatib and Burdick in their own frames; frame 2 is theirs moved by -0.2435 along z2."""
    robot = load("puma560")
    expected = {
        2: (17.4, (0.068, 0.006, -0.016 + 0.2435)),
        3: (4.8, (0, -0.070, 0.014)),
        4: (0.82, (0, 0, -0.019)),
        5: (0.34, (0, 0, 0)),
        6: (0.09, (0, 0, 0.032)),
    }
    for j, (mass, centre) in expected.items():
        body = inertia(robot, j)
        assert body.mass == pytest.approx(mass)
        np.testing.assert_allclose(body.lever, centre, atol=1.1e-4)


def test_puma560_zero_position() -> None:
    """Upper arm along x0, forearm up, shoulder offset along y0: the wrist is at (a2 + a3, d3, d4)."""
    T = transform(load("puma560"), frame=6, reference=0).evaluate(q=[0.0] * 6)
    expected = np.eye(4)
    expected[:3, 3] = 0.4318 - 0.0203, 0.15005, 0.4318
    np.testing.assert_allclose(T, expected, atol=1e-15)


# --- stanford and ur5: published in the distal notation --------------------------------------------------------------

# Paul's link masses and centres (his lengths are in cm).
STANFORD = (
    Distal(0, 0, -QUARTER, 9.29, (0, 0.0175, -0.1105)),
    Distal(0.154, 0, QUARTER, 5.01, (0, -0.1054, 0)),
    Distal(0, 0, 0, 4.25, (0, 0, -0.6447), prismatic=True),
    Distal(0, 0, -QUARTER, 1.08, (0, 0.0092, -0.0054)),
    Distal(0, 0, QUARTER, 0.63, (0, 0, 0.0566)),
    Distal(0, 0, 0, 0.51, (0, 0, 0.1554)),
)
# The maker's table (UR5, third series).
UR5 = (
    Distal(0.089159, 0, QUARTER, 3.7, (0, -0.02561, 0.00193)),
    Distal(0, -0.425, 0, 8.393, (0.2125, 0, 0.11336)),
    Distal(0, -0.39225, 0, 2.33, (0.15, 0, 0.0265)),
    Distal(0.10915, 0, QUARTER, 1.219, (0, -0.0018, 0.01634)),
    Distal(0.09465, 0, -QUARTER, 1.219, (0, 0.0018, 0.01634)),
    Distal(0.0823, 0, 0, 0.1879, (0, 0, -0.001159)),
)


@pytest.mark.parametrize(("name", "rows"), [("stanford", STANFORD), ("stanford-3", STANFORD[:3]), ("ur5", UR5)])
def test_gravity_torques_of_the_published_masses(name: str, rows: Sequence[Distal]) -> None:
    ours, published = pinocchio_model(load(name)), distal_model(rows)
    for q, _, _ in states(len(rows)):
        np.testing.assert_allclose(gravity_torques(ours, q), gravity_torques(published, q), atol=1e-10)


@pytest.mark.parametrize(
    ("name", "base", "end", "tolerance"),
    [("ur5", "base", "tool0", 1e-10), ("panda", "panda_link0", "panda_link8", 1e-12)],  # ur5.urdf rounds pi
)
def test_forward_kinematics_are_those_of_the_urdf(name: str, base: str, end: str, tolerance: float) -> None:
    robot = load(name)
    urdf = pin.buildModelFromUrdf(str(urdf_file(name)))
    data, model = urdf.createData(), transform(robot)
    for q, _, _ in states(robot.nq):
        full = pin.neutral(urdf)
        for joint, position in zip(robot.joint_names, q, strict=True):
            full[urdf.joints[urdf.getJointId(joint)].idx_q] = position
        pin.framesForwardKinematics(urdf, data, full)
        start, stop = (data.oMf[urdf.getFrameId(frame)] for frame in (base, end))
        np.testing.assert_allclose(model.evaluate(q=q), start.actInv(stop).homogeneous, atol=tolerance)


def test_panda_inertias_are_those_of_the_urdf() -> None:
    robot = load("panda")
    tree = ET.parse(urdf_file("panda"))
    for j in range(1, 8):
        given = tree.find(f"./link[@name='panda_link{j}']/inertial")
        assert given is not None
        attributes = {key: value for element in given for key, value in element.attrib.items()}
        ixx, ixy, ixz, iyy, iyz, izz = (float(attributes[f"i{key}"]) for key in ("xx", "xy", "xz", "yy", "yz", "zz"))
        central = np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
        centre = np.array([float(value) for value in attributes["xyz"].split()])
        expected = pin.Inertia(float(attributes["value"]), centre, central)
        np.testing.assert_allclose(inertia(robot, j).matrix(), expected.matrix(), atol=1e-14)


# --- the pendulum and the loops --------------------------------------------------------------------------------------


def test_double_pendulum_is_that_of_robmat() -> None:
    """Out[5] and Out[8] of Horn and Linge 1994: the mass matrix and the gravity torques."""
    robot = load("double-pendulum")
    model = pinocchio_model(robot)
    L1, L2, m1, m2, g = (robot.values[name].number for name in ("L1", "L2", "M1", "M2", "G1"))
    for q, _, _ in states(2):
        c2, s1, s12 = math.cos(q[1]), math.sin(q[0]), math.sin(q[0] + q[1])
        coupling = L2 * (c2 * L1 + L2) * m2
        mass = [[L1**2 * (m1 + m2) + 2 * c2 * L1 * L2 * m2 + L2**2 * m2, coupling], [coupling, L2**2 * m2]]
        weight = [g * (L1 * (m1 + m2) * s1 + L2 * m2 * s12), g * L2 * m2 * s12]
        np.testing.assert_allclose(pin.crba(model, model.createData(), q), mass, atol=1e-12)
        np.testing.assert_allclose(gravity_torques(model, q), weight, atol=1e-12)


def sr400(q: np.ndarray) -> Sequence[float]:
    """theta3 = pi/2 - theta2 + theta7, theta8 = theta2 - theta7, theta9 = pi - theta8."""
    q2, q7 = q[1], q[6]
    return [q[0], q2, QUARTER - q2 + q7, q[3], q[4], q[5], q7, q2 - q7, math.pi - q2 + q7]


def five_bar(q: np.ndarray) -> Sequence[float]:
    """A rhombus: bar 2 is parallel to bar 3 and bar 4 to bar 1."""
    q1, q3 = q[0], q[2]
    return [q1, q3 - q1, q3, q1 - q3, q3 - q1]


def four_bar(q: np.ndarray) -> Sequence[float]:
    """The rocker from the diagonal crank end - rocker pivot and the law of cosines (one of the two assemblies)."""
    crank, ground, coupler, rocker = (load("four-bar").values[name].number for name in ("D2", "D3", "D4", "D5"))
    tip = crank * np.array([math.cos(q[0]), math.sin(q[0])])
    x, y = tip - np.array([ground, 0.0])
    diagonal = math.hypot(x, y)
    q3 = math.atan2(y, x) - math.acos((diagonal**2 + rocker**2 - coupler**2) / (2 * diagonal * rocker))
    end = np.array([ground, 0.0]) + rocker * np.array([math.cos(q3), math.sin(q3)])
    q2 = math.atan2(*(end - tip)[::-1]) - q[0]
    return [q[0], q2, q3, q3 - q[0] - q2]


@pytest.mark.parametrize(("name", "closed"), [("sr400", sr400), ("five-bar", five_bar), ("four-bar", four_bar)])
def test_loop_closes(name: str, closed: Callable[[np.ndarray], Sequence[float]]) -> None:
    """The cut joint's frame k, with its own angle, and its twin k + B are one frame when the loop is closed."""
    robot = load(name)
    k = robot.n_links + 1
    across = transform(robot.replace(loops=0), frame=k + robot.loops, reference=k)
    for q, _, _ in states(8):
        np.testing.assert_allclose(across.evaluate(q=closed(q)), np.eye(4), atol=1e-12)
