"""MJCF texts for tests: bodies in a world, read without its warnings, and beside MuJoCo's own compiler."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
from mujoco_compared import Beside, compiled

import robosym
from robosym.robot import Robot, RobotWarning

BODY = '<inertial pos=".1 .05 -.02" mass="1.5" diaginertia=".02 .03 .04"/>'


def around(bodies: str, head: str = "", tail: str = "") -> str:
    return f'<mujoco model="m">{head}<worldbody>{bodies}</worldbody>{tail}</mujoco>'


def read(tmp_path: Path, text: str, **options: bool) -> Robot:
    path = tmp_path / "robot.xml"
    path.write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RobotWarning)
        return robosym.load(path, **options)


def same(tmp_path: Path, text: str, names: dict[str, str] | None = None, **options: bool) -> Robot:
    robot = read(tmp_path, text)
    beside, rng = Beside(robot, compiled(text), names), np.random.default_rng(len(text))
    for _ in range(2):
        beside.check(rng, **options)
    return robot
