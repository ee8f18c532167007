"""Counts of operations, and the published figures beside them."""

from __future__ import annotations

from dataclasses import replace

from robosym import load, models
from robosym.expr import number
from robosym.published import cells
from robosym.views.counts import counts_of, published_counts
from robosym.views.models import model_view

BASE = {"parameters": "base"}


def test_the_counts_of_another_robot_of_the_same_name_are_not_shown() -> None:
    robot = load("rx90")
    frames = (replace(robot.frames[0], d=number(0.1)), *robot.frames[1:])
    assert model_view(robot.replace(frames=frames), "inverse-dynamics", BASE)["published"] == []


def test_counts_are_those_of_the_operations_and_their_sum() -> None:
    """L1 cos(q1) + L2 cos(q1 + q2) and the same with sines, and the rotation by q1 + q2."""
    found = counts_of(models.geometric(load("planar-2r")).operations)
    assert {name: found[name] for name in ("mul", "add", "div", "trig", "total")} == {
        "mul": 4,
        "add": 3,
        "div": 0,
        "trig": 4,
        "total": 7,
    }


def test_published_figures_say_what_they_are_for() -> None:
    """The first is for the options that were asked, whether they are written out or left as they are by default."""
    robot = load("rx90")
    base, standard = published_counts(robot, "inverse-dynamics", BASE)
    assert (base["mul"], base["add"], base["total"], base["same"]) == (253, 238, 491, True)
    assert (standard["total"], standard["same"], standard["options"]) == (577, False, {"parameters": "standard"})
    first, *others = published_counts(robot, "inverse-dynamics", {})
    assert first["options"] == {"parameters": "standard"}
    assert [one["same"] for one in (first, *others)] == [True, False]
    assert published_counts(robot, "inverse-dynamics", {"parameters": "standard"})[0] == first
    assert not any(one["same"] for one in published_counts(robot, "inverse-dynamics", {"friction": True}))
    assert published_counts(robot, "gravity", {}) == []


def test_figures_in_numbers_are_for_no_options() -> None:
    """They count what is left with the values of a robot put in, which no option asks for."""
    numeric = [one for cell in cells() if cell.numeric for one in published_counts(load(cell.robot), cell.model, {})]
    assert any(one["numeric"] for one in numeric)
    assert not any(one["numeric"] and one["same"] for one in numeric)


def test_a_robot_on_a_free_base_has_no_published_figures() -> None:
    assert published_counts(load("rx90", floating=True), "inverse-dynamics", {}) == []
