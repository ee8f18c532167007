"""Every example runs, as a person would run it; one of them in a new process."""

from __future__ import annotations

import contextlib
import io
import re
import runpy
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from sweeps import some

WORDS = {"gain_sweep": ("100", "sweep.svg")}  # fewer rollouts than a person would take
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


def said(path: Path, folder: Path, *words: str) -> str:
    """What an example prints, run in this process, which has imported everything already."""
    printed = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("default")
        patch.chdir(folder)
        patch.setattr(sys, "argv", [str(path), *words])
        runpy.run_path(str(path), run_name="__main__")
    return printed.getvalue()


@pytest.mark.delivery
def test_a_process_says_what_the_tests_in_this_one_see(tmp_path: Path) -> None:
    path = next(path for path in EXAMPLES if path.stem == "first_model")
    done = subprocess.run([sys.executable, str(path)], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, said(path, tmp_path)), done.stderr


JUDGED = ("free_flyer", "flexible_arm", "singularities", "first_model")  # run by a test of their own


@pytest.mark.delivery
@pytest.mark.parametrize("path", [path for path in EXAMPLES if path.stem not in JUDGED], ids=lambda path: path.stem)
def test_the_example_runs(path: Path, tmp_path: Path) -> None:
    assert said(path, tmp_path, *WORDS.get(path.stem, ())).strip()


@pytest.mark.parametrize(
    ("robot", "line"),
    some([("", "rank 5 of 6"), ("scara", "rank 3 of 4"), ("panda", "redundant"), ("general-6r", "not solved")], 2),
)
def test_the_singularities_of_a_robot_named_on_the_line(robot: str, line: str, tmp_path: Path) -> None:
    """Without a name it is the RX-90."""
    path = next(path for path in EXAMPLES if path.stem == "singularities")
    assert line in said(path, tmp_path, *([robot] if robot else []))


@pytest.mark.delivery
def test_what_the_examples_of_motion_say(tmp_path: Path) -> None:
    """The arm of the free flyer brings its body back; feed-forward helps where joints are flexible."""
    texts = {path.stem: said(path, tmp_path) for path in EXAMPLES if path.stem in JUDGED[:2]}
    left = re.search(r"brings the body back: (\S+) degrees", texts["free_flyer"])
    assert left is not None
    assert abs(float(left[1])) < 1e-2
    alone, helped = (float(x) for x in re.findall(r"the tip is (\S+) mm off on the way", texts["flexible_arm"]))
    assert helped < alone / 10


def test_there_are_examples() -> None:
    assert EXAMPLES
