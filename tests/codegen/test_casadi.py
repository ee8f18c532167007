"""Generated CasADi: functions of symbols and of numbers, built into a casadi.Function and run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from codegen.calling import loaded, shared_values
from codegen.conformance import Arrays, Case, check, function_case, model_cases, sample_cases
from codegen.odd_programs import named_cases, odd_cases, random_cases
from language_report import missing
from sample_programs import arm, one_output, vector

from robosym import codegen
from robosym.codegen.interface import interface
from robosym.codegen.targets.casadi.reserved import RESERVED
from robosym.expr import select, sqrt, variable
from robosym.program.program import Array, Program

ca = pytest.importorskip("casadi", reason=missing("casadi"))


def load(program: Program) -> dict[str, Any]:
    return loaded(codegen.source(program, "casadi", name="tested"))


def matrix(values: np.ndarray) -> Any:
    """A matrix of rows and columns; a vector as a column."""
    return ca.DM(values.reshape(-1, values.shape[-1]) if values.ndim > 1 else values.reshape(-1, 1))


def run(case: Case, kind: Any = None) -> list[Arrays]:
    """By the casadi.Function of symbols of this kind; or without one, on numbers."""
    space, outputs = load(case.program), case.program.outputs
    more = shared_values(space, interface(case.program, RESERVED, "tested"), ca.DM(list(case.parameters)))
    built = None if kind is None else space["tested_build"](kind)
    found = []
    for state in case.states:
        given = [*(matrix(state[array.name]) for array in case.program.inputs), *more]
        if built is None:
            made = space["tested"](*given)
            results = [made] if len(outputs) == 1 else [made[array.name] for array in outputs]
        else:
            results = built.call(given)
        for array, result in zip(outputs, results, strict=True):
            if len(array.shape) == 2:
                assert np.array(ca.DM(result)).shape == array.shape  # rows are rows: CasADi stores by columns
        found.append({a.name: np.array(ca.DM(result)) for a, result in zip(outputs, results, strict=True)})
    return found


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.runs("casadi")
@pytest.mark.parametrize("kind", ["SX", "MX", "DM"])
def test_all_programs_agree_with_the_interpreter(kind):
    for case in [*sample_cases(), *model_cases()]:
        check(case, run(case, {"SX": ca.SX, "MX": ca.MX, "DM": None}[kind]))


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("kind", ["SX", "DM"])
def test_odd_named_and_random_programs_agree_with_the_interpreter(kind):
    for case in [*odd_cases(), *named_cases(), *random_cases()]:
        check(case, run(case, ca.SX if kind == "SX" else None))


@pytest.mark.parametrize("kind", ["SX", "MX"])
def test_every_function_at_ordinary_and_special_points(kind):
    """Of a number and nan, the smaller and the larger are the number: CasADi's fmin and fmax, as the module says."""
    case = function_case()
    points = np.array([state["x"] for state in case.states])
    made = load(case.program)["tested_build"](getattr(ca, kind))
    results = made.map(len(points))(points.T)
    found = {a.name: np.array(r).ravel() for a, r in zip(case.program.outputs, results, strict=True)}
    one_nan = np.isnan(points[:, 0]) != np.isnan(points[:, 1])
    for name, better in (("min", np.fmin), ("max", np.fmax)):
        np.testing.assert_array_equal(found[name], better(points[:, 0], points[:, 1]))
        found[name][one_nan] = np.nan
    check(case, [{name: values[i] for name, values in found.items()} for i in range(len(points))])


def test_the_function_names_its_inputs_and_outputs():
    made = load(arm())["tested_build"]()
    assert made.name() == "tested"
    assert made.name_in() == ["q", "parameters", "constants"]
    assert made.name_out() == ["rotation", "tip"]
    result = made(q=[0.1, 0.2], parameters=[1, 2], constants=[2, 5])
    assert result["rotation"].shape == (2, 2)


def test_names_that_casadi_refuses_are_changed():
    x, y = variable("x"), variable("y")
    inputs = (vector("null", [x]), vector("a__b", [y]))
    outputs = (vector("jac", [x + y]), vector("a_b", [x * y]), vector("null", [x]))
    made = load(Program("hess", inputs, (), (), (), outputs))["tested_build"]()
    assert [float(one) for one in made(2, 3)] == [5, 6, 2]
    for name, changed in (("a___b", "a_b"), ("jac", "jac_")):
        space = loaded(codegen.source(one_output(x, [x], name), "casadi"))
        assert space[f"{name}_build"]().name() == changed


def test_rows_and_columns_stay_what_they_are():
    w = tuple(variable(f"w{i}") for i in range(6))
    program = Program("p", (Array("w", (2, 3), w),), (), (), (), (Array("b", (2, 3), tuple(2 * one for one in w)),))
    given = np.arange(6.0).reshape(2, 3)
    for kind in (ca.SX, ca.MX):
        made = load(program)["tested_build"](kind)
        assert made.size_in(0) == made.size_out(0) == (2, 3)
        np.testing.assert_array_equal(np.array(made(given)), 2 * given)


def test_the_derivative_of_the_position_is_the_jacobian():
    transform, jacobian = model_cases(names=("transform", "jacobian"))
    q, parameters = ca.SX.sym("q", 6), ca.DM(transform.parameters)
    position = load(transform.program)["tested"](q, parameters)[:3, 3]
    J = load(jacobian.program)["tested"](q, parameters)[:3, :]
    both = ca.Function("both", [q], [ca.jacobian(position, q), J])
    for state in transform.states:
        found, expected = both(state["q"])
        np.testing.assert_allclose(np.array(found), np.array(expected), atol=1e-12)


def test_the_branch_not_taken_does_not_spoil_the_choice():
    x = variable("x")
    made = load(one_output(select(x < 1, x, sqrt(x - 1)), [x]))["tested_build"]()
    assert float(made(0.5)) == 0.5
    assert float(made(5)) == 2


def test_constants_can_be_computed_inside():
    """The precompute function takes symbols too: a function of inputs and parameters alone."""
    (case,) = [case for case in sample_cases() if case.name == "planar-arm"]
    space = load(case.program)
    q, p = ca.SX.sym("q", 2), ca.SX.sym("p", 2)
    made = space["tested"](q, p, space["tested_precompute"](p))
    alone = ca.Function("alone", [q, p], [made["rotation"], made["tip"]])
    found = [alone(state["q"], case.parameters) for state in case.states]
    check(case, [{"rotation": np.array(R), "tip": np.array(tip)} for R, tip in found])
