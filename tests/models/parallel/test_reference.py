"""The references for robots with platforms, before anything is compared with them."""

from __future__ import annotations

import numpy as np
import pytest
from models.parallel import reference
from models.parallel.platform_model import Mechanism, pin, pose_of, rotation
from models.parallel.platform_states import State, nearby_poses, random_states, state_of
from models.parallel.random_platforms import EXPECTED, KINDS, VARYING, random_platform, renumbered
from models.parallel.virtual_work import Struts
from models.reference import newton_euler, numbers, relative_error
from published_mechanisms import Tsai

from robosym.robot import Robot

STEP = 2e-5  # of time, in central differences, whose error falls with its square


def tsai_struts(axial: float) -> Struts:
    legs = {"lower": Tsai.half_mass, "upper": Tsai.half_mass, "e1": Tsai.e1, "e2": Tsai.e2}
    legs |= {"lower_inertia": Tsai.half_inertia, "upper_inertia": Tsai.half_inertia}
    return Struts(
        base=Tsai.base,
        platform=Tsai.platform,
        mass=Tsai.mass,
        inertia=np.array(Tsai.inertia),
        gravity=np.array(Tsai.gravity),
        axial=axial,
        **{name: np.full(6, number) for name, number in legs.items()},
    )


def motion_1(t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pose, twist and twist_rate: along (1, 1, 1) as 0.2 sin 3t, no rotation."""
    way, turn = 0.2 * np.ones(3), np.zeros(3)
    pose = np.array([-1.5, 0, 1, 0, 0, 0, 1])
    pose[:3] += way * np.sin(3 * t)
    twist = np.concatenate([3 * np.cos(3 * t) * way, turn])
    return pose, twist, np.concatenate([-9 * np.sin(3 * t) * way, turn])


@pytest.mark.parametrize(("published", "axial"), [(Tsai.forces, 0.0), (Tsai.forces_isotropic, Tsai.half_inertia)])
def test_tsai_by_multipliers(published: tuple[tuple[float, ...], ...], axial: float) -> None:
    struts = tsai_struts(axial)
    for t, forces in zip(Tsai.times, published, strict=True):
        pose, twist, twist_rate = motion_1(t)
        robot = struts.robot("tsai", np.eye(3), motion_1(0.0)[0][:3])
        legs, error = reference.legs_at(robot, pose)
        assert error < 1e-13
        tau = reference.inverse_dynamics(robot, pose, legs, twist, twist_rate)
        assert np.abs(tau - forces).max() < 1e-6


def test_tsai_by_virtual_work() -> None:
    struts = tsai_struts(0.0)
    for t, forces in zip(Tsai.times, Tsai.forces, strict=True):
        pose, twist, twist_rate = motion_1(t)
        assert np.abs(struts.forces(np.eye(3), pose[:3], twist, twist_rate) - forces).max() < 1e-6


def test_struts_that_turn_by_multipliers_and_by_virtual_work() -> None:
    rng = np.random.default_rng(5)
    angles = np.arange(6) // 2 * (2 * np.pi / 3)
    side = np.arange(6) % 2 * 2 - 1
    rings = [np.array([np.cos(a), np.sin(a), 0 * a]).T for a in (angles + 0.2 * side, angles + 0.9 * side)]
    for _ in range(3):
        drawn = rng.uniform(0.1, 0.6, (6, 6))
        base, platform = rings[0] + rng.uniform(-0.1, 0.1, (6, 3)), rings[1] / 2 + rng.uniform(-0.1, 0.1, (6, 3))
        struts = Struts(base, platform, 2.0, np.array([0.2, 0.3, 0.4]), *drawn, gravity=rng.normal(size=3) * 5)
        R, p = pin.exp3(rng.normal(size=3) * 0.3), np.array([0.1, -0.2, 1.1])
        robot, pose = struts.robot("struts", R, p), pose_of(R, p)
        twist, twist_rate, wrench = rng.normal(size=(3, 6))
        legs, error = reference.legs_at(robot, pose)
        assert error < 1e-13
        tau = reference.inverse_dynamics(robot, pose, legs, twist, twist_rate, wrench=wrench)
        assert relative_error(tau, struts.forces(R, p, twist, twist_rate, wrench)) < 1e-11


# --- every class -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=list(KINDS))
def moving(request: pytest.FixtureRequest) -> tuple[Robot, State]:
    """A robot of each class, on a base that is anywhere, away from home."""
    robot, pose, legs = random_platform(request.param, 1, named=None, placed=True)
    return robot, random_states(robot, pose, legs, 1)[0]


@pytest.mark.mostly_slow(fast=5)
@pytest.mark.parametrize("kind", KINDS)
def test_classes_move_as_expected(kind: str) -> None:
    for seed in range(2):
        robot, pose, legs = random_platform(kind, seed)
        assert reference.closure_error(robot, pose, legs) < 1e-14
        platforms = []
        for here in [(pose, legs), *nearby_poses(robot, pose, legs, 2)]:
            found = reference.admissible(robot, *here)
            assert found.free == len(robot.moving)
            assert found.held == 0
            assert found.platform.shape == (6, EXPECTED[kind])
            assert found.gap > 1e9
            platforms.append(found.platform @ found.platform.T)
        change = max(np.abs(one - platforms[0]).max() for one in platforms)
        assert (change > 1e-4) == (kind in VARYING)
        assert change > 1e-4 or change < 1e-10


def test_legs_come_back_from_the_description(moving: tuple[Robot, State]) -> None:
    robot, state = moving
    start = Mechanism.of(robot).described.copy()
    start[reference.carried_joints(robot)] = state.legs[reference.carried_joints(robot)]
    legs, error = reference.legs_at(robot, state.pose, start)
    assert error < 1e-12
    assert np.abs(legs - state.legs).max() < 1e-9


def along(robot: Robot, state: State, t: float) -> State:
    """The motion q + qd t + qdd t^2 / 2 of the motors, solved for positions, not integrated."""
    q = state.q + state.qd * t + state.qdd * t**2 / 2
    legs = state.legs.copy()
    legs[reference.motors_of(robot)] = q
    pose, legs, error = reference.platform_at(robot, q, state.pose, legs)
    assert error < 1e-13
    return state_of(robot, pose, legs, state.qd + state.qdd * t, state.qdd)


def test_rates_are_those_of_positions(moving: tuple[Robot, State]) -> None:
    robot, state = moving
    back, on = along(robot, state, -STEP), along(robot, state, STEP)
    turn = pin.log3(rotation(on.pose) @ rotation(back.pose).T)
    twist = np.concatenate([on.pose[:3] - back.pose[:3], turn]) / (2 * STEP)
    assert relative_error(state.twist, twist) < 1e-6
    assert relative_error(state.speeds, (on.legs - back.legs) / (2 * STEP)) < 1e-6
    assert relative_error(state.twist_rate, (on.twist - back.twist) / (2 * STEP)) < 1e-6
    assert relative_error(state.accelerations, (on.speeds - back.speeds) / (2 * STEP)) < 1e-6


def test_rates_by_platform_and_by_motors_agree(moving: tuple[Robot, State]) -> None:
    robot, state = moving
    here = (robot, state.pose, state.legs, state.twist)
    speeds = reference.rates(*here, state.carried)
    assert speeds.residual < 1e-11
    assert relative_error(speeds.value, state.speeds) < 1e-10
    rates = reference.accelerations(*here, state.twist_rate, state.carried, state.carried_rate)
    assert rates.residual < 1e-10
    assert relative_error(rates.value, state.accelerations) < 1e-10


def test_a_twist_that_legs_do_not_allow_is_refused(moving: tuple[Robot, State]) -> None:
    robot, state = moving
    basis = reference.admissible(robot, state.pose, state.legs).platform
    twist = np.arange(1.0, 7.0)
    twist = twist - basis @ (basis.T @ twist)
    if np.abs(twist).max() < 1e-9:
        return
    assert reference.rates(robot, state.pose, state.legs, twist).residual > 1e-2
    with pytest.raises(AssertionError, match="not admissible"):
        reference.inverse_dynamics(robot, state.pose, state.legs, twist, np.zeros(6))


def test_forces_of_the_open_legs_are_those_of_a_plain_recursion(moving: tuple[Robot, State]) -> None:
    """Gravity on a base that is turned, rotors and friction: what no identity between the functions here would miss."""
    robot, state = moving
    mechanism = Mechanism.of(robot)
    u, ud = np.concatenate([state.twist, state.speeds]), np.concatenate([state.twist_rate, state.accelerations])
    got = mechanism.forces(state.pose, state.legs, u, ud) + mechanism.friction(u)
    legs = robot.replace(frames=robot.frames[: mechanism.platform - 1], platforms=())
    n = len(legs.moving)
    assert legs.moving == mechanism.joints[:n]
    rates = (state.legs[:n], state.speeds[:n], state.accelerations[:n])
    assert relative_error(got[6 : 6 + n], newton_euler(legs, *rates, friction=True).tau) < 1e-11
    assert all(mechanism.actuator(name)[mechanism.motors].all() for name in ("Ia", "Fv", "Fs"))


def test_force_on_the_platform_is_that_of_newton_and_euler(moving: tuple[Robot, State]) -> None:
    robot, state = moving
    mechanism = Mechanism.of(robot)
    if mechanism.carried:
        pytest.skip("the platform bears what it carries too")
    XX, XY, XZ, YY, YZ, ZZ, *first, M = numbers(robot, robot.frame(mechanism.platform).link.inertial)
    R = rotation(state.pose)
    J, S = R @ np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]]) @ R.T, R @ first
    down = np.array(numbers(robot, robot.base.location)).reshape(4, 4)[:3, :3] @ numbers(robot, robot.gravity)
    w, rise, wd = state.twist[3:], state.twist_rate[:3] - down, state.twist_rate[3:]
    force = M * rise + np.cross(wd, S) + np.cross(w, np.cross(w, S))
    moment = J @ wd + np.cross(w, J @ w) + np.cross(S, rise)
    u, ud = np.concatenate([state.twist, state.speeds]), np.concatenate([state.twist_rate, state.accelerations])
    got = mechanism.forces(state.pose, state.legs, u, ud)[:6]
    assert relative_error(got, np.concatenate([force, moment])) < 1e-11


def test_forward_inverts_inverse(moving: tuple[Robot, State]) -> None:
    robot, state = moving
    here = (robot, state.pose, state.legs, state.twist)
    for more in ({}, {"friction": True, "wrench": np.arange(6) - 2.0}):
        rates = {"carried": state.carried, "carried_rate": state.carried_rate}
        tau = reference.inverse_dynamics(*here, state.twist_rate, **rates, **more)
        twist_rate, accelerations = reference.forward_dynamics(*here, tau, carried=state.carried, **more)
        assert relative_error(twist_rate, state.twist_rate) < 1e-10
        assert relative_error(accelerations, state.accelerations) < 1e-10


def test_power_of_the_motors_is_the_rate_of_energy(moving: tuple[Robot, State]) -> None:
    robot, state = moving
    total = []
    for t in (-STEP, STEP):
        at = along(robot, state, t)
        total.append(sum(reference.energy(robot, at.pose, at.legs, at.twist, at.carried)))
    power = (total[1] - total[0]) / (2 * STEP)
    scale = np.abs(state.tau) @ np.abs(state.qd)
    assert abs(state.tau @ state.qd - power) < 1e-6 * scale
    wrench = np.arange(6) - 2.0
    tau = reference.inverse_dynamics(
        robot,
        state.pose,
        state.legs,
        state.twist,
        state.twist_rate,
        carried=state.carried,
        carried_rate=state.carried_rate,
        friction=True,
        wrench=wrench,
    )
    rubbed = Mechanism.of(robot).friction(np.concatenate([state.twist, state.speeds]))[6:] @ state.speeds
    assert abs(tau @ state.qd - power - rubbed - wrench @ state.twist) < 1e-6 * scale


def test_inertia_and_gravity_are_parts_of_the_forces(moving: tuple[Robot, State]) -> None:
    robot, state = moving
    at = (robot, state.pose, state.legs)
    A = reference.motor_inertia(*at)
    slower = state_of(*at, state.qd, np.zeros_like(state.qdd))
    assert relative_error(A @ state.qdd, state.tau - slower.tau) < 1e-9
    kinetic, _ = reference.energy(*at, state.twist, state.carried)
    assert abs(state.qd @ A @ state.qd / 2 - kinetic) < 1e-10 * kinetic
    basis = reference.admissible(*at).platform
    basis = np.eye(6) if basis.shape[1] == 6 else basis
    entries = np.concatenate([basis.T @ state.twist, state.carried])
    assert abs(entries @ reference.platform_inertia(*at) @ entries / 2 - kinetic) < 1e-10 * kinetic
    still = np.zeros_like(state.qd)
    assert relative_error(reference.gravity(*at), state_of(*at, still, still).tau) < 1e-12


def test_the_order_of_frames_does_not_matter(moving: tuple[Robot, State]) -> None:
    robot, state = moving
    other = renumbered(robot, 3)
    names = [robot.frame(j).joint.name for j in reference.joints_of(robot)]
    order = [names.index(other.frame(j).joint.name) for j in reference.joints_of(other)]
    motors = [robot.joint_names.index(name) for name in other.joint_names]
    found = state_of(other, state.pose, state.legs[order], state.qd[motors], state.qdd[motors])
    assert relative_error(found.tau, state.tau[motors]) < 1e-10
    assert relative_error(found.twist_rate, state.twist_rate) < 1e-10
