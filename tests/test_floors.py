"""Each package imports only what the table of CONTRIBUTING.md says it may: the imports are read, not run.

All imports count, also those inside a function and those under ``if TYPE_CHECKING``: a name that only a type checker
needs is still something the package must know about. Nothing of ours needs an exception.
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "robosym"
ROW = re.compile(r"^\| `([\w.]+)` \| .+ \| (.*?) ?\|$", re.MULTILINE)
IMPORT = re.compile(r"^[ \t]*((?:from [\w.]+ import|import) (?:\([^)]*\)|[^\n(]*))", re.MULTILINE)
EVERY_ROOM = "every room of it"  # in place of the rooms of models one by one
IN_BULK = (
    "models",
    "analysis",
    "control",
    "identification",
    "packaging",
    "cli",
)  # rows that are allowed rooms without naming each
TOP = ("__init__", "__main__")  # of the package itself, above everything


@cache
def modules() -> tuple[tuple[str, ast.Module, list[str]], ...]:
    """The name of each module, its syntax tree, and the package that a relative import of it starts from."""
    return tuple(_modules())


def _modules() -> Iterator[tuple[str, ast.Module, list[str]]]:
    for path in sorted(SOURCE.rglob("*.py")):
        package = list(path.relative_to(SOURCE).parent.parts)
        name = ".".join(package if path.stem == "__init__" and package else [*package, path.stem])
        yield name, statements(path.read_text()), package


def statements(text: str) -> ast.Module:
    """The import statements of a file: parsing these lines alone takes a tenth of the time."""
    body: list[ast.stmt] = []
    for line in IMPORT.findall(text):
        with contextlib.suppress(SyntaxError):  # a sentence of a docstring that begins so
            body += ast.parse(line).body
    return ast.Module(body, [])


def is_module(name: str) -> bool:
    path = SOURCE.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def imported(tree: ast.Module, package: list[str]) -> Iterator[str]:
    """The modules of ours that a file imports, named from the package's root (which is ``""``)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                head, _, rest = alias.name.partition(".")
                if head == "robosym":
                    yield rest
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                base = package[: len(package) - node.level + 1]
            elif node.module and node.module.split(".")[0] == "robosym":
                base = []
            else:
                continue
            inside = (node.module or "").split(".")[0 if node.level else 1 :] if node.module else []
            for alias in node.names:
                longer = ".".join([*base, *inside, alias.name])
                if is_module(longer):
                    yield longer
                elif base or inside or alias.name != "__version__":
                    yield ".".join([*base, *inside])


def table(text: str) -> dict[str, frozenset[str]]:
    """What each row may import: the rows it names, and the rooms of a row where it says so."""
    rows = ROW.findall(text)
    names = [name for name, _ in rows]
    allowed: dict[str, frozenset[str]] = {}
    for name, written in rows:
        listed = set(re.findall(r"`([\w.]+)`", written))
        if EVERY_ROOM in written:
            listed |= {room for room in names if room.startswith("models.")}
        if written == "everything above":
            listed = set(allowed)
        allowed[name] = frozenset(listed)
    return allowed


def row_of(module: str, rows: dict[str, frozenset[str]]) -> str:
    """The row a module belongs to: the longest name it begins with."""
    parts = module.split(".")
    return next((name for n in range(len(parts), 0, -1) if (name := ".".join(parts[:n])) in rows), "")


def violations(rows: dict[str, frozenset[str]], files: Sequence[tuple[str, ast.Module, list[str]]]) -> list[str]:
    found = []
    for name, tree, package in files:
        if name in TOP:
            continue
        own = row_of(name, rows)
        for other in imported(tree, package):
            theirs = row_of(other, rows)
            if theirs != own and theirs not in rows[own]:
                found.append(
                    f"{name} imports {other or 'robosym'}: the row of {own} does not name {theirs or 'robosym'}"
                )
    return found


ROWS = table((ROOT / "CONTRIBUTING.md").read_text())


def test_the_table_names_every_package() -> None:
    assert [name for name, _, _ in modules() if name not in TOP and not row_of(name, ROWS)] == []
    assert [name for name in ROWS if not is_module(name)] == []
    rooms = {path.parent.name for path in (SOURCE / "models").glob("*/__init__.py")}
    assert {f"models.{room}" for room in rooms} <= set(ROWS)


def test_rows_import_only_rows_above_them() -> None:
    order = list(ROWS)
    for name, allowed in ROWS.items():
        assert [other for other in allowed if other not in order[: order.index(name)]] == [], name


def test_imports_agree_with_the_table() -> None:
    assert violations(ROWS, modules()) == []


@pytest.mark.mostly_slow(fast=46)
@pytest.mark.parametrize("row", [name for name in ROWS if name not in IN_BULK])
def test_the_table_allows_no_more_than_is_used(row: str) -> None:
    """So that it tells what is there."""
    used = {row_of(o, ROWS) for name, tree, at in modules() if row_of(name, ROWS) == row for o in imported(tree, at)}
    assert sorted(ROWS[row] - used) == []


FORBIDDEN = [
    ("models.tree", "models.kinematic"),
    ("models.tree", "models.dynamic.inverse"),
    ("models.tree", "models.inertial_parameters"),
    ("models.kinematic", "models.dynamic.inverse"),
    ("models.kinematic", "models.dynamic.coefficients"),
    ("models.dynamic.inverse", "models.dynamic.forward"),
    ("models.dynamic.inverse", "models.dynamic.coefficients"),
    ("runtime", "robot"),
    ("codegen", "robot"),
    ("program", "robot"),
    *((name, "cli") for name in ROWS if name != "cli"),
]


@pytest.mark.parametrize(("lower", "upper"), FORBIDDEN)
def test_what_the_table_must_never_allow(lower: str, upper: str) -> None:
    assert upper not in ROWS[lower]


@pytest.mark.parametrize(
    ("package", "text", "found"),
    [
        ("runtime", "from ..robot import Robot", "robot"),
        ("runtime", "def f():\n    from ..robot.checks import checked", "robot.checks"),
        ("models.tree", "if TYPE_CHECKING:\n    from ..kinematic import jacobian", "models.kinematic.jacobian"),
        ("models.tree", "from ..dynamic.inverse.bias import x", "models.dynamic.inverse.bias"),
        ("expr", "import robosym.program.graph", "program.graph"),
        ("expr", "from robosym.program import Graph", "program"),
        ("models.kinematic", "from ... import cli", "cli"),
        ("codegen", "from .. import load", "robosym"),
    ],
)
def test_an_import_upward_is_found(package: str, text: str, found: str) -> None:
    (said,) = violations(ROWS, [(f"{package}.new", ast.parse(text), package.split("."))])
    assert said.startswith(f"{package}.new imports {found}:")


def test_all_imports_of_a_file_are_read() -> None:
    """The same as in its syntax tree."""
    for path in sorted(SOURCE.rglob("*.py"))[::9]:
        text, package = path.read_text(), list(path.relative_to(SOURCE).parent.parts)
        assert set(imported(statements(text), package)) == set(imported(ast.parse(text), package)), path


def test_the_version_may_be_read_from_anywhere() -> None:
    assert violations(ROWS, [("codegen.new", ast.parse("from .. import __version__"), ["codegen"])]) == []


def test_the_table_is_read_in_full() -> None:
    lines = [line for line in (ROOT / "CONTRIBUTING.md").read_text().splitlines() if line.startswith("| `")]
    assert len(ROWS) == len(lines) > 20
