"""Measures of robots, through the compiled Jacobian: closed forms, finite differences, Pinocchio."""

from __future__ import annotations

import numpy as np
import pytest
from models.pinocchio_states import Twin, pin
from real_robots import real_robot, urdf_file

import robosym
from robosym import RobosymError
from robosym.analysis import FrameMotion, manipulability_of, workspace

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")


def test_yoshikawas_measure_of_the_planar_arm() -> None:
    robot = robosym.load("planar-2r")
    q = np.random.default_rng(0).uniform(-3, 3, (20, 2))
    np.testing.assert_allclose(manipulability_of(robot, q), 0.5 * 0.4 * np.abs(np.sin(q[:, 1])), atol=1e-14)
    changed = manipulability_of(robot, q, parameters={"L1": 2.0})
    np.testing.assert_allclose(changed, 2.0 * 0.4 * np.abs(np.sin(q[:, 1])), atol=1e-13)
    assert manipulability_of(robot, [0.3, 0.0]) == 0


def test_the_scara_is_a_planar_arm_that_also_rises() -> None:
    robot = robosym.load("scara")
    q = np.random.default_rng(1).uniform(-1, 1, (20, 4))
    np.testing.assert_allclose(manipulability_of(robot, q), 0.4 * 0.3 * np.abs(np.sin(q[:, 1])), atol=1e-14)
    # x, y, z and the turn about z: four joints, four directions, the same determinant.
    both = manipulability_of(robot, q, part="all")
    np.testing.assert_allclose(both, 0.4 * 0.3 * np.abs(np.sin(q[:, 1])), atol=1e-14)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("planar-2r", {"linear": 2, "angular": 1, "all": 3}),
        ("planar-3r", {"linear": 2, "angular": 1, "all": 3}),
        ("scara", {"linear": 3, "angular": 1, "all": 4}),
        ("puma560", {"linear": 3, "angular": 3, "all": 6}),
    ],
)
def test_directions_a_frame_never_moves_in_are_no_loss(name: str, expected: dict[str, int]) -> None:
    assert FrameMotion(robosym.load(name)).dimensions == expected


@pytest.mark.parametrize("file", ["panda", "ur5", "xarm7"])
def test_against_pinocchio(file: str) -> None:
    robot = real_robot(file)
    twin = Twin.of_urdf(urdf_file(file), robot)
    bodies = {frame.name for frame in twin.model.frames if frame.type == pin.BODY}
    tip = next(j for j in reversed(robot.order) if robot.frame(j).name in bodies)
    motion = FrameMotion(robot, frame=tip)
    q = np.random.default_rng(2).uniform(-2, 2, (5, robot.nq))
    for state in q:
        pin.computeJointJacobians(twin.model, twin.data, twin.configuration(state))
        pin.updateFramePlacements(twin.model, twin.data)
        J = pin.getFrameJacobian(twin.model, twin.data, twin.frame_id(tip), pin.LOCAL_WORLD_ALIGNED) @ twin.spread
        np.testing.assert_allclose(motion.jacobian(state), J, atol=1e-10)
        s = np.linalg.svd(J[:3], compute_uv=False)
        found = motion.measures(state)
        np.testing.assert_allclose(found.manipulability, np.prod(s), atol=1e-10)
        np.testing.assert_allclose(found.condition, s[0] / s[-1], rtol=1e-7)


def test_a_free_base_is_held() -> None:
    fixed, free = (robosym.load("puma560", floating=floating) for floating in (False, True))
    q = np.array([0.3, -0.7, 0.5, 0.2, 0.9, 0.1])
    held = np.concatenate([[0, 0, 0, 0, 0, 0, 1], q])
    assert manipulability_of(free, held) == pytest.approx(float(manipulability_of(fixed, q)), abs=1e-14)


def test_a_frame_that_nothing_moves() -> None:
    motion = FrameMotion(robosym.load("puma560"), frame=0)
    found = motion.measures(np.zeros(6))
    assert (found.manipulability, found.condition, found.rank) == (0, np.inf, 0)


@pytest.mark.parametrize("mode", ["cut+", "cut-"])
def test_closed_loops(mode: str) -> None:
    """One motor: the manipulability is the speed of the point, here by differences."""
    robot = robosym.load("four-bar")
    place = robosym.models.transform(robot, part="position", mode=mode).compile()
    q = np.array([[0.7], [2.0], [-1.1]])
    found = manipulability_of(robot, q, mode=mode)
    speed = np.linalg.norm(place(q=q + 1e-6)["P"] - place(q=q - 1e-6)["P"], axis=1) / 2e-6
    np.testing.assert_allclose(found, speed, rtol=1e-7)


def test_what_cannot_be_asked_is_said() -> None:
    robot = robosym.load("planar-2r")
    short = robosym.load("four-bar")
    with pytest.raises(RobosymError, match="the closed loops cannot be assembled at this state"):
        manipulability_of(short, [0.3], parameters={"D4": 0.01})
    with pytest.raises(RobosymError, match=r"unknown parameter 'L9' \(did you mean"):
        manipulability_of(robot, [0, 0], parameters={"L9": 1.0})
    with pytest.raises(RobosymError, match="q holds a number that is not finite"):
        manipulability_of(robot, [0, np.nan])
    with pytest.raises(RobosymError, match=r"q' has shape \(3,\)"):
        manipulability_of(robot, [0, 0, 0])
    nameless = robot.replace(values={k: v for k, v in robot.values.items() if k != "L2"})
    with pytest.raises(RobosymError, match="parameters without a value: L2"):
        manipulability_of(nameless, [0, 0])
    assert manipulability_of(nameless, [0, np.pi / 2], parameters={"L2": 0.4}) == pytest.approx(0.2)


def test_a_tool_is_meant_instead_of_the_frame() -> None:
    """At the end of the second link of a planar arm: the tip. And with another length a longer link."""
    robot = robosym.load("planar-2r")
    q = np.random.default_rng(0).uniform(-2, 2, (20, 2))
    at_tip = manipulability_of(robot, q, frame="link2", tool=("LT", 0, 0), parameters={"LT": 0.4})
    np.testing.assert_allclose(at_tip, manipulability_of(robot, q), atol=1e-14)
    longer = manipulability_of(robot, q, tool=(0.3, 0, 0))
    np.testing.assert_allclose(longer, 0.5 * 0.7 * np.abs(np.sin(q[:, 1])), atol=1e-14)
    assert FrameMotion(robot, tool=(0.3, 0, 0)).name == "tool"
    found = workspace(robot, tool=(0.3, 0, 0), samples=200)
    at = robosym.models.transform(robot, tool=(0.3, 0, 0), reference="world", part="position").compile()(q=found.q)
    np.testing.assert_allclose(found.points, at, atol=1e-14)
