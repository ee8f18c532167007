"""Cases for the languages people read or do algebra in (Mathematica, Maple, LaTeX), beside those of ``conformance``."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
from codegen.conformance import Arrays, Case
from hypothesis import HealthCheck, given, settings
from sample_programs import arrays_of, constant, local, one_output, programs, values_of, vector

from robosym.expr import add, cos, mul, number, parameter, select, sin, variable
from robosym.expr.functions import apply
from robosym.program import Program
from robosym.program.program import Array, Step

MEANINGFUL = "S C N E I D K O e i j Pi gamma Gamma Sin sin Table M_tool MTool mTool M1 M_1 Psi beta Digits list t1 URL"
ODD_NAMES = ["", "3 */ x", "*)", '"; x', "\\end{document} % $", "été", "end", "Module", "proc", "_x", "sin", "E", "q"]


def case_of(program: Program, name: str = "") -> Case:
    """A program at one random state."""
    values = values_of(program)
    parameters = tuple(values[symbol] for symbol in program.parameters)
    return Case(name or program.name, program, parameters, (arrays_of(program, values),))


def odd_cases(depth: int = 10_000) -> list[Case]:
    """Shapes, names, numbers and sizes that a printer may stumble over."""
    odd = (_shapes(), _names(), _numbers(), _unused(), _deep(depth), _wide(), _branches())
    return [case_of(program) for program in odd]


def named_cases() -> list[Case]:
    """Programs whose own name is odd."""
    x = variable("x")
    return [case_of(one_output(sin(x) + 2 * x, [x], name), f"named {name}") for name in ODD_NAMES]


def _shapes() -> Program:
    x, y = variable("x"), variable("y")
    w = tuple(variable(f"w{i}") for i in range(6))
    inputs = (Array("x", (), (x,)), Array("w", (2, 3), w), vector("e", []), Array("y", (1, 1), (y,)))
    cube = Array("cube", (2, 1, 2), (w[0], w[1] + x, w[2], -y))
    empty = (vector("none", []), Array("wide", (0, 2), ()), Array("tall", (2, 0), ()))
    outputs = (Array("a", (), (x + y,)), Array("b", (3, 2), w[::-1]), cube, *empty)
    return Program("shapes", inputs, (), (), (), outputs)


def _names() -> Program:
    """Names with a meaning in a language of mathematics, as inputs, parameters, constants and steps."""
    names = MEANINGFUL.split()
    inputs, parameters = [variable(name) for name in names[::3]], tuple(parameter(name) for name in names[1::3])
    products = mul(*parameters[:3]), add(*parameters)
    precompute = tuple(Step(constant(name), product) for name, product in zip(("const", "D_"), products, strict=True))
    known = [*inputs, *parameters, *(step.symbol for step in precompute)]
    steps = []
    for name in names[2::3]:
        steps.append(Step(local(name), sin(known[-1]) * known[0] + known.pop(0)))
        known.append(steps[-1].symbol)
    return Program("names", (vector("list", inputs),), parameters, precompute, tuple(steps), (vector("I", known),))


def _numbers() -> Program:
    numbers = [
        Fraction(1, 3),
        0.1,
        10**30,
        2**53 + 1,
        1e-300,
        -7,
        Fraction(-22, 7),
        1.2345678901234567e-7,
        0.1 + 0.2,
        0,
    ]
    return Program("numbers", (), (), (), (), (vector("y", [number(one) for one in numbers]),))


def _unused() -> Program:
    x, y = variable("x"), variable("y")
    steps = (Step(local("dead"), sin(x)), Step(local("live"), y + 1))
    inputs = (vector("unused", [x]), vector("b", [variable("z"), y]))
    return Program("unused", inputs, (parameter("L"),), (), steps, (vector("out", [local("live"), 2]),))


def _deep(depth: int) -> Program:
    deep = x = variable("x")
    for _ in range(depth):
        deep = sin(deep) + x
    return one_output(deep, [x], "deep")


def _wide() -> Program:
    """Long sums and products; a long fraction, root and angle too."""
    x = [variable(f"a_rather_long_name_{i}") for i in range(60)]
    total = add(*[one * cos(other) for one in x for other in x[:20]])
    entries = [total, mul(*x), add(*x) / (1 + add(*x[:40])), apply("sqrt", add(*x)), sin(add(*x) / mul(*x[:30]))]
    entries.append(select(add(*x) < 3, add(*x[3:]), apply("exp", -(add(*x[:30]) ** 2) / 900)))
    return Program("wide", (vector("x", x),), (), (), (), (vector("y", entries),))


def _branches() -> Program:
    x, y, z = (variable(name) for name in "xyz")
    both = apply("and", x < y, apply("not", z <= y))
    entries = [
        select(apply("or", both, y - z), x / y / z, -(x**2) / (y * z**3)),
        apply("atan2", -x, y - 3) - apply("atan2", x, -y),
        apply("pow", x + y, -z) + apply("floor", 7 * x) * apply("sign", y - 9),
        2 - both - (x < 9),
        -(x + y) * (x - y) / (-3 * z),
        apply("abs", x - 5) + apply("min", x, y) * apply("max", y, z) + apply("log", apply("exp", x) + 1),
        (sin(x) + 1) ** 2 * cos(y) ** -3 + sin(x) ** 5 - number(0.5) * x**-1,
    ]
    return Program("branches", (vector("x", [x, y, z]),), (), (), (), (vector("y", entries),))


def random_cases(count: int = 12) -> list[Case]:
    """The same random programs in every run."""
    found: list[Case] = []

    @given(program=programs())
    @settings(
        max_examples=count, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    def collect(program: Program) -> None:
        found.append(case_of(program, f"random {len(found)}"))

    collect()
    return found


def defined(case: Case) -> Case:
    """Every function, but where x = y = 0: computer algebra leaves 0^0 and the angle of the zero vector undefined."""
    states = tuple(state for state in case.states if "x" not in state or np.any(state["x"].ravel()[:2]))
    return Case(case.name, case.program, case.parameters, states)


def at_states(case: Case, count: int) -> Case:
    """The case at so many of its states only, spread over all."""
    every = -(-len(case.states) // count)
    return Case(case.name, case.program, case.parameters, case.states[::every])


def real_where_expected(case: Case, found: Sequence[Arrays]) -> list[Arrays]:
    """What was found; where IEEE has inf or nan, algebra systems have values of their own, which are not compared."""
    merged = []
    for got, wanted in zip(found, case.expected(), strict=True):
        arrays = {}
        for name, value in wanted.items():
            arrays[name] = np.where(np.isfinite(value), np.asarray(got[name], dtype=float).reshape(value.shape), value)
        merged.append(arrays)
    return merged


def printed_elsewhere(language: str) -> bytes:
    """What a fresh interpreter with another hash seed prints for the hostile program."""
    code = f"from sample_programs import hostile; from robosym import codegen; print(codegen.source(hostile(), {language!r}))"
    path = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    environment = {**os.environ, "PYTHONHASHSEED": "77", "PYTHONPATH": path}
    run = [sys.executable, "-c", code]
    return subprocess.run(run, env=environment, capture_output=True, check=True, timeout=60).stdout
