"""The library in C: its files, the numbers in them, and names that would be taken for something else."""

from __future__ import annotations

import ctypes
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from language_report import tool
from package_parts import ordered
from package_robots import EVIL

import robosym
from robosym import packaging
from robosym.codegen import CodegenError
from robosym.packaging import Order
from robosym.packaging.c_library import building, cmake, defaults_name, files, has_defaults, sources, target
from robosym.robot import Value

STRICT = ["-std=c99", "-O0", "-Wall", "-Wextra", "-Werror", "-pedantic"]


@pytest.mark.delivery
@pytest.mark.parametrize("name", ["math", "a" * 80])
def test_any_name_gives_a_library_that_builds(tmp_path, name):
    gcc = tool("c")
    packaging.export(robosym.load("planar-2r"), "c", tmp_path / "made", name=name)
    sources = [str(path) for path in (tmp_path / "made").rglob("*.c")]
    command = [gcc, *STRICT, "-Iinclude", *sources, "-o", "check", "-lm"]
    subprocess.run(command, cwd=tmp_path / "made", check=True, timeout=120)
    subprocess.run(["./check"], cwd=tmp_path / "made", check=True, timeout=60)


# --- files ----------------------------------------------------------------------------------------------------------------


def test_headers_and_code_have_their_folders() -> None:
    _, parts = ordered(["gravity", "inverse-geometric"])
    found = sources(parts)
    assert found == {
        f"{'include' if name.endswith('.h') else 'src'}/{name}": text
        for part in parts
        for name, text in part.files.items()
    }
    assert set(sources(parts, "c", "c")) == {f"c/{name}" for part in parts for name in part.files}
    first, second = parts
    clash = replace(second, files={next(iter(first.files)): "other"})
    with pytest.raises(
        CodegenError, match=r"two models would be written to 'include/planar_2r_gravity\.h': inverse-geometric and one"
    ):
        sources([first, clash])


def test_one_header_includes_all() -> None:
    order, parts = ordered(["gravity", "transform"])
    text = files(order, parts)["include/planar_2r.h"]
    included = re.findall('#include "(.*)"', text)
    assert included == ["planar_2r_gravity.h", "planar_2r_parameters.h", "planar_2r_transform.h"]
    assert "#ifndef PLANAR_2R_ALL_H\n#define PLANAR_2R_ALL_H\n" in text


def test_without_values_there_is_no_file_of_them() -> None:
    order, parts = ordered(["gravity"], robosym.load("planar-2r").replace(values={}))
    assert not has_defaults(parts[0])
    assert not [name for name in files(order, parts) if "parameters" in name]
    (numeric,) = ordered(["gravity"], numeric=True)[1]
    assert not has_defaults(numeric)


# --- values ---------------------------------------------------------------------------------------------------------------

NUMBERS = (0.1, -0.0, 1e-300, 5e-324, -1.7976931348623157e308, 1 / 3)


@pytest.mark.parametrize("precision", ["double", "float"])
def test_values_in_the_library_are_those_of_the_robot(precision: str, compiled: Callable[[str], ctypes.CDLL]) -> None:
    """Compiled and read back: each model's own, in the order of its function."""
    robot = robosym.load("planar-2r")
    numbers = NUMBERS if precision == "double" else (0.1, -0.0, 1e-30, 0.5, -3e38, 1 / 3)
    values = {name: Value(x, 'a */ "unit"', EVIL) for name, x in zip(robot.values, numbers * 9, strict=False)}
    order, parts = ordered(
        ["gravity", "transform", "inverse-geometric"], robot.replace(values=values), precision=precision
    )
    made = files(order, parts)
    header = made["include/planar_2r_parameters.h"]
    source = made["src/planar_2r_parameters.c"].replace('#include "planar_2r_parameters.h"', header)
    library = compiled(source)
    for part in parts:
        names = [symbol.name for symbol in part.printed.parameter_symbols]
        real = ctypes.c_double if precision == "double" or part.name == "inverse-geometric" else ctypes.c_float
        found = (real * len(names)).in_dll(library, defaults_name(part))
        assert list(found) == [real(values[name].number).value for name in names]


def test_values_say_where_they_come_from() -> None:
    order, parts = ordered(["transform"])
    text = files(order, parts)["src/planar_2r_parameters.c"]
    value = order.robot.values["L1"]
    assert f"/* L1, {value.unit}, {value.source} */" in " ".join(text.split())


# --- CMake ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("arm", "arm"),
        ("test", "test_library"),
        ("install", "install_library"),
        ("all", "all_library"),
        ("Test", "Test"),
    ],
)
def test_names_that_cmake_keeps_for_itself(name: str, expected: str) -> None:
    order = Order(robosym.load("planar-2r"), "c", name)
    assert target(order) == expected
    assert f"link `{expected}`" in " ".join(building(order).split())
    assert f"add_library({expected}\n" in cmake(order, [], "C", "test/check.c")


def test_the_build_file_lists_the_code_alone() -> None:
    order, parts = ordered(["gravity", "transform"])
    found = files(order, parts)
    text = found["CMakeLists.txt"]
    listed = re.search(r"add_library\(planar_2r\n(.*?)\)", text, re.DOTALL)
    assert listed is not None
    assert listed[1].split() == sorted(name for name in found if name.startswith("src/"))
    assert "add_executable(planar_2r_check test/check.c)" in text
    assert "cxx" not in text.lower()
    assert "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>" in text


def test_the_build_file_of_a_header_for_cpp() -> None:
    order, _ = ordered(["gravity"])
    text = cmake(
        order,
        ["src/b.c", "src/a.c", "include/x.h"],
        "C CXX",
        "test/check.cpp",
        "install(FILES package.xml DESTINATION x)",
    )
    assert "project(planar_2r C CXX)" in text
    assert "set(CMAKE_CXX_STANDARD 17)" in text
    assert "target_compile_features(planar_2r PUBLIC cxx_std_17)" in text
    assert "  src/a.c\n  src/b.c)" in text
    assert text.rstrip().endswith("install(FILES package.xml DESTINATION x)")


@pytest.mark.parametrize(("precision", "tolerance"), [("double", "1e-09"), ("float", "0.001")])
def test_the_page_says_how_near_the_check_looks(precision: str, tolerance: str) -> None:
    text = " ".join(building(Order(robosym.load("planar-2r"), "c", "arm", precision)).split())
    assert f"to {tolerance} of the largest entry" in text
    assert "iterates to 1e-07" in text


def test_any_name_of_a_robot_gives_comments_that_end(gcc: str, tmp_path: Path) -> None:
    order, parts = ordered(["gravity"], robosym.load("planar-2r").replace(name=EVIL), name="arm")
    for path, text in files(order, parts).items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="ascii")
    command = [gcc, *STRICT, "-fsyntax-only", "-Iinclude", *(str(path) for path in tmp_path.rglob("*.c"))]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)
