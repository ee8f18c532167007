"""What the tests of batches share: programs with inputs of every shape, states, and what single calls give."""

from __future__ import annotations

import numpy as np
from sample_programs import vector

from robosym.expr import atan2, cos, parameter, sin, sqrt, variable
from robosym.program.program import Array, Program
from robosym.runtime import CompiledFunction, compile_program
from robosym.runtime.machine_code import MachineCode

VALUES = {"a": 0.7, "b": -1.3}
SHAPES = {"q": (3,), "m": (2, 3), "s": ()}


def mixed() -> Program:
    """Inputs and outputs that are vectors, matrices and scalars, parameters, and work for both kinds of functions."""
    q, m, s = [variable(f"q{i}") for i in range(3)], [variable(f"m{i}") for i in range(6)], variable("s")
    a, b = parameter("a"), parameter("b")
    y = [sin(q[0]) * a + m[0], cos(q[0] + q[1]) * m[5], sqrt(s * s + b * b), atan2(m[1], m[2]) * q[2], m[3] - m[4] / 3]
    t = (y[0] * y[1], s + a, m[2] * m[2] - 1, q[1] * b)
    inputs = (vector("q", q), Array("m", (2, 3), tuple(m)), Array("s", (), (s,)))
    outputs = (vector("y", y), Array("t", (2, 2), t), Array("z", (), (q[0] * s,)))
    return Program("mixed", inputs, (a, b), (), (), outputs)


def square() -> Program:
    """(6, 6) -> (6, 6): rows change places and are scaled."""
    entries = tuple(variable(f"x{i}") for i in range(36))
    made = tuple(entries[(7 * i) % 36] * (i + 1) for i in range(36))
    return Program("square", (Array("x", (6, 6), entries),), (), (), (), (Array("y", (6, 6), made),))


def states(count: int, seed: int = 0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {name: rng.uniform(-3, 3, (count, *shape)) for name, shape in SHAPES.items()}


def one_by_one(f: CompiledFunction, count: int, batched: dict, **shared: object) -> dict[str, np.ndarray]:
    """What single calls give."""
    found = [f(**{name: array[i] for name, array in batched.items()}, **shared) for i in range(count)]
    if len(f.outputs) == 1:
        return {next(iter(f.outputs)): np.array(found)}
    return {name: np.array([one[name] for one in found]).reshape((count, *shape)) for name, shape in f.outputs.items()}


def same(found: object, expected: dict[str, np.ndarray]) -> None:
    if isinstance(found, np.ndarray):
        found = {next(iter(expected)): found}
    assert found.keys() == expected.keys()
    for name, array in expected.items():
        np.testing.assert_array_equal(found[name], array, err_msg=name)


def with_vectors(program: Program, **options: object) -> CompiledFunction:
    """A function whose vector code is there already, so that small batches use it too."""
    f = compile_program(program, **options)
    code(f)._block  # noqa: B018
    return f


def code(f: CompiledFunction) -> MachineCode:
    return f._convention.code


def shifted(x: np.ndarray, by: int = 4) -> np.ndarray:
    """At an address that is no multiple of 8."""
    room = np.zeros(x.nbytes + 16, dtype=np.uint8)
    view = room[by : by + x.nbytes].view(float).reshape(x.shape)
    view[...] = x
    assert not view.flags.aligned
    return view


def packed(x: np.ndarray) -> np.ndarray:
    """A field of records whose size is no multiple of 8."""
    records = np.zeros(len(x), dtype=[("flag", "u1"), ("x", float, x.shape[1:]), ("end", "u2")])
    records["x"] = x
    return records["x"]


def nearly_same(found: object, expected: dict[str, np.ndarray], what: object = "") -> None:
    """As ``same``, up to rounding."""
    if isinstance(found, np.ndarray):
        found = {next(iter(expected)): found}
    assert found.keys() == expected.keys()
    for name, array in expected.items():
        message = f"{what}: {name}"
        np.testing.assert_allclose(found[name], array, rtol=1e-12, atol=1e-12, equal_nan=True, err_msg=message)
