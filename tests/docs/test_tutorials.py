"""The tutorials, done as a reader does them: their files written, their commands typed, in one empty folder.

A block whose fence names a file (```` ```c loop.c ````) is that file. A block of ``bash`` is run; the block of ``text`` right after it is
what it must say, where ``...`` stands for anything.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TUTORIALS = sorted((ROOT / "docs").glob("tutorial_*.md"))
BLOCK = re.compile(r"^```(?P<kind>\w+)(?: (?P<file>[\w.]+))?\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)


def environment() -> dict[str, str]:
    """That of a reader: our commands are on the path."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return os.environ | {"PATH": path, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "120"}


@pytest.mark.delivery
@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_what_a_tutorial_says_happens(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if "gcc" in text and shutil.which("gcc") is None:
        pytest.skip("no gcc: the tutorial compiles C")
    said: str | None = None
    for block in BLOCK.finditer(text):
        kind, file, body = block["kind"], block["file"], block["text"]
        if file:
            (tmp_path / file).write_text(body, encoding="utf-8")
        elif kind == "bash":
            done = subprocess.run(
                ["bash", "-e", "-c", body], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{body}\n{done.stdout}\n{done.stderr}"
            said = done.stdout
            continue
        elif kind == "text" and said is not None:
            assert matches(body, said), f"the page says\n{body}\nthe commands say\n{said}"
        said = None


def readme_commands() -> list[str]:
    """What the README says of C and of inverse geometry: on built-in robots, so that it can be typed as it stands."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    part = text[text.index("## First C") : text.index("## Dynamics")]
    return [line.split("  #")[0].strip() for line in part.splitlines() if line.startswith("robosym ")]


@pytest.mark.delivery
def test_the_commands_of_the_readme_can_be_typed(tmp_path: Path) -> None:
    commands = readme_commands()
    assert len(commands) >= 8
    done = subprocess.run(
        ["bash", "-e", "-c", "\n".join(commands)],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert {"torque.c", "ik.c", "panda_c", "panda_ros", "panda_py"} <= {path.name for path in tmp_path.iterdir()}


@pytest.mark.delivery
def test_the_pictures_are_those_that_the_script_draws(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    subprocess.run([sys.executable, str(ROOT / "tools" / "pictures.py"), str(tmp_path)], env=environment(), check=True)
    here = ROOT / "docs" / "pictures"
    # Those of the page have a folder and a test of their own.
    drawn = [path for path in here.iterdir() if path.is_file()]
    assert {path.name for path in drawn} == {path.name for path in tmp_path.iterdir()}
    assert all(path.stat().st_size < 100_000 for path in drawn)


def matches(page: str, said: str) -> bool:
    """Word for word, whatever the spaces between; ``...`` is anything."""
    parts = [r"\s+".join(map(re.escape, part.split())) for part in page.split("...")]
    return re.fullmatch(r"\s*" + r"\s*.*?\s*".join(parts) + r"\s*", said, re.DOTALL) is not None


def test_there_are_tutorials_and_a_wrong_word_in_them_is_found() -> None:
    assert len(TUTORIALS) >= 2
    assert matches("a  1\n... c\n", "a 1\nb\nb c\n")
    assert not matches("a 1\n...\nc\n", "a 2\nb\nc\n")
