"""Descriptions checked and begun, as data."""

from __future__ import annotations

import pytest

import robosym
from robosym.errors import RobosymError
from robosym.notices import collected
from robosym.robot import RobotError
from robosym.views.robots import checked_robot, checked_text, new_robot, robot_view, templates
from robosym.views.saving import as_texts


@pytest.mark.parametrize("kind", [one["kind"] for one in templates()])
def test_a_new_robot_is_a_robot_of_that_name(kind: str) -> None:
    found = checked_text(new_robot(kind, ' my "arm" \\ $file'), "toml")
    assert found["problems"] == []
    assert found["robot"]["name"] == 'my "arm" \\ $file'
    assert found["robot"]["undrawn"] == ""
    with pytest.raises(RobosymError, match="no kind"):
        new_robot("round", "x")


def test_a_text_that_is_no_robot_has_all_its_problems_in_the_answer() -> None:
    found = checked_text('name = "x"\n[[frame]]\nalpha = "("\nsigma = 9\n', "toml")
    assert found["robot"] is None
    assert {one["where"] for one in found["problems"]} == {"frame 1, alpha", "frame 1, sigma"}
    with pytest.raises(RobotError):
        checked_robot('name = "x"\n[[frame]]\nalpha = "("\n', "toml")


def test_symbols_of_the_geometry_without_numbers_are_named() -> None:
    robot = robosym.loads('name = "x"\n[[frame]]\nd = "L"\nr = "H"\nM = "M1"\n[values]\nH = 1', "toml")
    assert robot_view(robot)["undrawn"] == "its geometry has symbols without a number: L"


def test_the_loops_of_a_urdf_come_as_a_second_text() -> None:
    with collected():
        made = as_texts(robosym.load("sr400"), "urdf")
        urdf, loops = (one["text"] for one in made["files"])
        closed = checked_text(urdf, "urdf", loops=loops)
        opened = checked_text(urdf, "urdf")
    assert [one["name"] for one in made["files"]] == ["sr400.urdf", "sr400.loops.toml"]
    assert closed["robot"]["structure"] == "closed"
    assert opened["robot"]["structure"] == "tree"
    wrong = checked_text('name = "x"\n[[frame]]', "toml", loops=loops)["problems"]
    assert wrong[0]["where"] == "loops"
