"""Parts of a robot: their entries in the notation's order, and values that are numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from robosym.expr import number, variable
from robosym.robot import INERTIA, Frame, Joint, Link, RobotError, Value
from robosym.robot.parts import GEOMETRY, IDENTITY16, Closure, Regrouping


def test_entries_stand_in_the_order_of_their_names() -> None:
    numbers = [number(k + 1) for k in range(10)]
    assert Link(**dict(zip(INERTIA, numbers, strict=True))).inertial == tuple(numbers)
    assert Frame("f", 0, Joint("q1"), **dict(zip(GEOMETRY, numbers, strict=False))).geometry == tuple(numbers[:6])
    assert np.reshape([float(x.value) for x in IDENTITY16], (4, 4)).tolist() == np.eye(4).tolist()


@pytest.mark.parametrize("amount", [2, 2.5, np.float64(3.0), np.int32(4)])
def test_values_are_floats(amount: Any) -> None:
    value = Value(amount)
    assert type(value.number) is float
    assert value.number == amount


@pytest.mark.parametrize("amount", [True, "2", None, [1.0], 1j, np.array([1.0, 2.0])])
def test_what_is_no_number_is_no_value(amount: Any) -> None:
    with pytest.raises(RobotError, match=r"values: got .*, expected a number"):
        Value(amount)


def test_what_is_derived_does_not_change() -> None:
    q = variable("q1")
    closure = Closure("+", {1: q}, {1: ((0, q),)}, {}, {}, number(1))
    regrouping = Regrouping({"a": q}, {"m": Value(1.0)})
    for frozen in (closure.positions, closure.rows, closure.at, regrouping.expressions, regrouping.values):
        with pytest.raises(TypeError, match="do not change"):
            frozen.clear()  # type: ignore[attr-defined]
    assert isinstance(hash(closure), int)
    assert isinstance(hash(regrouping), int)
