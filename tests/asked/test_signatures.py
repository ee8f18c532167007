"""The options of model functions, by their signatures."""

from __future__ import annotations

import inspect
from typing import Any

from robosym.asked.signatures import named, options_of, parameters

import robosym
from robosym.models import MODELS


def some(robot: Any, first: int, second: list[str] | None = None, *rest: str, third=None, **more: float) -> None:
    """Of any kind."""


def test_everything_after_the_robot() -> None:
    assert parameters(some) == {"first": int, "second": list[str] | None, "rest": str, "third": str, "more": float}
    assert list(named(some)) == ["first", "second", "third"]


def test_options_that_a_robot_has() -> None:
    arm, loops = robosym.load("rx90"), robosym.load("four-bar")
    own = options_of(arm, "inverse-dynamics")
    assert not {"mode", "near", "structure", "coordinates"} & set(own)
    assert {"mode", "near", "structure"} <= set(options_of(loops, "inverse-dynamics"))
    assert own["friction"][1] is inspect.signature(MODELS["inverse-dynamics"]).parameters["friction"].default
    assert not {"forces", "legs", "tool"} & set(own)
    assert "tool" in options_of(arm, "jacobian")
    platform = robosym.load("delta")
    assert "structure" not in options_of(platform, "inverse-dynamics")
    assert {"forces", "legs", "tool", "coordinates", "mode"} <= set(options_of(platform, "inverse-dynamics"))
    assert not {"coordinates", "frame", "axes"} & set(options_of(platform, "velocities"))
