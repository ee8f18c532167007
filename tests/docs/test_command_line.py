"""The dialogues of docs/command_line.md: every command runs, and says what stands on the page."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import sys
import warnings
from pathlib import Path
from unittest import mock

import pytest

from robosym.cli import main
from robosym.cli.app import app

PAGE = Path(__file__).parents[2] / "docs" / "command_line.md"
BLOCKS = re.findall(r"^```console\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
DIALOGUES = [part.split("\n", 1) for block in BLOCKS for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]


def said_by(words: list[str]) -> tuple[str, int]:
    """Both streams of a command in this process, and how it ends."""
    printed, ended = io.StringIO(), 0
    with (
        mock.patch.multiple(sys, argv=words, stdin=io.StringIO()),
        warnings.catch_warnings(),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
    ):
        warnings.simplefilter("always")
        try:
            main()
        except SystemExit as error:
            ended = int(error.code or 0)
    return printed.getvalue(), ended


def check(expected: str, printed: str) -> None:
    """Every line of the page is there, in this order; three dots stand for anything."""
    lines = iter(" ".join(line.split()) for line in printed.splitlines())
    for line in (" ".join(line.split()) for line in expected.splitlines()):
        if line in ("", "..."):
            continue
        pattern = ".*".join(re.escape(part) for part in line.split("..."))
        assert any(re.fullmatch(pattern + ".*", one) for one in lines), f"{line!r} is not in\n{printed}"


@pytest.mark.delivery
def test_every_example_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for command, expected in DIALOGUES:
        if command.startswith(("echo ", "printf ")):
            how, text, _, path = shlex.split(command)
            Path(path).write_text(text + "\n" if how == "echo" else text.replace("\\n", "\n"))
            continue
        words = shlex.split(command)
        assert words[0] == "robosym", command
        printed, ended = said_by(words)
        assert bool(ended) is expected.startswith(("Error:", "robosym:")), (command, printed)
        assert "Traceback" not in printed
        check(expected, printed)


def test_every_command_has_an_example() -> None:
    shown = {command.split()[1] for command, _ in DIALOGUES if command.startswith("robosym ")}
    registered = {one.name or (one.callback.__name__ if one.callback else "") for one in app.registered_commands}
    assert registered - shown == set()


def test_a_wrong_line_is_found() -> None:
    check("one\n...\n  three ... five", "one\ntwo\nthree  four five\n")
    with pytest.raises(AssertionError, match="is not in"):
        check("three\none", "one\ntwo\nthree\n")
