"""What reaches the screen: as wide as the terminal, letters only, and nothing into a pipe that is closed."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli.test_cli import succeeds
from docs.test_command_line import said_by

from robosym.cli import screen
from robosym.cli.screen import Letters, visible
from robosym.cli.tables import table

STYLE = re.compile(r"\x1b\[[0-9;]*m")
CLEAR = "\x1b[2J"

EVIL = r"""
name = "evil\u001b[2J[red]"
description = "a \u001b]0;title\u0007 [bold]word[/bold] \u202e"
[[frame]]
name = "link\u001b[2J"
joint = "j\u001b[2J[red]"
M = 1
ZZ = -1
limits = {lower = -1, upper = 1}
[[frame]]
name = "tip"
joint = "j\nrobosym: fine"
d = 1
"""


def on_terminal(width: int, *words: str) -> str:
    """A command as it looks on a terminal so wide, without the styles of letters."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(width), "TERM": "xterm"}
    command = [sys.executable, "-m", "robosym", *words]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        found = b""
        with contextlib.suppress(OSError):  # the other side has hung up
            while part := os.read(ours, 65536):
                found += part
        os.close(ours)
    assert process.returncode == 0, found.decode()
    return STYLE.sub("", found.decode()).replace("\r\n", "\n")


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(("width", "words"), [(80, ("show", "rx90")), (60, ("show", "panda")), (60, ("robots",))])
def test_tables_fit_the_terminal(width: int, words: tuple[str, ...]) -> None:
    lines = on_terminal(width, *words).splitlines()
    assert max(map(len, lines)) <= width
    assert not any("…" in line for line in lines)


def test_what_a_narrow_terminal_leaves_out_is_said() -> None:
    shown = on_terminal(60, "show", "rx90")
    assert "left out, because every row has 0 there: gamma, b" in shown
    for word in ("wrist_roll", "-pi/2", "RL4", "MZ6", "M6", "4.11898"):
        assert word in shown
    assert max(map(len, shown.splitlines())) <= 60


def test_a_file_gets_everything() -> None:
    """In a pipe nothing is folded, shortened or left out, however wide a table is."""
    printed = succeeds("show", "delta")
    assert "left out" not in printed
    assert "…" not in printed
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        table(["name", "long"], [["a", "x" * 500]])
    assert "x" * 500 in said.getvalue()


@pytest.mark.slow
def test_no_command_prints_what_a_name_tells_a_terminal_to_do(tmp_path: Path) -> None:
    path = tmp_path / "evil.toml"
    path.write_text(EVIL, encoding="utf-8")
    for words in (
        ("show", str(path)),
        ("check", str(path)),
        ("count", str(path), "jacobian"),
        ("count", str(path), "jacobian", "--frame", "lnk"),
        ("count", str(path), f"jaco{CLEAR}"),
        ("count", f"rx{CLEAR}", "jacobian"),
        ("count", str(path), "jacobian", f"--{CLEAR}"),
        ("explain", str(path), "transform"),
        ("generate", str(path), "transform"),
        ("convert", str(path), str(tmp_path / "out.toml")),
        ("ik", str(path), "--pose", CLEAR),
        ("plot", str(path), "workspace", "--view", CLEAR),
    ):
        printed, _ = said_by(["robosym", *words])
        assert printed
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", printed), words
    shown, _ = said_by(["robosym", "show", str(path)])
    assert r"evil\x1b[2J[red]: a \x1b]0;title\x07 [bold]word[/bold] \u202e" in shown
    assert r"j\x1b[2J[red]" in shown  # and no markup is taken for a colour
    assert r"j\nrobosym: fine" in shown
    assert "[red], standard parameters" in said_by(["robosym", "count", str(path), "jacobian"])[0]
    assert CLEAR not in on_terminal(80, "show", str(path))


def test_visible() -> None:
    assert visible("a\x1bb\x9b\tc\n") == "a\\x1bb\\x9b\tc\n"
    assert visible("a\nb", lines=False) == r"a\nb"
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream), screen.guarded():
        assert isinstance(sys.stdout, Letters)
        print("\x07bell")
    assert stream.getvalue() == "\\x07bell\n"


@pytest.mark.slow
def test_a_closed_pipe_is_no_error_message() -> None:
    for reader in ("head -1", "true"):
        command = f"{sys.executable} -m robosym show rx90 | {reader}"
        done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=120)
        assert done.stderr == ""
