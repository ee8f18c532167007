"""The general method in C: compiled, it finds what the Python solver finds; its kernels do what LAPACK does."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from robosym.errors import RobosymError
from robosym.library import load
from robosym.models import geometric
from robosym.models.inverse_geometric.general import GeneralSolver
from robosym.models.inverse_geometric.general.c_elimination import EIGEN
from robosym.models.inverse_geometric.general.c_kernels import LINEAR
from robosym.models.inverse_geometric.general.c_source import c_source
from robosym.models.inverse_geometric.general.newton import distance, wrapped
from robosym.robot import PRISMATIC, Robot

Compiler = Callable[[str], ctypes.CDLL]
POINTER = ctypes.POINTER(ctypes.c_double)
UNTOUCHED = 1234.5
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]


def random_robot(kinds: str, seed: int) -> Robot:
    rng = np.random.default_rng(seed)
    rows = []
    for kind in kinds:
        row = {"sigma": int(kind), "alpha": float(rng.uniform(-3, 3)), "d": float(rng.uniform(-0.5, 0.5))}
        rows.append(row | {"theta" if kind == "1" else "r": float(rng.uniform(-0.5, 0.5))})
    return Robot.from_table(f"random-{kinds}", rows)


def poses(robot: Robot, count: int, seed: int = 1) -> np.ndarray:
    q = np.random.default_rng(seed).uniform(-np.pi, np.pi, (count, 6))
    q[:, [robot.frame(j).sigma == PRISMATIC for j in robot.moving]] /= np.pi
    return np.asarray(geometric(robot).compile()(q=q))


def at(array: np.ndarray) -> object:
    return array.ctypes.data_as(POINTER)


def solutions(library: ctypes.CDLL, T: np.ndarray, name: str = "arm") -> np.ndarray:
    """The rows that the function fills; it leaves the others alone."""
    pose, found = np.array(T, dtype=float), np.full((16, 6), UNTOUCHED)
    count = getattr(library, f"{name}_solve")(at(pose), at(found))
    assert 0 <= count <= 16
    assert (found[count:] == UNTOUCHED).all()
    return found[:count]


def assert_same(robot: Robot, library: ctypes.CDLL, T: np.ndarray, parameters: dict[str, float] | None = None) -> int:
    """The sets of C and of Python are the same; the number of all solutions."""
    kinds = tuple(robot.frame(j).sigma for j in robot.moving)
    Q, valid, _ = GeneralSolver(robot).candidates(T, parameters)
    for n, pose in enumerate(T):
        mine, expected = solutions(library, pose), Q[n, valid[n]]
        assert len(mine) == len(expected), n
        assert np.array_equal(wrapped(kinds, mine), mine)
        if len(mine):
            apart = distance(kinds, mine[:, None], expected[None])
            assert apart.min(axis=0).max() < 1e-6
            assert apart.min(axis=1).max() < 1e-6
    return int(valid.sum())


def sixteen() -> Robot:
    """Standard Denavit-Hartenberg a, alpha, d in the notation of Khalil and Kleinfinger."""
    a, d = (0.3, 1, 0, 1.5, 0, 0), (0, 0, 0.2, 0, 0, 0)
    alpha = np.radians((0, 90, 1, 90, 1, 90))
    rows = [{"alpha": float(alpha[i]), "d": (0.0, *a)[i], "r": d[i]} for i in range(6)]
    return Robot.from_table("sixteen", rows)


def test_the_sixteen_published_solutions(compiled: Compiler, shared: Path) -> None:
    anchor = json.loads((shared / "anchors" / "six_revolute_16_solutions.json").read_text(encoding="utf-8"))
    found = solutions(compiled(c_source(GeneralSolver(sixteen()))), np.array(anchor["T"]), "sixteen")
    assert len(found) == 16
    for published in np.array(anchor["solutions_rad"]):
        assert distance((0,) * 6, found, published).min() < 1e-9


# 6R, 5R1P, 4R2P in the places that give pencils of each form, 3R3P.
@pytest.mark.parametrize("kinds", ["000000", "000100", "110000", "001100", "010010", "100100", "111000", "010101"])
def test_the_same_solutions_as_python(compiled: Compiler, kinds: str) -> None:
    robot = random_robot(kinds, int(kinds, 2))
    T = poses(robot, 200)
    library = compiled(c_source(GeneralSolver(robot), name="arm"))
    assert assert_same(robot, library, T) >= 400
    found = [solutions(library, pose) for pose in T]
    asked = np.repeat(T, [len(q) for q in found], axis=0)
    residual = np.linalg.norm(_reached(robot, np.vstack(found)) - asked, axis=(1, 2))
    assert residual.max() < 1e-9


def _reached(robot: Robot, q: np.ndarray) -> np.ndarray:
    return np.asarray(geometric(robot).compile()(q=q))


@pytest.mark.parametrize("name", ["puma560", "stanford"])
def test_special_arms(compiled: Compiler, name: str) -> None:
    """Clusters of equal eigenvalues (puma560), neighbouring arms (stanford): rounding may decide over a few roots."""
    robot = load(name)
    T = poses(robot, 100)
    library = compiled(c_source(GeneralSolver(robot), name="arm"))
    counts = np.array([len(solutions(library, pose)) for pose in T])
    expected = GeneralSolver(robot).candidates(T)[1].sum(axis=1)
    assert (counts == expected).mean() > 0.97
    assert counts.max() == 8
    singular = _reached(robot, np.array([np.zeros(6), np.full(6, np.pi / 2), [0.5, -1, 0.3, 0.2, 0, 0.1]]))
    for pose in singular:
        q = solutions(library, pose)
        assert np.isfinite(q).all()
        assert not len(q) or np.linalg.norm(_reached(robot, q) - pose, axis=(1, 2)).max() < 1e-9


def test_base_tool_units_and_offsets(compiled: Compiler) -> None:
    """Millimetres, a base and a tool, offsets of the variables."""
    rng = np.random.default_rng(3)
    rows: list[dict[str, object]] = [{"sigma": 2, "gamma": 0.3, "alpha": 0.7, "r": 4000.0}]
    for i, kind in enumerate("001000"):
        row = {"sigma": int(kind), "gamma": 0.2 * i, "b": 100.0, "alpha": float(rng.uniform(-3, 3)), "d": 300.0}
        rows.append(row | {"variable": f"q{i + 1}", ("r" if kind == "1" else "theta"): f"q{i + 1} + 0.{i + 1}"})
    robot = Robot.from_table("offsets", [*rows, {"sigma": 2, "alpha": 0.1, "theta": 0.5, "r": 200.0}])
    library = compiled(c_source(GeneralSolver(robot), name="arm"))
    q = rng.uniform(-3, 3, (100, 6))
    q[:, 2] *= 100
    assert assert_same(robot, library, _reached(robot, q)) >= 200


def test_parameters_are_printed_as_numbers(compiled: Compiler) -> None:
    rows = [{"alpha": 0.4 * i + 0.3, "d": "L" if i else 0.1, "r": 0.1 * i + 0.1} for i in range(6)]
    robot = Robot.from_table("symbolic", rows)
    solver = GeneralSolver(robot)
    with pytest.raises(RobosymError, match="L"):
        c_source(solver)
    text = c_source(solver, {"L": 0.37}, "arm")
    assert "L = 0.37" in text
    q = np.random.default_rng(0).uniform(-3, 3, (50, 6))
    T = np.asarray(geometric(robot).compile()(q=q, parameters={"L": 0.37}))
    assert assert_same(robot, compiled(text), T, {"L": 0.37}) >= 100


def test_what_is_no_pose_and_what_is_nearly_one(compiled: Compiler) -> None:
    robot = random_robot("000000", 0)
    library = compiled(c_source(GeneralSolver(robot), name="arm"))
    far = np.eye(4)
    far[0, 3] = 100.0
    bad = [far, np.full((4, 4), np.nan), np.zeros((4, 4)), np.diag([1.0, 1, -1, 1]), np.diag([1.0, 1, 1, 2])]
    assert [len(solutions(library, T)) for T in bad] == [0] * 5
    T = poses(robot, 50)
    T[:, :3, :3] += 1e-5 * np.random.default_rng(2).normal(size=(50, 3, 3))
    assert assert_same(robot, library, T) >= 100


def test_names_and_comments(compiled: Compiler) -> None:
    robot = Robot.from_table("*/ é 6r", [{"alpha": 0.4 * i + 0.3, "d": 0.2, "r": 0.1 * i} for i in range(6)])
    text = c_source(GeneralSolver(robot))
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 120
    assert len(solutions(compiled(text), poses(robot, 1)[0], "x_6r")) >= 2


def test_strict_and_optimised(gcc: str, tmp_path: Path) -> None:
    """With optimisation the compiler sees more; nothing but the mathematics library is used."""
    for kinds in ("000000", "010101"):
        file = tmp_path / f"s{kinds}.c"
        file.write_text(c_source(GeneralSolver(random_robot(kinds, 1))), encoding="ascii")
        flags = [
            "-std=c99",
            "-O2",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-pedantic",
            "-Wshadow",
            "-Wmissing-prototypes",
            "-c",
        ]
        done = subprocess.run([gcc, *flags, str(file), "-o", f"{file}.o"], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        text = file.read_text(encoding="ascii")
        assert [line for line in text.splitlines() if line.startswith("#include")] == ["#include <math.h>"]


def test_the_same_bytes_in_another_process() -> None:
    code = (
        "from robosym.library import load; from robosym.models.inverse_geometric.general import GeneralSolver;"
        "from robosym.models.inverse_geometric.general.c_source import c_source; import sys;"
        "sys.stdout.write(c_source(GeneralSolver(load('rx90'))))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"PYTHONHASHSEED": "7"},
    )
    assert run.stdout == c_source(GeneralSolver(load("rx90"))), run.stderr


# --- kernels ---------------------------------------------------------------------------------------------------------

WRAPPER = r"""
int roots(int n, double *a, double *found, double *residual)
{
    double v[SIZE][SIZE], d[SIZE], h[SIZE * SIZE], re[SIZE], im[SIZE];
    Complex w[SIZE];
    balanced(n, a, d);
    hessenberg(n, a, v);
    for (int i = 0; i < n * n; i++) { h[i] = a[i]; }
    const int count = eigenvalues(n, h, re, im);
    for (int k = 0; k < count; k++) {
        found[2 * k] = re[k];
        found[2 * k + 1] = im[k];
        eigenvector(n, a, re[k], im[k], w);
        residual[k] = 0.0;
        for (int i = 0; i < n; i++) {
            double x = im[k] * w[i].im - re[k] * w[i].re, y = -im[k] * w[i].re - re[k] * w[i].im;
            for (int j = 0; j < n; j++) {
                x += a[i * n + j] * w[j].re;
                y += a[i * n + j] * w[j].im;
            }
            residual[k] = fmax(residual[k], hypot(x, y));
        }
    }
    return count;
}
void least(int n, const double *a, const double *b, double *x) { linear(n, 1, a, b, x); }
"""


@pytest.fixture(scope="module")
def kernels(compiled: Compiler) -> ctypes.CDLL:
    head = "#include <math.h>\n#define SIZE 24\n#define EPSILON 2.220446049250313e-16\n"
    prototypes = (
        "int roots(int, double *, double *, double *);\nvoid least(int, const double *, const double *, double *);"
    )
    return compiled("\n".join([head, prototypes, LINEAR, EIGEN, WRAPPER]))


def similar(rng: np.random.Generator, n: int, multiplicity: int) -> np.ndarray:
    """A matrix whose eigenvalues repeat, each with as many eigenvectors."""
    S = rng.normal(size=(n, n))
    return S @ np.diag(np.repeat(rng.normal(size=n), multiplicity)[:n]) @ np.linalg.inv(S)


@pytest.mark.parametrize("n", [1, 2, 3, 8, 16, 24])
@pytest.mark.parametrize("multiplicity", [0, 1, 4])
def test_eigenvalues_and_vectors(kernels: ctypes.CDLL, n: int, multiplicity: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(20):
        A = similar(rng, n, multiplicity) if multiplicity else rng.normal(size=(n, n)) * np.exp(rng.normal(size=(n, 1)))
        work, pairs, residual = A.copy(), np.zeros((n, 2)), np.zeros(n)
        count = kernels.roots(n, at(work), at(pairs), at(residual))
        mine = pairs[:count, 0] + 1j * pairs[:count, 1]
        assert count + np.sum(mine.imag > 0) == n
        sensitivity = 1.0 if multiplicity == 0 else 1e3
        for root in np.linalg.eigvals(A):
            assert np.abs(mine - (root if root.imag >= 0 else root.conjugate())).min() < 1e-9 * sensitivity
        assert residual[:count].max() < 1e-11 * np.abs(work).max()


def test_eigenvalues_of_a_cycle(kernels: ctypes.CDLL) -> None:
    """The usual shifts are zero and lead nowhere: the others must come in."""
    work, pairs, residual = np.roll(np.eye(8), 1, axis=0), np.zeros((8, 2)), np.zeros(8)
    count = kernels.roots(8, at(work), at(pairs), at(residual))
    assert np.allclose(np.hypot(pairs[:count, 0], pairs[:count, 1]), 1.0)
    assert count == 5


def test_linear_equations(kernels: ctypes.CDLL) -> None:
    rng = np.random.default_rng(0)
    A, b, x = rng.normal(size=(6, 6)), rng.normal(size=6), np.zeros(6)
    kernels.least(6, at(A), at(b), at(x))
    assert np.allclose(A @ x, b, atol=1e-12)
    singular = np.diag([1.0, 2, 0, 4, 5, 6])
    kernels.least(6, at(singular), at(b), at(x))
    assert np.allclose(x, [b[0], b[1] / 2, 0, b[3] / 4, b[4] / 5, b[5] / 6], atol=1e-9)
    nothing = np.zeros((6, 6))
    kernels.least(6, at(nothing), at(b), at(x))
    assert not x.any()
