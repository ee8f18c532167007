"""Slopes that go along with a state, stage by stage, against differences of what the stages compute."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from models.derivatives.manifold import by_entries, free_robot, slopes, state_of
from robots_with import flexible

import robosym
from robosym import models
from robosym.expr import cos, sin
from robosym.generated import Model
from robosym.models.derivatives.sensitivity import Sensitive, carried_on, seeded, sensitive, transition, with_slopes
from robosym.models.integration.mechanism import HELD, Mechanism, pairs_of
from robosym.program.of_arrays import program_of
from robosym.program.routine import Routine, Run, Slot, Stage, verified_routine
from robosym.robot import Robot

ROBOTS = {
    "planar-2r": lambda: robosym.load("planar-2r"),
    "flexible": lambda: flexible(robosym.load("planar-2r")),
    "free": free_robot,
}


@cache
def dynamics(name: str) -> Model:
    robot: Robot = ROBOTS[name]()
    return models.forward_dynamics(robot, wrench="none")


def mechanism(name: str) -> Sensitive:
    model = dynamics(name)
    return sensitive(Mechanism(model.robot, model, pairs_of(model.robot), held=HELD))


def called(
    own: Sensitive, stages: tuple[Stage, ...], outputs: dict[str, tuple[int, ...]], state: Any
) -> dict[str, Any]:
    inputs = tuple(Slot(name, np.shape(value)) for name, value in state.items())
    made = Routine("part", inputs, tuple(Slot(name, shape) for name, shape in outputs.items()), stages)
    return verified_routine(made).call(parameters=own.model.values, **state)


@pytest.mark.parametrize("name", ROBOTS)
def test_at_the_beginning_a_state_moves_with_itself(name: str) -> None:
    """Seeded slopes, taken back to the axes of the state: Ad is one and Bd nothing, also of a free base."""
    own = mechanism(name)
    state = {slot.name: state_of(own.model, 1)[slot.name] for slot in own.slots}
    size = own.columns - own.nv
    found = called(own, (*seeded(own), *transition(own)), {"Ad": (size, size), "Bd": (size, own.nv)}, state)
    np.testing.assert_allclose(found["Ad"], np.eye(size), atol=1e-14)
    np.testing.assert_array_equal(found["Bd"], np.zeros((size, own.nv)))


@pytest.mark.parametrize("name", ROBOTS)
def test_models_with_slopes_by_every_number(name: str) -> None:
    model = dynamics(name)
    full, state = with_slopes(model), state_of(model, 2)
    found = full.evaluate(**state)
    plain = model.evaluate(**state)
    outputs = plain if isinstance(plain, dict) else {"qdd": plain}
    for output, value in outputs.items():
        np.testing.assert_allclose(found[output], value, rtol=1e-12)
        for given in state:
            expected = by_entries(model.evaluate, state, given, output if isinstance(plain, dict) else None)
            made = found[f"d{output}_d{given}"]
            np.testing.assert_allclose(made, expected, atol=1e-7 * max(1, np.abs(expected).max()))


@pytest.mark.parametrize("name", ["planar-2r", "flexible"])
def test_accelerations_go_along_with_state_and_torques(name: str) -> None:
    """The slopes are those by the model's inputs, side by side."""
    own = mechanism(name)
    model, state = own.model, state_of(own.model, 3)
    places = {x: x for pair in own.pairs for x in (pair.position, pair.speed, pair.acceleration)}
    stages = (*seeded(own), *own.accelerations("first", places))
    rows = {own.slope(pair.acceleration): (pair.nv, own.columns) for pair in own.pairs}
    found = called(own, stages, rows, state)
    whole = with_slopes(model).evaluate(**state)
    order = [*(pair.position for pair in own.pairs), *(pair.speed for pair in own.pairs), "tau"]
    for pair in own.pairs:
        expected = np.hstack([np.asarray(whole.get(f"d{pair.acceleration}_d{x}", 0)) for x in order])
        np.testing.assert_allclose(found[own.slope(pair.acceleration)], expected, rtol=1e-11, atol=1e-12)


