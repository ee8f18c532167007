"""Accelerations of some joints and torques of the others: against the partition of Pinocchio's A and H."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.kinematic.mass_states import random_placed
from models.kinematic.moving_frames import freed, states
from models.loops.closed_states import clear_states, named, output
from models.pinocchio_states import Twin
from real_robots import real_robot, urdf_file
from simulation.tops import mixed, start
from sweeps import many

import robosym
from robosym import RobosymError, models
from robosym.expr import number
from robosym.program import verified
from robosym.robot import Robot, RobotError, Spring
from robosym.robot.joint_entries import speed_entries

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")


def partitioned(A: np.ndarray, H: np.ndarray, free: list[int], given: list[int], qdd: np.ndarray, tau: np.ndarray):
    """All accelerations and torques: rows of the free ones for the accelerations that are not given (68 to 71)."""
    n = len(H)
    left = [k for k in range(n) if k not in given]
    full, all_tau = qdd.copy(), tau.copy()
    right = tau[free] - H[free] - A[np.ix_(free, given)] @ qdd[given]
    full[left] = np.linalg.solve(A[np.ix_(free, left)], right)
    others = [k for k in range(n) if k not in free]
    all_tau[others] = (A @ full + H)[others]
    return full, all_tau


def sprung(robot: Robot, rng: np.random.Generator, share: float = 0.5) -> Robot:
    """Some of the joints have springs and dampers in place of motors."""
    frames = []
    for j, frame in enumerate(robot.frames, 1):
        if j in robot.moving and rng.random() < share:
            k, d, rest = (number(float(x)) for x in rng.uniform(0.5, 20, 3))
            frame = replace(frame, joint=replace(frame.joint, spring=Spring(k, d, rest), active=False))
        frames.append(frame)
    return robot.replace(frames=tuple(frames))


def springs(robot: Robot, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    """What it takes to hold the springs, of the coordinates."""
    found = np.zeros(robot.nv)
    first = robot.nv - len(robot.moving)
    for k, j in enumerate(robot.moving):
        spring = robot.frame(j).joint.spring
        if spring is not None:
            stiffness, damping, rest = (float(x.value) for x in (spring.stiffness, spring.damping, spring.rest))
            found[first + k] = stiffness * (q[robot.nq - len(robot.moving) + k] - rest) + damping * qd[first + k]
    return found


def check(twin: Twin, robot: Robot, seed: int, free: list[str] | None = None) -> None:
    """``robot`` is that of the twin, with springs."""
    rng = np.random.default_rng(seed)
    model = models.hybrid_dynamics(robot, free=free, wrench="none")
    verified(model.program)
    names = model.optional["tau"]
    places = [k for k, name in enumerate(names) if name in model.options["free"]]
    given = [k for k in range(robot.nv) if k not in places]
    batch = states(rng, robot, 2)
    tau = rng.uniform(-5, 5, (2, robot.nv))
    found = model.compile()(**batch, tau=tau)
    for k in range(2):
        q, qd = batch["q"][k], batch["qd"][k]
        A, H = twin.crba(q), twin.bias(q, qd) + springs(robot, q, qd)
        qdd, torques = partitioned(A, H, places, given, batch["qdd"][k], tau[k])
        tolerance = (1e-10 + 1e-14 * np.linalg.cond(A)) * max(1.0, np.abs(qdd).max(), np.abs(torques).max())
        np.testing.assert_allclose(found["qdd_all"][k], qdd, rtol=0, atol=tolerance)
        np.testing.assert_allclose(found["tau_all"][k], torques, rtol=0, atol=tolerance)


def test_random_trees_with_random_springs() -> None:
    compared = 0
    for seed in range(many(6)):
        rng = np.random.default_rng(seed)
        plain = random_placed(seed, 7, symbolic=False)
        plain = freed(plain) if seed % 3 == 0 else plain.replace(base=type(plain.base)(location=plain.base.location))
        robot = sprung(plain, rng)
        if any(frame.joint.spring is not None for frame in robot.frames) or robot.base.floating:
            check(Twin.of_robot(plain), robot, seed)
            compared += 1
    assert compared >= many(3)


@pytest.mark.slow
def test_a_file_with_some_joints_free() -> None:
    robot = real_robot("solo12", floating=True)
    twin = Twin.of_urdf(urdf_file("solo12"), robot)
    for free in (["base"], ["base", "FL_KFE"], ["FR_HAA", "HL_KFE"], list(robot.joint_names)):
        check(twin, robot, 3, free)


def test_forward_dynamics_with_springs_is_that_of_the_torques_they_leave() -> None:
    plain = robosym.load("rx90")
    robot = sprung(plain, np.random.default_rng(1))
    state = {name: values[0] for name, values in states(np.random.default_rng(2), robot, 1).items()}
    tau = np.arange(6.0)
    left = tau - springs(robot, state["q"], state["qd"])
    found = models.forward_dynamics(robot).compile()(q=state["q"], qd=state["qd"], tau=tau)
    expected = models.forward_dynamics(plain).compile()(q=state["q"], qd=state["qd"], tau=left)
    np.testing.assert_allclose(found, expected, rtol=1e-11)
    back = models.inverse_dynamics(robot).compile()(**{**state, "qdd": found})
    np.testing.assert_allclose(back, tau, atol=1e-10)


def test_closed_loops() -> None:
    """With the shoulder of the sr400 free, what comes out is what inverse dynamics gives back."""
    robot = named("sr400")
    model = models.hybrid_dynamics(robot, free=["shoulder"], wrench="none")
    f, inverse = model.compile(), models.inverse_dynamics(robot, wrench="none").compile()
    for state in clear_states(robot, None, 3):
        found = f(q=state.q, qd=state.qd, qdd=state.qdd, tau=state.tau)
        place = robot.joint_names.index("shoulder")
        assert found["tau_all"][place] == state.tau[place]
        expected = output(inverse(q=state.q, qd=state.qd, qdd=found["qdd_all"]), "tau")
        np.testing.assert_allclose(found["tau_all"], expected, atol=1e-9 * np.abs(expected).max())


# --- accelerations of joints without a motor -------------------------------------------------------------------------


def acrobot() -> Robot:
    """Two links in a plane, the second joint with a motor."""
    link = {"M": 1.0, "MX": 0.4, "ZZ": 0.3, "XX": 0.1, "YY": 0.3}
    rows = [{"joint": "shoulder", "active": False, **link}, {"joint": "elbow", "d": 0.8, **link}]
    return Robot.from_table("acrobot", rows, gravity=[0, -9.81, 0])


def test_the_free_joint_is_told_how_to_accelerate() -> None:
    """Spong's non-collocated partition: the elbow makes the shoulder accelerate."""
    robot = acrobot()
    f = models.hybrid_dynamics(robot, given=["shoulder"]).compile()
    A, H = models.inertia_matrix(robot).compile(), models.bias(robot).compile()
    q, qd = np.array([0.3, 0.9]), np.array([0.5, -0.4])
    found = f(q=q, qd=qd, qdd=[1.5, 0.0])
    qdd, tau = partitioned(A(q=q), H(q=q, qd=qd), [0], [0], np.array([1.5, 0.0]), np.zeros(2))
    np.testing.assert_allclose(found["qdd_all"], qdd, rtol=1e-12)
    np.testing.assert_allclose(found["tau_all"], tau, atol=1e-12)
    assert found["solvable"] == 1


