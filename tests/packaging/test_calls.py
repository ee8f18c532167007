"""Models as their users call them: arguments in order, with shapes, units and defaults."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import package_robots as robots
import pytest
from package_parts import called, ordered

import robosym
from robosym import models
from robosym.codegen import CodegenError
from robosym.packaging.calls import Call, Given, calls_of, parameter_values
from robosym.packaging.joints import joints_of


def by_name(arrays: object) -> dict[str, Given]:
    return {one.name: one for one in arrays}  # type: ignore[attr-defined]


def prototype(call: Call) -> list[str]:
    """The arguments of the C function in its header."""
    text = " ".join(next(text for name, text in call.part.files.items() if name.endswith(".h")).split())
    found = re.search(rf"\w+ {call.function}\((.*?)\);", text)
    assert found is not None
    return [argument.split("*")[-1].split()[-1].split("[")[0] for argument in found[1].split(",")]


@pytest.mark.parametrize(
    "model", ["inverse-dynamics", "gravity", "energy", "inverse-geometric", "step", "transmission", "jacobian"]
)
def test_arguments_stand_in_the_order_of_the_c_function(model: str) -> None:
    _, (call,), _ = called([model])
    own = [one.name for one in call.inputs]
    own += ["parameters"] if call.reads_parameters else []
    own += ["constants"] if call.constants else []
    own += [one.name for one in call.outputs]
    assert prototype(call) == own
    code = models.MODELS[model](robosym.load("planar-2r")).code
    shapes = {array.name: array.shape for array in (*code.inputs, *code.outputs)}
    assert all(one.shape == shapes[one.name] for one in (*call.inputs, *call.outputs))
    assert call.name == model.replace("-", "_")
    assert call.parameters == tuple(symbol.name for symbol in call.part.printed.parameter_symbols)
    assert call.keeps == bool(call.parameters)


@pytest.mark.parametrize(("shape", "size"), [((), 1), ((3,), 3), ((4, 4), 16), ((0,), 0), ((2, 0), 0)])
def test_sizes(shape: tuple[int, ...], size: int) -> None:
    assert Given("x", shape, "").size == size


def test_inputs_that_may_be_left_out_come_last() -> None:
    _, (call,), _ = called(["inverse-dynamics"], "rx90")
    assert [one.name for one in call.asked][-1] == "wrench"
    wrench = by_name(call.inputs)["wrench"]
    assert wrench.default == (0.0,) * 6
    assert wrench.about == "forces, moments [N, N m] on the environment by link6; zero by default"
    assert by_name(call.inputs)["q"].default is None


def test_what_says_that_a_seed_is_given_is_never_asked_for() -> None:
    _, (call,), _ = called(["inverse-geometric"])
    seeded = by_name(call.inputs)["seeded"]
    assert seeded.said_by is not None
    assert call.inputs[seeded.said_by].name == "seed"
    assert "seeded" not in by_name(call.asked)
    assert by_name(call.asked)["seed"].default is not None


# --- what is in an array ------------------------------------------------------------------------------------------------


def test_entries_by_the_names_of_joints() -> None:
    robot = robosym.load("scara")  # with a joint that slides
    _, (call,), joints = called(["inverse-dynamics"], robot)
    inputs, outputs = by_name(call.inputs), by_name(call.outputs)
    for name, rates in (("q", ""), ("qd", "/s"), ("qdd", "/s^2")):
        said = [f"{j.name} [{'m' if j.is_prismatic else 'rad'}{rates}]" for j in joints.driven]
        assert inputs[name].about == ", ".join(said)
    assert outputs["tau"].about == ", ".join(f"{j.name} [{'N' if j.is_prismatic else 'N m'}]" for j in joints.driven)
    assert "[m]" in inputs["q"].about
    assert "[N]" in outputs["tau"].about


def test_entries_of_a_free_base_come_first() -> None:
    _, (call,), _ = called(["inverse-dynamics"], robots.floating())
    inputs, outputs = by_name(call.inputs), by_name(call.outputs)
    first = robots.floating().joint_names[0]
    assert inputs["q"].about.startswith(f"base_x, base_y, base_z, base_qx, base_qy, base_qz, base_qw, {first} [rad], ")
    assert inputs["qd"].about.startswith(
        f"the base in its own axes: linear [m/s], angular [rad/s] (6), {first} [rad/s], "
    )
    assert inputs["qdd"].about.startswith("the base in its own axes: linear [m/s^2], angular [rad/s^2] (6), ")
    assert outputs["tau"].about.startswith(f"the base in its own axes: force [N], moment [N m] (6), {first} [N m], ")


def test_other_arrays_say_what_they_hold() -> None:
    _, (energy, transform, jacobian), _ = called(["energy", "transform", "jacobian"])
    assert {one.name: one.about for one in energy.outputs} == {"kinetic": "J", "potential": "J", "total": "J"}
    assert "homogeneous" in by_name(transform.outputs)["T"].about
    assert "linear" in by_name(jacobian.outputs)["J"].about
    _, (gravity,), _ = called(["gravity"], "four-bar")
    assert by_name(gravity.outputs)["assembled"].about.startswith("1 where ")


def test_notes_of_a_routine_begin_after_its_first() -> None:
    _, (solved, direct), _ = called(["inverse-geometric", "gravity"])
    assert solved.notes == list(solved.part.printed.notes[1:])
    assert direct.notes == list(direct.part.printed.notes)


# --- parameters ------------------------------------------------------------------------------------------------------------


def test_values_of_all_parameters() -> None:
    robot = robosym.load("planar-2r")
    first = next(iter(robot.values))
    some = {name: value for name, value in robot.values.items() if name != first}
    order, calls, _ = called(["transform", "gravity"], robot.replace(values=some))
    found = parameter_values(order, calls)
    assert found.keys() == {name for call in calls for name in call.parameters}
    assert found == {name: None if name == first else robot.values[name].number for name in found}
    assert first in found


def test_two_models_with_different_values() -> None:
    order, (first, second) = ordered(["gravity", "inverse-dynamics"])
    joints = joints_of(order.robot)
    name = first.printed.parameter_symbols[0].name
    changed = replace(second, values={**second.values, name: 77.0})
    with pytest.raises(CodegenError, match=f"planar-2r: two models have different values for '{name}'"):
        parameter_values(order, calls_of(order, [first, changed], joints))
    missing = replace(second, values={})
    with pytest.raises(CodegenError, match="two models have different values"):
        parameter_values(order, calls_of(order, [first, missing], joints))
    assert parameter_values(order, []) == {}


def test_a_model_without_parameters_keeps_none() -> None:
    _, (call,), _ = called(["gravity"], numeric=True)
    assert (call.parameters, call.keeps, call.constants, call.reads_parameters) == ((), False, 0, False)


def test_defaults_are_those_of_the_model() -> None:
    robot = robosym.load("planar-2r")
    _, calls, _ = called(["inverse-dynamics", "forward-dynamics", "step"], robot)
    for call in calls:
        model = models.MODELS[call.part.name](robot)
        given = {one.name: np.full(one.shape, 0.1) for one in call.asked if one.default is None}
        with_defaults = given | {
            one.name: np.reshape(one.default, one.shape) for one in call.asked if one.default is not None
        }
        first, second = (model.evaluate(**x) for x in (given, with_defaults))
        first, second = ({"": x} if not isinstance(x, dict) else x for x in (first, second))
        assert all(np.array_equal(x, second[key]) for key, x in first.items())
