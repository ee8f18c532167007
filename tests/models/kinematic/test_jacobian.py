"""The Jacobian matrix and its rate: Renaud's factors, differences of positions, floats, counts, refusals."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from models.reference import dh_matrix, frame_poses, numbers
from random_robots import random_robot
from real_robots import real_robot
from sweeps import crossed

import robosym
from robosym import RobosymError
from robosym.expr import evaluate, expr
from robosym.models import jacobian
from robosym.models.kinematic.columns import Joints, Point
from robosym.program import Unmarked, verified
from robosym.robot import Robot, RobotError

pin = pytest.importorskip("pinocchio")
pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

CONVENTIONS = {
    "local": pin.ReferenceFrame.LOCAL,
    "world": pin.ReferenceFrame.WORLD,
    "local-world-aligned": pin.ReferenceFrame.LOCAL_WORLD_ALIGNED,
}


# --- identities ------------------------------------------------------------------------------------------------------


def skew(a: np.ndarray) -> np.ndarray:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def multiplied(factors: dict[str, np.ndarray]) -> np.ndarray:
    """diag(R, R) [1 -L^; 0 1] J."""
    R, J = np.kron(np.eye(2), factors["R"]), factors["J"]
    lever = np.eye(6)
    lever[:3, 3:] = -skew(factors["L"])
    return R @ lever @ J


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["rx90", "puma560", "stanford", "ur5", "panda", "scara"])
def test_the_three_factors_multiply_to_the_matrix(name: str) -> None:
    robot = robosym.load(name)
    q = np.random.default_rng(5).uniform(-2, 2, robot.nq)
    n = len(robot.frames)
    whole = {axes: jacobian(robot, axes=axes).evaluate(q=q) for axes in (0, 3, n)}
    for axes, (intermediate, origin) in crossed(whole, (("auto", "auto"), (2, "auto"), (0, n), (n, 1)), every=3):
        options: dict[str, Any] = {"intermediate": intermediate, "origin": origin}
        factors = jacobian(robot, axes=axes, output="factors", **options).evaluate(q=q)
        np.testing.assert_allclose(multiplied(factors), whole[axes], atol=1e-12)
        product = jacobian(robot, axes=axes, **options).evaluate(q=q)
        np.testing.assert_allclose(product, whole[axes], atol=1e-12)


def test_a_tools_point_moves_as_the_frame_that_stands_there() -> None:
    robot = robosym.load("puma560")
    tip = (0.1, -0.2, 0.3)
    q, qd = np.random.default_rng(6).uniform(-2, 2, (2, robot.nq))
    velocity = jacobian(robot, axes=0, tool=tip).compile()(q=q) @ qd

    def position(q: np.ndarray) -> np.ndarray:
        return (frame_poses(robot, q)[6] @ [*tip, 1])[:3]

    step = 1e-6
    numeric = (position(q + step * qd) - position(q - step * qd)) / (2 * step)
    np.testing.assert_allclose(velocity[:3], numeric, atol=1e-8)
    symbolic = jacobian(robot, axes=0, tool=("LX", "-LT", "3*LX")).compile()
    got = symbolic(q=q, parameters={"LX": 0.1, "LT": 0.2})
    np.testing.assert_allclose(got @ qd, velocity, atol=1e-12)


def test_the_algorithm_runs_on_floats() -> None:
    """The same columns on numbers: the geometry of the robot at one position instead of expressions."""
    rng = np.random.default_rng(8)
    robot = random_robot(rng, 6)
    q = rng.uniform(-2, 2, robot.nq)
    last = len(robot.frames)
    model = jacobian(robot, frame=last, axes=0)
    frozen = frozen_at(robot, q)
    for lever in ("across", "carried", "back"):
        columns = Joints(frozen, last, Unmarked()).columns(0, Point(last), lever)
        got = np.array([evaluate([*map(expr, column.entries)], {}) for column in columns], dtype=float).T
        np.testing.assert_allclose(got, model.compile()(q=q), atol=1e-12)


def frozen_at(robot: Robot, q: np.ndarray) -> Robot:
    """The robot at one position: its geometry is numbers."""

    class Frozen(Robot):
        def geometry(self, j: int) -> Any:
            return numbers(robot, robot.geometry(j), q)

    return Frozen(**{field.name: getattr(robot, field.name) for field in fields(robot)})


def test_the_inner_matrix_of_a_chain_of_plain_products() -> None:
    """Against z and p of plain matrix products, in the frame that was chosen."""
    robot = robosym.load("rx90")
    model = jacobian(robot, output="inner")
    axes, origin = model.options["intermediate"], model.options["origin"]
    q = np.random.default_rng(9).uniform(-2, 2, 6)
    poses = {0: np.eye(4)}
    for j in range(1, 7):
        poses[j] = poses[j - 1] @ dh_matrix(*numbers(robot, robot.geometry(j), q))
    z = [poses[j][:3, 2] for j in range(1, 7)]
    arms = [poses[origin][:3, 3] - poses[j][:3, 3] for j in range(1, 7)]
    R = poses[axes][:3, :3].T
    wanted = np.array([[*(R @ np.cross(a, L)), *(R @ a)] for a, L in zip(z, arms, strict=True)]).T
    np.testing.assert_allclose(model.compile()(q=q), wanted, atol=1e-12)


# --- counts ----------------------------------------------------------------------------------------------------------


def test_counts_stay_below_those_of_others() -> None:
    """Base frame: SymPyBotics 45 and 19 (RX-90), CasADi 92 and 63 (PUMA); a middle frame of the RX-90: 11 and 2."""
    rx90, puma = robosym.load("rx90"), robosym.load("puma560")
    base = jacobian(rx90, axes=0).operations
    assert (base.mul <= 34, base.add <= 11) == (True, True)
    inner = jacobian(rx90, output="inner").operations
    assert inner.mul <= 6
    assert inner.mul + inner.add <= 9
    casadi = jacobian(puma, axes=0).operations
    assert (casadi.mul <= 40, casadi.add <= 17) == (True, True)


def test_cost_does_not_depend_on_joints_that_do_not_move_the_frame() -> None:
    robot = real_robot("humanoid30")
    model = jacobian(robot, frame=3)
    used = set(robot.path(3))
    matrix = model.compile()(q=np.random.default_rng(1).uniform(-1, 1, robot.nq))
    still = [i for i, j in enumerate(robot.moving) if j not in used]
    assert not matrix[:, still].any()
    verified(model.program)


# --- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"frame": "elbow7"}, "there is no frame 'elbow7'"),
        ({"frame": "world"}, "the world does not move"),
        ({"axes": "bodies"}, "axes: got 'bodies', expected 'local-world-aligned', 'local', 'world'"),
        ({"axes": 7}, "or a frame by number or name"),
        ({"output": "half"}, "expected 'product', 'factors' or 'inner'"),
        ({"tool": (0, 0)}, ", a point such as"),
        ({"tool": (0, 0, "q1")}, "a tool is fixed in its frame"),
        ({"tool": (0, 0, "1 +")}, "tool 3"),
        ({"tool": (0, 0, float("nan"))}, "tool 3"),
    ],
)
def test_what_is_asked_wrongly_is_named(options: dict[str, Any], word: str) -> None:
    with pytest.raises(RobosymError, match=word.replace("(", r"\(")):
        jacobian(robosym.load("rx90"), **options)


def test_several_tips_are_refused() -> None:
    with pytest.raises(RobotError, match="say which frame"):
        jacobian(real_robot("humanoid30"))
