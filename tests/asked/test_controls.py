"""Options as controls of a form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import pytest
from robosym.asked import controls
from robosym.asked.controls import kinds

import robosym

ARM, LOOP = robosym.load("rx90"), robosym.load("four-bar")


def of(kind: Any, name: str = "x", default: Any = None, robot: Any = ARM) -> dict[str, Any]:
    return controls._control(robot, name, kind, default)


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
    assert of(kind) == expected


def test_choices() -> None:
    friction = of(bool | Literal["smooth"])
    assert (friction["kind"], values(friction)) == ("choice", [False, True, "smooth"])
    assert values(of(bool | None)) == [None, False, True]
    assert values(of(Literal["a", "b"])) == ["a", "b"]
    assert of(Sequence[Literal["q", "qd"]])["kind"] == "several"
    words = of(Literal["terminal", "none"] | Sequence[int | str])
    assert (words["kind"], values(words)) == ("choice", ["terminal", "none"])
    assert of(str, "tool") == {"kind": "tool"}
    frame = of(str, "frame")
    assert frame["kind"] == "frame"
    assert frame["choices"][0] == {"value": None, "words": "tip"}
    assert values(frame)[1:] == [ARM.base.name, *(f.name for f in ARM.frames)]
    reference = of(str, "reference", 0)
    assert reference["choices"][0] == {"value": 0, "words": "base"}
    assert ARM.base.name not in values(reference)
    assert values(of(str, "axes"))[:3] == list(controls.AXES)
    assert values(of(str, "frames"))[0] == "all"


def test_modes_of_closed_loops() -> None:
    own = kinds(LOOP, "inverse-dynamics")
    assert values(own["mode"]) == [None, *robosym.models.loop_geometry(LOOP).modes]
    assert own["mode"]["choices"][0]["words"] == controls.UNSET
    assert "mode" not in kinds(ARM, "inverse-dynamics")
    found = {one["name"]: one for one in controls.controls(ARM, "inverse-dynamics")}
    assert found["friction"]["label"] == "friction"
    assert found["friction"]["meaning"]
