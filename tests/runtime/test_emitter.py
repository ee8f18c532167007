"""Expressions as instructions: every function, special numbers, one state or a vector of them."""

from __future__ import annotations

import numpy as np
import pytest
from codegen.conformance import function_case
from sample_programs import (
    every_function,
    one_output,
)

from robosym.codegen import CodegenError
from robosym.expr import acos, asin, floor, log, maximum, minimum, sign, sin, sqrt, variable
from robosym.runtime import compile_program

X, Y = variable("x"), variable("y")


def test_every_function_at_ordinary_and_special_points():
    program = every_function()
    points = np.array([state["x"] for state in function_case().states])
    expected = [program.evaluate(dict(zip(program.inputs[0].entries, point, strict=True))) for point in points.tolist()]
    for speed_level in (0, 2):
        for name, values in compile_program(program, speed_level=speed_level)(x=points).items():
            wanted = np.array([one[name][0] for one in expected])
            np.testing.assert_allclose(np.ravel(values), wanted, rtol=1e-14, err_msg=f"{name} at level {speed_level}")


@pytest.mark.parametrize(
    ("result", "x", "y", "expected"),
    [
        (1 / X, 0.0, 0.0, np.inf),
        (1 / X, -0.0, 0.0, -np.inf),
        (Y / X, 0.0, 0.0, np.nan),
        (1 / X**2, 0.0, 0.0, np.inf),
        (asin(X), 2.0, 0.0, np.nan),
        (acos(X), -1.5, 0.0, np.nan),
        (sqrt(X), -1.0, 0.0, np.nan),
        (log(X), 0.0, 0.0, -np.inf),
        (sign(X), 0.0, 0.0, 0.0),
        (sign(X), -3.0, 0.0, -1.0),
        (sign(X), np.nan, 0.0, np.nan),
        (floor(X), -0.5, 0.0, -1.0),
        (floor(X), -2.0, 0.0, -2.0),
        (floor(X), np.inf, 0.0, np.inf),
        (minimum(X, Y), 1.0, np.nan, np.nan),
        (minimum(X, Y), np.nan, 1.0, np.nan),
        (maximum(X, Y), 1.0, np.nan, np.nan),
        (maximum(X, Y), -1.0, -2.0, -1.0),
        (minimum(X, Y), -1.0, -2.0, -2.0),
        (X + 1, np.nan, 0.0, np.nan),
        (X * Y, np.inf, 0.0, np.nan),
        (sin(X), np.inf, 0.0, np.nan),
    ],
)
def test_ieee_corner_cases(result, x, y, expected):
    np.testing.assert_equal(compile_program(one_output(result, [X, Y]))(x=[x, y]), [expected])


def test_an_undefined_symbol_is_named():
    with pytest.raises(CodegenError, match="'missing' is used but"):
        compile_program(one_output(variable("missing") + 1, [X]))
