"""The wheel and the source archive: what they hold, and that both work where nothing but them is installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import check_distribution as distribution
import pytest

VERSIONS = distribution.interpreters(11)


# --- without building ---------------------------------------------------------------------------------------------------


def test_lower_bounds_become_exact_versions() -> None:
    given = ["numpy>=1.26", "typer >= 0.12.4, <1", "robosym[web]>=2", "ruff==0.17.4"]
    assert distribution.lowest(given) == ["numpy==1.26", "typer==0.12.4", "robosym==2", "ruff==0.17.4"]


@pytest.mark.parametrize("requirement", ["numpy", "numpy<2", "numpy~=1.26", "numpy>=", "numpy!=1.26"])
def test_a_requirement_without_a_lower_bound_is_an_error(requirement: str) -> None:
    with pytest.raises(distribution.DistributionError, match="expected a lower bound"):
        distribution.lowest([requirement])


def test_the_project_states_a_lower_bound_for_all_it_needs() -> None:
    needed, runner = distribution.lowest_pins()
    names = {pin.partition("==")[0] for pin in needed}
    assert names >= {"numpy", "scipy", "llvmlite", "typer", "rich", "starlette", "uvicorn"}
    assert {pin.partition("==")[0] for pin in runner} == set(distribution.RUNNER)


def test_the_oldest_python() -> None:
    assert distribution.lowest_minor(">=3.11") == 11
    assert distribution.lowest_minor(">= 3.9, <4") == 9
    with pytest.raises(distribution.DistributionError, match="requires-python"):
        distribution.lowest_minor("~=3.11")


def test_interpreters_are_of_the_version_they_are_listed_under(tmp_path: Path) -> None:
    assert sys.version_info.minor in VERSIONS
    for minor, interpreter in VERSIONS.items():
        code = "import sys; print(sys.version_info[1])"
        done = subprocess.run([interpreter, "-c", code], capture_output=True, text=True, check=True)
        assert int(done.stdout) == minor >= 11
    broken = tmp_path / "python3.99"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    assert distribution.minor_version(str(broken)) is None
    assert distribution.minor_version(str(tmp_path / "none")) is None


INFORMATION = ["robosym-1.0.dist-info/METADATA", "robosym-1.0.dist-info/licenses/LICENSE"]


def wheel_problems(*, without: str = "", more: str = "") -> list[str]:
    """Of a wheel as it should be, less the names that hold a text, with another."""
    files, licences = distribution.package_files(), distribution.vendored()
    names = [name for name in [*files, *INFORMATION] if not without or without not in name]
    return distribution.wheel_problems([*names, *([more] if more else [])], files, licences)


def test_what_is_missing_from_a_wheel_or_too_much_is_named() -> None:
    assert wheel_problems() == []
    assert wheel_problems(without="py.typed") == ["robosym/py.typed is missing"]
    assert "robosym/web/static/main.js is missing" in wheel_problems(without="static/main.js")
    assert len(wheel_problems(without="vendor/licences/")) == len(distribution.vendored()) > 0
    assert wheel_problems(without="licenses/LICENSE") == ["the project's own licence is missing"]
    assert wheel_problems(more="tests/conftest.py") == [
        "tests/conftest.py does not belong into the wheel",
        "tests/conftest.py is a test",
    ]
    assert (
        distribution.wheel_problems(INFORMATION, set(), set())[-1]
        == "the licences of the vendored libraries are missing"
    )


def test_what_is_missing_from_an_archive_or_too_much_is_named() -> None:
    files = distribution.package_files()
    top = ["pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"]
    names = [f"robosym-1.0/{name}" for name in (*top, *(f"src/{name}" for name in files))]
    assert distribution.archive_problems(names, files) == []
    assert distribution.archive_problems(names[1:], files) == ["pyproject.toml is missing"]
    made = "robosym-1.0/tests/__pycache__/conftest.cpython-311.pyc"
    assert distribution.archive_problems([*names, made], files) == [
        "tests/__pycache__/conftest.cpython-311.pyc does not belong into the archive"
    ]


def test_a_command_that_fails_is_an_error_with_its_output(tmp_path: Path) -> None:
    code = "import os, sys; print('PYTHONPATH' in os.environ); sys.exit(3)"
    with pytest.raises(distribution.DistributionError, match=r"(?s)status 3:\nFalse"):
        distribution.run([sys.executable, "-c", code], tmp_path)


# --- built, installed and tried -----------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    asked = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", "hatchling", "hatchling"]
    if subprocess.run(asked, cwd=tmp_path_factory.mktemp("index"), capture_output=True, timeout=120).returncode:
        pytest.skip("pip reaches no index: distributions are not built")
    return distribution.build(tmp_path_factory.mktemp("distribution"))


@pytest.mark.delivery
def test_content(built: tuple[Path, Path]) -> None:
    distribution.check_content(*built)


@pytest.mark.delivery
@pytest.mark.parametrize("minor", VERSIONS)
def test_the_wheel_works(built: tuple[Path, Path], minor: int, tmp_path: Path) -> None:
    report = distribution.try_wheel(built[1], VERSIONS[minor], tmp_path)
    assert "compiled torques agree" in report
    assert "web knows the built-in robots" in report


@pytest.mark.delivery
@pytest.mark.parametrize("minor", VERSIONS)
def test_the_source_archive_works(built: tuple[Path, Path], minor: int, tmp_path: Path) -> None:
    assert "web knows the built-in robots" in distribution.try_archive(built[0], VERSIONS[minor], tmp_path)


@pytest.mark.delivery
def test_the_lowest_versions_that_are_allowed_work(built: tuple[Path, Path], tmp_path: Path) -> None:
    assert "pass with numpy==" in distribution.try_lowest(built[1], VERSIONS[min(VERSIONS)], tmp_path)