def test_where_no_torque_can_do_that_it_is_said() -> None:
    """A_12 = ZZ2 + D2 MX2 cos(q2) is exactly zero."""
    link = {"M": 1.0, "MX": 0.5, "ZZ": 0.25, "XX": 0.1, "YY": 0.3}
    rows = [{"joint": "shoulder", "active": False, **link}, {"joint": "elbow", "d": 0.5, **link}]
    f = models.hybrid_dynamics(Robot.from_table("acrobot", rows, gravity=[0, -9.81, 0]), given=["shoulder"]).compile()
    bent = np.pi
    assert f(q=[0.3, bent], qd=[0, 0], qdd=[1.5, 0])["solvable"] == 0
    both = f(q=[[0.3, bent], [0.3, 0.2]], qd=np.zeros((2, 2)), qdd=[[1.5, 0]] * 2)
    assert both["solvable"].tolist() == [0, 1]


def test_what_is_refused() -> None:
    with pytest.raises(RobotError, match="every joint has a motor"):
        models.hybrid_dynamics(robosym.load("rx90"))
    with pytest.raises(RobotError, match="free: got 'knee', expected names out of 'shoulder', 'elbow'"):
        models.hybrid_dynamics(acrobot(), free=["knee"])
    with pytest.raises(RobotError, match="given: got 2, expected as many as there are torques to find, 1"):
        models.hybrid_dynamics(acrobot(), given=["shoulder", "elbow"])
    with pytest.raises(RobotError, match="given: got accelerations of free coordinates, which is for up to 10"):
        models.hybrid_dynamics(robosym.load("eel-13"), free=[f"q{k}" for k in range(1, 12)], given=["base", "q1"])
    cart = Robot.from_table(
        "carts",
        [
            {"sigma": "prismatic", "M": 1, "active": False},
            {"antecedent": 0, "sigma": "prismatic", "M": 2, "joint": "b"},
        ],
    )
    with pytest.raises(RobotError, match="their inertias are not coupled"):
        models.hybrid_dynamics(cart, free=["q1"], given=["q1"])
    with pytest.raises(RobosymError, match="free: got 5, expected a list of texts"):
        models.hybrid_dynamics(acrobot(), free=5)  # type: ignore[arg-type]


