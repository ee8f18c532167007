"""Printed routines: compiled or executed, and compared with the interpreter and with NumPy."""

from __future__ import annotations

import ctypes
import math
import subprocess

import numpy as np
import pytest
from c_calls import pointer
from codegen.conformance import check_solutions, routine_cases

from robosym.codegen import CodegenError, routines
from robosym.codegen.targets.c.routine import facts_of
from robosym.expr import cos, expr, parameter, sin, symbol, variable
from robosym.program import Array, Program, Step
from robosym.program.routine import Each, Emit, Kernel, Newton, Routine, Run, Slot, When, newton


def program(name, inputs, outputs, parameters=(), precompute=()):
    arrays = {
        key: Array(key, shape, tuple(variable(f"{key}_{i}") for i in range(math.prod(shape))))
        for key, shape in inputs.items()
    }
    made = outputs(**{key: array.entries for key, array in arrays.items()})
    results = tuple(Array(key, shape, tuple(map(expr, entries))) for key, (shape, entries) in made.items())
    return Program(name, tuple(arrays.values()), tuple(parameters), tuple(precompute), (), results)


def eigenpairs(n):
    """The real eigenvalues of A and A^-1 b, each with its eigenvector or zero."""
    root = program(
        "chosen",
        {"root": (2,)},
        lambda root: {"real": ((), [abs(root[1]) < 1e-9]), "one": ((), [root[0] * 0 + 1])},
    )
    row = program("row", {"root": (2,), "v": (n,)}, lambda root, v: {"q": ((n + 1,), [root[0] * 1.0, *v])})
    last = program("last", {"x": (n,), "count": ()}, lambda x, count: {"q": ((n + 1,), [count[0], *x])})
    body = (Run(root), When("real", (Kernel("eigenvector", ("A", "root"), ("v",)), Run(row), Emit("q", "one"))))
    stages = (
        Kernel("eigenvalues", ("A",), ("roots",)),
        Each("roots", "root", (*body, Kernel("solve", ("A", "b"), ("x",)), Run(last), Emit("q", "one"))),
    )
    return Routine("pairs", (Slot("A", (n, n)), Slot("b", (n,))), stages, 3 * n, (False,) * (n + 1))


def angles():
    """cos(x) = k L from four starts, by Newton, with a parameter, a constant and hostile names."""
    L, K = parameter("L"), symbol("K", "constant")
    starts = program("double", {"for": ()}, lambda **c: {"x0": ((4,), [0.5 + c["for"][0] * 0, 1.0, -1.0, 7.0])})
    step = program(
        "solve",
        {"for": (), "x": ()},
        lambda x, **c: {"free": ((), [(cos(x[0]) - c["for"][0] * expr(K)) / -sin(x[0])])},
        (L,),
        (Step(K, L * 2),),
    )
    row = program(
        "keep",
        {"for": (), "x": ()},
        lambda x, **c: {"q": ((1,), [x[0] * 1.0]), "ok": ((), [abs(cos(x[0]) - 2 * L * c["for"][0]) < 1e-9])},
        (L,),
    )
    body = (newton(step, 50, tolerance=1e-14), Run(row), Emit("q", "ok"))
    return Routine("a ngles", (Slot("for", ()),), (Run(starts), Each("x0", "x", body)), 4, (True,))


def call_c(library, name, shape, *arrays):
    found = np.full(shape, np.nan)
    library[name].restype = ctypes.c_int
    taken = [np.ascontiguousarray(a, dtype=float) for a in arrays]
    count = library[name](*map(pointer, taken), pointer(found))
    return found[:count]


def executed(text):
    scope: dict = {}
    exec(compile(text, "generated", "exec"), scope)
    return scope


def same_rows(a, b, atol=1e-9):
    a, b = np.asarray(a), np.asarray(b)
    assert a.shape == b.shape
    left = list(range(len(b)))
    for row in a:
        near = [i for i in left if np.abs(b[i] - row).max() < atol]
        assert near, f"{row} is not among\n{b}"
        left.remove(near[0])


@pytest.mark.parametrize("n", [1, 2, 3, 6, 16])
def test_kernels_agree_with_numpy(compiled, n):
    routine = eigenpairs(n)
    library = compiled(routines.source(routine, "c"))
    solve = executed(routines.source(routine, "python"))["pairs_solve"]
    rng = np.random.default_rng(n)
    for _ in range(20):
        A, b = rng.standard_normal((n, n)), rng.standard_normal(n)
        found = call_c(library, "pairs_solve", (3 * n, n + 1), A, b)
        same_rows(solve(A.tolist(), b.tolist()), found, 1e-8)
        roots = [x.real for x in np.linalg.eigvals(A) if abs(x.imag) < 1e-12]
        pairs = [row for row in found if np.abs(row[1:]).max() == 1]
        np.testing.assert_allclose(sorted(row[0] for row in pairs), sorted(roots), atol=1e-11)
        for row in pairs:
            np.testing.assert_allclose(A @ row[1:], row[0] * row[1:], atol=1e-8)
        assert any(np.allclose(row[1:], np.linalg.solve(A, b), rtol=1e-9) for row in found)


