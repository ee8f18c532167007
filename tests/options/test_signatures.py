"""The options of a function: kind, default and meaning of each parameter after the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pytest

import robosym
from robosym.models import MODELS
from robosym.models.available import options_for
from robosym.options.groups import OptionGroup
from robosym.options.signatures import REQUIRED, Option, options_of


def plain(
    robot: Any, first: int, second: Literal["a", "b"] = "a", *rest: str, flag: bool = False, more: float | None = None
) -> int:
    """A number.

    Parameters
    ----------
    robot
        Robot.
    first
        First number. It has
        two sentences.
    second
        One of ``two`` words.
    flag, more
        Shared by both.
    """
    return 0


def test_a_function_without_its_first_parameter() -> None:
    found = options_of(plain)
    assert list(found) == ["first", "second", "flag", "more"]
    assert [(one.flag, one.kind.metavar, one.shown_default) for one in found.values()] == [
        ("--first", "INTEGER", "required"),
        ("--second", "a|b", "a"),
        ("--flag", "yes|no", "no"),
        ("--more", "NUMBER", ""),
    ]
    assert found["first"].default is REQUIRED
    assert [one.meaning for one in found.values()] == [
        "First number. It has two sentences.",
        "One of two words.",
        "Shared by both.",
        "Shared by both.",
    ]
    assert found["first"].help == "First number."
    assert found["second"].words == ["a", "b"]
    assert [one.is_flag for one in found.values()] == [False, False, True, False]


def bare(robot: Any, *, some_option: bool = True, **more: float) -> None: ...


def test_a_function_without_a_docstring() -> None:
    (option,) = options_of(bare).values()
    assert isinstance(option, Option)
    assert option.flag == "--some-option"
    assert option.as_dict() == {"name": "some-option", "takes": "yes|no", "default": "yes", "meaning": ""}


@dataclass(frozen=True)
class Noise(OptionGroup):
    """Noise of the sensors.

    Parameters
    ----------
    positions
        Standard deviation of positions.
    """

    positions: float = 0.5


def measured(robot: Any, first: int = 1, noise: Noise | None = None, last: Sequence[int] = ()) -> None:
    """Something measured."""


def test_options_of_a_group_stand_in_its_place() -> None:
    found = options_of(measured)
    assert list(found) == ["first", "positions", "last"]
    assert (found["positions"].default, found["positions"].meaning) == (0.5, "Standard deviation of positions.")
    assert found["last"].shown_default == ""


@pytest.mark.parametrize("name", MODELS)
def test_every_option_of_every_model_has_a_kind(name: str) -> None:
    for option in options_of(MODELS[name]).values():
        assert option.kind.metavar not in ("", "VALUE"), option


def test_options_that_a_robot_has() -> None:
    arm, loops, platform = (robosym.load(name) for name in ("rx90", "four-bar", "delta"))
    own = options_for(arm, "inverse-dynamics")
    assert not {"mode", "near", "structure", "coordinates", "forces", "legs", "tool"} & set(own)
    assert {"mode", "near", "structure"} <= set(options_for(loops, "inverse-dynamics"))
    assert own["friction"] is options_of(MODELS["inverse-dynamics"])["friction"]
    assert "tool" in options_for(arm, "jacobian")
    assert "structure" not in options_for(platform, "inverse-dynamics")
    assert {"forces", "legs", "tool", "coordinates", "mode"} <= set(options_for(platform, "inverse-dynamics"))
    assert not {"coordinates", "frame", "axes"} & set(options_for(platform, "velocities"))
