"""Models in SymPy are the compiled ones: inlined and with their steps."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from robosym import RobosymError, load, models
from robosym.expr import (
    absolute,
    atan2,
    cos,
    exp,
    floor,
    logical_and,
    logical_not,
    maximum,
    minimum,
    parameter,
    select,
    sign,
    sin,
    sqrt,
    step,
    tan,
    tanh,
    to_sympy,
    variable,
)
from robosym.generated import Model
from robosym.program import Array, Graph, jacobian, lower
from robosym.program.outputs import Outputs
from robosym.runtime import compile_program

sympy = pytest.importorskip("sympy")


def inputs_of(program):
    return [to_sympy(symbol) for array in program.inputs for symbol in array.entries]


def numbers(model, state, steps):
    """The outputs by SymPy alone, flat: the steps one after the other, or every entry by itself."""
    program = model.program
    found = model.to_sympy(steps=steps)
    pairs, outputs = found if steps else ([], found)
    arrays = list(outputs) if isinstance(outputs, Outputs) else [outputs]
    flat = [entry for array in arrays for entry in (array if hasattr(array, "shape") else [array])]
    parameters = [to_sympy(symbol) for symbol in program.parameter_symbols]
    cse = (lambda _: (pairs, flat)) if steps else True
    f = sympy.lambdify([*inputs_of(program), *parameters], flat, "math", cse=cse)
    values = np.concatenate([np.ravel(state[array.name]) for array in program.inputs] or [[]])
    return np.array(f(*values, *(model.values[symbol.name] for symbol in program.parameter_symbols)), dtype=float)


def agrees(model, steps, seed=0):
    state = model.random_state(np.random.default_rng(seed))
    for array in model.program.inputs:
        state.setdefault(array.name, np.zeros(array.shape))
    found = model.compile(numeric=False)(**state)
    expected = np.concatenate(
        [np.ravel(found if len(model.code.outputs) == 1 else found[array.name]) for array in model.code.outputs]
    )
    got = numbers(model, state, steps)
    np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-12 * max(1.0, np.abs(expected).max()))


MODELS = [
    ("rx90", "transform", {}),
    ("rx90", "jacobian", {}),
    ("rx90", "inverse_dynamics", {}),
    ("rx90", "inverse_dynamics", {"parameters": "base"}),
    ("rx90", "inverse_dynamics", {"friction": True}),
    ("rx90", "energy", {}),
    ("rx90", "inertia_matrix", {}),
    ("rx90", "base_parameters_model", {}),
    ("planar-3r", "forward_dynamics", {}),
    ("scara", "coriolis", {}),
    ("planar-2r", "forward_dynamics_derivatives", {}),
    ("ur5", "gravity", {}),
    ("stanford", "centroidal_momentum", {}),
    ("five-bar", "gravity", {}),
    ("four-bar", "inverse_dynamics", {}),
    ("delta", "jacobian", {}),
]


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("steps", [True, False], ids=["steps", "inlined"])
@pytest.mark.parametrize(("robot", "name", "options"), MODELS, ids=[" ".join(map(str, one)) for one in MODELS])
def test_as_compiled(robot, name, options, steps):
    agrees(getattr(models, name)(load(robot), **options), steps)


X, Y = variable("x"), variable("y")
SMALL = step(select(logical_and(X < Y, logical_not(Y < 0)), X + 1, Y - 2))
FUNCTIONS = [
    SMALL + SMALL**2,
    step(X < Y) * 3 + select(step(X < Y), sin(X), cos(Y)),
    maximum(X, Y) - minimum(X, 2 * Y) + sign(X) * absolute(Y),
    atan2(Y, X) + floor(3 * X) + exp(X) + tanh(Y) + tan(X / 3),
    sqrt(1 + X**2) / (2 + cos(Y)) * parameter("a") ** 2,
]


@pytest.mark.parametrize("steps", [True, False], ids=["steps", "inlined"])
def test_every_function(steps):
    inputs = (Array("x", (), (X,)), Array("y", (), (Y,)))
    program = lower(Graph("functions", inputs, (Array("z", (len(FUNCTIONS),), tuple(FUNCTIONS)),)))
    model = Model("functions", load("rx90"), program, {"a": 0.7})
    for seed in range(6):
        agrees(model, steps, seed)
    state = {"x": -0.5, "y": 0.5}  # and on the other side of every condition
    np.testing.assert_allclose(
        numbers(model, state, steps), compile_program(program, values={"a": 0.7})(**state), rtol=1e-12
    )


def test_shapes():
    robot = load("rx90")
    T = models.transform(robot).to_sympy()
    assert T.shape == (4, 4)
    assert T[3, 3] == 1
    assert models.gravity(robot).to_sympy().shape == (6, 1)
    found = models.energy(robot).to_sympy()
    assert found._fields == ("kinetic", "potential", "total")
    assert found.kinetic.shape == (1, 1)
    slopes = Model("slopes", robot, jacobian(models.transform(robot).program)).to_sympy()
    assert slopes.shape == (4, 4, 6)
    q1 = sympy.Symbol("q1", real=True)
    assert slopes[0, 3, 0].equals(sympy.diff(T[0, 3], q1))


def test_steps_come_in_order_and_numbers_may_stand_in_place_of_parameters():
    model = models.inverse_dynamics(load("rx90"))
    pairs, tau = model.to_sympy(steps=True)
    known = {to_sympy(symbol) for array in model.program.inputs for symbol in array.entries}
    known |= {to_sympy(symbol) for symbol in model.program.parameter_symbols}
    for symbol, expression in pairs:
        assert expression.free_symbols <= known
        known.add(symbol)
    assert tau.free_symbols <= known
    numeric = models.gravity(load("rx90")).to_sympy(numeric=True)
    assert {str(symbol) for symbol in numeric.free_symbols} <= {f"q{i}" for i in range(1, 7)}


def test_inlined_is_what_the_steps_say():
    model = models.transform(load("planar-2r"))
    pairs, T = model.to_sympy(steps=True)
    for symbol, expression in reversed(pairs):
        T = T.subs(symbol, expression)
    assert (T - model.to_sympy()).applyfunc(sympy.simplify) == sympy.zeros(4, 4)


def test_routines_are_refused():
    with pytest.raises(
        RobosymError, match="inverse-geometric of rx90 has loops and branches, and SymPy has expressions"
    ):
        models.inverse_geometric(load("rx90")).to_sympy()


@pytest.mark.slow
def test_sympy_is_imported_only_then():
    code = (
        "import sys; from robosym import load, models; m = models.gravity(load('rx90')); m._repr_html_(); "
        "assert 'sympy' not in sys.modules; m.to_sympy(); assert 'sympy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
