"""The built-in parallel robots: the facts they were made from, and where their bodies are."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from built_in import PARALLEL
from parallel_robots import closed, frames, home, pose
from published_mechanisms import Delta, Dietmaier, Tsai

from robosym.expr import evaluate
from robosym.formats import toml
from robosym.library import load
from robosym.robot import FIXED, FREE, Link, Robot
from robosym.robot.checks import missing_values, problems

TSAI_HOME = pose((-1.5, 0, 1))


@pytest.mark.parametrize("name", PARALLEL)
class TestEveryParallelRobot:
    def test_loads_without_problem_or_warning(self, name: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            robot = load(name)
        assert problems(robot) == []
        assert robot.name == name
        assert robot.description
        assert robot.source

    def test_has_a_sourced_value_for_every_parameter(self, name: str) -> None:
        robot = load(name)
        assert missing_values(robot) == []
        assert all(value.unit and value.source for value in robot.values.values())

    def test_says_where_every_joint_of_its_legs_stands(self, name: str) -> None:
        robot = load(name)
        assert all(frame.joint.position is not None for frame in robot.frames if frame.sigma not in (FIXED, FREE))

    def test_has_a_motor_in_every_leg_and_a_platform_with_mass(self, name: str) -> None:
        robot = load(name)
        (platform,) = robot.platforms
        assert all(any(j in robot.moving for j in robot.path(leg.end)) for leg in platform.legs)
        assert mass(robot, platform.frame) > 0

    def test_round_trips(self, name: str) -> None:
        robot = load(name)
        assert toml.loads(toml.dumps(robot)) == robot


def mass(robot: Robot, j: int) -> float:
    return numbers(robot, robot.frame(j).link)["M"]


def numbers(robot: Robot, link: Link) -> dict[str, float]:
    known = {name: value.number for name, value in robot.values.items()}
    names = ("XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M")
    return dict(zip(names, map(float, evaluate(list(link.inertial), known)), strict=True))


def central(robot: Robot, j: int) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, centre of mass and inertia about it, in the axes of frame j."""
    x = numbers(robot, robot.frame(j).link)
    c = np.array([x["MX"], x["MY"], x["MZ"]]) / x["M"]
    J = np.array([[x["XX"], x["XY"], x["XZ"]], [x["XY"], x["YY"], x["YZ"]], [x["XZ"], x["YZ"], x["ZZ"]]])
    return x["M"], c, J - x["M"] * ((c @ c) * np.eye(3) - np.outer(c, c))


# --- the facts of the literature -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("gough-stewart", Tsai),
        ("gough-stewart-general", Tsai),
        ("gough-stewart-40", Dietmaier),
    ],
)
def test_legs_stand_and_sit_where_published(name: str, fact: type[Tsai | Dietmaier]) -> None:
    robot = load(name)
    (platform,) = robot.platforms
    at = frames(robot, {}, {platform.frame: np.eye(4)})
    feet = [at[robot.number(f"{leg.name}_cross")][:3, 3] for leg in platform.legs]
    assert np.array(feet) == pytest.approx(fact.base, abs=1e-12)
    seats = [at[leg.seat][:3, 3] for leg in platform.legs]
    assert np.array(seats) == pytest.approx(fact.platform, abs=1e-12)


def test_forty_modes_are_those_of_the_published_lengths() -> None:
    robot = load("gough-stewart-40")
    lengths = [robot.frame(j).joint.position for j in robot.moving]
    assert lengths == Dietmaier.lengths.tolist()


def test_bodies_of_the_platform_of_tsai() -> None:
    """The halves of a leg are where Tsai has them, and q is the distance between the joints of a leg."""
    robot = load("gough-stewart")
    (platform,) = robot.platforms
    M, c, J = central(robot, platform.frame)
    assert (M, *c, *np.diag(J)) == pytest.approx((Tsai.mass, 0, 0, 0, *Tsai.inertia))
    gravity = evaluate(list(robot.gravity), {"G3": robot.values["G3"].number})
    assert tuple(map(float, gravity)) == Tsai.gravity
    free = {platform.frame: TSAI_HOME @ pose((0.1, -0.1, 0.2), (0.1, 0.2, -0.3))}
    joints = closed(robot, free)
    at = frames(robot, joints, free)
    for leg in platform.legs:
        lower, upper = (robot.number(f"{leg.name}_{half}") for half in ("lower", "upper"))
        foot, top = at[lower][:3, 3], at[leg.seat][:3, 3]
        along = (top - foot) / np.linalg.norm(top - foot)
        assert joints[robot.frame(upper).joint.variable.name] == pytest.approx(np.linalg.norm(top - foot))
        for j, origin, distance in ((lower, foot, Tsai.e1), (upper, top, -Tsai.e2)):
            M, c, J = central(robot, j)
            R = at[j][:3, :3]
            assert pytest.approx(Tsai.half_mass) == M
            assert at[j][:3, 3] + R @ c == pytest.approx(origin + distance * along)
            across = Tsai.half_inertia * (np.eye(3) - np.outer(along, along))  # a leg does not spin
            assert pytest.approx(across, abs=1e-12) == R @ J @ R.T


def test_axes_of_the_universal_joints_of_tsai() -> None:
    """About x0 first, then about y; the leg is along z0 where both are at zero."""
    robot = load("gough-stewart")
    free = {robot.platforms[0].frame: np.eye(4)}
    own = [robot.frame(robot.number(f"leg3_{row}")).joint.variable.name for row in ("cross", "lower")]
    for angles in ((0.0, 0.0), (0.4, -0.7)):
        at = frames(robot, dict(zip(own, angles, strict=True)), free)
        x, y = angles
        turned = pose((0, 0, 0), (x, 0, 0)) @ pose((0, 0, 0), (0, y, 0))
        assert at[robot.number("leg3_cross")][:3, 2] == pytest.approx([1, 0, 0], abs=1e-15)
        assert at[robot.number("leg3_lower")][:3, 2] == pytest.approx([0, math.cos(x), math.sin(x)], abs=1e-15)
        assert at[robot.number("leg3_upper")][:3, :3] == pytest.approx(turned[:3, :3], abs=1e-15)


