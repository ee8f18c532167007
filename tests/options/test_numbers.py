"""Numbers among values of any type."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from robosym.options.numbers import is_bool, is_finite, is_number, is_whole, without_dtype
from robosym.trajectory import through

NAN, INF = float("nan"), float("inf")
WHOLE: list[Any] = [0, -3, np.int64(2), np.uint8(1)]
REAL: list[Any] = [1.5, np.float32(0.5), np.float64(2), Fraction(1, 3), np.array(1.0), np.array(2)]
BOOLS: list[Any] = [True, False, np.bool_(True), np.array(False)]
OTHERS: list[Any] = ["1", b"1", None, 1j, [1], np.ones(1), np.array("a"), {}, 10**400]


@pytest.mark.parametrize("value", [*WHOLE, *REAL])
def test_numbers(value: Any) -> None:
    assert is_number(value)
    assert is_finite(value)
    assert is_whole(value) == any(value is one for one in WHOLE)
    assert not is_bool(value)


@pytest.mark.parametrize("value", [*BOOLS, *OTHERS, NAN, np.float64("nan"), np.array(NAN)])
def test_no_numbers(value: Any) -> None:
    assert not is_number(value)
    assert not is_finite(value)
    assert is_bool(value) == any(value is one for one in BOOLS)


def test_infinities_are_not_finite() -> None:
    for value in (INF, -INF, np.float64("inf")):
        assert is_number(value)
        assert not is_finite(value)
    assert is_whole(10**400)
    assert not any(map(is_whole, (1.0, True, "1", np.array(1), None)))


@pytest.mark.parametrize("value", [np.int64(3), np.float32(0.5), np.array(2.5), np.array(7)])
def test_numpy_numbers_become_numbers_of_python(value: Any) -> None:
    plain = without_dtype(value)
    assert type(plain) in (int, float)
    assert plain == value


@pytest.mark.parametrize(
    "value", [3, 0.5, "a", None, np.ones(2), np.bool_(True), np.array(True), np.array("a"), Fraction(1, 3)]
)
def test_other_values_stay(value: Any) -> None:
    assert without_dtype(value) is value


def test_words_of_a_literal_that_are_numbers() -> None:
    """NumPy numbers fit a Literal of numbers; truth values and equal floats do not."""
    points = [[0.0], [1.0], [0.5]]
    limits = {"velocity": 1.0, "acceleration": 2.0, "jerk": 9.0}
    assert through(points, degree=np.int64(5), **limits).name == through(points, degree=5, **limits).name  # type: ignore[arg-type]
    for wrong in (True, 5.0, np.float64(3)):
        with pytest.raises(TypeError, match=r"degree: got .*, expected 3 or 5"):
            through(points, degree=wrong, **limits)  # type: ignore[arg-type]
