"""Runs of tools are kept by everything they depend on."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from tool_runs import UNUSED, VARIABLE, cache_folder, remove_unused, run_tool

COUNTING = "import sys; open(sys.argv[1], 'a').write('x'); print(sys.stdin.read() + open('text').read()); open('out', 'w').write('made')"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "kept"))
    return tmp_path


def run(kept: Path, name: str, text: str = "a", *, given: str = "", more: str = "") -> tuple[str, str, int]:
    """What a run printed and wrote in a new folder, and how often the tool has run."""
    folder, counter = kept / name, kept / "counter"
    folder.mkdir()
    (folder / "text").write_text(text)
    done = run_tool(["python3", "-c", COUNTING + more, str(counter)], folder, input=given)
    return done.stdout, (folder / "out").read_text(), len(counter.read_text())


def test_the_same_run_is_brought_back(kept: Path) -> None:
    assert run(kept, "first") == ("a\n", "made", 1)
    assert run(kept, "second") == ("a\n", "made", 1)


def test_a_changed_text_input_or_argument_runs(kept: Path) -> None:
    run(kept, "first")
    assert run(kept, "text", "b") == ("b\n", "made", 2)
    assert run(kept, "input", given="c") == ("ca\n", "made", 3)
    assert run(kept, "argument", more="; 1")[2] == 4


def test_failures_run_again(kept: Path) -> None:
    for times in (1, 2):
        folder = kept / str(times)
        folder.mkdir()
        code = f"open({str(kept / 'failures')!r}, 'a').write('x'); raise SystemExit(3)"
        assert run_tool(["python3", "-c", code], folder).returncode == 3
        assert len((kept / "failures").read_text()) == times


def test_a_damaged_entry_is_written_anew(kept: Path) -> None:
    run(kept, "first")
    (entry,) = (kept / "kept" / "tools").iterdir()
    entry.write_bytes(entry.read_bytes()[:50])
    assert run(kept, "second")[2] == 2
    assert run(kept, "third")[2] == 2


def test_a_program_in_the_folder_is_known_by_its_content(kept: Path) -> None:
    for name, text, runs in (("a", "echo one", "one"), ("b", "echo two", "two"), ("c", "echo one", "one")):
        folder = kept / name
        folder.mkdir()
        (folder / "program").write_text(f"#!/bin/sh\n{text}\n")
        (folder / "program").chmod(0o755)
        assert run_tool([folder / "program"], folder).stdout == f"{runs}\n"


def test_off_keeps_nothing(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "off")
    assert cache_folder() is None
    assert [run(kept, name)[2] for name in ("first", "second")] == [1, 2]


def test_entries_that_are_not_used_go(kept: Path) -> None:
    run(kept, "first")
    run(kept, "second", "b")
    old, _ = (kept / "kept" / "tools").iterdir()
    long_ago = time.time() - UNUSED - 60
    os.utime(old, (long_ago, long_ago))
    remove_unused()
    assert not old.exists()
    assert len(list((kept / "kept" / "tools").iterdir())) == 1
