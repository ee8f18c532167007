"""Kernels as machine code: what their references in NumPy give."""

from __future__ import annotations

import numpy as np
from codegen.random_routines import (
    matrices_routine,
    matrices_states,
)
from runtime.batches import nearly_same as same

from robosym.program.kernels import KERNELS
from robosym.program.routine import Kernel, Routine, Slot
from robosym.runtime import compile_program


def test_kernels_on_matrices_that_are_singular_or_not_finite():
    routine = matrices_routine()
    f = compile_program(routine)
    for state in matrices_states():
        same(f(**state), routine.call(**state), state)


def test_rows_in_the_order_of_their_keys():
    stages = (Kernel("sort", ("values", "keys", "count"), ("made",)),)
    inputs = (Slot("values", (5, 2)), Slot("keys", (5,)), Slot("count", ()))
    f = compile_program(Routine("sort", inputs, (Slot("made", (5, 2)),), stages))
    rng = np.random.default_rng(0)
    for _ in range(300):
        values, keys = rng.standard_normal((5, 2)), rng.choice([1.0, 2.0, np.nan, -1.0, np.inf, -np.inf], 5)
        count = np.array(rng.choice([0, 1, 2, 3, 4, 5, 9, np.nan, -2, 2.7, np.inf, -np.inf]))
        (expected,) = KERNELS["sort"].reference(values, keys, count)
        np.testing.assert_array_equal(f(values=values, keys=keys, count=count), expected)


def test_kernels_on_large_matrices():
    n = 300
    stages = (Kernel("solve", ("A", "b"), ("x",)),)
    f = compile_program(Routine("large", (Slot("A", (n, n)), Slot("b", (n,))), (Slot("x", (n,)),), stages))
    rng = np.random.default_rng(1)
    A, b = rng.standard_normal((n, n)) + 30 * np.eye(n), rng.standard_normal(n)
    np.testing.assert_allclose(f(A=A, b=b), np.linalg.solve(A, b), rtol=1e-12, atol=1e-13)
