"""Packages for controllers, exported and compiled with every warning an error."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import robosym
from robosym import packaging

STRICT = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wconversion", "-Wshadow", "-O0"]


def compiler(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed: the header is not compiled with it")
    return path


def exported(robot: robosym.Robot, folder: Path, names: Sequence[str], **options: Any) -> Path:
    assert packaging.export(robot, "c", folder, kind="ros2-control", models=names, **options) == []
    return folder


def call(command: list[str], folder: Path, given: str = "") -> str:
    done = subprocess.run(command, cwd=folder, input=given, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, (done.stdout + done.stderr)[:4000]
    return done.stdout
