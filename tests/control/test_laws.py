"""Laws by their names."""

from __future__ import annotations

from typing import get_args

import pytest

import robosym
from robosym.control import ControlError, computed_torque, pid
from robosym.control.adaptive import FrictionTerm
from robosym.control.laws import DECLARATIONS, LAWS, LawName, controller, law_named
from robosym.models.regressors.terms import FRICTION
from robosym.options.errors import ArgumentError
from robosym.options.kinds import Word, kind_of


def test_names() -> None:
    assert kind_of(LawName).alternatives == tuple(map(Word, LAWS))
    assert list(LAWS)[:3] == ["computed-torque", "feed-forward", "pd-gravity"]
    assert all(LAWS[name] is one.function for name, one in DECLARATIONS.items())
    assert get_args(FrictionTerm) == FRICTION
    assert law_named("pid") is pid
    assert law_named("computed-torque") is computed_torque
    for name, make in LAWS.items():
        assert make.__name__ == name.replace("-", "_")
    for wrong in ("PID", 3, None):
        with pytest.raises(ControlError, match=r"law: got .*, expected computed-torque, feed-forward"):
            law_named(wrong)


def test_a_controller_is_the_model_of_its_law() -> None:
    robot = robosym.load("planar-2r")
    assert controller(robot, "pid", bandwidth=7).source("c") == pid(robot, bandwidth=7).model.source("c")
    assert controller(robot).source("c") == computed_torque(robot).model.source("c")
    with pytest.raises(ArgumentError, match="law: got 'none', expected 'computed-torque', 'feed-forward'"):
        controller(robot, "none")
