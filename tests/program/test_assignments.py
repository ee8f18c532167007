"""Programs from lines of assignments: what is understood, in which order, and which lines are wrong."""

from __future__ import annotations

import numpy as np
import pytest

from robosym.program import Program, optimise_program
from robosym.program.assignments import LINES, AssignmentsError, program_of_text
from robosym.program.verify import verified

ARM = """
parameters: L1, L2
// the tip of two links
x = L1*cos(q1) + L2*cos(q1)*cos(q2) - L2*sin(q1)*sin(q2);
const double y = L1*sin(q1) + L2*sin(q1)*cos(q2)
    + L2*cos(q1)*sin(q2);
J[0] = -y; J[1] = -L2*sin(q1 + q2)
J[2] := x   % of the first joint
J[3] = L2*cos(q1 + q2)
"""


def names(program: Program) -> tuple[list[str], list[str], list[str], list[str]]:
    """Of inputs, parameters, steps and outputs."""
    inputs = [symbol.name for array in program.inputs for symbol in array.entries]
    parameters = [symbol.name for symbol in program.parameter_symbols]
    return inputs, parameters, [step.name for step in program.steps], [array.name for array in program.outputs]


def test_assignments_become_a_program_that_computes_the_same() -> None:
    program = program_of_text(ARM)
    assert [one.name for one in program.parameter_symbols] == ["L1", "L2"]
    assert [one.name for one in program.inputs[0].entries] == ["q1", "q2"]
    q1, q2, L = 0.3, 0.7, {"L1": 0.5, "L2": 0.4}
    expected = [
        -0.5 * np.sin(q1) - 0.4 * np.sin(q1 + q2),
        -0.4 * np.sin(q1 + q2),
        0.5 * np.cos(q1) + 0.4 * np.cos(q1 + q2),
        0.4 * np.cos(q1 + q2),
    ]
    for code in (program, optimise_program(program)):
        assert code.call(inputs=[q1, q2], parameters=L)["J"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s = sin(q)\ny = 2*s", (["q"], [], ["s"], ["y"])),
        ("s = sin(q)\ny = 2*s\noutputs: s, y", (["q"], [], ["s"], ["s", "y"])),
        ("s = sin(q)\ny = 2*s\noutput: s", (["q"], [], ["s"], ["s"])),
        ("parameter: k\ny = k*b*a", (["a", "b"], ["k"], [], ["y"])),
        ("y[0] = a\ny[1] = b", (["a", "b"], [], [], ["y"])),
        ("y(0) = a; z = y[0]*2", (["a"], [], ["y_0"], ["y", "z"])),
        ("auto a = x  // b = )", (["x"], [], [], ["a"])),
        ("a = x /* and more", (["x"], [], [], ["a"])),
        ("a = 3", ([], [], [], ["a"])),
    ],
)
def test_what_the_lines_say(text: str, expected: tuple[list[str], ...]) -> None:
    program = verified(program_of_text(text))
    assert names(program) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("y = a +\n b", 5.0),
        ("y = a\n  - b", -1.0),
        ("y = a*(a\n + b)", 10.0),
        ("y = a &\n * b", 6.0),
        ("y = a; z = 1\noutput: y", 2.0),
        ("const float y = b # a", 3.0),
        ("y := a % b", 2.0),
        ("y =\n\n a", 2.0),
        ("x = a\ny = x*x\n", 4.0),
    ],
)
def test_lines_that_go_on(text: str, value: float) -> None:
    program = program_of_text(text)
    given = {symbol.name: {"a": 2.0, "b": 3.0}[symbol.name] for array in program.inputs for symbol in array.entries}
    assert program.call(inputs=list(given.values()))["y"].tolist() == [value]


def test_entries_of_an_output_stand_in_the_order_they_were_written() -> None:
    program = program_of_text("y[1] = 1\ny[0] = 2\nz = 3", "named")
    assert program.call()["y"].tolist() == [1.0, 2.0]
    assert program.name == "named"


@pytest.mark.parametrize(
    ("text", "lines", "words"),
    [
        ("a = b\nb = x", [1], "b is used before it is assigned"),
        ("a = a + 1", [1], "a is used before it is assigned"),
        ("a = x\na[0] = x\n\na = y", [4], "a is assigned a second time"),
        ("a[0] = x\na[0] = y", [2], "a_0 is assigned a second time"),
        ("x == y", [1], "expected name = expression"),
        ("a = x +\n)\nb = (", [1, 3], "line 3"),
        ("inputs: x\n", [1], "expected lines such as"),
        ("output: q\na = x", [1], "q is not assigned"),
        ("\n" * (LINES + 1), [1], "too long"),
    ],
)
def test_lines_that_are_wrong(text: str, lines: list[int], words: str) -> None:
    with pytest.raises(AssignmentsError, match=words) as failed:
        program_of_text(text)
    assert [line for line, _ in failed.value.problems] == lines
    assert all(f"line {line}: " in str(failed.value) for line in lines)


def test_all_lines_that_are_wrong_are_named() -> None:
    with pytest.raises(AssignmentsError) as failed:
        program_of_text("a = x y\nfoo\nb = 1")
    assert [line for line, _ in failed.value.problems] == [1, 2]