def test_a_joint_may_be_named_alone() -> None:
    alone, listed = (models.hybrid_dynamics(acrobot(), free=free) for free in ("elbow", ["elbow"]))
    assert alone.options == listed.options


def test_a_joint_with_the_name_of_the_free_base_is_refused() -> None:
    link = {"M": 1.0, "MX": 0.4, "ZZ": 0.3, "XX": 0.1, "YY": 0.3}
    rows = [{"joint": "base", "spring": {"stiffness": 3}, "active": False, **link}]
    with pytest.raises(RobotError, match="joint 'base': the name is that of the free base"):
        models.hybrid_dynamics(Robot.from_table("twice", rows, base={"floating": True, **link}))
    assert models.hybrid_dynamics(Robot.from_table("once", rows)).options["free"] == ["base"]


@pytest.mark.parametrize("floating", [False, True])
def test_joints_of_several_axes_without_a_motor(floating: bool) -> None:
    """Each joint of every kind in turn: all of its speeds are free, and its torques are given."""
    robot = mixed(floating=floating)
    q, qd = start(robot)
    rng = np.random.default_rng(3)
    qdd, names = rng.uniform(-1, 1, robot.nv), [entry.joint for entry in speed_entries(robot)]
    tau = np.asarray(models.inverse_dynamics(robot, wrench="none").evaluate(q=q, qd=qd, qdd=qdd))
    for j in robot.moving:
        frames = list(robot.frames)
        frames[j - 1] = replace(frames[j - 1], joint=replace(frames[j - 1].joint, active=False))
        passive = robot.replace(frames=tuple(frames))
        model = models.hybrid_dynamics(passive, wrench="none")
        mine = [k - len(names) + robot.nv for k, name in enumerate(names) if name == passive.frame(j).joint.name]
        free = [*range(robot.nv - len(names)), *mine]
        given = qdd.copy()
        given[free] = np.nan  # not read
        found = model.evaluate(
            q=q, qd=qd, qdd=np.nan_to_num(given, nan=9.9), tau=np.where(np.isin(range(robot.nv), free), tau, 7.7)
        )
        np.testing.assert_allclose(found.qdd_all, qdd, atol=1e-10)
        np.testing.assert_allclose(found.tau_all, tau, atol=1e-10)
        assert len(model.options["free"]) == len(free)
