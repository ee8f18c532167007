"""Programs that are odd in some way, as cases: shapes, names, numbers, depth and width, and random ones."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from codegen.conformance import Case
from hypothesis import HealthCheck, Phase, given, settings
from sample_programs import arm, arrays_of, local, one_output, programs, values_of, vector

from robosym.expr import Expr, add, mul, number, parameter, select, sin, variable
from robosym.expr.functions import apply
from robosym.program.program import Array, Program, Step

NAMES = ("", "3 */ x", "*/", "été", "_x", "main", "fn", "function", "await", "None", "Math", "f64", "made", "Arm")
NUMBERS = (Fraction(1, 3), 0.1, 10**30, 2**53 + 1, 1e-300, 5e-324, Fraction(10**320, 10**320 - 1), -7, Fraction(-22, 7))


def _case(program: Program, seeds: int = 2) -> Case:
    values = [values_of(program, seed) for seed in range(seeds)]
    parameters = tuple(values[0][symbol] for symbol in program.parameters)
    return Case(program.name, program, parameters, tuple(arrays_of(program, one) for one in values))


def _shapes() -> Program:
    x, y, z = variable("x"), variable("y"), variable("z")
    w = tuple(variable(f"w{i}") for i in range(6))
    inputs = (Array("x", (), (x,)), Array("w", (2, 3), w), vector("e", []), Array("y", (1, 1), (y,)), vector("z", [z]))
    outputs = (
        *(Array("a", (), (x + y,)), Array("b", (3, 2), w), Array("c", (0, 2), ()), Array("d", (2, 0), ())),
        *(Array("f", (1, 2, 2), (x, *w[:3])), vector("an output", [y]), vector("__proto__", [x])),
    )
    return Program("shapes", inputs, (), (), (), outputs)


def _unused() -> Program:
    x, y = variable("x"), variable("y")
    steps = (Step(local("dead"), sin(x)), Step(local("live"), y + 1))
    inputs = (vector("unused", [x]), vector("b", [variable("z"), y]), vector("empty", []))
    outputs = (vector("out", [local("live"), 2]), vector("nothing", []))
    return Program("unused", inputs, (parameter("L"),), (), steps, outputs)


def _conditions() -> Program:
    """Choices inside sums, calls and choices, of numbers alone, and truth values as numbers."""
    x, y = variable("x"), variable("y")
    first = select(apply("lt", x, y), number(1), number(2))
    second = select(apply("not", apply("or", x < 1, y)), x, select(y < x, number(3), y))
    entries = [sin(first), first + second, second * first, apply("min", first, x), -first, apply("eq", x, y) + x]
    entries += [apply("and", x, y), apply("not", x), sin(apply("le", x, y)), apply("atan2", number(1), x), 2 / (x * y)]
    return Program("conditions", (vector("x", [x, y]),), (), (), (), (vector("y", entries),))


def _deep() -> Program:
    x = variable("x")
    deep = x
    for _ in range(10_000):
        deep = sin(deep)
    return one_output(deep, [x], "deep")


def _wide() -> Program:
    """Sums of thousands of terms with signs that change, and long products."""
    xs = [variable(f"x{i}") for i in range(15_000)]
    signs: list[Expr] = [x if i % 2 else -x for i, x in enumerate(xs)]
    ratio = mul(*xs[:1400:2]) / mul(*xs[1:1400:2])
    outputs = (vector("sums", [add(*signs), number(5) - add(*signs)]), vector("ratio", [ratio]))
    return Program("wide", (vector("x", xs),), (), (), (), outputs)


def _long_lines() -> Program:
    symbols = [variable(f"a_rather_long_name_{i}") for i in range(60)]
    outputs = (vector("y", [add(*symbols), mul(*symbols)]), Array("s", (), (sin(add(*symbols)) + 1,)))
    return Program("long lines", (vector("x", symbols),), (), (), (), outputs)


def odd_cases() -> list[Case]:
    numbers = Program("numbers", (), (), (), (), (vector("y", [number(n) for n in NUMBERS]),))
    scalar = Program("scalar", (vector("x", [variable("x")]),), (), (), (), (Array("y", (), (sin(variable("x")),)),))
    nothing = Program("nothing", (vector("x", [variable("x")]),), (), (), (), ())
    all_programs = (_shapes(), _unused(), _conditions(), _deep(), _wide(), _long_lines(), numbers, scalar, nothing)
    return [_case(program) for program in all_programs]


def named_cases() -> list[Case]:
    """The arm under names that are none, or mean something."""
    return [_case(arm().replace(name=name)) for name in NAMES]


def random_cases(count: int = 25) -> list[Case]:
    found: list[Case] = []

    @given(program=programs())
    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def collect(program: Program) -> None:
        found.append(_case(program))

    collect()
    return found


def bits(values: np.ndarray) -> list[str]:
    """Each double as the 16 digits of its bits."""
    return [f"{word:016x}" for word in np.ravel(values).astype(float).view(np.uint64).tolist()]
