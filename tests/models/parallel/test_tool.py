"""A tool on a platform: with E the tool in the platform, T_tool = T E, and twists are those of the tool's origin."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from sweeps import crossed, some

import robosym
from robosym import models
from robosym.models.parallel.direct_geometry import as_pose
from robosym.models.parallel.inverse_geometry import matrix_of
from robosym.robot import Robot, RobotError

QUATERNION = [0.1, -0.3, 0.5, np.sqrt(1 - 0.35)]
TOOLS = {"delta": [0.03, -0.02, 0.1], "planar-3rrr": [0.03, -0.02, 0], "gough-stewart": [0.03, -0.02, 0.1, *QUATERNION]}


@cache
def robot_of(name: str) -> Robot:
    return robosym.load(name)


def matrix(tool: list[float]) -> np.ndarray:
    return matrix_of(np.array([*tool, 0, 0, 0, 1][:7] if len(tool) == 3 else tool))


def drawn(model: Any, seed: int = 1) -> dict[str, np.ndarray]:
    state = model.random_state(np.random.default_rng(seed))
    return {key: np.asarray(value) for key, value in state.items() if key != "wrench"}


def at_the_tool(state: dict[str, np.ndarray], E: np.ndarray) -> dict[str, np.ndarray]:
    """The same state, of the origin of the tool."""
    T = matrix_of(state["pose"])
    lever, found = T[:3, :3] @ E[:3, 3], {**state, "pose": as_pose(T @ E)}
    if "twist" in state:
        w = state["twist"][3:]
        found["twist"] = state["twist"] + np.r_[np.cross(w, lever), 0, 0, 0]
    if "twist_rate" in state:
        wd = state["twist_rate"][3:]
        found["twist_rate"] = (
            state["twist_rate"] + np.r_[np.cross(wd, lever) + np.cross(w, np.cross(w, lever)), 0, 0, 0]
        )
    return found


def outputs(model: Any, state: dict[str, np.ndarray]) -> list[np.ndarray]:
    found = model.compile()(**{array.name: state[array.name] for array in model.code.inputs if array.name in state})
    return [np.asarray(one) for one in (found.values() if isinstance(found, dict) else [found])]


@pytest.mark.slow
@pytest.mark.parametrize("name", some(TOOLS, 2))
def test_motors_are_where_they_were(name: str) -> None:
    robot, tool = robot_of(name), TOOLS[name]
    plain, tooled = models.inverse_geometric(robot), models.inverse_geometric(robot, tool=tool)
    T, E = drawn(plain)["T"], matrix(tool)
    np.testing.assert_allclose(tooled(T @ E).solutions, plain(T).solutions, atol=1e-12)
    q = plain(T).solutions[0]
    there = models.direct_geometric(robot, tool=tool)(q, T @ E)
    np.testing.assert_allclose(there, models.direct_geometric(robot)(q, T) @ E, atol=1e-10)


@pytest.mark.parametrize(("name", "make"), crossed(TOOLS, ["accelerations", "inverse_dynamics"], every=2))
def test_speeds_torques_and_energies_are_those_of_the_platform(name: str, make: str) -> None:
    robot, tool = robot_of(name), TOOLS[name]
    plain, tooled = (getattr(models, make)(robot, **more) for more in ({}, {"tool": tool}))
    state = drawn(plain)
    for one, other in zip(outputs(plain, state), outputs(tooled, at_the_tool(state, matrix(tool))), strict=True):
        np.testing.assert_allclose(other, one, atol=1e-9)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", TOOLS)
def test_the_jacobian_gives_the_twist_of_the_tool(name: str) -> None:
    """Also from the positions of the motors."""
    robot, tool = robot_of(name), TOOLS[name]
    E, speeds = matrix(tool), models.velocities(robot)
    state = drawn(speeds)
    qd = outputs(speeds, state)[0]
    moved = at_the_tool(state, E)
    J = outputs(models.jacobian(robot, tool=tool), moved)[0]
    np.testing.assert_allclose(J @ qd, moved["twist"], atol=1e-10)


@pytest.mark.slow
def test_symbols_of_a_tool_come_late() -> None:
    robot = robot_of("delta")
    found = models.inverse_geometric(robot, tool=(0, 0, "LT"))([0, 0, -0.7, 0, 0, 0, 1], parameters={"LT": 0.1})
    np.testing.assert_allclose(
        found.solutions, models.inverse_geometric(robot)([0, 0, -0.8, 0, 0, 0, 1]).solutions, atol=1e-12
    )


def test_it_is_recorded_and_checked() -> None:
    robot = robot_of("delta")
    assert models.jacobian(robot, tool=(0, 0, 0.1)).options["tool"] == ["0", "0", "0.1"]
    with pytest.raises(RobotError, match=r"tool: got .*, expected a pose"):
        models.jacobian(robot, tool=(0, 1))
