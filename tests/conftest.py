"""Fixtures shared by all tests."""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Callable, Iterator
from functools import _lru_cache_wrapper

import language_report
import pytest
from hypothesis import settings

# How long an example takes says more about who else uses the machine than about the code.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

# Machine code of thousands of random programs does not belong into the user's own folder.
os.environ.setdefault("ROBOSYM_CACHE", "off")

# Without optimisation: gcc takes half the time for functions of ten thousand lines, and they run once.
STRICT = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-std=c99"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew instead of comparing")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "runs(language): the test runs generated code in that language")
    config.addinivalue_line("markers", "checks(language): the test computes what the text says, without running it")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    language_report.remember(items)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    lines = language_report.summary(terminalreporter.stats)
    if lines:
        terminalreporter.section("languages")
        for line in lines:
            terminalreporter.write_line(line)


@pytest.fixture(scope="module", autouse=True)
def forgotten(request: pytest.FixtureRequest) -> Iterator[None]:
    """The models that a file of tests has cached go when it is done: of all files together they are gigabytes."""
    yield
    for value in vars(request.module).values():
        if isinstance(value, _lru_cache_wrapper) and value.__module__ == request.module.__name__:
            value.cache_clear()


@pytest.fixture(scope="session")
def gcc() -> str:
    return language_report.tool("c")


@pytest.fixture(scope="session")
def compiled(gcc: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], ctypes.CDLL]:
    """Compiles one C text, every warning an error, into a library of this process."""
    folder = tmp_path_factory.mktemp("c")

    def build(text: str) -> ctypes.CDLL:
        number = len(list(folder.glob("*.c")))
        source, library = folder / f"s{number}.c", folder / f"s{number}.so"
        source.write_text(text, encoding="ascii")
        command = [gcc, *STRICT, "-O0", "-shared", "-fPIC", str(source), "-o", str(library), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr + text
        return ctypes.CDLL(str(library))

    return build
