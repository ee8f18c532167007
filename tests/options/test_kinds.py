"""Kinds of values, as annotations say them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal

import numpy as np
import pytest

import robosym
from robosym.options.kinds import Plain, Word, fits, formats_in, kind_of, kinds_of
from robosym.options.markers import AXES, COLUMNS, FRAME, TOOL, OneOf, Range
from robosym.robot import Robot

NAN = float("nan")
ROBOT = robosym.load("planar-2r")


@pytest.mark.parametrize(
    ("hint", "good", "bad"),
    [
        (bool, [True, False], [1, "yes", None, np.bool_(True)]),
        (int, [1, np.int64(2)], [True, 1.0, "1", np.array(1.0), None]),
        (float, [1, 1.5, np.float32(1), Fraction(1, 3), np.array(1.0)], [True, "1", NAN, 1j, None, 10**400]),
        (Literal["a", "b"] | None, ["a", None], ["c", 1, np.array(["a"])]),
        (Sequence[float], [[1, 2.0], (), np.zeros(3), range(2)], ["12", 3, [True], ["1"], np.array(1.0)]),
        (Sequence[str], [["a"], "a"], [[1], 1]),
        (tuple[float, float], [(1, 2), [1, 2]], [(1,), (1, 2, 3)]),
        (Mapping[str, float], [{}, {"a": 1}], [{1: 1}, {"a": "b"}, [("a", 1)]]),
        (set[str], [set(), {"a"}], [["a"], {1}]),
        (Robot, [ROBOT], ["rx90", None]),
        (Callable[[float], float], [len], [1, None]),
        (np.ndarray, [np.zeros(2), [1, 2]], ["a", [[1], [1, 2]]]),
        (Annotated[int, Range(1, 3)], [1, 3], [0, 4, 1.5]),
        (Annotated[str, OneOf(lambda: ["pid", "pd"])], ["pid"], ["PID", 1]),
        (Annotated[int | str, FRAME], [1, "tip"], [1.5, None]),
    ],
)
def test_values_that_fit(hint: Any, good: list[Any], bad: list[Any]) -> None:
    assert all(fits(value, hint) for value in good)
    assert not any(fits(value, hint) for value in bad)
    assert kind_of(hint).phrase()


def test_any_value() -> None:
    assert all(fits(value, hint) for value in (None, 1, "x") for hint in (Any, object))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (bool, "yes|no"),
        (int, "INTEGER"),
        (float, "NUMBER"),
        (str, "NAME"),
        (int | str, "NAME"),  # a frame by its number or name
        (float | None, "NUMBER"),
        (Literal["a", "b"], "a|b"),
        (bool | Literal["smooth"], "yes|no|smooth"),
        (Literal["a"] | Literal["b", "a"] | None, "a|b"),
        (list[str], "NAME,..."),
        (Sequence[float], "NUMBER,..."),
        (Iterable[Literal["q", "qd"]], "q|qd,..."),
        (tuple[str, ...] | bool, "NAME,...|yes|no"),
        (Mapping[str, float] | None, "NAME=VALUE,..."),
        (Annotated[Mapping[str, Mapping[str, str]], COLUMNS], COLUMNS.metavar),
        (Annotated[int | str, FRAME], "FRAME"),
        (Sequence[Annotated[int | str, FRAME]] | Literal["all"], "FRAME,...|all"),
        (Annotated[str, AXES], "local-world-aligned|local|world|FRAME"),
        (Annotated[Any, TOOL] | None, "X,Y,Z|POSE"),
        (Annotated[str, OneOf(lambda: ["pid", "pd"])], "pid|pd"),
        (Any, "VALUE"),
    ],
)
def test_kinds_on_a_command_line(kind: Any, expected: str) -> None:
    assert kind_of(kind).metavar == expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (float | None, "a number or None"),
        (Annotated[int, Range(1, 3)], "a whole number from 1 to 3"),
        (Sequence[int], "a list of whole numbers"),
        (Literal["a", "b"], "'a' or 'b'"),
        (Mapping[str, float], "a mapping of texts to numbers"),
        (Annotated[str, OneOf(lambda: ["pid", "pd"])], "'pid' or 'pd'"),
    ],
)
def test_kinds_in_messages(kind: Any, expected: str) -> None:
    assert kind_of(kind).phrase() == expected


def function(robot: Robot, first: int = 0, *, second: Annotated[str, FRAME] | None = None) -> None: ...


def test_kinds_of_a_function() -> None:
    found = kinds_of(function)
    assert list(found) == ["robot", "first", "second"]
    assert found["first"] == Plain(int)
    assert formats_in(found["second"]) == [FRAME]
    assert kind_of(Literal["a"]) == Word("a")
