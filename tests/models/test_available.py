"""Models and options of parallel robots: the list is what the functions take, and everything else is an error that names it."""

from __future__ import annotations

from typing import Any

import pytest
from robots_with import flexible

import robosym
from robosym.generated.declaration import Parallel
from robosym.models import MODELS
from robosym.models.available import models_of, options_for, platform_model, platform_models
from robosym.models.catalogue import declaration_of, declarations
from robosym.robot import Robot, RobotError

AVAILABLE = {one.name: one.parallel for one in declarations() if one.parallel is not None}
ONLY = {one.name: one.parallel_only for one in declarations() if one.parallel_only}
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
    "rows": ["vx"],
    "weighted": True,
    "reactions": True,
    "model": "power",
    "extra": {"gearbox": 1},
    "forces": "motors",
    "legs": "shared",
    "of": "motors",
    "passive": True,
    "alike": False,
}
OTHER_KIND = {"accelerations": "spatial", "inverse-dynamics": "classical", "forward-dynamics": "classical"}


def options(name: str) -> list[str]:
    return list(declaration_of(name).options)


def refusal(robot: Robot, name: str, option: str) -> str:
    value = OTHER_KIND[name] if option == "kind" else OTHER[option]
    with pytest.raises(RobotError) as raised:
        MODELS[name](robot, **{option: value})
    return str(raised.value)


def test_options_of_a_parallel_robot() -> None:
    assert Parallel("").every_option == ("mode", "near", "tool")
    assert Parallel("", {}, ("a",), motors=True).every_option == ("a", "mode", "near", "coordinates", "tool")
    assert Parallel("", {}, ("a",), tool=False).every_option == ("a", "mode", "near")
    delta = robosym.load("delta")
    for name, parallel in AVAILABLE.items():
        assert list(options_for(delta, name)) == [one for one in options(name) if one in parallel.every_option]


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
    ("name", "option"), [(name, option) for name, own in ONLY.items() for option in own if option != "tool"]
)
def test_what_only_parallel_robots_have_is_refused_of_others(name: str, option: str) -> None:
    told = refusal(robosym.load("planar-2r"), name, option)
    assert told.startswith(f"planar-2r: {option}: got ")
    assert told.endswith("only models of a platform on legs have this option")


def test_tools_that_only_parallel_robots_have() -> None:
    for name in (name for name, own in ONLY.items() if "tool" in own):
        assert AVAILABLE[name].tool
        with pytest.raises(RobotError, match=r"tool: .*platform on legs"):
            MODELS[name](robosym.load("planar-2r"), tool=(0, 0, 0.1))


# --- which models -----------------------------------------------------------------------------------------------------


def test_models_from_the_pose_of_a_platform() -> None:
    robot = robosym.load("delta")
    assert platform_models(robot) == list(AVAILABLE)
    others = set(models_of(robot.closed_loops()))
    assert models_of(robot) == [name for name in MODELS if name in {*AVAILABLE, *others}]
    assert platform_models(robosym.load("rx90")) == platform_models(robosym.load("four-bar")) == []


@pytest.mark.parametrize(
    ("name", "there", "missing"),
    [
        ("planar-2r", "inverse-dynamics", "loop-geometry"),
        ("four-bar", "loop-geometry", "base-acceleration"),
        ("eel-3", "base-acceleration", "direct-geometric"),
        ("delta", "direct-geometric", "base-acceleration"),
    ],
)
def test_models_of_a_robot(name: str, there: str, missing: str) -> None:
    found = models_of(robosym.load(name))
    assert there in found
    assert missing not in found


def test_with_flexible_joints_models_of_the_state_are_those_of_closed_loops() -> None:
    robot = robosym.load("planar-3rrr")
    soft = flexible(robot)
    assert soft.flexible
    missing = set(platform_models(robot)) - set(platform_models(soft))
    assert missing == {name for name, one in AVAILABLE.items() if not one.flexible} == {"forward-dynamics", "energy"}
    for name in missing:
        assert platform_model(soft, declaration_of(name)) is None
        assert platform_model(robot, declaration_of(name)) is AVAILABLE[name]
        assert "coordinates" not in options_for(soft, name)
        assert "q_motor" in [one.name for one in MODELS[name](soft).routine.inputs]
    assert platform_model(robosym.load("planar-2r"), declaration_of("energy")) is None