SPECIAL = {
    "zero": np.zeros((4, 4)),
    "identity": np.eye(4),
    "jordan": np.eye(4) + np.diag([1.0] * 3, 1),
    "cycle": np.roll(np.eye(4), 1, axis=0),  # ordinary shifts leave it as it is
    "triangle": np.triu(np.arange(16.0).reshape(4, 4)),
    "graded": np.diag([1e-12, 1.0, 1e6, 1e12]) + np.ones((4, 4)) * 1e-13,
    "nan": np.full((4, 4), np.nan),
}


ONES = program("ones", {"roots": (4, 2)}, lambda roots: {"one": ((4,), [1.0] * 4)})


@pytest.mark.parametrize("matrix", SPECIAL.values(), ids=SPECIAL)
def test_eigenvalues_of_special_matrices(compiled, matrix):
    stages = (Kernel("eigenvalues", ("A",), ("roots",)), Run(ONES), Emit("roots", "one"))
    routine = Routine("e", (Slot("A", (4, 4)),), stages, 4, (False, False), same=-1.0)  # no two are the same
    found = call_c(compiled(routines.source(routine, "c")), "e_solve", (4, 2), matrix)
    other = executed(routines.source(routine, "python"))["e_solve"](matrix.tolist())
    assert len(found) == len(other) == 4
    if np.isnan(matrix).any():
        assert np.isinf(found[:, 1]).all()
        assert np.isinf(np.array(other)[:, 1]).all()
        return
    expected = np.linalg.eigvals(matrix)
    scale = np.abs(matrix).max() if matrix.any() else 1.0
    for roots in (found, np.array(other)):  # a fourfold root is known to the fourth root of the rounding
        defective = matrix[0, 1] == 1
        same_rows(roots / scale, np.stack([expected.real, expected.imag], axis=1) / scale, 1e-3 if defective else 1e-12)


def test_newton_parameters_and_hostile_names(compiled):
    routine = angles()
    library = compiled(routines.source(routine, "c"))
    scope = executed(routines.source(routine, "python"))
    for k in (0.3, -0.9, 2.0):
        expected, count = routine.call(**{"for": k}, parameters={"L": 0.45})
        assert count == (2 if abs(k) < 1 else 0)
        constants = np.empty(1)
        library.a_ngles_precompute(pointer(parameters := np.array([0.45])), pointer(constants))
        assert parameters == 0.45
        found = call_c(library, "a_ngles_solve", (4, 1), [k], [0.45], constants)
        np.testing.assert_allclose(found, expected[:count], atol=1e-12)
        made = scope["a_ngles_precompute"]([0.45])
        assert made == constants.tolist() == [0.9]
        np.testing.assert_allclose(
            np.array(scope["a_ngles_solve"](k, [0.45], made)).reshape(-1, 1), expected[:count], atol=1e-12
        )


def test_newton_leaves_what_is_not_finite(compiled):
    start = program("start", {"a": (2,)}, lambda a: {"x": ((2,), [a[0] * 1.0, a[1] * 1.0])})
    step = program("step", {"x": (2,)}, lambda x: {"dx": ((2,), [1 / (x[0] - 2), x[1] * 1.0])})
    show = program("show", {"x": (2,)}, lambda x: {"ok": ((), [x[0] == x[0]])})
    stages = (Run(start), Newton((Run(step),), 5), Run(show), Emit("x", "ok"))
    routine = Routine("r", (Slot("a", (2,)),), stages, 1, (False, False))
    found = call_c(compiled(routines.source(routine, "c")), "r_solve", (1, 2), [2.0, 3.0])
    assert found.tolist() == [[2.0, 3.0]] == routine.call(a=[2.0, 3.0])[0].tolist()


def test_header_and_source_compile(gcc, tmp_path):
    files = routines.generate(angles(), "c", name="my arm")
    assert list(files) == ["my_arm.h", "my_arm.c"]
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="ascii")
    strict = ["-O2", "-Wall", "-Wextra", "-Werror", "-pedantic", "-std=c99"]
    subprocess.run([gcc, *strict, "-c", "my_arm.c"], cwd=tmp_path, check=True, timeout=60)
    assert "int my_arm_solve(const double for_[1]" in files["my_arm.h"]
    assert list(routines.generate(angles(), "python")) == ["a_ngles.py"]


def test_lines_are_short():
    for language in routines.languages():
        for routine in (angles(), eigenpairs(6)):
            assert max(map(len, routines.source(routine, language).splitlines())) <= 120


def test_an_unknown_language_is_named():
    with pytest.raises(CodegenError, match=r"'pyton', did you mean 'python' \(known: c, casadi, cpp"):
        routines.source(angles(), "pyton")


def test_an_unsound_routine_is_not_printed():
    with pytest.raises(ValueError, match="'Q' before it is defined"):
        routines.source(Routine("r", (), (Emit(),), 1, (True,)), "c")


def test_solvers_of_robots_find_the_solutions_of_the_interpreter(compiled):
    """Closed forms with lengths as arguments, and the general method with its kernels."""
    for i, case in enumerate(routine_cases()):
        library = compiled(routines.source(case.routine, "c", name=f"r{i}"))
        facts = facts_of(case.routine, f"r{i}")
        numbers, constants = np.array(case.parameters), np.empty(facts.constants)
        if facts.constants:
            library[facts.precompute](pointer(numbers), pointer(constants))
        shared = ([numbers] if facts.reads_parameters else []) + ([constants] if facts.constants else [])
        shape = (case.routine.most, case.routine.width)
        found = [call_c(library, facts.solve, shape, state["T"], *shared) for state in case.states]
        check_solutions(case, found, 1e-7)
