"""Options as controls of a form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import pytest

import robosym
from robosym.options.kinds import kind_of
from robosym.options.markers import AXES, FRAME, TOOL
from robosym.options.signatures import Option
from robosym.views import controls

ARM, LOOP = robosym.load("rx90"), robosym.load("four-bar")


def of(kind: Any, name: str = "x", default: Any = None, robot: Any = ARM) -> dict[str, Any]:
    option = Option(name, kind_of(kind), default, "")
    return controls._kind(robot, option)


def values(control: dict[str, Any]) -> list[Any]:
    return [one["value"] for one in control["choices"]]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (bool, {"kind": "flag"}),
        (int, {"kind": "integer"}),
        (float, {"kind": "number"}),
        (int | float, {"kind": "number"}),
        (float | None, {"kind": "number"}),
        (str, {"kind": "text"}),
        (Mapping[str, float] | None, {"kind": "numbers"}),
        (Mapping[str, str], {"kind": "data"}),
        (Sequence[str] | bool, {"kind": "names", "truth": True}),
        (list[str], {"kind": "names", "truth": False}),
    ],
)
def test_kinds(kind: Any, expected: dict[str, Any]) -> None:
    assert of(kind, default=False if kind is bool else None) == expected


def test_choices() -> None:
    friction = of(bool | Literal["smooth"])
    assert (friction["kind"], values(friction)) == ("choice", [False, True, "smooth"])
    assert values(of(bool | None)) == [None, False, True]
    assert values(of(Literal["a", "b"])) == ["a", "b"]
    assert of(Sequence[Literal["q", "qd"]])["kind"] == "several"
    words = of(Literal["terminal", "none"] | Sequence[int | str])
    assert (words["kind"], values(words)) == ("choice", ["terminal", "none"])
    assert of(Annotated[str, TOOL], "tool") == {"kind": "tool"}
    frame = of(Annotated[int | str | None, FRAME], "frame")
    assert frame["kind"] == "frame"
    assert frame["choices"][0] == {"value": None, "words": "tip"}
    assert values(frame)[1:] == [ARM.base.name, *(f.name for f in ARM.frames)]
    reference = of(Annotated[int | str, FRAME], "reference", 0)
    assert reference["choices"][0] == {"value": 0, "words": "base"}
    assert ARM.base.name not in values(reference)
    assert values(of(Annotated[str, AXES], "axes"))[:3] == list(controls.CONVENTIONS)
    several = of(Literal["all"] | Sequence[Annotated[int | str, FRAME]], "frames")
    assert (several["kind"], values(several)[0]) == ("several", "all")


def test_modes_of_closed_loops() -> None:
    own = {one["name"]: one for one in controls.controls(LOOP, "inverse-dynamics")}
    assert values(own["mode"]) == [None, *robosym.models.loop_geometry(LOOP).modes]
    assert own["mode"]["choices"][0]["words"] == controls.UNSET
    found = {one["name"]: one for one in controls.controls(ARM, "inverse-dynamics")}
    assert "mode" not in found
    assert found["friction"]["label"] == "friction"
    assert found["friction"]["meaning"]


# --- what a form sends back ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "sent", "taken"),
    [
        ("jacobian", {"frame": "link2", "axes": "local", "tool": "0, 0.5, L"}, {"frame": "link2", "axes": "local", "tool": [0.0, 0.5, "L"]}),
        ("jacobian", {"frame": 3, "tool": None}, {"frame": 3}),
        ("jacobian-inverse", {"rows": ["vx", "wz"]}, {"rows": ["vx", "wz"]}),
        ("regressor", {"friction": "viscous, offset"}, {"friction": ["viscous", "offset"]}),
        ("regressor", {"friction": ["viscous"]}, {"friction": ["viscous"]}),
        ("regressor", {"friction": "yes"}, {"friction": True}),
        ("transform", {"tool": [[1, 0, 0, "0.5"]] * 4}, {"tool": [[1, 0, 0, 0.5]] * 4}),
    ],
)  # fmt: skip
def test_values_as_the_function_takes_them(model: str, sent: dict[str, Any], taken: dict[str, Any]) -> None:
    assert controls.keywords(ARM, model, sent) == taken


@pytest.mark.parametrize(
    ("model", "sent", "words"),
    [
        ("jacobian", {"frame": 7}, "frame: got 7, expected a frame from 0 to 6, or a name"),
        ("jacobian", {"tool": [1, 2]}, "tool: got .*, expected a point x, y, z in the last frame"),
        ("jacobian", {"tool": [0, 0, float("inf")]}, "tool: got .*, expected a number"),
        ("jacobian-inverse", {"rows": ["ux"]}, "rows: got .*, expected a list of some of vx"),
        ("regressor", {"friction": 3}, "friction: got 3, expected .*list of"),
        ("inverse-dynamics", {"frmt": 1}, "frmt: is no option of inverse-dynamics"),
        ("inverse-dynamics", 4, "options: got 4, expected options by name"),
    ],
)
def test_options_that_are_wrong_are_named(model: str, sent: Any, words: str) -> None:
    taken, problems = controls.checked_options(ARM, model, sent)
    assert (taken, len(problems)) == ({}, 1)
    with pytest.raises(robosym.RobosymError, match=words):
        controls.keywords(ARM, model, sent)
