"""What a table of words sees of a model: frames, axes and tools in words."""

from __future__ import annotations

from typing import Any

import pytest
from generated.cases import arm, bare_model, case_of, floating
from generated.said import about, sentences

import robosym
from robosym import models
from robosym.generated.documentation.case import SPATIAL, Case, is_only_end
from robosym.robot import Robot

TREE = Robot.from_table("tree", [{}, {}, {"antecedent": 1}, {"antecedent": 3, "sigma": 2}])


def test_frames_axes_and_tools_are_said() -> None:
    robot = robosym.load("rx90")
    assert "frame link6 (the tip) at its origin, in the axes of the world" in about(models.jacobian(robot))
    assert "frame link3 at its origin, in its own axes" in about(models.velocities(robot, frame=3, axes="local"))
    assert "in the axes of frame link2" in about(models.jacobian(robot, axes=2))
    assert "passes the origin of the world" in about(models.jacobian(robot, axes="world"))
    assert "the tool at (0, 0, LT) m in frame link6" in about(models.jacobian(robot, tool=["0", "0", "LT"]))
    assert "in the axes of the frame" in about(models.jacobian(robot, tool=["0", "0", "LT"], axes="local"))
    assert "frame link4 in the world" in about(models.geometric(robot, frame=4, reference="world"))
    solved = models.inverse_geometric(robot, tool=[0, 0, 0.1])
    assert "the tool at (0, 0, 0.1) m in frame link6" in about(solved)
    assert "frame base, which is the world" in sentences(models.jacobian(robot))
    said = models.linearised(robosym.load("planar-2r"), outputs=["pose"], frame=1).documentation
    assert said is not None
    assert "frame link1" in said.arrays["C"].about


def test_sizes_options_and_arrays() -> None:
    case = case_of("q", (4, 3), inputs={"q": (3,), "qd": (3,)}, outputs={"tau": (3,)}, kind="classical")
    assert (case.size, case_of("s").size) == (3, 0)
    assert (case.option("kind"), case.option("axes"), case.option("axes", "world")) == ("classical", None, "world")
    assert (case.inputs, case.outputs) == ({"q", "qd"}, {"tau"})
    assert Case(bare_model("m", arm(), optional={"wrench": ("foot", "upper")})).wrench_frames == ("foot", "upper")
    assert case.wrench_frames == ()


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (0, "frame base (the base)"),
        ("base", "frame base (the base)"),
        (1, "frame upper"),
        ("lower", "frame lower"),
        (3, "frame foot (the tip)"),
        ("foot", "frame foot (the tip)"),
        ("world", "the world"),
    ],
)
def test_frames(frame: Any, words: str) -> None:
    assert case_of().frame_named(frame) == words
    assert case_of(frame=frame).frame == words
    assert case_of(reference=frame).reference == words
    assert case_of(frame=1, mounted_on=frame).frame == words


def test_a_base_called_world_is_a_frame() -> None:
    assert case_of(robot=arm(base={"name": "world"})).frame_named("world") == "frame world (the base)"
    assert case_of().reference == "frame base (the base)"


def test_tools_and_several_frames() -> None:
    assert case_of(frame=2, tool=("0", "a", "1")).frame == "the tool at (0, a, 1) m in frame lower"
    rows = (("1", "0", "0", "x"), ("0", "1", "0", "y"), ("0", "0", "1", "z"), ("0", "0", "0", "1"))
    assert (
        case_of(frame=2, tool=rows).frame
        == "the tool with the pose [[1, 0, 0, x], [0, 1, 0, y], [0, 0, 1, z]] in frame lower"
    )
    assert case_of(frame=2, frames=[1, 2]).frame == "several frames, a row each,"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"axes": "world"}, SPATIAL),
        ({"axes": "world", "frames": [1, 2]}, SPATIAL),
        ({"axes": "local-world-aligned"}, "at its origin, in the axes of the world"),
        ({"axes": "local"}, "at its origin, in its own axes"),
        ({"axes": "local", "tool": ("0", "0", "1")}, "at its origin, in the axes of the frame"),
        ({"axes": "local", "tool": (("1",), ("0",), ("0",))}, "at its origin, in its own axes"),
        ({"axes": 1}, "at its origin, in the axes of frame upper"),
        ({"axes": "local", "frames": [1, 2]}, "at their origins, in their own axes"),
        ({"axes": "local-world-aligned", "frames": [1, 2]}, "at their origins, in the axes of the world"),
        ({"axes": 0, "frames": [1, 2]}, "at their origins, in the axes of frame base (the base)"),
    ],
)
def test_points_and_axes(options: dict[str, Any], words: str) -> None:
    assert case_of(**options).axes == words


def test_the_tip_is_the_only_end() -> None:
    assert [is_only_end(arm(), j) for j in (1, 2, 3)] == [False, False, True]
    assert [is_only_end(TREE, j) for j in range(1, 5)] == [False] * 4
    assert not is_only_end(Robot.from_table("still", [{"sigma": 2}]), 1)
    assert is_only_end(Robot.from_table("tool", [{}, {"sigma": 2}]), 2)
    assert is_only_end(floating(), 3)
    for name in ("four-bar", "planar-3rrr"):
        robot = robosym.load(name)
        assert not any(is_only_end(robot, j) for j in range(1, len(robot.frames) + 1))
