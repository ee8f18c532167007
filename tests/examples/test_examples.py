"""Every example runs, as a person would run it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


def said(path: Path, folder: Path, *words: str) -> str:
    """What an example prints."""
    command = [sys.executable, str(path), *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_runs(path: Path, tmp_path: Path) -> None:
    assert said(path, tmp_path).strip()


@pytest.mark.parametrize(
    ("robot", "line"),
    [("rx90", "rank 5 of 6"), ("scara", "rank 3 of 4"), ("panda", "redundant"), ("general-6r", "not solved")],
)
def test_the_singularities_of_a_robot_named_on_the_line(robot: str, line: str, tmp_path: Path) -> None:
    path = next(path for path in EXAMPLES if path.stem == "singularities")
    assert line in said(path, tmp_path, robot)


def test_there_are_examples() -> None:
    assert EXAMPLES
