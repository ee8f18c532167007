"""Lines of bounded nesting: which parts are named, and that the lines compute what the program says."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_programs import arm, arrays_of, constant, local, one_output, programs, values_of, vector

from robosym.codegen.interface import interface
from robosym.codegen.straight_line import DEEPEST, Body, main_body, precompute_body
from robosym.codegen.targets.python.printer import PythonPrinter
from robosym.expr import add, atan2, cos, exp, floor, mul, number, parameter, sin, sqrt, tanh, variable
from robosym.program.program import Program, Step

a, b, c, d = (variable(name) for name in "abcd")


class Short(PythonPrinter):
    largest = 6


def main(result: Any, *steps: Step, printer: type[PythonPrinter] = PythonPrinter) -> Body:
    program = one_output(result, [a, b, c, d]).replace(steps=steps)
    return main_body(interface(program, ()), printer())


def lines(body: Body) -> list[str]:
    return [f"{line.name} = {line.text}" for line in body.lines]


def result(body: Body) -> str:
    ((_, (text,)),) = body.results
    return text


def texts(body: Body) -> list[str]:
    """Right sides of the lines, and what is returned."""
    return [*(line.text for line in body.lines), result(body)]


# --- which parts are named -------------------------------------------------------------------------------------------


def test_a_part_used_twice_is_computed_once():
    shared = sin(a * b)
    assert texts(main(cos(shared) + shared)) == ["math.sin(a*b)", "math.cos(t1) + t1"]
    assert texts(main(cos(shared))) == ["math.cos(math.sin(a*b))"]
    program = one_output(sin(a), [a, b, c, d]).replace(outputs=(vector("y", [sin(a), cos(sin(a))]),))
    ((_, entries),) = main_body(interface(program, ()), PythonPrinter()).results
    assert entries == ("t1", "math.cos(t1)")


def test_every_shared_part_is_named_wherever_it_stands():
    s, u = sin(a), sin(b)
    assert texts(main(atan2(atan2(cos(s), s), atan2(u, cos(u))))) == [
        "math.sin(a)",
        "math.sin(b)",
        "math.atan2(math.atan2(math.cos(t1), t1), math.atan2(t2, math.cos(t2)))",
    ]


def test_a_change_of_sign_has_no_name_of_its_own():
    negated = -sin(a)
    assert texts(main(exp(negated) + floor(negated))) == ["math.sin(a)", "math.exp(-t1) + real_floor(-t1)"]
    assert texts(main(exp(-a) + floor(-a))) == ["real_floor(-a) + math.exp(-a)"]


def test_the_base_of_a_power_is_named():
    assert texts(main((a + b) ** 2)) == ["a + b", "t1*t1"]
    assert texts(main(c / (a + b) ** 2)) == ["a + b", "c/(t1*t1)"]
    assert texts(main(c / (a + b))) == ["c/(a + b)"]
    assert texts(main(a**3)) == ["a*a*a"]


def test_a_constant_is_a_number():
    """However often it is used and however deep it is."""
    root = sqrt(number(3))
    assert texts(main(root)) == [repr(math.sqrt(3))]
    assert not main(root * a + sin(root * b)).lines


def nesting(text: str) -> int:
    depths = np.cumsum([(sign == "(") - (sign == ")") for sign in text])
    return int(depths.max(initial=0))


@pytest.mark.parametrize("call", [sin, lambda x: atan2(x, b)], ids=["sin", "atan2"])
@pytest.mark.parametrize("depth", [DEEPEST - 1, DEEPEST, DEEPEST + 1, 3 * DEEPEST + 2])
def test_nesting_is_bounded(depth, call):
    expression = a
    for _ in range(depth):
        expression = call(expression)
    body = main(expression)
    written = texts(body)
    assert sum(text.count("(") for text in written) == depth
    assert max(map(nesting, written)) <= DEEPEST + 1
    assert len(body.lines) == depth // (DEEPEST + 1)


def test_short_lines_hold_few_nodes():
    wide = add(*(mul(i + 2, sin(a * (i + 1) + b)) for i in range(8)))
    long, short = main(wide), main(wide, printer=Short)
    assert not long.lines
    sizes = [len(re.findall(r"[a-z]\w*", text.replace("math.", ""))) for text in texts(short)]
    assert len(sizes) > 8
    assert max(sizes[:-2]) <= Short.largest
    assert sizes[-2:] == [8, 1]  # a sum of eight names, which is the root
    assert result(short) == short.lines[-1].name


@pytest.mark.parametrize(("depth", "nestings"), [(5, [5]), (6, [5, 1]), (10, [5, 5]), (12, [5, 5, 2])])
def test_short_lines_are_as_long_as_they_may_be(depth, nestings):
    """Six nodes: five calls and what the innermost is given."""
    expression = a
    for _ in range(depth):
        expression = sin(expression)
    assert list(map(nesting, texts(main(expression, printer=Short)))) == nestings


def test_short_lines_name_the_largest_parts_first():
    small, large = sin(a), sin(tanh(cos(b)))
    assert texts(main(atan2(small, large), printer=Short)) == [
        "math.sin(math.tanh(math.cos(b)))",
        "math.atan2(math.sin(a), t1)",
    ]


def test_in_short_lines_a_name_or_a_constant_is_one_node():
    shared = sin(tanh(exp(a)))
    assert texts(main(atan2(shared, cos(shared)), printer=Short))[1:] == ["math.atan2(t1, math.cos(t1))"]
    constant = add(*(sqrt(number(n)) for n in (2, 3, 5)))
    value = sum(math.sqrt(n) for n in (2, 3, 5))
    (text,) = texts(main(atan2(a, constant), printer=Short))
    assert text.startswith("math.atan2(a, ")
    assert float(text[len("math.atan2(a, ") : -1]) == pytest.approx(value, rel=1e-15)


# --- what is read and returned ---------------------------------------------------------------------------------------


def test_only_what_is_used_is_read_and_computed():
    x, y = local("x"), local("y")
    body = main(x + c, Step(y, sin(a)), Step(x, cos(b)))
    assert [(load.name, load.argument.name, load.index) for load in body.loads] == [("b", "x", 1), ("c", "x", 2)]
    assert lines(body) == ["x_ = math.cos(b)"]
    assert result(body) == "c + x_"
    assert body.arguments_read == {"x"}
    assert main(number(2)).arguments_read == set()


def test_what_a_step_computed_is_not_computed_again():
    s = local("s")
    body = main(s * sin(a), Step(s, sin(a)))
    assert lines(body) == ["s = math.sin(a)"]
    assert result(body) == "s*s"


def test_precomputed_constants():
    """The precompute function makes those that are read, in order; the main function reads them."""
    L, K, unused = parameter("L"), constant("K"), constant("U")
    steps = (Step(unused, sin(L)), Step(K, L**2 + 1))
    program = Program("p", (vector("q", [a]),), (L,), steps, (), (vector("y", [K * a, L]),))
    facts = interface(program, ())
    made = precompute_body(facts, PythonPrinter())
    assert [load.name for load in made.loads] == ["L"]
    assert lines(made) == ["K = L*L + 1.0"]
    assert [(argument.name, texts) for argument, texts in made.results] == [("constants", ("K",))]
    body = main_body(facts, PythonPrinter())
    assert [(load.argument.name, load.name) for load in body.loads] == [
        ("q", "a"),
        ("parameters", "L"),
        ("constants", "K"),
    ]


# --- what is computed ------------------------------------------------------------------------------------------------


def executed(program: Program, printer: type[PythonPrinter], parameters: dict, state: dict) -> dict:
    """The outputs, by running the lines of both functions as Python."""
    facts, writer = interface(program, ("math",)), printer()
    bodies = [precompute_body(facts, writer), main_body(facts, writer)]
    space: dict[str, Any] = {"math": math}
    arguments = {name: np.ravel(array).tolist() for name, array in state.items()}
    by_argument = {argument.name: arguments[argument.array.name] for argument in facts.inputs}
    by_argument[facts.parameters.name] = [parameters[symbol.name] for symbol in program.parameter_symbols]
    exec("\n".join(writer.helper_definitions()), space)
    found: dict = {}
    for body in bodies:
        names = dict(space)
        names |= {load.name: by_argument[load.argument.name][load.index] for load in body.loads}
        exec("\n".join(lines(body)), names)
        found = {argument.name: [eval(text, names) for text in texts] for argument, texts in body.results}
        by_argument |= found
    return {o.array.name: np.reshape(found[o.name], o.array.shape) for o in facts.outputs}


def check(program: Program, printer: type[PythonPrinter], seed: int) -> None:
    values = values_of(program, seed)
    parameters = {symbol.name: values[symbol] for symbol in program.parameter_symbols}
    state = arrays_of(program, values)
    expected = program.call(**state, parameters=parameters)
    for name, array in executed(program, printer, parameters, state).items():
        np.testing.assert_allclose(array, expected[name], rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("printer", [PythonPrinter, Short])
def test_lines_of_an_arm_compute_what_it_says(printer):
    check(arm(), printer, 3)


@settings(max_examples=15, derandomize=True)
@given(programs(), st.integers(0, 3), st.sampled_from([PythonPrinter, Short]))
def test_lines_of_random_programs_compute_what_they_say(program, seed, printer):
    check(program, printer, seed)
