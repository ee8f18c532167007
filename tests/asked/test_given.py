"""Options as JSON has them, as arguments of a model function."""

from __future__ import annotations

from typing import Any

import pytest
from robosym.asked import given

import robosym
from robosym.robot import RobotError

RX90 = robosym.load("rx90")


def taken(kind: str, value: Any, **control: Any) -> Any:
    return given._converted(RX90, {"name": "x", "kind": kind, **control}, value)


CHOICES = [
    {"value": v, "words": w} for v, w in ((None, "as it is"), (False, "no"), (True, "yes"), ("smooth", "smooth"))
]


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("flag", True, True),
        ("integer", 3, 3),
        ("number", 2, 2),
        ("number", 0.5, 0.5),
        ("text", "a", "a"),
        ("data", {"a": 1}, {"a": 1}),
        ("numbers", {"a": 1, "b": 0.5}, {"a": 1.0, "b": 0.5}),
        ("names", "a, b,", ["a", "b"]),
        ("names", ["a", 2], ["a", 2]),
        ("tool", "1, 0.5, L", [1.0, 0.5, "L"]),
        ("tool", [0, 1, 2], [0, 1, 2]),
        ("tool", [["1", 0, 0, 0]] * 4, [[1.0, 0, 0, 0]] * 4),
    ],
)
def test_values_that_are_taken(kind: str, value: Any, expected: Any) -> None:
    assert taken(kind, value) == expected


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        ("flag", 1, "true or false"),
        ("integer", 1.5, "a whole number"),
        ("integer", True, "a whole number"),
        ("number", float("nan"), "a number"),
        ("number", "1", "a number"),
        ("text", 1, "a text"),
        ("data", [1], "a JSON object"),
        ("numbers", [1], "a number for each joint"),
        ("numbers", {"a": True}, "a number"),
        ("names", 3, "names"),
        ("names", [0.5], "names"),
        ("tool", [1, 2], "a point x, y, z"),
        ("tool", "1, 2", "a point x, y, z"),
        ("tool", [1, 2, 3, 4], "a point x, y, z"),
    ],
)
def test_values_that_are_not(kind: str, value: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        taken(kind, value)


def test_choices() -> None:
    for value in (None, False, True, "smooth"):
        assert taken("choice", value, choices=CHOICES) is value
    with pytest.raises(ValueError, match="did you mean smooth"):
        taken("choice", "smoth", choices=CHOICES)
    with pytest.raises(ValueError, match="as it is, no, yes, smooth"):
        taken("choice", 1, choices=CHOICES)  # which is equal to True
    frames = [{"value": None, "words": "tip"}, {"value": "base", "words": "base"}]
    assert taken("frame", 6, choices=frames) == 6
    assert taken("frame", 0, choices=frames) == 0
    for wrong in (7, -1):
        with pytest.raises(ValueError, match="a frame from 0 to 6"):
            taken("frame", wrong, choices=frames)
    with pytest.raises(ValueError, match="a frame of the robot: tip, base"):
        given._chosen(RX90, {"name": "frame", "kind": "frame", "choices": frames}, "bottom")
    several = [{"value": one, "words": one} for one in ("all", "a", "b")]
    assert taken("several", "all", choices=several) == "all"
    assert taken("several", ["b"], choices=several) == ["b"]
    for wrong_ in ("a", ["c"], 3):
        with pytest.raises(ValueError, match="a list of some of all, a, b"):
            taken("several", wrong_, choices=several)
    assert taken("names", "yes", truth=True) is True
    assert taken("names", False, truth=True) is False
    assert taken("names", "yes", truth=False) == ["yes"]


def test_all_that_is_wrong_is_named() -> None:
    found = given.keywords(RX90, "inverse-dynamics", {"friction": True, "wrench": None})
    assert found == {"friction": True}
    with pytest.raises(RobotError) as error:
        given.keywords(RX90, "inverse-dynamics", {"frction": True, "friction": 3})
    said = [str(problem) for problem in error.value.problems]
    assert len(said) == 2
    assert "is no option of inverse-dynamics (did you mean friction?)" in said[0]
    assert said[1].startswith("friction: got 3, expected ")
    assert given.judged_options(RX90, "inverse-dynamics", [1])[1][0].where == "options"
