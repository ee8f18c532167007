"""Static torques: the power of both sides, the torques a wrench adds to inverse dynamics, tools, counts."""

from __future__ import annotations

import numpy as np
import pytest
from sweeps import crossed

import robosym
from robosym.models.dynamic.inverse.inverse_dynamics import inverse_dynamics
from robosym.models.kinematic.jacobian import asked, jacobian
from robosym.models.kinematic.static import static_torques
from robosym.models.kinematic.velocities import velocities

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

TOLERANCE = 1e-10
CONVENTIONS = ("local", "world", "local-world-aligned")


@pytest.mark.parametrize(("name", "convention"), crossed(["rx90", "stanford", "panda"], CONVENTIONS, every=2))
def test_power_in_is_power_out(name: str, convention: str) -> None:
    """tau . qd = F . V, V from the recursion of velocities."""
    robot = robosym.load(name)
    rng = np.random.default_rng(3)
    q, qd, F = rng.uniform(-2, 2, robot.nv), rng.uniform(-2, 2, robot.nv), rng.uniform(-2, 2, 6)
    j = len(robot.frames)
    tau = static_torques(robot, axes=convention).evaluate(q=q, wrench=F)  # type: ignore[arg-type]
    V = velocities(robot, frames=[j], axes=convention).evaluate(q=q, qd=qd)  # type: ignore[arg-type]
    assert tau @ qd == pytest.approx(F @ V, rel=1e-12)


@pytest.mark.parametrize("name", ["puma560", "stanford"])
def test_the_sign_is_that_of_inverse_dynamics(name: str) -> None:
    """The wrench the last link exerts on the environment adds these torques to those of the motion."""
    robot = robosym.load(name)
    n, rng = robot.nv, np.random.default_rng(4)
    q, qd, qdd, F = rng.uniform(-1, 1, n), rng.uniform(-1, 1, n), rng.uniform(-1, 1, n), rng.uniform(-1, 1, 6)
    dynamics = inverse_dynamics(robot, wrench="terminal").evaluate
    added = dynamics(q=q, qd=qd, qdd=qdd, wrench=F[None]) - dynamics(q=q, qd=qd, qdd=qdd)
    found = static_torques(robot, axes="local").evaluate(q=q, wrench=F)
    np.testing.assert_allclose(found, added, atol=1e-11)


def test_a_tool_and_any_axes() -> None:
    robot = robosym.load("ur5")
    options = {"tool": (0.1, 0, "LT"), "axes": 3}
    rng = np.random.default_rng(5)
    q, F = rng.uniform(-1, 1, 6), rng.uniform(-1, 1, 6)
    J = jacobian(robot, **options).evaluate(q=q, parameters={"LT": 0.2})  # type: ignore[arg-type]
    found = static_torques(robot, **options).evaluate(q=q, wrench=F, parameters={"LT": 0.2})  # type: ignore[arg-type]
    np.testing.assert_allclose(found, J.T @ F, atol=1e-12)


def test_a_frame_at_rest_needs_no_torque() -> None:
    assert not static_torques(robosym.load("rx90"), frame=0).evaluate(q=np.ones(6), wrench=np.ones(6)).any()


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_it_costs_less_than_the_matrix_and_a_product(convention: str) -> None:
    robots = ("rx90", "puma560", "ur5", "panda", "general-6r")
    for name, _ in (pair for pair in crossed(robots, CONVENTIONS, every=2) if pair[1] == convention):
        robot = robosym.load(name)
        J = jacobian(robot, axes=convention)  # type: ignore[arg-type]
        filled = sum(not entry.is_zero for entry in J.program.outputs[0].entries)
        found = static_torques(robot, axes=convention)  # type: ignore[arg-type]
        assert found.operations.total < J.operations.total + 2 * filled - robot.nv, name


@pytest.mark.slow
def test_operation_counts_do_not_grow() -> None:
    most = {"rx90": (51, 52), "puma560": (59, 60), "ur5": (69, 58), "stanford": (44, 44), "panda": (120, 81)}
    for name, totals in most.items():
        robot = robosym.load(name)
        for convention, total in zip(("local-world-aligned", "local"), totals, strict=True):
            assert static_torques(robot, axes=convention).operations.total <= total  # type: ignore[arg-type]


def test_the_tip_is_asked_for() -> None:
    assert asked(robosym.load("rx90"), None, "local").frame == 6
