"""Models and options of parallel robots: the list is what the functions take, and everything else is an error that names it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest
from robosym.models.parallel.available import (
    BOTH,
    LEGS,
    OF_STATE,
    ONLY,
    PLATFORM,
    TOOL_ONLY,
    Available,
    available,
    coordinates_of,
    names_of,
)
from robosym.models.parallel.available import MODELS as AVAILABLE
from robots_with import flexible

import robosym
from robosym import models
from robosym.models import MODELS
from robosym.robot import Robot, RobotError

FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(models, name, None) or MODELS[name.replace("_", "-")] for name in AVAILABLE
}
# For every option that not all models of parallel robots have, a value that it may have where there is one.
OTHER: dict[str, Any] = {
    "frame": 1,
    "frames": "all",
    "axes": "local",
    "reference": 1,
    "method": "numeric",
    "task": "position",
    "given": ("q1",),
    "structure": "tree",
    "coordinates": "motors",
    "intermediate": 1,
    "origin": 0,
    "output": "factors",
    "rows": [0, 1],
    "weighted": True,
    "reactions": True,
    "model": "power",
    "extra": {"gearbox": 1},
    "forces": "symbolic",
    "legs": ("leg1",),
    "of": "legs",
    "passive": True,
    "alike": False,
}
OTHER_KIND = {"accelerations": "spatial", "inverse_dynamics": "classical", "forward_dynamics": "classical"}


def options(name: str) -> list[str]:
    return [option for option in inspect.signature(FUNCTIONS[name]).parameters if option != "robot"]


def refusal(robot: Robot, name: str, option: str) -> str:
    value = OTHER_KIND[name] if option == "kind" else OTHER[option]
    with pytest.raises(RobotError) as raised:
        FUNCTIONS[name](robot, **{option: value})
    return str(raised.value)


def test_what_a_model_has() -> None:
    assert Available().every_option == (*LEGS, "tool")
    assert Available(("a",), BOTH).every_option == ("a", *LEGS, "coordinates", "tool")
    assert Available(("a",), PLATFORM, tool=False).every_option == ("a", *LEGS)


@pytest.mark.parametrize("name", AVAILABLE)
def test_every_option_is_one_of_the_function(name: str) -> None:
    own = AVAILABLE[name].every_option
    assert len(set(own)) == len(own)
    assert set(own) <= set(options(name))


CASES = [
    (name, option) for name, own in AVAILABLE.items() for option in options(name) if option not in own.every_option
]


@pytest.mark.mostly_slow(fast=21)
@pytest.mark.parametrize(("name", "option"), CASES)
def test_every_other_option_is_refused_by_its_name(name: str, option: str) -> None:
    """None is passed over: neither on a platform of three legs in the plane, nor anywhere."""
    told = refusal(robosym.load("planar-3rrr"), name, option)
    assert told.startswith(f"planar-3rrr: {option}: ")
    assert "platform" in told


@pytest.mark.parametrize(
    ("name", "option"), [(name, option) for name in AVAILABLE for option in ONLY if option in options(name)]
)
def test_what_only_parallel_robots_have_is_refused_of_others(name: str, option: str) -> None:
    told = refusal(robosym.load("planar-2r"), name, option)
    assert told.startswith(f"planar-2r: {option}: got ")
    assert told.endswith("only models of a platform on legs have this option")


def test_tools_that_only_parallel_robots_have() -> None:
    for name in TOOL_ONLY:
        assert AVAILABLE[name].tool
        with pytest.raises(RobotError, match=r"tool: .*platform on legs"):
            FUNCTIONS[name](robosym.load("planar-2r"), tool="symbolic")


# --- which models -----------------------------------------------------------------------------------------------------


def test_names_in_the_order_of_the_list() -> None:
    robot = robosym.load("delta")
    expected = [name for name in MODELS if MODELS[name].__name__ in AVAILABLE]
    assert names_of(robot, list(MODELS)) == expected
    others = set(models.models_of(robot.closed_loops()))
    assert models.models_of(robot) == [name for name in MODELS if name in {*expected, *others}]
    assert names_of(robot, ["gravity", "transform", "jacobian"]) == ["gravity", "jacobian"]
    assert names_of(robot, []) == []


def test_every_model_on_the_command_line_is_listed() -> None:
    """``base_parameters`` is no model: what it finds is one, as ``base-parameters``."""
    listed = {function.__name__ for function in MODELS.values()}
    assert set(AVAILABLE) - listed == {"base_parameters"}


def test_with_flexible_joints_models_of_the_state_are_those_of_closed_loops() -> None:
    robot = robosym.load("planar-3rrr")
    soft = flexible(robot)
    assert soft.flexible
    missing = set(names_of(robot, list(MODELS))) - set(names_of(soft, list(MODELS)))
    assert missing == {name.replace("_", "-") for name in OF_STATE} == {"forward-dynamics", "energy"}
    for name in OF_STATE:
        assert available(soft, name) is None
        assert coordinates_of(soft, name) == ()
        assert coordinates_of(robot, name) == BOTH
        assert "q_motor" in [one.name for one in FUNCTIONS[name](soft).routine.inputs]
    assert coordinates_of("planar-3rrr", "energy") == ()
