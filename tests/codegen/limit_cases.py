"""Programs at the limits that some languages have: the length of names and statements, case that does not count."""

from __future__ import annotations

import numpy as np
from codegen.algebra_cases import case_of
from codegen.conformance import Case
from codegen.test_routines import program
from sample_programs import constant, local, one_output, vector

from robosym.expr import add, cos, mul, number, parameter, sin, variable
from robosym.expr.functions import apply
from robosym.program.program import Array, Program, Step
from robosym.program.routine import Each, Emit, Kernel, Newton, Routine, Run, Slot


def limit_cases() -> list[Case]:
    found = [case_of(program) for program in (_one_name(), _long_names(), _cube(), _fixed())]
    return [*found, _long_statements(), _condition_tree()]


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


def _cube() -> Program:
    """Three axes, in and out."""
    x = tuple(variable(f"x{i}") for i in range(12))
    return Program(
        "cube", (Array("x", (2, 3, 2), x),), (), (), (), (Array("y", (3, 2, 2), tuple(-2 * one for one in x)),)
    )


def _fixed() -> Program:
    """Nothing is read: an output that is the same for all inputs, and one that is empty."""
    inputs = (vector("x", [variable("x")]), Array("A", (2, 2), tuple(variable(f"A{i}") for i in range(4))))
    return Program("fixed", inputs, (), (), (), (Array("T", (2, 2), tuple(map(number, range(4)))), vector("none", [])))


def _long_statements() -> Case:
    """Sums, products and quotients of very many terms, and large powers."""
    x = [variable(f"{'long_' * 12}{i}") for i in range(400)]
    squares = add(*[one * other for one in x[:40] for other in x[:40]])
    entries = [
        add(*x),
        mul(*x[:120]),
        sin(add(*x)) * mul(*x[:80]) / mul(*x[80:100]),
        cos(squares),
        x[0] ** 300 + x[1] ** -9,
    ]
    entries.append(add(*[mul(*x[i : i + 30]) for i in range(0, 390, 30)]))
    program = Program("long statements", (vector("x", x),), (), (), (), (vector("y", entries),))
    return Case(program.name, program, (), ({"x": np.linspace(0.97, 1.02, 400)},))


def _condition_tree() -> Case:
    """Conditions that hold hundreds of others."""
    x = [variable(f"x{i}") for i in range(512)]
    level = [one < 0.5 for one in x]
    depth = 0
    while len(level) > 1:
        joint = ("or", "and")[depth % 2]
        level = [apply(joint, a, apply("not", b)) for a, b in zip(level[::2], level[1::2], strict=True)]
        depth += 1
    states = np.random.default_rng(0).uniform(size=(6, 512))
    return Case("conditions", one_output(level[0], x), (), tuple({"x": state} for state in states))


# --- routines ---------------------------------------------------------------------------------------------------------


def special_routine() -> Routine:
    """All the eigenvalues of A, and none is the same as another."""
    ones = program("ones", {"roots": (4, 2)}, lambda roots: {"one": ((4,), [1.0] * 4)})
    stages = (Kernel("eigenvalues", ("A",), ("roots",)), Run(ones), Emit("roots", "one"))
    return Routine("special", (Slot("A", (4, 4)),), stages, 4, (False, False), same=-1.0)


def counted_routine() -> Routine:
    """Rows up to a computed number, A X = B in place, a step that is not finite, an input that is not needed."""
    start = program("start", {"n": ()}, lambda n: {"X": ((2, 3), [1, 2, 3, 4, 5, 6]), "number": ((), [n[0] + 0.5])})
    show = program(
        "show", {"row": (3,)}, lambda row: {"x": ((2,), [row[0], row[2] * 1.0]), "ok": ((), [row[1] == row[1]])}
    )
    step = program("step", {"x": (2,)}, lambda x: {"dx": ((2,), [1 / (x[0] - 1), x[1] * 0.5])})
    kernel = Kernel("solve", ("A", "X"), ("X",))
    body = (Run(show), Newton((Run(step),), 3), Emit("x", "ok"))
    stages = (Run(start), kernel, Each("X", "row", body, count="number"))
    inputs = (Slot("n", ()), Slot("A", (2, 2)), Slot("unused", (3,)))
    return Routine("counted", inputs, stages, 4, (False, True))
