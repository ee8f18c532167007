"""Results of one shape for every robot: the number of values and their axes depend on the model only."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from models.loops.iterated_linkages import stephenson
from models.loops.linkages import swinging_block, with_values
from sweeps import crossed

import robosym
from robosym import models
from robosym.generated import Model
from robosym.models import MODELS
from robosym.models.available import models_of
from robosym.models.catalogue import declaration_of
from robosym.program.outputs import Outputs
from robosym.program.status import OutputArray
from robosym.robot import Robot, RobotError

MADE: dict[str, Callable[[], Robot]] = {
    "rocker": lambda: with_values(robosym.load("four-bar"), D2=0.6),  # its driven joint cannot turn fully
    "stephenson": stephenson,
    "swinging-block": swinging_block,
}
TREES = ("planar-2r", "scara", "eel-3")
ALWAYS = ("sr400",)
LOOPS = (
    "four-bar",
    "rocker",
    "five-bar-general",
    "slider-crank",
    "bennett",
    "palletizer",
    "swinging-block",
    "stephenson",
)
PLATFORMS = ("planar-3rrr", "delta")
ROBOTS = (*TREES, *ALWAYS, *LOOPS, *PLATFORMS)
STATUS = {"assembled", "residual", "passive"}
NO_STATUS = {"inverse-geometric"}  # its outputs say whether the pose can be reached
# Values that do not depend on whether loops close: these are there at any state.
ANYWHERE = {"transmission", "base-parameters"}


@cache
def robot_of(name: str) -> Robot:
    return MADE[name]() if name in MADE else robosym.load(name)


@cache
def compiled(name: str, model: str) -> tuple[Model, Any]:
    made = declaration_of(model).function(robot_of(name))
    return made, made.compile()


def form(result: Any) -> tuple[bool, int]:
    """Whether a result is an array, and how many values it has."""
    assert isinstance(result, Outputs) != isinstance(result, np.ndarray)
    return isinstance(result, np.ndarray), len(result) if isinstance(result, Outputs) else 1


def stacked(states: list[dict[str, Any]]) -> dict[str, Any]:
    return {key: np.stack([state[key] for state in states]) for key in states[0]}


def drawn(model: Model, wide: float) -> list[dict[str, Any]]:
    """States of the robot, and some that may be none: positions anywhere, poses far away."""
    rng = np.random.default_rng(5)
    states = [model.random_state(rng, reach=0.4) for _ in range(3)]
    for state in [model.random_state(rng, reach=0.4) for _ in range(3)]:
        for key in ("q", "pose"):
            if key in state:
                state[key] = np.array(state[key])
                state[key][:3] += wide * rng.uniform(-1, 1, len(state[key][:3]))
        states.append(state)
    return states


CASES = crossed(ROBOTS, sorted(MODELS), every=2)


@pytest.mark.mostly_slow(fast=70)
@pytest.mark.parametrize(("name", "model"), CASES)
def test_results_have_the_shape_of_their_model(name: str, model: str) -> None:
    robot = robot_of(name)
    if model not in models_of(robot) or model == "expanded":
        pytest.skip("the robot does not have this model")
    declared = [output for output in declaration_of(model).outputs if output not in STATUS]
    try:
        made, f = compiled(name, model)
    except RobotError as error:
        pytest.skip(str(error))
    states = drawn(made, 2.5)
    result = f(**states[0])
    assert form(result) == form(made.evaluate(**states[0])) == (len(declared) == 1, len(declared))
    shapes = {array.name: array.shape for array in made.code.outputs}
    values = f.by_name(result)
    assert all(value.shape == shapes[key] for key, value in values.items())
    if isinstance(result, Outputs):
        assert len(list(result)) == len(result._fields) == len(values)
        assert all(a is b is result[k] for k, (a, b) in enumerate(zip(result, values.values(), strict=True)))
    if name in TREES:
        assert type(result) in (np.ndarray, Outputs)
        return
    if model in NO_STATUS:
        assert not hasattr(result, "assembled")
        return
    assert set(made.status) <= STATUS
    assert np.shape(result.assembled) == ()
    if name in ALWAYS:
        assert result.assembled == 1
    if model in ANYWHERE:
        return
    check_status(made, f, states)


def check_status(made: Model, f: Any, states: list[dict[str, Any]]) -> None:
    """The values are nan where the robot is not assembled, and there only; at many states as at each."""
    batch = f(**stacked(states))
    assert batch.assembled.shape == (len(states),)
    for k, state in enumerate(states):
        for alone in (f(**state), made.evaluate(**state)):
            assert alone.assembled == batch.assembled[k]
            for name, value in f.by_name(alone).items():
                np.testing.assert_allclose(batch[name][k], value, rtol=1e-6, atol=1e-9)
                assert np.isnan(value).all() if not alone.assembled else np.isfinite(value).all()
        bound = f.bind(**{key: np.array(value, float) for key, value in state.items()})
        for name, value in f.by_name(bound()).items():
            np.testing.assert_allclose(batch[name][k], value, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name", ["rocker", "stephenson", "planar-3rrr"])
def test_some_of_these_states_are_none_of_the_robot(name: str) -> None:
    """The comparison above sees both kinds."""
    made, f = compiled(name, "inverse-dynamics")
    assert {0.0, 1.0} == set(f(**stacked(drawn(made, 2.5))).assembled.tolist())


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("model", ["inverse-dynamics", "forward-dynamics", "gravity"])
def test_from_motors_as_from_joints(model: str) -> None:
    """The pose that an iteration finds is status, too."""
    made = MODELS[model](robosym.load("planar-3rrr"), coordinates="motors")
    f = made.compile()
    states = drawn(made, 2.5)
    result = f(**states[0])
    assert type(result) is OutputArray
    assert made.status == ("pose", "residual", "assembled")
    assert result.pose.shape == (7,)
    assert result.residual < 1e-9
    check_status(made, f, states)


def test_what_an_iteration_finds_is_where_the_next_one_starts() -> None:
    f = models.inverse_dynamics(stephenson()).compile()
    state = models.inverse_dynamics(stephenson()).random_state(np.random.default_rng(1), reach=0.1)
    first = f(**state)
    again = f(**state | {"start": first.passive})
    np.testing.assert_allclose(again, first, rtol=1e-9)
    assert again.assembled == 1
    assert again.residual <= 1e-12


@pytest.mark.parametrize("name", ["four-bar", "sr400"])
def test_the_tree_of_a_robot_with_loops_has_no_status(name: str) -> None:
    model = models.gravity(robosym.load(name), structure="tree")
    assert model.status == ()
    assert type(model.compile()(q=np.zeros(model.robot.nq))) is np.ndarray


def test_generic_code_over_robots() -> None:
    for name in ("rx90", "sr400", "four-bar", "palletizer"):
        robot = robosym.load(name)
        model = models.inverse_dynamics(robot)
        f, state = model.compile(), model.random_state(np.random.default_rng(2), reach=0.2)
        assert np.shape(f(**state)) == (len(robot.joint_names),)
        assert type(f(**state) + 1.0) is np.ndarray
        kinetic, potential, total = models.energy(robot).compile()(q=state["q"], qd=state["qd"])
        np.testing.assert_allclose(kinetic + potential, total)
