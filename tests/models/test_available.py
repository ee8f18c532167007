"""Models and options of parallel robots: the list is what the functions take, and everything else is an error that names it."""

from __future__ import annotations

from typing import Any

import pytest
from robots_with import flexible

import robosym
from robosym import models
from robosym.generated.declaration import Parallel
from robosym.models import MODELS
from robosym.models.available import platform_model, platform_models
from robosym.models.catalogue import declaration_of, declarations
from robosym.robot import Robot, RobotError

PLATFORM = {one.name: one for one in declarations() if one.parallel is not None}
# For every option that not all models of parallel robots have, a value that it may have where there is one.
OTHER: dict[str, Any] = {
    "frame": 1,
    "frames": "all",
    "axes": "local",
    "reference": 1,
    "task": "position",
    "given": ("q1",),
    "structure": "tree",
    "coordinates": "motors",
    "intermediate": 1,
    "origin": 0,
    "output": "factors",
    "rows": ["vx", "wz"],
    "weighted": True,
    "reactions": True,
    "model": "power",
    "extra": {"gearbox": {"q1": "qd1"}},
    "forces": "motors",
    "legs": "shared",
    "of": "motors",
    "passive": True,
    "alike": False,
}
OTHER_OF = {  # where the words of an option depend on the model
    ("accelerations", "kind"): "spatial",
    ("inverse-dynamics", "kind"): "classical",
    ("forward-dynamics", "kind"): "classical",
    ("inverse-geometric", "method"): "paul",
    ("jacobian-inverse", "method"): "damped",
    ("forward-dynamics", "method"): "factorised",
}


def refusal(robot: Robot, name: str, option: str) -> str:
    value = OTHER_OF[name, option] if (name, option) in OTHER_OF else OTHER[option]
    with pytest.raises(RobotError) as raised:
        MODELS[name](robot, **{option: value})
    return str(raised.value)


def parallel(name: str) -> Parallel:
    found = PLATFORM[name].parallel
    assert found is not None
    return found


def test_options_of_a_platform_model() -> None:
    assert Parallel("").every_option == ("mode", "near", "tool")
    assert Parallel("", options=("a",), motors=True).every_option == ("a", "mode", "near", "coordinates", "tool")
    assert Parallel("", options=("a",), tool=False).every_option == ("a", "mode", "near")


@pytest.mark.parametrize("name", PLATFORM)
def test_every_option_is_one_of_the_function(name: str) -> None:
    options = parallel(name).every_option
    assert len(set(options)) == len(options)
    assert set(options) <= set(PLATFORM[name].options)


CASES = [
    (name, option)
    for name in PLATFORM
    for option in PLATFORM[name].options
    if option not in parallel(name).every_option
]


@pytest.mark.mostly_slow(fast=21)
@pytest.mark.parametrize(("name", "option"), CASES)
def test_every_other_option_is_refused_by_its_name(name: str, option: str) -> None:
    """None is passed over: neither on a platform of three legs in the plane, nor anywhere."""
    told = refusal(robosym.load("planar-3rrr"), name, option)
    assert told.startswith(f"planar-3rrr: {option}: ")
    assert "platform" in told


@pytest.mark.parametrize(
    ("name", "option"),
    [(name, option) for name in PLATFORM for option in PLATFORM[name].parallel_only if option != "tool"],
)
def test_what_only_parallel_robots_have_is_refused_of_others(name: str, option: str) -> None:
    told = refusal(robosym.load("planar-2r"), name, option)
    assert told.startswith(f"planar-2r: {option}: got ")
    assert told.endswith("only models of a platform on legs have this option")


@pytest.mark.parametrize("name", [name for name in PLATFORM if "tool" in PLATFORM[name].parallel_only])
def test_tools_that_only_parallel_robots_have(name: str) -> None:
    assert parallel(name).tool
    with pytest.raises(RobotError, match=r"tool: .*platform on legs"):
        MODELS[name](robosym.load("planar-2r"), tool="symbolic")


# --- which models -----------------------------------------------------------------------------------------------------


def test_names_in_the_order_of_the_list() -> None:
    robot = robosym.load("delta")
    expected = [name for name in MODELS if name in PLATFORM]
    assert platform_models(robot) == expected
    others = set(models.models_of(robot.closed_loops()))
    assert models.models_of(robot) == [name for name in MODELS if name in {*expected, *others}]
    assert platform_models(robosym.load("planar-2r")) == []


def test_with_flexible_joints_models_of_the_state_are_those_of_closed_loops() -> None:
    robot = robosym.load("planar-3rrr")
    soft = flexible(robot)
    assert soft.flexible
    of_state = {"forward-dynamics", "energy"}
    assert set(platform_models(robot)) - set(platform_models(soft)) == of_state
    for name in of_state:
        assert platform_model(soft, declaration_of(name)) is None
        motors = platform_model(robot, declaration_of(name))
        assert motors is not None
        assert motors.motors
        assert "q_motor" in [array.name for array in MODELS[name](soft).routine.inputs]
