"""Folders written whole or not at all, and never over files of others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import robosym
from robosym import packaging
from robosym.errors import RobosymError
from robosym.packaging import write


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_other_files_stay_and_ours_are_written_over(tmp_path):
    folder = tmp_path / "deep" / "out"
    write.write_folder(folder, {"a.c": "1", "src/b.c": "2"})
    (folder / "mine.txt").write_text("mine")
    write.write_folder(folder, {"a.c": "3", "c.c": "4"})
    found = files_of(folder)
    assert found.pop(write.MANIFEST)
    assert found == {"a.c": b"3", "src/b.c": b"2", "c.c": b"4", "mine.txt": b"mine"}
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["out"]


def test_a_file_that_is_not_ours_is_never_lost(tmp_path):
    (tmp_path / "README.md").write_text("mine")
    with pytest.raises(RobosymError, match=r"README.md: would be written over"):
        write.write_folder(tmp_path, {"a.c": "1", "README.md": "2"})
    assert files_of(tmp_path) == {"README.md": b"mine"}
    with pytest.raises(RobosymError, match="expected a folder"):
        write.write_folder(tmp_path / "README.md", {"a.c": "1"})


def test_a_folder_that_cannot_be_is_refused_before_the_work(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("mine")
    monkeypatch.setattr(packaging, "parts", None)  # not asked for
    robot = robosym.load("planar-2r")
    for where, said in (("file", "expected a folder, this is a file"), ("file/sub/deep", "file is a file")):
        with pytest.raises(RobosymError, match=said):
            packaging.export(robot, "c", tmp_path / where)
    monkeypatch.setattr(write.os, "access", lambda path, mode: False)
    with pytest.raises(RobosymError, match="no permission to write to"):
        packaging.export(robot, "c", tmp_path / "new")


def test_nothing_is_half_written(tmp_path, monkeypatch):
    def fails(path: Path, text: str) -> None:
        if Path(path).name == "b.c":
            raise RobosymError("the disk is full")
        Path(path).write_text(text)

    write.write_folder(tmp_path / "old", {"a.c": "1", "b.c": "1"})
    before = files_of(tmp_path)
    monkeypatch.setattr(write, "write_text", fails)
    for name in ("new", "old"):
        with pytest.raises(RobosymError, match="disk is full"):
            write.write_folder(tmp_path / name, {"a.c": "2", "b.c": "2"})
    assert files_of(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def test_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write.write_folder(".", {"a.c": "1"})
    assert (tmp_path / "a.c").read_text() == "1"


@pytest.mark.parametrize("listed", ["null", '{"files": 5}', "[]", "{", '{"files": null}'])
def test_a_strange_list_is_an_error(tmp_path, listed):
    (tmp_path / "robosym-package.json").write_text(listed)
    with pytest.raises(RobosymError, match="not the list of files"):
        packaging.export(robosym.load("planar-2r"), "python", tmp_path)


# --- the list of files ----------------------------------------------------------------------------------------------------


def test_the_list_names_all_that_was_ever_written(tmp_path: Path) -> None:
    write.write_folder(tmp_path / "out", {"b.c": "1", "src/a.c": "2"})
    write.write_folder(tmp_path / "out", {"c.c": "3"})
    listed = json.loads((tmp_path / "out" / write.MANIFEST).read_text(encoding="utf-8"))
    assert listed == {"files": ["b.c", "c.c", "src/a.c"]}


def test_names_in_the_list_that_are_none_count_for_nothing(tmp_path: Path) -> None:
    (tmp_path / write.MANIFEST).write_text('{"files": [3, null, "a.c"]}')
    (tmp_path / "a.c").write_text("old")
    (tmp_path / "3").write_text("mine")
    write.write_folder(tmp_path, {"a.c": "new"})
    assert (tmp_path / "a.c").read_text() == "new"
    with pytest.raises(RobosymError, match="3: would be written over"):
        write.write_folder(tmp_path, {"3": "new"})


def test_many_files_of_others_are_named_in_short(tmp_path: Path) -> None:
    for k in range(7):
        (tmp_path / f"{k}.c").write_text("mine")
    with pytest.raises(
        RobosymError,
        match=r"0\.c, 1\.c, 2\.c, 3\.c, 4\.c, \.\.\.: would be written over, and was not written by robosym",
    ):
        write.write_folder(tmp_path, {f"{k}.c": "ours" for k in range(7)})


@pytest.mark.parametrize("force", [False, True])
def test_a_link_to_nowhere_is_a_file_of_others(force: bool, tmp_path: Path) -> None:
    (tmp_path / "a.c").symlink_to(tmp_path / "nowhere")
    if not force:
        with pytest.raises(RobosymError, match=r"a\.c: would be written over"):
            write.write_folder(tmp_path, {"a.c": "1"})
        assert (tmp_path / "a.c").is_symlink()
        return
    write.write_folder(tmp_path, {"a.c": "1"}, force=True)
    assert (tmp_path / "a.c").read_text() == "1"
    assert not (tmp_path / "nowhere").exists()


def test_through_a_link_to_a_folder(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write.write_folder(tmp_path / "link", {"a.c": "1"})
    assert (tmp_path / "link").is_symlink()
    assert set(files_of(tmp_path / "real")) == {"a.c", write.MANIFEST}


def test_a_folder_where_a_file_should_be(tmp_path: Path) -> None:
    """Said, and nothing is left beside it."""
    (tmp_path / "out" / "a.c").mkdir(parents=True)
    with pytest.raises(RobosymError, match=r"a\.c: would be written over"):
        write.write_folder(tmp_path / "out", {"a.c": "1"})
    with pytest.raises(RobosymError, match="cannot be written: Is a directory"):
        write.write_folder(tmp_path / "out", {"a.c": "1"}, force=True)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_texts_that_utf8_cannot_write_leave_nothing(tmp_path: Path) -> None:
    with pytest.raises(RobosymError, match="UTF-8"):
        write.write_folder(tmp_path / "out", {"a.c": "1", "b.c": "\ud800"})
    assert list(tmp_path.iterdir()) == []


# --- before the work ------------------------------------------------------------------------------------------------------


def test_what_is_checked_before_the_work(tmp_path: Path) -> None:
    """Nothing is made by looking."""
    write.check_folder(tmp_path / "a" / "b" / "c", ["x.c"], alone=True)
    assert list(tmp_path.iterdir()) == []
    write.check_folder(tmp_path, alone=True)
    (tmp_path / "x.c").write_text("mine")
    write.check_folder(tmp_path)
    write.check_folder(tmp_path, ["y.c"])
    with pytest.raises(RobosymError, match=r"x\.c: would be written over"):
        write.check_folder(tmp_path, ["y.c", "x.c"])
    with pytest.raises(
        RobosymError, match="holds other files: expected a new folder, an empty one, or one robosym has written"
    ):
        write.check_folder(tmp_path, alone=True)
    (tmp_path / write.MANIFEST).write_text('{"files": ["x.c"]}')
    write.check_folder(tmp_path, ["x.c"], alone=True)
    with pytest.raises(RobosymError, match=r"sub: cannot be made: .*x\.c is a file"):
        write.check_folder(f"{tmp_path}/x.c/sub")
