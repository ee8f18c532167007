"""The self-check in C: small packages built and run, broken on purpose; and the comparison itself beside NumPy."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from package_parts import ordered

import robosym
from robosym.codegen.targets.c.printer import CPrinter, printer_for
from robosym.packaging import Order, Part
from robosym.packaging.c_check import (
    DOUBLES,
    ROUTINES,
    SINGLES,
    apart,
    column,
    facts_of_part,
    real_of,
    table,
    text,
    tolerance,
)
from robosym.packaging.c_library import files

STRICT = ["-std=c99", "-O0", "-Wall", "-Wextra", "-Werror", "-pedantic"]
MODELS = ("gravity", "energy", "inverse-geometric")


def built(
    order: Order, parts: list[Part], folder: Path, gcc: str, **changes: tuple[str, str]
) -> subprocess.CompletedProcess[str]:
    """The package with other texts in files whose names end so, compiled and run."""
    made = files(order, parts)
    for end, (old, new) in changes.items():
        (name,) = (name for name in made if Path(name).stem.endswith(end) and name.endswith(".c"))
        assert old in made[name]
        made[name] = made[name].replace(old, new, 1)
    for path, code in made.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(code, encoding="ascii")
    sources = [str(path) for path in sorted(folder.rglob("*.c"))]
    done = subprocess.run(
        [gcc, *STRICT, "-Iinclude", *sources, "-lm", "-o", "check"], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return subprocess.run([str(folder / "check")], capture_output=True, text=True, timeout=60)


def verdicts(done: subprocess.CompletedProcess[str]) -> list[tuple[str, str]]:
    return [tuple(line.split()[:2]) for line in done.stdout.splitlines()[:-1]]  # type: ignore[misc]


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("options", [{}, {"precision": "float"}, {"numeric": True}])
def test_a_package_is_right(options: dict[str, str], gcc: str, tmp_path: Path) -> None:
    order, parts = ordered(MODELS, **options)
    done = built(order, parts, tmp_path, gcc)
    assert done.returncode == 0
    assert verdicts(done) == [("ok", name) for name in MODELS]
    assert done.stdout.endswith("0 of 3 models wrong\n")


def test_parameters_without_a_value_are_made_up(gcc: str, tmp_path: Path) -> None:
    order, parts = ordered(["gravity", "inverse-geometric"], robosym.load("planar-2r").replace(values={}))
    assert "/* Made up for those that have no value. */" in text(order, parts)
    assert built(order, parts, tmp_path, gcc).returncode == 0
    assert "Made up" not in text(*ordered(["gravity", "inverse-geometric"]))


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("gravity", "Q[0] = ", "Q[0] = 1e-6 + "),
        ("gravity", "Q[1] = ", "Q[1] = (0.0/0.0) + "),
        ("energy", "potential[0] = ", "potential[0] = (1.0/0.0) + "),
        ("energy", "kinetic[0] = ", "kinetic[0] = -"),
        ("inverse_geometric", "return total + 1;", "return total;"),
    ],
)
def test_broken_code_is_noticed(file: str, old: str, new: str, gcc: str, tmp_path: Path) -> None:
    order, parts = ordered([file.replace("_", "-")])
    done = built(order, parts, tmp_path, gcc, **{file: (old, new)})
    assert done.returncode == 1
    assert verdicts(done) == [("WRONG", parts[0].name)]
    assert done.stdout.endswith("1 of 1 models wrong\n")


def test_a_wrong_reference_is_noticed(gcc: str, tmp_path: Path) -> None:
    """A change of one part in ten million."""
    order, (first, second) = ordered(["gravity", "energy"])
    assert first.reference is not None
    expected = [dict(one) for one in first.reference.expected]
    expected[1]["Q"] = expected[1]["Q"] * (1 + 1e-7)
    wrong = replace(first, reference=replace(first.reference, expected=tuple(expected)))
    assert verdicts(built(order, [wrong, second], tmp_path, gcc)) == [("WRONG", "gravity"), ("ok", "energy")]


# --- the comparison -----------------------------------------------------------------------------------------------------

HEAD = "#include <math.h>\ndouble larger(double a, double b);\ndouble larger(double a, double b) { return a > b ? a : b; }\n"


@pytest.fixture(scope="module")
def distance(compiled: Callable[[str], ctypes.CDLL]) -> Callable[[np.ndarray, np.ndarray], float]:
    code = apart("double").replace("static double apart_double", "double apart_double")
    library = compiled(f"{HEAD}double apart_double(const double *found, const double *expected, int size);\n{code}\n")
    pointer = np.ctypeslib.ndpointer(np.float64)
    library.apart_double.argtypes, library.apart_double.restype = [pointer, pointer, ctypes.c_int], ctypes.c_double

    def of(found: np.ndarray, expected: np.ndarray) -> float:
        return float(library.apart_double(np.array(found, float), np.array(expected, float), len(expected)))

    return of


@pytest.mark.parametrize("seed", range(5))
def test_how_far_arrays_are_apart(seed: int, distance: Callable[[np.ndarray, np.ndarray], float]) -> None:
    """Relative to the largest entry or to one; what is expected to be no number is not compared."""
    rng = np.random.default_rng(seed)
    expected = rng.normal(size=6) * 10.0 ** rng.integers(-3, 4)
    found = expected + rng.normal(size=6) * 1e-6
    worst = np.abs(found - expected).max() / max(1.0, np.abs(expected).max())
    assert distance(found, expected) == pytest.approx(worst, rel=1e-12)
    for odd in (np.nan, np.inf, -np.inf):
        other = expected.copy()
        other[2] = odd
        rest = np.delete(np.arange(6), 2)
        worst = np.abs(found - expected)[rest].max() / max(1.0, np.abs(expected[rest]).max())
        assert distance(found, other) == pytest.approx(worst, rel=1e-12)
        wrong = found.copy()
        wrong[4] = odd
        assert distance(wrong, expected) == np.inf
    assert distance(np.zeros(0), np.zeros(0)) == 0


@pytest.mark.parametrize("real", ["double", "float"])
def test_tables_keep_every_digit(real: str, compiled: Callable[[str], ctypes.CDLL]) -> None:
    rows = [np.array([0.1, -0.0, 1e300 if real == "double" else 1e30]), np.array([np.nan, np.inf, -np.inf])]
    lines = table("numbers", real, rows, printer_for(real))
    library = compiled("#include <math.h>\n" + "\n".join(lines).replace("    static const", "const", 1))
    kind = ctypes.c_double if real == "double" else ctypes.c_float
    found = np.ctypeslib.as_array(((kind * 3) * 2).in_dll(library, "numbers"))
    np.testing.assert_array_equal(found, np.array(rows).astype(found.dtype))
    assert np.signbit(found[0, 1])


def test_a_table_of_nothing_is_still_one() -> None:
    assert table("none", "double", [np.zeros(0)], CPrinter()) == [
        "    static const double none[1][1] = {",
        "        {0.0},",
        "    };",
    ]


def test_columns_of_states() -> None:
    states = [
        {"q": np.array([[1.0, 2.0], [3.0, 4.0]]), "x": np.array(7.0)},
        {"q": np.zeros((2, 2)), "x": np.array(8.0)},
    ]
    first, second = column(states, "q")
    np.testing.assert_array_equal(first, [1, 2, 3, 4])
    np.testing.assert_array_equal(second, np.zeros(4))
    assert [x.tolist() for x in column(states, "x")] == [[7.0], [8.0]]


# --- tolerances ---------------------------------------------------------------------------------------------------------


def test_tolerances() -> None:
    order, (direct, routine) = ordered(["gravity", "inverse-geometric"])
    single = replace(order, precision="float")
    assert (tolerance(order), tolerance(single)) == (DOUBLES, SINGLES)
    assert [real_of(single, part.printed) for part in (direct, routine)] == ["float", "double"]
    assert real_of(order, direct.printed) == "double"
    said = text(order, [direct, routine])
    assert f'report("gravity", error, {DOUBLES!r})' in said
    assert f'report("inverse-geometric", error, {ROUTINES!r})' in said
    assert ("apart_float" in said, "apart_double" in said) == (False, True)
    mixed = text(*ordered(["gravity", "inverse-geometric"], precision="float"))
    assert "static double apart_float" in mixed
    assert "static double apart_double" in mixed


def test_names_of_the_functions() -> None:
    _, parts = ordered(["gravity", "inverse-geometric"])
    assert [facts_of_part(part).function for part in parts] == ["planar_2r_gravity", "planar_2r_inverse_geometric"]
