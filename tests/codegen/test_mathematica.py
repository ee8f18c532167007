"""Generated Mathematica, run by Mathics and compared with the interpreter."""

from __future__ import annotations

import math
import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from codegen.algebra import defined, real_where_expected
from codegen.calling import shared
from codegen.conformance import Arrays, Case, at_states, check, function_case, model_cases, sample_cases
from codegen.odd_programs import NAMES, odd_cases, random_cases
from language_report import missing
from sample_programs import arm, one_output
from sweeps import some

from robosym import codegen
from robosym.codegen.interface import interface
from robosym.codegen.targets.mathematica.names import WolframNames, wolfram_identifier
from robosym.expr import variable
from robosym.expr.functions import apply


@cache
def cases() -> tuple[Case, ...]:
    """Mathics is slow: one state of each model, some of the points of every function, less deep expressions."""
    functions = at_states(defined(function_case(special=False)), 30)
    once = [at_states(case, 1) for case in (*model_cases(), *odd_cases(small=True), *random_cases(5))]
    return (*sample_cases(), functions, *once)


@pytest.fixture(scope="module")
def session() -> Any:
    pytest.importorskip("mathics", reason=missing("mathematica"))
    from mathics.core.load_builtin import import_and_load_builtins
    from mathics.session import MathicsSession

    import_and_load_builtins()
    return MathicsSession(add_builtin=True, catch_interrupt=False)


def wolfram(value: Any) -> str:
    """A number or nested lists of numbers, as Mathematica reads them."""
    if isinstance(value, list):
        return f"{{{', '.join(map(wolfram, value))}}}"
    return f"{value!r}`".replace("e", "*^") if "e" not in repr(value) else "{}`*^{}".format(*repr(value).split("e"))


def call(case: Case, function: str, state: Arrays) -> str:
    facts = interface(case.program, (), function, rules=WolframNames)
    parameters = wolfram(list(case.parameters))
    taken = [wolfram(state[array.name].tolist()) for array in case.program.inputs]
    taken += shared(facts, parameters, f"{facts.precompute_function}[{parameters}]")
    return f"{facts.function}[{', '.join(taken)}]"


def leaves(value: Any) -> list[float]:
    """The entries of nested lists; what is not a real number is nan."""
    if hasattr(value, "elements") and str(value.get_head()) == "System`List":
        return [leaf for element in value.elements for leaf in leaves(element)]
    number = value.to_python()
    return [float(number) if isinstance(number, int | float) and not isinstance(number, bool) else math.nan]


def run(session: Any, case: Case, function: str) -> list[Arrays]:
    load(session, codegen.source(case.program, "mathematica", name=function))
    outputs = case.program.outputs
    found = []
    for state in case.states:
        result = session.evaluate(f"N[{call(case, function, state)}]")  # Mathics has Pi/2 for ArcTan[0., 1.]
        if len(outputs) == 1:
            parts = [result]
        else:
            assert str(result.get_head()) == "System`Association", f"{case.name}: {str(result)[:200]}"
            assert [rule.elements[0].value for rule in result.elements] == [output.name for output in outputs]
            parts = [rule.elements[1] for rule in result.elements]
        arrays = {}
        for output, part in zip(outputs, parts, strict=True):
            values = leaves(part)
            assert len(values) == len(output.entries), f"{case.name}: {str(part)[:200]}"
            arrays[output.name] = np.array(values)
        found.append(arrays)
    return found


def load(session: Any, text: str) -> None:
    """As a person reads the file."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "program.wl"
        path.write_text(text, encoding="ascii")
        session.evaluate(f'Get["{path.as_posix()}"]')


@pytest.mark.slow
@pytest.mark.runs("mathematica")
def test_all_cases_agree_with_the_interpreter(session):
    for n, case in enumerate(some(cases(), 2)):  # half a second each
        check(case, real_where_expected(case, run(session, case, f"robosym{n}f")))


def test_the_usage_is_told(session):
    load(session, codegen.source(arm(), "mathematica"))
    assert "Association: rotation [2x2]" in session.evaluate("planarArm::usage").value
    assert "once for each set of parameters." in session.evaluate("planarArmPrecompute::usage").value


def test_arguments_may_be_symbols(session):
    x, y = variable("x"), variable("y")
    load(session, codegen.source(one_output(x**2 + apply("atan2", x, y), [x, y], "symbolic"), "mathematica"))
    assert session.evaluate("symbolic[{a, b}] === {a^2 + ArcTan[b, a]}").to_python() is True


def test_no_name_of_mathematica_is_assigned_to(session):
    known = {str(name.value) for name in session.evaluate('Names["System`*"]').elements}
    assert "Sin" in known
    for case in cases():
        text = re.sub(r"\(\*.*?\*\)", "", codegen.source(case.program, "mathematica"), flags=re.DOTALL)
        assigned = re.findall(r"^ +(\S+) = ", text, re.MULTILINE)
        assert not known.intersection(assigned)
        assert all(re.fullmatch("[A-Za-z][A-Za-z0-9]*", name) for name in assigned)
    for name in known:
        assert wolfram_identifier(name) not in known


def test_whatever_the_name_it_is_one_definition(session):
    for name in ("", *NAMES):
        text = codegen.source(one_output(variable("x") + 1, [variable("x")], name), "mathematica")
        (function,) = re.findall(r"^(\w+)\[\w+_List\] := Module\[$", text, re.MULTILINE)
        load(session, text)
        assert leaves(session.evaluate(f"{function}[{{2.}}]")) == [3.0]


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("M_tool", "mTool"),
        ("S", "S"),
        ("E", "e"),
        ("XX1", "XX1"),
        ("Ia1", "ia1"),
        ("2-link arm", "x2LinkArm"),
        ("", "x"),
    ],
)
def test_names(wanted, name):
    assert wolfram_identifier(wanted) == name


def test_numbers_are_machine_numbers(session):
    for value in (0.1 + 0.2, 1e-7, 1.2345678901234567e-300, 1e22, 5e-324, -2.0, 123456789.12345678):
        text = codegen.source(one_output(value, [variable("x")], "number"), "mathematica")
        load(session, text)
        (found,) = leaves(session.evaluate("number[{1.}]"))
        assert found == value
        assert session.evaluate("Precision[number[{1.}][[1]]] === MachinePrecision").to_python() is True
