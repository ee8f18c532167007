"""H and Q: an independent Newton-Euler, what does not enter, published counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models.reference import loaded_robot, newton_euler
from sweeps import many

import robosym
from robosym.models.dynamic.inverse.bias import bias, gravity
from robosym.models.tree.state import wrench_frames

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

TOLERANCE = 1e-10
STATES = 5


def assert_close(found: Any, expected: Any) -> None:
    """Relative to the largest torque; some robots need none at all."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=TOLERANCE * max(1.0, np.abs(expected).max()))


# --- everything else that enters H -----------------------------------------------------------------------------------


@settings(max_examples=many(6), deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 7))
def test_friction_wrenches_and_base_motion_enter(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    robot = loaded_robot(rng, n, symbolic=True)
    q, qd = rng.uniform(-2, 2, (2, robot.nv))
    wrenches = {j: rng.uniform(-5, 5, 6) for j in wrench_frames(robot, "all")}
    expected = newton_euler(robot, q, qd, np.zeros(robot.nv), wrenches, friction=True).tau
    found = bias(robot, friction=True, wrench="all").evaluate(q=q, qd=qd, wrench=np.array(list(wrenches.values())))
    assert_close(found, expected)


def test_rotor_inertia_and_accelerations_do_not_enter() -> None:
    model = bias(robosym.load("rx90"))
    assert [array.name for array in model.program.inputs] == ["q", "qd", "wrench"]
    assert not any(symbol.name.startswith("IA") for symbol in model.program.parameter_symbols)


def test_gravity_is_what_holds_the_robot_still() -> None:
    robot = robosym.load("stanford")
    q = np.linspace(-1, 1, robot.nv)
    np.testing.assert_allclose(
        gravity(robot).evaluate(q=q), bias(robot).evaluate(q=q, qd=np.zeros(robot.nv)), atol=1e-12
    )


def test_gravity_leaves_the_motion_of_the_base_out() -> None:
    rng = np.random.default_rng(7)
    robot = loaded_robot(rng, 5, symbolic=True)
    q = rng.uniform(-2, 2, robot.nv)
    still = robot.replace(base=robot.base.__class__(location=robot.base.location))
    np.testing.assert_array_equal(gravity(robot).evaluate(q=q), gravity(still).evaluate(q=q))


# --- counts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "most"),
    [("puma560", 412), ("puma560-symmetric", 265), ("rx90", 396), ("rx90-symmetric", 225)],  # published: 506, 299
)
def test_counts_do_not_grow(name: str, most: int) -> None:
    operations = bias(robosym.load(name), parameters="base").operations
    assert operations.total <= most
    assert operations.strict <= most + 12
