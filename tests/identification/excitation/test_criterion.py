"""The criterion of exciting motions: condition numbers by NumPy, and slopes by differences."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import robosym
from robosym import models
from robosym.identification.excitation import criterion
from robosym.identification.excitation.criterion import CRITERIA, Criterion, Numeric, nudged, pulled_back


@pytest.mark.parametrize("kind", CRITERIA)
@pytest.mark.parametrize("power", [4.0, 20.0])
def test_slopes_are_derivatives(kind: str, power: float) -> None:
    rng = np.random.default_rng(0)
    D = rng.normal(size=(12, 4)) * [1, 3, 0.2, 1]
    S, direction = D.T @ D, rng.normal(size=(4, 4))
    direction = direction + direction.T
    value, slope = CRITERIA[kind](S, 3, power)
    h = 1e-6
    ends = [CRITERIA[kind](S + s * h * direction, 3, power)[0] for s in (1, -1)]
    assert (ends[0] - ends[1]) / (2 * h) == pytest.approx(float((slope * direction).sum()), rel=1e-5)
    lengths = np.linalg.norm(D, axis=0)
    scaled, raw = np.log(np.linalg.cond(D / lengths)), np.log(np.linalg.cond(D))
    exact = {"condition": scaled, "raw": raw, "both": (scaled + raw) / 2}
    if kind == "determinant":
        assert value == pytest.approx(-np.linalg.slogdet(S / 3)[1] / 4)
    else:
        assert exact[kind] - 1e-12 <= value < exact[kind] + np.log(4) / power
        assert CRITERIA[kind](S, 3, 400.0)[0] == pytest.approx(exact[kind], abs=0.01)


@cache
def of_a_robot(kind: str = "condition", weights: tuple[float, ...] = (1.0, 2.0)) -> Criterion:
    robot = robosym.Robot.from_table(
        "two",
        [
            {"joint": "a", "ZZ": 0.3, "MX": 0.1, "M": 1},
            {"joint": "b", "d": 0.4, "ZZ": 0.2, "MX": 0.2, "MY": 0.1, "M": 1},
        ],
        gravity=[0, -9.81, 0],
    )
    return Criterion(models.regressor(robot, parameters="base"), {}, np.array(weights), kind)  # type: ignore[arg-type]


def states(count: int = 12) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    q, qd, qdd = (rng.uniform(-2, 2, (count, 2)) for _ in range(3))
    return q, qd, qdd


def test_conditions_of_a_motion() -> None:
    own, at = of_a_robot(), states()
    D = own.matrix(at)
    plain = of_a_robot("condition", (1.0, 1.0)).matrix(at)
    np.testing.assert_allclose(D, plain * np.array([1.0, 2.0])[:, None])
    rows = D.reshape(-1, D.shape[-1])
    found = own.conditions(at)
    assert found.raw == pytest.approx(np.linalg.cond(rows))
    assert found.condition == pytest.approx(np.linalg.cond(rows / np.linalg.norm(rows, axis=0)))
    determinant = np.linalg.slogdet(rows.T @ rows / len(at[0]))[1] / rows.shape[1]
    assert found.determinant == pytest.approx(determinant)


def test_the_slope_by_the_state() -> None:
    """By entries and differences of states, against differences of the criterion itself."""
    own, at = of_a_robot(), states(6)
    power, n = 10.0, 2
    stack, _ = own.entries(nudged(at))
    values = stack.reshape(1 + 3 * n, 6, -1)
    value, weights = own.value_and_weights(values[0], power)
    slopes = pulled_back(values.copy(), weights)
    assert slopes.shape == (3, 6, 2)
    h = 1e-5
    for order, sample, joint in ((0, 2, 1), (1, 4, 0), (2, 5, 1), (0, 0, 0)):
        ends = []
        for s in (1, -1):
            moved = [x.copy() for x in at]
            moved[order][sample, joint] += s * h
            ends.append(own.value_and_weights(own.entries(tuple(moved))[0], power)[0])
        assert slopes[order, sample, joint] == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-3, abs=1e-6)
    assert np.isfinite(value)


def test_nudged_states_and_jumps() -> None:
    at = states(3)
    q, qd, qdd = (x.reshape(7, 3, 2) for x in nudged(at))
    for place, stack in enumerate((q, qd, qdd)):
        for block in range(7):
            expected = at[place].copy()
            if 1 + 2 * place <= block < 3 + 2 * place:
                expected[:, block - 1 - 2 * place] += criterion.STEP
            np.testing.assert_array_equal(stack[block], expected)
    values = np.zeros((4, 1, 1))  # of one joint: by q, qd and qdd
    values[1:, 0, 0] = [1e-2, 1e-2, 1e-2]
    slopes = pulled_back(values, np.ones((1, 1)))
    np.testing.assert_allclose(slopes[:, 0, 0], [1e4, 0.0, 1e4])  # a jump by the speed is Coulomb friction


def test_columns_that_no_motion_can_tell_apart() -> None:
    robot = robosym.Robot.from_table(
        "one", [{"joint": "a", "ZZ": 0.3, "MX": 0.1, "MY": 0.2, "M": 1}], gravity=[0, 0, -9.81]
    )
    own = Criterion(models.regressor(robot, parameters="standard"), {}, np.ones(1), "condition")
    every = own.columns
    rng = np.random.default_rng(2)
    at = tuple(rng.uniform(-1, 1, (20, 1)) for _ in range(3))
    lost = own.leave_out_dependent(at)  # type: ignore[arg-type]
    assert set(lost) | set(own.columns) == set(every)
    assert own.columns == ("ZZ1",)
    assert own.matrix(at).shape == (20, 1, 1)  # type: ignore[arg-type]
    assert own.conditions(at).condition == 1.0  # type: ignore[arg-type]


def test_a_model_and_what_it_lacks() -> None:
    robot = robosym.Robot.from_table("one", [{"joint": "a", "ZZ": "J", "M": 1}], gravity=[0, 0, -9.81])
    model = models.inverse_dynamics(robot)
    assert Numeric(model, {}).missing == ["J"]
    own = Numeric(model, {"J": 0.5, "unused": 3.0})
    assert own.missing == []
    found, there = own((np.zeros((3, 1)), np.zeros((3, 1)), np.ones((3, 1))))
    np.testing.assert_allclose(found, 0.5)
    assert there.all()
