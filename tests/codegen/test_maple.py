"""Generated Maple, run by giac in its Maple mode and compared with the interpreter.

Giac reads most of Maple. What it lacks is put in its words first: types of parameters, ``arctan`` of two arguments,
procedures over several lines, and the names ``signum``, ``Vector``, ``Matrix``, ``Array``.
"""

from __future__ import annotations

import math
import re
from functools import cache

import numpy as np
import pytest
from codegen.algebra import defined, real_where_expected
from codegen.calling import shared
from codegen.conformance import Arrays, Case, all_cases, at_states, check
from codegen.odd_programs import NAMES, named_cases, odd_cases, random_cases
from language_report import tool
from sample_programs import one_output
from tool_runs import run_tool

from robosym import codegen
from robosym.codegen.interface import interface
from robosym.codegen.targets.maple import PRECISION, RESERVED
from robosym.expr import variable
from robosym.expr.functions import apply

DEFINED_FOR_GIAC = [
    "maple_mode(1);",
    "Digits := 15;",
    "signum := proc(x) return sign(x); end proc;",
    *(f"{kind} := proc(x) return x; end proc;" for kind in ("Vector", "Matrix", "Array")),
]
EMPTY = {"Vector(0)": "[]", "Matrix(0, 2)": "[]", "Matrix(2, 0)": "[[], []]"}
MARK = "robosym case"


@cache
def cases() -> tuple[Case, ...]:
    listed = [*map(defined, all_cases(special=False)), *odd_cases(small=True), *named_cases(), *random_cases()]
    return tuple(at_states(case, 40) for case in listed)


def two_argument_arctan(text: str) -> str:
    """arctan(y, x), but not arctan(x), by the name giac has for it."""
    found, start = [], 0
    for match in re.finditer(r"\barctan\(", text):
        depth, end = 0, match.end() - 1
        while depth != 1 or text[end] not in ",)":
            depth += (text[end] in "([") - (text[end] in ")]")
            end += 1
        found += [text[start : match.start()], "atan2(" if text[end] == "," else "arctan("]
        start = match.end()
    return "".join(found) + text[start:]


def in_giac_words(text: str) -> list[str]:
    """A line for each procedure."""
    text = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for maple, giac in EMPTY.items():
        text = text.replace(maple, giac)
    # Giac has types in names: C_d may hold doubles only. (Names of outputs are texts, and stay.)
    text = re.sub(r'(?<!")\b(\w+)_([a-z])\b(?!")', r"\1of\2", text)
    text = two_argument_arctan(re.sub(r"::\{list,\s+rtable\}", "", text))
    return [" ".join(part.split()) + " end proc;" for part in text.split("end proc:") if part.strip()]


def call(case: Case, function: str, state: Arrays) -> str:
    facts = interface(case.program, RESERVED, function)
    parameters = repr(list(case.parameters))
    taken = [repr(state[array.name].tolist()) for array in case.program.inputs]
    taken += shared(facts, parameters, f"{facts.precompute_function}({parameters})")
    return f"{function}({', '.join(taken)})"


def script() -> list[str]:
    lines = list(DEFINED_FOR_GIAC)
    for n, case in enumerate(cases()):
        lines += in_giac_words(codegen.source(case.program, "maple", name=f"robosym_{n}"))
        outputs = case.program.outputs
        shown = ["r"] if len(outputs) == 1 else [f'r["{output.name}"]' for output in outputs]
        for state in case.states:
            lines += [f"r := {call(case, f'robosym_{n}', state)}:", f'"{MARK} {n}";']
            lines += [f"evalf([{one}]);" for one in shown]
    return lines


def numbers(line: str) -> list[float]:
    """The leaves of nested lists; what is not a real number is nan."""
    return [real(leaf) for leaf in re.split(r"[\[\],]+", line.strip().strip("[]")) if leaf]


def real(text: str) -> float:
    """A number; negative numbers to integer powers may come with an imaginary part of rounding errors.

    Giac writes minus zero ``0.-000``.
    """
    try:
        value = complex(text.replace("0.-0", "-0.0").replace("*I", "j"))
    except ValueError:
        return math.nan
    return value.real if abs(value.imag) <= 1e-13 * abs(value) else math.nan


@pytest.fixture(scope="module")
def computed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Arrays]]:
    """What giac computed, by case: one start for all."""
    run = run_tool([tool("maple")], tmp_path_factory.mktemp("maple"), input="\n".join(script()))
    answers = [line for line in run.stdout.splitlines() if not re.match(r"\d+>> ", line)]
    places = [i for i, line in enumerate(answers) if line.startswith(f'"{MARK}')]
    found: dict[str, list[Arrays]] = {}
    for place in places:
        case = cases()[int(re.findall(r"\d+", answers[place])[0])]
        arrays = {}
        for i, output in enumerate(case.program.outputs, 1):
            values = numbers(answers[place + i])
            assert len(values) == len(output.entries), f"{case.name}: {answers[place + i][:200]}"
            arrays[output.name] = np.array(values)
        found.setdefault(case.name, []).append(arrays)
    return found


@pytest.mark.runs("maple")
def test_all_cases_agree_with_the_interpreter(computed):
    for case in cases():
        check(case, real_where_expected(case, computed[case.name]))


def test_no_name_of_maple_is_assigned_to():
    for case in cases():
        text = codegen.source(case.program, "maple").replace(PRECISION, "")
        assigned = re.findall(r"(\S+) :=", text)
        assert not RESERVED.intersection(assigned)
        assert all(re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name) for name in assigned)


def test_whatever_the_name_it_is_one_procedure():
    for name in ("", *NAMES):
        text = codegen.source(one_output(variable("x"), [variable("x")], name), "maple")
        code = [line for line in text.splitlines() if line and not line.startswith("#")]
        assert re.fullmatch(r"\w+ := proc\(.*\)", code[0])
        assert code[-1] == "end proc:"


def test_spelling():
    x, y = variable("x"), variable("y")
    text = codegen.source(one_output(apply("atan2", x, y) + x**2 + y**-3 * 1e-7 + apply("log", x), [x, y]), "maple")
    assert "arctan(x_, y_)" in text
    assert "x_^2" in text
    assert "1.0e-7/(y_^3)" in text
    assert "ln(x_)" in text


def test_a_broken_printer_is_noticed(computed):
    """The comparison can fail: numbers of one state are not those of another."""
    case = cases()[0]
    with pytest.raises(AssertionError):
        check(case, computed[case.name][::-1])
