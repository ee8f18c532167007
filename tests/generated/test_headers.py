"""The top of generated code, in every language: what is computed, whatever joints and files are called."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest
from codegen.test_latex import compiled
from tool_runs import run_tool

import robosym
from robosym import codegen, models
from robosym.generated import Model
from robosym.program import json as program_json
from robosym.robot import Robot
from robosym.robot.origin import coming_from

HOSTILE = (
    '*/ int main; /* """ \n import os \\',
    "\\end{document} *) (* %} ]] --> $(rm) `x` #{y} ${z}",
    "L\u00e4nge // ' \" \\u0022 \x00 \x1b[31m !$ & ; end",
)


def hostile() -> Robot:
    rows = [{"joint": name, "d": 0 if k == 0 else 1, "M": 1, "name": f"f{k}"} for k, name in enumerate(HOSTILE)]
    robot = Robot.from_table("planar", [{key: value for key, value in row.items() if key != "joint"} for row in rows])
    from dataclasses import replace

    frames = tuple(replace(f, joint=replace(f.joint, name=n)) for f, n in zip(robot.frames, HOSTILE, strict=True))
    return coming_from(robot.replace(frames=frames), f"file {HOSTILE[0]}.urdf")


def words(text: str) -> str:
    return " ".join(word for word in text.replace("\\_", "_").split() if word not in ("*", "%", "#", "!", "//", "///"))


@pytest.mark.parametrize("language", codegen.languages())
def test_every_language_says_what_goes_in_and_comes_out(language: str) -> None:
    text = words(models.jacobian(robosym.load("rx90")).source(language))
    for said in ("Jacobian matrix of frame link6 (the tip) at its origin, in the axes of the world", "built-in rx90"):
        assert said in text, said
    for said in ("positions of the joints", "wrist_bend", "rad/s", "vx"):
        assert said in text, said


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("language", codegen.languages(routines=True))
def test_of_routines_too(language: str) -> None:
    text = words(models.inverse_geometric(robosym.load("scara")).source(language))
    for said in (
        "All positions of the joints that bring frame link4 (the tip) to a pose in frame base",
        "quill",
        "built-in scara",
    ):
        assert said in text, said


@pytest.mark.parametrize("language", codegen.languages())
def test_no_name_of_a_file_ends_a_comment(language: str) -> None:
    """Only what is safe everywhere is left of names; in JSON they are strings."""
    text = models.inverse_dynamics(hostile()).source(language)
    if language == "json":
        data = json.loads(text)
        assert data["documentation"]["arrays"]["q"]["rows"][0][0] == HOSTILE[0]
        return
    plain = text.replace("\\end{document}", "", 1)
    for part in (
        "int main; /",
        "import os\n",
        "\\end{document}",
        "*) (*",
        "%}",
        "\u00e4",
        "\x1b",
        "\x00",
        "`x`",
        "$(rm)",
        "${z}",
    ):
        assert part not in plain, part
    assert text.isascii()
    if language in ("python", "numpy", "jax", "casadi"):
        functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
        assert "import_os" in (ast.get_docstring(functions[-1 if language != "casadi" else 0]) or "").replace(" ", "_")


@pytest.mark.runs("c")
def test_hostile_names_compile_in_c(tmp_path: Path) -> None:
    from language_report import tool

    (tmp_path / "model.c").write_text(models.inverse_dynamics(hostile()).source("c"), encoding="ascii")
    command = [tool("c"), "-std=c99", "-Wall", "-Wextra", "-Werror", "-c", "model.c"]
    run = run_tool(command, tmp_path)
    assert run.returncode == 0, run.stderr


def test_lines_of_comments_are_at_most_100_columns() -> None:
    text = models.inverse_dynamics(robosym.load("panda")).source("c")
    top = text[: text.index("*/")]
    assert max(map(len, top.splitlines())) <= 100
    assert "[6] q7 panda_joint7" in top


def test_explain_moves_no_cursor_and_says_the_same() -> None:
    text = models.inverse_dynamics(hostile()).explain()
    assert "\x1b" not in text
    assert "positions of the joints" in text
    said = models.jacobian(robosym.load("rx90")).explain()
    assert "[5] wrist_bend" in " ".join(said.split())
    assert "rows: vx, vy, vz in m/s, wx, wy, wz in rad/s" in " ".join(said.split())


def test_documentation_comes_back_from_json() -> None:
    for model in (models.jacobian(robosym.load("scara")), models.inverse_geometric(robosym.load("scara"))):
        code = program_json.loads(model.source("json"))
        assert code.documentation == model.documentation


# --- LaTeX ---------------------------------------------------------------------------------------------------------------


def test_explain_writes_the_same_article_as_generate() -> None:
    model = models.inverse_dynamics(robosym.load("scara"))
    assert model.explain(latex=True) == model.source("latex")


@pytest.mark.runs("latex")
@pytest.mark.parametrize("model", ["inverse-dynamics", "inverse-geometric"])
def test_what_explain_writes_fits_on_the_page(model: str, tmp_path: Path) -> None:
    made: Model = models.MODELS[model](robosym.load("rx90" if model == "inverse-dynamics" else "scara"))
    log = compiled(made.explain(latex=True), tmp_path)
    assert not re.search(r"Overfull \\hbox", log)


# --- where a robot comes from ------------------------------------------------------------------------------------------------


def test_code_names_the_file_of_its_robot_without_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "my arm.toml"
    robosym.save(robosym.load("planar-2r"), path)
    text = models.gravity(robosym.load(path)).source("c")
    assert "planar-2r (file my arm.toml)" in text
    assert str(tmp_path) not in text
