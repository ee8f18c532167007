"""Layout of the tests: each module with logic has a test file of its name in the folder of its package's."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE, TESTS = ROOT / "src" / "robosym", ROOT / "tests"
PACKAGES = (
    *("expr", "spatial", "program", "robot", "generated", "runtime"),
    *("models", "control", "simulation", "analysis", "trajectory", "codegen"),
    *("views", "plots", "scene"),
    *("identification", "verification", "options"),
    *("formats", "packaging", "library"),
)
LANGUAGES = Path("codegen") / "targets"  # a folder for each language
# Modules with logic that have no test file of their own, and why. The test also fails where an entry is no longer needed.
EXCEPTIONS: dict[str, str] = {
    "models/__init__.py": "lists the model functions: tests/models/test_names.py and every test of all models",
}


def has_logic(path: Path) -> bool:
    """Whether a module has functions or methods; an ``__init__`` also may have some."""
    return any(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    )


def mirror(module: Path) -> Path:
    """tests/a/test_b.py of a/b.py, and of the package a/b, whose file is a/b/__init__.py. All modules of a language are tested
    together, by running what they write: tests/codegen/test_c.py of codegen/targets/c."""
    if module.is_relative_to(LANGUAGES) and len(module.parts) > len(LANGUAGES.parts) + 1:
        return LANGUAGES.parent / f"test_{module.parts[len(LANGUAGES.parts)]}.py"
    own = module.parent if module.name == "__init__.py" else module.with_suffix("")
    return own.parent / f"test_{own.name}.py"


def modules(package: str, source: Path = SOURCE) -> list[Path]:
    return [path.relative_to(source) for path in sorted((source / package).rglob("*.py")) if has_logic(path)]


def without_tests(package: str, source: Path = SOURCE, tests: Path = TESTS) -> list[str]:
    return [module.as_posix() for module in modules(package, source) if not (tests / mirror(module)).is_file()]


@pytest.mark.mostly_slow(fast=9)
@pytest.mark.parametrize("package", PACKAGES)
def test_each_module_has_a_test_file(package: str) -> None:
    expected = [name for name in EXCEPTIONS if name.split("/")[0] == package]
    assert without_tests(package) == sorted(expected)


def test_files_are_looked_for_where_they_belong(tmp_path: Path) -> None:
    source, tests = tmp_path / "src", tmp_path / "tests"
    for name, text in {
        "a/__init__.py": "from .b import f",
        "a/b.py": "def f(): ...",
        "a/table.py": "X = {1: 2}",
        "a/c/__init__.py": "class C:\n    def m(self): ...",
        "a/c/d.py": "F = {1: lambda x: x}",
    }.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text)
    assert without_tests("a", source, tests) == ["a/b.py", "a/c/__init__.py", "a/c/d.py"]
    for name in ("a/test_b.py", "a/test_c.py", "a/c/test_d.py"):
        (tests / name).parent.mkdir(parents=True, exist_ok=True)
        (tests / name).touch()
    assert without_tests("a", source, tests) == []


def test_a_language_has_one_test_file(tmp_path: Path) -> None:
    source, tests = tmp_path / "src", tmp_path / "tests"
    folder = source / "codegen" / "targets"
    modules_of_c = [folder / "c" / name for name in ("__init__.py", "printer.py", "parts/tables.py")]
    for module in (*modules_of_c, folder / "rust" / "routine.py", folder / "shared.py"):
        module.parent.mkdir(parents=True, exist_ok=True)
        module.write_text("def f(): ...")
    names = [f"codegen/targets/{name}" for name in ("c/__init__.py", "c/parts/tables.py", "c/printer.py")]
    others = ["codegen/targets/rust/routine.py", "codegen/targets/shared.py"]
    assert without_tests("codegen", source, tests) == [*names, *others]
    (tests / "codegen" / "targets").mkdir(parents=True)
    (tests / "codegen" / "test_c.py").touch()
    assert without_tests("codegen", source, tests) == others
    (tests / "codegen" / "test_rust.py").touch()
    (tests / "codegen" / "targets" / "test_shared.py").touch()
    assert without_tests("codegen", source, tests) == []
