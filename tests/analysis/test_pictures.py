"""Pictures of workspaces and ellipsoids: the numbers that are drawn, and the words beside them."""

from __future__ import annotations

import numpy as np
import pytest

import robosym
from robosym.analysis import FrameMotion, ellipsoids_picture, workspace, workspace_picture
from robosym.analysis.pictures import _legend, arm_at, direction
from robosym.errors import RobosymError


def test_a_direction_in_few_words() -> None:
    assert direction(np.array([0.0, 0.0, -1.0])) == "z"
    assert direction(np.array([1e-4, 1.0, 0.0])) == "y"
    assert direction(np.array([-0.6, 0.8, 1e-12])) == "(0.6, -0.8, 0)"
    assert direction(np.array([0.0, 0.5, -0.25])) == "(0, 0.5, -0.25)"


def test_the_arm_and_what_hangs_beside_it() -> None:
    robot = robosym.load("planar-3r")
    q = np.array([0.3, -0.4, 0.5])
    tip = robot.n_links
    whole = arm_at(robot, q, tip)
    T = np.asarray(robosym.models.transform(robot, frame=tip).evaluate(q=q))
    np.testing.assert_allclose(whole.tip, T[:3, 3], atol=1e-12)
    np.testing.assert_array_equal(whole.base, [0, 0, 0])
    assert len(whole.limbs) == len(robot.path(tip))
    assert whole.others == []
    assert whole.revolute.shape == (3, 3)
    assert whole.prismatic.shape == (0, 3)
    part = arm_at(robot, q, 2)
    assert (len(part.limbs), len(part.others)) == (2, len(robot.path(tip)) - 2)
    assert part.revolute.shape == (2, 3)


def test_legends() -> None:
    """Of a planar arm: no velocity along z, and any force there."""
    motion = FrameMotion(robosym.load("planar-2r"))
    velocity, force = motion.ellipsoids([0.2, 0.9])
    finite = {kind: one.radii[np.isfinite(one.radii)].max() for kind, one in (("v", velocity), ("f", force))}
    assert _legend(velocity) == f"velocity for joint rates of norm 1: up to {finite['v']:.3g} m/s, none along z"
    assert _legend(force) == f"force for joint torques of norm 1: up to {finite['f']:.3g} N, any along z"


def test_pictures() -> None:
    pytest.importorskip("matplotlib")
    robot = robosym.load("planar-2r")
    found = workspace(robot, samples=50)
    for colour in ("manipulability", "density", None):
        assert workspace_picture(found, colour).axes
    assert workspace_picture(found, q=[0.1, 0.2]).axes
    with pytest.raises(RobosymError, match="colour: got 'red', expected 'manipulability', 'density'"):
        workspace_picture(found, "red")
    figure = ellipsoids_picture(FrameMotion(robot), [0.2, 0.9])
    text = " ".join(one.get_text() for one in figure.findobj(lambda one: hasattr(one, "get_text")))
    at = FrameMotion(robot).measures([0.2, 0.9])
    assert f"manipulability {float(at.manipulability):.4g}" in text
