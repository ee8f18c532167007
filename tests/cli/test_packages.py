"""``robosym generate ROBOT MODEL ... --package FOLDER --as KIND`` as a person uses it."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from robosym import packaging
from robosym.cli.app import app
from robosym.errors import RobosymError


def run(*words: str) -> str:
    done = CliRunner().invoke(app, ["generate", *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def refused(*words: str) -> str:
    done = CliRunner().invoke(app, ["generate", *words])
    assert done.exit_code == 2, done.output
    return " ".join(done.stderr.split())


def test_chosen_models_in_every_kind(tmp_path: Path) -> None:
    models = ("gravity", "jacobian", "gravity")
    holds = {
        "cmake": ("include/planar_2r.h", "src/planar_2r_gravity.c", "CMakeLists.txt", "test/check.c"),
        "ros2-control": ("include/planar_2r.hpp", "package.xml", "CMakeLists.txt", "test/check.cpp"),
        "python": ("pyproject.toml", "src/planar_2r/_native.pyi", "src/planar_2r/py.typed", "c/planar_2r_jacobian.c"),
    }
    for kind, names in holds.items():
        folder = tmp_path / kind
        said = run("planar-2r", *models, "--package", str(folder), "--as", kind, "--frame", "tip")
        assert said.startswith("wrote 2 models in ")
        assert said.endswith(f"files to {folder}\n")
        for name in names:
            assert (folder / name).exists(), name
        assert not list(folder.rglob("*inverse_dynamics*"))
    run("planar-2r", "gravity", "jacobian", "--package", str(tmp_path / "same"), "--frame", "tip")
    same, cmake = tmp_path / "same", tmp_path / "cmake"
    assert {p.name: p.read_bytes() for p in same.rglob("*.c")} == {p.name: p.read_bytes() for p in cmake.rglob("*.c")}


@pytest.mark.slow
def test_other_words_on_the_line(tmp_path: Path) -> None:
    """All models as a package of a kind; the folder by -o; a name; another language; options after the models."""
    said = run("double-pendulum", "all", "-o", str(tmp_path / "all"), "--as", "python", "--name", "my arm")
    assert "wrote 36 models" in said
    assert (tmp_path / "all" / "src" / "my_arm" / "__init__.py").exists()
    run(
        "four-bar",
        "gravity",
        "loop-geometry",
        "--mode",
        "cut-",
        "--as",
        "ros2-control",
        "--package",
        str(tmp_path / "bar"),
    )
    assert "in the mode cut-." in (tmp_path / "bar" / "include" / "four_bar.hpp").read_text()
    run("planar-2r", "gravity", "transform", "--to", "rust", "--package", str(tmp_path / "rust"))
    assert sorted(path.name for path in (tmp_path / "rust").glob("*.rs")) == [
        "planar_2r_gravity.rs",
        "planar_2r_transform.rs",
    ]


def test_what_cannot_be_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = str(tmp_path / "out")
    monkeypatch.setattr(packaging, "work", None)  # nothing of this begins the work
    assert "did you mean 'gravity'" in refused("rx90", "jacobian", "gravty", "--package", folder)
    assert "expected one of 'cmake', 'ros2-control', 'python'" in refused(
        "rx90", "gravity", "--package", folder, "--as", "x"
    )
    assert "made of C, not of rust" in refused("rx90", "gravity", "--package", folder, "--as", "cmake", "--to", "rust")
    assert "computes in doubles" in refused(
        "rx90", "gravity", "--package", folder, "--as", "python", "--precision", "float"
    )
    assert "with --package FOLDER" in refused("rx90", "gravity", "--as", "python")
    assert "with -o FOLDER" in refused("rx90", "all", "--as", "python")
    assert "give one of them" in refused("rx90", "gravity", "--package", folder, "-o", folder)
    assert "unexpected argument 'jacobian'" in refused("rx90", "gravity", "jacobian", "-o", "a.c")
    assert "all models are requested already" in refused("rx90", "all", "gravity", "-o", folder)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    with pytest.raises(RobosymError, match="mine: holds other files: expected a new folder"):
        run("rx90", "gravity", "--package", str(tmp_path / "mine"))
    assert not (tmp_path / "out").exists()


def test_a_model_that_was_named_is_never_left_out(tmp_path: Path) -> None:
    with pytest.raises(RobosymError, match="rx90: expanded: has 6 joints"):
        run("rx90", "expanded", "--package", str(tmp_path / "out"))
    with pytest.raises(RobosymError, match="loop-geometry: "):
        run("planar-2r", "loop-geometry", "--package", str(tmp_path / "out"), "--as", "python")
    assert not (tmp_path / "out").exists()
