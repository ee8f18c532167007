"""Base parameters by linear algebra: the regressor gives the torques, and the base parameters give them too."""

from __future__ import annotations

import numpy as np
import pytest
from models.inertial_parameters.random_regressor import regressor
from models.reference import newton_euler, numbers
from random_robots import random_robot

import robosym
from robosym.models.draws import reach
from robosym.models.inertial_parameters.numeric import base_parameters_numeric
from robosym.robot import INERTIA, PRISMATIC, Robot, RobotError


def standard(robot: Robot) -> dict[str, float]:
    """Of a robot without fixed links: XX1 ... M1, IA1."""
    found: dict[str, float] = {}
    for j, frame in enumerate(robot.frames, 1):
        found |= {f"{n}{j}": v for n, v in zip(INERTIA, numbers(robot, frame.link.inertial), strict=True)}
        found[f"IA{j}"] = numbers(robot, [frame.actuator.Ia])[0]
    return found


@pytest.mark.parametrize("name", ["rx90", "stanford", "scara", "planar-2r"])
def test_base_parameters_give_the_torques_of_the_standard_ones(name: str) -> None:
    robot = robosym.load(name)
    names, W = regressor(robot)
    base = base_parameters_numeric(robot)
    chi = standard(robot)
    whole = W @ [chi[one] for one in names]
    values = base.values(chi)
    part = W[:, [names.index(one) for one in base.names]] @ [values[one] for one in base.names]
    np.testing.assert_allclose(part, whole, atol=1e-9 * np.abs(whole).max())
    sizes = np.linalg.norm(W, axis=0)
    alive = sizes > 1e-9 * sizes.max()
    assert base.count == np.linalg.matrix_rank(W[:, alive] / sizes[alive], tol=1e-9)
    assert base.vanishing == tuple(name for name, one in zip(names, alive, strict=True) if not one)


def test_the_regressor_times_the_parameters_is_newton_euler() -> None:
    """A column is the torque of one parameter: their sum over a robot whose state was drawn in the same way."""
    robot = robosym.load("stanford")
    names, W = regressor(robot, samples=3, seed=5)
    chi = standard(robot)
    tau = (W @ [chi[one] for one in names]).reshape(3, robot.nv)
    rng = np.random.default_rng(5)
    symbols = sorted((frame.joint.variable for frame in robot.frames), key=lambda s: s.key)  # type: ignore[union-attr]
    length = reach(robot, {name: value.number for name, value in robot.values.items()})
    sizes = np.array([[length if frame.sigma == PRISMATIC else 1.0] for frame in robot.frames])
    drawn = {kind: sizes * rng.uniform(-2, 2, (len(symbols), 3)) for kind in ("q", "qd", "qdd")}
    for i in range(3):
        state = {kind: values[:, i] for kind, values in drawn.items()}
        np.testing.assert_allclose(newton_euler(robot, **state).tau, tau[i], atol=1e-10)


def test_geometry_without_numbers_is_refused() -> None:
    robot = random_robot(np.random.default_rng(0), 3, symbolic=True).replace(values={})
    with pytest.raises(RobotError, match="needs numbers for its geometry and gravity"):
        base_parameters_numeric(robot)
