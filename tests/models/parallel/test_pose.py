"""The state of a platform as symbols, against SciPy's rotations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import robosym
from robosym.expr import evaluate, expr
from robosym.models.parallel import pose
from robosym.models.parallel.pose import MatrixState, PlatformState, pose_symbols, rate_symbols, twist_symbols
from robosym.models.parallel.space import space_of
from robosym.models.parallel.structure import module_of
from robosym.program import Unmarked


def numbers(entries: object, values: dict) -> np.ndarray:
    return np.array([float(x) for x in evaluate([expr(x) for x in entries], values)])  # type: ignore[attr-defined]


def at(rng: np.random.Generator) -> tuple[dict, Rotation]:
    R = Rotation.random(rng=rng)
    values = dict(zip(pose_symbols, [*rng.normal(size=3), *R.as_quat()], strict=True))
    values |= dict(zip(twist_symbols, rng.normal(size=6), strict=True))
    values |= dict(zip(rate_symbols, rng.normal(size=6), strict=True))
    return {s: float(x) for s, x in values.items()}, R


def test_a_free_platform() -> None:
    values, R = at(np.random.default_rng(0))
    space = space_of(module_of(robosym.load("gough-stewart")))
    state = PlatformState(space, Unmarked())
    columns = np.array([numbers(column, values) for column in state.columns]).T
    np.testing.assert_allclose(columns, R.as_matrix(), atol=1e-14)
    np.testing.assert_array_equal(numbers(state.position, values), [values[s] for s in pose_symbols[:3]])
    twist = [*numbers(state.velocity, values), *numbers(state.angular_velocity, values)]
    np.testing.assert_array_equal(twist, [values[s] for s in twist_symbols])
    rate = [*numbers(state.acceleration, values), *numbers(state.angular_acceleration, values)]
    np.testing.assert_array_equal(rate, [values[s] for s in rate_symbols])
    arm = np.array([0.3, -0.2, 0.5])
    np.testing.assert_allclose(numbers(state.arm(tuple(arm), 1), values), R.apply(arm), atol=1e-14)


@pytest.mark.parametrize("order", [0, 1, 2])
def test_what_the_space_and_the_order_leave(order: int) -> None:
    values, _ = at(np.random.default_rng(1))
    for name in ("delta", "planar-3rrr"):
        space = space_of(module_of(robosym.load(name)))
        state = PlatformState(space, Unmarked(), order)
        twist = [*numbers(state.velocity, values), *numbers(state.angular_velocity, values)]
        rate = [*numbers(state.acceleration, values), *numbers(state.angular_acceleration, values)]
        for k in range(6):
            free = k in space.places
            assert twist[k] == (values[twist_symbols[k]] if free and order >= 1 else 0)
            assert rate[k] == (values[rate_symbols[k]] if free and order >= 2 else 0)
        own = numbers(state.position, values)
        for k in range(3):
            assert (own[k] == values[pose_symbols[k]]) == (k not in space.held)
    planar = PlatformState(space, Unmarked())
    angle = 0.7
    turned = dict(zip(pose_symbols, [0, 0, 0, 0, 0, np.sin(angle / 2), np.cos(angle / 2)], strict=True))
    columns = np.array([numbers(column, turned) for column in planar.columns]).T
    np.testing.assert_allclose(columns, Rotation.from_euler("z", angle).as_matrix(), atol=1e-14)
    junk = turned | {pose_symbols[3]: 0.4}  # a platform in the plane has no other part of the quaternion
    np.testing.assert_array_equal(np.array([numbers(column, junk) for column in planar.columns]).T, columns)


def test_a_twist_in_place_of_the_symbols() -> None:
    space = space_of(module_of(robosym.load("gough-stewart")))
    given = {"twist": tuple(range(6)), "rate": tuple(range(6, 12))}
    state = PlatformState(space, Unmarked(), 2, given)
    assert [*numbers(state.velocity, {}), *numbers(state.angular_velocity, {})] == list(range(6))
    assert [*numbers(state.acceleration, {}), *numbers(state.angular_acceleration, {})] == list(range(6, 12))


def test_the_rate_of_a_quaternion() -> None:
    """Of a rotation that turns with w, by differences."""
    rng = np.random.default_rng(2)
    values, R = at(rng)
    w, h = rng.normal(size=3), 1e-6
    found = numbers(pose.quaternion_rates(tuple(w)), values)
    after, before = (np.array((Rotation.from_rotvec(s * h * w) * R).as_quat()) for s in (1, -1))
    after, before = (q * np.sign(q @ R.as_quat()) for q in (after, before))
    np.testing.assert_allclose(found, (after - before) / (2 * h), atol=1e-9)


def test_arrays() -> None:
    poses, twist = pose.state_arrays(("pose", "twist"))
    assert poses.entries == pose_symbols
    assert poses.rate is not None
    assert poses.rate.entries[:3] == twist_symbols[:3]
    assert twist.rate is not None
    assert twist.rate.entries == rate_symbols
    assert [array.name for array in pose.state_arrays(("twist_rate", "pose"))] == ["twist_rate", "pose"]
    matrix = pose.matrix_array()
    values = {s: float(k) for k, s in enumerate(matrix.entries)}
    state = MatrixState(space_of(module_of(robosym.load("delta"))), Unmarked())
    T = np.arange(16.0).reshape(4, 4)
    np.testing.assert_array_equal(np.array([numbers(column, values) for column in state.columns]).T, T[:3, :3])
    np.testing.assert_array_equal(numbers(state.position, values), T[:3, 3])
