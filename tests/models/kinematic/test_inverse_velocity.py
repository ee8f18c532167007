"""Joint velocities and accelerations for a motion of the frame: what Pinocchio makes of them is what was asked for."""

from __future__ import annotations

import numpy as np
import pytest
from models.kinematic.arms import best_posed, farthest, pinocchio_jacobian, random_arm
from models.kinematic.moving_frames import freed, motion, placed, random_placed_tree, states
from models.loops.iterated_linkages import stephenson
from models.pinocchio_states import Twin
from models.reference import frame_poses, loaded_robot, relative_error
from random_poses import random_pose
from real_robots import real_robot, urdf_file
from sweeps import crossed, many

import robosym
from robosym import RobosymError
from robosym.models.kinematic.accelerations import accelerations
from robosym.models.kinematic.inverse_velocity import inverse_kinematics_velocity
from robosym.models.kinematic.jacobian import jacobian
from robosym.models.kinematic.jacobian_inverse import Method, jacobian_inverse
from robosym.models.kinematic.task import ROWS, Row
from robosym.models.kinematic.velocities import velocities
from robosym.program import verified
from robosym.robot import Robot, RobotError

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

TOLERANCE = 1e-10
CONVENTIONS = ("local", "world", "local-world-aligned")


def check(robot: Robot, twin: Twin, j: int, convention: str, seed: int = 0) -> None:
    """Both orders: asked for the motion of a random state, they give one that moves the frame in the same way."""
    batch = states(np.random.default_rng(seed), robot, 40)
    chosen = best_posed(pinocchio_jacobian(twin, j, batch["q"], convention), 3)
    batch = {name: array[chosen] for name, array in batch.items()}
    twist = motion(twin, batch, [j], convention)[:, 0]
    rate = motion(twin, batch, [j], convention, "classical")[:, 0]
    first = inverse_kinematics_velocity(robot, frame=j, axes=convention)  # type: ignore[arg-type]
    second = inverse_kinematics_velocity(robot, frame=j, axes=convention, order=2)  # type: ignore[arg-type]
    for model in (first, second):
        verified(model.program)
    qd = first.compile()(q=batch["q"], twist=twist)
    qdd = second.compile()(q=batch["q"], qd=batch["qd"], acceleration=rate)
    assert relative_error(motion(twin, batch | {"qd": qd}, [j], convention)[:, 0], twist) < TOLERANCE
    assert relative_error(motion(twin, batch | {"qdd": qdd}, [j], convention, "classical")[:, 0], rate) < TOLERANCE


@pytest.mark.parametrize(
    ("name", "convention"), crossed(["puma560", "stanford", "panda", "scara", "planar-3r"], CONVENTIONS, every=3)
)
def test_built_in_robots(name: str, convention: str) -> None:
    robot = robosym.load(name)
    check(robot, Twin.of_robot(robot), len(robot.frames), convention)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(("name", "frame"), [("ur5", "tool0"), ("kinova", None)])
def test_arms_of_files(name: str, frame: str | None) -> None:
    robot = real_robot(name)
    twin = Twin.of_urdf(urdf_file(name), robot)
    j = farthest(twin) if frame is None else robot.number(frame)
    check(robot, twin, j, "local-world-aligned")


@pytest.mark.slow
@pytest.mark.parametrize("wrist", ["wrist", "inner", "none"])
def test_random_arms_placed_anywhere(wrist: str) -> None:
    robot = placed(random_arm(7, wrist, generic=True), random_pose(np.random.default_rng(7)))
    check(robot, Twin.of_robot(robot), 6, "local-world-aligned")


