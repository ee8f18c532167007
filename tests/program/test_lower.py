"""Lowering: names, precompute part, order of steps."""

from __future__ import annotations

import pytest

from robosym.expr import Expr, cos, number, parameter, sin, sqrt, text, variable
from robosym.expr.count import Operations
from robosym.models import forward_dynamics
from robosym.program import Array, Graph, Scope, lower, raise_program, verified
from robosym.robot import Robot

q1, q2, q3, q12 = (variable(f"q{i}") for i in (1, 2, 3, 12))
D3, RL4 = parameter("D3"), parameter("RL4")


def graph_of(*entries: object, names: dict | None = None) -> Graph:  # type: ignore[type-arg]
    return Graph("small", (Array("q", (4,), (q1, q2, q3, q12)),), (Array("y", (len(entries),), entries),), names or {})  # type: ignore[arg-type]


def written(program: object) -> dict[str, str]:
    return {step.name: text(step.expr) for step in (*program.precompute, *program.steps)}  # type: ignore[attr-defined]


def test_sines_and_cosines_are_named_after_their_joints_and_come_first() -> None:
    program = verified(lower(graph_of(cos(q2 + q3) * sin(q1) + sin(q2 + q3))))
    assert list(written(program)) == ["S1", "q23", "C23", "S23"]


def test_parameter_work_is_done_once() -> None:
    program = verified(lower(graph_of(2 * D3 * RL4 * cos(q1), D3**2 + RL4 + q1)))
    assert program.operations.total == 2
    assert {text(step.expr) for step in program.precompute} == {"2*D3*RL4", "RL4 + D3^2"}


def test_a_twist_is_precomputed() -> None:
    alpha = parameter("alpha2")
    program = verified(lower(graph_of(cos(alpha) * q1 + sin(alpha) * q2)))
    assert program.operations.trig == 0
    assert sorted(written(program)) == ["Calpha2", "Salpha2"]


def test_constant_expressions_become_numbers() -> None:
    program = verified(lower(graph_of(sqrt(number(2)) * q1)))
    assert text(program.outputs[0].entries[0]) == "1.4142135623730951*q1"


@pytest.mark.parametrize("sign", [1, -1])
def test_a_name_stands_for_what_it_was_given_to_sign_included(sign: int) -> None:
    scope = Scope()
    first = scope.step("WI13", sign * (q1 * q2 - q3))
    second = scope.step("OTHER", sign * (q3 - q1 * q2))
    program = verified(lower(graph_of(first * q1, second * q2, names=scope.names)))
    assert written(program) == {"WI13": "q1*q2 - q3" if sign > 0 else "q3 - q1*q2"}
    assert program.operations == Operations(mul=3, add=1)
    again = verified(lower(raise_program(program)))
    assert written(again) == written(program)


@pytest.mark.parametrize(
    ("angle", "name"),
    [(q1, "S1"), (q1 + q2, "S12"), (q1 - q3, "S1m3"), (2 * q1, "S2q1"), (q12, "S_12"), (q1 + q12, "S1_12")],
)
def test_a_sine_is_called_after_its_angle(angle: Expr, name: str) -> None:
    assert name in written(verified(lower(graph_of(sin(angle)))))


def test_names_do_not_clash_with_inputs_parameters_or_outputs() -> None:
    scope = Scope()
    taken = [scope.step(name, q1 * i + q2) for i, name in enumerate(("q1", "D3", "y", "parameters", "X", "X"), 2)]
    program = verified(lower(graph_of(*[t * t + D3 for t in taken], names=scope.names)))
    assert list(written(program)) == ["q1_b", "D3_b", "y_b", "parameters_b", "X", "X_b"]


def test_a_deep_graph_is_broken_into_steps() -> None:
    x = q1
    for _ in range(3000):
        x = sqrt(x + q2)
    program = verified(lower(graph_of(x)))
    assert len(program.steps) > 100


def test_an_output_may_be_an_input_a_number_or_a_parameter() -> None:
    program = verified(lower(graph_of(q1, number(3), D3, -q2, -D3 * RL4)))
    values = {q1: 1.0, q2: 2.0, q3: 3.0, q12: 0.0, D3: 4.0, RL4: 5.0}
    assert program.evaluate(values)["y"] == [1.0, 3.0, 4.0, -2.0, -20.0]
    assert program.operations.total == 0


def test_no_step_is_left_that_nothing_uses() -> None:
    """Sums that cancel as they are written leave products behind that they shared: a ball with three equal inertias."""
    rows = [{"sigma": "ball", "variable": "hip", "M": 1.0, "XX": 1, "YY": 1, "ZZ": 1}, {"M": 1.0, "ZZ": 1.0}]
    verified(forward_dynamics(Robot.from_table("leg", rows), friction=False, wrench="none").code)
