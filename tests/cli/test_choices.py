"""Options of commands that take one of several words."""

from __future__ import annotations

import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from robosym.cli.app import app
from robosym.cli.choices import CHOICES, Choice
from robosym.trajectory.profiles import PROFILES


def test_words_are_those_of_the_function() -> None:
    profiles = Choice("trajectory.point_to_point", "profile")
    assert list(profiles.words) == list(PROFILES)
    assert profiles("cubic") == "cubic"
    assert profiles(None) is None
    with pytest.raises(
        typer.BadParameter, match=r"got 'trapez', expected linear, .*jerk-limited \(did you mean trapeze\?\)"
    ):
        profiles("trapez")


def test_numbers_are_numbers() -> None:
    degrees = Choice("trajectory.through", "degree")
    assert [degrees(word) for word in ("3", "5", 5)] == [3, 5, 5]
    with pytest.raises(typer.BadParameter, match="got '4', expected 3, 5"):
        degrees("4")


@pytest.mark.parametrize("key", CHOICES)
def test_each_has_words(key: str) -> None:
    assert len(CHOICES[key].words) > 1


def test_help_lists_the_words() -> None:
    shown = CliRunner().invoke(app, ["trajectory", "--help"]).output
    assert "--profile linear|cubic|quintic|bang-bang|trapeze|continuous|jerk-limited" in shown
    assert "--degree 3|5" in shown
    for command in ("simulate", "plot", "ik"):
        shown = CliRunner().invoke(app, [command, "--help"]).output
        assert not [key for key in CHOICES if key in shown]


def test_a_command_line_starts_without_the_functions() -> None:
    code = "import sys, robosym.cli.app; assert 'robosym.trajectory' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
