"""The catalogue of models, and a model in one new file that everything else then has."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import robosym
from robosym import models
from robosym.generated.declaration import FAMILIES
from robosym.models.catalogue import MODELS, declaration_of, declarations, functions, modules

SOURCE = Path(robosym.__file__).parent
NEW_MODEL = '''"""Mechanical power of the joints."""

from __future__ import annotations

from typing import Literal

from ..expr import expr
from ..generated import Model
from ..generated.checks import Check
from ..generated.declaration import declare
from ..generated.documentation.arrays import number
from ..program import Array, optimised
from ..robot import Robot
from .common import graph_of, model, open_tree
from .tree.state import state_inputs


@declare(
    title="Joint power",
    family="dynamic",
    rank=95,
    inputs="q, qd, tau",
    outputs="power",
    about="Power that the actuators put into the joints",
    arrays={"power": number("power of all joints", "W")},
    available=lambda robot: not robot.loops,
    checks=[Check(lambda task: task.state["tau"] @ task.state["qd"], ("q", "qd", "tau"))],
)
def joint_power(robot: Robot, *, sign: Literal["motor", "load"] = "motor") -> Model:
    """Mechanical power of all joints.

    Parameters
    ----------
    robot
        Robot.
    sign
        Side on which the power counts as positive: "motor" or "load".

    Returns
    -------
    Model
        Inputs ``q``, ``qd`` and ``tau``; output ``power`` [W].
    """
    inputs = state_inputs(open_tree(robot), ("q", "qd", "tau"))
    arrays = {array.name: array.entries for array in inputs}
    total = sum((a * b for a, b in zip(arrays["qd"], arrays["tau"], strict=True)), expr(0))
    output = Array("power", (), (total if sign == "motor" else -total,))
    program = optimised(graph_of(robot, "joint-power", inputs, (output,)))
    return model(robot, "joint-power", program, {"sign": sign})
'''


def test_models_are_listed_by_family_and_rank() -> None:
    ranks = [(FAMILIES.index(one.family), one.rank) for one in declarations()]
    assert ranks == sorted(set(ranks))
    assert list(MODELS) == [one.name for one in declarations()]
    assert len(MODELS) == len(modules()) == len(functions())


def test_a_model_by_name() -> None:
    assert MODELS["inverse-dynamics"] is models.inverse_dynamics is declaration_of("inverse-dynamics").function
    assert "inverse-dynamics" in MODELS
    assert "inverse_dynamics" not in MODELS
    with pytest.raises(KeyError):
        MODELS["none"]


def test_the_stub_file_is_current() -> None:
    """``make check`` writes it; by hand: python tools/stubs.py."""
    stubs = SOURCE.parents[1] / "tools" / "stubs.py"
    subprocess.run([sys.executable, str(stubs), "--check"], check=True)


# --- a new model -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with one more file."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(SOURCE, folder / "robosym", ignore=shutil.ignore_patterns("__pycache__", "static", "vendor"))
    (folder / "robosym" / "models" / "joint_power.py").write_text(NEW_MODEL)
    return folder


def run(folder: Path, *words: str, stdin: str = "") -> str:
    """Python in the folder of the copy."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        input=stdin,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(folder)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def robosym_in(folder: Path, *words: str, stdin: str = "") -> str:
    return run(folder, "-m", "robosym", *words, stdin=stdin)


def test_a_new_model_in_lists_and_help(folder: Path) -> None:
    listed = {one["name"]: one for one in json.loads(robosym_in(folder, "models", "--json"))}
    assert set(listed) - set(MODELS) == {"joint-power"}
    assert listed["joint-power"]["inputs"] == ["q", "qd", "tau"]
    explained = robosym_in(folder, "models", "joint-power")
    assert "joint-power: q, qd, tau -> power" in explained
    assert "motor | load" in explained
    shown = " ".join(robosym_in(folder, "count", "rx90", "joint-power", "--help").split())
    assert "Options of joint-power: --sign motor|load" in shown
    assert 'Side on which the power counts as positive: "motor" or "load". [default: motor]' in shown


def test_a_new_model_is_counted_evaluated_and_generated(folder: Path) -> None:
    state = json.dumps({"q": [0, 0], "qd": [2, 3], "tau": [5, 7]})
    words = ("planar-2r", "joint-power", "--sign", "load", "--at", "-", "--json")
    assert json.loads(robosym_in(folder, "eval", *words, stdin=state)) == {"outputs": {"power": -31.0}}
    assert json.loads(robosym_in(folder, "count", "rx90", "joint-power", "--json"))["operations"]["mul"] == 6
    source = robosym_in(folder, "generate", "planar-2r", "joint-power", "--to", "c")
    assert "Power that the actuators put into the joints" in source
    assert "power of all joints" in source
    slopes = json.loads(robosym_in(folder, "count", "planar-2r", "joint-power", "--by", "tau", "--json"))
    assert slopes["model"] == "joint-power-by-tau"


def test_a_new_model_is_verified_and_packaged(folder: Path) -> None:
    rows = json.loads(robosym_in(folder, "verify", "planar-2r", "--floats", "--states", "1", "--json"))["models"]
    (row,) = [row for row in rows if row["model"] == "joint-power"]
    assert row["verdict"] == "same"
    robosym_in(folder, "generate", "planar-2r", "joint-power", "--package", "package")
    assert len(list((folder / "package").rglob("planar_2r_joint_power.c"))) == 1
    assert "joint_power" in (folder / "package" / "README.md").read_text()


def test_a_new_model_in_python_and_in_the_web_app(folder: Path) -> None:
    program = """
import robosym
from robosym.models.available import models_of
from robosym.views.menus import menus

assert robosym.__file__.startswith({folder!r})
robot = robosym.load("planar-2r")
assert "joint_power" in dir(robosym.models)
assert robosym.models.joint_power(robot).evaluate(q=[0, 0], qd=[2, 3], tau=[5, 7]) == 31
assert "joint-power" in models_of(robot)
assert "joint-power" not in models_of(robosym.load("four-bar"))
found = {{model["name"]: (menu["menu"], model) for menu in menus(robot) for model in menu["models"]}}
menu, model = found["joint-power"]
assert (menu, model["title"], model["gives"]) == ("dynamic", "Joint power", "Mechanical power of all joints")
(option,) = model["options"]
assert [one["value"] for one in option["choices"]] == ["motor", "load"]
try:
    robosym.models.joint_power(robot, sign="up")
except robosym.RobosymError as error:
    assert str(error) == "sign: got 'up', expected 'motor' or 'load'", error
"""
    run(folder, "-c", program.format(folder=str(folder)))
