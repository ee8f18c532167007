"""Small programs, built by hand and at random, for the tests of code generation and of the runtime."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from hypothesis import strategies as st

from robosym.expr import Expr, add, cos, expr, mul, number, parameter, pi, select, sin, symbol, variable
from robosym.expr.functions import FUNCTIONS, apply
from robosym.program.program import Array, Program, Step

SPECIAL = (-2.0, -1.0, -0.5, 0.0, 0.3, 1.0, 2.5, 40.0, float("inf"), float("-inf"), float("nan"))


def local(name: str) -> Expr:
    return symbol(name, "local")


def constant(name: str) -> Expr:
    return symbol(name, "constant")


def vector(name: str, entries: Iterable[Any]) -> Array:
    listed = tuple(expr(entry) for entry in entries)
    return Array(name, (len(listed),), listed)


def one_output(result: Any, inputs: Iterable[Expr], name: str = "program") -> Program:
    """The program x -> y of one expression."""
    return Program(name, (vector("x", inputs),), (), (), (), (vector("y", [result]),))


def arm() -> Program:
    """The tip of a planar arm of two links: precompute, parameters read by both parts, two outputs, one a matrix."""
    q1, q2 = variable("q1"), variable("q2")
    L1, L2 = parameter("L1"), parameter("L2")
    R, S, C1, S1, C12, S12, D = constant("R"), constant("S"), *map(local, ("C1", "S1", "C12", "S12", "D"))
    steps = (
        Step(C1, cos(q1)),
        Step(S1, sin(q1)),
        Step(C12, cos(q1 + q2)),
        Step(S12, sin(q1 + q2)),
        Step(D, R + 2 * S * cos(q2)),
    )
    rotation = Array("rotation", (2, 2), (C12, -S12, S12, C12))
    tip = vector(
        "tip",
        [L1 * C1 + L2 * C12, L1 * S1 + L2 * S12, select(apply("lt", D, pi / 3), D, number(Fraction(1, 3)) / D**3)],
    )
    precompute = (Step(S, L1 * L2), Step(R, L1**2 + L2**2))
    return Program("planar-arm", (vector("q", [q1, q2]),), (L1, L2), precompute, steps, (rotation, tip))


def every_function() -> Program:
    """x, y, z -> each function of expressions, as an output of its own name."""
    xyz = tuple(variable(name) for name in ("x", "y", "z"))
    outputs = [Array(name, (), (apply(name, *xyz[: f.arity]),)) for name, f in FUNCTIONS.items()]
    return Program("every function", (vector("x", xyz),), (), (), (), tuple(outputs))


def special_points(size: int = 3) -> np.ndarray:
    return np.array(list(product(SPECIAL, repeat=size)))


def hostile() -> Program:
    """Names that mean something in some language, and an array, a function and steps that share names."""
    inputs = [variable(name) for name in ("q", "double", "y0", "j1", "gamma", "lambda", "np", "M_PI", "_Bool", "__x")]
    parameters = tuple(parameter(name) for name in ("I", "exp", "None", "NULL", "t1", "parameters", "real_sign"))
    constants = [constant("div"), constant("constants")]
    names = (
        "sin",
        "math",
        "batch",
        "main",
        "T",
        "float",
        "T_",
        "restrict",
        "hostile",
        "hostile_precompute",
        "HOSTILE_H",
    )
    precompute = (
        Step(constants[0], mul(*parameters[:4])),
        Step(constants[1], add(*parameters[3:]) * constants[0]),
    )
    known: list[Expr] = [*inputs, *parameters[3:], *constants]
    steps = []
    for name in names:
        steps.append(Step(local(name), sin(known[-1]) + mul(*known[-4:-1]) + apply("sign", known[0]) + known.pop(0)))
        known.append(steps[-1].symbol)
    shared = known[-1] * known[-2]
    outputs = (vector("T", [shared, sin(shared) + add(*known)]), vector("double", known[-2:]))
    arrays = (vector("q", inputs[:5]), vector("restrict", inputs[5:]))
    return Program("hostile", arrays, parameters, precompute, tuple(steps), outputs)


def values_of(program: Program, seed: int = 0) -> dict[Expr, float]:
    """A value for each input and parameter."""
    rng = np.random.default_rng(seed)
    symbols = [symbol for array in program.inputs for symbol in array.entries]
    return {
        symbol: float(value) for symbol, value in zip(symbols, rng.uniform(0.3, 1.7, len(symbols)), strict=True)
    } | {symbol: float(rng.uniform(0.3, 1.7)) for symbol in program.parameter_symbols}


def arrays_of(program: Program, values: dict[Expr, float]) -> dict[str, np.ndarray]:
    """The same values as input arrays by name."""
    return {a.name: np.array([values[s] for s in a.entries]).reshape(a.shape) for a in program.inputs}


_SMOOTH = ("sin", "cos", "atan", "tanh", "min", "max", "abs")
_OF_INPUTS = ("tan", "exp", "log", "sqrt", "floor", "sign", "lt", "le", "eq", "ne", "atan2", "pow")


@st.composite
def programs(draw: Any) -> Program:
    """Random straight-line programs whose values are well conditioned for inputs between 0.3 and 1.7."""
    inputs = [variable(f"x{i}") for i in range(draw(st.integers(1, 4)))]
    parameters = [parameter(f"p{i}") for i in range(draw(st.integers(0, 3)))]

    def choose(pool: list[Expr]) -> Expr:
        return draw(st.sampled_from(pool))

    def build(given: list[Expr], bounded: list[Expr], pool: list[Expr]) -> Expr:
        how = draw(st.integers(0, 4))
        if how == 0:
            numbers = st.sampled_from([1, -1, 2, -3, 0.1, Fraction(1, 3), Fraction(-7, 5)])
            return add(*[choose(pool) * draw(numbers) for _ in range(draw(st.integers(1, 4)))], draw(numbers))
        if how == 1:
            return choose(pool) * choose(bounded) ** draw(st.integers(1, 5)) / choose(given) ** draw(st.integers(0, 4))
        if how == 2:
            name = draw(st.sampled_from(_OF_INPUTS))
            return apply(name, *[choose(given) for _ in range(FUNCTIONS[name].arity)])
        if how == 3:
            condition = apply(draw(st.sampled_from(["and", "or"])), choose(given) < choose(given), choose(given) <= 1)
            return select(draw(st.sampled_from([condition, apply("not", condition)])), choose(pool), choose(pool))
        name = draw(st.sampled_from(_SMOOTH))
        return apply(name, *[choose(bounded) for _ in range(FUNCTIONS[name].arity)])

    precompute = []
    if parameters:
        known = list(parameters)
        for i in range(draw(st.integers(0, 4))):
            precompute.append(Step(constant(f"c{i}"), build(parameters, parameters, known)))
            known.append(precompute[-1].symbol)
    steps = []
    given = [*inputs, *parameters]
    bounded = list(given)
    pool = [*given, *(one.symbol for one in precompute)]
    for i in range(draw(st.integers(0, 10))):
        steps.append(Step(local(f"s{i}"), build(given, bounded, pool)))
        pool.append(steps[-1].symbol)
        if steps[-1].expr.op in ("sin", "cos", "atan"):
            bounded.append(steps[-1].symbol)
    entries = [draw(st.sampled_from([*pool, number(1), pi])) for _ in range(draw(st.integers(1, 3)))]
    entries += [build(given, bounded, pool)]
    outputs = (vector("y", entries), vector("z", [-pool[-1]]))
    arrays = (vector("x", inputs),)
    return Program("random", arrays, tuple(parameters), tuple(precompute), tuple(steps), outputs)
