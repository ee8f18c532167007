"""Figures as files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from plots.arms import BENT, arm, cloud

from robosym import RobosymError
from robosym.plots import FORMATS, picture_format, save, workspace_figure
from robosym.plots.canvas import new_figure, styled

pytest.importorskip("matplotlib")

STARTS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", FORMATS)
def test_files_are_whole_and_the_same_each_time(kind: str, tmp_path: Path) -> None:
    first, second = tmp_path / f"a.{kind}", tmp_path / f"b.{kind.upper()}"
    for path in (first, second):
        save(workspace_figure(cloud(), arm(BENT), "title"), path)
    assert first.read_bytes().startswith(STARTS[kind])
    assert first.read_bytes() == second.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {first.name, second.name}


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    figure = workspace_figure(cloud(), arm(BENT), "title")
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(RobosymError, match="expected a file, this is a folder"):
        save(figure, tmp_path / "folder.png")
    with pytest.raises(RobosymError, match="cannot be written"):
        save(figure, tmp_path / "missing" / "x.png")
    for name in ("x.gif", "x", "png"):
        with pytest.raises(RobosymError, match=r"one of \.png, \.svg, \.pdf"):
            picture_format(name)


def test_the_look_of_a_figure_ends_with_it() -> None:
    import matplotlib

    before = {key: value for key, value in matplotlib.rcParams.items() if key != "backend"}
    with styled():
        assert matplotlib.rcParams["axes.grid"] is True
        figure = new_figure(3.0, 2.0)
    assert {key: matplotlib.rcParams[key] for key in before} == before
    assert figure.get_size_inches().tolist() == [3.0, 2.0]


@pytest.mark.parametrize(("name", "kind"), [("a.png", "png"), ("a.b.SVG", "svg"), ("folder.x/a.Pdf", "pdf")])
def test_the_format_is_that_of_the_ending(name: str, kind: str) -> None:
    assert picture_format(name) == picture_format(Path(name)) == kind


def test_a_picture_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    """The figure is drawn before the file is touched."""
    with styled():
        figure = new_figure(3.0, 2.0)
        figure.suptitle("$\\frac{$")
    (tmp_path / "x.svg").write_text("before")
    with pytest.raises(ValueError, match="frac"):
        save(figure, tmp_path / "x.svg")
    assert (tmp_path / "x.svg").read_text() == "before"


def test_without_matplotlib_the_way_to_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(RobosymError, match=r"pip install robosym\[plot\]"):
        styled()
