"""Files that are there already: ours are written anew, those of others only on demand."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli.test_cli import fails
from cli.test_models import run

import robosym
from robosym import codegen
from robosym.cli.overwrite import COMMENTS, is_ours, signed

MINE = "int main(void) { return 0; }\n"


def test_source_of_others_stays(tmp_path: Path) -> None:
    path = tmp_path / "arm.c"
    path.write_text(MINE)
    said = fails(1, "generate", "planar-2r", "transform", "-o", str(path))
    assert "arm.c: would be written over" in said
    assert "--force" in said
    assert path.read_text() == MINE
    run("generate", "planar-2r", "transform", "-o", str(path), "--force")
    first = path.read_text()
    assert first != MINE
    run("generate", "planar-2r", "jacobian", "-o", str(path))  # now it is ours
    assert path.read_text() != first


def test_the_work_is_not_done_for_a_file_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("robosym.library.load", lambda *_, **__: pytest.fail("work was done"))
    (tmp_path / "arm.c").write_text(MINE)
    (tmp_path / "README.md").write_text("mine")
    fails(1, "generate", "planar-2r", "transform", "-o", str(tmp_path / "arm.c"))
    assert "no folder" in fails(1, "generate", "planar-2r", "transform", "-o", str(tmp_path / "no" / "arm.c"))


def test_a_folder_with_source_of_others(tmp_path: Path) -> None:
    (tmp_path / "planar_2r_transform.h").write_text(MINE)
    assert "--force" in fails(1, "generate", "planar-2r", "transform", "-o", str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["planar_2r_transform.h"]  # not the other file either
    run("generate", "planar-2r", "transform", "-o", str(tmp_path), "--force")
    run("generate", "planar-2r", "transform", "-o", str(tmp_path))


def test_a_package_is_refused_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "README.md").write_text("mine")
    monkeypatch.setattr("robosym.packaging.work", lambda *_: pytest.fail("work was done"))
    said = fails(1, "generate", "planar-2r", "all", "-o", str(tmp_path))
    assert "README.md: would be written over" in said
    assert "--force" in said


def test_a_package_over_files_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from robosym.packaging import write

    (tmp_path / "a.c").write_text(MINE)
    with pytest.raises(robosym.RobosymError, match=r"a\.c: would be written over"):
        write.write_folder(tmp_path, {"a.c": "1", "README.md": "2"})
    write.write_folder(tmp_path, {"a.c": "1"}, force=True)
    assert (tmp_path / "a.c").read_text() == "1"


@pytest.mark.parametrize("language", codegen.languages())
def test_every_language_says_who_wrote_it(language: str, tmp_path: Path) -> None:
    path = tmp_path / f"arm.{language}"
    path.write_text(robosym.models.transform(robosym.load("planar-2r")).source(language))
    assert is_ours(path)
    path.write_text(MINE)
    assert not is_ours(path)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("suffix", COMMENTS)
def test_descriptions_are_ours_until_somebody_edits_them(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"arm{suffix}"
    run("convert", "planar-2r", str(path))
    assert len(robosym.load(path).moving) == 2
    run("convert", "scara", str(path))
    assert len(robosym.load(path).moving) == 4
    path.write_text(path.read_text().replace("link1", "first").replace("0.05", "0.06"))
    if suffix != ".par":
        assert not is_ours(path)
    else:  # which has no names
        path.write_text(path.read_text() + "\n")
    edited = path.read_text()
    assert "--force" in fails(1, "convert", "scara", str(path))
    assert path.read_text() == edited
    run("convert", "scara", str(path), "--force")


@pytest.mark.filterwarnings("ignore")
def test_what_a_person_wrote_is_not_converted_over(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    robosym.save(robosym.load("planar-2r"), path)  # as by hand: no signature
    assert "mine.toml: would be written over" in fails(1, "convert", "rx90", str(path))
    (tmp_path / "loop.loops.toml").write_text("mine")
    assert "loop.loops.toml" in fails(1, "convert", "four-bar", str(tmp_path / "loop.urdf"))
    assert not (tmp_path / "loop.urdf").exists()
    assert signed("x = 1\n", ".toml").endswith("\nx = 1\n")


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(("answer", "code"), [("n", 1), ("y", 0)])
def test_a_person_is_asked(answer: str, code: int, tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    path = tmp_path / "arm.c"
    path.write_text(MINE)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "robosym", "generate", "planar-2r", "transform", "-o", str(path)]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        os.write(ours, f"{answer}\n".encode())
        said = b""
        try:
            while part := os.read(ours, 4096):
                said += part
        except OSError:
            pass
        os.close(ours)
    assert b"Write over it?" in said
    assert process.returncode == code
    assert (path.read_text() == MINE) is (answer == "n")