def test_an_unknown_of_an_equation_goes_along() -> None:
    """z with r(z, q, qd) = 0: dz = -(dr/dz)^-1 dr."""
    own = mechanism("planar-2r")

    def r(z: Any, x: Any, v: Any, f: Any = (sin, cos)) -> list[Any]:
        s, c = f
        return [3 * z[0] + s(z[1]) - x[0] * v[1], z[0] * z[1] + 2 * z[1] - c(x[1]) + v[0]]

    program = program_of("residual", {"z": (2,), "x": (2,), "v": (2,)}, lambda z, x, v: {"r": r(z, x, v)})
    run = Run(program, {"x": "q", "v": "qd", "z": "z", "r": "r"})
    stages = (*seeded(own), *own.implicitly("z", 2, lambda mechanism: mechanism.along(run)))
    z, x, v = np.array([0.4, -0.3]), np.array([0.7, 1.1]), np.array([-0.2, 0.5])
    found = called(own, stages, {"slope_of_z": (2, own.columns)}, {"q": x, "qd": v, "z": z})["slope_of_z"]
    f = (np.sin, np.cos)
    by_z = slopes(lambda d: np.array(r(z + d, x, v, f)), 2)
    by_state = slopes(lambda d: np.array(r(z, x + d[:2], v + d[2:4], f)), own.columns)
    np.testing.assert_allclose(found, -np.linalg.solve(by_z, by_state), atol=1e-9)
    assert "z" in own.moving


@pytest.mark.parametrize("columns", [1, 2, 7])
@pytest.mark.parametrize("held", [False, True])
def test_programs_carry_slopes_on(columns: int, held: bool) -> None:
    """By one column or by many, where the slopes of some inputs are numbers; ``c`` has none."""

    def body(x: Any, y: Any, c: Any, f: Any = (sin, cos)) -> dict[str, Any]:
        s, k = f
        return {"u": [s(x[0]) * y[2], x[1] * y[0] * c[0], y[1] + 0 * x[0]], "w": [k(x[0] * y[0]) * x[1]]}

    program = program_of("products", {"x": (2,), "y": (3,), "c": (1,)}, body)
    rng = np.random.default_rng(columns)
    X, Y = rng.normal(size=(2, columns)), rng.normal(size=(3, columns))
    x, y, c = rng.normal(size=2), rng.normal(size=3), rng.normal(size=1)
    made = carried_on(program, ["x", "y"], columns, {"y": Y} if held else {})
    given = {"x": x, "y": y, "c": c, "slope_of_x": X, **({} if held else {"slope_of_y": Y})}
    inputs = tuple(Slot(array.name, array.shape) for array in made.inputs)
    outputs = tuple(Slot(array.name, array.shape) for array in made.outputs)
    found = Routine("r", inputs, outputs, (Run(made),)).call(**{one.name: given[one.name] for one in inputs})
    f = (np.sin, np.cos)

    def at(name: str) -> np.ndarray:
        return slopes(lambda d: np.array(body(x + X @ d, y + Y @ d, c, f)[name]), columns)

    assert {one.name for one in outputs} == {"slope_of_u", "slope_of_w"}
    np.testing.assert_allclose(found["slope_of_u"], at("u"), atol=1e-8)
    np.testing.assert_allclose(found["slope_of_w"], at("w"), atol=1e-8)


def test_what_no_slope_enters_has_none() -> None:
    own = mechanism("planar-2r")
    program = program_of("double", {"x": (2,)}, lambda x: {"y": 2 * x})
    run = Run(program, {"x": "other", "y": "made"})
    own.moving.add("made")
    assert own.along(run) == (run,)
    assert "made" not in own.moving
    first, last = own.along(Run(program, {"x": "q", "y": "made"}))
    assert last == Run(program, {"x": "q", "y": "made"})
    assert "made" in own.moving
    assert set(first.names.values()) == {"q", "slope_of_q", "slope_of_made"}
