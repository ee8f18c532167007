"""Fixtures shared by all tests."""

from __future__ import annotations

import ctypes
import gc
import hashlib
import importlib.util
import os
from collections.abc import Callable, Iterator
from functools import _lru_cache_wrapper
from pathlib import Path

import language_report
import parts
import pytest
import tool_runs
from hypothesis import settings
from tool_runs import run_tool

# How long an example takes says more about who else uses the machine than about the code.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


def _machine_code() -> str:
    """A folder of the tests' own, shared by all their processes: one for each state of the code that compiles."""
    place = tool_runs.cache_folder()
    package = importlib.util.find_spec("robosym")
    if place is None or package is None or package.origin is None:
        return "off"
    engine = Path(package.origin).parent / "runtime" / "engine.py"
    return str(place / f"machine-code-{hashlib.sha256(engine.read_bytes()).hexdigest()[:12]}")


os.environ.setdefault("ROBOSYM_CACHE", _machine_code())

# Without optimisation: gcc takes half the time for functions of ten thousand lines, and they run once.
STRICT = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-std=c99"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew instead of comparing")


@pytest.hookimpl(tryfirst=True)  # before -m selects
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    language_report.remember(items)
    parts.mark_slow_cases(items)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Imported modules stay for the whole run: garbage collections pass over them, and are fewer."""
    gc.set_threshold(50_000, 50, 100)
    gc.freeze()


def pytest_sessionstart(session: pytest.Session) -> None:
    if "PYTEST_XDIST_WORKER" not in os.environ:
        tool_runs.remove_unused()


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

    def build(text: str) -> ctypes.CDLL:
        folder = tmp_path_factory.mktemp("c")
        (folder / "text.c").write_text(text, encoding="ascii")
        done = run_tool([gcc, *STRICT, "-O0", "-shared", "-fPIC", "text.c", "-o", "text.so", "-lm"], folder)
        assert done.returncode == 0, done.stderr + text
        return ctypes.CDLL(str(folder / "text.so"))

    return build
