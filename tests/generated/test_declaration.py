"""Declarations of model functions."""

from __future__ import annotations

from typing import Any, Literal

import pytest

import robosym
from robosym.generated.declaration import DECLARATIONS, Parallel, declare, name_of
from robosym.generated.documentation.words import WORDS, WORDS_OF_PLATFORMS
from robosym.models.catalogue import declaration_of
from robosym.options.errors import ArgumentError
from robosym.robot import Robot


def test_names_of_models() -> None:
    assert name_of("inverse_dynamics") == "inverse-dynamics"
    assert name_of("base_parameters_model") == "base-parameters"


def declared(monkeypatch: pytest.MonkeyPatch, **more: Any) -> Any:
    """A declared function, whose declaration lasts as long as the test."""

    def tip_speed(robot: Robot, *, kind: Literal["squared", "plain"] = "plain") -> Any:
        """Speed of the tip.

        Parameters
        ----------
        kind
            Kind of speed.
        """
        return kind

    function = declare(
        title="Speed", family="kinematic", rank=999, inputs="q, qd?", outputs="v, w", about="Speed of the tip", **more
    )(tip_speed)
    for table in (DECLARATIONS, WORDS, WORDS_OF_PLATFORMS):
        if "tip-speed" in table:
            monkeypatch.setitem(table, "tip-speed", table.pop("tip-speed"))
    return function


def test_a_declared_function(monkeypatch: pytest.MonkeyPatch) -> None:
    function = declared(monkeypatch, available=lambda robot: bool(robot.loops))
    one = DECLARATIONS["tip-speed"]
    assert one.function is function
    assert (one.name, one.inputs, one.optional, one.outputs) == ("tip-speed", ("q", "qd"), {"qd"}, ("v", "w"))
    assert one.summary == "Speed of the tip."
    assert list(one.options) == ["kind"]
    assert not one.has(robosym.load("planar-2r"))
    assert one.has(robosym.load("four-bar"))
    assert WORDS["tip-speed"].about == "Speed of the tip"
    assert "tip-speed" not in WORDS_OF_PLATFORMS
    assert function(robosym.load("planar-2r"), kind="squared") == "squared"
    with pytest.raises(ArgumentError, match="kind: got 'fast', expected 'squared' or 'plain'"):
        function(robosym.load("planar-2r"), kind="fast")


def test_a_function_of_parallel_robots(monkeypatch: pytest.MonkeyPatch) -> None:
    declared(monkeypatch, parallel=Parallel("Speed of the platform"))
    assert WORDS_OF_PLATFORMS["tip-speed"].about == "Speed of the platform"
    assert DECLARATIONS["tip-speed"].has(robosym.load("planar-2r"))


def test_words_of_dynamic_models_name_gravity_and_inertia() -> None:
    assert declaration_of("gravity").family == "dynamic"
    assert (WORDS["gravity"].gravity, WORDS["gravity"].inertia) == (True, True)
    assert declaration_of("jacobian").family == "kinematic"
    assert (WORDS["jacobian"].gravity, WORDS["jacobian"].inertia) == (False, False)
