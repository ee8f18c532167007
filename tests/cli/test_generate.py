"""``robosym generate`` as a person uses it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import robosym
from robosym import codegen, models
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


def test_the_help_lists_every_language():
    listed = " ".join(CliRunner().invoke(app, ["generate", "--help"]).stdout.split())
    assert f"Target language: {', '.join(codegen.languages())}." in listed


def test_names_and_aliases():
    model = models.transform(robosym.load("rx90"))
    assert run("rx90", "transform", "--name", "tip") == model.source("c", name="tip")
    assert run("rx90", "transform", "--to", "c++") == model.source("cpp")
    assert run("rx90", "transform", "--to", "C", "--precision", "float") == model.source("c", precision="float")


def test_numbers_in_place_of_parameters():
    text = run("rx90", "transform", "--numeric")
    assert text == models.transform(robosym.load("rx90")).source("c", numeric=True)
    assert "parameters" not in text
    assert "0.45*" in text


def test_numbers_that_are_not_there_are_named(tmp_path: Path):
    arm = robosym.load("planar-2r")
    bare = tmp_path / "bare.toml"
    from dataclasses import replace

    from robosym import formats

    formats.save(replace(arm, values={}), str(bare))
    for name in ("transform", "inverse-geometric"):
        with pytest.raises(RobosymError, match="no value for L1, L2"):
            run(str(bare), name, "--numeric")


@pytest.mark.slow
def test_inverse_geometry_is_a_model_like_any_other(tmp_path: Path):
    robot = robosym.load("rx90")
    solver = models.inverse_geometric(robot)
    assert run("rx90", "inverse-geometric", "--to", "c") == solver.source("c")
    assert run("rx90", "inverse-geometric", "--to", "python", "--name", "arm") == solver.source("python", name="arm")
    assert run("rx90", "inverse-geometric", "--numeric") == solver.source("c", numeric=True)
    shoulder = models.inverse_geometric(robot, frame=3, method="paul", task="pose")
    words = ("--frame", "3", "--method", "paul", "--task", "pose")
    assert run("rx90", "inverse-geometric", *words) == shoulder.source("c")
    held = models.inverse_geometric(robosym.load("panda"), given=["panda_joint7"])
    assert run("panda", "inverse-geometric", "--given", "panda_joint7") == held.source("c")
    run("rx90", "inverse-geometric", "-o", str(tmp_path / "out"))
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "rx90_inverse_geometric.c",
        "rx90_inverse_geometric.h",
    ]


@pytest.mark.slow
def test_what_cannot_be_is_refused_with_what_can():
    with pytest.raises(RobosymError, match=", ".join(codegen.languages(routines=True))):
        run("rx90", "inverse-geometric", "--to", "latex")
    with pytest.raises(RobosymError, match="routines in 'c' have no option 'precision'"):
        run("rx90", "inverse-geometric", "--precision", "float")
    with pytest.raises(RobosymError, match=r"panda_joint7=0\.3"):
        run("panda", "inverse-geometric", "--given", "panda_joint7=0.3")
    assert "did you mean 'fortran'" in refused("rx90", "transform", "--to", "fotran")
    assert "did you mean inverse-dynamics?" in refused("rx90", "inverse-dynamic")
    assert "step, regressor, base-parameters, passive-regressor, controller, all)" in refused("rx90", "zzz")
    assert "-o FOLDER" in refused("rx90", "all")
    with pytest.raises(RobosymError, match="'python' has no option 'precision'"):
        run("rx90", "transform", "--to", "python", "--precision", "float")
    with pytest.raises(RobosymError, match="expected 'double' or 'float'"):
        run("rx90", "transform", "--precision", "half")


def test_output_that_cannot_be_is_refused(tmp_path: Path):
    (tmp_path / "file").write_text("mine")
    assert "-o FOLDER" in refused("rx90", "all", "-o", "")
    for name in ("transform", "inverse-geometric", "all"):
        with pytest.raises(RobosymError, match="file: expected a folder, this is a file"):
            run("planar-2r", name, "-o", str(tmp_path / "file"))
    with pytest.raises(RobosymError, match="Not a directory"):
        run("planar-2r", "transform", "-o", str(tmp_path / "file" / "a.c"))
    assert (tmp_path / "file").read_text() == "mine"


def test_models_left_out_for_one_reason_are_named_together(tmp_path: Path):
    """Two arms: the Jacobian is of one frame."""
    said = run("double-pendulum", "all", "--to", "json", "-o", str(tmp_path / "json"))
    reasons = [line.partition(": ")[2] for line in said.splitlines() if line.startswith("left out ")]
    assert len(set(reasons)) == len(reasons)


@pytest.mark.slow
def test_everything_at_once(tmp_path: Path):
    said = run("planar-2r", "all", "--to", "c", "-o", str(tmp_path / "out"), "--name", "my arm", "--frame", "tip")
    assert re.search(r"wrote \d+ models in \d+ files to ", said)
    assert (tmp_path / "out" / "CMakeLists.txt").exists()
    assert (tmp_path / "out" / "include" / "my_arm.h").exists()
    said = run("double-pendulum", "all", "--to", "jax", "-o", str(tmp_path / "jax"))
    assert "left out inverse-geometric, discrete: it has loops and branches, and is not written in jax" in said
    assert (tmp_path / "jax" / "double_pendulum_gravity.py").exists()
