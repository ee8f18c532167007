"""Generated C and JavaScript of robots with joints of several axes, against Python."""

from __future__ import annotations

import ctypes
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from c_calls import call_c
from random_joint_kinds import KINDS, joint_tree, random_state

from robosym import codegen, models
from robosym.generated import Model
from robosym.robot import REVOLUTE, Robot
from robosym.robot.joints import Ball

ROBOTS = {"ball": [REVOLUTE, Ball()], "all": [*KINDS]}
MODELS = ("inverse_dynamics", "forward_dynamics")


def _robot(name: str) -> Robot:
    return joint_tree(ROBOTS[name], np.random.default_rng(6))


def _model(robot: Robot, name: str) -> tuple[Model, dict[str, np.ndarray]]:
    model = getattr(models, name)(robot, wrench="none")
    state = random_state(robot, np.random.default_rng(7))
    return model, {array.name: state[array.name] for array in model.code.inputs}


@pytest.mark.runs("c")
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("robot", ROBOTS)
def test_c(robot: str, name: str, tmp_path: Path) -> None:
    model, state = _model(_robot(robot), name)
    (tmp_path / "model.c").write_text(codegen.source(model.code, "c"))
    library = tmp_path / "model.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", tmp_path / "model.c", "-o", library, "-lm"], check=True)
    results = call_c(ctypes.CDLL(str(library)), model.code, state, [])
    expected = model.evaluate(**state)
    (output,) = results.values()
    np.testing.assert_allclose(output, expected, rtol=1e-11, atol=1e-11 * np.abs(expected).max())


@pytest.mark.runs("javascript")
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("robot", ROBOTS)
def test_javascript(robot: str, name: str, tmp_path: Path) -> None:
    model, state = _model(_robot(robot), name)
    (tmp_path / "model.mjs").write_text(codegen.source(model.code, "javascript"))
    arguments = json.dumps([x.tolist() for x in state.values()])
    call = f"import * as m from './model.mjs';\nconst x = {arguments};\n"
    call += "const f = Object.entries(m).filter(([n]) => !n.includes('precompute'))[0][1];\n"
    call += "const p = Object.entries(m).filter(([n]) => n.includes('precompute')).map(([n, g]) => g());\n"
    (tmp_path / "run.mjs").write_text(call + "console.log(JSON.stringify(f(...x, ...p)));\n")
    done = subprocess.run(["node", "run.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True)
    expected = model.evaluate(**state)
    np.testing.assert_allclose(json.loads(done.stdout), expected, rtol=1e-11, atol=1e-11 * np.abs(expected).max())
