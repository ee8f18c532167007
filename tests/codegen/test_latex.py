"""Generated LaTeX: compiled by pdflatex without a complaint, and its formulas read back and computed."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from codegen.conformance import Arrays, Case, at_states, check, function_case, model_cases, sample_cases
from codegen.latex_reader import compute
from codegen.odd_programs import named_cases, odd_cases, random_cases
from language_report import tool
from sample_programs import arm, one_output
from tool_runs import run_tool

from robosym import codegen
from robosym.codegen.targets.latex.measure import sized_parentheses, visible_width, widest_group
from robosym.codegen.targets.latex.names import typeset
from robosym.expr import variable
from robosym.expr.functions import apply

BEGIN, END = "\\begin{document}\n", "\\end{document}\n"


@cache
def cases() -> tuple[Case, ...]:
    once = [at_states(case, 1) for case in (*model_cases(), *odd_cases(small=True), *named_cases(), *random_cases())]
    return (*sample_cases(), _functions(), *once)


def _functions() -> Case:
    """Where Python computes every function."""
    case = function_case(special=False)
    return replace(case, states=tuple(s for s in case.states if 0 < s["x"][0] <= 1 and s["x"].all()))


def compiled(text: str, folder: Path) -> str:
    """What pdflatex says."""
    (folder / "text.tex").write_text(text, encoding="ascii")
    command = [tool("latex"), "-interaction=nonstopmode", "-halt-on-error", "-draftmode", "text.tex"]
    run = run_tool(command, folder, encoding="latin-1")
    assert run.returncode == 0, run.stdout[-3000:]
    return (folder / "text.log").read_text(encoding="latin-1")


def body(text: str) -> str:
    return text.partition(BEGIN)[2].partition(END)[0]


@pytest.mark.runs("latex")
def test_all_cases_compile_and_fit_on_the_page(tmp_path):
    """All in one document, with the preamble they share; names of half a line and more do not fit."""
    fitting = [
        case for case in cases() if max((len(s.name) for a in case.program.inputs for s in a.entries), default=0) < 60
    ]
    texts = [codegen.source(case.program, "latex") for case in fitting]
    preambles = {text.partition(BEGIN)[0].partition("\\documentclass")[2] for text in texts}
    assert len(preambles) == 1
    joined = "\\clearpage\n".join(map(body, texts))
    log = compiled(f"\\documentclass{preambles.pop()}{BEGIN}{joined}{END}", tmp_path)
    assert "Overfull" not in log
    assert "Missing character" not in log


def test_one_compiles_alone(tmp_path):
    ((name, text),) = codegen.generate(arm(), "latex").items()
    assert name == "planar_arm.tex"
    assert "Overfull" not in compiled(text, tmp_path)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.checks("latex")
@pytest.mark.parametrize("flat", [False, True], ids=["as it is", "flat"])
def test_the_formulas_mean_what_the_program_says(flat, monkeypatch):
    """Every formula is read from the text alone and computed; flat: as if all were too wide for a page."""
    if flat:
        monkeypatch.setattr("robosym.codegen.targets.latex.printer.PAGE", 1)
    for case in cases():
        text = codegen.source(case.program, "latex")
        check(case, [computed(case, text, state) for state in case.states])


def computed(case: Case, text: str, state: Arrays) -> Arrays:
    given = {symbol.name: value for symbol, value in zip(case.program.parameter_symbols, case.parameters, strict=True)}
    for array in case.program.inputs:
        given |= {s.name: float(v) for s, v in zip(array.entries, state[array.name].ravel(), strict=True)}
    results = compute(text, _as_typeset(case, given))
    found = {}
    for output, (entries, zeros) in zip(case.program.outputs, results[-len(case.program.outputs) :], strict=True):
        values = np.full(output.shape, 0.0 if zeros else math.nan)
        for place, value in entries.items():
            values[place[: len(output.shape)]] = value  # a vector is written as a column
        found[output.name] = values
    return found


def _as_typeset(case: Case, given: dict[str, float]) -> dict[str, Any]:
    """The values in the order in which names are handed out, so that equal ones get their primes."""
    names: dict[str, Any] = {}
    program = case.program
    symbols = [s for a in program.inputs for s in a.entries] + list(program.parameter_symbols)
    for symbol in dict.fromkeys(symbols):
        name = typeset(symbol.name)
        while name in names:
            name += "'"
        names[name] = given[symbol.name]
    return names


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q12", "q_{12}"),
        ("alpha3", r"\alpha_{3}"),
        ("qdd2", r"\ddot{q}_{2}"),
        ("M_tool", r"M_{\mathrm{tool}}"),
        ("M_tool_1", r"M_{\mathrm{tool},1}"),
        ("XX3", r"\mathit{XX}_{3}"),
        ("Omega", r"\Omega"),
    ],
)
def test_names(name, text):
    assert typeset(name) == text


def test_names_that_look_the_same_get_primes():
    a, b = variable("M1"), variable("M_1")
    assert r"M_{1} + M_{1}'^{2}" in codegen.source(one_output(a + b**2, [a, b]), "latex")


def test_parentheses_grow_with_fractions_only():
    assert sized_parentheses(r"\sin\left(q_{1}\right)") == r"\sin(q_{1})"
    assert sized_parentheses(r"(\frac{a}{b} + c) \, (d)") == r"\left(\frac{a}{b} + c\right) \, (d)"


def test_what_is_too_wide_is_written_flat():
    x = [variable(f"a_rather_long_name_{i}") for i in range(9)]
    text = codegen.source(one_output(apply("sqrt", sum(x[1:], x[0])) / sum(x[2:], x[1]), x), "latex")
    assert r"\frac" not in text
    assert "^{1/2} / " in text
    assert r"\frac{M}{N}" in codegen.source(one_output(variable("M") / variable("N"), [*map(variable, "MN")]), "latex")


def test_widths():
    assert visible_width(r"\frac{q_{1}}{2} + \sin(\alpha)") == 12
    assert widest_group(r"a + \frac{q_{1}}{12345}") == 5
