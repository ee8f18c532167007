"""Kernels as machine code: what their references in NumPy give."""

from __future__ import annotations

import math

import numpy as np
import pytest
from codegen.random_routines import (
    matrices_routine,
    matrices_states,
)
from runtime.batches import nearly_same as same
from runtime.written import called

from robosym.program.kernels import KERNELS
from robosym.program.routine import Kernel, Routine, Slot
from robosym.runtime import compile_program
from robosym.runtime.code import DECLARATIONS
from robosym.runtime.emitter import declarations
from robosym.runtime.kernels_ir import kernel_definition, kernel_name, kernel_workspace


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


def alone(name, *given, outputs):
    """A kernel on arrays that lie one after the other, with guards after its outputs and its workspace."""
    shapes = [x.shape for x in given]
    made = [np.full(math.prod(shape) + 1, 7.0) for shape in outputs]
    work = np.full(kernel_workspace(name, shapes) + 1, 7.0)
    arrays = [*(np.ascontiguousarray(x, dtype=float) for x in given), *made, work]
    heads = ", ".join(f"ptr %b{i}" for i in range(len(arrays)))
    wrapper = f"define void @f({heads}) {{\n  call void @{kernel_name(name, shapes)}({heads})\n  ret void\n}}"
    text = "\n".join([*declarations([1]), *DECLARATIONS, kernel_definition(name, shapes, len(outputs)), wrapper])
    called(text, arrays)
    assert all(x[-1] == 7.0 for x in (*made, work))
    return [x[:-1].reshape(shape) for x, shape in zip(made, outputs, strict=True)]


@pytest.mark.parametrize(("n", "k"), [(1, None), (2, 1), (3, None), (5, 4)])
def test_linear_systems(n, k):
    rng = np.random.default_rng(n)
    A = rng.standard_normal((n, n))
    A[0] = 0.0 if n == 1 else A[0]
    for matrix in (A, A + 3 * np.eye(n), np.eye(n)[::-1] + 0.0):
        B = rng.standard_normal((n,) if k is None else (n, k))
        (found,) = alone("solve", matrix, B, outputs=[B.shape])
        np.testing.assert_allclose(found, KERNELS["solve"].reference(matrix, B)[0], rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("n", [1, 3, 5])
def test_eigenvectors(n):
    rng = np.random.default_rng(n)
    for _ in range(3):
        S = rng.standard_normal((n, n))
        A = S + S.T
        root = np.array([np.linalg.eigvalsh(A)[n // 2], 0.0])
        (v,) = alone("eigenvector", A, root, outputs=[(n,)])
        np.testing.assert_allclose(A @ v, root[0] * v, atol=1e-11)
        assert np.abs(v).max() == 1.0
    (zeros,) = alone("eigenvector", np.full((n, n), np.inf), root, outputs=[(n,)])
    assert (zeros == 0).all()


def test_rows_of_any_shape_are_sorted():
    rng = np.random.default_rng(3)
    for shape in ((6,), (6, 2), (6, 2, 2)):
        values, keys = rng.standard_normal(shape), rng.choice([1.0, 2.0, np.nan, -1.0], 6)
        for count in (0.0, 4.0, 6.0, 9.0):
            (found,) = alone("sort", values, keys, np.array(count), outputs=[shape])
            np.testing.assert_array_equal(found, KERNELS["sort"].reference(values, keys, np.array(count))[0])


def test_each_size_has_a_function_of_its_own():
    assert kernel_name("solve", [(3, 3), (3,)]) == "kernel_solve_3x3_3"
    assert kernel_name("sort", [(3, 2), (3,), ()]) == "kernel_sort_3x2_3_0"