def test_delta_has_the_published_numbers() -> None:
    robot = load("delta")
    known = {name: value.number for name, value in robot.values.items()}
    lengths = [Delta.base_radius, Delta.platform_radius, Delta.upper_arm, Delta.forearm]
    assert [known[s] for s in ("RB", "RP", "LA", "LF")] == lengths
    assert (known["MA"], known["JA"], known["MP"]) == (Delta.arm_mass, Delta.arm_inertia, Delta.platform_mass)
    M, c, J = central(robot, robot.number("leg2_forearm"))
    assert pytest.approx(2 * Delta.bar_mass) == M
    assert c == pytest.approx([Delta.bar_centre, 0, 0])
    assert np.diag(J) == pytest.approx([2 * x for x in Delta.bar_inertia], rel=1e-4)
    arm = robot.frame(robot.number("leg2_arm"))
    rotor = float(evaluate([arm.actuator.Ia], known)[0])
    assert rotor == pytest.approx(Delta.ratio**2 * Delta.rotor)


@pytest.mark.parametrize("name", ["delta", "orthoglide"])
def test_platforms_that_do_not_turn(name: str) -> None:
    """From home the platform goes anywhere near without turning: each leg has an arm, a rod and two universal joints."""
    robot = load(name)
    (platform,) = robot.platforms
    centre = np.array([0, 0, -0.9876 if name == "delta" else 0])
    for step in np.random.default_rng(3).uniform(-0.1, 0.1, (5, 3)):
        at = closed(robot, {platform.frame: pose(tuple(centre + step))})
        assert max(abs(at[v] - x) for v, x in home(robot).items()) < 1.0


def test_motors_of_the_orthoglide_are_along_the_axes() -> None:
    """One motor moves the platform along its own axis where all rods are along theirs, and q is where the slider is."""
    robot = load("orthoglide")
    at = frames(robot, home(robot), {robot.platforms[0].frame: np.eye(4)})
    for k, axis in enumerate(np.eye(3), 1):
        slider = at[robot.number(f"leg{k}_slider")]
        assert slider[:3, 2] == pytest.approx(axis, abs=1e-15)
        assert slider[:3, 3] == pytest.approx(0.36 * axis, abs=1e-15)
        assert at[robot.number(f"leg{k}_rod")][:3, 0] == pytest.approx(-axis, abs=1e-15)


@pytest.mark.parametrize("moment", [1])
def test_forces_of_the_platform_of_tsai_by_virtual_work(moment: int) -> None:
    """d'Alembert's principle with differences for all derivatives, on nothing but the bodies and frames of the description."""
    robot = load("gough-stewart")
    t, h = Tsai.times[moment], 2e-3
    bodies = [j for j in robot.links if not robot.frame(j).link.M.is_zero]

    def places(free: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray], np.ndarray]:
        """Centres of mass, rotations and leg lengths with the platform at a pose."""
        poses = {robot.platforms[0].frame: free}
        joints = closed(robot, poses)
        at = frames(robot, joints, poses)
        centres = [at[j][:3, 3] + at[j][:3, :3] @ central(robot, j)[1] for j in bodies]
        lengths = [joints[robot.frame(j).joint.variable.name] for j in robot.moving]
        return centres, [at[j][:3, :3] for j in bodies], np.array(lengths)

    def motion(time: float) -> np.ndarray:
        s = 0.2 * math.sin(3 * time)
        return pose((-1.5 + s, s, 1 + s))

    before, now, after = (places(motion(t + k * h)) for k in (-1, 0, 1))
    half = [places(motion(t + k * h / 2)) for k in (-1, 1)]
    wrenches = []
    for i, j in enumerate(bodies):
        M, _, J = central(robot, j)
        coarse = (before[0][i] - 2 * now[0][i] + after[0][i]) / h**2
        fine = 4 * (half[0][0][i] - 2 * now[0][i] + half[1][0][i]) / h**2
        force = M * ((4 * fine - coarse) / 3 - np.array(Tsai.gravity))
        momenta = []
        for first, last in ((before, now), (now, after)):
            R = (first[1][i] + last[1][i]) / 2
            W = (last[1][i] - first[1][i]) / h @ R.T
            momenta.append(R @ J @ R.T @ np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2)
        wrenches.append((force, (momenta[1] - momenta[0]) / h))
    Q, L, e = np.zeros(6), np.zeros((6, 6)), 1e-5
    for k in range(6):
        step = np.zeros(6)
        step[k] = e
        moved = []
        for sign in (-1, 1):
            p, r = sign * step[:3], sign * step[3:]
            T = motion(t)
            moved.append(places(pose(tuple(T[:3, 3] + p), tuple(r))))
        low, high = moved
        L[:, k] = (high[2] - low[2]) / (2 * e)
        for i, (force, moment_of_body) in enumerate(wrenches):
            D = (high[1][i] - low[1][i]) / (2 * e) @ now[1][i].T
            turn_rate = np.array([D[2, 1] - D[1, 2], D[0, 2] - D[2, 0], D[1, 0] - D[0, 1]]) / 2
            Q[k] += force @ (high[0][i] - low[0][i]) / (2 * e) + moment_of_body @ turn_rate
    assert np.linalg.solve(L.T, Q) == pytest.approx(Tsai.forces[moment], abs=2e-5)
