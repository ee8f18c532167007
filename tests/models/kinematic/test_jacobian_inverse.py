"""The inverse of the Jacobian: NumPy's of Pinocchio's matrices, the textbook's damped one, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from models.kinematic.arms import WRISTS, best_posed, farthest, pinocchio_jacobian, random_arm
from models.kinematic.mass_states import states
from models.kinematic.moving_frames import random_placed_tree
from models.pinocchio_states import Twin
from models.reference import relative_error
from real_robots import real_robot, urdf_file
from sweeps import crossed, many

import robosym
from robosym import RobosymError
from robosym.models.kinematic.jacobian import asked, jacobian
from robosym.models.kinematic.jacobian_inverse import jacobian_inverse
from robosym.models.kinematic.search import best_blocks
from robosym.models.kinematic.systems import task
from robosym.program import verified
from robosym.robot import Robot, RobotError

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

TOLERANCE = 1e-10
SIX = ("rx90", "puma560", "ur5", "stanford", "renaud-6r")


def check(robot: Robot, twin: Twin, j: int, method: str, **options: object) -> None:
    q, _ = states(1, robot, 40)
    J = pinocchio_jacobian(twin, j, q, str(options.get("axes", "local-world-aligned")))
    chosen = best_posed(J, 3)
    model = jacobian_inverse(robot, frame=j, **options)  # type: ignore[arg-type]
    verified(model.program)
    assert model.options["method"] == method
    expected = np.linalg.pinv(J[chosen], rcond=1e-9)
    assert relative_error(model.compile()(q=q[chosen]), expected) < TOLERANCE


def damped(J: np.ndarray, damping: float, W: np.ndarray, T: np.ndarray) -> np.ndarray:
    """The minimum of (J qd - v)^T T (J qd - v) + damping^2 qd^T W qd, by its normal equations."""
    return np.linalg.solve(J.T @ np.diag(T) @ J + damping**2 * np.diag(W), J.T @ np.diag(T))


# --- exact -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "convention"), crossed(SIX, ["local", "world", "local-world-aligned"], every=3))
def test_six_joints(name: str, convention: str) -> None:
    robot = robosym.load(name)
    check(robot, Twin.of_robot(robot), len(robot.frames), "exact", axes=convention)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(
    ("name", "frame", "method"),
    [
        ("ur5", "tool0", "exact"),
        ("puma", "l6", "exact"),
        ("z1", "link06", "exact"),
        ("panda", "panda_link7", "damped"),
        ("arm7", None, "damped"),
    ],
)
def test_arms_of_files(name: str, frame: str | None, method: str) -> None:
    robot = real_robot(name)
    twin = Twin.of_urdf(urdf_file(name), robot)
    check(robot, twin, farthest(twin) if frame is None else robot.number(frame), method)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("wrist", WRISTS)
@pytest.mark.parametrize("generic", [False, True])
def test_random_arms(wrist: str, generic: bool) -> None:
    robot = random_arm(3, wrist, generic=generic)
    check(robot, Twin.of_robot(robot), 6, "exact")


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", range(many(2)))
def test_random_arms_with_prismatic_joints(seed: int) -> None:
    sigmas = [0] * 6
    sigmas[seed + 1] = 1
    robot = random_arm(seed, sigmas=tuple(sigmas), generic=True)
    check(robot, Twin.of_robot(robot), 6, "exact")


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("wrist", ["wrist", "shoulder", "inner"])
def test_a_wrist_anywhere_splits_the_matrix(wrist: str) -> None:
    """No determinant of more than three rows is left; without a wrist one of five is."""
    for kind, largest in ((wrist, 3), ("none", 5)):
        robot = random_arm(5, kind, generic=True)
        best = best_blocks(task(robot, asked(robot, None, "local-world-aligned"), None), 1)[0]
        assert max(len(block.rows) for block in best.blocks) == largest


def test_a_tool_and_any_axes() -> None:
    robot = robosym.load("puma560")
    options = {"tool": (0.1, "LT", 0), "axes": 2}
    model, forward = jacobian_inverse(robot, **options), jacobian(robot, **options)  # type: ignore[arg-type]
    q = np.array([0.3, -0.7, 1.1, 0.4, 0.9, -0.2])
    product = model.compile()(q=q, parameters={"LT": 0.2}) @ forward.compile()(q=q, parameters={"LT": 0.2})
    np.testing.assert_allclose(product, np.eye(6), atol=1e-12)


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("scara", ("vx", "vy", "vz", "wz")),
        ("planar-2r", ("vx", "vy")),
        ("planar-2r", ("wz", "vx")),
        ("planar-3r", ("vx", "vy", "wz")),
        ("stanford-3", ("vx", "vy", "vz")),
    ],
)
def test_some_components(name: str, rows: tuple[str, ...]) -> None:
    robot = robosym.load(name)
    model = jacobian_inverse(robot, rows=rows, method="exact")  # type: ignore[arg-type]
    q, _ = states(2, robot, 40)
    picked = [("vx", "vy", "vz", "wx", "wy", "wz").index(row) for row in rows]
    J = jacobian(robot).compile()(q=q)[:, picked]
    chosen = best_posed(J, 3)
    assert relative_error(model.compile()(q=q[chosen]), np.linalg.inv(J[chosen])) < TOLERANCE


def test_what_no_joint_can_make_is_ignored() -> None:
    """The scara cannot tilt: its four other components have an exact inverse, and it is the pseudo-inverse of all six."""
    robot = robosym.load("scara")
    check(robot, Twin.of_robot(robot), 4, "exact")


def test_nor_does_it_enter_through_a_lever() -> None:
    """A tool off the plane: a tilt, which no joint makes, would move it."""
    robot, tool = robosym.load("planar-3r"), (0.1, 0.2, 0.3)
    model = jacobian_inverse(robot, tool=tool)
    assert model.options["method"] == "exact"
    q = np.array([0.3, 0.8, -0.5])
    expected = np.linalg.pinv(jacobian(robot, tool=tool).compile()(q=q))
    assert relative_error(model.compile()(q=q), expected) < TOLERANCE


def test_an_arm_of_a_free_base_alone() -> None:
    """Six velocities of the base and no joint."""
    robot = robosym.load("planar-2r")
    free = robot.replace(base=robot.base.__class__(floating=True))
    q, _ = states(3, free, 2)
    found = jacobian_inverse(free, frame=0, method="exact").compile()(q=q)
    J = jacobian(free, frame=0).compile()(q=q)
    np.testing.assert_allclose(found[:, :6], np.linalg.inv(J[:, :, :6]), atol=1e-12)
    assert not found[:, 6:].any()


def test_at_a_singularity_the_exact_inverse_is_not_finite() -> None:
    found = jacobian_inverse(robosym.load("planar-2r"), rows=("vx", "vy")).compile()(q=[0.0, 0.0])
    assert not np.isfinite(found).all()


# --- damped ----------------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("block", range(many(2)))
def test_random_trees_agree_with_the_textbook(block: int) -> None:
    """Frames on any branch, dependent joints, any rank: damping makes every system regular."""
    for seed in range(6 * block, 6 * block + 6):
        robot = random_placed_tree(seed)
        j = 1 + seed % len(robot.frames)
        q, _ = states(seed, robot, 2)
        J = pinocchio_jacobian(Twin.of_robot(robot), j, q, "local")
        found = jacobian_inverse(robot, frame=j, axes="local", method="damped").compile()(q=q, damping=0.4)
        expected = [damped(one, 0.4, np.ones(robot.nv), np.ones(6)) for one in J]
        assert relative_error(found, expected) < TOLERANCE


@pytest.mark.parametrize(
    ("name", "rows"), [("panda", None), ("rx90", None), ("planar-3r", ("vx", "vy")), ("planar-2r", None)]
)
def test_weights(name: str, rows: tuple[str, ...] | None) -> None:
    """Of joints and of components, in the axes asked for."""
    robot = robosym.load(name)
    model = jacobian_inverse(robot, axes=0, rows=rows, weighted=True)  # type: ignore[arg-type]
    picked = list(range(6)) if rows is None else [0, 1]
    rng = np.random.default_rng(4)
    q, W, T = rng.uniform(-2, 2, robot.nv), rng.uniform(0.5, 2, robot.nv), rng.uniform(0.5, 2, len(picked))
    J = jacobian(robot, axes=0).compile()(q=q)[picked]
    found = model.compile()(q=q, damping=0.3, weights=W, task_weights=T)
    assert relative_error(found, damped(J, 0.3, W, T)) < TOLERANCE


def test_weights_without_damping_are_those_of_the_pseudo_inverse() -> None:
    robot = robosym.load("panda")
    rng = np.random.default_rng(5)
    q, W = rng.uniform(-1, 1, 7), rng.uniform(0.5, 2, 7)
    J = jacobian(robot).compile()(q=q)
    found = jacobian_inverse(robot, weighted=True).compile()(q=q, weights=W, task_weights=np.ones(6))
    half = np.diag(W**-0.5)
    assert relative_error(found, half @ np.linalg.pinv(J @ half)) < TOLERANCE


def test_a_free_base_has_joints_to_spare() -> None:
    robot = real_robot("solo12", floating=True)
    check(robot, Twin.of_urdf(urdf_file("solo12"), robot), robot.number("FL_FOOT"), "damped")


def test_a_batch_of_dampings_and_a_plain_number() -> None:
    robot = robosym.load("planar-3r")
    f = jacobian_inverse(robot, rows=("vx", "vy")).compile()
    q = np.full(3, 0.4)
    batch = f(q=q, damping=[[0.0], [0.5]])
    np.testing.assert_array_equal(batch[0], f(q=q))
    np.testing.assert_array_equal(batch[1], f(q=q, damping=0.5))


def test_damping_bounds_the_inverse_at_a_singularity_and_none_divides_by_zero() -> None:
    f = jacobian_inverse(robosym.load("planar-2r"), rows=("vx", "vy"), method="damped").compile()
    stretched = np.zeros(2)
    assert np.abs(f(q=stretched, damping=0.1)).max() <= 1 / (2 * 0.1) + 1e-12
    assert not np.isfinite(f(q=stretched)).all()


# --- shape, cost, refusals -------------------------------------------------------------------------------------------


def test_joints_elsewhere_and_frames_at_rest_have_zero_rows() -> None:
    robot = real_robot("solo12")
    found = jacobian_inverse(robot, frame="FR_FOOT", rows=("vx", "vy", "vz"), method="exact").compile()(
        q=np.full(12, 0.5)
    )
    assert found.shape == (12, 3)
    used = [name.startswith("FR") for name in robot.joint_names]
    assert found[used].any(axis=1).all()
    assert not found[[not one for one in used]].any()
    assert not jacobian_inverse(robot, frame=0).evaluate(q=np.zeros(12)).any()


@pytest.mark.slow
def test_operation_counts_do_not_grow() -> None:
    most = {"rx90": 77, "puma560": 87, "ur5": 171, "stanford": 70, "panda": 909}
    for name, total in most.items():
        assert jacobian_inverse(robosym.load(name)).operations.total <= total


def test_it_prints_as_c() -> None:
    text = jacobian_inverse(robosym.load("planar-3r"), rows=("vx", "vy")).source("c")
    assert "damping" in text


def test_a_matrix_singular_everywhere_is_refused() -> None:
    """Four parallel axes: the six joints never reach all six components."""
    rows = [{"d": 0.3, "alpha": "pi/2" if j in (1, 5) else 0} for j in range(6)]
    robot = Robot.from_table("flat", rows)
    with pytest.raises(RobotError, match=r"singular at every position.*damping above zero"):
        jacobian_inverse(robot, method="exact")
    assert jacobian_inverse(robot).options["method"] == "damped"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "exact"}, "7 velocities move the frame, and 6 components"),
        ({"method": "best"}, "expected 'auto', 'exact' or 'damped'"),
        ({"rows": ("vx", "up")}, "rows: got .*'up'.*, expected a list of 'vx', 'vy'"),
        ({"rows": ("vx", "vx")}, "expected different ones"),
        ({"rows": ()}, "expected different ones"),
    ],
)
def test_options_must_be_known(options: dict[str, object], message: str) -> None:
    with pytest.raises(RobosymError, match=message):
        jacobian_inverse(robosym.load("panda"), **options)  # type: ignore[arg-type]


def test_exact_takes_no_weights() -> None:
    with pytest.raises(RobotError, match="weighted: the exact inverse has no weights"):
        jacobian_inverse(robosym.load("rx90"), method="exact", weighted=True)
