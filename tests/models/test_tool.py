"""A tool: a pose or a point that is fixed in a frame, the same for every model."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import robosym
from robosym import RobosymError, models
from robosym.expr import evaluate, number, parameter
from robosym.models.kinematic.jacobian import jacobian
from robosym.models.tool import tool_pose, with_tool
from robosym.robot import RobotError

ROBOT = robosym.load("planar-2r")
RX90 = robosym.load("rx90")


def turn(axis: str, angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    rows = {"x": [[1, 0, 0], [0, c, -s], [0, s, c]], "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]]}
    return np.array(rows.get(axis, [[c, -s, 0], [s, c, 0], [0, 0, 1]]))


def pose(R: np.ndarray, p: Any = (0.1, -0.2, 0.3)) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


def test_numbers_texts_and_expressions() -> None:
    LT = parameter("LT")
    assert tool_pose(ROBOT, ("LT/2", 0, LT)).position == (LT / 2, number(0), LT)
    assert (
        tool_pose(ROBOT, np.array([1, 2, 3])) == tool_pose(ROBOT, [1, 2, 3]) == tool_pose(ROBOT, (1.0, np.int64(2), 3))
    )
    matrix = [[1, 0, 0, "LT"], [0, 1, 0, 0], [0, 0, 1, LT], [0, 0, 0, 1]]
    assert tool_pose(ROBOT, matrix) == tool_pose(ROBOT, ("LT", 0, LT))
    assert tool_pose(ROBOT, np.array(matrix, dtype=object)) == tool_pose(ROBOT, matrix)


def test_a_point_with_a_quaternion() -> None:
    """x y z qx qy qz qw, as poses are given elsewhere; quarter turns stay exact."""
    quaternion = np.array([0.2, -0.4, 0.5, 0.1])
    quaternion /= np.linalg.norm(quaternion)
    x, y, z, w = quaternion
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    R = np.eye(3) + 2 * w * K + 2 * K @ K
    q, expected = np.linspace(-1, 1, 6), pose(R, (0.1, 0.2, 0.3))
    found = models.transform(RX90, tool=[0.1, 0.2, "LT", *quaternion]).compile()(q=q, parameters={"LT": 0.3})
    np.testing.assert_allclose(found, models.transform(RX90).evaluate(q=q) @ expected, atol=1e-12)
    assert tool_pose(RX90, (0, 0, 0.1, 0, 0, 0, 1)) == tool_pose(RX90, (0, 0, 0.1))
    half = math.sqrt(0.5)
    turned, _ = with_tool(RX90, 6, tool_pose(RX90, (0, 0, 0, half, 0, 0, half)))
    assert str(turned.frames[-1].alpha) == "pi/2"
    for wrong in ((0, 0, 0, 0, 0, 0, 2), (0, 0, 0, 0, 0, 0, 0), (0, 0, 0, "a", 0, 0, 1)):
        with pytest.raises(
            RobotError, match=r"tool: its quaternion qx, qy, qz, qw .*, expected four numbers of length 1"
        ):
            tool_pose(RX90, wrong)


MODELS = [
    models.transform,
    models.geometric,
    models.jacobian,
    models.jacobian_rate,
    models.jacobian_determinant,
    models.jacobian_inverse,
    models.inverse_kinematics_velocity,
    models.static_torques,
    models.velocities,
    models.accelerations,
    models.jdot_qdot,
    models.inverse_geometric,
    models.inverse_geometric_redundant,
    robosym.analysis.workspace,
    robosym.analysis.FrameMotion,
]
REFLECTED = np.diag([1.0, 1.0, -1.0, 1.0])
SHAPES = ["0,0,1", 5, (1, 2), {"x": 0, "y": 0, "z": 0}, {1, 2, 3}, np.eye(3), [[1, 2], [3, 4]], [0, [1], 2]]


@pytest.mark.parametrize("model", MODELS, ids=lambda f: f.__name__)
def test_every_model_refuses_alike(model: Any) -> None:
    for tool in SHAPES:
        with pytest.raises(RobosymError, match=r"tool: got .*, expected a pose \(4 x 4\), a point"):
            model(RX90, tool=tool)
    with pytest.raises(RobotError, match=r"tool: its rotation is not orthonormal: R\^T R misses the identity by 3"):
        model(RX90, tool=2 * np.eye(4) - np.diag([0, 0, 0, 1]))
    with pytest.raises(RobotError, match="tool: its rotation is a reflection"):
        model(RX90, tool=REFLECTED)
    with pytest.raises(RobotError, match="tool: the last row is"):
        model(RX90, tool=2 * np.eye(4) - np.diag([1, 1, 1, 0]))
    with pytest.raises(RobotError, match="not orthonormal for all values of its symbols"):
        model(RX90, tool=[["a", 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    with pytest.raises(RobotError, match="tool row 1 column 4: 'q1' moves"):
        model(RX90, tool=[[1, 0, 0, "q1"], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])


@pytest.mark.parametrize("value", [float("nan"), 1j, None, True, "1 +", "q1"])
def test_what_is_no_coordinate(value: Any) -> None:
    with pytest.raises(RobotError, match="tool 2: "):
        jacobian(ROBOT, tool=(0, value, 0))


@pytest.mark.parametrize("array", [np.array([1j, 0, 0]), np.array([0, np.inf, 0]), np.array(["a", "b", "c"])])
def test_what_is_no_array_of_numbers(array: Any) -> None:
    with pytest.raises(RobotError, match="tool: "):
        jacobian(ROBOT, tool=array)


def test_a_tip_moves_by_its_lever() -> None:
    q, tip = [0.3, 0.5], np.array([0.2, -0.1, 0.4])
    J, at_tip = jacobian(ROBOT).compile()(q=q), jacobian(ROBOT, tool=tuple(tip)).compile()(q=q)
    turned = turn("z", 0.8)
    np.testing.assert_allclose(at_tip[:3], J[:3] + np.cross(J[3:].T, turned @ tip).T, atol=1e-14)


# --- poses -----------------------------------------------------------------------------------------------------------

RANDOM = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
ROTATIONS = [
    np.eye(3),
    *(turn(axis, angle) for axis in "xyz" for angle in (0.3, math.pi / 2, math.pi, -math.pi / 4)),
    turn("z", 0.4) @ turn("x", math.pi),
    turn("z", 0.4) @ turn("x", 1e-9),
    RANDOM * np.linalg.det(RANDOM),
]


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("R", ROTATIONS)
def test_the_pose_of_a_tool_is_the_one_given(R: np.ndarray) -> None:
    q, T = np.linspace(-1, 1, 6), pose(R)
    expected = models.transform(RX90).evaluate(q=q) @ T
    np.testing.assert_allclose(models.transform(RX90, tool=T).evaluate(q=q), expected, atol=1e-12)
    np.testing.assert_allclose(models.geometric(RX90, frame=6, tool=T.tolist()).evaluate(q=q), expected, atol=1e-12)
    mounted, n = with_tool(RX90, 6, tool_pose(RX90, T))
    np.testing.assert_allclose(models.transform(mounted, frame=n).evaluate(q=q), expected, atol=1e-12)


SYMBOLIC = {
    "x": [[1, 0, 0, 0], [0, "cos(A)", "-sin(A)", 0], [0, "sin(A)", "cos(A)", "LT"], [0, 0, 0, 1]],
    "y": [["cos(A)", 0, "sin(A)", 0], [0, 1, 0, 0], ["-sin(A)", 0, "cos(A)", "LT"], [0, 0, 0, 1]],
    "z": [["cos(A)", "-sin(A)", 0, 0], ["sin(A)", "cos(A)", 0, 0], [0, 0, 1, "LT"], [0, 0, 0, 1]],
    "back": [["cos(A)", "sin(A)", 0, 0], ["-sin(A)", "cos(A)", 0, 0], [0, 0, 1, "LT"], [0, 0, 0, 1]],
    "over": [["cos(A)", "sin(A)", 0, 0], ["sin(A)", "-cos(A)", 0, 0], [0, 0, -1, "LT"], [0, 0, 0, 1]],
    "z x": [
        ["cos(B)", "-sin(B)*cos(A)", "sin(B)*sin(A)", 0],
        ["sin(B)", "cos(B)*cos(A)", "-cos(B)*sin(A)", "LT"],
        [0, "sin(A)", "cos(A)", 0],
        [0, 0, 0, 1],
    ],
}


@pytest.mark.mostly_slow(fast=8)
@pytest.mark.parametrize("A", [0.4, -1.3, 0.0, math.pi])
@pytest.mark.parametrize("name", SYMBOLIC)
def test_a_symbolic_pose(name: str, A: float) -> None:
    """Its symbols are parameters of the models; also where the angles of a general rotation are not determined."""
    q, late = np.linspace(-1, 1, 6), {"A": A, "B": 0.8, "LT": 0.2}
    entries = tool_pose(RX90, SYMBOLIC[name]).option
    flat = [robosym.expr.parse(x) for row in entries for x in row]
    T = np.array(evaluate(flat, {parameter(k): v for k, v in late.items()}), dtype=float).reshape(4, 4)
    model = models.transform(RX90, tool=SYMBOLIC[name])
    used = {s.name for s in model.program.parameter_symbols}
    assert {"A", "LT"} <= used
    found = model.compile()(q=q, parameters={k: v for k, v in late.items() if k in used})
    np.testing.assert_allclose(found, models.transform(RX90).evaluate(q=q) @ T, atol=1e-12)


def test_an_angle_stays_itself() -> None:
    """No arc tangent of a sine and a cosine: what the model costs is what a frame with that angle costs."""
    names = {"atan2"}
    for name in ("x", "y", "z", "back", "over"):
        assert not any(word in models.transform(RX90, tool=SYMBOLIC[name]).explain() for word in names), name


@pytest.mark.parametrize("R", [turn("x", 0.7), turn("z", 0.4) @ turn("x", 1.1) @ turn("z", -0.8)])
def test_local_axes_are_the_tools(R: np.ndarray) -> None:
    q, T = np.linspace(-1, 1, 6), pose(R)
    aligned, local = (models.jacobian(RX90, tool=T, axes=axes).evaluate(q=q) for axes in ("mixed", "local"))
    turned = models.transform(RX90, tool=T, reference="world", part="orientation").evaluate(q=q)
    np.testing.assert_allclose(np.kron(np.eye(2), turned) @ local, aligned, atol=1e-12)


def test_the_options_tell_the_tool() -> None:
    assert models.jacobian(RX90, tool=(0, 0, "LT")).options["tool"] == ["0", "0", "LT"]
    assert models.velocities(RX90, tool=SYMBOLIC["z"]).options["tool"][0] == ["cos(A)", "-sin(A)", "0", "0"]
    assert models.jacobian(RX90, tool=SYMBOLIC["z"], axes="local").robot is RX90


def test_inverse_geometry_with_a_symbolic_tool() -> None:
    solver = models.inverse_geometric(RX90, tool=SYMBOLIC["z"])
    q, late = np.array([0.3, -0.4, 0.5, 0.2, 0.7, -0.6]), {"A": 0.4, "LT": 0.2}
    T = models.transform(RX90, tool=SYMBOLIC["z"]).compile()(q=q, parameters=late)
    found = solver(T, parameters=late).solutions
    assert np.abs(found - q).max(axis=1).min() < 1e-9