def test_a_free_base() -> None:
    robot = real_robot("solo12", floating=True)
    check(robot, Twin.of_urdf(urdf_file("solo12"), robot), robot.number("HR_FOOT"), "local")


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("block", range(many(2)))
def test_random_trees_with_damping(block: int) -> None:
    """J^# v for any rank, with dependent joints and free bases: J^# from the normal equations on Pinocchio's J."""
    for seed in range(4 * block, 4 * block + 4):
        robot = random_placed_tree(seed)
        robot = freed(robot) if seed % 4 == 0 else robot
        j = 1 + seed % len(robot.frames)
        twin = Twin.of_robot(robot)
        batch = states(np.random.default_rng(seed), robot)
        asked = np.random.default_rng(seed + 1).uniform(-1, 1, (2, 6))
        still = batch | {"qdd": np.zeros_like(batch["qdd"])}
        drift = motion(twin, still, [j], "local-world-aligned", "classical")[:, 0]
        J = pinocchio_jacobian(twin, j, batch["q"])
        inverse = [np.linalg.solve(one.T @ one + 0.25 * np.eye(robot.nv), one.T) for one in J]
        for order, right in ((1, asked), (2, asked - drift)):
            model = inverse_kinematics_velocity(robot, frame=j, method="damped", order=order)  # type: ignore[arg-type]
            given = {"twist": asked} if order == 1 else {"qd": batch["qd"], "acceleration": asked}
            found = model.compile()(q=batch["q"], damping=0.5, **given)
            assert relative_error(found, np.einsum("bij,bj->bi", inverse, right)) < TOLERANCE


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["rx90", "scara", "planar-3r"])
def test_the_joints_make_up_for_a_base_in_motion(name: str) -> None:
    """The base moves as the description says, also in ways the joints cannot make: those stay as they are."""
    robot = robosym.load(name)
    given = loaded_robot(np.random.default_rng(3), 1, symbolic=False).base
    robot = robot.replace(base=given)
    q, qd, qdd = np.random.default_rng(8).uniform(-1, 1, (3, robot.nv))
    j = len(robot.frames)
    V = velocities(robot, frames=[j], axes="local-world-aligned").compile()(q=q, qd=qd)
    A = accelerations(robot, frames=[j], axes="local-world-aligned").compile()(q=q, qd=qd, qdd=qdd)
    first, second = (inverse_kinematics_velocity(robot, frame=j, order=order) for order in (1, 2))
    np.testing.assert_allclose(first.compile()(q=q, twist=V), qd, atol=1e-9)
    np.testing.assert_allclose(second.compile()(q=q, qd=qd, acceleration=A), qdd, atol=1e-9)


def test_a_base_tilts_a_tool_off_the_plane() -> None:
    """The joints of a plane arm make up for what the base does in the plane, and for nothing else."""
    robot = robosym.load("planar-3r").replace(base=loaded_robot(np.random.default_rng(3), 1, symbolic=False).base)
    q, qd = np.random.default_rng(8).uniform(-1, 1, (2, 3))
    tool, j = (0.1, 0.2, 0.3), len(robot.frames)
    V = velocities(robot, frames=[j], axes="local-world-aligned").compile()(q=q, qd=qd)
    V[:3] += np.cross(V[3:], frame_poses(robot, q)[j][:3, :3] @ tool)
    found = inverse_kinematics_velocity(robot, tool=tool).compile()(q=q, twist=V)
    np.testing.assert_allclose(found, qd, atol=1e-10)


def test_a_tool_and_some_components() -> None:
    """A plane arm's tip with a tool: two components, three joints."""
    robot = robosym.load("planar-3r")
    options = {"tool": (0.3, 0.1, 0), "rows": ("vy", "vx")}
    q, qd = np.random.default_rng(9).uniform(-1, 1, (2, 3))
    J = jacobian(robot, tool=options["tool"]).compile()(q=q)[[1, 0]]  # type: ignore[arg-type]
    found = inverse_kinematics_velocity(robot, **options).compile()(q=q, twist=[0.2, -0.4])  # type: ignore[arg-type]
    np.testing.assert_allclose(found, np.linalg.pinv(J) @ [0.2, -0.4], atol=1e-11)
    step = 1e-6
    ahead, behind = (
        jacobian(robot, tool=options["tool"]).compile()(q=q + s * qd)[[1, 0]]  # type: ignore[arg-type]
        for s in (step, -step)
    )
    drift = (ahead - behind) @ qd / (2 * step)
    model = inverse_kinematics_velocity(robot, order=2, **options)  # type: ignore[arg-type]
    qdd = model.compile()(q=q, qd=qd, acceleration=[0.2, -0.4])
    np.testing.assert_allclose(J @ qdd + drift, [0.2, -0.4], atol=1e-8)


def test_drift_across_what_no_joint_makes() -> None:
    """A single joint moves its tip along y only, and accelerates it along x too: that is not to be made up for."""
    robot = Robot.from_table("one", [{}, {"sigma": 2, "d": 0.7, "name": "tip"}])
    for rows in (("vy",), ("vx", "vy")):
        model = inverse_kinematics_velocity(robot, frame="tip", axes="local", rows=rows, order=2)  # type: ignore[arg-type]
        asked = [3.0, 1.4][-len(rows) :]
        found = model.compile()(q=[0.4], qd=[2.0], acceleration=asked)
        np.testing.assert_allclose(found, [2.0], atol=1e-12)


# --- null space ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("order", [1, 2])
def test_motion_in_the_null_space_does_not_move_the_frame(order: int) -> None:
    robot = robosym.load("panda")
    rng = np.random.default_rng(10)
    q, qd, z = rng.uniform(-1, 1, (3, 7))
    model = inverse_kinematics_velocity(robot, null_space=True, order=order)  # type: ignore[arg-type]
    without = inverse_kinematics_velocity(robot, order=order).compile()  # type: ignore[arg-type]
    given = {"q": q, "twist": rng.uniform(-1, 1, 6)} if order == 1 else {"q": q, "qd": qd, "acceleration": np.ones(6)}
    own = model.compile()(**given, motion=z) - without(**given)
    J = jacobian(robot).compile()(q=q)
    np.testing.assert_allclose(J @ own, 0, atol=1e-10)
    np.testing.assert_allclose(own, (np.eye(7) - np.linalg.pinv(J) @ J) @ z, atol=1e-10)
    assert np.abs(own).max() > 1e-3


