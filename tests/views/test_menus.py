"""Every model under one menu, with its options."""

from __future__ import annotations

import json

import pytest

from robosym import load
from robosym.generated.declaration import FAMILIES
from robosym.models import MODELS, models_of
from robosym.models.catalogue import declarations
from robosym.robot import Robot
from robosym.views.menus import menus


@pytest.mark.parametrize("name", ["rx90", "sr400", "gough-stewart", "planar-2r"])
def test_every_model_is_under_exactly_one_menu(name: str) -> None:
    robot = load(name)
    found = menus(robot)
    assert [one["menu"] for one in found] == ["geometric", "kinematic", "dynamic", "identification"]
    listed = [model["name"] for menu in found for model in menu["models"]]
    assert sorted(listed) == sorted(models_of(robot))
    for model in (model for menu in found for model in menu["models"]):
        assert model["title"]
        assert model["gives"]
        for option in model["options"]:
            assert option["meaning"], (model["name"], option["name"])
    json.dumps(found, allow_nan=False)


def test_every_model_of_the_library_has_one_title() -> None:
    listed = declarations()
    assert sorted(one.name for one in listed) == sorted(MODELS)
    assert len({one.title for one in listed}) == len(listed)
    assert {one.family for one in listed} == set(FAMILIES)


def test_models_that_a_robot_has_not_are_under_no_menu() -> None:
    def listed(robot: Robot) -> set[str]:
        return {model["name"] for menu in menus(robot) for model in menu["models"]}

    plain, free = listed(load("planar-2r")), listed(load("planar-2r", floating=True))
    assert "base-acceleration" in free - plain
    assert "loop-geometry" in listed(load("five-bar")) - plain
    assert "direct-geometric" in listed(load("delta")) - plain
