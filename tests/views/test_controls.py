"""Options as controls of a form, and what a form sends back as keyword arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import pytest

import robosym
from robosym.options.kinds import kind_of
from robosym.options.markers import AXES, FRAME, TOOL
from robosym.options.signatures import Option
from robosym.robot import RobotError
from robosym.views import controls

ARM, LOOP = robosym.load("rx90"), robosym.load("four-bar")
A_FRAME = Annotated[int | str, FRAME]


def option(annotation: Any, name: str = "x", default: Any = None) -> Option:
    return Option(name, kind_of(annotation), default, "Meaning.")


def of(annotation: Any, name: str = "x", default: Any = None, robot: Any = ARM) -> dict[str, Any]:
    """The control of an option, without what every control has."""
    found = controls.control(robot, option(annotation, name, default))
    assert (found.pop("name"), found.pop("label"), found.pop("default"), found.pop("meaning")) == (
        name,
        name.replace("_", " "),
        default,
        "Meaning.",
    )
    return found


def values(control: dict[str, Any]) -> list[Any]:
    return [one["value"] for one in control["choices"]]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (bool | None, {"kind": "choice"}),
        (int, {"kind": "integer"}),
        (float, {"kind": "number"}),
        (int | float, {"kind": "number"}),
        (float | None, {"kind": "number"}),
        (str, {"kind": "text"}),
        (Mapping[str, float] | None, {"kind": "numbers"}),
        (Mapping[str, str], {"kind": "data"}),
        (Sequence[str] | bool, {"kind": "names", "truth": True}),
        (list[str], {"kind": "names", "truth": False}),
        (Annotated[Any, TOOL], {"kind": "tool"}),
    ],
)
def test_kinds(kind: Any, expected: dict[str, Any]) -> None:
    found = of(kind)
    assert {key: found[key] for key in expected} == expected


def test_choices() -> None:
    assert of(bool, default=False) == {"kind": "flag"}
    friction = of(bool | Literal["smooth"], default=False)
    assert (friction["kind"], values(friction)) == ("choice", [False, True, "smooth"])
    assert values(of(bool | None)) == [None, False, True]
    assert values(of(Literal["a", "b"])) == ["a", "b"]
    assert of(Sequence[Literal["q", "qd"]])["kind"] == "several"
    words = of(Literal["terminal", "none"] | Sequence[int | str])
    assert (words["kind"], values(words)) == ("choice", ["terminal", "none"])
    frame = of(A_FRAME)
    assert frame["kind"] == "frame"
    assert frame["choices"][0] == {"value": None, "words": "tip"}
    assert values(frame)[1:] == [ARM.base.name, *(f.name for f in ARM.frames)]
    reference = of(A_FRAME, "reference", 0)
    assert reference["choices"][0] == {"value": 0, "words": "base"}
    assert ARM.base.name not in values(reference)
    assert values(of(Annotated[str, AXES]))[:3] == list(controls.CONVENTIONS)
    assert values(of(Sequence[A_FRAME] | Literal["all"]))[0] == "all"


def test_modes_of_closed_loops() -> None:
    own = {one["name"]: one for one in controls.controls(LOOP, "inverse-dynamics")}
    assert values(own["mode"]) == [None, *robosym.models.loop_geometry(LOOP).modes]
    assert own["mode"]["choices"][0]["words"] == controls.UNSET
    found = {one["name"]: one for one in controls.controls(ARM, "inverse-dynamics")}
    assert "mode" not in found
    assert found["rotor_inertia"]["label"] == "rotor inertia"
    assert found["friction"]["meaning"]


# --- what a form sends back ---------------------------------------------------------------------------------------------


def value_of(annotation: Any, value: Any, default: Any = None) -> Any:
    return controls._value(ARM, option(annotation, default=default), value)


TOOL_KIND = Annotated[Any, TOOL]


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        (int, 3, 3),
        (float, 2, 2),
        (float, 0.5, 0.5),
        (str, "a", "a"),
        (Mapping[str, str], {"a": "1"}, {"a": "1"}),
        (Mapping[str, float], {"a": 1, "b": 0.5}, {"a": 1.0, "b": 0.5}),
        (list[str], "a, b,", ["a", "b"]),
        (list[int | str], ["a", 2], ["a", 2]),
        (list[str] | bool, "yes", True),
        (list[str] | bool, False, False),
        (list[str], "yes", ["yes"]),
        (TOOL_KIND, "1, 0.5, L", [1.0, 0.5, "L"]),
        (TOOL_KIND, [0, 1, 2], [0, 1, 2]),
        (TOOL_KIND, [["1", 0, 0, 0]] * 4, [[1.0, 0, 0, 0]] * 4),
        (bool | Literal["smooth"] | None, True, True),
        (bool | Literal["smooth"] | None, "smooth", "smooth"),
        (A_FRAME, 6, 6),
        (A_FRAME, 0, 0),
        (Sequence[A_FRAME] | Literal["all"], "all", "all"),
        (Sequence[Literal["q", "qd"]], ["qd"], ["qd"]),
    ],
)
def test_values_of_a_form(annotation: Any, value: Any, expected: Any) -> None:
    found = value_of(annotation, value)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("annotation", "value", "message"),
    [
        (int, 1.5, "a whole number"),
        (int, True, "a whole number"),
        (float, float("nan"), "a number"),
        (float, float("inf"), "a number"),
        (float, "1", "a number"),
        (str, 1, "a text"),
        (Mapping[str, str], [1], "a JSON object"),
        (Mapping[str, float], [1], "a mapping of texts to numbers"),
        (Mapping[str, float], {"a": True}, "a mapping of texts to numbers"),
        (list[str], 3, "names"),
        (list[str], [0.5], "names"),
        (TOOL_KIND, [1, 2], "a point x, y, z"),
        (TOOL_KIND, "1, 2", "a point x, y, z"),
        (TOOL_KIND, [1, 2, 3, 4], "a point x, y, z"),
        (bool | Literal["smooth"] | None, "smoth", "did you mean smooth"),
        (bool | Literal["smooth"] | None, 1, "as it is, no, yes, smooth"),  # 1 is equal to True
        (A_FRAME, 7, "a frame from 0 to 6"),
        (A_FRAME, -1, "a frame from 0 to 6"),
        (A_FRAME, "bottom", "a frame of the robot: tip"),
        (Sequence[Literal["q", "qd"]], "q", "a list of some of q, qd"),
        (Sequence[Literal["q", "qd"]], ["qdd"], "a list of some of q, qd"),
    ],
)
def test_values_that_do_not_fit(annotation: Any, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        value_of(annotation, value)


def test_a_flag() -> None:
    assert value_of(bool, True, default=False) is True
    with pytest.raises(ValueError, match="True or False"):
        value_of(bool, 1, default=False)


def test_every_wrong_option_is_named() -> None:
    assert controls.keywords(ARM, "inverse-dynamics", {"friction": True, "wrench": None}) == {"friction": True}
    with pytest.raises(RobotError) as error:
        controls.keywords(ARM, "inverse-dynamics", {"frction": True, "friction": 3})
    first, second = map(str, error.value.problems)
    assert "is no option of inverse-dynamics (did you mean friction?)" in first
    assert second.startswith("friction: got 3, expected ")
    assert controls.checked_options(ARM, "inverse-dynamics", [1])[1][0].where == "options"
