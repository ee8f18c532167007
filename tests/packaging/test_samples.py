"""Reference values of the self-check: the same in every run, at states that do not hang on the last digits."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import pytest

import robosym
from robosym import models
from robosym.expr import exp, number, sqrt, variable
from robosym.packaging.samples import DRAWN, REACH, STATES, Reference, _calm, _growth, made_up, reference, robot_values
from robosym.program import Array, Graph
from robosym.program.lower import lower
from robosym.program.program import Program
from robosym.robot import Robot


def program(*outputs: object, size: int = 1) -> Program:
    """Of x, with one output for each expression of its entries."""
    x = tuple(variable(f"x{k}") for k in range(size))
    arrays = [Array(f"y{k}", (), (output(*x),)) for k, output in enumerate(outputs)]  # type: ignore[operator]
    return lower(Graph("p", (Array("x", (size,), x),), tuple(arrays)))


# --- parameters ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["L1", "M2", "", "плечо", "x" * 999])
def test_made_up_numbers_come_from_names_alone(name: str) -> None:
    assert 0.5 <= made_up(name) < 1.5
    assert made_up(name) == 0.5 + crc32(name.encode()) % 1000 / 1000


def test_numbers_for_parameters() -> None:
    robot = robosym.load("planar-2r")
    some = dict(list(robot.values.items())[1:])
    (missing,) = set(robot.values) - set(some)
    model = models.inverse_dynamics(robot.replace(values=some))
    found = reference(model, "double").parameters
    assert set(found) == {symbol.name for symbol in model.code.parameter_symbols}
    assert found[missing] == made_up(missing)
    assert all(found[name] == value.number for name, value in some.items() if name in found)
    assert robot_values(robot) == {name: value.number for name, value in robot.values.items()}


# --- states -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gravity", "inverse-dynamics", "inverse-geometric", "step", "base-parameters"])
def test_expected_outputs_are_those_of_the_model(name: str) -> None:
    robot = robosym.load("planar-2r")
    model = models.MODELS[name](robot)
    found = reference(model, "double")
    assert len(found.states) == len(found.expected) == (STATES if model.code.inputs else 1)
    for state, expected in zip(found.states, found.expected, strict=True):
        assert {array.name for array in model.code.inputs} >= set(state)
        made = model.code.call(**state, parameters=found.parameters)
        assert made.keys() == expected.keys()
        for key in made:
            np.testing.assert_array_equal(made[key], expected[key])


def test_states_are_the_same_in_every_run_and_differ_by_robot_and_model() -> None:
    robot = robosym.load("planar-2r")

    def q(model: str, name: str = "planar-2r") -> np.ndarray:
        return np.array(
            [state["q"] for state in reference(models.MODELS[model](robot.replace(name=name)), "double").states]
        )

    assert np.array_equal(q("gravity"), q("gravity"))
    assert not np.array_equal(q("gravity"), q("gravity", "other"))
    assert not np.array_equal(q("gravity"), q("jacobian"))
    assert len(np.unique(q("gravity"))) == 2 * STATES
    assert np.abs(q("gravity")).max() <= REACH


@pytest.mark.parametrize("precision", ["double", "float"])
def test_states_are_numbers_that_the_code_can_hold(precision: str) -> None:
    found = reference(models.inverse_dynamics(robosym.load("planar-2r")), precision)
    for state in found.states:
        for array in state.values():
            assert array.dtype == np.float64
            single = array.astype(np.float32).astype(float)
            assert np.array_equal(single, array) == (precision == "float" or not array.any())


def test_states_of_routines_are_in_doubles() -> None:
    found = reference(models.inverse_geometric(robosym.load("planar-2r")), "float")
    assert any(not np.array_equal(s["T"].astype(np.float32).astype(float), s["T"]) for s in found.states)


def test_calm_states_are_taken() -> None:
    """exp(5000 x) hangs on the last digits of x, and overflows, but where x is negative or very small; the root of x is a number
    where x is positive."""
    random = np.random.default_rng(0)
    steep, root = program(lambda x: exp(5000 * x)), program(sqrt)
    for _ in range(5):
        states = _calm(steep, {}, random, np.float64)
        assert len(states) == STATES
        assert all(state["x"][0] < 0.2 for state in states)
        assert all(state["x"][0] > 0 for state in _calm(root, {}, random, np.float64))


def test_growth_of_small_changes() -> None:
    """Relative to the largest output or to one: the derivative along x, by hand."""
    x = np.linspace(0.1, 1.2, DRAWN)
    square = program(lambda x: 5 * x * x)
    expected = 10 * x * x / np.maximum(1.0, 5 * x * x)
    np.testing.assert_allclose(_growth(square, {}, {"x": x[:, None]}), expected, rtol=1e-5)
    both = program(lambda x: x, lambda x: 1 / (x - number(0.1)))
    growth = _growth(both, {}, {"x": np.full((DRAWN, 1), 0.1)})
    assert np.isinf(growth).all()


def test_a_model_without_inputs_has_one_state() -> None:
    robot = robosym.load("planar-2r")
    model = models.MODELS["transmission"](robot)
    found = reference(model, "double")
    assert len(found.states) == (1 if not model.code.inputs else STATES)


def test_assembled() -> None:
    def of(*flags: float | None) -> bool:
        expected = tuple({"q": np.ones(1)} | ({} if flag is None else {"assembled": np.array(flag)}) for flag in flags)
        return Reference({}, tuple({} for _ in flags), expected).assembled

    assert of(1.0, 0.0)
    assert not of(0.0, 0.0)
    assert of(None)
    assert not of()


def test_states_of_closed_loops_can_be_assembled() -> None:
    robot: Robot = robosym.load("four-bar")
    found = reference(models.gravity(robot), "double")
    assert found.assembled
    assert all(np.all(made["assembled"]) for made in found.expected)