def test_joints_elsewhere_move_as_they_like() -> None:
    robot = real_robot("solo12")
    model = inverse_kinematics_velocity(robot, frame="FR_FOOT", rows=("vx", "vy", "vz"), null_space=True)
    z = np.arange(12.0)
    found = model.compile()(q=np.full(12, 0.5), twist=np.zeros(3), motion=z)
    elsewhere = [not name.startswith("FR") for name in robot.joint_names]
    np.testing.assert_array_equal(found[elsewhere], z[elsewhere])
    np.testing.assert_allclose(found[np.invert(elsewhere)], 0, atol=1e-12)


def test_weights_choose_among_the_solutions() -> None:
    robot = robosym.load("planar-3r")
    rng = np.random.default_rng(11)
    q, W, T, z = rng.uniform(-1, 1, 3), rng.uniform(0.5, 2, 3), rng.uniform(0.5, 2, 2), rng.uniform(-1, 1, 3)
    model = inverse_kinematics_velocity(robot, rows=("vx", "vy"), weighted=True, null_space=True)
    found = model.compile()(q=q, twist=[1, 2], motion=z, weights=W, task_weights=T, damping=0.2)
    J = jacobian(robot).compile()(q=q)[:2]
    inverse = np.linalg.solve(J.T @ np.diag(T) @ J + 0.04 * np.diag(W), J.T @ np.diag(T))
    np.testing.assert_allclose(found, inverse @ [1, 2] + (np.eye(3) - inverse @ J) @ z, atol=1e-12)


# --- cost and refusals -----------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["rx90", "puma560", "ur5", "stanford", "panda"])
def test_solving_costs_less_than_the_matrix_and_a_product(name: str) -> None:
    robot = robosym.load(name)
    product = robot.nv * (6 + 5)
    solving, inverting = inverse_kinematics_velocity(robot), jacobian_inverse(robot)
    assert solving.operations.total < inverting.operations.total + product


@pytest.mark.slow
def test_operation_counts_do_not_grow() -> None:
    most = {"rx90": (52, 132), "puma560": (62, 151), "ur5": (80, 180), "stanford": (50, 113), "panda": (461, 678)}
    for name, totals in most.items():
        for order, total in zip((1, 2), totals, strict=True):
            model = inverse_kinematics_velocity(robosym.load(name), order=order)  # type: ignore[arg-type]
            assert model.operations.total <= total, (name, order)


def test_the_order_must_be_one_or_two() -> None:
    with pytest.raises(RobosymError, match="order: got 3, expected 1"):
        inverse_kinematics_velocity(robosym.load("rx90"), order=3)  # type: ignore[arg-type]


def test_a_free_base_has_no_given_motion() -> None:
    robot = loaded_robot(np.random.default_rng(3), 3, symbolic=False)
    both = robot.replace(base=robot.base.__class__(floating=True, velocity=robot.base.velocity))
    with pytest.raises(RobotError, match="expected one of the two"):
        inverse_kinematics_velocity(both, frame=1)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(("name", "rows"), [("five-bar-general", ["vx", "vy"]), ("stephenson", ["vx"])])
@pytest.mark.parametrize("method", ["exact", "damped"])
def test_closed_loops_accelerate_joints_by_themselves(name: str, rows: list[Row], method: Method) -> None:
    """Loops in closed form, and loops that are iterated: the accelerations of the frame give back those of the motors."""
    robot = stephenson() if name == "stephenson" else robosym.load(name)
    inverse = inverse_kinematics_velocity(robot, rows=rows, order=2, method=method)
    forward, n = accelerations(robot), len(robot.moving)
    rng = np.random.default_rng(1)
    centre, reach = (np.asarray(forward.centre["q"], dtype=float), 0.1) if forward.centre else (np.zeros(n), 0.8)
    checked = 0
    while checked < 4:
        q, qd, qdd = rng.uniform(-1, 1, (3, n)) * [[reach], [1], [1]]
        q = centre + q
        there = forward.evaluate(q=q, qd=qd, qdd=qdd)
        if not there["assembled"]:
            continue
        given = there["VD"][[ROWS.index(row) for row in rows]]
        found = inverse.evaluate(q=q, qd=qd, acceleration=given)
        assert found["qdd"] == pytest.approx(qdd, abs=1e-8)
        checked += 1
