"""Pictures of the workspaces of platforms: what is drawn, and the words beside it."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import robosym
from robosym import RobosymError
from robosym.analysis import PlatformMotion, platform_workspace, platform_workspace_picture, workspace_picture
from robosym.analysis.platform_pictures import _note, _orientation_words, lines_at_home


@cache
def planar() -> PlatformMotion:
    return PlatformMotion(robosym.load("planar-3rrr"))


def test_pictures() -> None:
    pytest.importorskip("matplotlib")
    flat = platform_workspace(robosym.load("planar-3rrr"), samples=200)
    for colour in ("distance", "condition", "orientations"):
        assert platform_workspace_picture(flat, colour).axes
    assert len(workspace_picture(flat).axes) == 2
    solid = platform_workspace(robosym.load("gough-stewart"), samples=400, limits={"length": (1.0, 1.5)})
    assert len(platform_workspace_picture(solid).axes) == 5  # four slices and the scale
    with pytest.raises(RobosymError, match="colour: got 'red', expected 'distance', 'condition' or 'orientations'"):
        platform_workspace_picture(flat, "red")  # type: ignore[arg-type]


def test_lines_of_the_robot_at_home() -> None:
    """Cranks of 0.3 m, the same to the seats on a triangle of radius 0.1 m, and the motors on one of 0.5 m."""
    arm = lines_at_home(planar())
    assert len(arm.others) == 3
    for line in arm.others:
        steps = np.linalg.norm(np.diff(line, axis=0), axis=1)
        np.testing.assert_allclose(steps[steps > 1e-9], [0.3, 0.3], atol=1e-9)
    (plate,) = arm.limbs
    np.testing.assert_allclose(plate[0], plate[-1])
    np.testing.assert_allclose(np.linalg.norm(plate[:3] - arm.tip, axis=1), 0.1, atol=1e-9)
    for line, seat in zip(arm.others, plate, strict=False):
        np.testing.assert_allclose(line[-1], seat, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(arm.revolute, axis=1), 0.5, atol=1e-9)
    assert arm.prismatic.shape == (0, 3)
    slides = lines_at_home(PlatformMotion(robosym.load("orthoglide")))
    assert slides.prismatic.shape == (3, 3)
    assert slides.revolute.shape == (0, 3)


def workspace_of(**given: Any) -> Any:
    usual = {"orientation": None, "ticks": (1, 2), "measure": None, "unit": "m^2", "spacing": 0.01, "clearance": 0.0}
    motion = SimpleNamespace(mode="up")
    return SimpleNamespace(**{**usual, "points": range(5), "tried": 9, "motion": motion, **given})


def test_words() -> None:
    half = np.sin(np.pi / 12)
    assert _orientation_words(workspace_of(orientation=(0, 0, 0, 1))) == " without rotation"
    assert _orientation_words(workspace_of(orientation=(0, 0, half, -np.cos(np.pi / 12)))) == " turned by 30 degrees"
    assert _orientation_words(workspace_of()) == " at any orientation"
    assert _orientation_words(workspace_of(ticks=())) == ""
    assert _note(workspace_of()) == "5 of 9 poses, mode up"
    expected = "0.5 m^2, cells of 0.01 m; 5 of 9 poses, mode up; at least 0.2 from singularity"
    assert _note(workspace_of(measure=0.5, clearance=0.2)) == expected
