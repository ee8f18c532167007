"""Says at the end of a run which languages were really run, by what, and which were only printed.

A test that runs generated code is marked ``@pytest.mark.runs("rust")``. Only those that passed count, so a language whose
compiler is missing, or whose tests were not chosen or failed, never appears as run. One that reads and computes the text
without running it is marked ``@pytest.mark.checks("julia")``.
"""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from typing import Any

import pytest

RUNS, CHECKS = "runs", "checks"  # marks of tests, and properties of their reports


@dataclass(frozen=True)
class Runner:
    """What runs a language: a program or a package of Python. ``real``: the language's own, not one that stands in."""

    name: str
    commands: tuple[str, ...] = ()
    package: str = ""  # as it is imported
    real: bool = True

    @property
    def version(self) -> str:
        if self.package:
            return metadata.version(self.name)
        for command in filter(None, map(shutil.which, self.commands)):
            done = subprocess.run([command, "--version"], capture_output=True, text=True, timeout=60)
            found = re.search(r"\d+\.\d+(\.\d+)?", done.stdout + done.stderr)
            return found[0] if found else ""
        return platform.python_version() if self.name == "python" else ""


RUNNERS = {
    "c": Runner("gcc", ("gcc", "cc")),
    "casadi": Runner("casadi", package="casadi"),
    "cpp": Runner("g++", ("g++", "c++")),
    "fortran": Runner("gfortran", ("gfortran",)),
    "javascript": Runner("node", ("node",)),
    "jax": Runner("jax", package="jax"),
    "json": Runner("robosym"),
    "julia": Runner("julia", ("julia",)),
    "latex": Runner("pdflatex", ("pdflatex",)),
    "maple": Runner("giac", ("giac",), real=False),
    "mathematica": Runner("Mathics3", package="mathics", real=False),
    "matlab": Runner("octave", ("octave-cli", "octave"), real=False),
    "numpy": Runner("numpy", package="numpy"),
    "python": Runner("python"),
    "rust": Runner("rustc", ("rustc",)),
}
CHECKED = {"julia": "its syntax tree was checked and evaluated", "latex": "its formulas were read back and computed"}


def tool(language: str) -> str:
    """The path of the program that runs a language, or the test is skipped, saying so."""
    for path in filter(None, map(shutil.which, RUNNERS[language].commands)):
        return path
    pytest.skip(missing(language))


def missing(language: str) -> str:
    return f"{RUNNERS[language].name} is not installed: {language} is printed but not run"


def remember(items: Iterable[pytest.Item]) -> None:
    """Reports carry the marks: they reach the process that writes the summary, whichever ran the test."""
    for item in items:
        for kind in (RUNS, CHECKS):
            item.user_properties += [(kind, mark.args[0]) for mark in item.iter_markers(kind)]


def languages_in(reports: Iterable[Any], kind: str = RUNS) -> set[str]:
    return {value for report in reports for name, value in getattr(report, "user_properties", ()) if name == kind}


def summary(stats: dict[str, list[Any]]) -> list[str]:
    """The lines, from the reports by outcome; none if no test that runs a language was chosen."""
    passed, skipped = languages_in(stats.get("passed", ())), languages_in(stats.get("skipped", ()))
    reasons = " ".join(str(report.longrepr) for report in stats.get("skipped", ()))  # of whole files
    skipped |= {language for language in RUNNERS if missing(language) in reasons}
    failed = languages_in([*stats.get("failed", ()), *stats.get("error", ())])
    checked = languages_in(stats.get("passed", ()), CHECKS)
    good, known = passed - failed, sorted(RUNNERS)
    said = [
        ("run in the real thing", [_by(name) for name in known if name in good and RUNNERS[name].real]),
        ("run by one that stands in", [_by(name) for name in known if name in good and not RUNNERS[name].real]),
        ("FAILED", [name for name in known if name in failed]),
        (
            "printed but not run here",
            [_why(name, name in checked) for name in known if name in skipped - passed - failed],
        ),
    ]
    return [f"{what}: {', '.join(listed)}" for what, listed in said if listed]


def _by(language: str) -> str:
    runner = RUNNERS[language]
    return f"{language} ({' '.join(filter(None, [runner.name, runner.version]))})"


def _why(language: str, is_checked: bool) -> str:
    return f"{language} (no {RUNNERS[language].name}{f': {CHECKED[language]}' if is_checked else ''})"
