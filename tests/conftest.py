"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def shared_folder() -> Path:
    """The folder of reference data beside the project, or the one ROBOSYM_SHARED names."""
    return Path(os.environ.get("ROBOSYM_SHARED", Path(__file__).resolve().parents[2] / "shared"))


@pytest.fixture(scope="session")
def shared() -> Path:
    folder = shared_folder()
    if not folder.is_dir():
        pytest.skip("the reference data is not here: set ROBOSYM_SHARED to the folder that holds it")
    return folder
