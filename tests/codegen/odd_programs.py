"""Programs that are odd in some way, the same for all languages: shapes, names, numbers, depth, width; and random ones."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
from codegen.conformance import Case, case_of
from hypothesis import HealthCheck, Phase, given, settings
from sample_programs import arm, constant, local, one_output, programs, vector
from sweeps import many

from robosym.expr import Expr, add, cos, mul, number, parameter, select, sin, variable
from robosym.expr.functions import apply
from robosym.program.program import Array, Program, Step

# Names that are none, that would end a comment or a string, or that some language keeps for itself.
NAMES = [
    "*/",
    "*)",
    '";',
    "été",
    "_x",
    "3*/x",
    "#error",
    "??/",
    "\\end{document}%$",
    "main",
    "class",
    "double",
    "div",
    "printf",
    "y0",
    "std",
    "detail",
    "fn",
    "function",
    "await",
    "Math",
    "f64",
    "made",
    "Arm",
    "None",
    "end",
    "proc",
    "Module",
    "sin",
    "E",
    "q",
    "batch",
    "svd",
    "i",
    "endfunction",
    "module",
    "DP",
    "real",
    "planar_arm_mod",
    "sum",
    "a__b",
]
MEANINGFUL = "S C N E I D K O e i j Pi gamma Gamma Sin sin Table M_tool MTool mTool M1 M_1 Psi beta Digits list t1 URL"
NUMBERS = (
    *(Fraction(1, 3), Fraction(-22, 7), Fraction(10**320, 10**320 - 1), 0.1, 0.1 + 0.2, 1.2345678901234567e-7),
    *(10**30, 2**53 + 1, 1e-300, 5e-324, -7, 0, 1, 123456789.12345678),
)


@cache
def odd_cases(small: bool = False) -> tuple[Case, ...]:
    """All of them; ``small``: the deep and the wide ones less so, for interpreters that are slow."""
    listed = [_shapes(), _unused(), _numbers(), _conditions(), _branches(), _meaningful_names(), _one_name()]
    listed += [_long_names(), _fixed(), _nothing(), _scalar(), _long_lines()]
    listed += [_deep(1_500 if small else 10_000), _wide(300 if small else 15_000)]
    return (*map(case_of, listed), _long_statements(), _condition_tree())


@cache
def named_cases() -> tuple[Case, ...]:
    """The arm under names that are none, or mean something."""
    listed = [(name, arm().replace(name=name)) for name in ("", *NAMES)]
    return tuple(replace(case_of(program), name=f"named {name}") for name, program in listed)


@cache
def random_cases(count: int = many(12)) -> tuple[Case, ...]:
    """The same random programs in every run."""
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
        found.append(replace(case_of(program), name=f"random {len(found)}"))

    collect()
    return tuple(found)


# --- shapes ----------------------------------------------------------------------------------------------------------


def _shapes() -> Program:
    x, y, z = variable("x"), variable("y"), variable("z")
    w = tuple(variable(f"w{i}") for i in range(6))
    v = tuple(variable(f"v{i}") for i in range(12))
    inputs = (
        *(Array("x", (), (x,)), Array("w", (2, 3), w), vector("e", []), Array("y", (1, 1), (y,)), vector("z", [z])),
        Array("v", (2, 3, 2), v),
    )
    outputs = (
        *(Array("a", (), (x + y,)), Array("b", (3, 2), w[::-1]), Array("c", (0, 2), ()), Array("d", (2, 0), ())),
        *(
            vector("none", []),
            Array("f", (1, 2, 2), (x, *w[:3])),
            Array("cube", (3, 2, 2), tuple(-2 * one for one in v)),
        ),
        *(vector("an output", [y]), vector("__proto__", [x])),
    )
    return Program("shapes", inputs, (), (), (), outputs)


def _unused() -> Program:
    x, y = variable("x"), variable("y")
    steps = (Step(local("dead"), sin(x)), Step(local("live"), y + 1))
    inputs = (vector("unused", [x]), vector("b", [variable("z"), y]), vector("empty", []))
    outputs = (vector("out", [local("live"), 2]), vector("nothing", []))
    return Program("unused", inputs, (parameter("L"),), (), steps, outputs)


def _fixed() -> Program:
    """Nothing is read: an output that is the same for all inputs, and one that is empty."""
    inputs = (vector("x", [variable("x")]), Array("A", (2, 2), tuple(variable(f"A{i}") for i in range(4))))
    return Program("fixed", inputs, (), (), (), (Array("T", (2, 2), tuple(map(number, range(4)))), vector("none", [])))


def _nothing() -> Program:
    return Program("nothing", (vector("x", [variable("x")]),), (), (), (), ())


def _scalar() -> Program:
    return Program("scalar", (vector("x", [variable("x")]),), (), (), (), (Array("y", (), (sin(variable("x")),)),))


# --- names and numbers -----------------------------------------------------------------------------------------------


def _numbers() -> Program:
    return Program("numbers", (), (), (), (), (vector("y", [number(n) for n in NUMBERS]),))


def _meaningful_names() -> Program:
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


def _one_name() -> Program:
    """Names that are one name where case does not count, of every kind of thing."""
    q, Q, t1, T1, L, l = variable("q"), variable("Q"), variable("t1"), variable("T1"), parameter("L"), parameter("l")
    K, k, X, x = constant("K"), constant("k"), local("X"), local("x")
    precompute = (Step(K, L * l), Step(k, L - l))
    steps = (Step(X, sin(q + t1) * K), Step(x, cos(Q + T1) * k + X))
    outputs = (vector("qd", [X, x]), vector("QD", [x * X, L + 2 * l]))
    inputs = (vector("q", [q, t1]), vector("Q", [Q, T1]))
    return Program("Q", inputs, (L, l), precompute, steps, outputs)


def _long_names() -> Program:
    """Names that are alike in their first 100 letters."""
    stem = "a_name_of_very_many_letters" * 4
    x = [variable(f"{stem}_{i}") for i in range(3)]
    steps = tuple(Step(local(f"{stem}_step_{i}"), sin(one) * x[0]) for i, one in enumerate(x))
    precompute = (Step(constant(f"{stem}_constant"), parameter("L") ** 2),)
    outputs = [vector(f"{stem}_{i}", [step.symbol, step.symbol * precompute[0].symbol]) for i, step in enumerate(steps)]
    return Program(f"{stem}_program", (vector(stem, x),), (parameter("L"),), precompute, steps, tuple(outputs))


# --- choices ---------------------------------------------------------------------------------------------------------


def _conditions() -> Program:
    """Choices inside sums, calls and choices, of numbers alone, and truth values as numbers."""
    x, y = variable("x"), variable("y")
    first = select(apply("lt", x, y), number(1), number(2))
    second = select(apply("not", apply("or", x < 1, y)), x, select(y < x, number(3), y))
    entries = [sin(first), first + second, second * first, apply("min", first, x), -first, apply("eq", x, y) + x]
    entries += [apply("and", x, y), apply("not", x), sin(apply("le", x, y)), apply("atan2", number(1), x), 2 / (x * y)]
    return Program("conditions", (vector("x", [x, y]),), (), (), (), (vector("y", entries),))


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


def _condition_tree() -> Case:
    """Conditions that hold hundreds of others."""
    x = [variable(f"x{i}") for i in range(512)]
    level = [one < 0.5 for one in x]
    depth = 0
    while len(level) > 1:
        joint = ("or", "and")[depth % 2]
        level = [apply(joint, a, apply("not", b)) for a, b in zip(level[::2], level[1::2], strict=True)]
        depth += 1
    states = np.random.default_rng(0).uniform(size=(2, 512))
    return Case("condition tree", one_output(level[0], x), (), tuple({"x": state} for state in states))


# --- size ------------------------------------------------------------------------------------------------------------


def _deep(depth: int) -> Program:
    deep = x = variable("x")
    for _ in range(depth):
        deep = sin(deep) + x
    return one_output(deep, [x], "deep")


def _wide(width: int) -> Program:
    """Sums of very many terms with signs that change, and long products."""
    xs = [variable(f"x{i}") for i in range(width)]
    signs: list[Expr] = [x if i % 2 else -x for i, x in enumerate(xs)]
    ratio = mul(*xs[:1400:2]) / mul(*xs[1:1400:2])
    outputs = (vector("sums", [add(*signs), number(5) - add(*signs)]), vector("ratio", [ratio]))
    return Program("wide", (vector("x", xs),), (), (), (), outputs)


def _long_lines() -> Program:
    """Sums and products of long names; a long fraction, root, angle and choice too."""
    x = [variable(f"a_rather_long_name_{i}") for i in range(60)]
    total = add(*[one * cos(other) for one in x for other in x[:20]])
    entries = [total, mul(*x), add(*x) / (1 + add(*x[:40])), apply("sqrt", add(*x)), sin(add(*x) / mul(*x[:30]))]
    entries.append(select(add(*x) < 3, add(*x[3:]), apply("exp", -(add(*x[:30]) ** 2) / 900)))
    outputs = (vector("y", entries), Array("s", (), (sin(add(*x)) + 1,)))
    return Program("long lines", (vector("x", x),), (), (), (), outputs)


def _long_statements() -> Case:
    """Sums, products and quotients of very many terms, and large powers."""
    x = [variable(f"{'long_' * 12}{i}") for i in range(400)]
    squares = add(*[one * other for one in x[:40] for other in x[:40]])
    entries = [
        *(add(*x), mul(*x[:120]), sin(add(*x)) * mul(*x[:80]) / mul(*x[80:100]), cos(squares)),
        *(x[0] ** 300 + x[1] ** -9, add(*[mul(*x[i : i + 30]) for i in range(0, 390, 30)])),
    ]
    program = Program("long statements", (vector("x", x),), (), (), (), (vector("y", entries),))
    return Case(program.name, program, (), ({"x": np.linspace(0.97, 1.02, 400)},))
